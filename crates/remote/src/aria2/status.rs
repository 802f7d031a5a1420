//! Describes a registration in aria2's terms. [pure]
//!
//! - All numbers and flags are texts.
//! - Ashore does not divide files into pieces; the pieces exist only in these answers. A piece is reported as present
//!   if Ashore's map of the file proves that it is complete.

use ashore_engine::{
    FailureReason, Registration, RegistrationResult, RegistrationState, SegmentReport, TransferRate, UserMessage, safe_file_name,
};
use serde_json::{Map, Value, json};

use crate::aria2::{gids, options::mapping::KeptDownload, params::WantedKeys};

/// Smallest length of a piece in bytes.
const SHORTEST_PIECE: u64 = 1 << 20;
/// Maximum number of pieces.
const MOST_PIECES: u64 = 1 << 16;

/// State of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DownloadStatus {
    Active,
    Waiting,
    Paused,
    Complete,
    Error,
    Removed,
}

impl DownloadStatus {
    /// Returns the state of a registration.
    pub(crate) fn from_registration(registration: &Registration) -> Self {
        match (registration.state, registration.result) {
            (RegistrationState::Running, _) => Self::Active,
            (RegistrationState::Waiting, _) => Self::Waiting,
            (RegistrationState::Paused, _) => Self::Paused,
            (RegistrationState::Settled, RegistrationResult::Success) => Self::Complete,
            (RegistrationState::Settled, _) if registration.failure_reason == FailureReason::Aborted => Self::Removed,
            (RegistrationState::Settled, _) => Self::Error,
        }
    }

    /// Whether the download has ended.
    pub(crate) fn is_stopped(self) -> bool {
        matches!(self, Self::Complete | Self::Error | Self::Removed)
    }

    fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
            Self::Complete => "complete",
            Self::Error => "error",
            Self::Removed => "removed",
        }
    }
}

/// A download, together with everything that is needed to describe it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DownloadView<'a> {
    pub registration: &'a Registration,
    pub kept: &'a KeptDownload,
    pub rate: TransferRate,
    /// Map of the running file, if it is known.
    pub map: Option<&'a SegmentReport>,
}

impl DownloadView<'_> {
    /// Returns the wanted keys of the download.
    pub(crate) fn status(&self, keys: &WantedKeys<'_>) -> Value {
        let registration = self.registration;
        let status = DownloadStatus::from_registration(registration);
        let total = self.total();
        let (length, count) = pieces(total);
        let mut answer = Map::new();
        let mut put = |key: &str, value: &dyn Fn() -> Option<Value>| {
            if keys.has(key)
                && let Some(value) = value()
            {
                answer.insert(key.to_owned(), value);
            }
        };
        put("bitfield", &|| (count > 0 && status != DownloadStatus::Waiting).then(|| json!(self.bitfield(length, count))));
        put("completedLength", &|| Some(text(registration.downloaded)));
        put("connections", &|| Some(text(u64::from(self.rate.connections))));
        put("dir", &|| Some(json!(registration.folder.to_string_lossy())));
        put("downloadSpeed", &|| Some(text(self.rate.speed)));
        put("errorCode", &|| status.is_stopped().then(|| json!(error_code(status, registration.failure.as_ref()))));
        put("errorMessage", &|| status.is_stopped().then(|| json!(self.error_message(status))));
        put("files", &|| Some(self.files()));
        put("gid", &|| Some(json!(gids::gid_of(registration))));
        put("numPieces", &|| Some(text(count)));
        put("pieceLength", &|| Some(text(length)));
        put("status", &|| Some(json!(status.word())));
        put("totalLength", &|| Some(text(total)));
        put("uploadLength", &|| Some(text(0)));
        put("uploadSpeed", &|| Some(text(0)));
        Value::Object(answer)
    }

    /// Returns the only file of the download, in a list.
    pub(crate) fn files(&self) -> Value {
        json!([{
            "completedLength": text(self.registration.downloaded),
            "index": "1",
            "length": text(self.total()),
            "path": self.path(),
            "selected": "true",
            "uris": self.uris(),
        }])
    }

    /// Returns the addresses of the file, each with its status: used or waiting.
    pub(crate) fn uris(&self) -> Value {
        let has_begun = has_begun(self.registration);
        let uri = |(at, uri): (usize, &String)| {
            let status = if at == 0 && has_begun { "used" } else { "waiting" };
            json!({ "status": status, "uri": uri })
        };
        self.kept.uris.iter().enumerate().map(uri).collect()
    }

    /// Returns the server that the file is fetched from, in a list.
    pub(crate) fn servers(&self) -> Value {
        let speed = text(self.rate.speed);
        let server = |uri: &String| json!({ "currentUri": uri, "downloadSpeed": speed, "uri": uri });
        json!([{ "index": "1", "servers": self.kept.uris.first().map(server).into_iter().collect::<Vec<_>>() }])
    }

    fn total(&self) -> u64 {
        let is_complete = self.registration.result == RegistrationResult::Success;
        if is_complete { self.registration.downloaded } else { self.registration.expected_total }
    }

    /// Returns the path of the file, or the path that it will probably have. Empty if its name is unknown.
    fn path(&self) -> String {
        if let Some(path) = &self.registration.path {
            return path.to_string_lossy().into_owned();
        }
        let chosen = self.kept.options.get("out").filter(|name| !name.is_empty());
        let is_known = self.registration.expected_total > 0;
        let name = chosen.or_else(|| is_known.then_some(&self.registration.title));
        // Make the name safe here too: a title may contain a path, and earlier versions kept the name unchanged.
        name.and_then(|name| safe_file_name(name))
            .map_or_else(String::new, |name| self.registration.folder.join(name).to_string_lossy().into_owned())
    }

    fn error_message(&self, status: DownloadStatus) -> &str {
        let failure = self.registration.failure.as_ref().filter(|_| status == DownloadStatus::Error);
        failure.map_or("", |failure| failure.text.as_str())
    }

    /// Returns one bit for each piece, in hexadecimal digits. The first piece has the highest bit of the first byte.
    fn bitfield(&self, length: u64, count: u64) -> String {
        let mut bytes = vec![0_u8; usize::try_from(count.div_ceil(8)).unwrap_or_default()];
        let is_complete = self.registration.result == RegistrationResult::Success;
        for piece in 0..count {
            let range = (piece * length, ((piece + 1) * length).min(self.total()));
            if is_complete || self.map.is_some_and(|map| is_range_complete(map, range)) {
                bytes[usize::try_from(piece / 8).unwrap_or_default()] |= 0x80 >> (piece % 8);
            }
        }
        hex::encode(bytes)
    }
}

