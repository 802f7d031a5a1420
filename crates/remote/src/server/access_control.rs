//! Decides who may connect. [pure]
//!
//! - The `Host` must name this server. A page that resolves its own name to 127.0.0.1 (DNS rebinding) sends its own
//!   name.
//! - The `Origin` of the browser channel must be that of an extension. Everywhere else, the `Origin` must be absent,
//!   our own, or one that a person has allowed. A page cannot choose the `Origin` that its browser sends.
//! - A program of the same user can send any header. Only codes, tokens and `failure_rate` protect against such a
//!   program.

use std::{
    collections::HashSet,
    net::{IpAddr, SocketAddr},
};

use ashore_browser::ExtensionIds;
use axum::http::{HeaderMap, HeaderName, header};

use crate::server::trusted_proxy::{self, ProxyNetwork};

/// Schemes of extensions.
const CHROMIUM: &str = "chrome-extension://";
const GECKO: &str = "moz-extension://";
/// Lengths of the groups of a UUID.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];
/// Port that applies if a `Host` has no port.
const DEFAULT_PORT: u16 = 80;

/// Values of `Host`, `Origin` and `X-Forwarded-For` that a server accepts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AcceptedHosts {
    /// Values of `Host` with their ports, in lower case.
    exact: HashSet<String>,
    /// Names that are accepted with any port, in lower case.
    names: HashSet<String>,
    /// Whether any IP address is accepted. A page that was loaded from a host name cannot send an IP address as its
    /// `Host`.
    has_any_address: bool,
    /// Origins that a person allows besides our own, in lower case.
    origins: HashSet<String>,
    /// Host of the public address, if its scheme is `https`. Pages from this host must have been loaded with TLS.
    public_tls: Option<String>,
    /// Proxies whose `X-Forwarded-For` is accepted.
    proxies: Vec<ProxyNetwork>,
}

impl AcceptedHosts {
    /// Accepts 127.0.0.1 and `localhost` at `port`, and no other value.
    pub(crate) fn loopback(port: u16) -> Self {
        let exact = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")).into();
        Self { exact, ..Self::default() }
    }

    /// Accepts the addresses that a server listens on. Also accepts `localhost` with any port, because a tunnel may
    /// have changed the port.
    ///
    /// On an unspecified address such as `0.0.0.0`, accepts any IP address with any port.
    pub(crate) fn of_listeners(addresses: &[SocketAddr]) -> Self {
        let mut accepted = Self { names: HashSet::from(["localhost".to_owned()]), ..Self::default() };
        for address in addresses {
            accepted.has_any_address |= address.ip().is_unspecified();
            accepted.exact.insert(address.to_string());
            if address.port() == DEFAULT_PORT {
                accepted.exact.insert(bracketed(address.ip()));
            }
            if address.ip().is_loopback() {
                accepted.names.insert(bracketed(address.ip()));
            }
        }
        accepted
    }

    /// Accepts a further `Host`: a name, either with any port or with one port.
    pub(crate) fn allow_host(&mut self, host: &str) {
        let host = host.to_ascii_lowercase();
        match port_of(&host) {
            Some(_) => self.exact.insert(host),
            None => self.names.insert(host),
        };
    }

    /// Accepts a further `Origin`.
    pub(crate) fn allow_origin(&mut self, origin: &str) {
        self.origins.insert(origin.trim_end_matches('/').to_ascii_lowercase());
    }

    /// Accepts the host of a public address. `host` has a port if the address has one.
    pub(crate) fn allow_public(&mut self, host: &str, has_tls: bool) {
        let host = host.to_ascii_lowercase();
        if has_tls {
            self.public_tls = Some(host.clone());
        }
        self.exact.insert(host);
    }

    /// Accepts `X-Forwarded-For` from these proxies.
    pub(crate) fn trust_proxies(&mut self, proxies: &[ProxyNetwork]) {
        self.proxies.extend_from_slice(proxies);
    }

