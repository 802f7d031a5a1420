//! Converts between Rust values and the ledger's columns, without access to the database.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use ashore_transfer::Guid;
use sqlx::FromRow;
use url::Url;
use uuid::Uuid;

use crate::{
    EngineError,
    model::{
        FailureReason, FileCategory, RecordedMissingGuarantee, RecordedRestartReason, RecordedVerification, RequestSource,
        UniqueId, values::path_text,
    },
    store::FileIdentity,
};

impl From<sqlx::Error> for EngineError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            // Readers and the writer report the same error.
            sqlx::Error::PoolClosed => Self::Closed,
            error => Self::Ledger(error),
        }
    }
}

/// Columns that identify a file by its state at publication.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct UtcStamp {
    device: Option<i64>,
    inode: Option<i64>,
    file_size: Option<i64>,
    modified_ns: Option<i64>,
}

impl UtcStamp {
    pub fn identity(self) -> Option<FileIdentity> {
        let Self { device, inode, file_size, modified_ns } = self;
        Some(FileIdentity { device: device?, inode: inode?, size: file_size?, modified_ns: modified_ns? })
    }
}

/// Converts to `i64`; larger numbers become `i64::MAX`.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn narrow(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

pub(super) fn milliseconds(microseconds: i64) -> i64 {
    microseconds.div_euclid(1000)
}

pub(super) fn key(id: &UniqueId) -> &[u8] {
    id.0.as_bytes()
}

pub(super) fn unique_id(bytes: &[u8]) -> Result<UniqueId, EngineError> {
    uuid(bytes).map(UniqueId)
}

pub(super) fn guid(bytes: &[u8]) -> Result<Guid, EngineError> {
    uuid(bytes).map(Guid)
}

fn uuid(bytes: &[u8]) -> Result<Uuid, EngineError> {
    Uuid::from_slice(bytes).map_err(|error| EngineError::Ledger(sqlx::Error::Decode(Box::new(error))))
}

/// Returns bytes in the hexadecimal form that `unhex` reads.
pub(super) fn tag(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(bytes)
}

/// Returns a path as text, so that every tool can read the ledger. The conversion is lossless; `path_text` describes
/// the format.
pub(super) fn text(path: &Path) -> Cow<'_, str> {
    path_text::to_text(path)
}

/// Converts a text made by [`text`] back to its path.
pub(super) fn path(text: &str) -> PathBuf {
    path_text::from_text(text)
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> Result<String, EngineError> {
    serde_json::to_string(value).map_err(|error| EngineError::Ledger(sqlx::Error::Encode(Box::new(error))))
}

/// Parses a row that SQLite returns as JSON.
pub(super) fn row<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, EngineError> {
    serde_json::from_str(text).map_err(|error| EngineError::Ledger(sqlx::Error::Decode(Box::new(error))))
}

/// Parses a flag in a row that SQLite returns as JSON; SQLite has no Boolean type.
pub(super) fn flag<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    <i64 as serde::Deserialize>::deserialize(deserializer).map(|number| number != 0)
}

/// Parses a JSON column. Returns the default if another program has corrupted the text.
pub(super) fn from_json<T: serde::de::DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

/// Asserts that a row with arbitrary bytes is either parsed or refused.
#[cfg(debug_assertions)]
pub(crate) fn rows_hold(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(id) = unique_id(data) {
        assert_eq!(key(&id), data);
    }
    if let Ok(found) = guid(data) {
        assert_eq!(found.0.as_bytes(), data);
    }
    let _ = (tag(data), url_key(&text));
    assert!(text.starts_with(without_query(&text)) && text.starts_with(without_fragment(&text)));
    let headers: Vec<(String, String)> = from_json(&text);
    assert_eq!(json(&headers).map(|text| from_json::<Vec<(String, String)>>(&text)).ok(), Some(headers));
    if let Some(number) = data.first_chunk().map(|bytes| i64::from_le_bytes(*bytes)) {
        let known = (reason_number(reason(number)), source_number(source(number)), category_number(category(number)));
        assert_eq!(known, (reason_number(reason(known.0)), source_number(source(known.1)), category_number(category(known.2))));
        assert!(i64::try_from(unsigned(number)).is_ok() && i64::from(narrow(number)) <= number.max(0));
        let _ = (verified(number), milliseconds(number));
    }
}

/// Returns the `host:port` whose connection limit applies to the request, regardless of the scheme.
pub(super) fn host(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(0))
}

/// Returns an address without its query and fragment.
pub(super) fn without_query(address: &str) -> &str {
    address.find(['?', '#']).map_or(address, |end| &address[..end])
}

