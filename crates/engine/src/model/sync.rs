//! Values that the sync client exchanges with the engine. Only the client interprets the contents of records.

use serde_json::Value;

use crate::model::{FileCategory, RegistrationResult, RequestSource, UniqueId, UserMessage};

/// Account and clock of sync on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncState {
    /// JSON from the client: address, user, device and certificate pin, but no secrets.
    pub account: String,
    /// Latest time of the hybrid clock; empty at first.
    pub clock: String,
    /// Number of the latest change.
    pub change: i64,
}

/// Read position in a collection. Times are in milliseconds of the server's clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncCursor {
    /// Time up to which everything was received.
    pub modified: i64,
    /// Modification time of the collection during an interrupted read.
    pub page_modified: Option<i64>,
    /// Position from which an interrupted read continues, in the notation of the server.
    pub page_offset: Option<String>,
}

/// Record of a collection, as this machine knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncRecordRow {
    /// Name of the collection.
    pub collection: String,
    /// Id in the collection.
    pub id: String,
    /// Last version on which this machine and the server agreed, as JSON; `None` before the first agreement.
    pub base: Option<String>,
    /// Time when the server stored `base`, in milliseconds.
    pub modified_ms: i64,
    /// Version of the record on this machine, as JSON; `None` if it equals `base` or is stored as a registration.
    pub local: Option<String>,
    /// Number of the latest change of the record; 0 without a change on this machine.
    pub change: i64,
    /// Number of the last sent change.
    pub sent: i64,
    /// Whether the registration of the record was removed on this machine.
    pub is_gone: bool,
    /// Sealed version of the record from the server, if this machine cannot apply that version.
    pub held: Option<String>,
    /// Reason why the sealed version cannot be applied.
    pub held_code: Option<String>,
    /// Link of an entry in the download history. Used only for writing a record; not set when a record is read.
    pub address: Option<String>,
}

/// Registration of this machine in the form for the sync client. Times are milliseconds of Unix time.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncedRegistration {
    /// Key of the registration on this machine. It is never sent to other machines.
    pub unique_id: UniqueId,
    /// Id of the record of the registration; `None` before it is first sent.
    pub sync_id: Option<String>,
    /// Number of the latest change of the registration.
    pub change: i64,
    /// Displayed title of the registration.
    pub title: String,
    /// Time of the latest change of the title on this machine; 0 if never.
    pub title_ms: i64,
    /// Time of the latest pause or resume on this machine; 0 if never.
    pub requested_ms: i64,
    /// Creation time.
    pub created_ms: i64,
    /// Whether the registration is active and waits for `resume`.
    pub is_paused: bool,
    /// Whether a required request has had a successful response.
    ///
    /// Only responses since the last reopening of the registration and the last change of its home machine count. The
    /// home machine is the machine that downloads the files.
    pub is_started: bool,
    /// Result of the registration; `None` while it is active.
    pub result: RegistrationResult,
    /// Reason for the failure of the registration.
    pub failure: Option<UserMessage>,
    /// Time at which the registration settled.
    pub settled_ms: Option<i64>,
    /// Total size of all files in bytes; `None` if a size is unknown.
    pub size: Option<u64>,
    /// Most frequent kind of the registration's files.
    pub kind: FileCategory,
    /// Link of the first request, without credentials, query and fragment.
    pub address: Option<String>,
    /// Digest of the file, if the registration has a single, complete file.
    pub digest: Option<String>,
    /// Command that created the download, if it came from another machine.
    pub command: Option<String>,
    /// Number of requests.
    pub request_count: u32,
    /// Requests in the format of an export, without secrets. Empty if there are more than 10,000.
    pub requests: Vec<Value>,
}

/// Value that lost a conflict with the value of another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncConflict {
    /// Number of the conflict; 0 for a new conflict.
    pub number: i64,
    /// Time when the conflict was found, in microseconds of Unix time.
    pub found_us: i64,
    /// Collection of the record.
    pub collection: String,
    /// Id of the record.
    pub id: String,
    /// Field and time stamp of the losing edit. They identify the edit, so that a conflict that is found again is not
    /// stored twice.
    pub edit: String,
    /// JSON from the client: field, both values, device.
    pub conflict: String,
}

/// Single write of a sync cycle. All writes of a batch are applied, or none.
#[derive(Clone, Debug, PartialEq)]
pub enum SyncWrite {
    /// Writes a record if its change number is still `seen`. 0 stands for a missing record.
    Record {
        /// The record.
        record: Box<SyncRecordRow>,
        /// Change number of the record when the caller read it.
        seen: i64,
        /// Whether the write is a change of this machine, which must be sent.
        is_edit: bool,
    },
    /// Deletes a record if its change number is still `seen`.
    Forget {
        /// Name of the collection.
        collection: String,
        /// Id in the collection.
        id: String,
        /// Change number of the record when the caller read it.
        seen: i64,
    },
    /// Gives a registration its sync id before it is first sent.
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
    /// Applies a change from another machine, if the registration has not changed since the caller read it.
    Wish {
        /// Id of the registration in the collection.
        sync_id: String,
        /// Change number of the registration when the caller read it.
        seen: i64,
        /// New title.
        title: Option<String>,
        /// Whether to pause the registration.
        is_paused: Option<bool>,
        /// Whether the home machine of the registration changes: the machine that downloads its files. If so, earlier
        /// responses no longer count as a start of the registration.
        is_restarted: bool,
        /// Whether to remove the registration from the list. Its files stay on the disk.
        is_removed: bool,
    },
    /// Stores the read position in a collection.
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
        /// Value of the account when the caller read it.
        seen: String,
    },
    /// Adds a conflict.
    Conflict(SyncConflict),
    /// Deletes a conflict.
    Resolve(i64),
    /// Deletes the conflicts that were found before this time. The time is in microseconds of Unix time.
    ForgetConflicts(i64),
    /// Stores the refusal of a command, so that the command is not tried again.
    Refuse(String),
}

/// Counts of the stored records of one collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncCount {
    /// Name of the collection.
    pub collection: String,
    /// Number of records on this machine.
    pub records: u64,
    /// Number of these records that exist on the server, in any version.
    pub on_server: u64,
    /// Number of records with unsent changes.
    pub due: u64,
    /// Number of records that this machine cannot apply.
    pub held: u64,
    /// Number of records that this machine cannot apply and that a newer version of Ashore wrote.
    pub newer: u64,
}

/// Download that another machine sends or hands over to this machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedDownload {
    /// Id of the command that sends the download or hands it over. Repeating the command creates no second download.
    pub command: String,
    /// Owner of the new download.
    ///
    /// If another machine requested the download: `device-` with the id of that machine. If a person at this machine
    /// requested it: the owner of downloads that people request at this machine.
    pub owner: String,
    /// Source of the download. `Device` stands for another machine, whose requests may reach only the public internet.
    pub source: RequestSource,
    /// Displayed title of the download.
    pub title: String,
    /// Requests in the format of an export.
    pub requests: Vec<Value>,
    /// Whether the download waits until the user starts it.
    pub is_paused: bool,
    /// Id of the existing record that the new download represents on this machine, if any.
    pub sync_id: Option<String>,
}
