//! Remembers hosts whose HTTP/2 connections break, and avoids HTTP/2 with them for some time.
//!
//! - If a shared connection breaks, the transfers on it must not all fail.
//! - If a shared connection breaks, many exchanges end at the same time. This counts as one break: exchanges that began
//!   before the last break do not count.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use url::Url;

use crate::model::failure_kind::FailureKind;

/// Time for which a host is remembered after its last break.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// Number of breaks after which HTTP/2 is not used with a host.
const MOST: u32 = 2;
/// Maximum number of remembered hosts.
const MOST_HOSTS: usize = 1000;

/// Breaks of HTTP/2 exchanges, by host and port.
#[derive(Debug, Default)]
pub(super) struct Http2Fallback(Mutex<HashMap<String, Breaks>>);

#[derive(Clone, Copy, Debug)]
struct Breaks {
    count: u32,
    last: Instant,
}

/// Consequence of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Http2Breakage {
    /// The break was already counted.
    Known,
    /// The next request uses a new HTTP/2 connection.
    Again,
    /// The next request uses a new connection with HTTP/1.1.
    TooOften,
}

impl Http2Fallback {
    /// Records that an HTTP/2 exchange with the host of `url` broke at `now`.
    ///
    /// `began` is the time at which the exchange started.
    pub fn broke(&self, url: &Url, began: Instant, now: Instant) -> Http2Breakage {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST_HOSTS {
            hosts.retain(|_, breaks| breaks.is_fresh(now));
        }
        if hosts.len() >= MOST_HOSTS {
            hosts.clear();
        }
        let known = hosts.get(&key(url)).copied().filter(|breaks| breaks.is_fresh(now));
        if known.is_some_and(|breaks| began < breaks.last) {
            return Http2Breakage::Known;
        }
        let count = known.map_or(0, |breaks| breaks.count) + 1;
        hosts.insert(key(url), Breaks { count, last: now });
        if count == MOST { Http2Breakage::TooOften } else { Http2Breakage::Again }
    }

    /// Returns whether HTTP/2 may be used with the host of `url` at the time `now`.
    pub fn allows(&self, url: &Url, now: Instant) -> bool {
        let hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(&key(url)).is_none_or(|breaks| breaks.count < MOST || !breaks.is_fresh(now))
    }
}

impl Breaks {
    fn is_fresh(self, now: Instant) -> bool {
        now.saturating_duration_since(self.last) <= REMEMBERED
    }
}

/// Returns whether a failure of this kind means that the exchange broke.
///
/// Refused requests and storage errors are not breaks.
pub(super) fn is_break(kind: FailureKind) -> bool {
    matches!(kind, FailureKind::Reset | FailureKind::Truncated | FailureKind::Timeout | FailureKind::Protocol)
}

fn key(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn second_broken_connection_disables_http2_for_an_hour() {
        let (distrust, start) = (Http2Fallback::default(), Instant::now());
        let (host, another) = (url("https://a.test/x"), url("https://a.test:8443/x"));
        assert!(distrust.allows(&host, start));
        assert_eq!(distrust.broke(&host, start, start + MINUTE), Http2Breakage::Again);
        assert!(distrust.allows(&host, start + MINUTE));
        assert_eq!(distrust.broke(&host, start + MINUTE, start + 2 * MINUTE), Http2Breakage::TooOften);
        assert!(!distrust.allows(&host, start + 2 * MINUTE) && distrust.allows(&another, start + 2 * MINUTE));
        assert!(!distrust.allows(&host, start + 61 * MINUTE) && distrust.allows(&host, start + 63 * MINUTE));
        assert_eq!(distrust.broke(&host, start + 63 * MINUTE, start + 64 * MINUTE), Http2Breakage::Again, "it is forgiven");
    }

    #[test]
    fn simultaneous_http2_breaks_are_counted_once() {
        let (distrust, start) = (Http2Fallback::default(), Instant::now());
        let host = url("https://a.test/");
        assert_eq!(distrust.broke(&host, start, start + MINUTE), Http2Breakage::Again);
        for _ in 0..20 {
            assert_eq!(distrust.broke(&host, start, start + MINUTE), Http2Breakage::Known);
        }
        assert!(distrust.allows(&host, start + MINUTE));
    }

    #[test]
    fn number_of_remembered_hosts_is_limited() {
        let (distrust, start) = (Http2Fallback::default(), Instant::now());
        for number in 0..3 * MOST_HOSTS {
            distrust.broke(&url(&format!("https://{number}.test/")), start, start);
        }
        assert!(distrust.0.lock().unwrap().len() <= MOST_HOSTS);
    }

    #[test]
    fn refusals_and_local_errors_do_not_count_as_broken_http2_exchanges() {
        assert!(is_break(FailureKind::Reset) && is_break(FailureKind::Timeout));
        assert!(!is_break(FailureKind::BadStatus) && !is_break(FailureKind::DiskFull) && !is_break(FailureKind::Connect));
    }
}
