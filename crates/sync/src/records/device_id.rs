//! Id of a device, as the server assigned it at enrolment. [pure]
//!
//! Only ASCII letters, digits, `_` and `-` are accepted, because the text is part of stamps and of sort orders.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Maximum length in bytes. Ids from the server have 12 bytes.
const LONGEST: usize = 64;

/// Id of a device: 1 to 64 ASCII letters, digits, `_` and `-`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DeviceId(String);

/// Error for a text that is not the id of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The id of a device is not valid.")]
pub struct InvalidDeviceId;

impl DeviceId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for DeviceId {
    type Error = InvalidDeviceId;

    fn try_from(text: String) -> Result<Self, InvalidDeviceId> {
        let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-');
        let is_valid = (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_letter);
        if is_valid { Ok(Self(text)) } else { Err(InvalidDeviceId) }
    }
}

impl FromStr for DeviceId {
    type Err = InvalidDeviceId;

    fn from_str(text: &str) -> Result<Self, InvalidDeviceId> {
        text.to_owned().try_into()
    }
}

impl From<DeviceId> for String {
    fn from(device: DeviceId) -> Self {
        device.0
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_id_with_unexpected_letters_is_refused() {
        for bad in ["", "a b", "a/b", "a\0", "ä", "a\u{202e}", &"a".repeat(65)] {
            assert_eq!(bad.parse::<DeviceId>(), Err(InvalidDeviceId), "{bad:?}");
        }
        assert_eq!("aZ09_-".parse::<DeviceId>().unwrap().as_str(), "aZ09_-");
    }

    #[test]
    fn device_id_that_begins_with_hyphen_is_accepted() {
        // Earlier versions of the server assigned such ids.
        for older in ["-x3KJq0_aB-9", "--x3KJq0_aB9"] {
            assert_eq!(older.parse::<DeviceId>().unwrap().as_str(), older);
        }
    }
}
