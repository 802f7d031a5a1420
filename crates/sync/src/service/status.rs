//! Status of sync for user interfaces: plain serialisable values.

use ashore_messages::UserMessage;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{cycle::ListRestoration, service::qr_picture::QrPicture};

/// Status of sync on this machine. Times are milliseconds of Unix time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct SyncStatus {
    /// Whether sync is on. While sync is off, all other fields except the name are empty.
    pub is_on: bool,
    /// Name of this machine in the list. While sync is off, the host name.
    pub name: String,
    /// Id of this device.
    pub device: String,
    /// Host and port of the server.
    pub address: String,
    /// Fingerprint of the root key. Users can compare it between machines.
    pub fingerprint: String,
    /// Numbers of records in each collection.
    pub collections: Vec<SyncCollectionReport>,
    /// End of the latest complete cycle. If the cycle ran before this program start, the time may be up to half an hour
    /// too early.
    #[ts(type = "number | null")]
    pub synced_ms: Option<i64>,
    /// Failure of the latest cycle since the program started.
    pub fault: Option<UserMessage>,
    /// Number of conflicts that await a decision.
    #[ts(type = "number")]
    pub conflicts: u64,
    /// Number of downloads of other machines.
    #[ts(type = "number")]
    pub others: u64,
    /// Progress of the first cycle, which reads the whole list. Null in all other cycles.
    pub reading: Option<ReadingProgress>,
    /// Used and total space on the server, if the server refused a write for lack of space. Null otherwise.
    pub space: Option<ServerSpace>,
    /// Latest data loss on the server after which this machine sent the lost data again.
    pub restored: Option<ListRestoration>,
    /// Name of a machine with a newer version of Ashore, if this machine cannot read some of its records.
    pub newer_machine: Option<String>,
    /// Time of this machine minus time of the server, in the latest cycle. Null if the difference is at most five
    /// minutes.
    #[ts(type = "number | null")]
    pub clock_ahead_ms: Option<i64>,
}

/// Maximum clock difference that is not reported, in milliseconds.
const TOLERATED_MS: u64 = 5 * 60 * 1000;

/// Returns the time of this machine minus that of the server, or `None` if the difference is small enough.
pub fn clock_ahead(now_ms: i64, server_ms: i64) -> Option<i64> {
    let ahead_ms = now_ms.saturating_sub(server_ms);
    (ahead_ms.unsigned_abs() > TOLERATED_MS).then_some(ahead_ms)
}

/// Progress of the first cycle, which reads the whole list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReadingProgress {
    /// Number of received records.
    #[ts(type = "number")]
    pub received: u64,
    /// Number of records on the server.
    #[ts(type = "number")]
    pub total: u64,
}

/// Used and total space of one user on the server, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ServerSpace {
    /// Space in use.
    #[ts(type = "number")]
    pub used: u64,
    /// Maximum space that the user may use.
    #[ts(type = "number")]
    pub total: u64,
}

/// Numbers of records in one collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SyncCollectionReport {
    /// Name of the collection on the server.
    pub collection: String,
    /// Number of records on this machine.
    #[ts(type = "number")]
    pub records: u64,
    /// Number of these records that are also on the server, in any version.
    #[ts(type = "number")]
    pub on_server: u64,
    /// Number of records to be sent.
    #[ts(type = "number")]
    pub waiting: u64,
    /// Number of records on the server that this machine cannot apply.
    #[ts(type = "number")]
    pub held: u64,
}

/// Result of a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SyncCycleOutcome {
    /// Number of received records.
    #[ts(type = "number")]
    pub received: u64,
    /// Number of sent records.
    #[ts(type = "number")]
    pub sent: u64,
    /// Titles of the downloads that other machines sent to this one.
    pub arrived: Vec<String>,
    /// Whether the server had lost data, and this machine sent the data again.
    pub is_restored: bool,
}

/// Recovery words of a list. Shown once when the list is set up, and later on request.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RecoveryWordsReport {
    /// The 24 words.
    pub words: Vec<String>,
    /// Address of the server. Recovery also needs this.
    pub address: String,
    /// User id on the server. Recovery also needs this.
    #[ts(type = "number")]
    pub uid: i64,
}

impl std::fmt::Debug for RecoveryWordsReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecoveryWordsReport").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Invite for another machine.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JoinInvite {
    /// Link for joining the list on another machine. It works only once.
    pub link: String,
    /// Link as a QR code.
    pub qr: QrPicture,
    /// Time at which the link expires, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub expires_ms: i64,
}

