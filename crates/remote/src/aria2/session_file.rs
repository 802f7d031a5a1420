//! Reads and writes session files of aria2, which list downloads. No I/O.
//!
//! - A line with addresses begins a download. They are separated by tabs, and the preferred address is first. Each of the
//!   following lines that begins with a space has an option: ` key=value`. Lines that begin with `#` are comments.
//! - `saveSession` and `ashore export --to aria2` write such files, and `ashore import --from aria2` reads them.
//! - A file contains neither passwords nor cookies.
//! - A value with a line break or another control character is not written, because it could begin a new download.

use std::path::PathBuf;

use ashore_engine::{
    NewRegistration, RecordState, Registration, RegistrationDetails, RegistrationState, ResponseRecord, link_without_sign_in,
    may_export_header,
};
use serde_json::{Map, Value};

use crate::aria2::{
    gids,
    options::{
        mapping::{self, KeptDownload},
        table::DOWNLOAD,
        values::{OptionMap, is_digest, read},
    },
    wire::Aria2Failure,
};

/// Options that are not written: a user name without its password is refused by a server.
const NOT_WRITTEN: [&str; 6] =
    ["http-user", "ftp-user", "all-proxy-user", "ftp-proxy-user", "http-proxy-user", "https-proxy-user"];
/// Option with several lines in a file. Every other option has one.
const REPEATED: &str = "header";

/// Download in a session file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aria2SessionEntry {
    /// Addresses, the preferred one first.
    uris: Vec<String>,
    options: OptionMap,
}

/// Download that was read from a session file.
#[derive(Clone, Debug)]
pub struct SessionDownload {
    /// Registration. It is paused, so that an import starts nothing.
    pub registration: NewRegistration,
    /// Speed limit in bytes per second.
    pub speed_limit: Option<u64>,
}

/// Content of a session file.
#[derive(Clone, Debug, Default)]
pub struct ReadAria2Session {
    /// Downloads in the order of the file.
    pub downloads: Vec<SessionDownload>,
    /// Number of entries that Ashore cannot download, such as torrents, or whose options are not valid.
    pub skipped: u64,
}

/// Reads a session file. A download without a GID gets a random one.
pub fn read_session(text: &str) -> ReadAria2Session {
    read_with(text, rand::random::<u64>)
}

/// Reads a session file. A download without a GID gets the next one of `random`. [pure]
fn read_with(text: &str, mut random: impl FnMut() -> u64) -> ReadAria2Session {
    let mut read = ReadAria2Session::default();
    for entry in parse(text) {
        match download(entry, &mut random) {
            Ok(download) => read.downloads.push(download),
            Err(_) => read.skipped += 1,
        }
    }
    read
}

/// Returns the text of a session file.
pub fn write_session(entries: &[Aria2SessionEntry]) -> String {
    entries.iter().filter(|entry| !entry.uris.is_empty()).map(Aria2SessionEntry::lines).collect()
}

/// Returns the entry of one file of a download; `None` if the file is complete, or is not fetched with GET.
///
/// Header fields are not part of the entry, because `details` do not contain them.
pub fn session_entry(
    download: &Registration,
    record: &ResponseRecord,
    details: &RegistrationDetails,
) -> Option<Aria2SessionEntry> {
    if record.state == RecordState::Completed || record.method != "GET" {
        return None;
    }
    let uris = std::iter::once(&record.url).chain(&details.mirrors).cloned().collect();
    let mut options = OptionMap::new();
    options.extend(details.referrer.clone().map(|page| ("referer".to_owned(), page)));
    let entry = Aria2SessionEntry::new(download, details, KeptDownload { uris, options });
    // Several files of one download cannot share its GID.
    Some(if record.index == 0 { entry } else { entry.without("gid") })
}

