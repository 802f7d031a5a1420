//! Answers Digest challenges without sending the password (RFC 7616, and RFC 2617 for older servers).
//!
//! - `credentials` stores one session for each server or proxy that sent a challenge.
//! - The algorithms are MD5, SHA-256 and their session variants, with and without `qop=auth`.
//! - The crate `digest_auth` is not used, because it would add a second generation of the digest crates.

use std::sync::atomic::{AtomicU32, Ordering};

use md5::Md5;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::http::auth::challenge::AuthChallenge;

/// Digest challenge of a server, and the number of answers to it.
///
/// All connections to the server share the session. Each answer contains its own number (`nc`). The server uses this
/// number to detect a replay (RFC 7616, section 3.3).
#[derive(Debug)]
pub(in crate::http) struct DigestSession {
    asked: DigestRequest,
    /// Client nonce. It stays the same for the whole session, because the session variants hash it into their key.
    cnonce: String,
    count: AtomicU32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct DigestRequest {
    realm: String,
    nonce: String,
    opaque: Option<String>,
    hash: Hash,
    is_session: bool,
    /// Algorithm as the server wrote it.
    ///
    /// `None` if the challenge names no algorithm. The answer then names none either.
    algorithm: Option<String>,
    has_qop: bool,
    hides_user: bool,
    is_utf8: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Hash {
    Md5,
    Sha256,
}

impl DigestSession {
    /// Returns a session for the strongest challenge that can be answered, or `None`.
    pub fn best_of(challenges: &[AuthChallenge]) -> Option<Self> {
        let asked = challenges.iter().filter_map(DigestRequest::from_challenge);
        // Of equally strong challenges, keep the first: the server prefers it.
        let asked = asked.reduce(|best, next| if next.hash > best.hash { next } else { best })?;
        Some(Self { asked, cnonce: Uuid::new_v4().simple().to_string(), count: AtomicU32::new(0) })
    }

    /// Returns the nonce of the challenge, which identifies the session.
    pub fn nonce(&self) -> &str {
        &self.asked.nonce
    }

    /// Returns the next `Authorization` value for a request to `target`. `target` is the path with its query, or
    /// `host:port` of a tunnel.
    pub fn answer(&self, user: &str, password: &str, method: &str, target: &str) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        self.asked.answer(user, password, method, target, count, &self.cnonce)
    }
}

impl DigestRequest {
    fn from_challenge(challenge: &AuthChallenge) -> Option<Self> {
        if challenge.scheme != "digest" {
            return None;
        }
        let algorithm = challenge.get("algorithm");
        let name = algorithm.unwrap_or("MD5").to_ascii_lowercase();
        let (hash, is_session) = match name.strip_suffix("-sess").map_or((name.as_str(), false), |name| (name, true)) {
            ("md5", is_session) => (Hash::Md5, is_session),
            ("sha-256", is_session) => (Hash::Sha256, is_session),
            _ => return None,
        };
        let qop = challenge.get("qop").filter(|qop| !qop.trim().is_empty());
        let offers_auth = |qop: &str| qop.split(',').any(|one| one.trim().eq_ignore_ascii_case("auth"));
        if qop.is_some_and(|qop| !offers_auth(qop)) {
            return None;
        }
        let is_true = |name| challenge.get(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        Some(Self {
            realm: challenge.get("realm").unwrap_or_default().to_owned(),
            nonce: challenge.get("nonce")?.to_owned(),
            opaque: challenge.get("opaque").map(str::to_owned),
            hash,
            is_session,
            algorithm: algorithm.map(str::to_owned),
            has_qop: qop.is_some(),
            hides_user: is_true("userhash"),
            is_utf8: challenge.get("charset").is_some_and(|charset| charset.eq_ignore_ascii_case("utf-8")),
        })
    }

    fn answer(&self, user: &str, password: &str, method: &str, target: &str, count: u32, cnonce: &str) -> String {
        let Self { realm, nonce, .. } = self;
        let count = format!("{count:08x}");
        let mut key = self.hash(&format!("{user}:{realm}:{password}"));
        if self.is_session {
            key = self.hash(&format!("{key}:{nonce}:{cnonce}"));
        }
        let request = self.hash(&format!("{method}:{target}"));
        let response = match self.has_qop {
            true => self.hash(&format!("{key}:{nonce}:{count}:{cnonce}:auth:{request}")),
            false => self.hash(&format!("{key}:{nonce}:{request}")),
        };
        let mut answer = match self.hides_user {
            true => format!("Digest username=\"{}\"", self.hash(&format!("{user}:{realm}"))),
            // RFC 7616, section 3.4: a name that is not ASCII needs the extended notation.
            false if self.is_utf8 && !user.is_ascii() => format!("Digest username*=UTF-8''{}", percent_encoded(user)),
            false => format!("Digest username=\"{}\"", quoted(user)),
        };
        let target = quoted(target);
        answer +=
            &format!(", realm=\"{}\", nonce=\"{}\", uri=\"{target}\", response=\"{response}\"", quoted(realm), quoted(nonce));
        if let Some(algorithm) = &self.algorithm {
            answer += &format!(", algorithm={algorithm}");
        }
        if let Some(opaque) = &self.opaque {
            answer += &format!(", opaque=\"{}\"", quoted(opaque));
        }
        if self.has_qop {
            answer += &format!(", qop=auth, nc={count}, cnonce=\"{cnonce}\"");
        } else if self.is_session {
            answer += &format!(", cnonce=\"{cnonce}\"");
        }
        if self.hides_user {
            answer += ", userhash=true";
        }
        answer
    }

    fn hash(&self, text: &str) -> String {
        match self.hash {
            Hash::Md5 => hex::encode(Md5::digest(text)),
            Hash::Sha256 => hex::encode(Sha256::digest(text)),
        }
    }
}

/// Whether the server reports a stale nonce. This means that the password was correct.
pub(in crate::http) fn is_stale(challenges: &[AuthChallenge]) -> bool {
    let is_stale = |challenge: &AuthChallenge| challenge.get("stale").is_some_and(|stale| stale.eq_ignore_ascii_case("true"));
    challenges.iter().any(|challenge| challenge.scheme == "digest" && is_stale(challenge))
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn percent_encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header::WWW_AUTHENTICATE};

