//! Maps the options of a new download to a registration. [pure]

use std::path::PathBuf;

use ashore_engine::{
    NewRegistration, NewRequest, QueuePlace, RESERVED_HEADERS, RequestSource, check_link, link_without_sign_in, safe_file_name,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::aria2::{
    OWNER,
    options::values::{OptionMap, refused},
    wire::Aria2Failure,
};

/// Options that name a proxy. A download never bypasses the proxy of the settings.
const PROXIES: [&str; 4] = ["all-proxy", "ftp-proxy", "http-proxy", "https-proxy"];
/// Options that are not kept, because they contain secrets or apply only once.
const NOT_KEPT: [&str; 11] = [
    "all-proxy-passwd",
    "ftp-passwd",
    "ftp-proxy-passwd",
    "gid",
    "http-passwd",
    "http-proxy-passwd",
    "https-proxy-passwd",
    "pause",
    "position",
    "rpc-secret",
    "torrent-file",
];
/// Header fields that contain secrets.
const SECRET_HEADERS: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// Lowest speed limit of a download, in bytes per second.
const LOWEST_LIMIT: u64 = 1024;

/// Values of a download that only this interface uses. The registration contains them as the data of its owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct KeptDownload {
    /// Addresses without credentials. The preferred address is first.
    pub uris: Vec<String>,
    /// Options that the client set, without secrets.
    pub options: OptionMap,
}

/// New download, as its options describe it.
#[derive(Clone, Debug)]
pub(crate) struct DownloadPlan {
    pub request: NewRequest,
    /// Maximum number of connections; `None` for the number from the settings.
    pub connections: Option<u32>,
    /// Speed limit in bytes per second.
    pub speed_limit: Option<u64>,
    /// Whether the download waits until a client continues it.
    pub is_paused: bool,
    /// Values that are kept for later answers.
    pub kept: KeptDownload,
}

impl DownloadPlan {
    /// Returns the registration of this download with the id `gid`. Without a folder or place, the settings decide.
    pub(crate) fn into_registration(
        self,
        gid: String,
        folder: Option<PathBuf>,
        place: Option<QueuePlace>,
    ) -> Result<NewRegistration, Aria2Failure> {
        let data = serde_json::to_string(&self.kept).map_err(|error| Aria2Failure::new(error.to_string()))?;
        Ok(NewRegistration {
            owner: OWNER.to_owned(),
            source: RequestSource::Program,
            developer_id: Some(gid),
            folder,
            paused: self.is_paused,
            place,
            connections: self.connections,
            owner_data: Some(data),
            requests: vec![self.request],
            ..NewRegistration::default()
        })
    }

    /// Returns the speed limit that the engine accepts, in bytes per second.
    pub(crate) fn accepted_limit(&self) -> Option<u64> {
        self.speed_limit.map(|bytes| bytes.max(LOWEST_LIMIT))
    }
}

/// Returns the download from the addresses `uris` with these options. Addresses that cannot be used are left out.
///
/// Fails if no address can be used, or if an option has no equivalent.
pub(crate) fn plan(uris: &[&str], options: &OptionMap) -> Result<DownloadPlan, Aria2Failure> {
    let mut usable = uris.iter().map(|uri| uri.trim()).filter(|uri| check_link(uri).is_ok());
    let url = usable.next().ok_or_else(|| Aria2Failure::new("No URI to download."))?.to_owned();
    let mirrors = usable.map(str::to_owned).collect();
    let text = |name: &str| options.get(name).filter(|value| !value.is_empty()).cloned();
    let request = NewRequest { url, mirrors, name: text("out"), checksum: text("checksum"), ..NewRequest::default() };
    plan_request(request, options)
}

/// Returns the download of `request` with these options. The caller has set the file name and the checksum in `request`.
///
/// Fails if an option has no equivalent.
pub(crate) fn plan_request(request: NewRequest, options: &OptionMap) -> Result<DownloadPlan, Aria2Failure> {
    let text = |name: &str| options.get(name).filter(|value| !value.is_empty());
    if let Some(name) = PROXIES.into_iter().find(|name| text(name).is_some()) {
        return Err(refused(name));
    }
    let uris = std::iter::once(&request.url).chain(&request.mirrors).map(|uri| link_without_sign_in(uri)).collect();
    let mut kept = kept(options);
    kept.remove("out");
    // A path in the name would lead out of the folder.
    let name = request.name.as_deref().and_then(safe_file_name);
    kept.extend(name.clone().map(|name| ("out".to_owned(), name)));
    Ok(DownloadPlan {
        request: NewRequest { headers: headers(options, &request.url)?, name, ..request },
        connections: connections(options),
        speed_limit: speed_limit(options),
        is_paused: options.get("pause").is_some_and(|value| value == "true"),
        kept: KeptDownload { uris, options: kept },
    })
}

