//! Selects the proxy for a request, or a direct connection. [pure]
//!
//! - The environment variables are the usual ones: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. The
//!   lower-case form of each name takes precedence over the upper-case form.
//! - `HTTP_PROXY` is ignored under a web server, because the server sets this variable to the `Proxy:` header of its
//!   visitors.

use std::{fmt, net::IpAddr};

use ipnet::IpNet;
use url::{Host, Url};

/// Supported schemes of a proxy address.
const SCHEMES: [&str; 6] = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
/// Default port of a SOCKS proxy (RFC 1928, section 3).
const SOCKS_PORT: u16 = 1080;

/// Proxies and exceptions. The `Debug` output contains no credentials.
#[derive(Clone, Default, PartialEq)]
pub struct ProxyRules {
    http: Option<Url>,
    https: Option<Url>,
    exceptions: Vec<Exception>,
    cover_loopback: bool,
}

/// Error for a setting or variable that is not the address of a proxy.
///
/// Contains the name of the setting or variable. Omits the value, which may contain a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAProxy(pub String);

/// Destination that is reached without a proxy.
#[derive(Clone, Debug, PartialEq)]
struct Exception {
    place: Place,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq)]
enum Place {
    Everywhere,
    /// Domain with its subdomains, in lower case, without leading and trailing dots.
    Domain(String),
    Network(IpNet),
}

impl ProxyRules {
    /// Returns a configuration without any proxy.
    pub fn none() -> Self {
        Self::default()
    }

    /// Creates the configuration from the settings, or from the environment if a setting is empty.
    ///
    /// `proxy` is the address for all connections, or the word `none` for direct connections. `no_proxy` is a list in
    /// the form of the environment variable. Loopback addresses are proxied only with `cover_loopback`. Fails if a
    /// setting or variable is not an address.
    pub fn new(
        proxy: &str,
        no_proxy: &str,
        cover_loopback: bool,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, NotAProxy> {
        let either = |name: &str| {
            let upper = name.to_uppercase();
            let is_upper_believed = upper != "HTTP_PROXY" || variable("REQUEST_METHOD").is_none();
            let lower = variable(name).map(|text| (name.to_owned(), text));
            lower.or_else(|| variable(&upper).filter(|_| is_upper_believed).map(|text| (upper, text)))
        };
        let (http, https) = match proxy.trim() {
            "none" => return Ok(Self::none()),
            "" => {
                // An empty variable means a direct connection, even if `all_proxy` is set.
                let of = |name: &str| match either(name).or_else(|| either("all_proxy")) {
                    Some((name, text)) if !text.trim().is_empty() => address(&name, &text).map(Some),
                    _ => Ok(None),
                };
                (of("http_proxy")?, of("https_proxy")?)
            }
            text => {
                let one = address("proxy", text)?;
                (Some(one.clone()), Some(one))
            }
        };
        let list = match no_proxy.trim() {
            "" => either("no_proxy").map(|(_, text)| text).unwrap_or_default(),
            list => list.to_owned(),
        };
        Ok(Self { http, https, exceptions: exceptions(&list), cover_loopback })
    }

    /// Returns whether all connections are direct.
    pub(crate) fn is_none(&self) -> bool {
        self.http.is_none() && self.https.is_none()
    }

    /// Returns the proxy for `url`, or `None` for a direct connection.
    pub(crate) fn proxy_for(&self, url: &Url) -> Option<&Url> {
        let proxy = match url.scheme() {
            "https" => self.https.as_ref()?,
            _ => self.http.as_ref()?,
        };
        let host = url.host()?.to_owned();
        let port = url.port_or_known_default();
        let is_direct =
            (is_loopback(&host) && !self.cover_loopback) || self.exceptions.iter().any(|exception| exception.covers(&host, port));
        (!is_direct).then_some(proxy)
    }
}

impl fmt::Debug for ProxyRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxies")
            .field("http", &self.http.as_ref().map(shown))
            .field("https", &self.https.as_ref().map(shown))
            .field("exceptions", &self.exceptions)
            .field("cover_loopback", &self.cover_loopback)
            .finish()
    }
}

/// Returns the address of a proxy without credentials, for display.
pub(crate) fn shown(proxy: &Url) -> String {
    let port = proxy.port_or_known_default().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}", proxy.scheme(), proxy.host_str().unwrap_or_default())
}

/// Removes the credentials from the address of a proxy. The rest stays unchanged.
pub(super) fn without_sign_in(proxy: &Url) -> Url {
    let mut bare = proxy.clone();
    // Never fails: the address of a proxy has a host.
    let _ = (bare.set_username(""), bare.set_password(None));
    bare
}

