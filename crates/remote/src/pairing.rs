//! The code that a person copies into the browser, to pair it with Ashore. [pure]
//!
//! - A code has eight characters, is used once, and ends after five minutes or five wrong attempts.
//! - The first character also names the port. The extension sends a code only to this port, and Ashore listens on it
//!   while the code is shown. Therefore another user of the machine who listens on one of the other ports never
//!   receives a code.
//! - A code is valid only on its port. It ends when the server opens or closes its port, because in the meantime
//!   another program may have listened there and received the code.
//! - Only the hash of a code is stored.

use rand::Rng;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use crate::secret_hash::hash;

/// Characters of a code, without those that look alike. The extension has the same list.
pub(crate) const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// Number of characters of a code.
pub(crate) const CODE_LENGTH: usize = 8;
/// Number of ports that the first character of a code distinguishes.
pub(crate) const PORTS: usize = 3;
/// Number of wrong attempts that end a code.
pub(crate) const MOST_ATTEMPTS: u32 = 5;
/// Seconds for which a code is valid.
pub(crate) const VALID_FOR: u64 = 5 * 60;
/// Text that makes hashes of codes different from other hashes.
const PURPOSE: &str = "pairing code";

/// Code that no browser has used yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingPairing {
    code_hash: String,
    /// Time at which the code ends, in seconds of Unix time.
    ends_at: u64,
    /// Number of wrong attempts.
    failures: u32,
}

impl PendingPairing {
    /// Returns a new code for `port`, and its text as people read it. `port_index` is the index of this port among the
    /// usual ports.
    pub(crate) fn new(port: u16, port_index: usize, now: u64, random: &mut impl Rng) -> (Self, String) {
        let first = loop {
            let index = random.random_range(0..ALPHABET.len());
            if index % PORTS == port_index % PORTS {
                break index;
            }
        };
        let others = (1..CODE_LENGTH).map(|_| random.random_range(0..ALPHABET.len()));
        let code: String = std::iter::once(first).chain(others).map(|index| char::from(ALPHABET[index])).collect();
        (Self { code_hash: hash_of(&code, port), ends_at: now + VALID_FOR, failures: 0 }, code)
    }

    /// Returns the seconds until the code ends; `None` if it has ended.
    pub(crate) fn seconds_left(&self, now: u64) -> Option<u64> {
        // A clock that was set back must not prolong a code.
        let rest = self.ends_at.checked_sub(now).filter(|rest| (1..=VALID_FOR).contains(rest))?;
        (self.failures < MOST_ATTEMPTS).then_some(rest)
    }

    /// Whether `code` is this code, was received on its port, and has not ended. A wrong code counts as a wrong
    /// attempt.
    pub(crate) fn accepts(&mut self, code: &str, port: u16, now: u64) -> bool {
        if self.seconds_left(now).is_none() {
            return false;
        }
        let is_same =
            normalized(code).is_some_and(|code| bool::from(hash_of(&code, port).as_bytes().ct_eq(self.code_hash.as_bytes())));
        if !is_same {
            self.failures += 1;
        }
        is_same
    }
}

/// The hash contains the port, so that the code is wrong on every other port.
fn hash_of(code: &str, port: u16) -> String {
    hash(PURPOSE, &format!("{port} {code}"))
}

/// Converts a code that a person typed to its normal form: without spaces and hyphens, in capital letters.
pub(crate) fn normalized(typed: &str) -> Option<String> {
    let characters = typed.chars().filter(|letter| !letter.is_whitespace() && *letter != '-');
    let code: String = characters.take(CODE_LENGTH + 1).map(|letter| letter.to_ascii_uppercase()).collect();
    (code.len() == CODE_LENGTH && code.bytes().all(|letter| ALPHABET.contains(&letter))).then_some(code)
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const PORT: u16 = 7;

    fn made() -> (PendingPairing, String) {
        PendingPairing::new(PORT, 1, 1000, &mut StdRng::seed_from_u64(7))
    }

    #[test]
    fn first_character_of_code_determines_port() {
        let mut random = StdRng::seed_from_u64(3);
        for index in (0..PORTS).cycle().take(60) {
            let (_, code) = PendingPairing::new(PORT, index, 0, &mut random);
            assert_eq!(normalized(&code).as_deref(), Some(code.as_str()));
            let first = ALPHABET.iter().position(|letter| *letter == code.as_bytes()[0]).unwrap();
            assert_eq!(first % PORTS, index, "{code}");
        }
    }

    #[test]
    fn pairing_code_is_accepted_in_lower_case_and_with_separators() {
        let (pairing, code) = made();
        let lower = code.to_lowercase();
        for typed in [code.clone(), lower.clone(), format!(" {}-{} ", &lower[..4], &lower[4..])] {
            assert!(pairing.clone().accepts(&typed, PORT, 1000), "{typed}");
        }
        for typed in ["", &code[..7], &format!("{code}2"), &"é".repeat(8), &"1".repeat(8)] {
            assert!(!pairing.clone().accepts(typed, PORT, 1000), "{typed}");
        }
    }

    #[test]
    fn pairing_code_expires_after_five_minutes() {
        let (pairing, code) = made();
        for (now, rest) in [(1000, Some(300)), (1299, Some(1)), (1300, None), (5000, None), (999, None), (0, None)] {
            assert_eq!(pairing.seconds_left(now), rest, "{now}");
            assert_eq!(pairing.clone().accepts(&code, PORT, now), rest.is_some(), "{now}");
        }
    }

    #[test]
    fn pairing_code_is_invalid_after_five_wrong_attempts() {
        let (mut pairing, code) = made();
        for _ in 0..MOST_ATTEMPTS - 1 {
            assert!(!pairing.accepts("22222222", PORT, 1000));
        }
        assert!(pairing.clone().accepts(&code, PORT, 1000));
        assert!(!pairing.accepts("", PORT, 1000));
        assert!(!pairing.accepts(&code, PORT, 1000));
        assert_eq!(pairing.seconds_left(1000), None);
    }

    #[test]
    fn pairing_code_is_valid_only_on_its_own_port() {
        let (pairing, code) = made();
        assert!(pairing.clone().accepts(&code, PORT, 1000));
        assert!(!pairing.clone().accepts(&code, PORT + 1, 1000));
    }

    #[test]
    fn pairing_code_itself_is_not_stored() {
        let (pairing, code) = made();
        assert!(!serde_json::to_string(&pairing).unwrap().contains(&code));
    }
}
