//! Who signs in where, and the cookies that somebody gave for it. Everything here belongs to one origin (scheme, host and port)
//! and is never sent to another.
//!
//! What is kept for an origin goes with every request to it. What a `.netrc` says goes only to a server that asks: it
//! names hosts without their schemes, and its default matches everybody. A server that asks is answered once, and again
//! where it says that only its nonce was too old. One that offers Digest is never told a password in answer.
//!
//! Nothing in here is stored, logged or printed. Where passwords are kept is the caller's business: see [`Vault`].

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

use crate::http::{
    Netrc,
    auth::{
        challenge::challenges,
        digest::{DigestSession, is_stale},
        secret::{HttpSecret, hidden},
    },
};

/// Where a caller keeps what signs in.
pub trait SecretStore: fmt::Debug + Send + Sync {
    /// What is kept for `origin`, such as `https://example.org`; none where nothing is, or it cannot be read.
    fn find<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<HttpSecret>>;

    /// The cookies that are kept for it, as a `Cookie` has them; none in the same cases.
    fn find_cookies<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<String>>;
}

/// What is known in this run of the program. It asks the vault once an origin, and again when a server refuses.
#[derive(Default)]
pub struct HostCredentials {
    known: Mutex<HashMap<String, Option<HttpSecret>>>,
    cookies: Mutex<HashMap<String, Option<String>>>,
    vault: Option<Box<dyn SecretStore>>,
    /// What somebody gave in this run, the last first.
    given: Mutex<Netrc>,
    /// What the settings name.
    netrc: Mutex<Netrc>,
    /// Servers and proxies that asked for Digest.
    sessions: Mutex<HashMap<String, Arc<DigestSession>>>,
}

/// The secret that was sent with a request, and how.
#[derive(Clone, Debug)]
pub(crate) struct SentCredentials {
    secret: HttpSecret,
    /// Of the challenge that it answered; none where it was said as it is.
    nonce: Option<String>,
}

impl HostCredentials {
    /// What `vault` keeps and `netrc` says.
    pub fn new(vault: Option<Box<dyn SecretStore>>, netrc: Netrc) -> Self {
        Self { vault, netrc: Mutex::new(netrc), ..Self::default() }
    }

    /// From now on, `netrc` is looked into before those that were there already.
    pub fn add_netrc(&self, netrc: Netrc) {
        lock(&self.given).put_first(netrc);
    }

    /// From now on, `netrc` is looked into last, in place of the one that was.
    pub fn set_netrc(&self, netrc: Netrc) {
        *lock(&self.netrc) = netrc;
    }

    /// From now on, `secret` is sent to the origin of `url`.
    pub fn sign_in(&self, url: &Url, secret: HttpSecret) {
        lock(&self.sessions).remove(&origin(url));
        self.known().insert(origin(url), Some(secret));
    }

    /// From now on, nothing is sent to the origin of `url`.
    pub fn sign_out(&self, url: &Url) {
        lock(&self.sessions).remove(&origin(url));
        self.known().insert(origin(url), None);
        lock(&self.cookies).insert(origin(url), None);
    }

    /// From now on, `cookies` are sent to the origin of `url`, in place of those that were.
    pub fn give_cookies(&self, url: &Url, cookies: String) {
        lock(&self.cookies).insert(origin(url), Some(cookies));
    }

    /// The cookies that were given for the origin of `url`.
    pub async fn cookies_of(&self, url: &Url) -> Option<String> {
        let origin = origin(url);
        if let Some(known) = lock(&self.cookies).get(&origin) {
            return known.clone();
        }
        let found = match &self.vault {
            Some(vault) => vault.find_cookies(&origin).await,
            None => None,
        };
        // Somebody who gave others meanwhile knows better.
        lock(&self.cookies).entry(origin).or_insert(found).clone()
    }

    /// What goes with every request to `url`.
    pub(crate) async fn secret_for(&self, url: &Url) -> Option<HttpSecret> {
        let origin = origin(url);
        if let Some(known) = self.known().get(&origin) {
            return known.clone();
        }
        let found = match &self.vault {
            Some(vault) => vault.find(&origin).await,
            None => None,
        };
        // Somebody who signed in meanwhile knows better.
        self.known().entry(origin).or_insert(found).clone()
    }

    /// The `Authorization` by which `secret` signs in to `url` with a request of this `method`. None where it cannot be said in
    /// a header.
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

    /// The secret that answers the challenge of `headers`, where there is one that was not `sent` yet. `linked` stands in the
    /// address that led here, and comes first. `is_first` is false where a challenge of this address was answered before.
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
            // Said as it is, to a server that takes it like that: it is wrong.
            (Some(_), Some(SentCredentials { nonce: None, .. })) => !offers(secret),
            // A nonce of an earlier answer may be too old, whether or not the server says so.
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
        // A name without a password, as some links have it, is looked for by its name first.
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
        // A secret in the address that led here is for that address only, so it is not remembered.
        if linked != Some(&answer) {
            self.known().insert(origin, Some(answer.clone()));
        }
        Some(answer)
    }

    /// The `Proxy-Authorization` for a proxy that asked for Digest. None where it did not: the HTTP client says what its address
    /// says. `target` is a path with its query, or `host:port` of a tunnel.
    pub(crate) fn proxy_authorization(&self, proxy: &Url, method: &str, target: &str) -> Option<HeaderValue> {
        let session = lock(&self.sessions).get(&proxy_key(proxy)).cloned()?;
        let (user, password) = proxy_sign_in(proxy)?;
        hidden(session.answer(&user, &password, method, target).as_bytes())
    }

    /// Whether the proxy asks for Digest and can be answered, now or again: see [`Credentials::answer`].
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

