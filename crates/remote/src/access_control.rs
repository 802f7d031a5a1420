//! Decides who may connect. [pure]
//!
//! - The `Host` must name this server. A page that resolves its own name to 127.0.0.1 (DNS rebinding) sends its own name.
//! - The `Origin` must be that of an extension. A page cannot choose the `Origin` that its browser sends.
//! - A program of the same user can send any header. Against it, only codes and tokens help, and the rate of failures.

use std::{collections::HashMap, net::IpAddr};

use ashore_browser::ExtensionIds;
use axum::http::{HeaderMap, HeaderName, header};

/// Number of failures after which an address has to wait.
const FREE_FAILURES: u32 = 5;
/// Seconds without a failure after which the failures of an address are forgotten.
const FORGET_AFTER: u64 = 60;
/// Maximum wait in seconds.
const LONGEST_WAIT: u64 = 15 * 60;
/// Maximum number of failures of all addresses within `FORGET_AFTER`.
const MOST_FAILURES: u32 = 50;
/// Schemes of extensions.
const CHROMIUM: &str = "chrome-extension://";
const GECKO: &str = "moz-extension://";
/// Lengths of the groups of a UUID.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// Whether the request names the server at `port`.
pub(crate) fn names_server(headers: &HeaderMap, port: u16) -> bool {
    only(headers, &header::HOST).is_some_and(|host| is_own_host(host, port))
}

/// Whether an extension with one of `ids` sent the request.
pub(crate) fn is_of_extension(headers: &HeaderMap, ids: &ExtensionIds) -> bool {
    only(headers, &header::ORIGIN).is_some_and(|origin| is_extension(origin, ids))
}

/// Returns the value of a header that occurs exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

fn is_own_host(host: &str, port: u16) -> bool {
    let Some((name, of_host)) = host.rsplit_once(':') else { return false };
    of_host == port.to_string() && (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
}

/// Whether `origin` is that of our extension in Chromium, or of any extension in Firefox, where each installation has a random
/// UUID.
fn is_extension(origin: &str, ids: &ExtensionIds) -> bool {
    if let Some(id) = origin.strip_prefix(CHROMIUM) {
        return !ids.chromium.is_empty() && id == ids.chromium;
    }
    let Some(id) = origin.strip_prefix(GECKO) else { return false };
    let groups: Vec<&str> = id.split('-').collect();
    let is_hexadecimal = |group: &str| group.bytes().all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'f'));
    groups.iter().map(|group| group.len()).eq(UUID) && groups.into_iter().all(is_hexadecimal)
}

/// Failures of one kind, and the waits that follow from them.
#[derive(Debug, Default)]
pub(crate) struct FailureRate {
    addresses: HashMap<IpAddr, Failures>,
    total: Failures,
}

#[derive(Clone, Copy, Debug, Default)]
struct Failures {
    count: u32,
    /// Time of the latest failure in seconds.
    last: u64,
}

impl FailureRate {
    /// Returns the seconds that `address` has to wait before its next attempt; `None` if it may try now.
    pub(crate) fn wait(&self, address: IpAddr, now: u64) -> Option<u64> {
        let own = self.addresses.get(&address).map_or(0, |failures| failures.last.saturating_add(failures.delay()));
        let is_total = self.total.count >= MOST_FAILURES;
        let total = if is_total { self.total.last.saturating_add(FORGET_AFTER) } else { 0 };
        own.max(total).checked_sub(now).filter(|wait| *wait > 0)
    }

    /// Records a failure.
    pub(crate) fn on_failure(&mut self, address: IpAddr, now: u64) {
        // Addresses that are forgotten anyway do not take memory.
        self.addresses.retain(|_, failures| !failures.is_forgotten(now));
        self.total.add(now);
        self.addresses.entry(address).or_default().add(now);
    }

    /// Forgets the failures of an address that has succeeded.
    pub(crate) fn on_success(&mut self, address: IpAddr) {
        self.addresses.remove(&address);
    }
}

impl Failures {
    fn add(&mut self, now: u64) {
        if self.is_forgotten(now) {
            self.count = 0;
        }
        (self.count, self.last) = (self.count.saturating_add(1), now);
    }

