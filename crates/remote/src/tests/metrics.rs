//! Metrics for Prometheus.

use serde_json::{Value, json};

use super::{page_place::PagePlace, rest::TokenClient};
use crate::{server::LIMITS, token_scope::TokenScope};

/// Returns the value of `sample`, which is the name of a metric with its labels.
fn value(text: &str, sample: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' ')?.parse().ok())
}

#[tokio::test]
async fn metrics_contain_counts_but_no_titles_or_hosts() {
    let place = PagePlace::with(LIMITS, "/a/").await;
    let [monitor, person, reader] =
        [TokenScope::Metrics, TokenScope::Control, TokenScope::Read].map(|scope| TokenClient::new(&place, scope));
    let aborted = person.add("http://secret.example/title").await;
    person.add("http://secret.example/b").await;
    place.own.engine.abort(aborted.parse().unwrap()).await.unwrap();
    place.sign_in_with(&json!({ "token": "0".repeat(64) })).await;
    assert_eq!(place.ask("GET", "metrics", &[], b"").await.status, 401);
    assert_eq!(reader.ask("GET", "metrics", &Value::Null).await.status, 403);
    assert_eq!(person.ask("GET", "metrics", &Value::Null).await.status, 200);
    let answered = monitor.ask("GET", "metrics", &Value::Null).await;
    assert_eq!(answered.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    let text = String::from_utf8(answered.body).unwrap();
    for (sample, expected) in [
        ("ashore_registrations{state=\"paused\"}", 1),
        ("ashore_registrations{state=\"settled\"}", 1),
        ("ashore_registrations{state=\"running\"}", 0),
        ("ashore_failed_registrations{reason=\"aborted\"}", 1),
        ("ashore_failed_registrations{reason=\"bad-status\"}", 0),
        ("ashore_queue_length", 0),
        ("ashore_downloaded_bytes_total", 0),
        ("ashore_http_requests_total{route=\"/api/v1/downloads\",class=\"2xx\"}", 2),
        ("ashore_http_requests_total{route=\"/api/session\",class=\"4xx\"}", 1),
        ("ashore_http_requests_total{route=\"/metrics\",class=\"4xx\"}", 2),
        ("ashore_refused_sign_ins_total", 1),
    ] {
        assert_eq!(value(&text, sample), Some(expected), "{sample} in {text}");
    }
    assert!(!text.contains("secret") && !text.contains("title"), "{text}");
}

#[tokio::test]
async fn unknown_routes_have_one_label_of_their_own() {
    let place = PagePlace::with(LIMITS, "/a/").await;
    let monitor = TokenClient::new(&place, TokenScope::Metrics);
    let unknown = [("GET", "secret-name"), ("GET", "api/v1/secret"), ("GET", "api/v1/secret/2"), ("POST", "api/v1/secret")];
    for (method, path) in unknown.into_iter().chain([("GET", "files/x/0?ticket=secret"), ("GET", "")]) {
        place.ask(method, path, &[], b"").await;
    }
    let text = String::from_utf8(monitor.ask("GET", "metrics", &Value::Null).await.body).unwrap();
    assert!(!text.contains("secret"), "{text}");
    for (route, count) in [("unknown", 4), ("/files/{id}/{index}", 1)] {
        let sample = format!("ashore_http_requests_total{{route=\"{route}\",class=\"4xx\"}}");
        assert_eq!(value(&text, &sample), Some(count), "{text}");
    }
    // Without the files of the page, its first file is answered with 503.
    let of_page: Vec<&str> = text.lines().filter(|line| line.contains("route=\"page\"")).collect();
    assert!(matches!(&of_page[..], [only] if only.ends_with(" 1") && !only.contains("4xx")), "{text}");
}
