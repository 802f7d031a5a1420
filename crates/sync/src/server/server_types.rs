//! Defines the requests to the sync server, and the content of its answers. [pure]
//!
//! Times are milliseconds since 1970. Names and ids have the form that the protocol defines.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::device_token::DeviceToken;

/// Limits of the server, from `info/configuration`. All maximum values are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// Maximum number of objects in one POST.
    pub post_records: usize,
    /// Maximum number of payload bytes in one POST.
    pub post_bytes: usize,
    /// Maximum number of objects in one batch.
    pub total_records: usize,
    /// Maximum number of payload bytes in one batch.
    pub total_bytes: usize,
    /// Maximum number of bytes in one payload.
    pub payload_bytes: usize,
    /// Maximum number of bytes in the body of one request.
    pub request_bytes: usize,
}

impl Default for ServerLimits {
    /// Returns the limits of `ashore-sync-server`, which the client never exceeds.
    fn default() -> Self {
        Self {
            post_records: 100,
            post_bytes: 2_621_440,
            total_records: 10_000,
            total_bytes: 262_144_000,
            payload_bytes: 2_621_440,
            request_bytes: 2_625_536,
        }
    }
}

/// Answer to the request for the times of all collections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionPoll {
    /// 304: nothing was modified after the time that the request states.
    Unchanged,
    /// Times of all collections.
    Listed(CollectionListing),
}

/// Times of the newest writes to all collections of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionListing {
    /// Time of the newest write to each collection, by name.
    pub collections: BTreeMap<String, i64>,
    /// Time of the newest write.
    pub last_modified_ms: i64,
    /// Time of the server.
    pub server_time_ms: i64,
}

/// Stored object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// Id within its collection: 1 to 64 characters of printable ASCII.
    pub id: String,
    /// Time of the newest write to the object.
    pub modified_ms: i64,
    /// Payload, as another device sent it.
    pub payload: String,
}

/// Request for one page of a collection, oldest objects first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Collection to read.
    pub collection: String,
    /// Selects objects that were modified after this time.
    pub newer_ms: i64,
    /// End of the previous page; `None` for the first page.
    pub offset: Option<PageOffset>,
    /// Maximum number of objects, at least 1.
    pub limit: u32,
    /// Time of the collection when its first page was read. If the collection was written after this time, the request
    /// fails with a conflict.
    pub if_unmodified_since_ms: Option<i64>,
}

/// End of a page, and position of the next page.
///
/// Contains time and id of the last object, so that a repeated page is detected even after a restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageOffset {
    /// Opaque text from the server.
    pub text: String,
    /// Time of the last object of the page.
    pub modified_ms: i64,
    /// Id of the last object of the page.
    pub id: String,
}

/// Page of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectPage {
    /// Objects, sorted by time and id.
    pub objects: Vec<StoredObject>,
    /// End of this page; `None` if this page is the last one.
    pub next_offset: Option<PageOffset>,
    /// Time of the newest write to the collection.
    pub last_modified_ms: i64,
    /// Time of the server.
    pub server_time_ms: i64,
}

/// Ids of the objects of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedIds {
    /// Ids, in any order.
    pub ids: Vec<String>,
    /// Time of the newest write to the collection.
    pub last_modified_ms: i64,
}

/// Object to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingObject {
    /// Id within its collection: 1 to 64 characters of printable ASCII.
    pub id: String,
    /// Payload.
    pub payload: String,
    /// Lifetime in seconds, counted from the write; `None` for an object that does not expire.
    pub ttl_s: Option<u32>,
}

/// Place of a POST in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchStep {
    /// This POST is the whole batch.
    Whole,
    /// Begins a batch. Its objects are invisible until the commit.
    Begin,
    /// Adds to the batch with this id.
    Append(String),
    /// Adds to the batch with this id, and commits it.
    Commit(String),
}

/// Objects of one POST.
#[derive(Clone, Copy, Debug)]
pub struct ObjectPost<'a> {
    /// Collection that the objects belong to.
    pub collection: &'a str,
    /// Objects, within the limits of the server.
    pub objects: &'a [&'a OutgoingObject],
    /// Place of the POST in its batch.
    pub step: &'a BatchStep,
    /// Last known time of the collection. If the collection was written after this time, the request fails with a
    /// conflict.
    pub if_unmodified_since_ms: Option<i64>,
}

/// Answer to a POST.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostReceipt {
    /// Time of the write, or time of the collection if the batch stays open.
    pub modified_ms: i64,
    /// Id of the batch, if it stays open.
    pub batch: Option<String>,
    /// Objects that were not written.
    pub failed: BTreeMap<String, RejectReason>,
}

/// Committed batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchReceipt {
    /// Common time of all objects of the batch, or `None` if there was nothing to send.
    pub modified_ms: Option<i64>,
    /// Objects that were not written. The other objects were written.
    pub failed: BTreeMap<String, RejectReason>,
}

/// Reason why one object of a POST was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectReason {
    /// The id or a field is not valid.
    NotValid,
    /// The payload is too long for this server.
    TooLong,
    /// The server asks the client to send the object again in another request.
    SendAgain,
    /// The server rejected the object for another reason.
    Other,
}

/// Request to create a device.
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceEnrolment {
    /// User id. 0 for an invite that creates a user.
    pub uid: i64,
    /// Id of the invite; `None` to enrol with the recovery words.
    pub invite: Option<String>,
    /// Proof in hex, derived from the secret of the invite or from the root key.
    pub auth: Zeroizing<String>,
    /// Display name of the device.
    pub name: String,
}

/// Created device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceEnrolled {
    /// Token of the device. Contains the ids of the user and of the device.
    pub token: DeviceToken,
    /// Root key, encrypted by the inviting device. `None` if no device created the invite.
    pub wrapped: Option<String>,
}

/// Request to create an invite for another device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteRequest {
    /// SHA-256 in hex of the proof, which is derived from the secret of the invite.
    pub auth_hash: String,
    /// Encrypted root key.
    pub wrapped: Option<String>,
}

/// Created invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedInvite {
    /// Id of the invite, which the link contains.
    pub id: String,
    /// User to whom the new device will belong.
    pub uid: i64,
    /// Time at which the invite expires.
    pub expires_ms: i64,
}

/// Device in the server's list of devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDevice {
    /// Id of the device.
    pub id: String,
    /// Display name, as the device stated it.
    pub name: String,
    /// Time at which the device enrolled.
    pub created_ms: i64,
    /// Day of the device's last request.
    pub last_seen_ms: i64,
    /// Whether this is the device that sends the request.
    pub is_own: bool,
}

/// Used space and quota of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceUsage {
    /// Bytes in use.
    pub used_bytes: i64,
    /// Quota in bytes; `None` without a quota.
    pub limit_bytes: Option<i64>,
}

/// Change that the event stream announces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerChange {
    /// Changed collection, or `None` if everything was deleted.
    pub collection: Option<String>,
    /// Time of the write.
    pub modified_ms: i64,
}

impl std::fmt::Debug for DeviceEnrolment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "DeviceEnrolment({}, {:?}, {:?})", self.uid, self.invite, self.name)
    }
}

/// Whether `text` is a valid object id.
pub(super) fn is_object_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|letter| (b' '..=b'~').contains(&letter))
}

/// Whether `text` is a valid collection name.
pub(super) fn is_collection_name(text: &str) -> bool {
    let is_meant = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'_' | b'-');
    (1..=32).contains(&text.len()) && text.bytes().all(is_meant)
}
