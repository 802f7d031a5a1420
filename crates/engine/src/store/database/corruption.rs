//! What a failure of SQLite says of the file: that it is not what it was, that it was not read, that its disk is full. [pure]

use crate::{
    EngineError,
    model::error::{code, is_full},
};

/// SQLITE_CORRUPT and SQLITE_NOTADB: SQLite itself says so.
const CERTAIN: [i32; 2] = [11, 26];
/// SQLITE_IOERR_READ and SQLITE_IOERR_CORRUPTFS: the disk did not give what was written.
const UNREAD: [i32; 2] = [266, 8458];
/// SQLITE_IOERR_SHORT_READ: less is there than was written.
const SHORT: i32 = 522;
/// SQLITE_PERM, SQLITE_ABORT, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_INTERRUPT, SQLITE_IOERR,
/// SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_AUTH: the machine is as it is, and the file may be as it was.
const CIRCUMSTANCES: [i32; 12] = [3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 23];

impl EngineError {
    /// The ledger is damaged, whoever ran into it and whenever.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::LedgerDamaged { .. } => true,
            Self::Ledger(error) => {
                code(error).is_some_and(|code| code == SHORT || CERTAIN.contains(&(code & 0xff)) || UNREAD.contains(&code))
            }
            _ => false,
        }
    }

    /// The ledger was not written, for want of room.
    pub(crate) fn is_disk_full(&self) -> bool {
        matches!(self, Self::Ledger(error) if is_full(error))
    }

    /// It was not read, which says nothing of what would have been. SQLite's own checks tell it in their text.
    pub(crate) fn is_unread(&self) -> bool {
        match self {
            Self::LedgerDamaged { why, .. } => UNREAD.iter().any(|code| why.contains(&format!("error code={code}"))),
            Self::Ledger(error) => code(error).is_some_and(|code| UNREAD.contains(&code)),
            _ => false,
        }
    }

    /// The same where it could not even be begun with: also a table that is gone, or a row that nobody wrote so.
    pub(crate) fn keeps_from_starting(&self) -> bool {
        match self {
            Self::Ledger(
                sqlx::Error::Decode(_)
                | sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::ColumnNotFound(_)
                | sqlx::Error::TypeNotFound { .. }
                | sqlx::Error::RowNotFound,
            ) => true,
            Self::Ledger(error) => self.is_damage() || code(error).is_some_and(|code| !CIRCUMSTANCES.contains(&(code & 0xff))),
            _ => self.is_damage(),
        }
    }
}
