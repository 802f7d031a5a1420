//! Decides which addresses a transfer may connect to. [pure]
//!
//! - A transfer that the user requested may connect to any address.
//! - A transfer that a program requested may connect only to the public internet. Otherwise a feed or a page could make
//!   Ashore request data from the router, from local servers, or from the metadata service of a cloud.
//! - The policy checks addresses, not names. A name is looked up first, and only its permitted addresses are used
//!   (`dns`).
//! - A proxy looks up names itself, so only the name can be checked.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// Addresses that a transfer may connect to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressPolicy {
    /// All addresses, including this machine.
    #[default]
    Anywhere,
    /// Only addresses of the public internet, even after redirects.
    Public,
}

impl AddressPolicy {
    /// Returns whether the policy permits `url`, without a name lookup.
    ///
    /// The name in the URL may still resolve to a forbidden address.
    pub(crate) fn covers(self, url: &Url, is_proxied: bool) -> bool {
        match (self, url.host()) {
            (Self::Anywhere, _) => true,
            (Self::Public, Some(Host::Ipv4(address))) => is_public(address.into()),
            (Self::Public, Some(Host::Ipv6(address))) => is_public(address.into()),
            (Self::Public, Some(Host::Domain(name))) => !is_proxied || !is_local(name),
            (Self::Public, None) => false,
        }
    }

    /// Returns whether the policy permits connections to `address`.
    pub(crate) fn includes(self, address: IpAddr) -> bool {
        self == Self::Anywhere || is_public(address)
    }
}

/// Returns whether a name exists only in a local network.
///
/// Local names are single labels, the names in RFC 6761, RFC 6762 and RFC 8375, and the domain that ICANN reserved for
/// private use.
fn is_local(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_home = name.strip_suffix("home.arpa").is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !name.contains('.') || matches!(last, "localhost" | "local" | "internal") || is_home
}

/// Returns whether an address is reachable from the whole internet.
///
/// See the IANA registries of special-purpose addresses (RFC 6890). If an IPv6 address contains an IPv4 address, the
/// IPv4 address decides.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        // "This network" (0/8), private 10/8, loopback, and everything from multicast upwards.
        [0 | 10 | 127 | 224.., ..] => true,
        // Shared address space of providers (RFC 6598).
        [100, 64..=127, ..] => true,
        // Link-local, including the metadata service of clouds.
        [169, 254, ..] => true,
        [172, 16..=31, ..] | [192, 168, ..] => true,
        // Protocol assignments, documentation, former 6to4 relays, benchmarking.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        _ => false,
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let inside = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // IPv4-mapped address, or address of an IPv4 translator (RFC 4291, section 2.5.5.2; RFC 6052, section 2.1).
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => inside(high, low),
        // 6to4 (RFC 3056).
        [0x2002, high, low, ..] => inside(high, low),
        // Documentation (RFC 3849, RFC 9637), and protocol assignments including Teredo.
        [0x2001, 0xdb8 | 0..=0x1ff, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // Global unicast is 2000::/3. The rest is loopback, unique-local, link-local, multicast or unassigned.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_globally_reachable_addresses_are_public() {
        let public = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "172.32.0.1", "192.0.1.1", "198.20.0.1", "223.255.255.255"];
        let public_v6 = ["2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"];
        for text in public.into_iter().chain(public_v6) {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
        let special = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
        ];
        let special_v6 = [
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:c0a8:101::1",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "5f00::1",
        ];
        for text in special.into_iter().chain(special_v6) {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn address_is_judged_the_same_in_every_notation() {
        let covers = |reach: AddressPolicy, text: &str| reach.covers(&Url::parse(text).unwrap(), false);
        for text in ["http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://[::ffff:7f00:1]/"]
        {
            assert!(!covers(AddressPolicy::Public, text) && covers(AddressPolicy::Anywhere, text), "{text}");
        }
        assert!(covers(AddressPolicy::Public, "http://8.8.8.8/") && covers(AddressPolicy::Public, "https://a.example/"));
    }

    #[test]
    fn local_names_are_refused_through_a_proxy() {
        let covers = |text: &str| AddressPolicy::Public.covers(&Url::parse(text).unwrap(), true);
        for text in [
            "http://localhost/",
            "http://x.localhost./",
            "http://nas/",
            "http://nas.local/",
            "http://a.internal/",
            "http://a.home.arpa/",
            "http://home.arpa/",
        ] {
            assert!(!covers(text), "{text}");
        }
        assert!(covers("http://a.example/") && covers("http://local.example/") && covers("http://ahome.arpa/"));
    }
}
