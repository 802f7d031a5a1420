//! Tokens of programs that may use the server, each with a name and a scope. [pure]
//!
//! - Only hashes of a token are stored. One of them is a key with which the server proves that it knows the token, before the
//!   browser sends the token or anything else.
//! - The proof contains the port, so that a program on another port cannot pass it on.
//! - A removed token is remembered for a while. Its browser then learns that it was removed, and not only that the token is
//!   unknown: the Ashore of another user on the same machine knows none of our tokens.

use ashore_engine::is_invisible;
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::Rng;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use crate::{pairing::PendingPairing, secret_hash::hash};

/// Maximum number of tokens, and of removed tokens that are remembered.
const MOST_TOKENS: usize = 32;
/// Maximum length of a name in characters.
const LONGEST_NAME: usize = 40;
/// Seconds without use after which a token ends.
const UNUSED_FOR: u64 = 90 * 24 * 60 * 60;
/// Minimum seconds between two writes of the time of use.
const SEEN_AGAIN: u64 = 60 * 60;
/// Purposes of hashes. Different purposes give hashes that cannot replace each other.
const CLIENT: &str = "token";
const SERVER: &str = "server key";

/// Permission of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TokenScope {
    /// Add downloads, and follow them.
    Add,
}

/// Token as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedToken {
    /// Public name with which a browser refers to its token.
    pub id: String,
    /// Name for people, unique among the tokens.
    pub name: String,
    pub scope: TokenScope,
    token_hash: String,
    server_key: String,
    /// Times in seconds of Unix time.
    pub made_at: u64,
    pub seen_at: u64,
    /// Whether a person has removed it.
    is_removed: bool,
}

/// Token as the browser receives it, once.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct IssuedToken {
    pub id: String,
    pub token: String,
    pub name: String,
}

/// Result of the check of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenCheck {
    /// The token is valid. True if its time of use should be written.
    Accepted(bool),
    /// A person has removed the token, or it was not used for 90 days.
    Removed,
    /// There is no such token.
    Unknown,
}

/// All tokens, and the code that waits for a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionBook {
    tokens: Vec<NamedToken>,
    pub pairing: Option<PendingPairing>,
}

impl SessionBook {
    /// Tokens that are valid at `now`, the oldest first.
    pub(crate) fn valid(&self, now: u64) -> impl Iterator<Item = &NamedToken> {
        self.tokens.iter().filter(move |token| token.is_valid(now))
    }

    /// Issues a token if `code` is the pending code of `port`, and ends the code. Otherwise counts a wrong attempt.
    pub(crate) fn redeem(&mut self, code: &str, port: u16, name: &str, now: u64, random: &mut impl Rng) -> Option<IssuedToken> {
        let pairing = self.pairing.as_mut()?;
        let is_accepted = pairing.accepts(code, port, now);
        if is_accepted || pairing.rest(now).is_none() {
            self.pairing = None;
        }
        is_accepted.then(|| self.issue(name, now, random))
    }

    fn issue(&mut self, name: &str, now: u64, random: &mut impl Rng) -> IssuedToken {
        let [id, token] = [hex::encode(random.random::<[u8; 8]>()), hex::encode(random.random::<[u8; 32]>())];
        let name = self.free_name(name, now);
        let (token_hash, server_key) = (hash(CLIENT, &token), hash(SERVER, &token));
        let scope = TokenScope::Add;
        let issued = IssuedToken { id: id.clone(), token, name: name.clone() };
        self.tokens.push(NamedToken { id, name, scope, token_hash, server_key, made_at: now, seen_at: now, is_removed: false });
        self.drop_oldest(now);
        issued
    }

    /// Keeps the most recent tokens, and the most recent removed ones.
    fn drop_oldest(&mut self, now: u64) {
        for is_valid in [true, false] {
            let count = self.tokens.iter().filter(|token| token.is_valid(now) == is_valid).count();
            let mut superfluous = count.saturating_sub(MOST_TOKENS);
            self.tokens.retain(|token| {
                let is_dropped = superfluous > 0 && token.is_valid(now) == is_valid;
                superfluous -= usize::from(is_dropped);
                !is_dropped
            });
        }
    }

