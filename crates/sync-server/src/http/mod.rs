//! Serves the protocol over HTTP: routes, authentication and responses.
//!
//! Each request is checked in a fixed order: route, rate, authentication, formats, headers, length, body. The remaining
//! checks need the database.

mod account;
mod app;
mod changes;
mod enter;
mod events;
mod failure;
mod info;
mod linger;
mod listener;
mod metrics;
mod reply;
mod request;
mod routes;
mod settings;
mod storage;
pub mod tls;

#[cfg(debug_assertions)]
pub(crate) use self::account::read_enrolment;
pub use self::{
    account::set_up_invite,
    app::SyncApp,
    events::follow_other_nodes,
    listener::{HttpListener, ListenError, serve_metrics},
    metrics::ServerMetrics,
    request::ConnectedPeer,
    routes::answer,
    settings::HttpSettings,
};
