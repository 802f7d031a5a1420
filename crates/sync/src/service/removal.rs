//! Removes a machine from the list, so that it cannot read later records.
//!
//! 1. The token of the machine is revoked.
//! 2. One batch stores two objects: a new root key, sealed to the remaining machines, and a key ring with a new record
//!    key.
//! 3. The list gets new recovery words.
//!
//! If a removal is interrupted after step 1, the token is already revoked. The user repeats the removal to carry out
//! the other steps.

use std::collections::BTreeMap;

use crate::{
    cycle::{SyncAccount, SyncEnv, SyncFault, absent_device, edit_account},
    keys::{DevicePublicKey, KeyRing, RecoveryWords, RenewalStep, RootKey, RootRenewal},
    records::{DeviceId, DeviceRecord, SyncRecord as _},
    server::{CollectionPoll, OutgoingObject, StoredObject, SyncServer},
    service::{
        remote,
        status::RecoveryWordsReport,
        sync_service::{SyncService, report_words},
        unlock::{KEYS, OpenedKeys, SyncSecrets, keep_root},
    },
};

impl SyncService {
    /// Removes a machine from the list. `device` is its id or its name. Returns the new recovery words.
    pub async fn remove_device(&self, device: &str) -> Result<RecoveryWordsReport, SyncFault> {
        let _at_work = self.0.at_work.lock().await;
        let (account, mut secrets, server) = self.server().await?;
        let engine = &self.0.engine;
        let listed = server.devices().await?.value;
        let names = remote::device_names(engine).await?;
        // Search both lists. After an interrupted removal has revoked the token of a device, only this machine lists
        // the device. Only the server lists a device that has just joined.
        let mut all: BTreeMap<String, String> = listed.iter().map(|one| (one.id.clone(), one.name.clone())).collect();
        all.extend(names);
        let id = remote::find_device(&all, device).filter(|id| *id != account.device.as_str()).ok_or(SyncFault::Unknown)?;
        server.remove_device(&id).await?;
        let answer = server.info_collections(None).await?;
        let CollectionPoll::Listed(listing) = answer.value else { return Err(SyncFault::Contended) };
        let crypto_ms = listing.collections.get(KEYS.0).copied().unwrap_or_default();
        let opened = self.open_keys(&account, &secrets, &server).await?;
        let remaining: Vec<DeviceRecord> = remote::devices(engine)
            .await?
            .into_iter()
            .filter(|one| one.id.as_str() != id && listed.iter().any(|listed| listed.id == one.id.as_str()))
            .collect();
        let renewed = renew(&server, &self.0.env, &account, &secrets, (&opened, crypto_ms), &remaining).await?;
        keep_root(engine, &renewed.root).await?;
        self.keep_objects(&renewed.objects).await?;
        let account = edit_account(engine, |account| account.generation = renewed.ring.generation()).await?;
        server.delete_objects(DeviceRecord::COLLECTION, std::slice::from_ref(&id), None).await?;
        // Clear the device's row last: after an interruption, the next removal finds the device by this row.
        let row = engine.sync_records(DeviceRecord::COLLECTION, &[&id]).await?.into_iter().next();
        if let Some(row) = row {
            engine.write_sync(&[absent_device(row)]).await?;
        }
        let mut latest = self.latest();
        (latest.keys, latest.listed, latest.others) = (None, None, None);
        drop(latest);
        secrets.root = renewed.root;
        Ok(report_words(&RecoveryWords::from_root(&secrets.root), &account))
    }
}

/// Keys after the removal of a device.
#[derive(Debug)]
pub struct RenewedKeys {
    /// New root key.
    pub root: RootKey,
    /// New key ring.
    pub ring: KeyRing,
    /// Objects with the sealed keys, for the server.
    pub objects: Vec<StoredObject>,
}

/// Renews the root key for the devices `remaining`. `opened` contains the current keys of the server, and `crypto_ms`
/// is the time of their collection.
///
/// Fails with `Server(Conflict)` if another machine renewed the keys in the meantime.
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
    // Write both objects in one batch, so that both come from the same machine if two machines renew the keys at the
    // same time.
    let objects = [
        OutgoingObject { id, payload: renewal.write(), ttl_s: None },
        OutgoingObject { id: KEYS.1.to_owned(), payload: sealed, ttl_s: None },
    ];
    let receipt = server.post_batch(KEYS.0, &objects, Some(crypto_ms)).await?.value;
    if !receipt.failed.is_empty() {
        return Err(SyncFault::Damaged);
    }
    server.change_auth(&root.auth(account.uid).hash()).await?;
    let modified_ms = receipt.modified_ms.unwrap_or_default();
    let objects = objects.map(|object| StoredObject { id: object.id, modified_ms, payload: object.payload });
    Ok(RenewedKeys { root, ring, objects: objects.into() })
}
