//! Hybrid logical clock: orders edits of devices whose clocks are wrong. [pure]
//!
//! - A new stamp is later than every stamp that the device has issued or observed. An edit is therefore later than all
//!   edits that its author saw.
//! - Two edits never have the same stamp, because the device is part of the stamp.
//! - A stamp in the far future counts as the time at which the server stored it. See [`clamped`].

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::records::DeviceId;

/// Maximum time by which a stamp may be later than `modified` of its object, in milliseconds.
pub const MOST_AHEAD_MS: i64 = 10 * 60 * 1000;

/// Latest time of a stamp: 13 hexadecimal digits.
const LAST_MS: i64 = (1 << 52) - 1;
/// Highest counter of a stamp: 5 hexadecimal digits.
const LAST_COUNTER: u32 = (1 << 20) - 1;
/// Length of the text of a stamp before the device id: two numbers, each followed by `-`.
const NUMBERS: usize = 13 + 1 + 5 + 1;

/// Time of an edit. The order is total: milliseconds, then counter, then device.
///
/// The text form `0123456789abc-00000-device` sorts in the same order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HybridStamp {
    ms: i64,
    counter: u32,
    device: DeviceId,
}

/// Error for a text that is not a stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The time stamp of a record is not valid.")]
pub struct InvalidStamp;

impl HybridStamp {
    /// Returns a stamp. Clamps numbers to the range of the text form.
    pub fn new(ms: i64, counter: u32, device: DeviceId) -> Self {
        Self { ms: ms.clamp(0, LAST_MS), counter: counter.min(LAST_COUNTER), device }
    }

    /// Milliseconds of Unix time.
    pub fn ms(&self) -> i64 {
        self.ms
    }

    /// Number that orders stamps of the same millisecond.
    pub fn counter(&self) -> u32 {
        self.counter
    }

    /// Device that made the edit.
    pub fn device(&self) -> &DeviceId {
        &self.device
    }

    /// Returns the next stamp of `device` after this stamp, in the same millisecond if possible.
    pub fn following(&self, device: DeviceId) -> Self {
        match self.counter < LAST_COUNTER {
            true => Self { ms: self.ms, counter: self.counter + 1, device },
            false => Self::new(self.ms.saturating_add(1), 0, device),
        }
    }
}

/// Returns `stamp`, or a stamp at `modified_ms` if `stamp` is more than 10 minutes later than `modified_ms`.
///
/// The counter and the device are kept, so that equal stamps of one record stay equal.
///
/// The order of two stamps can change if only one of them is set back. A device that sets its own edits back must keep
/// their order: see [`StampedValue::clamp_own`](crate::records::StampedValue::clamp_own).
pub fn clamped(stamp: &HybridStamp, modified_ms: i64) -> HybridStamp {
    let is_plausible = stamp.ms <= modified_ms.saturating_add(MOST_AHEAD_MS);
    if is_plausible { stamp.clone() } else { HybridStamp::new(modified_ms, stamp.counter, stamp.device.clone()) }
}

impl TryFrom<String> for HybridStamp {
    type Error = InvalidStamp;

    fn try_from(text: String) -> Result<Self, InvalidStamp> {
        let (numbers, device) = text.split_at_checked(NUMBERS).ok_or(InvalidStamp)?;
        let (ms, counter) = numbers.strip_suffix('-').and_then(|numbers| numbers.split_once('-')).ok_or(InvalidStamp)?;
        let is_digit = |letter: u8| matches!(letter, b'0'..=b'9' | b'a'..=b'f');
        // Accept only one spelling, because texts are compared without parsing.
        if ms.len() != 13 || !ms.bytes().chain(counter.bytes()).all(is_digit) {
            return Err(InvalidStamp);
        }
        Ok(Self {
            ms: i64::from_str_radix(ms, 16).map_err(|_| InvalidStamp)?,
            counter: u32::from_str_radix(counter, 16).map_err(|_| InvalidStamp)?,
            device: device.parse().map_err(|_| InvalidStamp)?,
        })
    }
}

impl FromStr for HybridStamp {
    type Err = InvalidStamp;

    fn from_str(text: &str) -> Result<Self, InvalidStamp> {
        text.to_owned().try_into()
    }
}

impl From<HybridStamp> for String {
    fn from(stamp: HybridStamp) -> Self {
        stamp.to_string()
    }
}

impl fmt::Display for HybridStamp {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{:013x}-{:05x}-{}", self.ms, self.counter, self.device)
    }
}

/// Clock of one device. The caller persists `last` together with the edit that has this stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HybridClock {
    /// Latest issued or observed stamp. The device in this stamp is always this device.
    pub last: HybridStamp,
}

impl HybridClock {
    /// Returns the clock of a device that has not issued or observed a stamp.
    pub fn new(device: DeviceId) -> Self {
        Self { last: HybridStamp::new(0, 0, device) }
    }

    /// Issues a stamp that is later than all issued and observed stamps.
    pub fn tick(&mut self, now_ms: i64) -> HybridStamp {
        let HybridStamp { ms, counter, .. } = self.last;
        (self.last.ms, self.last.counter) = match now_ms.clamp(0, LAST_MS) {
            now if now > ms => (now, 0),
            _ if counter < LAST_COUNTER => (ms, counter + 1),
            _ => (ms.saturating_add(1).min(LAST_MS), 0),
        };
        self.last.clone()
    }