    /// Returns `wanted` without control characters, with a number if another token has this name.
    fn free_name(&self, wanted: &str, now: u64) -> String {
        let printable = wanted.chars().filter(|letter| !letter.is_control() && !is_invisible(*letter));
        let name: String = printable.take(LONGEST_NAME).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { "Browser".to_owned() } else { name };
        let is_taken = |name: &str| self.valid(now).any(|token| token.name == name);
        let numbered = (2..).map(|number| format!("{name} {number}"));
        std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
    }

    /// Returns the proof that this server knows the token `id`, also of a removed token; `None` if it is unknown.
    ///
    /// `nonce` is random and chosen by the browser, and `port` is the port of this server.
    pub(crate) fn proof(&self, id: &str, nonce: &str, port: u16) -> Option<String> {
        let token = self.tokens.iter().find(|token| token.id == id)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(token.server_key.as_bytes()).ok()?;
        mac.update(format!("{port} {nonce}").as_bytes());
        Some(hex::encode(mac.finalize().into_bytes()))
    }

    /// Checks the token `id`.
    pub(crate) fn check(&self, id: &str, token: &str, now: u64) -> TokenCheck {
        let is_same =
            |known: &&NamedToken| known.id == id && bool::from(hash(CLIENT, token).as_bytes().ct_eq(known.token_hash.as_bytes()));
        match self.tokens.iter().find(is_same) {
            None => TokenCheck::Unknown,
            Some(known) if !known.is_valid(now) => TokenCheck::Removed,
            Some(known) => TokenCheck::Accepted(now.abs_diff(known.seen_at) > SEEN_AGAIN),
        }
    }

    /// Whether the token `id` is still valid.
    pub(crate) fn is_valid(&self, id: &str, now: u64) -> bool {
        self.valid(now).any(|token| token.id == id)
    }

    /// Sets the time of use.
    pub(crate) fn on_seen(&mut self, id: &str, now: u64) {
        if let Some(token) = self.tokens.iter_mut().find(|token| token.id == id && token.is_valid(now)) {
            token.seen_at = now;
        }
    }

    /// Drops the token `id`, which no browser has received.
    pub(crate) fn discard(&mut self, id: &str) {
        self.tokens.retain(|token| token.id != id);
    }

    /// Removes the token with this name. Returns false if there is none.
    pub(crate) fn remove(&mut self, name: &str, now: u64) -> bool {
        let Some(token) = self.tokens.iter_mut().find(|token| token.name == name && token.is_valid(now)) else { return false };
        token.is_removed = true;
        self.drop_oldest(now);
        true
    }
}

impl NamedToken {
    fn is_valid(&self, now: u64) -> bool {
        !self.is_removed && now.saturating_sub(self.seen_at) <= UNUSED_FOR
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const NOW: u64 = 1_800_000_000;
    const PORT: u16 = 7;

    fn paired(book: &mut SessionBook, name: &str, random: &mut StdRng) -> IssuedToken {
        let (pairing, code) = PendingPairing::new(PORT, 0, NOW, random);
        book.pairing = Some(pairing);
        book.redeem(&code, PORT, name, NOW, random).unwrap()
    }

    fn one() -> (SessionBook, IssuedToken, StdRng) {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let issued = paired(&mut book, "Firefox", &mut random);
        (book, issued, random)
    }

    #[test]
    fn code_can_be_exchanged_for_only_one_token() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let (pairing, code) = PendingPairing::new(PORT, 0, NOW, &mut random);
        book.pairing = Some(pairing);
        assert!(book.redeem("22222222", PORT, "A", NOW, &mut random).is_none());
        assert!(book.redeem(&code, PORT, "A", NOW, &mut random).is_some());
        assert!(book.redeem(&code, PORT, "A", NOW, &mut random).is_none());
        assert_eq!(book.valid(NOW).count(), 1);
    }