/// Whether the first address of a download has been used.
pub(crate) fn has_begun(registration: &Registration) -> bool {
    registration.downloaded > 0 || registration.active > 0 || registration.settled.is_some()
}

fn text(number: u64) -> Value {
    Value::String(number.to_string())
}

/// Returns the length of the pieces of a file, and their number.
fn pieces(total: u64) -> (u64, u64) {
    let mut length = SHORTEST_PIECE;
    while total.div_ceil(length) > MOST_PIECES {
        length *= 2;
    }
    (length, total.div_ceil(length))
}

/// Whether the byte range is complete in the map: all parts that overlap it must be complete.
fn is_range_complete(map: &SegmentReport, (start, end): (u64, u64)) -> bool {
    let parts = map.there.len() as u128;
    if map.size == 0 || parts == 0 || start >= end {
        return false;
    }
    let part = |at: u64| usize::try_from(u128::from(at) * parts / u128::from(map.size)).unwrap_or(usize::MAX);
    // Rounding may assign a byte at the edge of a part to the neighbouring part. Therefore the neighbours have to be
    // complete too.
    let (first, last) = (part(start).saturating_sub(1), (part(end - 1) + 1).min(map.there.len() - 1));
    map.there.get(first..=last).is_some_and(|parts| parts.iter().all(|percent| *percent == 100))
}

