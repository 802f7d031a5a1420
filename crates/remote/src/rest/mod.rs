//! Native interface for scripts and programs: REST under `/api/v1`, and the health of the server.
//!
//! - Every route makes a call of the local socket, so the engine decides about everything.
//! - `caller` recognises the sender and checks its calls, with the same rules as for the page.
//! - `downloads` and `one_download` are the routes of the list and of its entries; `idempotency_key` finds the download
//!   of a repeated request. `settings_routes` contains settings, limits and reports; `list_routes` the export document.
//! - `events` sends the events of the engine.
//! - `query` parses the query of an address, and `health` answers whether the server works. `health_client` asks this.
//! - No route is a fallback, because every other path is a file of the page.

mod caller;
mod downloads;
mod events;
mod health;
pub(crate) mod health_client;
mod idempotency_key;
mod list_routes;
mod one_download;
mod query;
mod settings_routes;

use std::sync::Arc;

use axum::Router;

use crate::page::PageInterface;

/// Returns the routes of the interface. It shares engine, sessions and folders with the page.
pub(crate) fn routes(page: Arc<PageInterface>) -> Router {
    Router::new()
        .merge(health::routes())
        .merge(downloads::routes())
        .merge(one_download::routes())
        .merge(settings_routes::routes())
        .merge(list_routes::routes())
        .merge(events::routes())
        .with_state(page)
}
