//! Native interface for scripts and programs. It answers whether the server works.
//!
//! - `health` contains the routes, and `health_client` asks them.
//! - No route is a fallback, because every other path is a file of the page.

mod health;
pub(crate) mod health_client;

use std::sync::Arc;

use axum::Router;

use crate::page::PageInterface;

/// Returns the routes of the interface. It shares the engine with the page.
pub(crate) fn routes(page: Arc<PageInterface>) -> Router {
    health::routes().with_state(page)
}
