//! Counts requests for Prometheus, by method and status, never by user.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use http::{Method, StatusCode};

/// Request counts since the start of the server.
#[derive(Debug, Default)]
pub struct ServerMetrics {
    /// Counts by method and status.
    requests: Mutex<BTreeMap<(&'static str, u16), Count>>,
}

#[derive(Debug, Default)]
struct Count {
    requests: u64,
    seconds: f64,
}

impl ServerMetrics {
    /// Counts one request.
    pub fn count(&self, method: &Method, status: StatusCode, took: Duration) {
        let known = [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS];
        let names = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];
        let name = known.iter().position(|known| known == method).map_or("other", |place| names[place]);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let count = requests.entry((name, status.as_u16())).or_default();
        count.requests += 1;
        count.seconds += took.as_secs_f64();
    }

    /// Returns the counts in the text format of Prometheus.
    pub fn render(&self) -> String {
        let mut text = String::from("# TYPE ashore_sync_requests_total counter\n");
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a string cannot fail.
        for ((method, status), Count { requests, .. }) in &*requests {
            let _ = writeln!(text, "ashore_sync_requests_total{{method=\"{method}\",status=\"{status}\"}} {requests}");
        }
        text.push_str("# TYPE ashore_sync_request_seconds_total counter\n");
        for ((method, status), Count { seconds, .. }) in &*requests {
            let _ = writeln!(text, "ashore_sync_request_seconds_total{{method=\"{method}\",status=\"{status}\"}} {seconds:.6}");
        }
        text
    }
}