    /// Returns the address of the client of a request, which `peer` sent.
    pub(crate) fn client_address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        trusted_proxy::client_address(peer, headers, &self.proxies)
    }

    /// Returns whether the `Host` of the request names this server.
    pub(crate) fn has_host(&self, headers: &HeaderMap) -> bool {
        let Some(host) = only(headers, &header::HOST).map(str::to_ascii_lowercase) else { return false };
        if self.exact.contains(&host) {
            return true;
        }
        let name = match port_of(&host) {
            Some(port) if port.parse::<u16>().is_ok() => host.strip_suffix(port).and_then(|name| name.strip_suffix(':')),
            Some(_) => None,
            None => Some(host.as_str()),
        };
        name.is_some_and(|name| self.names.contains(name) || self.has_any_address && is_address(name))
    }

    /// Whether the request has no `Origin`, the origin of our own page, or an origin that a person allows. The caller
    /// has already checked the `Host`.
    pub(crate) fn has_origin(&self, headers: &HeaderMap) -> bool {
        if !headers.contains_key(header::ORIGIN) {
            return true;
        }
        let Some(origin) = only(headers, &header::ORIGIN).map(str::to_ascii_lowercase) else { return false };
        if self.origins.contains(&origin) {
            return true;
        }
        let Some(host) = only(headers, &header::HOST).map(str::to_ascii_lowercase) else { return false };
        match origin.split_once("://") {
            Some(("https", own)) => own == host,
            // Refuse `http` for the public host with TLS. Without TLS, another machine on the network can send a page
            // in the name of this host.
            Some(("http", own)) => own == host && self.public_tls.as_ref() != Some(&host),
            _ => false,
        }
    }
}

/// Returns the port at the end of `host`; `None` if `host` has no port.
fn port_of(host: &str) -> Option<&str> {
    host.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.ends_with(']'))
}

fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Whether `name` is an IP address in the notation of a `Host` header.
fn is_address(name: &str) -> bool {
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(inside) => inside.parse::<std::net::Ipv6Addr>().is_ok(),
        None => name.parse::<std::net::Ipv4Addr>().is_ok(),
    }
}

/// Whether an extension with one of `ids` sent the request.
pub(crate) fn is_of_extension(headers: &HeaderMap, ids: &ExtensionIds) -> bool {
    only(headers, &header::ORIGIN).is_some_and(|origin| is_extension(origin, ids))
}

/// Returns the value of a header that occurs exactly once.
pub(crate) fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

