//! Browsers, devices and programs that may use the server, each with a name and a scope. [pure]
//!
//! - Only hashes of their secrets are stored.
//! - A browser is paired: its extension hands downloads over to Ashore. A second hash of the browser's token is a key.
//!   With this key the server proves that it knows the token, before the browser sends the token or anything else.
//! - A device is signed in: it shows the page. Its key has two halves, which the browser keeps in different places.
//! - A program has a token that a person gave a name.
//! - The proof contains the port, so that a program on another port cannot pass it on.
//! - A removed token is remembered for a while, so that its browser can learn that the token was removed. An unknown
//!   token is no such evidence, because the Ashore of another user on the same machine knows none of our tokens.

use ashore_engine::{RequestSource, is_invisible};
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::Rng;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use crate::{pairing::PendingPairing, pairing_link::PendingLink, secret_hash::hash, token_scope::TokenScope};

/// Maximum number of tokens of one kind, and of removed tokens that are remembered.
const MOST_TOKENS: usize = 32;
/// Maximum length of a name in characters.
const LONGEST_NAME: usize = 40;
/// Number of seconds after which an unused token ends.
const UNUSED_FOR: u64 = 90 * 24 * 60 * 60;
/// Minimum seconds between two writes of the time of use.
const SEEN_AGAIN: u64 = 60 * 60;
/// Purposes of hashes. Different purposes give hashes that cannot replace each other.
const CLIENT: &str = "token";
const SERVER: &str = "server key";
const DEVICE: &str = "device key";
const PROGRAM: &str = "program token";
/// Names for tokens whose owner gave no usable name.
const BROWSER_NAME: &str = "Browser";
const DEVICE_NAME: &str = "Device";

/// Kind of the owner of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TokenKind {
    /// Paired browser, whose extension hands downloads over.
    #[default]
    Browser,
    /// Browser that shows the page.
    Device,
    /// Program.
    Program,
}

/// Token as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedToken {
    /// Public name with which a browser refers to its token.
    pub id: String,
    /// Name, as shown to people. It is unique among the tokens.
    pub name: String,
    pub scope: TokenScope,
    /// Kind of the owner. If the file has no kind, the owner is a browser, because an earlier version stored only
    /// browsers.
    #[serde(default)]
    pub kind: TokenKind,
    token_hash: String,
    /// Empty unless the owner is a paired browser.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    server_key: String,
    /// Times in seconds of Unix time.
    pub made_at: u64,
    pub seen_at: u64,
    /// Whether a person has removed the token.
    is_removed: bool,
}

/// Token in the form that its owner receives once.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct IssuedToken {
    pub id: String,
    pub token: String,
    pub name: String,
}

/// Whole key of a device, which exists only at the sign-in. Afterwards, the browser of the device keeps the two halves
/// in different places.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SessionKey {
    pub id: String,
    /// Both halves are random, and each is 64 hexadecimal digits.
    pub first: String,
    pub second: String,
}

/// Owner of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenOwner {
    pub id: String,
    pub name: String,
    pub scope: TokenScope,
    pub kind: TokenKind,
    /// Whether the time of use should be written.
    pub is_old: bool,
}

impl TokenOwner {
    /// Returns the source of everything that the owner requests. Only a device with the scope for control acts for a
    /// person.
    pub(crate) fn source(&self) -> RequestSource {
        match (self.kind, self.scope) {
            (TokenKind::Device, TokenScope::Control) => RequestSource::Window,
            _ => RequestSource::Program,
        }
    }
}

/// Reason why a program received no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgramRefusal {
    /// Another token has the name, or the name is not valid.
    NameTaken,
    /// The maximum number of programs, [`MOST_TOKENS`], already have a token.
    TooMany,
}

/// Result of checking a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenCheck {
    /// The token is valid. The value is true if the time of use should be written.
    Accepted(bool),
    /// A person has removed the token, or it was not used for 90 days.
    Removed,
    /// There is no such token.
    Unknown,
}

/// All tokens, the code that waits for a browser, and the link that waits for a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionBook {
    tokens: Vec<NamedToken>,
    pub pairing: Option<PendingPairing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<PendingLink>,
}

impl SessionBook {
    /// Tokens of paired browsers that are valid at `now`, the oldest first.
    pub(crate) fn valid(&self, now: u64) -> impl Iterator<Item = &NamedToken> {
        self.valid_of(&[TokenKind::Browser], now)
    }

