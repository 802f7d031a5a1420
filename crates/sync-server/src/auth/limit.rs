//! Limits rates with token buckets that refill over time.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// Maximum number of buckets in memory. When this number is reached, full buckets are removed.
const MOST: usize = 10_000;

/// Token buckets with the same rate and burst.
#[derive(Debug)]
pub struct EnrolRates {
    /// Number of requests that are allowed in one burst.
    burst: f64,
    /// Requests per second.
    rate: f64,
    buckets: Mutex<HashMap<String, (f64, i64)>>,
}

impl EnrolRates {
    /// Creates buckets that allow `rate` requests per second and bursts of `burst`.
    pub fn new(rate: f64, burst: f64) -> Self {
        Self { burst, rate, buckets: Mutex::default() }
    }

    /// Takes a token from the bucket of `key`.
    ///
    /// Fails with the number of seconds until the next token.
    pub fn take(&self, key: &str, now: i64) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST {
            buckets.retain(|_, (left, at)| self.filled(*left, *at, now) < self.burst);
        }
        if buckets.len() >= MOST && !buckets.contains_key(key) {
            // Ten thousand simultaneously active clients indicate an attack, so new clients must wait.
            return Err(60);
        }
        let (left, at) = buckets.entry(key.to_owned()).or_insert((self.burst, now));
        let filled = self.filled(*left, *at, now);
        if filled < 1.0 {
            return Err(((1.0 - filled) / self.rate).ceil().max(1.0) as u64);
        }
        (*left, *at) = (filled - 1.0, now);
        Ok(())
    }

    fn filled(&self, left: f64, at: i64, now: i64) -> f64 {
        let seconds = (now - at).max(0) as f64 / 1000.0;
        (left + seconds * self.rate).min(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_bucket_of_each_key_refills_separately() {
        let rates = EnrolRates::new(10.0 / 60.0, 10.0);
        for _ in 0..10 {
            assert_eq!(rates.take("a", 0), Ok(()));
        }
        assert_eq!(rates.take("a", 0), Err(6));
        assert_eq!(rates.take("b", 0), Ok(()));
        assert_eq!(rates.take("a", 6_000), Ok(()));
        assert_eq!(rates.take("a", 0), Err(6), "a clock that goes back gives nothing");
    }

    #[test]
    fn full_token_buckets_are_removed_from_memory() {
        let rates = EnrolRates::new(1.0, 2.0);
        for number in 0..MOST * 2 {
            assert_eq!(rates.take(&number.to_string(), number as i64 * 1000), Ok(()));
        }
        assert!(rates.buckets.lock().unwrap().len() <= MOST);
    }
}
