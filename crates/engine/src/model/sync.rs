//! Values that the sync client exchanges with the engine. The contents of records belong to the client.

use serde_json::Value;

use crate::model::{FileCategory, RegistrationResult, RequestSource, UniqueId, UserMessage};

/// Account and clock of sync on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncState {
    /// JSON that the client writes: address, user, device and certificate pin, but no secrets.
    pub account: String,
    /// Latest time of the hybrid clock; empty if there is none yet.
    pub clock: String,
    /// Number of the latest change.
    pub change: i64,
}

/// Position up to which a collection was read. Times are in milliseconds by the clock of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncCursor {
    /// Everything up to this time was received.
    pub modified: i64,
    /// Modification time that the collection had during an interrupted read.
    pub page_modified: Option<i64>,
    /// Position at which an interrupted read continues, in the notation of the server.
    pub page_offset: Option<String>,
}

/// A record of a collection, in the version that this machine knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncRecordRow {
    /// Name of the collection.
    pub collection: String,
    /// Id in the collection.
    pub id: String,
    /// Version that this machine and the server agreed on, as JSON. `None` until they agree for the first time.
    pub base: Option<String>,
    /// Time at which the server stored `base`, in milliseconds.
    pub modified_ms: i64,
    /// Version of this machine, as JSON. `None` if it equals `base`, or if the version is stored as a registration.
    pub local: Option<String>,
    /// Number of the change that last wrote the record; 0 if it never changed on this machine.
    pub change: i64,
    /// Number of the change that was last sent.
    pub sent: i64,
    /// Whether the registration that the record describes was removed on this machine.
    pub is_gone: bool,
    /// Sealed version from the server. This machine cannot apply that version.
    pub held: Option<String>,
    /// Reason why the sealed version cannot be applied.
    pub held_code: Option<String>,
    /// Link of an entry in the download history. Set when a record is written, and left out when a record is read.
    pub address: Option<String>,
}

/// A registration of this machine as the sync client sends it. Times are milliseconds of Unix time.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncedRegistration {
    /// Key of the registration on this machine; it is never sent to other machines.
    pub unique_id: UniqueId,
    /// Id of the record that describes the registration; `None` before the registration is sent for the first time.
    pub sync_id: Option<String>,
    /// Number of the change that last affected the registration.
    pub change: i64,
    /// Title shown to users.
    pub title: String,
    /// Time at which the title was last changed on this machine; 0 if never.
    pub title_ms: i64,
    /// Time at which the registration was last paused or resumed on this machine; 0 if never.
    pub requested_ms: i64,
    /// Time at which the registration was added.
    pub created_ms: i64,
    /// Whether the registration is active and waits for `resume`.
    pub is_paused: bool,
    /// Whether a request that is not optional has received a successful response since the registration was last
    /// reopened and its home last changed.
    pub is_started: bool,
    /// Result of the registration; `None` while the registration is active.
    pub result: RegistrationResult,
    /// Reason why the registration failed.
    pub failure: Option<UserMessage>,
    /// Time at which the registration settled.
    pub settled_ms: Option<i64>,
    /// Total size of all files in bytes; `None` unless all sizes are known.
    pub size: Option<u64>,
    /// Most frequent kind of the registration's files.
    pub kind: FileCategory,
    /// Link of the first request, without credentials, query and fragment.
    pub address: Option<String>,
    /// Digest of the file, if the registration has a single file and the file is complete.
    pub digest: Option<String>,
    /// Command that created the download, if the download was sent by another machine.
    pub command: Option<String>,
    /// Number of requests.
    pub request_count: u32,
    /// Requests in the format of an export, without secrets. Empty if there are more than 10,000.
    pub requests: Vec<Value>,
}

/// A value that lost a conflict with the value of another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncConflict {
    /// Number of the conflict; 0 for a new conflict.
    pub number: i64,
    /// Time at which the conflict was found, in microseconds of Unix time.
    pub found_us: i64,
    /// Collection of the record.
    pub collection: String,
    /// Id of the record.
    pub id: String,
    /// Field and time stamp of the edit that lost. An edit is stored only once, even if its conflict is found again.
    pub edit: String,
    /// JSON that the client writes: field, both values, device.
    pub conflict: String,
}

/// A single write of a sync cycle. A batch of writes is applied as a whole or not at all.
#[derive(Clone, Debug, PartialEq)]
pub enum SyncWrite {
    /// Writes a record if its change number is still `seen` (0: the record does not exist).
    Record {
        /// The record.
        record: Box<SyncRecordRow>,
        /// Change number that the caller saw.
        seen: i64,
        /// Whether the write is a change made on this machine. If so, the record becomes due to be sent.
        is_edit: bool,
    },
    /// Deletes a record if its change number is still `seen`.
    Forget {
        /// Name of the collection.
        collection: String,
        /// Id in the collection.
        id: String,
        /// Change number that the caller saw.
        seen: i64,
    },
    /// Gives a registration its sync id before the registration is sent for the first time.
    Assign {
        /// The registration.
        unique_id: UniqueId,
        /// Id of the registration in the collection.
        sync_id: String,
    },
    /// Marks a version of a registration as sent.
    Sent {
        /// Id of the registration in the collection.
        sync_id: String,
        /// Change number of that version.
        change: i64,
    },
    /// Applies a change that another machine requested, if the registration is unchanged since the caller read it.
    Wish {
        /// Id of the registration in the collection.
        sync_id: String,
        /// Change number that the caller saw.
        seen: i64,
        /// New title.
        title: Option<String>,
        /// Whether to pause the registration.
        is_paused: Option<bool>,
        /// Whether the registration got a new home, so that responses received earlier no longer make it count as
        /// started.
        is_restarted: bool,
        /// Whether to remove the registration from the list. Its files stay on the disk.
        is_removed: bool,
    },
    /// Stores the position up to which a collection was read.
    Cursor {
        /// Name of the collection.
        collection: String,
        /// The new cursor.
        cursor: SyncCursor,
    },
    /// Stores the hybrid clock.
    Clock(String),
    /// Stores the account.
    Account {
        /// The new account.
        account: String,
        /// The account as the caller read it.
        seen: String,
    },
    /// Adds a conflict.
    Conflict(SyncConflict),
    /// Deletes a conflict.
    Resolve(i64),
    /// Deletes conflicts that were found before this time, in microseconds.
    ForgetConflicts(i64),
    /// Stores the fact that a command was refused, so that the command is not tried again.
    Refuse(String),
}

/// Counts of the stored records of one collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncCount {
    /// Name of the collection.
    pub collection: String,
    /// Number of records on this machine.
    pub records: u64,
    /// Number of these records of which the server has any version.
    pub on_server: u64,
    /// Number of records that wait to be sent.
    pub due: u64,
    /// Number of records that could not be applied.
    pub held: u64,
    /// Number of records that could not be applied and were written by a newer version of Ashore.
    pub newer: u64,
}

/// A download that another machine sends or hands over to this machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedDownload {
    /// Id of the command that sends the download or hands it over. A repeated command creates no second download.
    pub command: String,
    /// Owner of the new download: `device-` with the id of the machine that requested the download, or the owner of a
    /// person's own downloads if a person at this machine requested it.
    pub owner: String,
    /// Source of the download: `Device` if another machine requested the download. Such a download may use only the
    /// public internet.
    pub source: RequestSource,
    /// Title shown to users.
    pub title: String,
    /// Requests in the format of an export.
    pub requests: Vec<Value>,
    /// Whether the download waits until the user starts it.
    pub is_paused: bool,
    /// Id of the existing record, if the new download becomes the local version of that record.
    pub sync_id: Option<String>,
}
