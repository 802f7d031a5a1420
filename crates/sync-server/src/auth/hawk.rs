//! Reads, verifies and writes Hawk signatures over method, address, host and port. [pure]

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{hmac, is_same};

/// Maximum difference between the clocks of client and server, in seconds.
pub const SKEW: i64 = 15 * 60;

/// Maximum length of an accepted header, in bytes.
const LONGEST: usize = 8192;

/// Header `Authorization: Hawk …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HawkHeader {
    /// Token.
    pub id: String,
    /// Time of the signature by the client's clock, in seconds since 1970.
    pub ts: i64,
    nonce: String,
    mac: String,
    hash: String,
    ext: String,
}

/// Request that was signed.
#[derive(Clone, Copy, Debug)]
pub struct HawkSignature<'a> {
    /// Method, in capitals.
    pub method: &'a str,
    /// Path and query, exactly as received.
    pub resource: &'a str,
    /// Host from the header `Host`, without port.
    pub host: &'a str,
    /// Port of the header `Host`, or the default port of the scheme.
    pub port: u16,
}

impl HawkHeader {
    /// Reads a header.
    ///
    /// `None` for another scheme, a missing field or a duplicate field.
    pub fn read(header: &str) -> Option<Self> {
        let (scheme, mut rest) = header.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("hawk") || header.len() > LONGEST {
            return None;
        }
        let (mut id, mut ts, mut nonce, mut mac, mut hash, mut ext) = (None, None, None, None, None, None);
        loop {
            rest = rest.trim_start();
            let (name, value) = rest.split_once("=\"")?;
            let (value, behind) = value.split_once('"')?;
            let slot = match name.trim() {
                "id" => &mut id,
                "ts" => &mut ts,
                "nonce" => &mut nonce,
                "mac" => &mut mac,
                "hash" => &mut hash,
                "ext" => &mut ext,
                // This server does not support application fields in signatures.
                "app" | "dlg" => &mut None,
                _ => return None,
            };
            if slot.replace(value).is_some() || value.contains('\\') {
                return None;
            }
            rest = behind.trim_start();
            if rest.is_empty() {
                break;
            }
            rest = rest.strip_prefix(',')?;
        }
        let digits = ts?;
        let ts = digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        Some(Self { id: id?.to_owned(), ts, nonce: nonce?.to_owned(), mac: mac?.to_owned(), hash: text(hash), ext: text(ext) })
    }

    /// Whether `key` created the signature of this request.
    pub fn is_of(&self, request: &HawkSignature<'_>, key: &str) -> bool {
        is_same(&self.sign(request, key), &self.mac)
    }

    fn sign(&self, request: &HawkSignature<'_>, key: &str) -> String {
        let text = format!(
            "hawk.1.header\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n",
            self.ts,
            self.nonce,
            request.method,
            request.resource,
            request.host.to_ascii_lowercase(),
            request.port,
            self.hash,
            self.ext
        );
        STANDARD.encode(hmac(key.as_bytes(), text.as_bytes()))
    }

    /// Creates a header signed with `key`, for clients and tests.
    pub fn write(id: &str, key: &str, request: &HawkSignature<'_>, ts: i64, nonce: &str) -> String {
        let empty = String::new;
        let mut hawk = Self { id: id.to_owned(), ts, nonce: nonce.to_owned(), mac: empty(), hash: empty(), ext: empty() };
        hawk.mac = hawk.sign(request, key);
        format!("Hawk id=\"{id}\", ts=\"{ts}\", nonce=\"{nonce}\", mac=\"{}\"", hawk.mac)
    }
}

/// Splits a `Host` header into host and port; `None` if the port is not a number.
pub fn read_host(host: &str) -> Option<(&str, Option<u16>)> {
    match host.rsplit_once(':') {
        // Colons inside brackets belong to an IPv6 address, not to a port.
        Some((name, port)) if !port.contains(']') => Some((name, Some(port.parse().ok()?))),
        _ => Some((host, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example from the Hawk specification.
    #[test]
    fn hawk_signature_matches_example_of_specification() {
        let header = "Hawk id=\"dh37fgj492je\", ts=\"1353832234\", nonce=\"j4h3g2\", ext=\"some-app-ext-data\", \
                      mac=\"6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxmo1vpMofpLAE=\"";
        let hawk = HawkHeader::read(header).unwrap();
        let request = HawkSignature { method: "GET", resource: "/resource/1?b=1&a=2", host: "Example.com", port: 8000 };
        assert!(hawk.is_of(&request, "werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn"));
        assert!(!hawk.is_of(&HawkSignature { port: 8001, ..request }, "werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn"));
    }

    #[test]
    fn incomplete_hawk_header_is_rejected() {
        for wrong in [
            "",
            "Hawk",
            "Hawk ",
            "Hawk id=\"a\"",
            "Basic id=\"a\", ts=\"1\", nonce=\"n\", mac=\"m\"",
            "Hawk id=\"a\", ts=\"x\", nonce=\"n\", mac=\"m\"",
            "Hawk id=\"a\", id=\"b\", ts=\"1\", nonce=\"n\", mac=\"m\"",
            "Hawk id=\"a\", ts=\"1\", nonce=\"n\", mac=\"m\",",
            "Hawk id=a, ts=1",
        ] {
            assert_eq!(HawkHeader::read(wrong), None, "{wrong}");
        }
        assert_eq!(read_host("a:80"), Some(("a", Some(80))));
        assert_eq!(read_host("[::1]:80"), Some(("[::1]", Some(80))));
        assert_eq!(read_host("[::1]"), Some(("[::1]", None)));
        assert_eq!(read_host("a:x"), None);
    }
}
