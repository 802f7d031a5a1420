//! GIDs: the identifiers that clients use for downloads. [pure]
//!
//! - A GID is a number of 64 bits, written as 16 lower-case hexadecimal digits. It is never 0. The client chooses the
//!   GID, or it is random.
//! - The ledger stores the GID as the `developer_id` of the registration, so one transaction writes both.
//! - The GID of a registration of another owner is the first half of its `unique_id`.
//! - Clients may use any unique prefix of a GID.

use ashore_engine::Registration;

use crate::aria2::{OWNER, wire::Aria2Failure};

/// Number of digits of a GID.
const DIGITS: usize = 16;

/// Beginning of a GID, or a whole one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GidPrefix {
    /// Text as the client sent it, for messages.
    pub given: String,
    /// Digits in lower case, 1 to 16.
    pub digits: String,
}

impl GidPrefix {
    /// Whether the prefix is a whole GID.
    pub(crate) fn is_whole(&self) -> bool {
        self.digits.len() == DIGITS
    }
}

/// Parses the GID that a client uses to name a download.
pub(crate) fn parse_prefix(given: &str) -> Result<GidPrefix, Aria2Failure> {
    let is_valid = (1..=DIGITS).contains(&given.len()) && given.bytes().all(|digit| digit.is_ascii_hexdigit());
    match is_valid {
        true => Ok(GidPrefix { given: given.to_owned(), digits: given.to_ascii_lowercase() }),
        false => Err(Aria2Failure::new(format!("Invalid GID {given}"))),
    }
}

/// Returns the GID that a client chose for a new download; `None` if it is not valid.
pub(crate) fn chosen(given: &str) -> Option<String> {
    let gid = parse_prefix(given).ok()?.digits;
    (gid.len() == DIGITS && gid.bytes().any(|digit| digit != b'0')).then_some(gid)
}

/// Returns `number` as a GID.
pub(crate) fn from_random(number: u64) -> String {
    format!("{:016x}", number.max(1))
}

/// Returns the GID of a registration.
pub(crate) fn gid_of(registration: &Registration) -> String {
    match registration.owner == OWNER {
        true => registration.developer_id.clone(),
        false => from_random(registration.unique_id.0.as_u64_pair().0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aria2::tests::registration;

    #[test]
    fn gid_is_developer_id_of_own_download_and_first_half_of_unique_id_of_others() {
        assert_eq!(gid_of(&registration()), registration().developer_id);
        let unique_id = "0123abcd-4567-7abc-8def-0123456789ab".parse().unwrap();
        assert_eq!(gid_of(&Registration { owner: "window".to_owned(), unique_id, ..registration() }), "0123abcd45677abc");
    }

    #[test]
    fn gid_prefix_has_1_to_16_hexadecimal_digits() {
        assert_eq!(parse_prefix("0aF").unwrap(), GidPrefix { given: "0aF".to_owned(), digits: "0af".to_owned() });
        for given in ["", "zz", "0123456789abcdef0", " 1", "é"] {
            assert_eq!(parse_prefix(given).unwrap_err().message, format!("Invalid GID {given}"));
        }
    }

    #[test]
    fn chosen_gid_has_16_digits_and_is_not_0() {
        assert_eq!(chosen("0123456789ABCDEF").as_deref(), Some("0123456789abcdef"));
        for given in ["0000000000000000", "0123", "xyz", "0123456789abcdef0"] {
            assert_eq!(chosen(given), None, "{given}");
        }
        assert_eq!(from_random(0), "0000000000000001");
        assert_eq!(from_random(u64::MAX), "ffffffffffffffff");
    }
}
