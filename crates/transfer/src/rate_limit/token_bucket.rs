//! One limit: when the next bytes may pass, and how many of them at once. [pure]
//!
//! A token bucket, kept as the moment at which everything that passed is paid for. So many bytes may pass in a window of
//! `t` seconds: the rate times (`t` + [`SLACK`]), and one portion. That is at most 122 % of the rate over any second and
//! 102.2 % over any ten. Downwards it is exact: whoever comes late by less than the slack gets what he missed.

use std::time::{Duration, Instant};

use crate::rate_limit::RateLimit;

/// So much unused time is kept. More would let more pass at once; less would lose what a late timer missed.
pub(super) const SLACK: Duration = Duration::from_millis(200);
/// A portion takes this part of a second...
const PORTIONS: u64 = 64;
/// ...but is worth passing on,
const LEAST_PORTION: u64 = 128;
/// and no larger than what others can wait for.
const MOST_PORTION: u64 = 1 << 20;

/// One limit and how far it is used.
#[derive(Clone, Debug)]
pub(super) struct TokenBucket {
    rate: RateLimit,
    paid_until: Instant,
}

impl TokenBucket {
    /// Nothing is saved up at the start.
    pub fn new(rate: RateLimit, now: Instant) -> Self {
        Self { rate, paid_until: now }
    }

    pub fn rate(&self) -> RateLimit {
        self.rate
    }

    /// From now on this is the rate.
    pub fn change(&mut self, rate: RateLimit) {
        self.rate = rate;
    }

    /// When a portion may pass.
    pub fn open_at(&self) -> Instant {
        self.paid_until
    }

    /// How many bytes may pass at once.
    pub fn portion(&self) -> u64 {
        (self.rate.bytes() / PORTIONS).clamp(LEAST_PORTION, MOST_PORTION)
    }

    /// `bytes` have passed.
    pub fn pay(&mut self, bytes: u64, now: Instant) {
        let earliest = now.checked_sub(SLACK).unwrap_or(now);
        let nanoseconds = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(self.rate.bytes()));
        let takes = Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX));
        self.paid_until = self.paid_until.max(earliest) + takes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passed_is_paid_for_before_more_passes() {
        let now = Instant::now();
        let mut bucket = TokenBucket::new(RateLimit::new(64_000).unwrap(), now);
        assert_eq!((bucket.open_at(), bucket.portion()), (now, 1000));
        bucket.pay(1000, now);
        assert_eq!(bucket.open_at(), now + Duration::from_micros(15_625));
        bucket.change(RateLimit::new(640_000).unwrap());
        bucket.pay(10_000, now);
        assert_eq!(bucket.open_at(), now + Duration::from_micros(31_250));
    }

    #[test]
    fn an_idle_hour_saves_up_no_more_than_the_slack() {
        let now = Instant::now();
        let mut bucket = TokenBucket::new(RateLimit::new(1 << 20).unwrap(), now);
        let later = now + Duration::from_secs(3600);
        let mut passed = 0;
        while bucket.open_at() <= later {
            bucket.pay(1000, later);
            passed += 1000;
        }
        let most = (1 << 20) / 5 + bucket.portion();
        assert!(passed <= most, "{passed} of at most {most}");
    }

    #[test]
    fn a_portion_is_neither_a_crumb_nor_a_burst() {
        let of = |rate| TokenBucket::new(RateLimit::new(rate).unwrap(), Instant::now()).portion();
        assert_eq!([of(RateLimit::LEAST), of(64 << 10), of(10 << 20), of(RateLimit::MOST)], [128, 1 << 10, 160 << 10, 1 << 20]);
    }
}
