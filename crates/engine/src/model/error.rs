//! Errors of the engine's public operations, as data.
//!
//! Each error has a code for programs, and a message with a sentence in the message catalogues.

use std::{error::Error, fmt, io, path::PathBuf};

use ashore_messages::{MessageArgument, UserMessage, message};
use ashore_transfer::NotARate;

use crate::model::UniqueId;

/// Errors of the engine's operations.
#[derive(Debug)]
pub enum EngineError {
    /// The registration has no requests.
    Empty,
    /// The address cannot be parsed.
    BadUrl {
        /// Address as the caller gave it.
        url: String,
        /// Reason, without a full stop.
        why: MessageArgument,
    },
    /// The scheme is neither http nor https.
    BadScheme(String),
    /// The address contains a user name or password, which is not allowed here.
    Credentials(String),
    /// The port is one that no download may use (Fetch standard, section 2.9).
    BadPort {
        /// The host.
        host: String,
        /// The port.
        port: u16,
    },
    /// A method, header, checksum, title or other value is not valid.
    Invalid(UserMessage),
    /// The folder does not exist or is not writable.
    Target {
        /// The folder.
        path: PathBuf,
        /// Reason, without a full stop.
        why: MessageArgument,
    },
    /// The file to upload does not exist or cannot be read.
    UploadSource {
        /// The file.
        path: PathBuf,
        /// Reason, without a full stop.
        why: MessageArgument,
    },
    /// The declared size exceeds the free space.
    QuotaExceeded {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Folder without enough space.
        path: PathBuf,
    },
    /// A file from the browser would leave less free space than the required minimum.
    BelowFloor {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Bytes that must stay free.
        floor: u64,
        /// Folder without enough space.
        path: PathBuf,
    },
    /// The declared size exceeds the limit of a quota, even if the quota is unused.
    OverQuota(UserMessage),
    /// The quota is not valid.
    BadQuota(UserMessage),
    /// No owner of that name has ever requested a download.
    UnknownOwner(String),
    /// The owner already has an active registration with this `developer_id`.
    IdTaken(String),
    /// The owner withdrew the `developer_id` while its registration was being created, or shortly before.
    Withdrawn(String),
    /// The new transfer would have to start at once, but this number of transfers is already running.
    TooManyRunning(usize),
    /// Everything is paused, and the caller requested that the registration be ignored in this case.
    Ignored,
    /// An icon cannot be shown.
    Icon {
        /// The icon.
        path: PathBuf,
        /// Reason, without a full stop.
        why: MessageArgument,
    },
    /// There is no such registration.
    Unknown(UniqueId),
    /// The registration does not belong to the owner of this connection.
    NotYours(UniqueId),
    /// The operation is reserved for the user, but the connection acts for an owner.
    OnlyThePerson(String),
    /// The operation is not possible in the present state of the registration or file, for example because it has
    /// already ended.
    WrongState(UserMessage),
    /// A sync call failed.
    Sync(UserMessage),
    /// The speed limit is out of range.
    BadSpeed(NotARate),
    /// The name in a speed limit is not a host.
    BadHost(String),
    /// The target file of an export already exists.
    FileThere(PathBuf),
    /// The download has no complete file to open.
    FileUnfinished,
    /// The downloaded file no longer exists at its path.
    FileGone(PathBuf),
    /// Another file has replaced the downloaded file.
    FileChanged(PathBuf),
    /// The file is not a saved list. Nothing was imported.
    NotSaved {
        /// The file.
        path: PathBuf,
    },
    /// The list was saved by a newer Ashore. Nothing was imported.
    SavedNewer {
        /// The file.
        path: PathBuf,
        /// Version of the file's format.
        found: u32,
        /// Newest version that this program can read.
        known: u32,
    },
    /// The saved list is truncated. Nothing was imported.
    SavedCut {
        /// The file.
        path: PathBuf,
    },
    /// The saved list was modified after it was saved. Nothing was imported.
    SavedChanged {
        /// The file.
        path: PathBuf,
    },
    /// A line of the saved list is not valid. Nothing was imported.
    SavedLine {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// Reason as a whole sentence.
        why: MessageArgument,
    },
    /// Another engine uses this folder.
    Held {
        /// The data folder.
        path: PathBuf,
        /// Description of the program that has locked the folder.
        holder: String,
    },
    /// The ledger was written by a newer Ashore.
    LedgerNewer {
        /// The ledger.
        path: PathBuf,
        /// Schema version of the ledger.
        found: i64,
        /// Newest version that this program can read.
        known: i64,
    },
    /// The ledger was written by a test version from before the first release.
    LedgerOlder {
        /// The ledger.
        path: PathBuf,
        /// Schema version of the ledger.
        found: i64,
        /// Oldest version that this program can open.
        oldest: i64,
    },
    /// The file cannot be read as a ledger.
    LedgerDamaged {
        /// The ledger.
        path: PathBuf,
        /// Error message from SQLite.
        why: MessageArgument,
    },
    /// Another program holds a lock on the ledger.
    LedgerLocked {
        /// The ledger.
        path: PathBuf,
    },
    /// SQLite failed with another error.
    Ledger(sqlx::Error),
    /// A file operation failed.
    Io {
        /// Sentence that names the failed action and the reason.
        message: UserMessage,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The engine is closed.
    Closed,
}

impl EngineError {
    /// Whether the registration itself is at fault. If true, adding it always fails in the same way, on any disk.
    pub fn is_of_content(&self) -> bool {
        matches!(
            self,
            Self::Empty
                | Self::BadUrl { .. }
                | Self::BadScheme(_)
                | Self::Credentials(_)
                | Self::BadPort { .. }
                | Self::Invalid(_)
        )
    }

