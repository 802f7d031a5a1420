//! Reads cookie files of browsers, curl and wget. [pure]
//!
//! - `cookies.txt`: one cookie per line, in seven fields separated by tabs.
//! - JSON, as exported by browser add-ons.

use std::fmt;

use cookie::time::OffsetDateTime;
use cookie_store::{CookieStore, RawCookie};
use serde_json::Value;
use url::Url;

use crate::http::cookies::{file, public_suffix::is_public_suffix};

/// Cookie from a file. The `Debug` output does not contain the value.
#[derive(Clone, PartialEq, Eq)]
pub struct FileCookie {
    /// Host in lower case, without a leading dot.
    pub domain: String,
    /// Whether subdomains of the host receive the cookie.
    pub covers_subdomains: bool,
    /// Path to which the cookie is limited, with its leading slash.
    pub path: String,
    /// Whether the cookie is sent over https only.
    pub is_secure: bool,
    /// Expiry as Unix time in seconds. 0 means the end of the session.
    pub expires: i64,
    /// Name of the cookie.
    pub name: String,
    /// Value of the cookie.
    pub value: String,
}

/// Error for a line that is not a cookie. Contains the line number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {0} is no cookie: seven fields between tabs are expected, as browsers' add-ons and curl write them")]
pub struct NotACookie(pub usize);

/// Line prefix for a cookie that scripts must not read. A line with this prefix is not a comment.
const HTTP_ONLY: &str = "#HttpOnly_";

/// Parses a whole cookie file. Fails with the number of the first line that is not a cookie.
pub fn parse_cookie_file(text: &str) -> Result<Vec<FileCookie>, NotACookie> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(cookies) = exported(text) {
        return Ok(cookies);
    }
    let mut cookies = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.strip_prefix(HTTP_ONLY).unwrap_or(line);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        cookies.push(cookie(line).ok_or(NotACookie(index + 1))?);
    }
    Ok(cookies)
}

/// Parses cookies that an add-on exported as JSON.
///
/// The text is a list of cookies, or an object that contains such a list. Returns `None` for any other text, or if an
/// entry is not a cookie.
fn exported(text: &str) -> Option<Vec<FileCookie>> {
    let all: Value =
        Some(text).filter(|text| text.trim_start().starts_with(['[', '{'])).and_then(|text| serde_json::from_str(text).ok())?;
    all.as_array().or_else(|| all.get("cookies")?.as_array())?.iter().map(exported_cookie).collect()
}

fn exported_cookie(cookie: &Value) -> Option<FileCookie> {
    let text = |name| cookie.get(name).and_then(Value::as_str);
    let is = |name| cookie.get(name).and_then(Value::as_bool);
    let seconds = |name| cookie.get(name).and_then(Value::as_f64);
    let domain = text("domain").or_else(|| text("host"))?;
    // A cookie without an expiry ends with the session. Some exports write a negative number for this.
    let expires = seconds("expirationDate").or_else(|| seconds("expires")).filter(|seconds| *seconds > 0.0).unwrap_or_default();
    let covers_subdomains = is("hostOnly").map_or_else(|| domain.starts_with('.'), |is_host_only| !is_host_only);
    let flag = |is: bool| if is { "TRUE" } else { "FALSE" };
    let (path, secure) = (text("path").unwrap_or("/"), flag(is("secure").unwrap_or_default()));
    let fields = [domain, flag(covers_subdomains), path, secure, &format!("{expires:.0}"), text("name")?, text("value")?];
    file::cookie(&fields.join("\t"))
}

