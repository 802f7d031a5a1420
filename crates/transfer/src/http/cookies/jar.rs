//! Stores cookies while the program runs: cookies of the user, and cookies that servers set.
//!
//! - Cookies are sent by the rules of RFC 6265, and are never accepted for a whole public suffix such as `co.uk`.
//! - The shared jar is off by default, so that servers cannot recognise the download manager.
//! - While the shared jar is off, cookies from a server are sent only within the same download. This is needed because
//!   some servers set a cookie and redirect to a file that requires the cookie.
//! - A download may store its cookies separately. It then neither reads cookies from the shared jar, nor stores cookies
//!   in it.
//! - All jars exist only in memory, at most until the program ends.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cookie_store::{CookieStore, RawCookie};
use http::{HeaderMap, HeaderValue, header::SET_COOKIE};
use url::Url;
use uuid::Uuid;

use crate::http::cookies::{
    file::{FileCookie, parse_cookie_file},
    public_suffix::is_public_suffix,
};

/// Cookie jar. Clones share the same jar. The `Debug` output contains no values.
#[derive(Clone, Default)]
pub struct CookieJar {
    jar: Arc<Mutex<Jar>>,
}

/// Maximum number of downloads with cookies of their own.
///
/// If cookies are dropped, the server usually sets them again.
const MOST_DOWNLOADS: usize = 256;
/// Maximum number of cookies per download.
///
/// Browsers keep at least 50 per site (RFC 6265, section 6.1).
const MOST_OF_ONE: usize = 200;

#[derive(Default)]
struct Jar {
    is_on: bool,
    store: CookieStore,
    /// Cookies of each download that stores them separately, and of every download while the jar is off.
    ///
    /// The key is the group of the download, or its GUID if it has no group.
    own: HashMap<Uuid, Own>,
    /// Counter that increases each time an entry in `own` is used.
    clock: u64,
}

#[derive(Default)]
struct Own {
    store: CookieStore,
    used: u64,
    is_apart: bool,
}

/// Download that sends and stores cookies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CookieOwner {
    /// Group of the download, or its GUID if it has no group.
    pub download: Uuid,
    /// Whether the download stores its cookies separately.
    pub is_apart: bool,
}

impl CookieJar {
    /// Creates a jar that is off: cookies stay within their download.
    ///
    /// Adding cookies turns the jar on.
    pub fn off() -> Self {
        Self::default()
    }

    /// Creates an empty jar that is on. Cookies are kept until the program ends.
    pub fn on() -> Self {
        Self { jar: Arc::new(Mutex::new(Jar { is_on: true, ..Jar::default() })) }
    }

    /// Turns the jar on or off. A change drops all cookies, except those that downloads store separately.
    pub fn switch(&self, is_on: bool) {
        let mut jar = self.lock();
        if jar.is_on != is_on {
            jar.is_on = is_on;
            jar.store = CookieStore::default();
            jar.own.retain(|_, own| own.is_apart);
        }
    }

    /// Forgets the cookies that servers set for this download.
    pub fn forget_download(&self, download: Uuid) {
        self.lock().own.remove(&download);
    }

    /// Moves the cookies that servers set for the probe `probe` to `download`.
    pub fn give_to_download(&self, probe: Uuid, download: Uuid) {
        let mut jar = self.lock();
        if let Some(own) = jar.own.remove(&probe) {
            jar.own.entry(download).or_insert(own);
        }
    }

    /// Adds the cookies of a `cookies.txt`. Turns the jar on, unless `cookies` is empty.
    ///
    /// Returns the number of usable cookies.
    pub fn add(&self, cookies: &[FileCookie]) -> usize {
        let mut jar = self.lock();
        jar.is_on |= !cookies.is_empty();
        cookies.iter().filter(|cookie| cookie.put_into(&mut jar.store)).count()
    }

    /// Returns the `Cookie` value for a request to `url`, marked as sensitive so that `Debug` does not print it.
    ///
    /// The cookies in `given` come first. They belong to this exact origin. Then follow those cookies of the jar whose
    /// names are not in `given`.
    pub(crate) fn beside(&self, given: Option<&str>, url: &Url, owner: CookieOwner) -> Option<HeaderValue> {
        let cookies = match (given, self.of_download(url, owner)) {
            (Some(given), Some(own)) => merged_cookies(given, &own),
            (Some(given), None) => given.to_owned(),
            (None, own) => own?,
        };
        sensitive(&cookies)
    }

    /// Returns the `Cookie` value for a request to `url`, if the download came with its own cookies.
    ///
    /// Cookies that the servers set during the download come first, because they are newer than `own`.
    pub(crate) fn after(&self, own: &str, url: &Url, owner: CookieOwner) -> Option<HeaderValue> {
        let set = self.of_download(url, owner);
        sensitive(&set.map_or_else(|| own.to_owned(), |set| merged_cookies(&set, own)))
    }