/// Parses the address of a proxy.
fn address(name: &str, text: &str) -> Result<Url, NotAProxy> {
    let bad = || NotAProxy(name.to_owned());
    let text = text.trim();
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let mut url = Url::parse(&whole).map_err(|_| bad())?;
    if !SCHEMES.contains(&url.scheme()) || url.host_str().is_none_or(str::is_empty) {
        return Err(bad());
    }
    if url.scheme().starts_with("socks") && url.port().is_none() {
        url.set_port(Some(SOCKS_PORT)).map_err(|()| bad())?;
    }
    Ok(url)
}

fn exceptions(list: &str) -> Vec<Exception> {
    list.split([',', ' ', '\t', '\n']).map(str::trim).filter(|word| !word.is_empty()).filter_map(exception).collect()
}

/// Parses a single entry of a `no_proxy` list.
///
/// Returns `None` for an entry without a destination.
fn exception(word: &str) -> Option<Exception> {
    if word == "*" {
        return Some(Exception { place: Place::Everywhere, port: None });
    }
    if let Some(network) = network(word) {
        return Some(Exception { place: Place::Network(network), port: None });
    }
    let (host, port) = match word.rsplit_once(':') {
        Some((host, port)) => (host, Some(port.parse().ok()?)),
        None => (word, None),
    };
    if let Some(network) = network(host) {
        return Some(Exception { place: Place::Network(network), port });
    }
    let name = host.strip_prefix('*').unwrap_or(host).trim_matches('.').to_lowercase();
    (!name.is_empty()).then_some(Exception { place: Place::Domain(name), port })
}

fn network(text: &str) -> Option<IpNet> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    match bare.parse::<IpAddr>() {
        Ok(address) => Some(address.to_canonical().into()),
        Err(_) => bare.parse().ok(),
    }
}

impl Exception {
    fn covers(&self, host: &Host, port: Option<u16>) -> bool {
        if self.port.is_some() && self.port != port {
            return false;
        }
        match &self.place {
            Place::Everywhere => true,
            Place::Network(network) => literal(host).is_some_and(|address| network.contains(&address)),
            Place::Domain(domain) => match host {
                Host::Domain(name) => {
                    let name = name.trim_end_matches('.').to_lowercase();
                    name == *domain || name.strip_suffix(domain.as_str()).is_some_and(|rest| rest.ends_with('.'))
                }
                _ => false,
            },
        }
    }
}

fn literal(host: &Host) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address).to_canonical()),
    }
}