fn cookie(line: &str) -> Option<FileCookie> {
    let fields: Vec<&str> = line.split('\t').collect();
    let (domain, subdomains, path, secure, expires, name, value) = match fields.as_slice() {
        [domain, subdomains, path, secure, expires, name, value] => (domain, subdomains, path, secure, expires, name, *value),
        // Some programs drop an empty value at the end of a line.
        [domain, subdomains, path, secure, expires, name] => (domain, subdomains, path, secure, expires, name, ""),
        _ => return None,
    };
    let host = domain.trim_start_matches('.').to_lowercase();
    let is_sound = !host.is_empty()
        && !host.contains(['/', ' ', '#'])
        && path.starts_with('/')
        && !name.is_empty()
        && ![*name, value].iter().any(|text| text.contains([';', '\r']) || text.chars().any(char::is_control));
    // Some exports state the expiry in fractions of a second.
    let expires = expires.split('.').next().unwrap_or_default().parse().ok()?;
    is_sound.then(|| FileCookie {
        domain: host,
        covers_subdomains: subdomains.eq_ignore_ascii_case("TRUE"),
        path: (*path).to_owned(),
        is_secure: secure.eq_ignore_ascii_case("TRUE"),
        expires,
        name: (*name).to_owned(),
        value: value.to_owned(),
    })
}

impl FileCookie {
    /// Returns the line of a `cookies.txt` for this cookie.
    pub fn line(&self) -> String {
        let flag = |is: bool| if is { "TRUE" } else { "FALSE" };
        let dot = if self.covers_subdomains { "." } else { "" };
        format!(
            "{dot}{}\t{}\t{}\t{}\t{}\t{}\t{}",
            self.domain,
            flag(self.covers_subdomains),
            self.path,
            flag(self.is_secure),
            self.expires,
            self.name,
            self.value
        )
    }

    /// Returns whether this cookie and `other` have the same domain, path and name.
    ///
    /// If so, the later cookie replaces the earlier one.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.domain, &self.path, &self.name) == (&other.domain, &other.path, &other.name)
    }

    /// Adds the cookie to `jar`. Returns false if the cookie has expired, or if the cookie rules refuse it.
    pub(in crate::http) fn put_into(&self, jar: &mut CookieStore) -> bool {
        let scheme = if self.is_secure { "https" } else { "http" };
        let Ok(url) = Url::parse(&format!("{scheme}://{}{}", self.domain, self.path)) else { return false };
        let mut cookie = RawCookie::new(self.name.clone(), self.value.clone());
        cookie.set_path(self.path.clone());
        cookie.set_secure(self.is_secure);
        if self.covers_subdomains && !is_public_suffix(&self.domain) {
            cookie.set_domain(self.domain.clone());
        }
        // If the expiry is outside the range of the calendar, keep the cookie until the session ends.
        if let Ok(when) = OffsetDateTime::from_unix_timestamp(self.expires)
            && self.expires > 0
        {
            cookie.set_expires(when);
        }
        jar.insert_raw(&cookie, &url).is_ok()
    }
}

