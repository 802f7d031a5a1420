//! Holds credentials and cookies by origin, and answers authentication challenges.
//!
//! - Every entry belongs to a single origin (scheme, host and port), and is never sent to another origin.
//! - Known credentials of an origin are sent with every request to that origin. A download's own credentials replace
//!   them in the requests of that download.
//! - Credentials from a `.netrc` are sent only in answer to a challenge: the file names hosts without schemes, and its
//!   `default` entry matches every host.
//! - A challenge is answered once. It is answered again only if the server reports a stale nonce.
//! - If a server offers Digest, the password is never sent.
//! - This module does not store, log or print secrets. The caller stores passwords: see [`SecretStore`].

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::future::BoxFuture;
use http::{
    HeaderMap, HeaderValue, Method,
    header::{PROXY_AUTHENTICATE, WWW_AUTHENTICATE},
};
use percent_encoding::percent_decode_str;
use url::{Position, Url};
use uuid::Uuid;

use crate::http::{
    Netrc,
    auth::{
        challenge::challenges,
        digest::{DigestSession, is_stale},
        download_credentials::{DownloadCredentials, OriginCredentials},
        secret::{HttpSecret, hidden},
    },
};

/// Storage of credentials and cookies, provided by the caller.
pub trait SecretStore: fmt::Debug + Send + Sync {
    /// Returns the stored credentials of `origin`, such as `https://example.org`.
    ///
    /// Returns `None` if there are none, or if they cannot be read.
    fn find<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<HttpSecret>>;

    /// Returns the stored cookies of `origin`, in the form of a `Cookie` header.
    ///
    /// Returns `None` if there are none, or if they cannot be read.
    fn find_cookies<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<String>>;

    /// Returns the credentials for this download only.
    ///
    /// Returns `None` if there are none, or if they cannot be read.
    fn find_for_download(&self, download: Uuid) -> BoxFuture<'_, Option<DownloadCredentials>>;
}

/// Credentials and cookies that are known in this run of the program.
///
/// The caller's vault ([`SecretStore`]) is queried once per origin, and again after a challenge.
#[derive(Default)]
pub struct HostCredentials {
    known: Mutex<HashMap<String, Option<HttpSecret>>>,
    cookies: Mutex<HashMap<String, Option<String>>>,
    /// Credentials of downloads that have their own. The key is the group of the download, or its GUID if it has no
    /// group.
    of_downloads: Mutex<HashMap<Uuid, Arc<DownloadCredentials>>>,
    vault: Option<Box<dyn SecretStore>>,
    /// Netrc entries that were added in this run, latest first.
    given: Mutex<Netrc>,
    /// Entries of the `.netrc` file in the settings.
    netrc: Mutex<Netrc>,
    /// Digest sessions, by the origin of a server or the key of a proxy.
    sessions: Mutex<HashMap<String, Arc<DigestSession>>>,
}

/// Secret that was sent with a request, and how it was sent.
#[derive(Clone, Debug)]
pub(crate) struct SentCredentials {
    secret: HttpSecret,
    /// Nonce of the answered Digest challenge. `None` if the secret was sent without Digest.
    nonce: Option<String>,
}

impl HostCredentials {
    /// Creates credentials backed by `vault` and `netrc`.
    pub fn new(vault: Option<Box<dyn SecretStore>>, netrc: Netrc) -> Self {
        Self { vault, netrc: Mutex::new(netrc), ..Self::default() }
    }

    /// Adds netrc entries, which take precedence over all earlier ones.
    pub fn add_netrc(&self, netrc: Netrc) {
        lock(&self.given).put_first(netrc);
    }

    /// Replaces the netrc entries from the settings. These entries are searched last.
    pub fn set_netrc(&self, netrc: Netrc) {
        *lock(&self.netrc) = netrc;
    }

    /// Sends `secret` with all later requests to the origin of `url`.
    pub fn sign_in(&self, url: &Url, secret: HttpSecret) {
        lock(&self.sessions).remove(&origin(url));
        self.known().insert(origin(url), Some(secret));
    }

    /// Stops sending the known credentials and cookies to the origin of `url`.
    ///
    /// Later challenges can still be answered from the vault or a netrc.
    pub fn sign_out(&self, url: &Url) {
        lock(&self.sessions).remove(&origin(url));
        self.known().insert(origin(url), None);
        lock(&self.cookies).insert(origin(url), None);
    }

    /// Sends `cookies` to the origin of `url` from now on, instead of earlier cookies.
    pub fn give_cookies(&self, url: &Url, cookies: String) {
        lock(&self.cookies).insert(origin(url), Some(cookies));
    }