impl Aria2SessionEntry {
    /// Returns the entry of a download with these kept values.
    pub(crate) fn new(download: &Registration, details: &RegistrationDetails, kept: KeptDownload) -> Self {
        let KeptDownload { uris, mut options } = kept;
        options.retain(|name, _| !NOT_WRITTEN.contains(&name.as_str()));
        if let Some(fields) = options.get_mut(REPEATED) {
            *fields = fields.lines().filter(|line| may_write(line)).map(|line| format!("{line}\n")).collect();
        }
        options.insert("gid".to_owned(), gids::gid_of(download));
        options.insert("dir".to_owned(), download.folder.to_string_lossy().into_owned());
        if let Some(digest) = details.checksums.iter().find(|digest| is_digest(digest)) {
            options.entry("checksum".to_owned()).or_insert_with(|| digest.clone());
        }
        if download.state == RegistrationState::Paused {
            options.insert("pause".to_owned(), true.to_string());
        }
        Self { uris: uris.iter().map(|uri| link_without_sign_in(uri)).collect(), options }
    }

    fn without(mut self, option: &str) -> Self {
        self.options.remove(option);
        self
    }

    fn lines(&self) -> String {
        let uris: String = self.uris.iter().map(|uri| format!("{}\t", uri.replace(char::is_control, ""))).collect();
        let options = self.options.iter().flat_map(|(name, value)| match name.as_str() {
            REPEATED => value.lines().map(|line| (name, line)).collect(),
            _ => vec![(name, value.as_str())],
        });
        let options = options.filter(|(_, value)| !value.contains(char::is_control));
        let options: String = options.map(|(name, value)| format!(" {name}={value}\n")).collect();
        format!("{uris}\n{options}")
    }
}

/// Whether the header field in `line` may be written: its value is never a secret. [pure]
fn may_write(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, _)| may_export_header(name.trim()))
}

/// Returns the entries of a session file. Lines that are not valid have no effect, as in aria2.
fn parse(text: &str) -> Vec<Aria2SessionEntry> {
    let mut entries: Vec<Aria2SessionEntry> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if !line.starts_with([' ', '\t']) {
            let uris = line.split('\t').map(str::trim).filter(|uri| !uri.is_empty());
            entries.push(Aria2SessionEntry { uris: uris.map(str::to_owned).collect(), options: OptionMap::new() });
        } else if let (Some(entry), Some((name, value))) = (entries.last_mut(), line.trim().split_once('=')) {
            let kept = entry.options.entry(name.trim().to_owned()).or_default();
            if name.trim() != REPEATED {
                kept.clear();
            } else if !kept.is_empty() {
                kept.push('\n');
            }
            kept.push_str(value.trim());
        }
    }
    entries
}