/// Returns whether `host` is a loopback address or a local host name (RFC 6761, section 6.3).
fn is_loopback(host: &Host) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.').to_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
        _ => literal(host).is_some_and(|address| address.is_loopback()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the proxy for `url` under these settings and variables.
    ///
    /// The form is `scheme://host:port`, or `direct`.
    fn proxy_for(settings: (&str, &str), variables: &[(&str, &str)], url: &str) -> String {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let proxies = ProxyRules::new(settings.0, settings.1, false, variable).unwrap();
        proxies.proxy_for(&Url::parse(url).unwrap()).map_or("direct".to_owned(), shown)
    }

    #[test]
    fn proxy_environment_variables_have_the_usual_precedence() {
        let (web, secure) = ("http://example.org/", "https://example.org/");
        for (variables, url, expected) in [
            (&[][..], web, "direct"),
            (&[("http_proxy", "http://p:3128")], web, "http://p:3128"),
            (&[("http_proxy", "http://p:3128")], secure, "direct"),
            (&[("https_proxy", "http://p:3128")], secure, "http://p:3128"),
            (&[("HTTPS_PROXY", "http://p:3128")], secure, "http://p:3128"),
            (&[("all_proxy", "socks5h://p")], web, "socks5h://p:1080"),
            (&[("ALL_PROXY", "socks5://p:9050")], secure, "socks5://p:9050"),
            (&[("all_proxy", "http://a:1"), ("http_proxy", "http://b:2")], web, "http://b:2"),
            (&[("all_proxy", "http://a:1"), ("http_proxy", "")], web, "direct"),
            (&[("HTTP_PROXY", "http://up:1"), ("http_proxy", "http://low:2")], web, "http://low:2"),
            (&[("HTTP_PROXY", "http://up:1")], web, "http://up:1"),
            (&[("HTTP_PROXY", "http://up:1"), ("REQUEST_METHOD", "GET")], web, "direct"),
            (&[("http_proxy", "http://low:1"), ("REQUEST_METHOD", "GET")], web, "http://low:1"),
            (&[("HTTPS_PROXY", "http://up:1"), ("REQUEST_METHOD", "GET")], secure, "http://up:1"),
            (&[("http_proxy", "p:3128")], web, "http://p:3128"),
        ] {
            assert_eq!(proxy_for(("", ""), variables, url), expected, "{variables:?} {url}");
        }
    }

    #[test]
    fn proxy_setting_overrides_environment_variables() {
        let variables = [("http_proxy", "http://env:1"), ("no_proxy", "example.org")];
        assert_eq!(proxy_for(("http://own:2", ""), &variables, "http://other.org/"), "http://own:2");
        assert_eq!(proxy_for(("http://own:2", ""), &variables, "https://other.org/"), "http://own:2");
        assert_eq!(proxy_for(("http://own:2", ""), &variables, "http://example.org/"), "direct");
        assert_eq!(proxy_for(("http://own:2", "a.test"), &variables, "http://example.org/"), "http://own:2");
        assert_eq!(proxy_for(("none", ""), &variables, "http://other.org/"), "direct");
    }

    #[test]
    fn proxy_exceptions_may_be_names_or_ports_or_addresses_or_networks() {
        for (list, url, is_direct) in [
            ("*", "http://example.org/", true),
            ("example.org", "http://example.org/", true),
            ("example.org", "http://EXAMPLE.org./", true),
            ("example.org", "http://a.example.org/", true),
            (".example.org", "http://a.example.org/", true),
            (".example.org", "http://example.org/", true),
            ("*.example.org", "http://a.b.example.org/", true),
            ("example.org", "http://notexample.org/", false),
            ("example.org", "http://example.org.evil.test/", false),
            ("example.org:8080", "http://example.org:8080/", true),
            ("example.org:8080", "http://example.org/", false),
            ("example.org:443", "https://example.org/", true),
            ("a.test, b.test", "http://b.test/", true),
            ("a.test b.test", "http://b.test/", true),
            ("192.0.2.7", "http://192.0.2.7/", true),
            ("192.0.2.7", "http://192.0.2.77/", false),
            ("192.0.2.7:81", "http://192.0.2.7:81/", true),
            ("192.0.2.7:81", "http://192.0.2.7/", false),
            ("10.0.0.0/8", "http://10.200.3.4/", true),
            ("10.0.0.0/8", "http://11.0.0.1/", false),
            ("10.0.0.0/8", "http://name-that-resolves-to-10/", false),
            ("10.0.0.0/8", "http://[::ffff:10.1.2.3]/", true),
            ("2001:db8::/32", "http://[2001:db8:1::5]/", true),
            ("2001:db8::/32", "http://[2001:db9::5]/", false),
            ("2001:db8::1", "http://[2001:db8::1]:8080/", true),
            ("[2001:db8::1]", "http://[2001:db8::1]/", true),
            ("[2001:db8::1]:81", "http://[2001:db8::1]:81/", true),
            ("[2001:db8::1]:81", "http://[2001:db8::1]/", false),
            ("0.0.0.0/0", "http://192.0.2.7/", true),
            ("", "http://example.org/", false),
            (", ,.", "http://example.org/", false),
            ("10.0.0.0/99", "http://10.0.0.1/", false),
        ] {
            let expected = if is_direct { "direct" } else { "http://p:3128" };
            let variables = [("http_proxy", "http://p:3128"), ("https_proxy", "http://p:3128"), ("NO_PROXY", list)];
            assert_eq!(proxy_for(("", ""), &variables, url), expected, "{list:?} {url}");
        }
    }

    #[test]
    fn loopback_is_proxied_only_if_configured() {
        for url in
            ["http://localhost/", "http://a.localhost/", "http://127.8.9.1/", "http://[::1]/", "https://[::ffff:127.0.0.1]/"]
        {
            assert_eq!(proxy_for(("http://p:1", ""), &[], url), "direct", "{url}");
            let said = ProxyRules::new("http://p:1", "", true, |_| None).unwrap();
            assert!(said.proxy_for(&Url::parse(url).unwrap()).is_some(), "{url}");
        }
        assert_eq!(proxy_for(("http://p:1", ""), &[], "http://localhost.example.org/"), "http://p:1");
    }

    #[test]
    fn error_for_invalid_proxy_omits_password() {
        for bad in ["ftp://p:1", "http://", "http://u:canary@[bad", "socks5h://", "http://u:canary@p:99999"] {
            let refused = ProxyRules::new(bad, "", false, |_| None).unwrap_err();
            assert_eq!(refused, NotAProxy("proxy".to_owned()));
        }
        let refused = ProxyRules::new("", "", false, |name| (name == "HTTPS_PROXY").then(|| "x://y".to_owned()));
        assert_eq!(refused, Err(NotAProxy("HTTPS_PROXY".to_owned())));
        let good = ProxyRules::new("http://user:canary@p:3128", "", false, |_| None).unwrap();
        assert!(!format!("{good:?}").contains("canary"));
    }
}