    use super::*;
    use crate::http::auth::challenge::challenges;

    fn session_for(text: &str) -> Option<DigestSession> {
        let headers = HeaderMap::from_iter([(WWW_AUTHENTICATE, HeaderValue::from_str(text).unwrap())]);
        DigestSession::best_of(&challenges(&headers, &WWW_AUTHENTICATE))
    }

    fn response(answer: &str) -> &str {
        answer.split_once("response=\"").unwrap().1.split_once('"').unwrap().0
    }

    /// Challenge from RFC 7616, section 3.9.1, without its algorithm.
    const REALM: &str = "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";
    const CNONCE: &str = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

    #[test]
    fn rfc_7616_examples_produce_documented_responses() {
        for (algorithm, expected) in [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ] {
            let asked = session_for(&format!("{REALM}, algorithm={algorithm}")).unwrap().asked;
            let answer = asked.answer("Mufasa", "Circle of Life", "GET", "/dir/index.html", 1, CNONCE);
            assert_eq!(response(&answer), expected);
            assert!(answer.contains(&format!("algorithm={algorithm}, opaque=\"FQhe/")), "{answer}");
            assert!(answer.ends_with(&format!("qop=auth, nc=00000001, cnonce=\"{CNONCE}\"")), "{answer}");
        }
    }

    /// Example from RFC 2069, section 2.4, as corrected by erratum 749.
    #[test]
    fn challenge_without_qop_is_answered_as_in_rfc_2069() {
        let asked =
            session_for("Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"").unwrap().asked;
        let answer = asked.answer("Mufasa", "CircleOfLife", "GET", "/dir/index.html", 1, "c");
        assert_eq!(response(&answer), "1949323746fe6a43ef61f9606e7febea");
        assert!(!answer.contains("nc=") && !answer.contains("algorithm") && !answer.contains("cnonce"), "{answer}");
    }

    #[test]
    fn session_algorithm_hashes_both_nonces_into_key() {
        let md5 = |text: String| hex::encode(Md5::digest(text));
        let asked = session_for("Digest realm=\"r\", nonce=\"n\", qop=auth, algorithm=MD5-sess").unwrap().asked;
        let key = md5(format!("{}:n:c", md5("u:r:p".to_owned())));
        let expected = md5(format!("{key}:n:00000002:c:auth:{}", md5("GET:/x?y".to_owned())));
        assert_eq!(response(&asked.answer("u", "p", "GET", "/x?y", 2, "c")), expected);
    }

    #[test]
    fn user_name_is_hashed_or_encoded_as_server_requests() {
        let hidden = session_for("Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256, userhash=true")
            .unwrap()
            .answer("u", "p", "GET", "/");
        assert!(hidden.contains(&hex::encode(Sha256::digest("u:r"))) && hidden.ends_with("userhash=true"), "{hidden}");
        let named = |charset: &str| {
            session_for(&format!("Digest realm=\"r\", nonce=\"n\"{charset}")).unwrap().answer("j\u{e4}", "p", "GET", "/")
        };
        assert!(named(", charset=UTF-8").contains("username*=UTF-8''j%C3%A4,"), "{}", named(", charset=UTF-8"));
        assert!(named("").contains("username=\"j\u{e4}\""));
    }

    #[test]
    fn strongest_supported_challenge_is_answered() {
        let of = |text: &str| session_for(text).map(|session| session.asked.hash);
        let both = "Digest realm=r, nonce=n, algorithm=MD5, Digest realm=r, nonce=m, algorithm=SHA-256";
        assert_eq!((of(both), session_for(both).unwrap().nonce()), (Some(Hash::Sha256), "m"));
        for none in [
            "Digest realm=r, nonce=n, algorithm=SHA-512-256",
            "Digest realm=r, nonce=n, qop=auth-int",
            "Digest realm=r",
            "Basic nonce=n",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn each_digest_answer_increments_count_but_keeps_client_nonce() {
        let session = session_for("Digest realm=r, nonce=n, qop=auth").unwrap();
        let answers = [1, 2, 3].map(|_| session.answer("u", "p", "GET", "/"));
        let cnonce = |answer: &str| answer.split_once("cnonce=").unwrap().1.to_owned();
        for (place, answer) in answers.iter().enumerate() {
            assert!(answer.contains(&format!("nc=0000000{}", place + 1)), "{answer}");
            assert_eq!(cnonce(answer), cnonce(&answers[0]));
        }
    }
}
