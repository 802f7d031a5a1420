//! Requests received by an origin.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All received requests of an origin, in order.
pub(super) type Requests = Arc<Mutex<Vec<Request>>>;

/// Received request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST`, ...
    pub method: String,
    /// Path without its query.
    pub path: String,
    /// Query, without the question mark.
    pub query: Option<String>,
    /// Header fields in order, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Received bytes of the body.
    pub body: Vec<u8>,
}

impl Request {
    /// Returns the first header field of this name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the offset at which the requested range begins (`Range: bytes=<start>-<last>`).
    pub fn range_start(&self) -> Option<u64> {
        self.header("range")?.strip_prefix("bytes=")?.split('-').next()?.parse().ok()
    }

    /// Returns the offset of the last byte of the requested range, if stated.
    pub fn range_end(&self) -> Option<u64> {
        self.header("range")?.strip_prefix("bytes=")?.split('-').nth(1)?.parse().ok()
    }
}

/// Locks the mutex. Poisoning is ignored: only the test that panicked fails, and the other tests continue.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
