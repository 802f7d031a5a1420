//! Values that the sync client exchanges with the engine. The contents of records belong to the client.

use serde_json::Value;

use crate::model::{FileCategory, RegistrationResult, RequestSource, UniqueId, UserMessage};

/// Account and clock of sync on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncState {
    /// JSON of the client: address, user, device, certificate pin. Without secrets.
    pub account: String,
    /// The latest hybrid time; empty before the first.
    pub clock: String,
    /// Number of the latest change.
    pub change: i64,
}

/// How far a collection was read. Times are milliseconds of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncCursor {
    /// Everything up to this time was received.
    pub modified: i64,
    /// Time of the collection during an interrupted read.
    pub page_modified: Option<i64>,
    /// Where an interrupted read continues, in the words of the server.
    pub page_offset: Option<String>,
}

/// A record of a collection as this machine knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncRecordRow {
    /// Name of the collection.
    pub collection: String,
    /// Id in the collection.
    pub id: String,
    /// Version that this machine and the server agreed on, as JSON. `None` before the first time.
    pub base: Option<String>,
    /// The server's time of `base`, in milliseconds.
    pub modified_ms: i64,
    /// Version of this machine, as JSON. `None` if it equals `base`, or if a registration is the local version.
    pub local: Option<String>,
    /// Number of the change that last wrote the record; 0 if it never changed on this machine.
    pub change: i64,
    /// Number of the change that was last sent.
    pub sent: i64,
    /// Whether the registration was removed on this machine.
    pub is_gone: bool,
    /// Sealed version of the server that this machine cannot apply.
    pub held: Option<String>,
    /// Why that version is held back.
    pub held_code: Option<String>,
    /// Link of an entry of the download history, for writes; reads leave it out.
    pub address: Option<String>,
}

/// A registration of this machine as the sync client sends it. Times are milliseconds of Unix time.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncedRegistration {
    /// Key on this machine, which never leaves it.
    pub unique_id: UniqueId,
    /// Id of its record; `None` before it is sent for the first time.
    pub sync_id: Option<String>,
    /// Number of the change that it has seen last.
    pub change: i64,
    /// Title shown to users.
    pub title: String,
    /// When the title was last changed on this machine; 0 if never.
    pub title_ms: i64,
    /// When it was last paused or resumed on this machine; 0 if never.
    pub requested_ms: i64,
    /// When it was added.
    pub created_ms: i64,
    /// Whether it is active and waits for `resume`.
    pub is_paused: bool,
    /// Result; `None` while it is active.
    pub result: RegistrationResult,
    /// Why it failed.
    pub failure: Option<UserMessage>,
    /// When it settled.
    pub settled_ms: Option<i64>,
    /// Bytes of all files, where all sizes are known.
    pub size: Option<u64>,
    /// Kind of most of its files.
    pub kind: FileCategory,
    /// Link of the first request, without credentials, query and fragment.
    pub address: Option<String>,
    /// Digest of the file, if there is a single one and it is complete.
    pub digest: Option<String>,
    /// Command that created the download, if another machine sent it.
    pub command: Option<String>,
    /// Number of requests.
    pub request_count: u32,
    /// Requests in the format of an export, without secrets. Empty if there are more than 10,000.
    pub requests: Vec<Value>,
}

/// A value that lost against another machine's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncConflict {
    /// Number of the conflict; 0 for a new one.
    pub number: i64,
    /// When it was found, in microseconds of Unix time.
    pub found_us: i64,
    /// Collection of the record.
    pub collection: String,
    /// Id of the record.
    pub id: String,
    /// Field and time stamp of the edit that lost. The same edit is stored once.
    pub edit: String,
    /// JSON of the client: field, both values, device.
    pub conflict: String,
}

/// One write of a sync cycle. A batch of writes is applied as a whole or not at all.
#[derive(Clone, Debug, PartialEq)]
pub enum SyncWrite {
    /// Writes a record, if its change number still is `seen` (0: it does not exist).
    Record {
        /// The record.
        record: Box<SyncRecordRow>,
        /// Change number that the caller saw.
        seen: i64,
        /// Whether this is a change of this machine, which becomes due.
        is_edit: bool,
    },
    /// Deletes a record, if its change number still is `seen`.
    Forget {
        /// Name of the collection.
        collection: String,
        /// Id in the collection.
        id: String,
        /// Change number that the caller saw.
        seen: i64,
    },
    /// Gives a registration its id before it is sent for the first time.
    Assign {
        /// The registration.
        unique_id: UniqueId,
        /// Its id in the collection.
        sync_id: String,
    },
    /// Records that a version of a registration was sent.
    Sent {
        /// Id of the registration in the collection.
        sync_id: String,
        /// Change number of that version.
        change: i64,
    },
    /// Applies the wish of another machine to a registration that is as the caller saw it.
    Wish {
        /// Id of the registration in the collection.
        sync_id: String,
        /// Change number that the caller saw.
        seen: i64,
        /// New title.
        title: Option<String>,
        /// Whether it is to be paused.
        is_paused: Option<bool>,
        /// Whether it is to be removed from the list. Its files stay.
        is_removed: bool,
    },
    /// Stores how far a collection was read.
    Cursor {
        /// Name of the collection.
        collection: String,
        /// The new cursor.
        cursor: SyncCursor,
    },
    /// Stores the hybrid clock.
    Clock(String),
    /// Stores the account.
    Account(String),
    /// Adds a conflict.
    Conflict(SyncConflict),
    /// Deletes a conflict.
    Resolve(i64),
    /// Deletes conflicts that were found before this time, in microseconds.
    ForgetConflicts(i64),
    /// Records that a command was refused, so that it is not tried again.
    Refuse(String),
}

/// What is stored of one collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncCount {
    /// Name of the collection.
    pub collection: String,
    /// Records on this machine.
    pub records: u64,
    /// Records that wait to be sent.
    pub due: u64,
    /// Records that could not be applied.
    pub held: u64,
}

/// A download that another machine sends, or whose home becomes this machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedDownload {
    /// Id of the send or of the hand-over. The same command never creates two downloads.
    pub command: String,
    /// Owner of the new download: `device-` and the id of the other machine, or the owner that a person on this machine acts as.
    pub owner: String,
    /// `Device` for a download of another machine, which may use only the public internet.
    pub source: RequestSource,
    /// Title shown to users.
    pub title: String,
    /// Requests in the format of an export.
    pub requests: Vec<Value>,
    /// Whether it waits until the user starts it.
    pub is_paused: bool,
    /// Id of the record that the new download becomes the local version of.
    pub sync_id: Option<String>,
}
