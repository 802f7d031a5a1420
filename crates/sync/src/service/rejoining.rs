//! Remembers earlier device ids of this machine, so that its downloads are recognised when it joins again.

use ashore_engine::Engine;

use crate::{
    cycle::{FORMER_SECRET, SyncFault},
    records::DeviceId,
};

/// Maximum number of remembered ids.
const REMEMBERED: usize = 16;

/// Returns the earlier device ids of this machine, sorted from the earliest to the latest.
pub async fn former_devices(engine: &Engine) -> Vec<DeviceId> {
    let kept = engine.sync_secret(FORMER_SECRET).await.unwrap_or_default();
    kept.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// Stores a former device id of this machine in the keychain, so that the id remains after sync is turned off.
pub async fn remember(engine: &Engine, device: &DeviceId) -> Result<(), SyncFault> {
    let mut devices = former_devices(engine).await;
    devices.retain(|one| one != device);
    devices.push(device.clone());
    let latest = &devices[devices.len().saturating_sub(REMEMBERED)..];
    let text: Vec<String> = latest.iter().map(ToString::to_string).collect();
    engine.keep_sync_secret(FORMER_SECRET, text.join(" ")).await?;
    Ok(())
}
