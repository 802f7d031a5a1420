//! Classifies failures of SQLite: damaged file, unreadable data, full disk. [pure]

use ashore_messages::MessageArgument;

use crate::{
    EngineError,
    model::error::{code, is_full},
};

/// SQLITE_CORRUPT and SQLITE_NOTADB: SQLite itself reports damage.
const CERTAIN: [i32; 2] = [11, 26];
/// SQLITE_IOERR_READ and SQLITE_IOERR_CORRUPTFS: the disk did not return the data that was written.
const UNREAD: [i32; 2] = [266, 8458];
/// SQLITE_IOERR_SHORT_READ: the file is shorter than expected.
const SHORT: i32 = 522;
/// Codes of failures of the environment, where the file may be sound: SQLITE_PERM, SQLITE_ABORT, SQLITE_BUSY,
/// SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_INTERRUPT, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN,
/// SQLITE_PROTOCOL, SQLITE_AUTH.
const CIRCUMSTANCES: [i32; 12] = [3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 23];

impl EngineError {
    /// Returns whether the error proves damage of the ledger, regardless of the operation that reported it.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::LedgerDamaged { .. } => true,
            Self::Ledger(error) => {
                code(error).is_some_and(|code| code == SHORT || CERTAIN.contains(&(code & 0xff)) || UNREAD.contains(&code))
            }
            _ => false,
        }
    }

    /// Returns whether a write to the ledger failed because the disk is full.
    pub(crate) fn is_disk_full(&self) -> bool {
        matches!(self, Self::Ledger(error) if is_full(error))
    }

    /// Returns whether data could not be read. This does not prove damage. If SQLite's own check failed, only the text
    /// of the error contains the code.
    pub(crate) fn is_unread(&self) -> bool {
        match self {
            Self::LedgerDamaged { why: MessageArgument::Text(why), .. } => {
                UNREAD.iter().any(|code| why.contains(&format!("error code={code}")))
            }
            Self::Ledger(error) => code(error).is_some_and(|code| UNREAD.contains(&code)),
            _ => false,
        }
    }

    /// Returns whether a start failed because the ledger is unusable. Causes are damage, a missing table, or a row that
    /// Ashore never writes.
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