pub(super) fn without_fragment(address: &str) -> &str {
    address.find('#').map_or(address, |end| &address[..end])
}

/// Returns the 64-bit FNV-1a hash of the address without query and fragment. The ledger stores the hashes, so this
/// function must never change.
pub(super) fn url_key(address: &str) -> i64 {
    let hash = without_query(address)
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    i64::from_ne_bytes(hash.to_ne_bytes())
}

pub(super) fn reason_number(reason: FailureReason) -> i64 {
    match reason {
        FailureReason::None => 0,
        FailureReason::Aborted => 1,
        FailureReason::BadStatus => 2,
        FailureReason::FetchError => 3,
        FailureReason::QuotaExceeded => 4,
        FailureReason::DownloadTotalExceeded => 5,
    }
}

pub(super) fn reason(number: i64) -> FailureReason {
    match number {
        0 => FailureReason::None,
        1 => FailureReason::Aborted,
        2 => FailureReason::BadStatus,
        4 => FailureReason::QuotaExceeded,
        5 => FailureReason::DownloadTotalExceeded,
        _ => FailureReason::FetchError,
    }
}

pub(super) fn source_number(source: RequestSource) -> i64 {
    match source {
        RequestSource::Window => 0,
        RequestSource::CommandLine => 1,
        RequestSource::Feed => 2,
        RequestSource::Clipboard => 3,
        RequestSource::Device => 4,
        RequestSource::Program => 5,
        RequestSource::Browser => 6,
    }
}

pub(super) fn source(number: i64) -> RequestSource {
    match number {
        0 => RequestSource::Window,
        1 => RequestSource::CommandLine,
        2 => RequestSource::Feed,
        3 => RequestSource::Clipboard,
        4 => RequestSource::Device,
        6 => RequestSource::Browser,
        _ => RequestSource::Program,
    }
}

pub(super) fn category_number(category: FileCategory) -> i64 {
    match category {
        FileCategory::Video => 0,
        FileCategory::Music => 1,
        FileCategory::Picture => 2,
        FileCategory::Document => 3,
        FileCategory::Archive => 4,
        FileCategory::Program => 5,
        FileCategory::Other => 6,
    }
}

pub(super) fn category(number: i64) -> FileCategory {
    match number {
        0 => FileCategory::Video,
        1 => FileCategory::Music,
        2 => FileCategory::Picture,
        3 => FileCategory::Document,
        4 => FileCategory::Archive,
        5 => FileCategory::Program,
        _ => FileCategory::Other,
    }
}

pub(super) fn restart_number(why: RecordedRestartReason) -> i64 {
    match why {
        RecordedRestartReason::Changed => 0,
        RecordedRestartReason::NoRanges => 1,
        RecordedRestartReason::Differs => 2,
        RecordedRestartReason::Gone => 3,
    }
}

pub(super) fn restart_reason(number: i64) -> RecordedRestartReason {
    match number {
        1 => RecordedRestartReason::NoRanges,
        2 => RecordedRestartReason::Differs,
        3 => RecordedRestartReason::Gone,
        _ => RecordedRestartReason::Changed,
    }
}

/// Bit that stands for each guarantee in the ledger.
const GUARANTEES: [(RecordedMissingGuarantee, i64); 5] = [
    (RecordedMissingGuarantee::Permissions, 1),
    (RecordedMissingGuarantee::Sync, 2),
    (RecordedMissingGuarantee::FolderSync, 4),
    (RecordedMissingGuarantee::ExclusiveName, 8),
    (RecordedMissingGuarantee::AtOnce, 16),
];

/// Returns the sum of the guarantees' bits.
pub(super) fn missing_number(missing: &[RecordedMissingGuarantee]) -> i64 {
    GUARANTEES.iter().filter(|(guarantee, _)| missing.contains(guarantee)).map(|(_, bit)| bit).sum()
}

/// Returns the guarantees whose bits are in `sum`.
pub(super) fn missing_guarantees(sum: i64) -> Vec<RecordedMissingGuarantee> {
    GUARANTEES.iter().filter(|(_, bit)| sum & bit != 0).map(|(guarantee, _)| *guarantee).collect()
}

pub(super) fn verified_number(verified: RecordedVerification) -> i64 {
    match verified {
        RecordedVerification::No => 0,
        RecordedVerification::OnResume => 1,
        RecordedVerification::ByDigest => 2,
        RecordedVerification::SizeUnknown => 3,
    }
}

pub(super) fn verified(number: i64) -> RecordedVerification {
    match number {
        1 => RecordedVerification::OnResume,
        2 => RecordedVerification::ByDigest,
        3 => RecordedVerification::SizeUnknown,
        _ => RecordedVerification::No,
    }
}
