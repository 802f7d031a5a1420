//! The page in a browser: its files, its sign-in, its WebSocket, and downloads and uploads of files.
//!
//! - `assets` are the compiled-in files of the page.
//! - `cookies` reads and writes the halves of a device's key; `session_routes` signs a device in and out.
//! - `socket` is the WebSocket with the JSON-RPC of the local socket. `call_check` decides about each call, with the table of
//!   `call_scope`.
//! - `tickets` permit one download each; `file_routes` sends files with the ranges of `byte_range`, and `list_routes` sends and
//!   receives the export document. `folder_routes` lists folders.
//! - `request` reads bodies and recognises the sender of a request.

mod assets;
mod byte_range;
pub(crate) mod call_check;
pub(crate) mod call_scope;
mod cookies;
mod file_routes;
mod folder_routes;
mod list_routes;
pub(crate) mod request;
mod session_routes;
mod socket;
mod tickets;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ashore_sync::service::SyncService;
use axum::Router;
use tokio::sync::watch;

use crate::{body_store::BodyStore, page::tickets::TicketBook, remote_sessions::RemoteSessions, server::RemoteLimits};

/// Everything that the routes of the page share.
#[derive(Debug)]
pub(crate) struct PageInterface {
    pub service: SyncService,
    pub sessions: Arc<RemoteSessions>,
    pub data_dir: PathBuf,
    /// Folders from the command line. Callers may write in these folders.
    pub roots: Vec<PathBuf>,
    /// Path of the page, which begins and ends with a slash.
    pub base_path: String,
    pub limits: RemoteLimits,
    /// Clock.
    pub now: fn() -> u64,
    /// Tickets that were not used yet.
    pub tickets: Mutex<TicketBook>,
    /// Stored bodies that were not used yet.
    pub bodies: BodyStore,
    /// True when the server stops.
    pub stopped: watch::Receiver<bool>,
}

impl PageInterface {
    fn tickets(&self) -> MutexGuard<'_, TicketBook> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the routes of the page. Every path without a route is a file of the page.
pub(crate) fn routes(page: Arc<PageInterface>) -> Router {
    Router::new()
        .merge(session_routes::routes())
        .merge(socket::routes())
        .merge(file_routes::routes())
        .merge(list_routes::routes())
        .merge(folder_routes::routes())
        .with_state(page)
        .fallback(assets::answer)
}
