//! Counts requests by route and by class of the status.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;

/// Route and class of the status, such as `2xx`.
pub(super) type CountKey = (String, &'static str);

/// Number of requests since the server started.
#[derive(Debug, Default)]
pub(super) struct RequestCounts(Mutex<BTreeMap<CountKey, u64>>);

impl RequestCounts {
    /// Counts a request. `route` is the pattern of a route, not the path of the request, so there are few counters.
    pub(super) fn add(&self, route: &str, status: StatusCode) {
        *self.counts().entry((route.to_owned(), class(status))).or_default() += 1;
    }

    /// Returns all counts, sorted by route.
    pub(super) fn all(&self) -> BTreeMap<CountKey, u64> {
        self.counts().clone()
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<CountKey, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_class() {
        let counts = RequestCounts::default();
        for status in [StatusCode::OK, StatusCode::CREATED, StatusCode::NOT_FOUND] {
            counts.add("/a", status);
        }
        counts.add("/b", StatusCode::SWITCHING_PROTOCOLS);
        let all: Vec<_> = counts.all().into_iter().map(|((route, class), count)| format!("{route} {class} {count}")).collect();
        assert_eq!(all, ["/a 2xx 2", "/a 4xx 1", "/b 1xx 1"]);
    }
}
