//! Connects every subcommand to the engine. The connection acts for the owner in `--owner`. Without that option, it
//! acts for the user.
//!
//! Called by every subcommand that connects. The owner is set once, before the first subcommand.

use std::{path::Path, sync::OnceLock};

use ashore_engine::SettingOverrides;
use ashore_rpc::{CallFailure, PeerStream, SocketClient};

/// Owner of new registrations without `--owner`.
const COMMAND_LINE: &str = "command-line";

static ACTS_FOR: OnceLock<String> = OnceLock::new();

/// Makes every connection that is opened later act for `owner`.
pub fn act_for(owner: String) {
    // Only `main` sets the owner, and only once.
    let _ = ACTS_FOR.set(owner);
}

/// Returns the owner for which connections act; `None` for the user.
pub fn acts_for() -> Option<&'static str> {
    ACTS_FOR.get().map(String::as_str)
}

/// Returns the owner of registrations that this process creates.
pub fn owner() -> &'static str {
    acts_for().unwrap_or(COMMAND_LINE)
}

/// Connects like [`ashore_rpc::connect`], on behalf of the owner in `--owner`.
pub async fn connect(data_dir: &Path, holder: &str, fetch: bool) -> Result<PeerStream, CallFailure> {
    connect_with(data_dir, holder, fetch, SettingOverrides::default()).await
}

/// Connects like [`ashore_rpc::connect_with`], on behalf of the owner in `--owner`.
pub async fn connect_with(
    data_dir: &Path,
    holder: &str,
    fetch: bool,
    overrides: SettingOverrides,
) -> Result<PeerStream, CallFailure> {
    ashore_rpc::connect_with(data_dir, holder, fetch, overrides).await?.acting_for(acts_for())
}

/// Returns `client`, which acts for the owner if `--owner` is set.
pub fn client(client: SocketClient) -> Result<SocketClient, CallFailure> {
    acts_for().map_or_else(|| Ok(client.clone()), |owner| client.acting_for(owner))
}