impl fmt::Debug for FileCookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}{}", self.name, self.domain, self.path)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::http::CookieJar;

    const FILE: &str = "# Netscape HTTP Cookie File\n\n\
        .shop.test\tTRUE\t/\tFALSE\t0\tbasket\t42\n\
        www.shop.test\tFALSE\t/account\tTRUE\t4102444800\tkept\ta=b\n\
        #HttpOnly_.shop.test\tTRUE\t/\tTRUE\t4102444800.5\tsession\tcanary\n\
        # www.shop.test\tTRUE\t/\tFALSE\t0\tcomment\t1\n\
        old.test\tFALSE\t/\tFALSE\t1\texpired\t1\n\
        .co.uk\tTRUE\t/\tFALSE\t0\twide\t1\n\
        empty.test\tFALSE\t/\tFALSE\t0\tempty\n";

    fn sent(jar: &CookieJar, to: &str) -> Vec<String> {
        let text = jar.header_for(&Url::parse(to).unwrap()).unwrap_or_default();
        let mut pairs: Vec<String> = text.split("; ").filter(|pair| !pair.is_empty()).map(str::to_owned).collect();
        pairs.sort();
        pairs
    }

    #[test]
    fn cookies_of_browser_export_are_parsed_and_match_their_hosts() {
        let cookies = parse_cookie_file(FILE).unwrap();
        assert_eq!(cookies.len(), 6);
        let jar = CookieJar::on();
        assert_eq!(jar.add(&cookies), 5, "one has expired");
        assert_eq!(sent(&jar, "http://www.shop.test/"), ["basket=42"]);
        assert_eq!(sent(&jar, "https://www.shop.test/account/me"), ["basket=42", "kept=a=b", "session=canary"]);
        assert_eq!(sent(&jar, "https://shop.test/account"), ["basket=42", "session=canary"]);
        assert_eq!(sent(&jar, "http://any.co.uk/"), [""; 0], "co.uk is a public suffix");
        assert_eq!(sent(&jar, "http://empty.test/"), ["empty="]);
        let off = CookieJar::off();
        off.add(&[]);
        assert_eq!(format!("{off:?}"), "Cookies(off)");
        assert_eq!((off.add(&cookies), sent(&off, "http://www.shop.test/")), (5, vec!["basket=42".to_owned()]));
    }

    #[test]
    fn json_export_is_read_and_other_json_is_refused() {
        let one = r#"{"domain": ".shop.test", "hostOnly": false, "path": "/", "secure": true, "expirationDate": 4102444800.7, "httpOnly": true, "name": "id", "value": "a=b"}"#;
        let two = r#"{"domain": "shop.test", "hostOnly": true, "session": true, "name": "empty", "value": ""}"#;
        let three = r#"{"domain": "shop.test", "path": "/x", "expires": -1, "name": "n", "value": "v"}"#;
        let lines = ".shop.test\tTRUE\t/\tTRUE\t4102444801\tid\ta=b\nshop.test\tFALSE\t/\tFALSE\t0\tempty\t\nshop.test\tFALSE\t/x\tFALSE\t0\tn\tv";
        for text in
            [format!("[{one},\n{two}, {three}]"), format!("\u{feff}{{\"cookies\": [{one}, {two}, {three}], \"origins\": []}}")]
        {
            assert_eq!(parse_cookie_file(&text), parse_cookie_file(lines), "{text}");
        }
        for bad in [
            r#"{"not": "netscape"}"#,
            "[1]",
            r#"[{"domain": "a.test", "name": "n"}]"#,
            r#"[{"domain": "a.test", "name": "n", "value": "a\tb"}]"#,
        ] {
            assert_eq!(parse_cookie_file(bad), Err(NotACookie(1)), "{bad}");
        }
    }

    #[test]
    fn invalid_cookie_line_is_reported_with_line_number() {
        for bad in [
            "{\"json\": true}",
            "a.test\tTRUE\t/\tFALSE\tsoon\tn\tv",
            "a.test TRUE / FALSE 0 n v",
            "\tTRUE\t/\tFALSE\t0\tn\tv",
            ".#a.test\tTRUE\t/\tFALSE\t0\tn\tv",
        ] {
            assert_eq!(parse_cookie_file(&format!("# ok\n{bad}\n")), Err(NotACookie(2)), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn written_cookie_is_read_back(
            domain in "[a-z]{1,8}\\.test", covers_subdomains: bool, is_secure: bool, expires in 0i64..5_000_000_000,
            path in "/[a-z/]{0,8}", name in "[a-zA-Z_]{1,8}", value in "[a-zA-Z0-9=%+/-]{0,20}",
        ) {
            let cookie = FileCookie { domain, covers_subdomains, path, is_secure, expires, name, value };
            prop_assert_eq!(parse_cookie_file(&cookie.line()).unwrap(), [cookie]);
        }

        #[test]
        fn arbitrary_text_parses_without_panic(text in ".{0,200}") {
            if let Ok(cookies) = parse_cookie_file(&text) {
                CookieJar::on().add(&cookies);
            }
        }
    }
}
