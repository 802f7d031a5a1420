//! Credentials by origin, netrc and HTTP authentication.

pub(crate) mod challenge;
pub(crate) mod credentials;
pub(crate) mod digest;
pub(crate) mod download_credentials;
pub(crate) mod netrc;
pub(crate) mod secret;