    /// Returns the cookies for the origin of `url`, from the caller or from the vault.
    pub async fn cookies_of(&self, url: &Url) -> Option<String> {
        let origin = origin(url);
        if let Some(known) = lock(&self.cookies).get(&origin) {
            return known.clone();
        }
        let found = match &self.vault {
            Some(vault) => vault.find_cookies(&origin).await,
            None => None,
        };
        // Cookies that the caller added during the query take precedence.
        lock(&self.cookies).entry(origin).or_insert(found).clone()
    }

    /// Sends `credentials` with the requests of `download` only. In these requests, they replace the known cookies and
    /// sign-ins of the same origins.
    ///
    /// `download` is the group of the transfers, or the GUID of a transfer without a group.
    pub fn give_to_download(&self, download: Uuid, credentials: DownloadCredentials) {
        lock(&self.of_downloads).insert(download, Arc::new(credentials));
    }

    /// Returns whether the memory holds credentials that only `download` uses.
    pub fn has_download(&self, download: Uuid) -> bool {
        lock(&self.of_downloads).contains_key(&download)
    }

    /// Forgets the credentials that only `download` used.
    pub fn forget_download(&self, download: Uuid) {
        lock(&self.of_downloads).remove(&download);
    }

    /// Returns all credentials that only `download` uses.
    pub async fn all_of_download(&self, download: Uuid) -> Option<DownloadCredentials> {
        Some(DownloadCredentials::clone(&*self.known_of_download(download).await?))
    }

    /// Returns the credentials that only `download` sends to the origin of `url`.
    pub(crate) async fn of_download(&self, download: Uuid, url: &Url) -> Option<OriginCredentials> {
        self.known_of_download(download).await?.for_url(url).cloned()
    }

    async fn known_of_download(&self, download: Uuid) -> Option<Arc<DownloadCredentials>> {
        let known = lock(&self.of_downloads).get(&download).cloned();
        match (known, &self.vault) {
            (Some(known), _) => Some(known),
            (None, Some(vault)) => {
                let found = Arc::new(vault.find_for_download(download).await?);
                // Credentials that the caller added during the query take precedence.
                Some(lock(&self.of_downloads).entry(download).or_insert(found).clone())
            }
            (None, None) => None,
        }
    }

    /// Returns the secret that is sent with every request to `url`.
    pub(crate) async fn secret_for(&self, url: &Url) -> Option<HttpSecret> {
        let origin = origin(url);
        if let Some(known) = self.known().get(&origin) {
            return known.clone();
        }
        let found = match &self.vault {
            Some(vault) => vault.find(&origin).await,
            None => None,
        };
        // A sign-in that the caller added during the query takes precedence.
        self.known().entry(origin).or_insert(found).clone()
    }

    /// Returns the `Authorization` value for a request with `method` to `url`, and a record of the sent secret.
    ///
    /// Returns `None` if `secret` cannot be expressed in a header.
    pub(crate) fn authorization(
        &self,
        secret: &HttpSecret,
        method: &Method,
        url: &Url,
    ) -> Option<(HeaderValue, SentCredentials)> {
        let session = lock(&self.sessions).get(&origin(url)).cloned();
        let sent = |nonce| SentCredentials { secret: secret.clone(), nonce };
        match (secret, session) {
            (HttpSecret::Basic { user, password }, Some(session)) => {
                let target = &url[Position::BeforePath..Position::AfterQuery];
                let text = session.answer(user, password, method.as_str(), target);
                Some((hidden(text.as_bytes())?, sent(Some(session.nonce().to_owned()))))
            }
            _ => Some((secret.header()?, sent(None))),
        }
    }

