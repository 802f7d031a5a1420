//! Opens the interface for the programs that have a token.

use std::{path::PathBuf, sync::Arc};

use ashore_engine::Engine;
use axum::Router;
use tokio::sync::{Notify, watch};

use crate::{
    aria2::{
        http::routes,
        methods::{Aria2Config, SecretCheck},
    },
    remote_sessions::{RemoteSessions, SentKey},
    server::RemoteLimits,
};

/// Set of the downloads that are open to programs made for aria2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aria2Access {
    /// No downloads: the interface is off.
    Off,
    /// Downloads that such programs have added.
    #[default]
    Own,
    /// All downloads. Downloads of other owners can be read, paused and continued, but not changed or removed.
    All,
}

/// Options of the interface.
#[derive(Debug)]
pub(crate) struct Aria2Options {
    pub access: Aria2Access,
    /// Data folder of the engine.
    pub data_dir: PathBuf,
    /// Folders in which clients may write, besides the download folders of the settings.
    pub roots: Vec<PathBuf>,
    /// Notified when a client ends this program; `None` if clients must not end this program.
    pub stop: Option<Arc<Notify>>,
}

/// Returns the routes of the interface; no routes if its access is `Off`.
pub(crate) fn routes_for_programs(
    options: Aria2Options,
    engine: &Engine,
    sessions: &Arc<RemoteSessions>,
    limits: RemoteLimits,
    stopped: watch::Receiver<bool>,
) -> Router {
    let Aria2Options { access, data_dir, roots, stop } = options;
    if access == Aria2Access::Off {
        return Router::new();
    }
    let config = Aria2Config {
        engine: engine.clone(),
        data_dir,
        roots,
        shows_all: access == Aria2Access::All,
        scope_of: secret_check(Arc::clone(sessions)),
        stop,
        random: Box::new(rand::random::<u64>),
    };
    routes(config, limits, stopped)
}

/// Returns a check that accepts the tokens of programs.
fn secret_check(sessions: Arc<RemoteSessions>) -> SecretCheck {
    Box::new(move |secret, from| {
        let sessions = Arc::clone(&sessions);
        Box::pin(async move {
            // `sessions` logs the reason if the list of programs cannot be read.
            let owner = sessions.owner(SentKey::Program(secret?), from).await.ok().flatten();
            owner.map(|owner| owner.scope)
        })
    })
}
