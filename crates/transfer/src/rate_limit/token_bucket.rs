//! Implements one limit: when the next bytes may pass, and how many together. [pure]
//!
//! The limit is a token bucket. Its state is a time: if all bytes so far had passed at exactly the rate, without
//! bursts, the last byte would have passed at this time.
//!
//! - In a window of `t` seconds, at most the rate times (`t` + [`SLACK`]) plus one portion may pass. For rates from 8
//!   KiB per second, this is at most 122 % of the rate over any second, and 102.2 % over any ten seconds.
//! - A request that is late by less than the slack loses no bandwidth.

use std::time::{Duration, Instant};

use crate::rate_limit::RateLimit;

/// Maximum unused time that is saved for later bytes.
///
/// A larger value would permit larger bursts. With a smaller value, late timers would lose bandwidth.
pub(super) const SLACK: Duration = Duration::from_millis(200);
/// Number of portions per second, as long as a portion is between the minimum and maximum size.
const PORTIONS: u64 = 64;
/// Minimum portion in bytes. Smaller portions are not worth passing on.
const LEAST_PORTION: u64 = 128;
/// Maximum portion in bytes. With larger portions, other transfers would wait too long.
const MOST_PORTION: u64 = 1 << 20;

/// Speed limit and its current use.
#[derive(Clone, Debug)]
pub(super) struct TokenBucket {
    rate: RateLimit,
    paid_until: Instant,
}

impl TokenBucket {
    /// Returns a limit that has saved no unused time for later bytes.
    pub fn new(rate: RateLimit, now: Instant) -> Self {
        Self { rate, paid_until: now }
    }

    pub fn rate(&self) -> RateLimit {
        self.rate
    }

    /// Changes the rate, for later bytes only.
    pub fn change(&mut self, rate: RateLimit) {
        self.rate = rate;
    }

    /// Returns the time from which a portion may pass.
    pub fn open_at(&self) -> Instant {
        self.paid_until
    }

    /// Returns the number of bytes that may pass together.
    pub fn portion(&self) -> u64 {
        (self.rate.bytes() / PORTIONS).clamp(LEAST_PORTION, MOST_PORTION)
    }

    /// Records that `bytes` have passed.
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
    fn bucket_stays_closed_for_as_long_as_passed_bytes_take_at_the_limit() {
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
    fn unused_bandwidth_is_saved_up_only_for_a_fraction_of_a_second() {
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
    fn size_of_portion_follows_speed_limit_within_bounds() {
        let of = |rate| TokenBucket::new(RateLimit::new(rate).unwrap(), Instant::now()).portion();
        assert_eq!([of(RateLimit::LEAST), of(64 << 10), of(10 << 20), of(RateLimit::MOST)], [128, 1 << 10, 160 << 10, 1 << 20]);
    }
}