    /// Tokens of these kinds that are valid at `now`, the oldest first.
    pub(crate) fn valid_of<'a>(&'a self, kinds: &'a [TokenKind], now: u64) -> impl Iterator<Item = &'a NamedToken> {
        self.tokens.iter().filter(move |token| kinds.contains(&token.kind) && token.is_valid(now))
    }

    /// Issues a token if `code` is the pending code of `port`, and ends the code. Otherwise counts a wrong attempt.
    pub(crate) fn redeem(&mut self, code: &str, port: u16, name: &str, now: u64, random: &mut impl Rng) -> Option<IssuedToken> {
        let pairing = self.pairing.as_mut()?;
        let is_accepted = pairing.accepts(code, port, now);
        if is_accepted || pairing.seconds_left(now).is_none() {
            self.pairing = None;
        }
        is_accepted.then(|| self.issue(name, now, random))
    }

    fn issue(&mut self, name: &str, now: u64, random: &mut impl Rng) -> IssuedToken {
        let [id, token] = [new_id(random), new_secret(random)];
        let name = self.free_name(name, BROWSER_NAME, now);
        let (token_hash, server_key) = (hash(CLIENT, &token), hash(SERVER, &token));
        let issued = IssuedToken { id: id.clone(), token, name: name.clone() };
        let (scope, kind) = (TokenScope::Add, TokenKind::Browser);
        self.push(NamedToken { id, name, scope, kind, token_hash, server_key, made_at: now, seen_at: now, is_removed: false });
        issued
    }

    /// Signs a device in if `code` is that of the pending link, and ends the link.
    pub(crate) fn redeem_link(
        &mut self,
        code: &str,
        name: &str,
        now: u64,
        random: &mut impl Rng,
    ) -> Option<(SessionKey, TokenOwner)> {
        let scope = self.link.as_ref().filter(|link| link.accepts(code, now))?.scope;
        self.link = None;
        Some(self.sign_in(name, scope, now, random))
    }

    /// Signs a device in. Returns its key and its name.
    pub(crate) fn sign_in(&mut self, name: &str, scope: TokenScope, now: u64, random: &mut impl Rng) -> (SessionKey, TokenOwner) {
        let [first, second] = [new_secret(random), new_secret(random)];
        let (id, name) = (new_id(random), self.free_name(name, DEVICE_NAME, now));
        let (token_hash, server_key) = (hash_of_halves(&first, &second), String::new());
        let (kind, is_removed) = (TokenKind::Device, false);
        let owner = TokenOwner { id: id.clone(), name: name.clone(), scope, kind, is_old: false };
        let id = owner.id.clone();
        self.push(NamedToken { id, name, scope, kind, token_hash, server_key, made_at: now, seen_at: now, is_removed });
        (SessionKey { id: owner.id.clone(), first, second }, owner)
    }

    /// Issues a token for a program. Fails if another token has this name, or if there are too many programs.
    pub(crate) fn issue_to_program(
        &mut self,
        name: &str,
        scope: TokenScope,
        now: u64,
        random: &mut impl Rng,
    ) -> Result<IssuedToken, ProgramRefusal> {
        let (id, token, free) = (new_id(random), new_secret(random), self.free_name(name, "", now));
        if free != name {
            return Err(ProgramRefusal::NameTaken);
        }
        // Unlike a device, a program has no person who signs it in again.
        if self.valid_of(&[TokenKind::Program], now).count() >= MOST_TOKENS {
            return Err(ProgramRefusal::TooMany);
        }
        let (token_hash, server_key, kind) = (hash(PROGRAM, &token), String::new(), TokenKind::Program);
        let issued = IssuedToken { id: id.clone(), token, name: free.clone() };
        self.push(NamedToken {
            id,
            name: free,
            scope,
            kind,
            token_hash,
            server_key,
            made_at: now,
            seen_at: now,
            is_removed: false,
        });
        Ok(issued)
    }

    /// Returns the device `id` if both halves are those of its key. Returns `None` if a half is wrong, or if the device
    /// is signed out.
    pub(crate) fn device(&self, id: &str, first: &str, second: &str, now: u64) -> Option<TokenOwner> {
        let sent = hash_of_halves(first, second);
        self.owner(now, |token| token.kind == TokenKind::Device && token.id == id && is_same_hash(&sent, &token.token_hash))
    }

