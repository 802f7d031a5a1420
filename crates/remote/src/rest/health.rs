//! `/healthz` and `/readyz`: whether the server works. They need no sign-in, and their answers have no content.

use std::sync::Arc;

use axum::{Router, extract::State, http::StatusCode, routing::get};

use crate::page::PageInterface;

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/healthz", get(async || StatusCode::NO_CONTENT)).route("/readyz", get(readiness))
}

/// Answers 204 if the engine carries out calls, and 503 otherwise. The engine finishes its start-up repair before the
/// server starts, so this route need not check the repair.
async fn readiness(State(page): State<Arc<PageInterface>>) -> StatusCode {
    match page.service.engine().totals().await {
        Ok(_) => StatusCode::NO_CONTENT,
        Err(error) => {
            tracing::warn!(%error, "engine is not ready");
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}
