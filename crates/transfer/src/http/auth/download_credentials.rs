//! Credentials of one download, such as cookies from the browser that handed over the download. [pure]

use std::{collections::BTreeMap, fmt};

use url::Url;

use crate::http::auth::secret::HttpSecret;

/// Credentials of one download, by origin. The `Debug` output contains no values.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct DownloadCredentials(BTreeMap<String, OriginCredentials>);

/// Credentials for one origin.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct OriginCredentials {
    /// Cookies in the form of a `Cookie` header.
    pub cookies: Option<String>,
    /// Sign-in for the `Authorization` header.
    pub secret: Option<HttpSecret>,
}

impl DownloadCredentials {
    /// Returns the credentials for `origin`, such as `https://example.org`. Adds an empty entry if there is none.
    pub fn for_origin(&mut self, origin: &str) -> &mut OriginCredentials {
        self.0.entry(origin.to_owned()).or_default()
    }

    /// Returns the credentials that may be sent with a request to `url`.
    pub(crate) fn for_url(&self, url: &Url) -> Option<&OriginCredentials> {
        self.0.get(&url.origin().ascii_serialization())
    }

    /// Whether there are no credentials.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all origins with their credentials.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OriginCredentials)> {
        self.0.iter().map(|(origin, credentials)| (origin.as_str(), credentials))
    }
}

impl fmt::Debug for DownloadCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
