//! The way to an engine for every verb: connections that act for the owner of `--owner`, or else for the person. Called by
//! whatever connects; set once, before the first verb.

use std::{path::Path, sync::OnceLock};

use ashore_engine::SettingOverrides;
use ashore_rpc::{CallFailure, PeerStream, SocketClient};

/// The owner of what is asked for without `--owner`.
const COMMAND_LINE: &str = "command-line";

static ACTS_FOR: OnceLock<String> = OnceLock::new();

/// From now on every connection acts for this owner.
pub fn act_for(owner: String) {
    // Only `main` sets the owner, and only once.
    let _ = ACTS_FOR.set(owner);
}

/// The owner that connections act for; none for the person.
pub fn acts_for() -> Option<&'static str> {
    ACTS_FOR.get().map(String::as_str)
}

/// The owner of what is asked for here.
pub fn owner() -> &'static str {
    acts_for().unwrap_or(COMMAND_LINE)
}

/// As [`ashore_rpc::connect`].
pub async fn connect(data_dir: &Path, holder: &str, fetch: bool) -> Result<PeerStream, CallFailure> {
    connect_with(data_dir, holder, fetch, SettingOverrides::default()).await
}

/// As [`ashore_rpc::connect_with`].
pub async fn connect_with(
    data_dir: &Path,
    holder: &str,
    fetch: bool,
    overrides: SettingOverrides,
) -> Result<PeerStream, CallFailure> {
    ashore_rpc::connect_with(data_dir, holder, fetch, overrides).await?.acting_for(acts_for())
}

/// The client that `client` is for the owner.
pub fn client(client: SocketClient) -> Result<SocketClient, CallFailure> {
    acts_for().map_or_else(|| Ok(client.clone()), |owner| client.acting_for(owner))
}
