//! Converts errors in links to reasons for users. [pure]

use ashore_messages::{UserMessage, message};
use url::ParseError;

/// Returns the reason why a text is not a link, as a clause.
pub(crate) fn link_fault(error: ParseError) -> UserMessage {
    match error {
        ParseError::EmptyHost => message!("fault-link.server"),
        ParseError::InvalidPort => message!("fault-link.port"),
        ParseError::InvalidIpv4Address | ParseError::InvalidIpv6Address => message!("fault-link.ip-address"),
        ParseError::IdnaError | ParseError::InvalidDomainCharacter => message!("fault-link.name"),
        ParseError::Overflow => message!("fault-link.long"),
        _ => message!("fault-link.begin"),
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    #[test]
    fn error_for_invalid_link_says_which_part_is_wrong() {
        for (link, variant) in [
            ("nonsense", "begin"),
            ("http://", "server"),
            ("http://a.test:x/", "port"),
            ("http://a.test:65536/", "port"),
            ("http://1.2.3.400/", "ip-address"),
            ("http://[::1/", "ip-address"),
            ("http://a b.test/", "name"),
        ] {
            let fault = link_fault(Url::parse(link).unwrap_err());
            assert_eq!(fault.variant.as_deref(), Some(variant), "{link}");
        }
    }
}
