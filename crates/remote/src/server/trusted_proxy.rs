//! Proxies that state the address of a client in `X-Forwarded-For`. [pure]
//!
//! - Each proxy appends the address of its own client to the header. Therefore the last address that is not that of a
//!   trusted proxy is the address of the client. Addresses before it may be forged.
//! - From every other peer, the header has no effect.

use std::{net::IpAddr, str::FromStr};

use ashore_engine::UserMessage;
use ashore_messages::message;
use axum::http::{HeaderMap, HeaderName};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Network of trusted proxies: the addresses that begin with the same bits as `address`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProxyNetwork {
    address: IpAddr,
    /// Number of these bits.
    prefix: u32,
}

impl FromStr for ProxyNetwork {
    type Err = UserMessage;

    /// Parses an address such as `192.0.2.7`, or a network such as `192.0.2.0/24`.
    fn from_str(text: &str) -> Result<Self, UserMessage> {
        let wrong = || message!("remote-listen.proxy", network = text);
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(longest), |prefix| prefix.parse().map_err(|_| wrong()))?;
        if prefix > longest { Err(wrong()) } else { Ok(Self { address, prefix }) }
    }
}

impl ProxyNetwork {
    fn contains(&self, other: IpAddr) -> bool {
        let differing = match (self.address, other.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => (own.to_bits() ^ other.to_bits()).leading_zeros(),
            (IpAddr::V6(own), IpAddr::V6(other)) => (own.to_bits() ^ other.to_bits()).leading_zeros(),
            _ => return false,
        };
        differing >= self.prefix
    }
}

/// Returns the address of the client of a request, which `peer` sent.
pub(crate) fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &[ProxyNetwork]) -> IpAddr {
    let is_proxy = |address: IpAddr| proxies.iter().any(|proxy| proxy.contains(address));
    let lines = headers.get_all(FORWARDED_FOR).iter().rev();
    let mut stated = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    let mut client = peer;
    while is_proxy(client) {
        // Without a valid address, the proxy itself counts as the client.
        let Some(Ok(address)) = stated.next().map(|text| text.trim().parse()) else { break };
        client = address;
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn network_of_proxies_is_an_address_with_an_optional_length() {
        let contains = |network: &str, other: &str| network.parse::<ProxyNetwork>().unwrap().contains(address(other));
        assert!(contains("192.0.2.7", "192.0.2.7") && !contains("192.0.2.7", "192.0.2.8"));
        assert!(contains("192.0.2.0/24", "192.0.2.8") && !contains("192.0.2.0/24", "192.0.3.8"));
        assert!(contains("192.0.2.7", "::ffff:192.0.2.7") && !contains("::1", "127.0.0.1"));
        assert!(contains("2001:db8::/32", "2001:db8:1::1") && contains("0.0.0.0/0", "192.0.2.1"));
        for wrong in ["", "proxy", "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/-1", "::/129"] {
            assert!(wrong.parse::<ProxyNetwork>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn last_address_that_is_not_of_a_trusted_proxy_is_the_client() {
        let proxies = ["127.0.0.1", "192.0.2.0/24"].map(|text| text.parse().unwrap());
        for (peer, lines, expected) in [
            ("127.0.0.1", &["203.0.113.9"][..], "203.0.113.9"),
            ("127.0.0.1", &["198.51.100.1, 203.0.113.9, 192.0.2.3"], "203.0.113.9"),
            ("127.0.0.1", &["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
            ("203.0.113.5", &["198.51.100.1"], "203.0.113.5"),
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["198.51.100.1, nonsense"], "127.0.0.1"),
            ("127.0.0.1", &["192.0.2.4"], "192.0.2.4"),
        ] {
            let headers = lines.iter().map(|line| (FORWARDED_FOR, line.parse().unwrap())).collect();
            assert_eq!(client_address(address(peer), &headers, &proxies), address(expected), "{peer} {lines:?}");
        }
    }
}
