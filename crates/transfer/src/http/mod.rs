//! Performs HTTP exchanges with their redirects, and interprets the responses.

mod auth;
pub(crate) mod blocked_ports;
pub(crate) mod client;
pub(crate) mod config;
pub(crate) mod content_encoding;
pub(crate) mod content_range;
mod cookies;
pub(crate) mod digest_headers;
mod dns;
mod error;
pub(crate) mod exchange;
pub(crate) mod html_detection;
mod http1;
mod http2_fallback;
mod proxy;
mod proxy_tunnel;
pub(crate) mod redirect;
mod referrer;
mod request_headers;
pub(crate) mod response_claim;
pub(crate) mod response_head;
pub(crate) mod resume_validation;
pub(crate) mod upload_body;
mod wrong_scheme;

pub(crate) use crate::http::auth::credentials::SentCredentials;
pub use crate::http::auth::{
    credentials::{HostCredentials, SecretStore},
    download_credentials::{DownloadCredentials, OriginCredentials},
    secret::HttpSecret,
};
pub(crate) use crate::http::cookies::jar::CookieOwner;
pub use crate::http::cookies::jar::{CookieJar, merged_cookies, read_cookies_for};
pub(crate) use crate::http::http1::direct::WatchedStream;
pub use crate::model::address_policy::AddressPolicy;
pub use auth::netrc::Netrc;
pub use cookies::file::{FileCookie, NotACookie, parse_cookie_file};
pub(crate) use error::{NoResponse, by_proxy, failure_of};
pub use proxy::{NotAProxy, ProxyRules};
pub(crate) use proxy_tunnel::challenge_of_tunnel;
pub(crate) use referrer::referrer_for;