    /// Stable identifier of the error, for use by programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::BadUrl { .. } => "bad-url",
            Self::BadScheme(_) => "bad-scheme",
            Self::Credentials(_) => "credentials",
            Self::BadPort { .. } => "bad-port",
            Self::Invalid(_) => "invalid",
            Self::Target { .. } => "target",
            Self::UploadSource { .. } => "upload-source",
            Self::QuotaExceeded { .. } | Self::BelowFloor { .. } | Self::OverQuota(_) => "quota-exceeded",
            Self::BadQuota(_) => "bad-quota",
            Self::UnknownOwner(_) => "unknown-owner",
            Self::IdTaken(_) => "id-taken",
            Self::Withdrawn(_) => "withdrawn",
            Self::TooManyRunning(_) => "too-many-running",
            Self::Icon { .. } => "icon",
            Self::Ignored => "ignored-while-paused",
            Self::Unknown(_) => "unknown",
            Self::NotYours(_) | Self::OnlyThePerson(_) => "not-yours",
            Self::WrongState(_) => "wrong-state",
            Self::Sync(_) => "sync",
            Self::BadSpeed(_) => "bad-speed",
            Self::BadHost(_) => "bad-host",
            Self::FileThere(_) => "file-there",
            Self::FileUnfinished | Self::FileGone(_) => "not-there",
            Self::FileChanged(_) => "changed",
            Self::NotSaved { .. } => "not-saved",
            Self::SavedNewer { .. } => "saved-newer",
            Self::SavedCut { .. } => "saved-cut",
            Self::SavedChanged { .. } => "saved-changed",
            Self::SavedLine { .. } => "saved-line",
            Self::Held { .. } => "held",
            Self::LedgerNewer { .. } => "ledger-newer",
            Self::LedgerOlder { .. } => "ledger-older",
            Self::LedgerDamaged { .. } => "ledger-damaged",
            Self::LedgerLocked { .. } => "ledger-locked",
            Self::Ledger(_) => "ledger",
            Self::Io { .. } => "disk",
            Self::Closed => "closed",
        }
    }

    /// Error of a file operation; `message` names the failed action and the reason.
    pub(crate) fn io(message: UserMessage, source: io::Error) -> Self {
        Self::Io { message, source }
    }

    /// Returns the message of the error, which also says how to correct it.
    pub fn message(&self) -> UserMessage {
        match self {
            Self::Empty => message!("empty"),
            Self::BadUrl { url, why } => message!("bad-url", url = url, why = why),
            Self::BadScheme(url) => message!("bad-scheme", url = url),
            Self::Credentials(host) => message!("credentials", host = host),
            Self::BadPort { host, port } => message!("bad-port", port = *port, host = host),
            Self::Invalid(message)
            | Self::BadQuota(message)
            | Self::OverQuota(message)
            | Self::WrongState(message)
            | Self::Sync(message)
            | Self::Io { message, .. } => message.clone(),
            Self::Target { path, why } => message!("target.refused", path = path, why = why),
            Self::UploadSource { path, why } => message!("upload-source.unreadable", path = path, why = why),
            Self::QuotaExceeded { needed, free, path } => {
                let size = MessageArgument::size;
                message!("quota-exceeded", needed = size(*needed), path = path, free = size(*free))
            }
            Self::BelowFloor { needed, free, floor, path } => {
                let [needed, free, floor] = [needed, free, floor].map(|bytes| MessageArgument::size(*bytes));
                message!("quota-exceeded.floor", needed = needed, path = path, free = free, floor = floor)
            }
            Self::UnknownOwner(owner) => message!("unknown-owner", owner = owner),
            Self::IdTaken(id) => message!("id-taken", id = id),
            Self::Withdrawn(id) => message!("withdrawn", id = id),
            Self::TooManyRunning(count) => message!("too-many-running", count = *count),
            Self::Ignored => message!("ignored-while-paused"),
            Self::Icon { path, why } => message!("icon", path = path, why = why),
            Self::Unknown(id) => message!("unknown", id = id.to_string()),
            Self::NotYours(id) => message!("not-yours", id = id.to_string()),
            Self::OnlyThePerson(owner) => message!("not-yours.person", owner = owner),
            Self::BadSpeed(NotARate(value)) => message!("bad-speed", value = *value),
            Self::BadHost(host) => message!("bad-host", host = host),
            Self::FileThere(path) => message!("file-there", path = path),
            Self::FileUnfinished => message!("not-there.not-yet"),
            Self::FileGone(path) => message!("not-there.gone", path = path),
            Self::FileChanged(path) => message!("changed", path = path),
            Self::NotSaved { path } => message!("not-saved", path = path),
            Self::SavedNewer { path, found, known } => {
                message!("saved-newer", path = path, found = *found, known = *known)
            }
            Self::SavedCut { path } => message!("saved-cut", path = path),
            Self::SavedChanged { path } => message!("saved-changed", path = path),
            Self::SavedLine { path, line, why } => message!("saved-line", line = *line, path = path, why = why),
            Self::Held { path, holder } => message!("held", path = path, holder = holder),
            Self::LedgerNewer { path, found, known } => {
                message!("ledger-newer", path = path, found = found.to_string(), known = known.to_string())
            }
            Self::LedgerOlder { path, found, oldest } => {
                message!("ledger-older", path = path, found = found.to_string(), oldest = oldest.to_string())
            }
            Self::LedgerDamaged { path, why } => message!("ledger-damaged", path = path, why = why),
            Self::LedgerLocked { path } => message!("ledger-locked", path = path),
            Self::Ledger(error) if is_full(error) => message!("ledger.full"),
            Self::Ledger(error) => message!("ledger", why = error.to_string()),
            Self::Closed => message!("closed"),
        }
    }
}

impl fmt::Display for EngineError {
    /// Writes the sentence in English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl Error for EngineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Ledger(error) => Some(error),
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<NotARate> for EngineError {
    fn from(error: NotARate) -> Self {
        Self::BadSpeed(error)
    }
}

/// Whether the error is SQLITE_FULL.
pub(crate) fn is_full(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code & 0xff == 13)
}

pub(crate) fn code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error()?.code()?.parse().ok()
}