    /// Returns a secret that answers the challenge in `headers` and was not tried yet, if there is one.
    ///
    /// `sent` is the secret of the refused request. `linked` is the secret in the link of this request, and is tried before
    /// all others. `is_first` is false if an earlier challenge was already answered. In this case, only a stale nonce
    /// permits another answer.
    pub(crate) async fn answer(
        &self,
        url: &Url,
        headers: &HeaderMap,
        sent: Option<&SentCredentials>,
        linked: Option<&HttpSecret>,
        is_first: bool,
    ) -> Option<HttpSecret> {
        let offered = challenges(headers, &WWW_AUTHENTICATE);
        let session = DigestSession::best_of(&offered);
        let is_stale = is_stale(&offered);
        if !is_first && !is_stale {
            return None;
        }
        let offers = |secret: &HttpSecret| offered.iter().any(|challenge| challenge.scheme == secret.scheme());
        let by_session = |secret: &HttpSecret| session.as_ref().filter(|_| matches!(secret, HttpSecret::Basic { .. }));
        let is_new = |secret: &HttpSecret| match (by_session(secret), sent.filter(|sent| sent.secret == *secret)) {
            (None, None) => offers(secret),
            (Some(_), None) => true,
            // The secret was already sent without Digest. If the server still offers the scheme of that request, the
            // secret is wrong, so do not send it again.
            (Some(_), Some(SentCredentials { nonce: None, .. })) => !offers(secret),
            // The nonce of an earlier answer may be stale, even if the server does not report this.
            (Some(session), Some(SentCredentials { nonce: Some(nonce), .. })) => nonce != session.nonce(),
            (None, Some(SentCredentials { nonce, .. })) => nonce.is_some() && offers(secret),
        };
        let origin = origin(url);
        let known = self.known().get(&origin).cloned().flatten();
        let kept = match &self.vault {
            Some(vault) => vault.find(&origin).await,
            None => None,
        };
        let find = |user| lock(&self.given).find(url, user).or_else(|| lock(&self.netrc).find(url, user));
        // Some links contain a user name without a password. Search first for an entry with this user name.
        let user = match sent {
            Some(SentCredentials { secret: HttpSecret::Basic { user, password }, .. }) if password.is_empty() => {
                Some(user.as_str())
            }
            _ => None,
        };
        let by_host = user.and_then(|user| find(Some(user))).or_else(|| find(None));
        let answer = [linked.cloned(), known, kept, by_host].into_iter().flatten().find(is_new)?;
        let is_by_session = by_session(&answer).is_some();
        match session {
            Some(session) if is_by_session => drop(lock(&self.sessions).insert(origin.clone(), Arc::new(session))),
            _ => drop(lock(&self.sessions).remove(&origin)),
        }
        // A secret in a link applies to this link only, so do not store it.
        if linked != Some(&answer) {
            self.known().insert(origin, Some(answer.clone()));
        }
        Some(answer)
    }

    /// Returns the `Proxy-Authorization` value for a proxy that asked for Digest.
    ///
    /// Returns `None` for any other proxy: the HTTP client itself sends the credentials that the address of the proxy
    /// contains. `target` is a path with its query, or the `host:port` of a tunnel.
    pub(crate) fn proxy_authorization(&self, proxy: &Url, method: &str, target: &str) -> Option<HeaderValue> {
        let session = lock(&self.sessions).get(&proxy_key(proxy)).cloned()?;
        let (user, password) = proxy_sign_in(proxy)?;
        hidden(session.answer(&user, &password, method, target).as_bytes())
    }

    /// Returns whether the proxy's Digest challenge can be answered. If so, stores the session.
    ///
    /// `is_first` has the same meaning as in [`HostCredentials::answer`].
    pub(crate) fn may_answer_proxy(&self, proxy: &Url, headers: &HeaderMap, is_first: bool) -> bool {
        let offered = challenges(headers, &PROXY_AUTHENTICATE);
        let may = proxy_sign_in(proxy).is_some() && (is_first || is_stale(&offered));
        match DigestSession::best_of(&offered).filter(|_| may) {
            Some(session) => {
                lock(&self.sessions).insert(proxy_key(proxy), Arc::new(session));
                true
            }
            None => false,
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Option<HttpSecret>>> {
        lock(&self.known)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for HostCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("vault", &self.vault).field("netrc", &*lock(&self.netrc)).finish_non_exhaustive()
    }
}

/// Returns the key of an origin, such as `https://example.org`.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Returns the key of a proxy's session. A space in the key distinguishes it from every origin.
fn proxy_key(proxy: &Url) -> String {
    format!("proxy {}", origin(proxy))
}

/// Returns the user name and password that the address of a proxy contains, decoded.
fn proxy_sign_in(proxy: &Url) -> Option<(String, String)> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let is_said = !proxy.username().is_empty() || proxy.password().is_some();
    is_said.then(|| (decoded(proxy.username()), decoded(proxy.password().unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    fn basic(user: &str) -> HttpSecret {
        HttpSecret::Basic { user: user.to_owned(), password: "canary".to_owned() }
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn challenge_header(challenge: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(WWW_AUTHENTICATE, HeaderValue::from_static(challenge))])
    }

    #[derive(Debug, Default, Clone)]
    struct Counting(Arc<AtomicUsize>);

    impl SecretStore for Counting {
        fn find<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<HttpSecret>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move { (origin == "https://a.test").then(|| basic("vault")) })
        }

        fn find_cookies<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<String>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move { (origin == "https://a.test").then(|| "id=vault".to_owned()) })
        }

