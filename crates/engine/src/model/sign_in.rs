//! Sign-ins for servers, and the place where they are stored.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Sign-in for one server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase", tag = "scheme", deny_unknown_fields)]
#[ts(export)]
pub enum SignIn {
    /// A user and a password (RFC 7617).
    Basic {
        /// User name; must not contain ':'.
        user: String,
        /// The password.
        password: String,
    },
    /// A token (RFC 6750).
    Bearer {
        /// The token without its scheme.
        token: String,
    },
    /// Constant header value for a server with any other authentication scheme.
    Other {
        /// Complete value of the `Authorization` header, beginning with its scheme.
        value: String,
    },
}

impl SignIn {
    /// Parses the value of an `Authorization` header.
    ///
    /// `None` if the value answers a single challenge, because such a value is useless for the next request.
    pub fn of_header(value: &str) -> Option<Self> {
        let value = value.trim();
        let (scheme, rest) = value.split_once(' ').unwrap_or((value, ""));
        match scheme.to_ascii_lowercase().as_str() {
            "basic" => Some(pair(rest.trim()).unwrap_or_else(|| Self::Other { value: value.to_owned() })),
            "bearer" => Some(Self::Bearer { token: rest.trim().to_owned() }),
            "digest" | "ntlm" | "negotiate" => None,
            _ => Some(Self::Other { value: value.to_owned() }),
        }
    }
}

/// Parses the encoded part of a `Basic` value into user name and password.
fn pair(encoded: &str) -> Option<SignIn> {
    let text = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some(SignIn::Basic { user: user.to_owned(), password: password.to_owned() })
}

/// Place where a sign-in is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum KeptIn {
    /// In the system's keychain.
    System,
    /// In a file that only this user can read, in the data folder.
    File,
    /// Only in memory, so that the engine forgets it when it closes.
    Memory,
}

/// Origin with a stored sign-in, without the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeptSignIn {
    /// Origin such as `https://example.org`.
    pub origin: String,
    /// Place where the sign-in is stored.
    pub kept: KeptIn,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorization_value_is_parsed_unless_it_answers_a_challenge() {
        let of = |value: &str| SignIn::of_header(value);
        let ann = SignIn::Basic { user: "ann".to_owned(), password: "pass:word".to_owned() };
        assert_eq!(of(" basic  YW5uOnBhc3M6d29yZA== "), Some(ann));
        assert_eq!(of("BEARER to.ken"), Some(SignIn::Bearer { token: "to.ken".to_owned() }));
        for other in ["token x y", "AWS4-HMAC-SHA256 Credential=a/b, Signature=c", "Basic nonsense", "", "key"] {
            assert_eq!(of(other), Some(SignIn::Other { value: other.to_owned() }), "{other}");
        }
        for answer in ["Digest username=\"ann\"", "NTLM TlRM", "Negotiate YII"] {
            assert_eq!(of(answer), None, "{answer}");
        }
    }
}