/// Returns aria2's code for the reason of the end.
fn error_code(status: DownloadStatus, failure: Option<&UserMessage>) -> &'static str {
    match status {
        DownloadStatus::Error => {}
        DownloadStatus::Removed => return "31",
        _ => return "0",
    }
    let Some(failure) = failure else { return "1" };
    match (failure.code.as_str(), failure.variant.as_deref()) {
        ("dns" | "name-server", _) => "19",
        ("connect" | "reset" | "proxy" | "proxy-sign-in" | "tls-handshake" | "truncated", _) => "6",
        (code, _) if code.starts_with("certificate") => "6",
        ("connect-timeout" | "timeout" | "total-timeout", _) => "2",
        ("bad-status", Some("gone")) => "3",
        ("bad-status", Some("sign-in" | "forbidden")) | ("link-expired", _) => "24",
        ("bad-status", Some("busy")) => "29",
        ("bad-status" | "protocol" | "web-page", _) => "22",
        ("too-many-redirects" | "refused-redirect", _) => "23",
        ("disk-full" | "disk-quota" | "quota-reached" | "quota-exceeded", _) => "9",
        ("target", _) => "16",
        ("disk" | "disk-away" | "file-too-large" | "partial-changed" | "too-many-open", _) => "17",
        ("wrong-size" | "untrue-length" | "changed-on-server", _) => "8",
        ("digest-mismatch", _) => "32",
        _ => "1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aria2::{params::CallParams, tests::registration};

    fn kept() -> KeptDownload {
        KeptDownload { uris: vec!["http://a.test/x".to_owned(), "http://b.test/x".to_owned()], ..KeptDownload::default() }
    }

    fn status(registration: &Registration, map: Option<&SegmentReport>, keys: &Value) -> Value {
        let rate = TransferRate { speed: 7, connections: 2 };
        let view = DownloadView { registration, kept: &kept(), rate, map };
        view.status(&CallParams(std::slice::from_ref(keys)).keys(0).unwrap())
    }

    #[test]
    fn status_of_running_download_contains_numbers_as_text() {
        let running = Registration {
            state: RegistrationState::Running,
            active: 1,
            downloaded: 5,
            expected_total: (2 << 20) + 1,
            ..registration()
        };
        let expected = json!({
            "bitfield": "00", "completedLength": "5", "connections": "2", "dir": "/d", "downloadSpeed": "7",
            "files": [{
                "completedLength": "5", "index": "1", "length": "2097153", "path": "/d/x", "selected": "true",
                "uris": [{ "status": "used", "uri": "http://a.test/x" }, { "status": "waiting", "uri": "http://b.test/x" }],
            }],
            "gid": "0123456789abcdef", "numPieces": "3", "pieceLength": "1048576", "status": "active",
            "totalLength": "2097153", "uploadLength": "0", "uploadSpeed": "0",
        });
        assert_eq!(status(&running, None, &json!([])), expected);
        assert_eq!(
            status(&running, None, &json!(["gid", "status", "x"])),
            json!({ "gid": "0123456789abcdef", "status": "active" })
        );
    }

    #[test]
    fn complete_download_has_code_0_and_all_pieces() {
        let complete = Registration {
            state: RegistrationState::Settled,
            result: RegistrationResult::Success,
            downloaded: 9 << 20,
            settled: Some(1),
            path: Some("/d/y".into()),
            ..registration()
        };
        let keys = json!(["bitfield", "errorCode", "errorMessage", "status", "numPieces"]);
        let expected = json!({
            "bitfield": "ff80", "errorCode": "0", "errorMessage": "", "status": "complete", "numPieces": "9",
        });
        assert_eq!(status(&complete, None, &keys), expected);
        assert_eq!(status(&complete, None, &json!(["files"]))["files"][0]["path"], "/d/y");
    }

    #[test]
    fn bitfield_contains_only_pieces_that_are_certainly_complete() {
        let size = 128 << 20;
        let running = Registration { state: RegistrationState::Running, expected_total: size, ..registration() };
        let mut there = vec![100; 64];
        there[20] = 99;
        let map = SegmentReport { index: 0, size, there, fetching: Vec::new() };
        let bits = status(&running, Some(&map), &json!(["bitfield"]))["bitfield"].as_str().unwrap().to_owned();
        // Part 20 contains the pieces 40 and 41. The pieces in the neighbouring parts also count as missing.
        assert_eq!(bits, format!("fffffffffc0f{}", "ff".repeat(10)));
    }

    #[test]
    fn piece_length_doubles_until_at_most_65536_pieces_remain() {
        assert_eq!(pieces(0), (1 << 20, 0));
        assert_eq!(pieces(1), (1 << 20, 1));
        assert_eq!(pieces(64 << 30), (1 << 20, 65_536));
        assert_eq!(pieces((64 << 30) + 1), (2 << 20, 32_769));
        assert_eq!(pieces(u64::MAX).1, 65_536);
    }

    #[test]
    fn download_without_known_size_has_neither_bitfield_nor_path() {
        let waiting = status(&registration(), None, &json!([]));
        assert_eq!(
            (&waiting["bitfield"], &waiting["errorCode"], &waiting["status"]),
            (&Value::Null, &Value::Null, &json!("waiting"))
        );
        assert_eq!(waiting["files"][0]["path"], "");
        assert_eq!(waiting["files"][0]["uris"][0]["status"], "waiting");
    }

    #[test]
    fn failure_reason_is_translated_to_error_code_of_aria2() {
        let code = |code: &str, variant: Option<&str>| {
            let failure = UserMessage {
                code: code.to_owned(),
                variant: variant.map(str::to_owned),
                args: Default::default(),
                text: "Why.".to_owned(),
            };
            error_code(DownloadStatus::Error, Some(&failure))
        };
        for (failure, expected) in [
            ("dns", "19"),
            ("connect", "6"),
            ("certificate-name", "6"),
            ("timeout", "2"),
            ("link-expired", "24"),
            ("too-many-redirects", "23"),
            ("disk-full", "9"),
            ("target", "16"),
            ("disk", "17"),
            ("wrong-size", "8"),
            ("digest-mismatch", "32"),
            ("internal", "1"),
        ] {
            assert_eq!(code(failure, None), expected, "{failure}");
        }
        for (variant, expected) in [("gone", "3"), ("sign-in", "24"), ("forbidden", "24"), ("busy", "29"), ("status", "22")] {
            assert_eq!(code("bad-status", Some(variant)), expected, "{variant}");
        }
        assert_eq!(error_code(DownloadStatus::Removed, None), "31");
    }
}