        fn find_for_download(&self, download: Uuid) -> BoxFuture<'_, Option<DownloadCredentials>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Box::pin(async move { (download == Uuid::from_u128(1)).then(|| own("id=vault")) })
        }
    }

    fn own(cookies: &str) -> DownloadCredentials {
        let mut own = DownloadCredentials::default();
        *own.for_origin("https://a.test") = OriginCredentials { cookies: Some(cookies.to_owned()), secret: Some(basic("own")) };
        own
    }

    #[tokio::test]
    async fn credentials_are_sent_only_for_their_download_and_to_their_origin() {
        let vault = Counting::default();
        let credentials = HostCredentials::new(Some(Box::new(vault.clone())), Netrc::default());
        let cookies = async |download: u128, to: &str| {
            let own = credentials.of_download(Uuid::from_u128(download), &url(to)).await;
            own.and_then(|own| own.cookies)
        };
        for _ in 0..3 {
            assert_eq!(cookies(1, "https://a.test/x").await.as_deref(), Some("id=vault"));
            assert_eq!(cookies(1, "https://a.test:8443/").await, None, "another port is another origin");
        }
        assert_eq!(vault.0.load(Ordering::Relaxed), 1, "it is asked once");
        assert_eq!(cookies(2, "https://a.test/x").await, None, "another download");
        credentials.give_to_download(Uuid::from_u128(2), own("id=canary"));
        assert_eq!(cookies(2, "https://a.test/x").await.as_deref(), Some("id=canary"));
        assert!(!format!("{credentials:?}").contains("canary"));
        credentials.forget_download(Uuid::from_u128(2));
        assert_eq!(cookies(2, "https://a.test/x").await, None);
    }

    #[tokio::test]
    async fn given_cookies_are_sent_only_to_their_origin() {
        let vault = Counting::default();
        let credentials = HostCredentials::new(Some(Box::new(vault.clone())), Netrc::default());
        let cookies = async |to: &str| credentials.cookies_of(&url(to)).await;
        for _ in 0..3 {
            assert_eq!(cookies("https://a.test/x").await.as_deref(), Some("id=vault"));
            assert_eq!(cookies("https://a.test:8443/").await, None, "another port is another origin");
        }
        assert_eq!(vault.0.load(Ordering::Relaxed), 2, "it is asked once for each");
        credentials.give_cookies(&url("https://a.test/"), "id=canary".to_owned());
        assert_eq!(cookies("https://a.test/y").await.as_deref(), Some("id=canary"));
        assert!(!format!("{credentials:?}").contains("canary"));
        credentials.sign_out(&url("https://a.test/"));
        assert_eq!(cookies("https://a.test/").await, None);
    }

    #[tokio::test]
    async fn stored_credentials_are_sent_only_to_their_origin() {
        let vault = Counting::default();
        let credentials = HostCredentials::new(Some(Box::new(vault.clone())), Netrc::default());
        for _ in 0..3 {
            assert_eq!(credentials.secret_for(&url("https://a.test/x")).await, Some(basic("vault")));
        }
        assert_eq!(vault.0.load(Ordering::Relaxed), 1, "the vault is queried once per origin");
        for other in ["http://a.test/", "https://a.test:8443/", "https://b.a.test/", "https://b.test/"] {
            assert_eq!(credentials.secret_for(&url(other)).await, None, "{other}");
        }
        credentials.sign_in(&url("http://a.test/"), HttpSecret::Bearer("t".to_owned()));
        assert_eq!(credentials.secret_for(&url("http://a.test:80/y")).await, Some(HttpSecret::Bearer("t".to_owned())));
        credentials.sign_out(&url("http://a.test/"));
        assert_eq!(credentials.secret_for(&url("http://a.test/y")).await, None);
    }

    #[tokio::test]
    async fn netrc_credentials_are_sent_only_after_a_challenge_and_only_once() {
        let credentials = HostCredentials::new(None, Netrc::parse("default login ann password canary"));
        let place = url("http://a.test/");
        assert_eq!(credentials.secret_for(&place).await, None);
        let answers = async |text, sent: Option<&SentCredentials>| {
            credentials.answer(&place, &challenge_header(text), sent, None, sent.is_none()).await
        };
        assert_eq!(answers("Negotiate, Digest realm=\"Basic, x\"", None).await, None);
        let answer = answers("Digest realm=\"a\", BASIC realm=\"b\"", None).await;
        assert_eq!(answer, Some(basic("ann")));
        let sent = credentials.authorization(answer.as_ref().unwrap(), &Method::GET, &place).unwrap().1;
        assert_eq!(answers("Basic", Some(&sent)).await, None);
        assert_eq!(
            credentials.secret_for(&place).await,
            answer,
            "the server asked, so later requests send the credentials at once"
        );
    }

    const DIGEST: &str = "Digest realm=\"r\", nonce=\"one\", qop=auth";
    const STALE: &str = "Digest realm=\"r\", nonce=\"two\", qop=auth, stale=TRUE";
    const OTHER: &str = "Digest realm=\"r\", nonce=\"two\", qop=auth";

    #[tokio::test]
    async fn digest_challenge_is_answered_again_only_if_nonce_is_stale() {
        let place = url("http://a.test/x?y");
        let credentials = HostCredentials::default();
        credentials.sign_in(&place, basic("ann"));
        let said = || credentials.authorization(&basic("ann"), &Method::GET, &place).unwrap();
        let answers = async |text, sent: &SentCredentials, is_first| {
            credentials.answer(&place, &challenge_header(text), Some(sent), None, is_first).await.is_some()
        };
        let (header, plain) = said();
        assert!(header.to_str().unwrap().starts_with("Basic ") && header.is_sensitive());
        assert!(
            !answers("Basic realm=\"r\", Digest realm=\"r\", nonce=\"n\"", &plain, true).await,
            "it takes Basic, and refused this"
        );
        assert!(answers(DIGEST, &plain, true).await);
        let (header, first) = said();
        assert!(header.to_str().unwrap().contains("uri=\"/x?y\"") && header.is_sensitive(), "{header:?}");
        assert!(!answers(OTHER, &first, false).await, "the password is wrong");
        assert!(!answers(DIGEST, &first, true).await, "the same question has the same answer");
        assert!(answers(STALE, &first, false).await);
        assert_eq!(said().1.nonce.as_deref(), Some("two"));
        assert!(answers(DIGEST, &said().1, true).await, "a nonce of an earlier answer may be too old");
        for other in ["https://a.test/", "http://a.test:8080/", "http://b.test/"] {
            assert!(credentials.authorization(&basic("ann"), &Method::GET, &url(other)).unwrap().1.nonce.is_none(), "{other}");
        }
        credentials.sign_in(&place, basic("bob"));
        assert_eq!(said().1.nonce, None, "another sign-in starts a new session");
        assert!(!format!("{credentials:?} {first:?}").contains("canary"));
    }

    #[tokio::test]
    async fn link_credentials_are_sent_after_challenge_but_not_remembered() {
        let (place, credentials) = (url("http://a.test/"), HostCredentials::default());
        let answer = credentials.answer(&place, &challenge_header("Basic"), None, Some(&basic("ann")), true).await;
        assert_eq!((answer, credentials.secret_for(&place).await), (Some(basic("ann")), None));
    }

    #[test]
    fn proxy_digest_uses_credentials_of_proxy_address() {
        let credentials = HostCredentials::default();
        let proxy_challenge = |text| HeaderMap::from_iter([(PROXY_AUTHENTICATE, HeaderValue::from_static(text))]);
        let (proxy, nobody) = (url("http://ann:p%40ss@p.test:3128"), url("http://p.test:3128"));
        assert!(!credentials.may_answer_proxy(&nobody, &proxy_challenge(DIGEST), true));
        assert!(
            !credentials.may_answer_proxy(&proxy, &proxy_challenge("Basic realm=x"), true),
            "the credentials in the address were already sent"
        );
        assert_eq!(credentials.proxy_authorization(&proxy, "CONNECT", "a.test:443"), None);
        assert!(credentials.may_answer_proxy(&proxy, &proxy_challenge(DIGEST), true));
        let said = credentials.proxy_authorization(&proxy, "CONNECT", "a.test:443").unwrap();
        assert!(said.is_sensitive() && said.to_str().unwrap().contains("uri=\"a.test:443\""));
        assert!(!credentials.may_answer_proxy(&proxy, &proxy_challenge(OTHER), false));
        assert!(credentials.may_answer_proxy(&proxy, &proxy_challenge(STALE), false));
    }

    #[test]
    fn authorization_header_contains_secret_but_debug_output_does_not() {
        let header = HttpSecret::Basic { user: "Aladdin".to_owned(), password: "open sesame".to_owned() }.header().unwrap();
        assert_eq!(header, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert!(header.is_sensitive());
        assert_eq!(HttpSecret::Bearer("no\nline".to_owned()).header(), None);
        let other = HttpSecret::Other("Token canary".to_owned());
        assert_eq!((other.header().unwrap(), other.scheme().as_str()), (HeaderValue::from_static("Token canary"), "token"));
        assert!(!format!("{:?} {:?} {other:?}", basic("canary"), HttpSecret::Bearer("canary".to_owned())).contains("canary"));
    }
}
