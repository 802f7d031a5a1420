//! Passwords and tokens that are never printed.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::HeaderValue;

/// Credentials for one origin. The `Debug` output contains no secret.
#[derive(Clone, PartialEq, Eq)]
pub enum HttpSecret {
    /// Basic authentication (RFC 7617).
    Basic {
        /// User name. Must not contain ':'.
        user: String,
        /// The password.
        password: String,
    },
    /// Bearer token (RFC 6750).
    Bearer(String),
    /// Complete `Authorization` value of another scheme.
    Other(String),
}

impl HttpSecret {
    /// Returns the `Authorization` value, marked as sensitive so that `Debug` does not print it.
    ///
    /// Returns `None` if the secret cannot be expressed in a header.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let text = match self {
            Self::Basic { user, password } => format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))),
            Self::Bearer(token) => format!("Bearer {token}"),
            Self::Other(value) => value.clone(),
        };
        hidden(text.as_bytes())
    }

    /// Returns the authentication scheme in lower case.
    pub(crate) fn scheme(&self) -> String {
        match self {
            Self::Basic { .. } => "basic".to_owned(),
            Self::Bearer(_) => "bearer".to_owned(),
            Self::Other(value) => value.split_whitespace().next().unwrap_or_default().to_lowercase(),
        }
    }
}

impl fmt::Debug for HttpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Basic { .. } => f.write_str("Basic(..)"),
            Self::Bearer(_) => f.write_str("Bearer(..)"),
            Self::Other(_) => f.write_str("Other(..)"),
        }
    }
}

/// Returns a header value, marked as sensitive so that `Debug` does not print it.
///
/// Returns `None` if `bytes` are not valid in a header.
pub(crate) fn hidden(bytes: &[u8]) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_bytes(bytes).ok()?;
    value.set_sensitive(true);
    Some(value)
}
