//! Who signs in where, and the cookies that somebody gave for it. Everything here belongs to one origin (scheme, host and port)
//! and is never sent to another.
//!
//! What is kept for an origin goes with every request to it. What a `.netrc` says goes only to a server that asks: it
//! names hosts without their schemes, and its default matches everybody. A server that asks is answered once.
//!
//! Nothing in here is stored, logged or printed. Where passwords are kept is the caller's business: see [`Vault`].

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::future::BoxFuture;
use http::{HeaderMap, HeaderValue, header::WWW_AUTHENTICATE};
use url::Url;

use super::Netrc;

/// What signs in to one origin. Prints itself without anything secret.
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
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

/// Where a caller keeps what signs in.
pub trait Vault: fmt::Debug + Send + Sync {
    /// What is kept for `origin`, such as `https://example.org`; none where nothing is, or it cannot be read.
    fn find<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<Secret>>;

    /// The cookies that are kept for it, as a `Cookie` has them; none in the same cases.
    fn find_cookies<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<String>>;
}

/// What is known in this run of the program. It asks the vault once an origin, and again when a server refuses.
#[derive(Default)]
pub struct Credentials {
    known: Mutex<HashMap<String, Option<Secret>>>,
    cookies: Mutex<HashMap<String, Option<String>>>,
    vault: Option<Box<dyn Vault>>,
    /// What somebody gave in this run, the last first.
    given: Mutex<Netrc>,
    /// What the settings name.
    netrc: Mutex<Netrc>,
}

impl Credentials {
    /// What `vault` keeps and `netrc` says.
    pub fn new(vault: Option<Box<dyn Vault>>, netrc: Netrc) -> Self {
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
    pub fn sign_in(&self, url: &Url, secret: Secret) {
        self.known().insert(origin(url), Some(secret));
    }

    /// From now on, nothing is sent to the origin of `url`.
    pub fn sign_out(&self, url: &Url) {
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
    pub(crate) async fn of(&self, url: &Url) -> Option<Secret> {
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

    /// What answers the challenge of `headers`, where there is something that was not sent yet.
    pub(crate) async fn answer(&self, url: &Url, headers: &HeaderMap, sent: Option<&Secret>) -> Option<Secret> {
        let schemes = challenges(headers);
        let origin = origin(url);
        let known = self.known().get(&origin).cloned().flatten();
        let kept = match &self.vault {
            Some(vault) => vault.find(&origin).await,
            None => None,
        };
        let find = |user| lock(&self.given).find(url, user).or_else(|| lock(&self.netrc).find(url, user));
        // A name without a password, as some links have it, is looked for by its name first.
        let user = match sent {
            Some(Secret::Basic { user, password }) if password.is_empty() => Some(user.as_str()),
            _ => None,
        };
        let by_host = user.and_then(|user| find(Some(user))).or_else(|| find(None));
        let answer = [known, kept, by_host].into_iter().flatten().find(|secret| {
            schemes.contains(&secret.scheme()) && Some(secret) != sent
        })?;
        self.known().insert(origin, Some(answer.clone()));
        Some(answer)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Option<Secret>>> {
        lock(&self.known)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("vault", &self.vault).field("netrc", &*lock(&self.netrc)).finish_non_exhaustive()
    }
}

impl Secret {
    /// The `Authorization` it makes, marked so that nothing prints it. None where it cannot be said in a header.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let text = match self {
            Self::Basic { user, password } => format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))),
            Self::Bearer(token) => format!("Bearer {token}"),
            Self::Other(value) => value.clone(),
        };
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// In lower case.
    fn scheme(&self) -> String {
        match self {
            Self::Basic { .. } => "basic".to_owned(),
            Self::Bearer(_) => "bearer".to_owned(),
            Self::Other(value) => value.split_whitespace().next().unwrap_or_default().to_lowercase(),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Basic { .. } => f.write_str("Basic(..)"),
            Self::Bearer(_) => f.write_str("Bearer(..)"),
            Self::Other(_) => f.write_str("Other(..)"),
        }
    }
}

