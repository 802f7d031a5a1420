//! Parses the address of a sync server, and the rule for checking its certificate. [pure]
//!
//! Called when a user joins a list, and when the stored settings are read.
//!
//! - Plain HTTP to another machine is allowed only if a join link says so.

use std::net::IpAddr;

use url::{Host, Url};

use super::certificate_pin::CertificatePin;

/// Value of the pin for a server whose certificate is checked in the ordinary way.
const WEB_PIN: &str = "tls";

/// Value of the pin for a server without a certificate, which uses plain HTTP.
const NO_PIN: &str = "-";

/// Address of a sync server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    root: Url,
    trust: ServerTrust,
}

/// Rule for authenticating the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerTrust {
    /// HTTPS with exactly this certificate. Its names and dates are ignored.
    Pinned(CertificatePin),
    /// HTTPS with a certificate that is valid for the name of the host.
    Web,
    /// Plain HTTP.
    Plain,
}

/// Reason why a text is not a usable address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressRefusal {
    /// The text is not a host with an optional port.
    NotAnAddress,
    /// The pin is not valid.
    NotAPin,
    /// The address would use plain HTTP to another machine, which is not allowed.
    PlainNotAllowed,
}

impl ServerAddress {
    /// Parses the address from a join link or from stored settings, which the user has already accepted.
    ///
    /// `address` is a host with an optional port. `pin` is a SHA-256 in base64url, `tls` or `-`. Fails with `NotAPin`
    /// or `NotAnAddress`.
    pub fn from_link(address: &str, pin: &str) -> Result<Self, AddressRefusal> {
        let trust = match pin {
            WEB_PIN => ServerTrust::Web,
            NO_PIN => ServerTrust::Plain,
            pin => ServerTrust::Pinned(CertificatePin::parse(pin).ok_or(AddressRefusal::NotAPin)?),
        };
        Ok(Self { root: root(address, trust)?, trust })
    }

    /// Parses an address that the user typed: `HOST`, `HOST:PORT` or a URL, with an optional `#PIN`.
    ///
    /// Without a scheme, a server on this machine uses plain HTTP, and any other server uses HTTPS. Fails with any
    /// [`AddressRefusal`].
    pub fn from_typed(text: &str) -> Result<Self, AddressRefusal> {
        let (place, pin) = match text.trim().split_once('#') {
            Some((place, pin)) => (place, Some(pin)),
            None => (text.trim(), None),
        };
        let (scheme, place) = place.split_once("://").map_or((None, place), |(scheme, place)| (Some(scheme), place));
        let place = place.strip_suffix('/').unwrap_or(place);
        let is_plain = match scheme.map(str::to_ascii_lowercase).as_deref() {
            None => pin.is_none() && is_loopback(&root(place, ServerTrust::Plain)?),
            Some("http") => true,
            Some("https") => false,
            Some(_) => return Err(AddressRefusal::NotAnAddress),
        };
        let address = Self::from_link(place, pin.unwrap_or(if is_plain { NO_PIN } else { WEB_PIN }))?;
        match address.trust {
            ServerTrust::Plain if !address.is_loopback() => Err(AddressRefusal::PlainNotAllowed),
            ServerTrust::Pinned(_) | ServerTrust::Web if is_plain => Err(AddressRefusal::NotAPin),
            _ => Ok(address),
        }
    }

    /// Returns host and port, for links and for display.
    pub fn host_and_port(&self) -> String {
        let host = self.root.host_str().unwrap_or_default();
        self.root.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Returns the pin as text for links and settings: a SHA-256 in base64url, `tls` or `-`.
    pub fn pin(&self) -> String {
        match &self.trust {
            ServerTrust::Pinned(pin) => pin.text(),
            ServerTrust::Web => WEB_PIN.to_owned(),
            ServerTrust::Plain => NO_PIN.to_owned(),
        }
    }

    /// Returns the rule for the certificate.
    pub fn trust(&self) -> ServerTrust {
        self.trust
    }

    /// Whether the server is on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.root)
    }

    /// Returns the root of all URLs of the server.
    pub(super) fn root(&self) -> &Url {
        &self.root
    }
}

/// Returns the root URL of a host with an optional port.
fn root(address: &str, trust: ServerTrust) -> Result<Url, AddressRefusal> {
    let scheme = if trust == ServerTrust::Plain { "http" } else { "https" };
    // Check the text first: the URL parser ignores tabs and line breaks, and accepts backslashes as slashes.
    let is_meant = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_' | ':' | '[' | ']');
    if address.is_empty() || !address.chars().all(is_meant) {
        return Err(AddressRefusal::NotAnAddress);
    }
    Url::parse(&format!("{scheme}://{address}/")).map_err(|_| AddressRefusal::NotAnAddress)
}

fn is_loopback(root: &Url) -> bool {
    match root.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).to_canonical().is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_of_link_survives_round_trip() {
        let pin = CertificatePin::of_certificate(b"certificate").text();
        for address in ["laptop.local:5350", "192.0.2.1:443", "[2001:db8::7]:5350", "my_nas-2:80"] {
            for pin in [&pin, "tls", "-"] {
                let parsed = ServerAddress::from_link(address, pin).unwrap();
                assert_eq!((parsed.host_and_port().as_str(), parsed.pin().as_str()), (address, pin));
            }
        }
    }

    #[test]
    fn malformed_address_is_rejected() {
        for wrong in ["", "a b", "a/b", "u@a", "a?b", "a#b", "a:99999", "a\\b", "a\nb", "[::1", "http://a"] {
            assert_eq!(ServerAddress::from_link(wrong, "tls"), Err(AddressRefusal::NotAnAddress), "{wrong}");
        }
        assert_eq!(ServerAddress::from_link("a", "p1"), Err(AddressRefusal::NotAPin));
    }

    #[test]
    fn plain_http_address_that_the_user_enters_must_be_a_loopback_address() {
        for (text, trust) in [
            ("localhost:5350", ServerTrust::Plain),
            ("127.0.0.1:5350", ServerTrust::Plain),
            ("http://[::1]:5350/", ServerTrust::Plain),
            ("https://localhost:5350", ServerTrust::Web),
            (" sync.example ", ServerTrust::Web),
            ("HTTPS://sync.example/", ServerTrust::Web),
        ] {
            assert_eq!(ServerAddress::from_typed(text).unwrap().trust(), trust, "{text}");
        }
        for text in ["http://sync.example", "sync.example#-", "http://127.0.0.1.example"] {
            assert_eq!(ServerAddress::from_typed(text), Err(AddressRefusal::PlainNotAllowed), "{text}");
        }
        assert_eq!(ServerAddress::from_typed("ftp://sync.example"), Err(AddressRefusal::NotAnAddress));
        assert_eq!(ServerAddress::from_typed("http://localhost#tls"), Err(AddressRefusal::NotAPin));
    }

    #[test]
    fn only_the_pinned_certificate_is_trusted_if_the_user_enters_an_address_with_a_pin() {
        let pin = CertificatePin::of_certificate(b"certificate");
        let address = ServerAddress::from_typed(&format!("127.0.0.1:5350#{}", pin.text())).unwrap();
        assert_eq!((address.trust(), address.is_loopback()), (ServerTrust::Pinned(pin), true));
    }
}