/// Whether `origin` is that of our extension in Chromium, or of any extension in Firefox, where each installation has a random
/// UUID.
fn is_extension(origin: &str, ids: &ExtensionIds) -> bool {
    if let Some(id) = origin.strip_prefix(CHROMIUM) {
        return !ids.chromium.is_empty() && id == ids.chromium;
    }
    let Some(id) = origin.strip_prefix(GECKO) else { return false };
    let groups: Vec<&str> = id.split('-').collect();
    let is_hexadecimal = |group: &str| group.bytes().all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'f'));
    groups.iter().map(|group| group.len()).eq(UUID) && groups.into_iter().all(is_hexadecimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORT: u16 = 27_346;
    const OWN: &str = "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh";
    const FIREFOX: &str = "moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11";

    fn ids() -> ExtensionIds {
        ExtensionIds { chromium: "aaaabbbbccccddddeeeeffffgggghhhh".to_owned(), gecko: "a@b".to_owned() }
    }

    fn headers(name: &HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_host_header_with_own_name_and_port_is_accepted() {
        let cases: [(&[&str], bool); 11] = [
            (&["127.0.0.1:27346"], true),
            (&["localhost:27346"], true),
            (&["LocalHost:27346"], true),
            (&[], false),
            (&["127.0.0.1"], false),
            (&["127.0.0.1:80"], false),
            (&["127.0.0.1:27346", "127.0.0.1:27346"], false),
            (&["attacker.example:27346"], false),
            (&["localhost.attacker.example:27346"], false),
            (&["[::1]:27346"], false),
            (&["127.0.0.1:027346"], false),
        ];
        for (hosts, is_accepted) in cases {
            assert_eq!(AcceptedHosts::loopback(PORT).has_host(&headers(&header::HOST, hosts)), is_accepted, "{hosts:?}");
        }
    }

    #[test]
    fn only_origins_of_extensions_are_accepted() {
        let cases: [(&[&str], bool); 16] = [
            (&[OWN], true),
            (&[FIREFOX], true),
            (&[], false),
            (&["null"], false),
            (&["https://a.example"], false),
            (&["http://127.0.0.1:27346"], false),
            (&["chrome-extension://bbbbbbbbccccddddeeeeffffgggghhhh"], false),
            (&["chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh.example"], false),
            (&["chrome-extension://"], false),
            (&["moz-extension://"], false),
            (&["moz-extension://a.example"], false),
            (&["moz-extension://5C0A3C52-9A4E-4D0A-8B1E-0A5D0F3F7C11"], false),
            (&["moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11.a"], false),
            (&["moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11-"], false),
            (&["safari-web-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11"], false),
            (&[OWN, "https://a.example"], false),
        ];
        for (origins, is_accepted) in cases {
            assert_eq!(is_of_extension(&headers(&header::ORIGIN, origins), &ids()), is_accepted, "{origins:?}");
        }
        assert!(!is_of_extension(&headers(&header::ORIGIN, &["chrome-extension://"]), &ExtensionIds::default()));
    }

    fn accepts(hosts: &AcceptedHosts, host: &str) -> bool {
        hosts.has_host(&headers(&header::HOST, &[host]))
    }

    fn listening(addresses: &[&str]) -> AcceptedHosts {
        AcceptedHosts::of_listeners(&addresses.iter().map(|address| address.parse().unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn listen_addresses_and_localhost_are_accepted_hosts() {
        let hosts = listening(&["127.0.0.1:6800", "[::1]:6800", "192.0.2.7:80"]);
        for host in ["127.0.0.1:6800", "[::1]:6800", "LocalHost:6800", "localhost:8080", "localhost", "192.0.2.7:80", "192.0.2.7"]
        {
            assert!(accepts(&hosts, host), "{host}");
        }
        for host in
            ["attacker.example:6800", "192.0.2.7:6800", "192.0.2.8", "localhost.attacker.example", "localhost:x", "", ":6800"]
        {
            assert!(!accepts(&hosts, host), "{host}");
        }
        assert!(!hosts.has_host(&headers(&header::HOST, &["localhost", "localhost"])) && !hosts.has_host(&HeaderMap::new()));
    }

    #[test]
    fn server_on_unspecified_address_accepts_any_ip_address_but_no_name_as_host() {
        let hosts = listening(&["0.0.0.0:6800"]);
        for host in ["192.0.2.7:6800", "10.0.0.1", "[2001:db8::1]:8080"] {
            assert!(accepts(&hosts, host), "{host}");
        }
        for host in ["nas.local:6800", "192.0.2.7.attacker.example", "[attacker.example]:6800", "2001:db8::1"] {
            assert!(!accepts(&hosts, host), "{host}");
        }
    }

    #[test]
    fn allowed_hosts_and_host_of_public_address_are_accepted() {
        let mut hosts = listening(&["127.0.0.1:6800"]);
        hosts.allow_host("NAS.local");
        hosts.allow_host("a.example:99");
        hosts.allow_public("files.example", true);
        for host in ["nas.local", "nas.local:6800", "a.example:99", "files.example"] {
            assert!(accepts(&hosts, host), "{host}");
        }
        for host in ["a.example", "a.example:98", "files.example:6800", "x.nas.local"] {
            assert!(!accepts(&hosts, host), "{host}");
        }
    }

    #[test]
    fn request_is_accepted_without_origin_or_with_own_or_allowed_origin() {
        let mut hosts = listening(&["127.0.0.1:6800"]);
        hosts.allow_public("files.example", true);
        hosts.allow_origin("moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11/");
        let has_origin = |host: &str, origins: &[&str]| {
            let mut sent = headers(&header::ORIGIN, origins);
            sent.insert(header::HOST, host.parse().unwrap());
            hosts.has_origin(&sent)
        };
        let own = "127.0.0.1:6800";
        assert!(has_origin(own, &[]) && has_origin(own, &["http://127.0.0.1:6800"]) && has_origin(own, &[FIREFOX]));
        assert!(has_origin("files.example", &["https://files.example"]));
        assert!(!has_origin("files.example", &["http://files.example"]));
        for origin in ["null", "", "http://127.0.0.1:6801", "http://attacker.example", "file://127.0.0.1:6800", OWN] {
            assert!(!has_origin(own, &[origin]), "{origin}");
        }
        assert!(!has_origin(own, &["http://127.0.0.1:6800", "http://127.0.0.1:6800"]));
    }
}