    /// Returns the program with this token.
    pub(crate) fn program(&self, token: &str, now: u64) -> Option<TokenOwner> {
        let sent = hash(PROGRAM, token);
        self.owner(now, |known| known.kind == TokenKind::Program && is_same_hash(&sent, &known.token_hash))
    }

    fn owner(&self, now: u64, is_owner: impl Fn(&NamedToken) -> bool) -> Option<TokenOwner> {
        let token = self.tokens.iter().find(|token| token.is_valid(now) && is_owner(token))?;
        let is_old = now.abs_diff(token.seen_at) > SEEN_AGAIN;
        Some(TokenOwner { id: token.id.clone(), name: token.name.clone(), scope: token.scope, kind: token.kind, is_old })
    }

    /// Signs out all devices. Tokens of programs stay valid.
    pub(crate) fn sign_out_devices(&mut self) {
        self.tokens.retain(|token| token.kind != TokenKind::Device);
        self.link = None;
    }

    /// Signs out the device or program with this name. Returns false if no device or program has this name.
    pub(crate) fn sign_out(&mut self, name: &str, now: u64) -> bool {
        let found = self.valid_of(&[TokenKind::Device, TokenKind::Program], now).find(|token| token.name == name);
        let Some(id) = found.map(|token| token.id.clone()) else { return false };
        self.discard(&id);
        true
    }

    fn push(&mut self, token: NamedToken) {
        let (kind, now) = (token.kind, token.made_at);
        self.tokens.push(token);
        self.drop_unused(kind, now);
    }

    /// Drops the tokens of a kind that were not used for the longest time. Keeps [`MOST_TOKENS`] valid tokens, and as many
    /// that are no longer valid.
    fn drop_unused(&mut self, kind: TokenKind, now: u64) {
        for is_valid in [true, false] {
            let is_counted = |token: &NamedToken| token.kind == kind && token.is_valid(now) == is_valid;
            while self.tokens.iter().filter(|token| is_counted(token)).count() > MOST_TOKENS {
                let counted = self.tokens.iter().enumerate().filter(|(_, token)| is_counted(token));
                let Some((unused, _)) = counted.min_by_key(|(_, token)| token.seen_at) else { break };
                self.tokens.remove(unused);
            }
        }
    }

    /// Returns `wanted` without control characters. Adds a number if another token has this name. Returns `usual` if no
    /// character remains.
    fn free_name(&self, wanted: &str, usual: &str, now: u64) -> String {
        let printable = wanted.chars().filter(|letter| !letter.is_control() && !is_invisible(*letter));
        let name: String = printable.take(LONGEST_NAME).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { usual.to_owned() } else { name };
        let is_taken = |name: &str| self.tokens.iter().any(|token| token.is_valid(now) && token.name == name);
        let numbered = (2..).map(|number| format!("{name} {number}"));
        std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
    }

    /// Returns the proof that this server knows the token `id`. The token may have been removed. Returns `None` if the
    /// token is unknown.
    ///
    /// `nonce` is random and chosen by the browser, and `port` is the port of this server.
    pub(crate) fn proof(&self, id: &str, nonce: &str, port: u16) -> Option<String> {
        let token = self.tokens.iter().find(|token| token.kind == TokenKind::Browser && token.id == id)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(token.server_key.as_bytes()).ok()?;
        mac.update(format!("{port} {nonce}").as_bytes());
        Some(hex::encode(mac.finalize().into_bytes()))
    }

    /// Checks the token `id` of a browser.
    pub(crate) fn check(&self, id: &str, token: &str, now: u64) -> TokenCheck {
        let sent = hash(CLIENT, token);
        let is_same =
            |known: &&NamedToken| known.kind == TokenKind::Browser && known.id == id && is_same_hash(&sent, &known.token_hash);
        match self.tokens.iter().find(is_same) {
            None => TokenCheck::Unknown,
            Some(known) if !known.is_valid(now) => TokenCheck::Removed,
            Some(known) => TokenCheck::Accepted(now.abs_diff(known.seen_at) > SEEN_AGAIN),
        }
    }

    /// Whether the token `id` is still valid.
    pub(crate) fn is_valid(&self, id: &str, now: u64) -> bool {
        self.tokens.iter().any(|token| token.id == id && token.is_valid(now))
    }

    /// Sets the time of use.
    pub(crate) fn on_seen(&mut self, id: &str, now: u64) {
        if let Some(token) = self.tokens.iter_mut().find(|token| token.id == id && token.is_valid(now)) {
            token.seen_at = now;
        }
    }