/// The key everything is kept by, such as `https://example.org`.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The key of a proxy's session; no origin has a space in it.
fn proxy_key(proxy: &Url) -> String {
    format!("proxy {}", origin(proxy))
}

/// The user and the password in the address of a proxy, decoded.
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

    fn asks(challenge: &'static str) -> HeaderMap {
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
    }

    #[tokio::test]
    async fn cookies_that_were_given_go_to_their_origin_and_to_no_other() {
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
    async fn what_is_kept_goes_to_its_origin_and_to_no_other() {
        let vault = Counting::default();
        let credentials = HostCredentials::new(Some(Box::new(vault.clone())), Netrc::default());
        for _ in 0..3 {
            assert_eq!(credentials.secret_for(&url("https://a.test/x")).await, Some(basic("vault")));
        }
        assert_eq!(vault.0.load(Ordering::Relaxed), 1, "the vault is asked once an origin");
        for other in ["http://a.test/", "https://a.test:8443/", "https://b.a.test/", "https://b.test/"] {
            assert_eq!(credentials.secret_for(&url(other)).await, None, "{other}");
        }
        credentials.sign_in(&url("http://a.test/"), HttpSecret::Bearer("t".to_owned()));
        assert_eq!(credentials.secret_for(&url("http://a.test:80/y")).await, Some(HttpSecret::Bearer("t".to_owned())));
        credentials.sign_out(&url("http://a.test/"));
        assert_eq!(credentials.secret_for(&url("http://a.test/y")).await, None);
    }

    #[tokio::test]
    async fn a_netrc_is_only_given_to_who_asks_and_never_twice() {
        let credentials = HostCredentials::new(None, Netrc::parse("default login ann password canary"));
        let place = url("http://a.test/");
        assert_eq!(credentials.secret_for(&place).await, None);
        let answers = async |text, sent: Option<&SentCredentials>| {
            credentials.answer(&place, &asks(text), sent, None, sent.is_none()).await
        };
        assert_eq!(answers("Negotiate, Digest realm=\"Basic, x\"", None).await, None);
        let answer = answers("Digest realm=\"a\", BASIC realm=\"b\"", None).await;
        assert_eq!(answer, Some(basic("ann")));
        let sent = credentials.authorization(answer.as_ref().unwrap(), &Method::GET, &place).unwrap().1;
        assert_eq!(answers("Basic", Some(&sent)).await, None);
        assert_eq!(credentials.secret_for(&place).await, answer, "it asks, so it is told at once from now on");
    }

    const DIGEST: &str = "Digest realm=\"r\", nonce=\"one\", qop=auth";
    const STALE: &str = "Digest realm=\"r\", nonce=\"two\", qop=auth, stale=TRUE";
    const OTHER: &str = "Digest realm=\"r\", nonce=\"two\", qop=auth";

    #[tokio::test]
    async fn digest_is_answered_where_offered_and_nonce_renewed_only_when_stale() {
        let place = url("http://a.test/x?y");
        let credentials = HostCredentials::default();
        credentials.sign_in(&place, basic("ann"));
        let said = || credentials.authorization(&basic("ann"), &Method::GET, &place).unwrap();
        let answers = async |text, sent: &SentCredentials, is_first| {
            credentials.answer(&place, &asks(text), Some(sent), None, is_first).await.is_some()
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
        assert_eq!(said().1.nonce, None, "another sign-in begins anew");
        assert!(!format!("{credentials:?} {first:?}").contains("canary"));
    }

    #[tokio::test]
    async fn sign_in_of_link_is_for_its_chain_alone() {
        let (place, credentials) = (url("http://a.test/"), HostCredentials::default());
        let answer = credentials.answer(&place, &asks("Basic"), None, Some(&basic("ann")), true).await;
        assert_eq!((answer, credentials.secret_for(&place).await), (Some(basic("ann")), None));
    }

    #[test]
    fn proxy_is_answered_by_what_its_address_says() {
        let credentials = HostCredentials::default();
        let asks = |text| HeaderMap::from_iter([(PROXY_AUTHENTICATE, HeaderValue::from_static(text))]);
        let (proxy, nobody) = (url("http://ann:p%40ss@p.test:3128"), url("http://p.test:3128"));
        assert!(!credentials.may_answer_proxy(&nobody, &asks(DIGEST), true));
        assert!(!credentials.may_answer_proxy(&proxy, &asks("Basic realm=x"), true), "the address was said already");
        assert_eq!(credentials.proxy_authorization(&proxy, "CONNECT", "a.test:443"), None);
        assert!(credentials.may_answer_proxy(&proxy, &asks(DIGEST), true));
        let said = credentials.proxy_authorization(&proxy, "CONNECT", "a.test:443").unwrap();
        assert!(said.is_sensitive() && said.to_str().unwrap().contains("uri=\"a.test:443\""));
        assert!(!credentials.may_answer_proxy(&proxy, &asks(OTHER), false));
        assert!(credentials.may_answer_proxy(&proxy, &asks(STALE), false));
    }

    #[test]
    fn a_header_is_made_and_nothing_of_it_is_printed() {
        let header = HttpSecret::Basic { user: "Aladdin".to_owned(), password: "open sesame".to_owned() }.header().unwrap();
        assert_eq!(header, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert!(header.is_sensitive());
        assert_eq!(HttpSecret::Bearer("no\nline".to_owned()).header(), None);
        let other = HttpSecret::Other("Token canary".to_owned());
        assert_eq!((other.header().unwrap(), other.scheme().as_str()), (HeaderValue::from_static("Token canary"), "token"));
        assert!(!format!("{:?} {:?} {other:?}", basic("canary"), HttpSecret::Bearer("canary".to_owned())).contains("canary"));
    }
}