/// Returns the smaller value of the two options that limit connections.
pub(crate) fn connections(options: &OptionMap) -> Option<u32> {
    let number = |name| options.get(name).and_then(|value| value.parse().ok());
    [number("split"), number("max-connection-per-server")].into_iter().flatten().min()
}

/// Returns the speed limit of a download in bytes per second; `None` without a limit.
pub(crate) fn speed_limit(options: &OptionMap) -> Option<u64> {
    options.get("max-download-limit").and_then(|value| value.parse().ok()).filter(|bytes| *bytes > 0)
}

/// Returns the options for later answers: without secrets, and without those that apply only once.
pub(crate) fn kept(options: &OptionMap) -> OptionMap {
    let kept = options.iter().filter(|(name, _)| !NOT_KEPT.contains(&name.as_str()));
    kept.map(|(name, value)| (name.clone(), public_value(name, value))).collect()
}

fn public_value(name: &str, value: &str) -> String {
    match name {
        "header" => value.lines().filter_map(public_header).map(|line| format!("{line}\n")).collect(),
        "referer" => without_sign_in(value),
        _ => value.to_owned(),
    }
}

/// Returns the header field in `line` without secrets; `None` if the whole field is secret.
fn public_header(line: &str) -> Option<String> {
    let Some((name, value)) = line.split_once(':') else { return Some(line.to_owned()) };
    match name.trim().to_ascii_lowercase().as_str() {
        name if SECRET_HEADERS.contains(&name) => None,
        "referer" => Some(format!("{name}: {}", without_sign_in(value))),
        _ => Some(line.to_owned()),
    }
}

/// Returns an address without user name and password. RFC 9110, section 10.1.3 forbids these in a `Referer`.
fn without_sign_in(address: &str) -> String {
    let Ok(mut url) = Url::parse(address.trim()) else { return address.trim().to_owned() };
    let has_sign_in = !url.username().is_empty() || url.password().is_some();
    match has_sign_in && url.set_username("").is_ok() && url.set_password(None).is_ok() {
        true => url.into(),
        false => address.trim().to_owned(),
    }
}

