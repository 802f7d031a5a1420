//! Tests of the routes `/healthz` and `/readyz`, and of the client that requests them.

use super::page_place::PagePlace;
use crate::{ask_readiness, server::LIMITS};

#[tokio::test]
async fn health_needs_no_sign_in_and_readiness_ends_with_engine() {
    let place = PagePlace::new().await;
    for path in ["healthz", "readyz"] {
        let answered = place.ask("GET", path, &[], b"").await;
        assert_eq!((answered.status, answered.body.len()), (204, 0), "{answered:?}");
    }
    place.own.engine.close().await;
    assert_eq!(place.ask("GET", "healthz", &[], b"").await.status, 204);
    assert_eq!(place.ask("GET", "readyz", &[], b"").await.status, 503);
}

#[tokio::test]
async fn readiness_client_uses_address_of_page() {
    let place = PagePlace::with(LIMITS, "/a/").await;
    let url = format!("http://{}/a", place.address()).parse().unwrap();
    ask_readiness(&url).await.unwrap();
    place.own.engine.close().await;
    assert_eq!(ask_readiness(&url).await.unwrap_err().to_string(), "HTTP 503");
    place.server.stop().await;
    assert!(ask_readiness(&url).await.is_err());
}