    /// Returns the wait after the latest failure: 1 s after the fifth, and twice as long after each further one.
    fn delay(self) -> u64 {
        match self.count.checked_sub(FREE_FAILURES) {
            None => 0,
            Some(more) => 1_u64.checked_shl(more).unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT),
        }
    }

    fn is_forgotten(self, now: u64) -> bool {
        now > self.last.saturating_add(FORGET_AFTER + self.delay())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORT: u16 = 27_346;
    const OWN: &str = "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh";
    const FIREFOX: &str = "moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11";

    fn ids() -> ExtensionIds {
        ExtensionIds { chromium: "aaaabbbbccccddddeeeeffffgggghhhh".to_owned(), gecko: "a@b".to_owned() }
    }

    fn headers(name: &HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn host_header_must_contain_own_host_and_port() {
        let cases: [(&[&str], bool); 11] = [
            (&["127.0.0.1:27346"], true),
            (&["localhost:27346"], true),
            (&["LocalHost:27346"], true),
            (&[], false),
            (&["127.0.0.1"], false),
            (&["127.0.0.1:80"], false),
            (&["127.0.0.1:27346", "127.0.0.1:27346"], false),
            (&["attacker.example:27346"], false),
            (&["localhost.attacker.example:27346"], false),
            (&["[::1]:27346"], false),
            (&["127.0.0.1:027346"], false),
        ];
        for (hosts, is_accepted) in cases {
            assert_eq!(names_server(&headers(&header::HOST, hosts), PORT), is_accepted, "{hosts:?}");
        }
    }

    #[test]
    fn only_origins_of_extensions_are_accepted() {
        let cases: [(&[&str], bool); 16] = [
            (&[OWN], true),
            (&[FIREFOX], true),
            (&[], false),
            (&["null"], false),
            (&["https://a.example"], false),
            (&["http://127.0.0.1:27346"], false),
            (&["chrome-extension://bbbbbbbbccccddddeeeeffffgggghhhh"], false),
            (&["chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh.example"], false),
            (&["chrome-extension://"], false),
            (&["moz-extension://"], false),
            (&["moz-extension://a.example"], false),
            (&["moz-extension://5C0A3C52-9A4E-4D0A-8B1E-0A5D0F3F7C11"], false),
            (&["moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11.a"], false),
            (&["moz-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11-"], false),
            (&["safari-web-extension://5c0a3c52-9a4e-4d0a-8b1e-0a5d0f3f7c11"], false),
            (&[OWN, "https://a.example"], false),
        ];
        for (origins, is_accepted) in cases {
            assert_eq!(is_of_extension(&headers(&header::ORIGIN, origins), &ids()), is_accepted, "{origins:?}");
        }
        assert!(!is_of_extension(&headers(&header::ORIGIN, &["chrome-extension://"]), &ExtensionIds::default()));
    }

    #[test]
    fn wait_doubles_from_fifth_failure_on_and_expires() {
        let address = IpAddr::from([127, 0, 0, 1]);
        let mut rate = FailureRate::default();
        let waits: Vec<Option<u64>> = (0..8)
            .map(|_| {
                rate.on_failure(address, 100);
                rate.wait(address, 100)
            })
            .collect();
        assert_eq!(waits, [None, None, None, None, Some(1), Some(2), Some(4), Some(8)]);
        assert_eq!((rate.wait(address, 107), rate.wait(address, 108)), (Some(1), None));
        assert_eq!(rate.wait(IpAddr::from([127, 0, 0, 2]), 100), None);
        for _ in 0..40 {
            rate.on_failure(address, 100);
        }
        assert_eq!(rate.wait(address, 100), Some(LONGEST_WAIT));
    }

    #[test]
    fn failures_are_forgotten_after_success_and_after_a_while() {
        let address = IpAddr::from([127, 0, 0, 1]);
        let mut rate = FailureRate::default();
        let fail = |rate: &mut FailureRate, now| (0..5).for_each(|_| rate.on_failure(address, now));
        fail(&mut rate, 100);
        rate.on_success(address);
        assert_eq!(rate.wait(address, 100), None);
        fail(&mut rate, 200);
        rate.on_failure(address, 262);
        assert_eq!(rate.wait(address, 262), None);
    }

    #[test]
    fn many_failures_make_all_addresses_wait() {
        let mut rate = FailureRate::default();
        for last in 0..50 {
            rate.on_failure(IpAddr::from([127, 0, 1, last]), 100);
        }
        let other = IpAddr::from([127, 0, 0, 9]);
        assert_eq!((rate.wait(other, 100), rate.wait(other, 160)), (Some(60), None));
    }
}
