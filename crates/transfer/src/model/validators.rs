//! Validators of a response: `ETag` and `Last-Modified`.

use serde::{Deserialize, Serialize};

/// Validators of a response (RFC 9110, section 8.8). The journal stores the validators of the first response.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Validators {
    /// `ETag` as received.
    pub etag: Option<String>,
    /// `Last-Modified` as received.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Returns whether a strong `ETag` is present (RFC 9110, section 8.8.1).
    ///
    /// A date is not a strong validator: two versions of a file may be dated in the same second, and the server's clock
    /// may be wrong (section 8.8.2.2).
    pub fn has_strong(&self) -> bool {
        strong(&self.etag).is_some()
    }

    /// Returns whether `self` and `now` have the same strong validator.
    ///
    /// Parts of two responses may be combined only in this case (RFC 9110, section 15.3.7.3).
    pub fn is_same_by_strong(&self, now: &Self) -> bool {
        is_same_by_strong(self, now)
    }
}

pub(crate) fn strong(etag: &Option<String>) -> Option<&str> {
    etag.as_deref().filter(|etag| !etag.starts_with("W/") && !etag.starts_with("w/") && !etag.is_empty())
}

pub(crate) fn is_same_by_strong(then: &Validators, now: &Validators) -> bool {
    strong(&then.etag).is_some() && strong(&then.etag) == strong(&now.etag)
}