fn download(entry: Aria2SessionEntry, random: impl FnOnce() -> u64) -> Result<SessionDownload, Aria2Failure> {
    let given: Map<String, Value> = entry.options.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
    let options = read(&given, DOWNLOAD)?;
    let uris: Vec<&str> = entry.uris.iter().map(String::as_str).collect();
    let mut plan = mapping::plan(&uris, &options)?;
    plan.is_paused = true;
    let gid = options.get("gid").and_then(|gid| gids::chosen(gid)).unwrap_or_else(|| gids::from_random(random()));
    let folder = options.get("dir").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let speed_limit = plan.accepted_limit();
    Ok(SessionDownload { registration: plan.into_registration(gid, folder, None)?, speed_limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aria2::tests::registration;

    fn kept(uris: &[&str], options: &[(&str, &str)]) -> KeptDownload {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        KeptDownload { uris: uris.iter().map(|uri| (*uri).to_owned()).collect(), options }
    }

    fn text(kept: KeptDownload) -> String {
        write_session(&[Aria2SessionEntry::new(&registration(), &RegistrationDetails::default(), kept)])
    }

    #[test]
    fn entry_has_addresses_in_one_line_and_each_option_in_its_own() {
        let fields = "Accept: b\nX-Api-Key: secret\nDNT: 1\n";
        let options = [("header", fields), ("http-user", "u"), ("all-proxy-user", "u"), ("split", "3")];
        let written = text(kept(&["http://u:canary@a.test/x", "http://b.test/x"], &options));
        let expected =
            "http://a.test/x\thttp://b.test/x\t\n dir=/d\n gid=0123456789abcdef\n header=Accept: b\n header=DNT: 1\n split=3\n";
        assert_eq!(written, expected);
    }

    #[test]
    fn line_break_in_value_does_not_begin_another_download() {
        let written =
            text(kept(&["http://a.test/\nhttp://evil.test/"], &[("user-agent", "U\nhttp://evil.test/"), ("out", "a\tb")]));
        assert_eq!(written, "http://a.test/http://evil.test/\t\n dir=/d\n gid=0123456789abcdef\n");
    }

    #[test]
    fn written_downloads_are_read_again() {
        let options = [("header", "Accept: b\nDNT: 1\n"), ("out", "b.bin"), ("split", "3"), ("max-download-limit", "20")];
        let read = read_with(&text(kept(&["http://a.test/x", "http://b.test/x"], &options)), || 7);
        let [SessionDownload { registration, speed_limit: Some(1024) }] = &read.downloads[..] else { panic!("{read:?}") };
        let request = &registration.requests[0];
        assert_eq!((request.url.as_str(), &request.mirrors[..]), ("http://a.test/x", &["http://b.test/x".to_owned()][..]));
        assert_eq!((request.name.as_deref(), registration.connections, registration.paused), (Some("b.bin"), Some(3), true));
        assert_eq!(request.headers, [("Accept".to_owned(), "b".to_owned()), ("DNT".to_owned(), "1".to_owned())]);
        assert_eq!((registration.developer_id.as_deref(), &registration.folder), (Some("0123456789abcdef"), &Some("/d".into())));
    }

    #[test]
    fn file_of_aria2_is_read_and_entries_that_cannot_be_downloaded_are_counted() {
        let file = concat!(
            "# comment\r\n lost=option\r\nhttp://a.test/x\t\r\n gid=00000000000000aa\r\n\n pause=false\n nonsense\n",
            "magnet:?xt=urn:btih:1\t\n gid=00000000000000ab\n",
            "http://b.test/x\t\n split=many\n",
            "http://c.test/x\t\n all-proxy=http://p.test\n",
            "ftp://d.test/x\thttp://d.test/x\n gid=wrong\n",
        );
        let read = read_with(file, || 7);
        assert_eq!((read.downloads.len(), read.skipped), (2, 3));
        let gids = read.downloads.iter().map(|one| one.registration.developer_id.clone().unwrap());
        assert_eq!(gids.collect::<Vec<_>>(), ["00000000000000aa", "0000000000000007"]);
        assert!(read.downloads.iter().all(|one| one.registration.paused && one.registration.folder.is_none()));
    }

    #[test]
    fn complete_file_and_upload_have_no_entry() {
        let record = ResponseRecord { state: RecordState::Waiting, ..record() };
        let details = RegistrationDetails {
            mirrors: vec!["http://b.test/x".to_owned()],
            checksums: vec![format!("sha-256={}", "0".repeat(64))],
            referrer: Some("http://r.test/".to_owned()),
            ..RegistrationDetails::default()
        };
        let download = Registration { state: RegistrationState::Paused, ..registration() };
        let written = write_session(&[session_entry(&download, &record, &details).unwrap()]);
        let zeros = "0".repeat(64);
        let options =
            format!(" checksum=sha-256={zeros}\n dir=/d\n gid=0123456789abcdef\n pause=true\n referer=http://r.test/\n");
        assert_eq!(written, format!("http://a.test/x\thttp://b.test/x\t\n{options}"));
        let second = session_entry(&download, &ResponseRecord { index: 1, ..record.clone() }, &details).unwrap();
        assert!(!second.options.contains_key("gid"));
        for other in [
            ResponseRecord { state: RecordState::Completed, ..record.clone() },
            ResponseRecord { method: "PUT".to_owned(), ..record },
        ] {
            assert_eq!(session_entry(&download, &other, &details), None);
        }
    }

    fn record() -> ResponseRecord {
        let value = serde_json::json!({
            "index": 0, "url": "http://a.test/x", "method": "GET", "state": "waiting", "optional": false, "status": null,
            "status_text": null, "headers": [], "url_chain": [], "path": null, "size": null, "downloaded": 0,
            "outcome": null, "code": null, "missing_guarantees": [], "attempts": 0,
        });
        serde_json::from_value(value).unwrap()
    }
}
