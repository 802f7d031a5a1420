//! Builds the headers of each request from the headers of the caller.
//!
//! - Headers of the caller (except `User-Agent`) and credentials are never sent to another origin.
//! - Cookies and the referrer follow their own rules.
//!
//! Called by `exchange`.

use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{AUTHORIZATION, COOKIE, REFERER, USER_AGENT},
};
use url::{Origin, Url};

use crate::{
    http::{CookieOwner, HttpSecret, OriginCredentials, SentCredentials, config::TransferConfig, referrer_for},
    model::{failure::TransferFailure, failure_kind::FailureKind, spec::TransferSpec},
};

/// Headers that are ignored if the caller sets them.
///
/// This crate sets some of them itself. The others would change the meaning of the response.
const OURS: [&str; 15] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "proxy-authorization",
    "range",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// Headers and credentials of the caller, as adjusted at each redirect.
pub(super) struct RequestHeaders<'a> {
    /// Headers of the caller. Sent only to the original origin.
    headers: HeaderMap,
    /// `User-Agent` header of the caller. Also sent to other origins, because it only names the program.
    agent: Option<HeaderValue>,
    /// Page on which the link was found. The referrer policy decides which part of its URL is sent.
    referrer: Option<&'a str>,
    /// User name and password from the URL of a redirect, and the origin of this URL. Never stored.
    pub linked: Option<(Origin, HttpSecret)>,
    /// Download that the request belongs to; credentials and cookies are kept per download.
    pub owner: CookieOwner,
    /// Whether a redirect has led to another origin. If so, the download's own credentials are no longer sent.
    has_left_origin: bool,
}

impl<'a> RequestHeaders<'a> {
    pub fn from_spec(spec: &'a TransferSpec, config: &'a TransferConfig) -> Result<Self, TransferFailure> {
        let referrer = config.http.referrer.as_deref();
        let owner = CookieOwner { download: spec.group.unwrap_or(spec.guid.0), is_apart: spec.keeps_cookies_apart };
        let mut caller = Self { headers: HeaderMap::new(), agent: None, referrer, linked: None, owner, has_left_origin: false };
        for (name, value) in &spec.headers {
            let bad = || TransferFailure::new(FailureKind::Internal, format!("the header {name:?} cannot be sent"));
            let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
            let mut header = HeaderValue::from_str(value).map_err(|_| bad())?;
            match key.as_str() {
                "referer" => caller.referrer = Some(value),
                "user-agent" => caller.agent = Some(header),
                name if OURS.contains(&name) => {}
                _ => {
                    // Any header may contain a secret, so keep the value out of debug output.
                    header.set_sensitive(true);
                    caller.headers.append(key, header);
                }
            }
        }
        Ok(caller)
    }

    /// Returns the headers for `url`, and the credentials that Ashore added to them.
    ///
    /// The first available credentials are used: `answer`, then those in the link that led here, then those of the
    /// download, then those of the origin. A download that stores its cookies separately sends no credentials of the
    /// origin before the server asks for them. There are two reasons: the program that requested the download chose its
    /// credentials, and a link on one site must not act for the user on another site.
    pub async fn headers_for(
        &self,
        url: &Url,
        method: &Method,
        config: &TransferConfig,
        answer: Option<HttpSecret>,
    ) -> (HeaderMap, Option<SentCredentials>) {
        let mut headers = self.headers.clone();
        if let Some(agent) = &self.agent {
            headers.insert(USER_AGENT, agent.clone());
        }
        if let Some(referrer) = self.referrer.and_then(|referrer| referrer_for(referrer, url)) {
            headers.insert(REFERER, referrer);
        }
        let own = match self.has_left_origin {
            true => OriginCredentials::default(),
            false => config.http.credentials.of_download(self.owner.download, url).await.unwrap_or_default(),
        };
        // A `Cookie` header of the caller takes precedence.
        if !headers.contains_key(COOKIE) {
            let cookies = match own.cookies {
                Some(own) => config.http.cookies.after(&own, url, self.owner),
                None if self.owner.is_apart => config.http.cookies.beside(None, url, self.owner),
                None => {
                    let given = config.http.credentials.cookies_of(url).await;
                    config.http.cookies.beside(given.as_deref(), url, self.owner)
                }
            };
            headers.extend(cookies.map(|cookies| (COOKIE, cookies)));
        }
        if self.signs_in() {
            return (headers, None);
        }
        let secret = match answer.or_else(|| self.linked_to(url).cloned()).or(own.secret) {
            Some(secret) => Some(secret),
            None if self.owner.is_apart => None,
            None => config.http.credentials.secret_for(url).await,
        };
        let said = secret.and_then(|secret| config.http.credentials.authorization(&secret, method, url));
        let sent = said.map(|(header, sent)| {
            headers.insert(AUTHORIZATION, header);
            sent
        });
        (headers, sent)
    }

    pub fn linked_to(&self, url: &Url) -> Option<&HttpSecret> {
        self.linked.as_ref().filter(|(origin, _)| *origin == url.origin()).map(|(_, secret)| secret)
    }

    pub fn signs_in(&self) -> bool {
        self.headers.contains_key(AUTHORIZATION)
    }

    pub fn drop_body(&mut self) {
        let about_body = ["content-encoding", "content-language", "content-location", "content-type"];
        about_body.into_iter().for_each(|name| drop(self.headers.remove(name)));
    }

    /// Drops the headers of the caller permanently. They stay dropped even if a later redirect returns to the origin.
    pub fn leave_origin(&mut self) {
        self.headers.clear();
        self.has_left_origin = true;
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::model::spec::Guid;

    #[tokio::test]
    async fn download_with_own_cookies_sends_no_stored_credentials_of_origin() {
        let config = TransferConfig::default();
        let url = Url::parse("https://a.test/x").unwrap();
        let credentials = &config.http.credentials;
        credentials.give_cookies(&url, "id=1".to_owned());
        credentials.sign_in(&url, HttpSecret::Bearer("t".to_owned()));
        let headers = async |keeps_cookies_apart, answer| {
            let guid = Guid(uuid::Uuid::from_u128(1));
            let spec = TransferSpec { keeps_cookies_apart, ..TransferSpec::download(guid, url.clone(), PathBuf::new()) };
            let caller = RequestHeaders::from_spec(&spec, &config).unwrap();
            caller.headers_for(&url, &Method::GET, &config, answer).await.0
        };
        let sent = headers(false, None).await;
        assert_eq!((&sent[COOKIE], &sent[AUTHORIZATION]), (&"id=1".parse().unwrap(), &"Bearer t".parse().unwrap()));
        let sent = headers(true, None).await;
        assert_eq!((sent.get(COOKIE), sent.get(AUTHORIZATION)), (None, None));
        let sent = headers(true, Some(HttpSecret::Bearer("t".to_owned()))).await;
        assert_eq!(sent[AUTHORIZATION], "Bearer t", "the server sent a challenge");
    }
}
