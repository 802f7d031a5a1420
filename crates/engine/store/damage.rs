//! Which failures of SQLite say that the file is not what it was. [pure]

use crate::Error;

/// SQLITE_CORRUPT and SQLITE_NOTADB: SQLite itself says so.
const CERTAIN: [i32; 2] = [11, 26];
/// SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS and SQLITE_IOERR_READ: what was written cannot be read again.
const UNREADABLE: [i32; 3] = [522, 8458, 266];
/// SQLITE_PERM, SQLITE_ABORT, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_INTERRUPT, SQLITE_IOERR,
/// SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_AUTH: the machine is as it is, and the file may be as it was.
const CIRCUMSTANCES: [i32; 12] = [3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 23];

impl Error {
    /// The ledger is damaged, whoever ran into it and whenever.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::LedgerDamaged { .. } => true,
            Self::Ledger(error) => code(error).is_some_and(|code| CERTAIN.contains(&(code & 0xff)) || UNREADABLE.contains(&code)),
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

fn code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error()?.code()?.parse().ok()
}
