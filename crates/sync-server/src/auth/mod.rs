//! Authentication: bearer tokens of devices, Hawk for other clients, invites, and rate limits.

pub mod enrol;
pub mod hawk;
pub mod limit;
pub mod token;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::Rng as _;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// Authenticated sender of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticatedCaller {
    /// User.
    pub uid: i64,
    /// Device; `None` for a client with a token that another program created.
    pub device: Option<String>,
}

/// Reason why a request is not authenticated. Written to the log, never sent to the client.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unauthorized {
    /// The header `Authorization` is missing or not valid.
    #[error("unknown: no usable Authorization header")]
    Missing,
    /// The token has expired.
    #[error("expired: the token has expired")]
    Expired,
    /// The device was removed, or the secret in the token is not the secret of the device.
    #[error("revoked: no such device, or another secret")]
    Revoked,
    /// The user does not exist.
    #[error("unknown: no such user")]
    NoUser,
    /// The token was not signed with the secret of this server.
    #[error("unknown: the token was not made with the secret of this server")]
    Token,
    /// The signature does not match this request.
    #[error("mac: the signature does not fit; the request came for {host} port {port}")]
    Mac {
        /// Host that the request names.
        host: String,
        /// Port for which the signature was verified.
        port: u16,
    },
    /// The client's clock differs too much from ours, by this number of seconds.
    #[error("skew: the client's clock differs by {0} s")]
    Skew(i64),
}

/// Parses a header `Authorization: Bearer uid.device.secret`.
///
/// Returns `None` for any other header.
pub fn read_bearer(header: &str) -> Option<(i64, &str, &str)> {
    let token = header.strip_prefix("Bearer ").or_else(|| header.strip_prefix("bearer "))?.trim();
    let (uid, rest) = token.split_once('.')?;
    let (device, secret) = rest.split_once('.')?;
    Some((read_uid(uid)?, device, secret))
}

/// Reads a user id in a path or a token: one to ten digits.
pub fn read_uid(text: &str) -> Option<i64> {
    let is_number = (1..=10).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Returns the SHA-256 in hex, the form in which secrets are stored.
pub fn hash(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

/// Compares two texts in time that does not depend on the position of a difference.
pub fn is_same(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// Returns random bytes from the system as text for a link or a header: see [`id_text`].
pub fn random<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    rand::rng().fill(&mut bytes[..]);
    id_text(&bytes)
}

/// Returns bytes as text. The text does not begin with `-`, because a command line would take it for an option.
fn id_text(bytes: &[u8]) -> String {
    let text = URL_SAFE_NO_PAD.encode(bytes);
    text.strip_prefix('-').map(|rest| format!("_{rest}")).unwrap_or(text)
}

/// Returns a random user id of ten digits.
///
/// Such ids do not reveal the number of users, and are spread evenly over nodes.
pub fn random_uid() -> i64 {
    rand::rng().random_range(1_000_000_000..=9_999_999_999)
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    // Cannot fail: HMAC accepts keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(text);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bearer_header_requires_three_parts_and_valid_uid() {
        assert_eq!(read_bearer("Bearer 12.d.s.t"), Some((12, "d", "s.t")));
        for wrong in ["Bearer 12.d", "Basic 12.d.s", "Bearer x.d.s", "Bearer 12345678901.d.s", "Bearer +1.d.s", "Bearer .d.s", ""]
        {
            assert_eq!(read_bearer(wrong), None, "{wrong}");
        }
        assert!((1_000_000_000..=9_999_999_999).contains(&random_uid()));
    }

    #[test]
    fn id_text_never_begins_with_hyphen() {
        // The first six bits determine the first character.
        for first in 0..=u8::MAX {
            let text = id_text(&[first, 0xEF, 0xBE, 0xFB, 0xEF, 0xBE, 0xFB, 0xEF, 0xBE]);
            let is_id = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
            assert!(!text.starts_with('-') && is_id, "{text}");
        }
        assert_eq!((id_text(&[0xFB; 3]), id_text(&[0xF7; 3])), ("__v7".to_owned(), "9_f3".to_owned()));
    }
}