    /// Drops the token `id`, as if it had never been issued.
    pub(crate) fn discard(&mut self, id: &str) {
        self.tokens.retain(|token| token.id != id);
    }

    /// Removes the paired browser with this name. Returns false if no browser has this name.
    pub(crate) fn remove(&mut self, name: &str, now: u64) -> bool {
        let is_named = |token: &&mut NamedToken| token.kind == TokenKind::Browser && token.name == name && token.is_valid(now);
        let Some(token) = self.tokens.iter_mut().find(is_named) else { return false };
        token.is_removed = true;
        self.drop_unused(TokenKind::Browser, now);
        true
    }
}

fn new_id(random: &mut impl Rng) -> String {
    hex::encode(random.random::<[u8; 8]>())
}

/// Returns 256 random bits in hexadecimal.
pub(crate) fn new_secret(random: &mut impl Rng) -> String {
    hex::encode(random.random::<[u8; 32]>())
}

/// Returns the hash of a key that has two halves. Neither half can be computed from the hash and the other half.
fn hash_of_halves(first: &str, second: &str) -> String {
    hash(DEVICE, &format!("{first}.{second}"))
}

fn is_same_hash(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
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
    fn only_device_with_control_scope_counts_as_person() {
        let source = |kind, scope| TokenOwner { id: String::new(), name: String::new(), scope, kind, is_old: false }.source();
        assert_eq!(source(TokenKind::Device, TokenScope::Control), RequestSource::Window);
        assert_eq!(source(TokenKind::Device, TokenScope::Add), RequestSource::Program);
        assert_eq!(source(TokenKind::Program, TokenScope::Control), RequestSource::Program);
    }

    #[test]
    fn pairing_code_can_be_exchanged_for_only_one_token() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let (pairing, code) = PendingPairing::new(PORT, 0, NOW, &mut random);
        book.pairing = Some(pairing);
        assert!(book.redeem("22222222", PORT, "A", NOW, &mut random).is_none());
        assert!(book.redeem(&code, PORT, "A", NOW, &mut random).is_some());
        assert!(book.redeem(&code, PORT, "A", NOW, &mut random).is_none());
        assert_eq!(book.valid(NOW).count(), 1);
    }

    #[test]
    fn pairing_code_is_invalid_after_five_wrong_attempts_or_when_it_expires() {
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
    fn stored_sessions_do_not_contain_the_issued_token() {
        let (book, issued, _) = one();
        let stored = serde_json::to_string(&book).unwrap();
        assert!(!stored.contains(&issued.token) && stored.contains(&issued.id));
        assert_eq!(serde_json::from_str::<SessionBook>(&stored).unwrap(), book);
    }

    #[test]
    fn token_is_accepted_only_if_it_is_complete() {
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
        // The browser believes the removal only if the server proves that it knows the token.
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
        // Compute the proof independently, in the same way as the extension.
        let key = hash(SERVER, &first.token);
        let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
        mac.update(b"1 a");
        assert_eq!(book.proof(&first.id, "a", 1), Some(hex::encode(mac.finalize().into_bytes())));
    }

    #[test]
    fn names_of_paired_browsers_are_made_unique_and_printable_and_short() {
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
    fn oldest_token_is_removed_if_a_new_token_exceeds_the_limit() {
        let (mut book, first, mut random) = one();
        for _ in 0..MOST_TOKENS {
            paired(&mut book, "Other", &mut random);
        }
        assert_eq!(book.valid(NOW).count(), MOST_TOKENS);
        assert_eq!(book.check(&first.id, &first.token, NOW), TokenCheck::Unknown);
    }

    #[test]
    fn device_is_recognised_only_if_it_sends_both_halves_of_its_key() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let (SessionKey { id, first, second }, owner) = book.sign_in("Phone", TokenScope::Control, NOW, &mut random);
        let (other, _) = book.sign_in("Tablet", TokenScope::Read, NOW, &mut random);
        assert_eq!(book.device(&id, &first, &second, NOW), Some(owner));
        for (id, first, second) in [
            (&id, &first, &other.second),
            (&id, &other.first, &second),
            (&id, &second, &first),
            (&id, &first, &String::new()),
            (&id, &String::new(), &second),
            (&other.id, &first, &second),
        ] {
            assert_eq!(book.device(id, first, second, NOW), None);
        }
        // A text with both halves and a delimiter is not a valid half.
        assert_eq!(book.device(&id, &format!("{first}.{second}"), "", NOW), None);
        let stored = serde_json::to_string(&book).unwrap();
        assert!(!stored.contains(&first) && !stored.contains(&second));
    }

    #[test]
    fn new_sign_in_ends_the_device_that_was_not_used_for_the_longest_time() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let mut sign_in = |book: &mut SessionBook| book.sign_in("", TokenScope::Control, NOW, &mut random).0.id;
        let ids: Vec<String> = (0..MOST_TOKENS).map(|_| sign_in(&mut book)).collect();
        ids.iter().filter(|id| **id != ids[5]).for_each(|id| book.on_seen(id, NOW + 1));
        let new = sign_in(&mut book);
        assert!(!book.is_valid(&ids[5], NOW) && book.is_valid(&ids[0], NOW) && book.is_valid(&new, NOW));
    }

    #[test]
    fn token_of_program_is_refused_if_too_many_programs_have_one() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let mut issue = |book: &mut SessionBook, name: &str| book.issue_to_program(name, TokenScope::Add, NOW, &mut random);
        let first = issue(&mut book, "0").unwrap();
        (1..MOST_TOKENS).for_each(|number| drop(issue(&mut book, &number.to_string()).unwrap()));
        assert_eq!(issue(&mut book, "new").err(), Some(ProgramRefusal::TooMany));
        assert!(book.program(&first.token, NOW).is_some());
    }

    #[test]
    fn device_is_signed_out_by_name_or_after_90_days() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let (key, _) = book.sign_in("Phone", TokenScope::Control, NOW, &mut random);
        let is_known = |book: &SessionBook, now| book.device(&key.id, &key.first, &key.second, now).is_some();
        assert!(is_known(&book, NOW + UNUSED_FOR) && !is_known(&book, NOW + UNUSED_FOR + 1));
        book.on_seen(&key.id, NOW + UNUSED_FOR);
        assert!(is_known(&book, NOW + UNUSED_FOR + 1));
        assert!(book.sign_out("Phone", NOW) && !book.sign_out("Phone", NOW));
        assert!(!is_known(&book, NOW) && !book.is_valid(&key.id, NOW));
    }

    #[test]
    fn sign_in_link_signs_one_device_in_with_the_scope_of_the_link() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let (link, code) = PendingLink::new(TokenScope::Read, NOW, &mut random);
        book.link = Some(link);
        assert!(book.redeem_link("00", "A", NOW, &mut random).is_none());
        let (_, owner) = book.redeem_link(&code, "A", NOW, &mut random).unwrap();
        assert_eq!((owner.name.as_str(), owner.scope), ("A", TokenScope::Read));
        assert!(book.redeem_link(&code, "A", NOW, &mut random).is_none());
    }

    #[test]
    fn program_token_has_unique_name_and_survives_renewal() {
        let (mut book, mut random) = (SessionBook::default(), StdRng::seed_from_u64(1));
        let issued = book.issue_to_program("sonarr", TokenScope::Add, NOW, &mut random).unwrap();
        assert!(book.issue_to_program("sonarr", TokenScope::Add, NOW, &mut random).is_err());
        assert!(book.issue_to_program(" ", TokenScope::Add, NOW, &mut random).is_err());
        let (key, _) = book.sign_in("", TokenScope::Control, NOW, &mut random);
        book.sign_out_devices();
        assert_eq!(book.program(&issued.token, NOW).unwrap().name, "sonarr");
        assert!(book.program(&key.first, NOW).is_none() && book.device(&key.id, &key.first, &key.second, NOW).is_none());
        assert!(book.sign_out("sonarr", NOW) && book.program(&issued.token, NOW).is_none());
    }

    #[test]
    fn secret_of_browser_or_program_or_device_is_not_accepted_for_another_kind() {
        let (mut book, browser, mut random) = one();
        let program = book.issue_to_program("sonarr", TokenScope::Control, NOW, &mut random).unwrap();
        let (device, _) = book.sign_in("Phone", TokenScope::Control, NOW, &mut random);
        assert_eq!(book.check(&program.id, &program.token, NOW), TokenCheck::Unknown);
        assert_eq!(book.check(&device.id, &device.first, NOW), TokenCheck::Unknown);
        assert!(book.program(&browser.token, NOW).is_none() && book.proof(&device.id, "n", 1).is_none());
        assert!(!book.remove("Phone", NOW) && !book.sign_out("Firefox", NOW));
    }
}