    #[test]
    fn code_ends_after_wrong_attempts_or_after_its_time() {
        let mut random = StdRng::seed_from_u64(1);
        let (pairing, code) = PendingPairing::new(PORT, 0, NOW, &mut random);
        let mut book = SessionBook { pairing: Some(pairing), ..SessionBook::default() };
        assert!(book.clone().redeem(&code, PORT, "A", NOW + 300, &mut random).is_none());
        for _ in 0..5 {
            assert!(book.redeem("22222222", PORT, "A", NOW, &mut random).is_none());
        }
        assert_eq!(book, SessionBook::default());
        assert!(book.redeem(&code, PORT, "A", NOW, &mut random).is_none());
    }

    #[test]
    fn secrets_are_not_stored() {
        let (book, issued, _) = one();
        let stored = serde_json::to_string(&book).unwrap();
        assert!(!stored.contains(&issued.token) && stored.contains(&issued.id));
        assert_eq!(serde_json::from_str::<SessionBook>(&stored).unwrap(), book);
    }

    #[test]
    fn only_whole_token_is_accepted() {
        let (book, IssuedToken { id, token, .. }, _) = one();
        assert_eq!(book.check(&id, &token, NOW), TokenCheck::Accepted(false));
        assert_eq!(book.check(&id, &token, NOW + SEEN_AGAIN + 1), TokenCheck::Accepted(true));
        for (id, token) in [(id.as_str(), ""), (&id, &token[1..]), (&id, &id), ("", &token), (&token, &token)] {
            assert_eq!(book.check(id, token, NOW), TokenCheck::Unknown, "{id}");
        }
    }

    #[test]
    fn token_is_invalid_after_removal_or_long_disuse() {
        let (mut book, IssuedToken { id, token, name }, _) = one();
        assert_eq!(book.check(&id, &token, NOW + UNUSED_FOR + 1), TokenCheck::Removed);
        book.on_seen(&id, NOW + 10);
        assert_eq!(book.check(&id, &token, NOW + UNUSED_FOR + 1), TokenCheck::Accepted(true));
        assert!(book.remove(&name, NOW + 10) && !book.remove(&name, NOW + 10));
        assert_eq!(book.check(&id, &token, NOW + 10), TokenCheck::Removed);
        assert!(book.valid(NOW).next().is_none() && !book.is_valid(&id, NOW));
        // The browser must recognise this server to believe it.
        assert!(book.proof(&id, "n", 1).is_some());
    }

    #[test]
    fn discarded_token_is_unknown() {
        let (mut book, IssuedToken { id, token, .. }, _) = one();
        book.discard(&id);
        assert_eq!(book.check(&id, &token, NOW), TokenCheck::Unknown);
        assert!(book.valid(NOW).next().is_none());
    }

    #[test]
    fn proof_depends_on_token_nonce_and_port() {
        let (mut book, first, mut random) = one();
        let second = paired(&mut book, "Firefox", &mut random);
        let proofs = [(&first, "a", 1), (&second, "a", 1), (&first, "b", 1), (&first, "a", 2)];
        let made: std::collections::BTreeSet<_> = proofs.map(|(token, nonce, port)| book.proof(&token.id, nonce, port)).into();
        assert_eq!(made.len(), 4);
        assert_eq!(book.proof("unknown", "a", 1), None);
        // Computed independently, as the extension does.
        let key = hash(SERVER, &first.token);
        let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
        mac.update(b"1 a");
        assert_eq!(book.proof(&first.id, "a", 1), Some(hex::encode(mac.finalize().into_bytes())));
    }

    #[test]
    fn names_are_unique_printable_and_short() {
        let (mut book, _, mut random) = one();
        let long = "x".repeat(90);
        for (wanted, expected) in [
            ("Firefox", "Firefox 2"),
            ("Firefox", "Firefox 3"),
            ("", "Browser"),
            (" a\n\u{202e}b\u{7}  c ", "ab c"),
            (long.as_str(), &long[..LONGEST_NAME]),
        ] {
            assert_eq!(paired(&mut book, wanted, &mut random).name, expected);
        }
    }

    #[test]
    fn new_token_replaces_the_oldest_above_the_limit() {
        let (mut book, first, mut random) = one();
        for _ in 0..MOST_TOKENS {
            paired(&mut book, "Other", &mut random);
        }
        assert_eq!(book.valid(NOW).count(), MOST_TOKENS);
        assert_eq!(book.check(&first.id, &first.token, NOW), TokenCheck::Unknown);
    }
}
