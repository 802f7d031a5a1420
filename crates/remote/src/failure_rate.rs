//! Slows down guessing: counts failures for each address, and in total. [pure]
//!
//! - After five failures, an address has to wait before its next attempt, and twice as long after each further failure.
//! - Addresses of one IPv6 network count as one, because a single machine usually has all of them.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
};

/// Number of failures after which an address has to wait.
const FREE_FAILURES: u32 = 5;
/// Number of seconds without a failure until the failures of an address are forgotten.
const FORGET_AFTER: u64 = 60;
/// Maximum wait in seconds.
const LONGEST_WAIT: u64 = 15 * 60;
/// Maximum number of failures of all addresses within `FORGET_AFTER`.
const MOST_FAILURES: u32 = 50;
/// Mask for the first 64 bits of an IPv6 address, which name its network.
const NETWORK_MASK: u128 = !0 << 64;

/// Returns the network whose members share their limits: an IPv4 address itself, or the first 64 bits of an IPv6 address.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK_MASK).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Failures of one kind, and the waits that follow from them.
#[derive(Debug, Default)]
pub(crate) struct FailureRate {
    /// By [`network`].
    addresses: HashMap<IpAddr, Failures>,
    total: Failures,
}

#[derive(Clone, Copy, Debug, Default)]
struct Failures {
    count: u32,
    /// Time of the latest failure in seconds.
    last: u64,
}

impl FailureRate {
    /// Returns the seconds that `address` has to wait before its next attempt; `None` if it may try now.
    pub(crate) fn wait(&self, address: IpAddr, now: u64) -> Option<u64> {
        let own = self.addresses.get(&network(address)).map_or(0, |failures| failures.last.saturating_add(failures.delay()));
        let is_total = self.total.count >= MOST_FAILURES;
        let total = if is_total { self.total.last.saturating_add(FORGET_AFTER) } else { 0 };
        own.max(total).checked_sub(now).filter(|wait| *wait > 0)
    }

    /// Records a failure.
    pub(crate) fn on_failure(&mut self, address: IpAddr, now: u64) {
        // Remove addresses whose failures no longer count, so that they use no memory.
        self.addresses.retain(|_, failures| !failures.is_forgotten(now));
        if now > self.total.last.saturating_add(FORGET_AFTER) {
            self.total.count = 0;
        }
        self.total = Failures { count: self.total.count.saturating_add(1), last: now };
        self.addresses.entry(network(address)).or_default().add(now);
    }

    /// Records a wrong key of a device or program.
    ///
    /// The wrong key does not count in the total: a key of 256 bits cannot be guessed, and one address must not close
    /// the sign-in for all others.
    pub(crate) fn on_wrong_key(&mut self, address: IpAddr, now: u64) {
        self.addresses.retain(|_, failures| !failures.is_forgotten(now));
        self.addresses.entry(network(address)).or_default().add(now);
    }

    /// Forgets the failures of an address that has succeeded.
    pub(crate) fn on_success(&mut self, address: IpAddr) {
        self.addresses.remove(&network(address));
    }
}

impl Failures {
    fn add(&mut self, now: u64) {
        if self.is_forgotten(now) {
            self.count = 0;
        }
        (self.count, self.last) = (self.count.saturating_add(1), now);
    }

    /// Returns the wait after the latest failure: 1 s after the fifth failure, and twice as long after each further
    /// failure.
    fn delay(self) -> u64 {
        match self.count.checked_sub(FREE_FAILURES) {
            None => 0,
            Some(more) => 1_u64.checked_shl(more).unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT),
        }
    }

    fn is_forgotten(self, now: u64) -> bool {
        now > self.last.saturating_add(FORGET_AFTER + self.delay())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_keys_from_one_address_do_not_block_sign_in_from_other_addresses() {
        let [guesser, other] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        let mut rate = FailureRate::default();
        (0..2 * MOST_FAILURES).for_each(|_| rate.on_wrong_key(guesser, 100));
        assert_eq!((rate.wait(guesser, 100), rate.wait(other, 100)), (Some(LONGEST_WAIT), None));
    }

    #[test]
    fn total_number_of_failed_sign_ins_is_forgotten_after_a_minute() {
        let mut rate = FailureRate::default();
        let address = |number: u32| IpAddr::from(number.to_be_bytes());
        (0..MOST_FAILURES).for_each(|number| rate.on_failure(address(number), 100));
        assert!(rate.wait(address(MOST_FAILURES), 100).is_some());
        rate.on_failure(address(0), 101 + FORGET_AFTER);
        assert_eq!(rate.wait(address(MOST_FAILURES), 101 + FORGET_AFTER), None);
    }

    #[test]
    fn wait_after_failed_sign_ins_doubles_from_fifth_failure_on() {
        let address = IpAddr::from([127, 0, 0, 1]);
        let mut rate = FailureRate::default();
        let waits: Vec<Option<u64>> = (0..8)
            .map(|_| {
                rate.on_failure(address, 100);
                rate.wait(address, 100)
            })
            .collect();
        assert_eq!(waits, [None, None, None, None, Some(1), Some(2), Some(4), Some(8)]);
        assert_eq!((rate.wait(address, 107), rate.wait(address, 108)), (Some(1), None));
        assert_eq!(rate.wait(IpAddr::from([127, 0, 0, 2]), 100), None);
        for _ in 0..40 {
            rate.on_failure(address, 100);
        }
        assert_eq!(rate.wait(address, 100), Some(LONGEST_WAIT));
    }

    #[test]
    fn failed_sign_ins_are_forgotten_after_success_or_after_some_time() {
        let address = IpAddr::from([127, 0, 0, 1]);
        let mut rate = FailureRate::default();
        let fail = |rate: &mut FailureRate, now| (0..5).for_each(|_| rate.on_failure(address, now));
        fail(&mut rate, 100);
        rate.on_success(address);
        assert_eq!(rate.wait(address, 100), None);
        fail(&mut rate, 200);
        rate.on_failure(address, 262);
        assert_eq!(rate.wait(address, 262), None);
    }

    #[test]
    fn many_failed_sign_ins_make_all_addresses_wait() {
        let mut rate = FailureRate::default();
        for last in 0..50 {
            rate.on_failure(IpAddr::from([127, 0, 1, last]), 100);
        }
        let other = IpAddr::from([127, 0, 0, 9]);
        assert_eq!((rate.wait(other, 100), rate.wait(other, 160)), (Some(60), None));
    }
    #[test]
    fn failed_sign_ins_are_counted_together_for_each_ipv6_network() {
        let mut rate = FailureRate::default();
        for last in 0..5 {
            rate.on_failure(IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]), 100);
        }
        let wait = |text: &str| rate.wait(text.parse().unwrap(), 100);
        assert_eq!((wait("2001:db8:0:1:ffff::1"), wait("2001:db8:0:2::1")), (Some(1), None));
        assert_eq!(network("::ffff:192.0.2.1".parse().unwrap()), IpAddr::from([192, 0, 2, 1]));
    }
}
