//! Native interface for scripts and programs: REST under `/api/v1`, and the health of the server.
//!
//! - Routes make the same calls as programs on the local socket, so the same rules apply to both.
//! - `caller` recognises the sender and checks its calls, with the same rules as for the page.
//! - `downloads` and `one_download` are the routes of the list and of its entries; `idempotency_key` finds the download
//!   of a repeated request, and refuses the key of another request. `settings_routes` contains settings, limits and reports; `list_routes` the export document.
//! - `bodies` stores files that a new download sends. `events` sends the events of the engine. `rpc` accepts the messages of
//!   the local socket.
//! - `query` parses the query of an address. `health` answers whether the server works, and `health_client` sends this
//!   question to a server.
//! - This interface has no fallback route, because every path without a route belongs to a file of the page.

mod bodies;
mod caller;
mod downloads;
mod events;
mod health;
pub(crate) mod health_client;
mod idempotency_key;
mod list_routes;
mod one_download;
mod query;
mod rpc;
mod settings_routes;

use std::sync::Arc;

use axum::Router;

use crate::page::PageInterface;

/// Returns the routes of the interface. They use the engine, sessions and folders of `page`.
pub(crate) fn routes(page: Arc<PageInterface>) -> Router {
    Router::new()
        .merge(health::routes())
        .merge(downloads::routes())
        .merge(one_download::routes())
        .merge(settings_routes::routes())
        .merge(list_routes::routes())
        .merge(events::routes())
        .merge(bodies::routes())
        .merge(rpc::routes())
        .with_state(page)
}
