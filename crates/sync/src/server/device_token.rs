//! Holds the bearer token of a device. [pure]

use std::fmt;

use zeroize::Zeroizing;

/// Maximum length of a token in characters.
const LONGEST: usize = 512;

/// Bearer token `uid.device.secret`. Erased from memory when dropped, and never displayed.
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceToken {
    text: Zeroizing<String>,
    uid: i64,
}

impl DeviceToken {
    /// Parses a token. Returns `None` if it is not `uid.device.secret` in visible ASCII.
    pub fn parse(text: &str) -> Option<Self> {
        let is_visible = text.len() <= LONGEST && text.bytes().all(|letter| letter.is_ascii_graphic());
        let mut parts = text.splitn(3, '.');
        let (uid, device, secret) = (parts.next()?, parts.next()?, parts.next()?);
        let is_uid = (1..=10).contains(&uid.len()) && uid.bytes().all(|digit| digit.is_ascii_digit());
        let is_whole = is_visible && is_uid && !device.is_empty() && !secret.is_empty();
        is_whole.then(|| Some(Self { text: Zeroizing::new(text.to_owned()), uid: uid.parse().ok()? })).flatten()
    }

    /// Returns the user of the device.
    pub fn uid(&self) -> i64 {
        self.uid
    }

    /// Returns the device.
    pub fn device(&self) -> &str {
        self.text.split('.').nth(1).unwrap_or_default()
    }

    /// Returns the whole token, for the keychain and the header `Authorization`.
    pub fn expose(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for DeviceToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DeviceToken({}.{}..)", self.uid, self.device())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_parsed_into_its_parts() {
        let token = DeviceToken::parse("12.laptop.se.cret").unwrap();
        assert_eq!((token.uid(), token.device(), token.expose()), (12, "laptop", "12.laptop.se.cret"));
    }

    #[test]
    fn malformed_token_is_rejected() {
        for wrong in ["", "12.a", "x.a.b", "12345678901.a.b", "+1.a.b", "1..b", "1.a.", "1.a.b c", "1.a.b\n", "1.a.ü"] {
            assert_eq!(DeviceToken::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn secret_of_token_is_not_displayed() {
        assert_eq!(format!("{:?}", DeviceToken::parse("12.laptop.hidden").unwrap()), "DeviceToken(12.laptop..)");
    }
}
