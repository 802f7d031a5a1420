//! A password or token that is never printed.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::HeaderValue;

/// Credentials for one origin. Its `Debug` output contains no secret.
#[derive(Clone, PartialEq, Eq)]
pub enum HttpSecret {
    /// RFC 7617.
    Basic {
        /// Who; without a colon.
        user: String,
        /// The password.
        password: String,
    },
    /// RFC 6750.
    Bearer(String),
    /// A whole `Authorization` of another scheme.
    Other(String),
}

impl HttpSecret {
    /// The `Authorization` it makes, marked so that nothing prints it. None where it cannot be said in a header.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let text = match self {
            Self::Basic { user, password } => format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))),
            Self::Bearer(token) => format!("Bearer {token}"),
            Self::Other(value) => value.clone(),
        };
        hidden(text.as_bytes())
    }

    /// In lower case.
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

/// A header's value that nothing prints.
pub(crate) fn hidden(bytes: &[u8]) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_bytes(bytes).ok()?;
    value.set_sensitive(true);
    Some(value)
}