fn headers(options: &OptionMap, url: &str) -> Result<Vec<(String, String)>, Aria2Failure> {
    let text = |name: &str| options.get(name).filter(|value| !value.is_empty());
    let mut headers = Vec::new();
    for line in text("header").into_iter().flat_map(|lines| lines.lines()) {
        let (name, value) = line.split_once(':').ok_or_else(|| refused("header"))?;
        let value = match name.trim().to_ascii_lowercase().as_str() {
            name if RESERVED_HEADERS.contains(&name) => continue,
            "referer" => without_sign_in(value),
            _ => value.trim().to_owned(),
        };
        headers.push((name.trim().to_owned(), value));
    }
    let has = |headers: &[(String, String)], wanted: &str| headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
    if let Some(page) = text("referer").filter(|_| !has(&headers, "referer")) {
        // An asterisk stands for the address of the file.
        headers.push(("Referer".to_owned(), without_sign_in(if page == "*" { url } else { page })));
    }
    if let Some(agent) = text("user-agent").filter(|_| !has(&headers, "user-agent")) {
        headers.push(("User-Agent".to_owned(), agent.clone()));
    }
    if let Some(user) = text("http-user").filter(|_| !has(&headers, "authorization")) {
        let password = options.get("http-passwd").map_or("", String::as_str);
        headers.push(("Authorization".to_owned(), format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))));
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(given: &[(&str, &str)]) -> OptionMap {
        given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn planned(given: &[(&str, &str)]) -> Result<DownloadPlan, String> {
        plan(&["http://a.test/x"], &options(given)).map_err(|failure| failure.message)
    }

    #[test]
    fn first_usable_address_is_the_link_and_other_usable_addresses_become_mirrors() {
        let made = plan(&["nope", " http://a.test/x ", "magnet:?xt=1", "https://u:p@b.test/y"], &OptionMap::new()).unwrap();
        assert_eq!(
            (made.request.url.as_str(), &made.request.mirrors[..]),
            ("http://a.test/x", &["https://u:p@b.test/y".to_owned()][..])
        );
        assert_eq!(made.kept.uris, ["http://a.test/x", "https://b.test/y"], "credentials are not kept");
        let none = plan(&["", "ftp://a.test/x"], &OptionMap::new()).unwrap_err();
        assert_eq!(none.message, "No URI to download.");
    }

    #[test]
    fn smaller_of_two_options_for_connections_is_used() {
        let connections = |given: &[(&str, &str)]| planned(given).unwrap().connections;
        assert_eq!(connections(&[]), None);
        assert_eq!(connections(&[("split", "16")]), Some(16));
        assert_eq!(connections(&[("split", "16"), ("max-connection-per-server", "4")]), Some(4));
    }

    #[test]
    fn header_options_become_header_fields() {
        let lines = "Cookie: a=b\nX-A: c:d\nRange: bytes=0-\nAccept-Encoding: gzip\n";
        let made = planned(&[("header", lines), ("referer", "*"), ("user-agent", "U"), ("http-user", "u"), ("http-passwd", "p")]);
        let made = made.unwrap();
        let expected = [
            ("Cookie", "a=b"),
            ("X-A", "c:d"),
            ("Referer", "http://a.test/x"),
            ("User-Agent", "U"),
            ("Authorization", "Basic dTpw"),
        ];
        assert_eq!(made.request.headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(planned(&[("header", "nonsense\n")]).unwrap_err(), refused("header").message);
    }

    #[test]
    fn secrets_in_options_are_not_stored() {
        let given = [
            (
                "header",
                "Cookie: canary\nAuthorization: canary\nProxy-Authorization: canary\nReferer: ftp://u:canary@r.test/\nX-A: b\n",
            ),
            ("http-user", "u"),
            ("http-passwd", "canary"),
            ("http-proxy-passwd", "canary"),
            ("referer", "http://u:canary@r.test/a"),
            ("gid", "0123456789abcdef"),
            ("pause", "true"),
        ];
        let kept = planned(&given).unwrap().kept;
        assert!(!serde_json::to_string(&kept).unwrap().contains("canary"));
        let header = "Referer: ftp://r.test/\nX-A: b\n";
        assert_eq!(kept.options, options(&[("header", header), ("http-user", "u"), ("referer", "http://r.test/a")]));
    }

    #[test]
    fn referer_is_sent_without_user_name_and_password() {
        for (given, expected) in [
            (("referer", "http://u:canary@r.test/a"), "http://r.test/a"),
            (("header", "referer: http://canary@r.test/\n"), "http://r.test/"),
            (("referer", "no address"), "no address"),
        ] {
            let headers = planned(&[given]).unwrap().request.headers;
            assert_eq!(headers.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>(), [expected]);
        }
        let own = plan(&["http://u:canary@a.test/x"], &options(&[("referer", "*")])).unwrap();
        assert_eq!(own.request.headers, [("Referer".to_owned(), "http://a.test/x".to_owned())]);
    }

    #[test]
    fn path_in_file_name_is_removed() {
        for (out, expected) in [("../../x", Some("_.._x")), ("/etc/x", Some("_etc_x")), ("..", None), ("a.bin", Some("a.bin"))] {
            let made = planned(&[("out", out)]).unwrap();
            let kept = made.kept.options.get("out").map(String::as_str);
            assert_eq!((made.request.name.as_deref(), kept), (expected, expected), "{out}");
        }
    }

    #[test]
    fn proxy_option_for_a_single_download_is_refused() {
        for name in PROXIES {
            assert_eq!(planned(&[(name, "http://127.0.0.1:1")]).unwrap_err(), refused(name).message);
            assert!(planned(&[(name, "")]).is_ok());
        }
    }

    #[test]
    fn other_options_set_name_and_checksum_and_pause_and_speed_limit() {
        let given = [("out", "b.bin"), ("pause", "true"), ("max-download-limit", "20480"), ("checksum", "md5=00")];
        let made = planned(&given).unwrap();
        assert_eq!((made.request.name.as_deref(), made.request.checksum.as_deref()), (Some("b.bin"), Some("md5=00")));
        assert_eq!((made.is_paused, made.speed_limit), (true, Some(20_480)));
        let plain = planned(&[("out", ""), ("max-download-limit", "0"), ("pause", "false")]).unwrap();
        assert_eq!((plain.request.name, plain.is_paused, plain.speed_limit), (None, false, None));
    }
}