impl std::fmt::Debug for JoinInvite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JoinInvite").field("expires_ms", &self.expires_ms).finish_non_exhaustive()
    }
}

/// One machine of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DeviceReport {
    /// Id of the device.
    pub device: String,
    /// Name of the device.
    pub name: String,
    /// Day of the device's latest request, in milliseconds of Unix time. Null until the server states this day.
    #[ts(type = "number | null")]
    pub last_seen_ms: Option<i64>,
    /// Whether the device is this machine.
    pub is_own: bool,
    /// Whether the device is allowed to start downloads here without confirmation.
    pub is_trusted: bool,
}

/// A download whose home is another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RemoteDownload {
    /// Id of the download's record in its collection.
    pub id: String,
    /// Title.
    pub title: String,
    /// Home device.
    pub device: String,
    /// Name of the home device.
    pub device_name: String,
    /// State on the home device: queued, running, paused, done or failed.
    pub state: String,
    /// State that was last requested: run, paused or removed.
    pub requested: String,
    /// Reason why the download failed on its home device.
    pub failure: Option<UserMessage>,
    /// Size in bytes.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Time at which the download was added, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub created_ms: i64,
    /// Whether the list contains the requests, so that this machine can fetch the download.
    pub is_complete: bool,
}

/// Download that this machine sent to another machine, or a download from another machine that this machine missed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SentDownload {
    /// Id of the send.
    pub id: String,
    /// Title.
    pub title: String,
    /// Name of the sender.
    pub from: String,
    /// Id of the recipient.
    pub device: String,
    /// Name of the recipient.
    pub to: String,
    /// State of the send.
    pub state: SendState,
    /// Time at which the download was sent, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub sent_ms: i64,
}

/// State of a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum SendState {
    /// The recipient has not read the record yet.
    Waiting,
    /// The recipient created the download.
    Delivered,
    /// The recipient refused the download.
    Refused,
    /// The recipient did not read the record within 30 days. The download was not delivered.
    Expired,
    /// This machine is the recipient, and did not read the record within 30 days.
    Missed,
}

/// Change to a download of another machine, as requested by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum RemoteChange {
    /// Pauses the download on the other machine.
    Pause,
    /// Resumes the download on the other machine.
    Resume,
    /// Removes the download on the other machine, but not its files.
    Remove,
    /// Makes this machine the home of the download.
    MoveHere,
    /// Downloads the same links here, as a separate download.
    FetchHere,
}

/// Conflict between the values of two machines, in which one value lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ConflictReport {
    /// Number of the conflict.
    #[ts(type = "number")]
    pub number: i64,
    /// Title of the download, or name of the setting.
    pub title: String,
    /// Field: title, requested, home, request, removed or choice.
    pub field: String,
    /// Losing value, as text.
    pub losing: String,
    /// Winning value, as text.
    pub winning: String,
    /// Name of the machine whose value lost.
    pub device_name: String,
    /// Name of the machine that removed the download. Null if the conflict is not about a removal, or if the removal
    /// lost.
    pub removed_by: Option<String>,
    /// Time at which the conflict was detected, in milliseconds of Unix time.
    #[ts(type = "number")]
    pub found_ms: i64,
}

/// Returns the host name of this machine, or an empty text if it cannot be read.
pub fn machine_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned()
}

/// Whether `version` is newer than this version of Ashore. [pure]
pub fn is_newer(version: &str) -> bool {
    let numbers = |text: &str| text.split('.').map(|part| part.parse().unwrap_or_default()).collect::<Vec<u64>>();
    numbers(version) > numbers(env!("CARGO_PKG_VERSION"))
}

/// Returns host and port of a join link, or `None` if the link is not valid. [pure]
pub fn server_of_link(link: &str) -> Option<String> {
    crate::keys::JoinLink::read(link).ok().map(|link| link.address().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_version_is_recognised_by_its_numbers() {
        let own = env!("CARGO_PKG_VERSION");
        assert_eq!([own, "0.0.9", "999.0.0", "not a version"].map(is_newer), [false, false, true, false]);
    }

    #[test]
    fn clock_difference_within_five_minutes_is_not_reported() {
        const MINUTE: i64 = 60_000;
        assert_eq!((clock_ahead(5 * MINUTE, 0), clock_ahead(0, 5 * MINUTE)), (None, None));
        assert_eq!(clock_ahead(120 * MINUTE, 0), Some(120 * MINUTE));
        assert_eq!(clock_ahead(0, 6 * MINUTE), Some(-6 * MINUTE));
        assert_eq!(clock_ahead(i64::MAX, i64::MIN), Some(i64::MAX));
    }
}
