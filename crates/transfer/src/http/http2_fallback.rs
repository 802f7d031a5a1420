//! Hosts whose HTTP/2 breaks, and that are asked over HTTP/1.1 for a while: what many transfers share must not be what all of
//! them fail by.
//!
//! What breaks a shared connection breaks many exchanges at once, so those that had begun before the last break that was
//! counted say nothing new.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use url::Url;

use crate::model::outcome::FailureKind;

/// How long a host is remembered.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// Breaks after which it is not asked over HTTP/2.
const MOST: u32 = 2;
/// Hosts remembered at most.
const MOST_HOSTS: usize = 1000;

/// What is remembered of hosts.
#[derive(Debug, Default)]
pub(super) struct Http2Fallback(Mutex<HashMap<String, Breaks>>);

#[derive(Clone, Copy, Debug)]
struct Breaks {
    count: u32,
    last: Instant,
}

/// What a break means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Http2Breakage {
    /// Nothing that was not known.
    Known,
    /// What is asked next comes over a new connection.
    Again,
    /// The same, and not over HTTP/2.
    TooOften,
}

impl Http2Fallback {
    /// An exchange over HTTP/2 with the host of `url`, which began then, broke `now`.
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

    /// Whether the host of `url` is asked over HTTP/2 `now`.
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

/// Whether an exchange that failed so broke on its way: what was refused or not stored did not.
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
    fn a_host_is_asked_over_http2_until_its_second_break_and_again_after_an_hour() {
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
    fn what_breaks_together_is_one_break() {
        let (distrust, start) = (Http2Fallback::default(), Instant::now());
        let host = url("https://a.test/");
        assert_eq!(distrust.broke(&host, start, start + MINUTE), Http2Breakage::Again);
        for _ in 0..20 {
            assert_eq!(distrust.broke(&host, start, start + MINUTE), Http2Breakage::Known);
        }
        assert!(distrust.allows(&host, start + MINUTE));
    }

    #[test]
    fn however_many_hosts_break_only_so_many_are_remembered() {
        let (distrust, start) = (Http2Fallback::default(), Instant::now());
        for number in 0..3 * MOST_HOSTS {
            distrust.broke(&url(&format!("https://{number}.test/")), start, start);
        }
        assert!(distrust.0.lock().unwrap().len() <= MOST_HOSTS);
    }

    #[test]
    fn what_is_refused_breaks_nothing() {
        assert!(is_break(FailureKind::Reset) && is_break(FailureKind::Timeout));
        assert!(!is_break(FailureKind::BadStatus) && !is_break(FailureKind::DiskFull) && !is_break(FailureKind::Connect));
    }
}
