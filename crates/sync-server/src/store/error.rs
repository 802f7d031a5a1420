//! Defines the failures of opening the store and of requests to it.

use std::{io, path::PathBuf};

use crate::protocol::{ProtocolRefusal, Timestamp};

/// Reason why a database cannot be opened. The messages are shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another program uses the folder.
    #[error("{} is in use by {holder}. Stop that program, or choose another folder with --data-dir.", path.display())]
    Held {
        /// Folder.
        path: PathBuf,
        /// Name and process id of the program that uses the folder.
        holder: String,
    },
    /// The database was created by a newer program.
    #[error(
        "The database has version {found}, and this program knows version {known}. Install the newer program again; nothing was \
         changed."
    )]
    Newer {
        /// Version of the database.
        found: i64,
        /// Version of this program.
        known: i64,
    },
    /// The database was created by a test version from before the first release.
    #[error(
        "The database has version {found}, of a test version of this program; the oldest supported version is {oldest}. Choose \
         an empty database; nothing was changed."
    )]
    Older {
        /// Version of the database.
        found: i64,
        /// Oldest supported version.
        oldest: i64,
    },
    /// The tables belong to another program.
    #[error("The database belongs to another program. Choose an empty one; nothing was changed.")]
    Foreign,
    /// The address is not valid.
    #[error("The database address cannot be used: {0}. It looks like postgres://user@host/name.")]
    Address(sqlx::Error),
    /// The connection or a statement failed.
    #[error("The database cannot be opened: {0}. Check that it is running and that this user may use it.")]
    Database(#[from] sqlx::Error),
    /// A file or folder cannot be used.
    #[error("{what} cannot be used: {source}.")]
    Io {
        /// Path.
        what: String,
        /// Error that the system reported.
        source: io::Error,
    },
}

/// Reason why a request failed.
///
/// Nothing was written, with one exception: if the connection broke during a commit, the outcome is unknown.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is unreachable, full, or busy for longer than a request waits.
    #[error("the database cannot be used for now: {0}")]
    Unavailable(sqlx::Error),
    /// The database returned an unexpected error.
    #[error("the database refused a statement: {0}")]
    Database(sqlx::Error),
    /// Too many writes of the same user, or too many long listings, are waiting.
    #[error("too many requests of this kind are waiting")]
    Busy,
    /// The request is not valid or exceeds a limit.
    #[error("refused with {} {}", .0.status, .0.code)]
    Refused(ProtocolRefusal),
    /// The target was modified after the time in the precondition of the client.
    #[error("modified at {0}")]
    Modified(Timestamp),
    /// The id for a new user is already in use.
    #[error("the number of the new user is taken")]
    Taken,
    /// The user does not exist, and the write may not create users.
    #[error("no such user")]
    UnknownUser,
}

impl StoreError {
    /// Whether an immediate retry of the transaction may succeed.
    pub(super) fn is_conflict(&self) -> bool {
        let (Self::Unavailable(error) | Self::Database(error)) = self else { return false };
        matches!(code(error).as_deref(), Some("40001" | "40P01"))
    }

    /// Whether the disk of the database is full.
    pub fn is_disk_full(&self) -> bool {
        let (Self::Unavailable(error) | Self::Database(error)) = self else { return false };
        code(error).is_some_and(|code| code == "53100" || code.parse::<i32>().is_ok_and(|code| code & 0xff == 13))
    }
}

impl From<ProtocolRefusal> for StoreError {
    fn from(refusal: ProtocolRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match is_passing(&error) {
            true => Self::Unavailable(error),
            false => Self::Database(error),
        }
    }
}

fn code(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(|code| code.into_owned())
}

/// Whether the error comes from the state of the database, not from the request.
fn is_passing(error: &sqlx::Error) -> bool {
    let Some(code) = code(error) else {
        return !matches!(
            error,
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) | sqlx::Error::Encode(_) | sqlx::Error::RowNotFound
        );
    };
    if code.len() == 5 {
        // PostgreSQL errors: connection, resources, lock, shutdown, conflict; 25006: a standby that accepts no writes
        // yet; 55000: a database that accepts no connections at the moment; 58: the disk; XX001, XX002: damaged tables
        // and indexes.
        return ["08", "53", "55P03", "55000", "57P", "40", "25006", "58", "XX001", "XX002"]
            .iter()
            .any(|class| code.starts_with(class));
    }
    // SQLite errors: busy, locked, read-only, I/O error, damaged (also if the disk returns wrong bytes for a moment),
    // full, cannot open, not a database.
    code.parse::<i32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 8 | 10 | 11 | 13 | 14 | 26))
}
