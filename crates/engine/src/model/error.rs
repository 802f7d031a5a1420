//! Errors of the facade: each has a sentence for users with the cure, and a code where a program branches.

use std::{io, path::PathBuf};

use ashore_transfer::NotARate;

use crate::model::{UniqueId, UserMessage};

/// Errors of the engine's operations.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The registration has no requests.
    #[error("There is nothing to download in this. Give at least one link.")]
    Empty,
    /// The address cannot be parsed.
    #[error("\"{url}\" is not a link that Ashore understands: {why}.")]
    BadUrl {
        /// Address as given.
        url: String,
        /// Reason, without a full stop.
        why: String,
    },
    /// The scheme is neither http nor https.
    #[error("Ashore fetches http and https links, and \"{0}\" is neither.")]
    BadScheme(String),
    /// The address contains a user name or password.
    #[error("The link to {0} contains a user name or password. Remove it: what is in a link ends up in lists and logs.")]
    Credentials(String),
    /// A port that no download may use (Fetch standard, section 2.9).
    #[error("Port {port} of {host} is reserved for another service and is not used for downloads.")]
    BadPort {
        /// The host.
        host: String,
        /// The port.
        port: u16,
    },
    /// A method, header, checksum, title or other value is not valid.
    #[error("{0}")]
    Invalid(String),
    /// The folder does not exist or is not writable.
    #[error("The folder {path} cannot be used: {why}. Choose another folder.")]
    Target {
        /// The folder.
        path: PathBuf,
        /// Reason, without a full stop.
        why: String,
    },
    /// The file to upload does not exist or cannot be read.
    #[error("The file to upload, {path}, cannot be read: {why}.")]
    UploadSource {
        /// The file.
        path: PathBuf,
        /// Reason, without a full stop.
        why: String,
    },
    /// The declared size exceeds the free space.
    #[error("This needs {needed} bytes and {path} has {free} free. Free some space or choose another folder.")]
    QuotaExceeded {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Folder without enough space.
        path: PathBuf,
    },
    /// The declared size exceeds a whole quota.
    #[error("This is {needed}, and the quota of {whose} is {limit}. Ask for less at once, or allow more with `ashore quota`.")]
    OverQuota {
        /// Bytes or files, in words.
        needed: String,
        /// Owner and kind of file that the quota counts, in words.
        whose: String,
        /// Bytes or files, in words.
        limit: String,
    },
    /// The quota is not valid.
    #[error("{0}")]
    BadQuota(String),
    /// No owner of that name has ever requested a download.
    #[error("Nothing in the list is of \"{0}\", and nothing ever was. `ashore quota` shows who there is.")]
    UnknownOwner(String),
    /// The owner already has an active registration with this `developer_id`.
    #[error("\"{0}\" is already being downloaded under this id. Wait for it, abort it, or choose another id.")]
    IdTaken(String),
    /// Everything is paused, and the caller asked to be ignored then.
    #[error("Everything is paused, and this was not to be added then. Go on with everything, and add it again.")]
    Ignored,
    /// An icon cannot be shown.
    #[error("The icon {path} cannot be used: {why}. Choose a PNG, JPEG, GIF, WebP, SVG or ICO file of this computer.")]
    Icon {
        /// The icon.
        path: PathBuf,
        /// Reason, without a full stop.
        why: String,
    },
    /// There is no such registration.
    #[error("There is no download with the id {0}. It may have been removed.")]
    Unknown(UniqueId),
    /// The registration belongs to another owner than that of this connection.
    #[error("The download {0} is not one of this owner's. Use a connection that acts for its owner, or for the person.")]
    NotYours(UniqueId),
    /// The operation is reserved for the person, and this connection acts for an owner.
    #[error("This concerns everybody's downloads, and this connection acts for \"{0}\" alone. Connect without naming an owner.")]
    OnlyThePerson(String),
    /// The registration or file is in the wrong state, such as settled.
    #[error("{0}")]
    WrongState(String),
    /// The speed limit is out of range.
    #[error("{0}")]
    BadSpeed(#[from] NotARate),
    /// The name of a speed limit is not a host.
    #[error("\"{0}\" is no name of a server. Give it as it stands in a link, without scheme and port: example.org.")]
    BadHost(String),
    /// The target file of an export already exists.
    #[error("There is something at {0} already, and it was left as it is. Choose another name, or add --force to replace it.")]
    FileThere(PathBuf),
    /// The download has no complete file to open.
    #[error("This file is not complete yet.")]
    FileUnfinished,
    /// The placed file no longer exists.
    #[error("{0} is not there any more. It was moved or deleted.")]
    FileGone(PathBuf),
    /// Another file is in the place of the downloaded one.
    #[error("{0} is no longer the file that was downloaded.")]
    FileChanged(PathBuf),
    /// The file is not a saved list. Nothing was imported.
    #[error("{path} is no list that Ashore saved. Choose a file that `ashore export` made.")]
    NotSaved {
        /// The file.
        path: PathBuf,
    },
    /// The list was saved by a newer Ashore. Nothing was imported.
    #[error(
        "{path} was saved by a newer Ashore (format {found}, this one knows {known}). Update Ashore; nothing of it was taken in."
    )]
    SavedNewer {
        /// The file.
        path: PathBuf,
        /// Version of its format.
        found: u32,
        /// Newest version known here.
        known: u32,
    },
    /// The saved list is truncated. Nothing was imported.
    #[error("{path} ends too early: some of it is missing. Copy or save it again; nothing of it was taken in.")]
    SavedCut {
        /// The file.
        path: PathBuf,
    },
    /// The saved list was modified after it was saved. Nothing was imported.
    #[error(
        "{path} is not as it was saved: somebody edited it, or it was damaged. Copy or save it again, or take it as it is with --unchecked; nothing of it was taken in."
    )]
    SavedChanged {
        /// The file.
        path: PathBuf,
    },
    /// A line of the saved list is not valid. Nothing was imported.
    #[error("Line {line} of {path} cannot be taken in: {why} Nothing of the file was.")]
    SavedLine {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// Reason as a whole sentence.
        why: String,
    },
    /// Another engine uses this folder.
    #[error("Another Ashore is working on {path} ({holder}). Use that one, or close it first.")]
    Held {
        /// The data folder.
        path: PathBuf,
        /// Program that holds the folder, in words.
        holder: String,
    },
    /// The ledger was written by a newer Ashore.
    #[error(
        "The list in {path} was written by a newer Ashore (version {found}, this one knows {known}). Update Ashore; nothing was changed."
    )]
    LedgerNewer {
        /// The ledger.
        path: PathBuf,
        /// Schema version of the ledger.
        found: i64,
        /// Newest version known here.
        known: i64,
    },
    /// The file cannot be read as a ledger.
    #[error(
        "The list in {path} is damaged: {why}. Start Ashore again: it sets the list aside and takes the \
             newest good copy. If it says this again, check the disk."
    )]
    LedgerDamaged {
        /// The ledger.
        path: PathBuf,
        /// Message of SQLite.
        why: String,
    },
    /// Another program holds a lock on the ledger.
    #[error("The list in {path} is locked by another program. Close it and try again.")]
    LedgerLocked {
        /// The ledger.
        path: PathBuf,
    },
    /// SQLite failed with another error.
    #[error("{}", ledger(.0))]
    Ledger(#[source] sqlx::Error),
    /// A file operation failed.
    #[error("{what}: {source}.")]
    Io {
        /// Action that failed, as the start of a sentence.
        what: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The engine is closed.
    #[error("Ashore is closing.")]
    Closed,
}

fn ledger(error: &sqlx::Error) -> String {
    match is_full(error) {
        true => "The list could not be written: its disk is full. Free some space and try again.".to_owned(),
        false => format!("The list could not be read or written: {error}."),
    }
}

impl EngineError {
    /// Stable code for programs.
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
            Self::QuotaExceeded { .. } | Self::OverQuota { .. } => "quota-exceeded",
            Self::BadQuota(_) => "bad-quota",
            Self::UnknownOwner(_) => "unknown-owner",
            Self::IdTaken(_) => "id-taken",
            Self::Icon { .. } => "icon",
            Self::Ignored => "ignored-while-paused",
            Self::Unknown(_) => "unknown",
            Self::NotYours(_) | Self::OnlyThePerson(_) => "not-yours",
            Self::WrongState(_) => "wrong-state",
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
            Self::LedgerDamaged { .. } => "ledger-damaged",
            Self::LedgerLocked { .. } => "ledger-locked",
            Self::Ledger(_) => "ledger",
            Self::Io { .. } => "disk",
            Self::Closed => "closed",
        }
    }

    /// Serialisable form of the error: code and sentence.
    pub fn trouble(&self) -> UserMessage {
        UserMessage { code: self.code().to_owned(), text: self.to_string() }
    }
}

/// Whether the error is SQLITE_FULL.
pub(crate) fn is_full(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code & 0xff == 13)
}

pub(crate) fn code(error: &sqlx::Error) -> Option<i32> {
    error.as_database_error()?.code()?.parse().ok()
}
