//! Withdrawn names: names of registrations that their owner no longer wants. A running `create` call for such a name is
//! refused.
//!
//! - The names are only in memory, because a `create` call ends together with its process. After a kill, the call
//!   either has committed or never commits. If it has committed, the withdrawal removes its registration.
//! - The owner cannot use the unique id instead, because `create` returns it only at its end.
//! - A name stays withdrawn for the maximum duration of a `create` call. Afterwards it can be used again.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use sha2::{Digest as _, Sha256};

/// Time that a name stays withdrawn. A `create` call waits for disks, the keychain and the ledger, each for at most a
/// minute.
const KEPT: Duration = Duration::from_secs(600);
/// Maximum number of names. The oldest is dropped first.
const MOST: usize = 4096;

/// Withdrawn names, oldest first.
#[derive(Debug, Default)]
pub(crate) struct WithdrawnNames(Mutex<VecDeque<WithdrawnName>>);

#[derive(Debug)]
struct WithdrawnName {
    /// Digest of owner and name, because a name may be 1 MiB long.
    digest: [u8; 32],
    /// Time since boot, in microseconds.
    withdrawn_us: i64,
}

impl WithdrawnNames {
    /// Withdraws a name of `owner`. `uptime_us` is the time since boot.
    pub fn add(&self, owner: &str, developer_id: &str, uptime_us: i64) {
        let digest = digest(owner, developer_id);
        let mut names = self.current(uptime_us);
        names.retain(|name| name.digest != digest);
        if names.len() == MOST {
            names.pop_front();
        }
        names.push_back(WithdrawnName { digest, withdrawn_us: uptime_us });
    }

    /// Returns whether the owner withdrew this name a short time ago.
    pub fn contains(&self, owner: &str, developer_id: &str, uptime_us: i64) -> bool {
        let names = self.current(uptime_us);
        !names.is_empty() && {
            let digest = digest(owner, developer_id);
            names.iter().any(|name| name.digest == digest)
        }
    }

    /// Drops the names whose time is over, and returns the others.
    fn current(&self, uptime_us: i64) -> MutexGuard<'_, VecDeque<WithdrawnName>> {
        let kept_us = i64::try_from(KEPT.as_micros()).unwrap_or(i64::MAX);
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.retain(|name| uptime_us.saturating_sub(name.withdrawn_us) < kept_us);
        names
    }
}

/// Returns the digest of an owner and a name. The digest includes the length of the owner, to separate the two.
fn digest(owner: &str, developer_id: &str) -> [u8; 32] {
    let length = u64::try_from(owner.len()).unwrap_or(u64::MAX);
    let digest = Sha256::new().chain_update(length.to_le_bytes()).chain_update(owner).chain_update(developer_id);
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn withdrawn_name_is_remembered_for_a_limited_time_and_only_for_its_owner() {
        let names = WithdrawnNames::default();
        let kept_us = i64::try_from(KEPT.as_micros()).unwrap();
        names.add("browser", "a/1", 5);
        for (owner, name, expected) in [("browser", "a/1", true), ("browser", "a/2", false), ("browsera", "/1", false)] {
            assert_eq!(names.contains(owner, name, 5), expected, "{owner} {name}");
        }
        assert!(names.contains("browser", "a/1", 4 + kept_us));
        names.add("browser", "a/1", 10);
        assert!(names.contains("browser", "a/1", 5 + kept_us), "the time starts again");
        assert!(!names.contains("browser", "a/1", 10 + kept_us));
        assert!(names.current(0).is_empty());
    }

    #[test]
    fn number_of_withdrawn_names_is_limited() {
        let names = WithdrawnNames::default();
        for number in 0..=MOST {
            names.add("browser", &number.to_string(), 0);
        }
        assert_eq!(names.current(0).len(), MOST);
        assert!(!names.contains("browser", "0", 0) && names.contains("browser", "1", 0));
    }
}
