//! Remembers the identities that this machine had, so that its downloads are recognised when it joins again.

use ashore_engine::Engine;

use crate::{
    cycle::{FORMER_SECRET, SyncFault},
    records::DeviceId,
};

/// Number of identities that are remembered.
const REMEMBERED: usize = 16;

/// Returns the ids of the devices as which this machine was enrolled earlier, the latest last.
pub async fn former_devices(engine: &Engine) -> Vec<DeviceId> {
    let kept = engine.sync_secret(FORMER_SECRET).await.unwrap_or_default();
    kept.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// Stores in the keychain the id of a device that this machine was earlier, so that the id is still known after sync
/// was turned off.
pub async fn remember(engine: &Engine, device: &DeviceId) -> Result<(), SyncFault> {
    let mut devices = former_devices(engine).await;
    devices.retain(|one| one != device);
    devices.push(device.clone());
    let latest = &devices[devices.len().saturating_sub(REMEMBERED)..];
    let text: Vec<String> = latest.iter().map(ToString::to_string).collect();
    engine.keep_sync_secret(FORMER_SECRET, text.join(" ")).await?;
    Ok(())
}