    /// Makes all future stamps of this device later than `stamp`, which was read from a record.
    ///
    /// The stamp must already be clamped, because a stamp of the year 2099 would move this clock to that year.
    pub fn observe(&mut self, stamp: &HybridStamp, now_ms: i64) {
        let latest = (self.last.ms, self.last.counter).max((stamp.ms, stamp.counter));
        (self.last.ms, self.last.counter) = latest.max((now_ms.clamp(0, LAST_MS), 0));
    }

    /// Sets the clock back if it is more than 10 minutes later than the server.
    ///
    /// Without this correction, a device whose clock was wrong once would issue stamps in the future until the real
    /// time catches up.
    pub fn correct(&mut self, server_ms: i64) {
        let latest = server_ms.saturating_add(MOST_AHEAD_MS).clamp(0, LAST_MS);
        if self.last.ms > latest {
            (self.last.ms, self.last.counter) = (latest, LAST_COUNTER);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stamp(ms: i64, counter: u32, device: &str) -> HybridStamp {
        HybridStamp::new(ms, counter, device.parse().unwrap())
    }

    #[test]
    fn timestamp_text_has_fixed_form_and_can_be_parsed_again() {
        let one = stamp(0x0123_4567_89ab, 31, "desk-top");
        assert_eq!(one.to_string(), "00123456789ab-0001f-desk-top");
        assert_eq!(one.to_string().parse(), Ok(one.clone()));
        assert_eq!(serde_json::to_string(&one).unwrap(), "\"00123456789ab-0001f-desk-top\"");
    }

    #[test]
    fn timestamp_text_is_refused_unless_it_has_the_exact_form() {
        for bad in [
            "",
            "00123456789ab-0001f-",
            "00123456789AB-0001f-a",
            "+0123456789ab-0001f-a",
            "0123456789ab-00001f-a",
            "00123456789ab-0001f-a b",
            "00123456789ab_0001f-a",
            "00123456789äb-0001f-a",
        ] {
            assert_eq!(bad.parse::<HybridStamp>(), Err(InvalidStamp), "{bad}");
        }
    }

    #[test]
    fn timestamp_in_far_future_is_replaced_by_modification_time_of_its_record() {
        assert_eq!(clamped(&stamp(MOST_AHEAD_MS, 7, "a"), 0), stamp(MOST_AHEAD_MS, 7, "a"));
        assert_eq!(clamped(&stamp(MOST_AHEAD_MS + 1, 7, "a"), 0), stamp(0, 7, "a"));
        assert_eq!(clamped(&stamp(LAST_MS, 0, "a"), i64::MAX), stamp(LAST_MS, 0, "a"));
    }

    #[test]
    fn next_timestamp_is_later_than_the_previous_one_regardless_of_device() {
        for one in [stamp(5, 0, "z"), stamp(5, LAST_COUNTER, "z")] {
            assert!(one.following("a".parse().unwrap()) > one, "{one}");
        }
        assert_eq!(stamp(5, 0, "z").following("a".parse().unwrap()), stamp(5, 1, "a"));
    }

    #[test]
    fn each_new_timestamp_is_later_than_the_last_even_if_the_clock_is_set_back() {
        let mut clock = HybridClock::new("a".parse().unwrap());
        assert_eq!(clock.tick(1000), stamp(1000, 0, "a"));
        assert_eq!(clock.tick(10), stamp(1000, 1, "a"));
        clock.observe(&stamp(2000, 5, "b"), 20);
        assert_eq!(clock.tick(30), stamp(2000, 6, "a"));
        clock.observe(&stamp(40, 0, "b"), 3000);
        assert_eq!(clock.tick(3000), stamp(3000, 1, "a"));
        clock.last = stamp(3000, LAST_COUNTER, "a");
        assert_eq!(clock.tick(0), stamp(3001, 0, "a"));
    }

    #[test]
    fn clock_that_is_too_far_ahead_is_set_back_to_plausible_maximum() {
        let mut clock = HybridClock::new("a".parse().unwrap());
        clock.tick(MOST_AHEAD_MS + 500);
        clock.correct(500);
        assert_eq!(clock.last, stamp(MOST_AHEAD_MS + 500, 0, "a"));
        clock.tick(10 * MOST_AHEAD_MS);
        clock.correct(500);
        // The next stamp is later than all stamps that are at most 10 minutes ahead of the server's time.
        assert_eq!(clock.tick(600), stamp(MOST_AHEAD_MS + 501, 0, "a"));
    }

    proptest! {
        #[test]
        fn timestamps_and_their_texts_are_sorted_in_the_same_order(
            one in (any::<i64>(), any::<u32>(), "[a-zA-Z0-9_-]{1,8}"), other in (any::<i64>(), any::<u32>(), "[a-zA-Z0-9_-]{1,8}"),
        ) {
            let [one, other] = [one, other].map(|(ms, counter, device)| stamp(ms, counter % 3, &device));
            prop_assert_eq!(one.cmp(&other), one.to_string().cmp(&other.to_string()));
            prop_assert_eq!(one.to_string().parse(), Ok(one));
        }
    }
}