/// The key everything is kept by, such as `https://example.org`.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The schemes a server would take, in lower case (RFC 9110, section 11.6.1): the words that begin a challenge are those
/// that no `=` follows.
fn challenges(headers: &HeaderMap) -> Vec<String> {
    let mut schemes = Vec::new();
    for value in headers.get_all(WWW_AUTHENTICATE) {
        let text = String::from_utf8_lossy(value.as_bytes());
        for part in outside_quotes(&text) {
            let first = part.split_whitespace().next().unwrap_or_default();
            if !first.is_empty() && !first.contains('=') {
                schemes.push(first.to_lowercase());
            }
        }
    }
    schemes
}

/// The parts between commas that are not inside quotes.
fn outside_quotes(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut is_quoted, mut is_spared) = (Vec::new(), 0, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_spared => is_spared = false,
            '\\' if is_quoted => is_spared = true,
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    fn basic(user: &str) -> Secret {
        Secret::Basic { user: user.to_owned(), password: "canary".to_owned() }
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn asks(challenge: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(WWW_AUTHENTICATE, HeaderValue::from_static(challenge))])
    }

    #[test]
    fn a_challenge_is_found_behind_quotes_commas_and_nothing() {
        for (text, schemes) in [
            ("Basic realm=\"a\"", vec!["basic"]),
            ("Digest realm=\"a, Basic b\", qop=auth, Basic realm=x", vec!["digest", "basic"]),
            ("Digest realm=\"say \\\"Bearer, x\\\"\", Negotiate", vec!["digest", "negotiate"]),
            (", Basic", vec!["basic"]),
            ("", vec![]),
        ] {
            assert_eq!(challenges(&asks(text)), schemes, "{text}");
        }
    }

    #[derive(Debug, Default, Clone)]
    struct Counting(Arc<AtomicUsize>);

    impl Vault for Counting {
        fn find<'a>(&'a self, origin: &'a str) -> BoxFuture<'a, Option<Secret>> {
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
        let credentials = Credentials::new(Some(Box::new(vault.clone())), Netrc::default());
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
        let credentials = Credentials::new(Some(Box::new(vault.clone())), Netrc::default());
        for _ in 0..3 {
            assert_eq!(credentials.of(&url("https://a.test/x")).await, Some(basic("vault")));
        }
        assert_eq!(vault.0.load(Ordering::Relaxed), 1, "the vault is asked once an origin");
        for other in ["http://a.test/", "https://a.test:8443/", "https://b.a.test/", "https://b.test/"] {
            assert_eq!(credentials.of(&url(other)).await, None, "{other}");
        }
        credentials.sign_in(&url("http://a.test/"), Secret::Bearer("t".to_owned()));
        assert_eq!(credentials.of(&url("http://a.test:80/y")).await, Some(Secret::Bearer("t".to_owned())));
        credentials.sign_out(&url("http://a.test/"));
        assert_eq!(credentials.of(&url("http://a.test/y")).await, None);
    }

    #[tokio::test]
    async fn a_netrc_is_only_given_to_who_asks_and_never_twice() {
        let credentials = Credentials::new(None, Netrc::parse("default login ann password canary"));
        let place = url("http://a.test/");
        assert_eq!(credentials.of(&place).await, None);
        assert_eq!(credentials.answer(&place, &asks("Negotiate, Digest realm=\"Basic, x\""), None).await, None);
        let answer = credentials.answer(&place, &asks("Digest realm=\"a\", BASIC realm=\"b\""), None).await;
        assert_eq!(answer, Some(basic("ann")));
        assert_eq!(credentials.answer(&place, &asks("Basic"), answer.as_ref()).await, None);
        assert_eq!(credentials.of(&place).await, answer, "it asks, so it is told at once from now on");
    }

    #[test]
    fn a_header_is_made_and_nothing_of_it_is_printed() {
        let header = Secret::Basic { user: "Aladdin".to_owned(), password: "open sesame".to_owned() }.header().unwrap();
        assert_eq!(header, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert!(header.is_sensitive());
        assert_eq!(Secret::Bearer("no\nline".to_owned()).header(), None);
        let other = Secret::Other("Token canary".to_owned());
        assert_eq!((other.header().unwrap(), other.scheme().as_str()), (HeaderValue::from_static("Token canary"), "token"));
        assert!(!format!("{:?} {:?} {other:?}", basic("canary"), Secret::Bearer("canary".to_owned())).contains("canary"));
    }
}
