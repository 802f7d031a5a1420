//! Removes a machine from the list, so that it cannot read anything that is written afterwards.
//!
//! 1. Its token is revoked.
//! 2. A new root key, sealed to the keys of the remaining machines, and a key ring with a new key for records are stored on
//!    the server together.
//! 3. The words of the list are new.
//!
//! If a removal is interrupted after step 1, the token is already revoked. When the person repeats the removal, the
//! other steps follow.

use crate::{
    cycle::{SyncAccount, SyncEnv, SyncFault},
    keys::{DevicePublicKey, KeyRing, RenewalStep, RootKey, RootRenewal},
    records::{DeviceId, DeviceRecord},
    server::{OutgoingObject, SyncServer},
    service::unlock::{KEYS, OpenedKeys, SyncSecrets},
};

/// Keys after the removal of a device.
#[derive(Debug)]
pub struct RenewedKeys {
    /// New root key.
    pub root: RootKey,
    /// New key ring.
    pub ring: KeyRing,
}

/// Renews the root key for the devices `remaining`. `opened` contains the current keys of the server, and `crypto_ms`
/// is the time of their collection.
///
/// Fails with `Server(Conflict)` if another machine renewed the keys meanwhile.
pub async fn renew<S: SyncServer>(
    server: &S,
    env: &SyncEnv,
    account: &SyncAccount,
    secrets: &SyncSecrets,
    (opened, crypto_ms): (&OpenedKeys, i64),
    remaining: &[DeviceRecord],
) -> Result<RenewedKeys, SyncFault> {
    let mut random = |bytes: &mut [u8]| (env.random)(bytes);
    let root = RootKey::generate(&mut random);
    let ring = opened.ring.rotated(&mut random);
    let previous = opened.renewed.as_ref().unwrap_or(&secrets.root);
    let step = RenewalStep { uid: account.uid, sync_id: &account.sync_id, generation: ring.generation(), previous };
    let mut keys: Vec<(&DeviceId, DevicePublicKey)> = Vec::new();
    for device in remaining {
        keys.push((&device.id, DevicePublicKey::from_bytes(device.public_key).map_err(SyncFault::Renewal)?));
    }
    let devices = keys.iter().map(|(id, key)| (id.as_str(), *key));
    let renewal = RootRenewal::seal(&step, &root, devices, &mut random).map_err(SyncFault::Renewal)?;
    let id = RootRenewal::record_id(ring.generation());
    let sealed = ring.seal(&root, account.uid, env.bytes())?;
    // Write both objects in one batch. If two machines renew the keys at once, both objects then come from the same
    // machine.
    let objects = [
        OutgoingObject { id, payload: renewal.write(), ttl_s: None },
        OutgoingObject { id: KEYS.1.to_owned(), payload: sealed, ttl_s: None },
    ];
    let receipt = server.post_batch(KEYS.0, &objects, Some(crypto_ms)).await?.value;
    if !receipt.failed.is_empty() {
        return Err(SyncFault::Damaged);
    }
    server.change_auth(&root.auth(account.uid).hash()).await?;
    Ok(RenewedKeys { root, ring })
}