    /// Returns the cookies of the jar that match `url`, in the form of a `Cookie` header.
    pub(crate) fn header_for(&self, url: &Url) -> Option<String> {
        let jar = self.lock();
        if jar.is_on { matching(&jar.store, url) } else { None }
    }

    /// Returns the cookies that match `url` for a request of `owner`, like [`Self::header_for`].
    ///
    /// While the jar is off, each download has its own cookies.
    fn of_download(&self, url: &Url, owner: CookieOwner) -> Option<String> {
        let mut jar = self.lock();
        if jar.is_on && !owner.is_apart {
            return matching(&jar.store, url);
        }
        jar.clock += 1;
        let clock = jar.clock;
        let own = jar.own.get_mut(&owner.download)?;
        own.used = clock;
        matching(&own.store, url)
    }

    /// Stores the cookies that the response from `url` sets.
    ///
    /// `owner` is the download that made the request.
    pub(crate) fn learn(&self, url: &Url, headers: &HeaderMap, owner: CookieOwner) {
        if !headers.contains_key(SET_COOKIE) {
            return;
        }
        let mut jar = self.lock();
        let is_shared = jar.is_on && !owner.is_apart;
        let store = if is_shared { &mut jar.store } else { jar.own(owner) };
        for value in headers.get_all(SET_COOKIE) {
            let Ok(text) = std::str::from_utf8(value.as_bytes()) else { continue };
            let Ok(mut cookie) = RawCookie::parse(text.to_owned()) else { continue };
            if is_for_a_site(&mut cookie, url) {
                // Ignore cookies that the rules refuse.
                if is_shared || store.iter_any().count() < MOST_OF_ONE {
                    let _ = store.insert_raw(&cookie, url);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Jar> {
        self.jar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Jar {
    /// Returns the cookies of a download.
    ///
    /// If there are too many downloads, drops the cookies of the least recently used download.
    fn own(&mut self, CookieOwner { download, is_apart }: CookieOwner) -> &mut CookieStore {
        if self.own.len() >= MOST_DOWNLOADS && !self.own.contains_key(&download) {
            let oldest = self.own.iter().min_by_key(|(_, own)| own.used).map(|(download, _)| *download);
            oldest.map(|oldest| self.own.remove(&oldest));
        }
        self.clock += 1;
        let own = self.own.entry(download).or_default();
        own.used = self.clock;
        own.is_apart |= is_apart;
        &mut own.store
    }
}

fn matching(store: &CookieStore, url: &Url) -> Option<String> {
    let mut matching = store.matches(url);
    // RFC 6265, section 5.4: cookies with longer paths come first.
    matching.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.as_ref().len()));
    let pairs: Vec<String> = matching.iter().map(|cookie| format!("{}={}", cookie.name(), cookie.value())).collect();
    (!pairs.is_empty()).then(|| pairs.join("; "))
}

impl fmt::Debug for CookieJar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.lock().is_on { "Cookies(on)" } else { "Cookies(off)" })
    }
}

/// Returns all cookies of `first`, and those cookies of `second` whose names are not in `first`.
///
/// Both arguments are in the form of a `Cookie` header.
pub fn merged_cookies(first: &str, second: &str) -> String {
    let names: HashSet<&str> = pairs(first).map(name).collect();
    let others = pairs(second).filter(|pair| !names.contains(name(pair)));
    pairs(first).chain(others).collect::<Vec<_>>().join("; ")
}

fn sensitive(cookies: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(cookies).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Parses cookies that the user entered, for requests to `url`.
///
/// Accepts `name=value` pairs separated by semicolons, with or without a leading `Cookie:`. Also accepts lines of a
/// `cookies.txt`, and uses those that match `url`. Returns the cookies in the form of a `Cookie` header, or `None` if
/// no cookie can be sent to `url`.
pub fn read_cookies_for(text: &str, url: &Url) -> Option<String> {
    let text = text.trim();
    if text.contains('\t') {
        let jar = CookieJar::on();
        jar.add(&parse_cookie_file(text).ok()?);
        return jar.header_for(url).filter(|cookies| is_sayable(cookies));
    }
    let bare = match text.get(..HEADER.len()) {
        Some(begin) if begin.eq_ignore_ascii_case(HEADER) => &text[HEADER.len()..],
        _ => text,
    };
    let found: Vec<&str> = pairs(bare).collect();
    let is_sound = !found.is_empty() && found.iter().all(|pair| !name(pair).is_empty() && pair.contains('='));
    Some(found.join("; ")).filter(|cookies| is_sound && is_sayable(cookies))
}

/// Name at the beginning of a copied `Cookie` header, in lower case.
const HEADER: &str = "cookie:";

fn pairs(cookies: &str) -> impl Iterator<Item = &str> {
    cookies.split(';').map(str::trim).filter(|pair| !pair.is_empty())
}

fn name(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(name, _)| name.trim())
}

/// Returns whether the cookies can be sent in a header.
fn is_sayable(cookies: &str) -> bool {
    HeaderValue::from_str(cookies).is_ok()
}

/// Returns whether the cookie may be stored.
///
/// A cookie for a public suffix is accepted only from the host with the same name (RFC 6265, section 5.3, step 5).
fn is_for_a_site(cookie: &mut RawCookie<'_>, url: &Url) -> bool {
    let Some(domain) = cookie.domain() else { return true };
    let domain = domain.trim_start_matches('.').to_lowercase();
    if !is_public_suffix(&domain) {
        return true;
    }
    cookie.unset_domain();
    url.host_str() == Some(domain.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn set(jar: &CookieJar, from: &str, cookie: &'static str) {
        set_in(jar, Uuid::nil(), from, cookie);
    }

    fn set_in(jar: &CookieJar, download: Uuid, from: &str, cookie: &'static str) {
        learn(jar, by(download), from, cookie);
    }

    fn learn(jar: &CookieJar, owner: CookieOwner, from: &str, cookie: &'static str) {
        jar.learn(&url(from), &HeaderMap::from_iter([(SET_COOKIE, HeaderValue::from_static(cookie))]), owner);
    }

    fn by(download: Uuid) -> CookieOwner {
        CookieOwner { download, is_apart: false }
    }

    fn sent(jar: &CookieJar, to: &str) -> String {
        jar.header_for(&url(to)).unwrap_or_default()
    }

    #[test]
    fn cookies_are_sent_only_to_matching_urls() {
        let jar = CookieJar::on();
        set(&jar, "https://www.shop.test/a/b", "host=1");
        set(&jar, "https://www.shop.test/a/b", "domain=2; Domain=shop.test; Path=/");
        set(&jar, "https://www.shop.test/a/b", "secure=3; Secure; Path=/");
        set(&jar, "https://www.shop.test/a/b", "deep=4; Path=/a/b/c");
        for (to, expected) in [
            ("https://www.shop.test/a/x", &["host=1", "domain=2", "secure=3"][..]),
            ("http://www.shop.test/a/x", &["host=1", "domain=2"]),
            ("https://other.shop.test/a/x", &["domain=2"]),
            ("https://shop.test/", &["domain=2"]),
            ("https://www.shop.test/a/b/c/d", &["deep=4", "host=1", "domain=2", "secure=3"]),
            ("https://notshop.test/", &[]),
            ("https://www.shop.test.evil.test/", &[]),
        ] {
            let text = sent(&jar, to);
            let mut found: Vec<_> = text.split("; ").filter(|pair| !pair.is_empty()).collect();
            let mut expected = expected.to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{to}");
        }
        assert!(sent(&jar, "https://www.shop.test/a/b/c/d").starts_with("deep=4"), "the longest path comes first");
    }

    #[test]
    fn cookies_for_public_suffixes_and_foreign_domains_are_refused() {
        let jar = CookieJar::on();
        set(&jar, "https://a.co.uk/", "evil=1; Domain=co.uk");
        set(&jar, "https://a.test/", "evil=2; Domain=test");
        set(&jar, "https://mine.github.io/", "evil=3; Domain=github.io");
        set(&jar, "https://a.test/", "evil=4; Domain=b.test");
        for to in ["https://b.co.uk/", "https://b.test/", "https://theirs.github.io/", "https://b.test/"] {
            assert_eq!(sent(&jar, to), "", "{to}");
        }
        set(&jar, "https://a.co.uk/", "good=1; Domain=a.co.uk");
        assert_eq!(sent(&jar, "https://www.a.co.uk/"), "good=1");
    }

    #[test]
    fn disabled_jar_sends_no_cookies_and_prints_no_values() {
        let jar = CookieJar::off();
        set(&jar, "https://a.test/", "a=canary");
        assert_eq!(sent(&jar, "https://a.test/"), "");
        let jar = CookieJar::on();
        set(&jar, "https://a.test/", "a=canary");
        let value = jar.beside(None, &url("https://a.test/"), by(Uuid::nil())).unwrap();
        assert!(value.is_sensitive());
        assert!(!format!("{jar:?} {value:?}").contains("canary"));
    }

    #[test]
    fn disabled_jar_separates_cookies_of_different_downloads() {
        let jar = CookieJar::off();
        let [one, two] = [1, 2].map(Uuid::from_u128);
        set_in(&jar, one, "https://www.a.test/", "id=one; Domain=a.test");
        set_in(&jar, two, "https://www.a.test/", "id=two");
        let of = |download, to| jar.beside(None, &url(to), by(download)).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(of(one, "https://files.a.test/").as_deref(), Some("id=one"));
        assert_eq!(of(two, "https://www.a.test/").as_deref(), Some("id=two"));
        assert_eq!(
            (of(two, "https://files.a.test/"), of(one, "https://b.test/"), of(Uuid::nil(), "https://www.a.test/")),
            (None, None, None)
        );
        set_in(&jar, one, "https://www.a.test/", "id=; Domain=a.test; Max-Age=0");
        assert_eq!(of(one, "https://files.a.test/"), None);
        jar.switch(true);
        assert_eq!(of(two, "https://www.a.test/"), None, "the one jar begins empty");
    }

    #[test]
    fn download_with_separate_cookies_neither_reads_nor_fills_shared_jar() {
        let jar = CookieJar::on();
        let apart = |number| CookieOwner { download: Uuid::from_u128(number), is_apart: true };
        let (one, two, shared, at) = (apart(1), apart(2), by(Uuid::from_u128(3)), "https://a.test/");
        set(&jar, at, "id=old");
        learn(&jar, one, at, "turn=1");
        let text = |value: Option<HeaderValue>| value.map(|value| value.to_str().unwrap().to_owned());
        let sent = |owner| text(jar.beside(None, &url(at), owner));
        assert_eq!((sent(one).as_deref(), sent(two), sent(shared).as_deref()), (Some("turn=1"), None, Some("id=old")));
        assert_eq!(text(jar.after("id=new; turn=0", &url(at), one)).as_deref(), Some("turn=1; id=new"));
        jar.switch(false);
        assert_eq!((sent(one).as_deref(), sent(shared)), (Some("turn=1"), None), "a change drops only the shared cookies");
        jar.give_to_download(one.download, two.download);
        assert_eq!((sent(one), sent(two).as_deref()), (None, Some("turn=1")));
        jar.forget_download(two.download);
        assert_eq!(sent(two), None);
    }

    #[test]
    fn number_of_downloads_and_of_cookies_per_download_is_limited() {
        let jar = CookieJar::off();
        for download in 0..2 * MOST_DOWNLOADS as u128 {
            set_in(&jar, Uuid::from_u128(download), "https://a.test/", "id=1");
        }
        let mut all = HeaderMap::new();
        for number in 0..2 * MOST_OF_ONE {
            all.append(SET_COOKIE, HeaderValue::from_str(&format!("c{number}=1")).unwrap());
        }
        jar.learn(&url("https://a.test/"), &all, by(Uuid::nil()));
        let jar = jar.lock();
        assert_eq!((jar.own.len(), jar.own[&Uuid::nil()].store.iter_any().count()), (MOST_DOWNLOADS, MOST_OF_ONE));
    }

    #[test]
    fn given_cookies_come_first_and_replace_jar_cookies_by_name() {
        let jar = CookieJar::on();
        set(&jar, "https://a.test/", "session=old");
        set(&jar, "https://a.test/", "taste=plain");
        let beside =
            |given| jar.beside(given, &url("https://a.test/"), by(Uuid::nil())).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(beside(Some("id=1; session=new")).as_deref(), Some("id=1; session=new; taste=plain"));
        assert_eq!(CookieJar::off().beside(Some("id=1"), &url("https://a.test/"), by(Uuid::nil())).unwrap(), "id=1");
        assert_eq!(CookieJar::off().beside(None, &url("https://a.test/"), by(Uuid::nil())), None);
    }

    #[test]
    fn pasted_cookies_are_parsed_in_every_format() {
        let read = |text: &str| read_cookies_for(text, &url("https://www.shop.test/account"));
        for (text, cookies) in [
            ("id=7", Some("id=7")),
            (" Cookie:  id=7;taste=plain ;; ", Some("id=7; taste=plain")),
            ("odd=a=b; empty=", Some("odd=a=b; empty=")),
            (".shop.test\tTRUE\t/\tTRUE\t0\tid\t7\nother.test\tFALSE\t/\tFALSE\t0\tno\t1", Some("id=7")),
            (".shop.test\tTRUE\t/\tTRUE\t1\told\t7", None),
            ("no\tcookies", None),
            ("", None),
            (";", None),
            ("7", None),
            ("=7", None),
            ("id=7; nameless", None),
            ("id=7\nX-Other: 1", None),
            ("id=\u{fc}", Some("id=\u{fc}")),
            ("id=\u{7}", None),
        ] {
            assert_eq!(read(text).as_deref(), cookies, "{text}");
        }
    }
}
