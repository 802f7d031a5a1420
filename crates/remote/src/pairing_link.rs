//! The code in a sign-in link. With this code, a device signs in without the token. [pure]
//!
//! - A code has 128 random bits, is used once, and ends after five minutes. A new link ends the earlier one.
//! - Only the hash of a code is stored.

use rand::Rng;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use crate::{secret_hash::hash, token_scope::TokenScope};

/// Seconds for which a code is valid.
pub(crate) const VALID_FOR: u64 = 5 * 60;
/// Text that makes hashes of link codes different from other hashes.
const PURPOSE: &str = "pairing link";

/// Link that no device has used yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingLink {
    code_hash: String,
    /// Time at which the code ends, in seconds of Unix time.
    ends_at: u64,
    /// Scope that a device gets with the code.
    pub scope: TokenScope,
}

impl PendingLink {
    /// Returns a new link, and its code in hexadecimal.
    pub(crate) fn new(scope: TokenScope, now: u64, random: &mut impl Rng) -> (Self, String) {
        let code = hex::encode(random.random::<[u8; 16]>());
        (Self { code_hash: hash(PURPOSE, &code), ends_at: now + VALID_FOR, scope }, code)
    }

    /// Returns the number of seconds for which this link is still valid.
    pub(crate) fn seconds_left(&self, now: u64) -> Option<u64> {
        // A clock that was set back must not prolong a code.
        self.ends_at.checked_sub(now).filter(|rest| (1..=VALID_FOR).contains(rest))
    }

    /// Whether `code` is the code of this link and is still valid.
    pub(crate) fn accepts(&self, code: &str, now: u64) -> bool {
        self.seconds_left(now).is_some() && bool::from(hash(PURPOSE, code).as_bytes().ct_eq(self.code_hash.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;

    #[test]
    fn code_in_sign_in_link_is_valid_for_five_minutes_and_not_stored() {
        let (link, code) = PendingLink::new(TokenScope::Control, 1000, &mut StdRng::seed_from_u64(1));
        for (now, is_accepted) in [(1000, true), (1299, true), (1300, false), (9000, false), (999, false)] {
            assert_eq!(link.accepts(&code, now), is_accepted, "{now}");
        }
        assert!(!link.accepts(&code[1..], 1000) && !link.accepts("", 1000));
        assert_eq!(code.len(), 32);
        assert!(!serde_json::to_string(&link).unwrap().contains(&code));
    }
}
