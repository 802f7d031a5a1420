//! Defines a speed in bytes per second, within the range that Ashore can enforce. [pure]

use std::fmt;

use serde::{Deserialize, Serialize};

/// Speed limit of transfers, from 1 KiB to 10 GiB per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct RateLimit(u64);

/// Error for a speed outside the supported range. Contains the speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} bytes a second is out of range")]
pub struct NotARate(pub u64);

impl RateLimit {
    /// Slowest rate in bytes per second.
    pub const LEAST: u64 = 1 << 10;
    /// Fastest rate in bytes per second.
    pub const MOST: u64 = 10 << 30;

    /// Creates a rate in bytes per second. Fails outside the supported range.
    pub fn new(bytes: u64) -> Result<Self, NotARate> {
        if (Self::LEAST..=Self::MOST).contains(&bytes) { Ok(Self(bytes)) } else { Err(NotARate(bytes)) }
    }

    /// Returns the supported rate that is nearest to `bytes` per second.
    pub fn nearest(bytes: u64) -> Self {
        Self(bytes.clamp(Self::LEAST, Self::MOST))
    }

    /// Returns the rate in bytes per second.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for RateLimit {
    type Error = NotARate;

    fn try_from(bytes: u64) -> Result<Self, NotARate> {
        Self::new(bytes)
    }
}

impl From<RateLimit> for u64 {
    fn from(rate: RateLimit) -> Self {
        rate.0
    }
}

impl fmt::Display for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes a second", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_limit_outside_supported_range_is_refused() {
        for bytes in [RateLimit::LEAST, 65_536, RateLimit::MOST] {
            assert_eq!(RateLimit::new(bytes).map(RateLimit::bytes), Ok(bytes));
        }
        for bytes in [0, RateLimit::LEAST - 1, RateLimit::MOST + 1, u64::MAX] {
            assert_eq!(RateLimit::new(bytes), Err(NotARate(bytes)));
        }
    }
}
