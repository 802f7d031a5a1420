//! Keeps copies of the sealed keys of the list, and restores the keys on a server that has lost them or has older keys.
//!
//! Called by a cycle that opens the keys, and by the removal of a machine.
//!
//! - A server that lost everything gets the copies as new objects. If two machines write copies, the copies of one
//!   machine win.
//! - A server that was restored from a backup may have keys of an earlier generation, from before the removal of a
//!   machine. No machine opens these keys, because the removed machine knows them. The server gets the newer keys
//!   again.
//! - Such a server has also lost the removal itself. Before anything else is written, the machine is removed again, and
//!   the recovery words that it knows are invalidated again.
//! - Every step can be repeated, and the keys are written last. The next cycle repeats an interrupted restoration from
//!   the start.

use std::collections::{BTreeMap, BTreeSet};

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{SyncAccount, SyncFault, all_rows, begin_restoration, rolled_back_to},
    keys::{KeyRing, KeyRingFault, RootRenewal},
    records::{DeviceId, DeviceRecord, SyncRecord as _},
    server::{HttpServer, OutgoingObject, PageRequest, StoredObject, SyncServer as _},
    service::{
        enrolment::{metadata, put_new},
        sync_service::SyncService,
        unlock::{KEYS, META, OpenedKeys, SyncSecrets},
    },
};

/// Maximum number of objects that are read to be copied. A list has one object for each removal of a machine.
const MOST_OBJECTS: u32 = 500;
/// Maximum number of attempts to restore the keys. An attempt is repeated if another machine writes the keys at the
/// same time.
const MOST_ATTEMPTS: u32 = 3;

/// Copies of the sealed keys on this machine.
#[derive(Debug, Default)]
struct KeptKeys {
    /// Content of `crypto/keys`.
    sealed: String,
    /// Time at which the server stored `crypto/keys`, or 0 if unknown.
    modified_ms: i64,
    /// Content of each `crypto/root-N` by generation.
    renewals: BTreeMap<u64, String>,
}

impl SyncService {
    /// Restores the keys that the server has lost, and opens them. `fault` states why the keys on the server could not
    /// be opened.
    ///
    /// Fails with `fault` if this machine cannot restore any keys.
    pub(super) async fn open_restored_keys(
        &self,
        account: &SyncAccount,
        secrets: &SyncSecrets,
        server: &HttpServer,
        times: &BTreeMap<String, i64>,
        mut fault: SyncFault,
    ) -> Result<OpenedKeys, SyncFault> {
        for _ in 0..MOST_ATTEMPTS {
            // Generation of the keys on the server.
            let stated = match fault {
                SyncFault::Reset => None,
                SyncFault::Keys(KeyRingFault::Older(stated)) => Some(stated),
                fault => return Err(fault),
            };
            let Some(kept) = self.kept_keys(account, secrets).await? else { return Err(fault) };
            match stated {
                None => self.restore_lost_keys(account, server, &kept).await?,
                Some(stated) => self.restore_newer_keys(account, secrets, server, times, (&kept, stated)).await?,
            }
            match self.open_keys(account, secrets, server).await {
                Ok(opened) => {
                    if stated.is_some() {
                        // Another machine may have renewed the keys while this machine invalidated the words.
                        let root = opened.renewed.as_ref().unwrap_or(&secrets.root);
                        server.change_auth(&root.auth(account.uid).hash()).await?;
                    }
                    return Ok(opened);
                }
                Err(other) => fault = other,
            }
        }
        Err(fault)
    }

    /// Returns the copies of the keys, if this machine has them and can open them.
    ///
    /// If the program was interrupted before it stored new copies, the copies are older than the root key and cannot be
    /// opened. Another machine then restores the keys.
    async fn kept_keys(&self, account: &SyncAccount, secrets: &SyncSecrets) -> Result<Option<KeptKeys>, SyncFault> {
        let mut kept = KeptKeys::default();
        for row in all_rows(&self.0.engine, KEYS.0).await? {
            let Some(payload) = row.base.or(row.local) else { continue };
            if row.id == KEYS.1 {
                (kept.sealed, kept.modified_ms) = (payload, row.modified_ms);
            } else if let Some(generation) = generation_of(&row.id, &payload) {
                kept.renewals.insert(generation, payload);
            }
        }
        let opened = KeyRing::open(&secrets.root, account.generation, account.uid, &account.sync_id, &kept.sealed);
        Ok(opened.is_ok().then_some(kept))
    }

    /// Writes the keys to a server that has lost the list. The cycle then sends every record again.
    async fn restore_lost_keys(&self, account: &SyncAccount, server: &HttpServer, kept: &KeptKeys) -> Result<(), SyncFault> {
        let renewals = kept.renewals.iter().map(|(generation, text)| (RootRenewal::record_id(*generation), text.clone()));
        let keys = [(KEYS.1.to_owned(), kept.sealed.clone())];
        for (id, payload) in renewals.chain(keys) {
            unless_there(put_new(server, (KEYS.0, &id), payload).await)?;
        }
        unless_there(put_new(server, META, metadata(&account.sync_id)).await)?;
        begin_restoration(&self.0.engine, (self.0.env.now_ms)(), 0).await?;
        Ok(())
    }

    /// Writes the keys to a server that has keys of the earlier generation `stated`.
    ///
    /// Writes nothing if another machine writes keys at the same time.
    async fn restore_newer_keys(
        &self,
        account: &SyncAccount,
        secrets: &SyncSecrets,
        server: &HttpServer,
        times: &BTreeMap<String, i64>,
        (kept, stated): (&KeptKeys, u64),
    ) -> Result<(), SyncFault> {
        let crypto_ms = times.get(KEYS.0).copied().unwrap_or_default();
        let known_ms = if kept.modified_ms > 0 { kept.modified_ms - 1 } else { crypto_ms };
        let until_ms = rolled_back_to(&self.0.engine, times).await?.map_or(known_ms, |until_ms| until_ms.min(known_ms));
        begin_restoration(&self.0.engine, (self.0.env.now_ms)(), until_ms).await?;
        let mut lost = kept.renewals.clone();
        lost.retain(|generation, _| *generation > stated);
        server.change_auth(&secrets.root.auth(account.uid).hash()).await?;
        self.remove_again(account, server, &lost, account.generation - stated).await?;
        let object = |id: String, payload: &String| OutgoingObject { id, payload: payload.clone(), ttl_s: None };
        let renewals = lost.iter().map(|(generation, payload)| object(RootRenewal::record_id(*generation), payload));
        let objects: Vec<OutgoingObject> = renewals.chain([object(KEYS.1.to_owned(), &kept.sealed)]).collect();
        match server.post_batch(KEYS.0, &objects, Some(crypto_ms)).await.map_err(SyncFault::from) {
            Ok(answer) if !answer.value.failed.is_empty() => Err(SyncFault::Damaged),
            other => unless_there(other.map(drop)),
        }
    }

    /// Removes the machines that are listed on the restored server although they cannot have the newest keys.
    ///
    /// `lost` contains the renewals that the server has lost, and `renewed` is their total number.
    async fn remove_again(
        &self,
        account: &SyncAccount,
        server: &HttpServer,
        lost: &BTreeMap<u64, String>,
        renewed: u64,
    ) -> Result<(), SyncFault> {
        let renewals: Vec<RootRenewal> = lost.values().filter_map(|text| RootRenewal::read(text).ok()).collect();
        let is_complete = u64::try_from(renewals.len()).is_ok_and(|count| count == renewed);
        let rows = all_rows(&self.0.engine, DeviceRecord::COLLECTION).await?;
        let absent: BTreeSet<String> = rows.into_iter().filter(|row| row.is_gone).map(|row| row.id).collect();
        let listed = server.devices().await?.value.into_iter().map(|device| device.id);
        // The id becomes part of a URL.
        let listed = listed.filter(|id| id.parse::<DeviceId>().is_ok() && *id != account.device.as_str());
        let removed: Vec<String> = listed.filter(|id| is_cut_off(id, &renewals, is_complete, &absent)).collect();
        if !removed.is_empty() {
            // Delete the records first. If the removal is interrupted here, the server still lists the devices, and the
            // next cycle finds them again.
            server.delete_objects(DeviceRecord::COLLECTION, &removed, None).await?;
        }
        for device in &removed {
            server.remove_device(device).await?;
        }
        Ok(())
    }

    /// Checks whether another machine has restored the keys on the server.
    ///
    /// If so, the server has lost not only the keys, but records too. Everything is then sent and read again.
    ///
    /// Only a restoration writes the keys of a generation for a second time. The keys then have a later time.
    ///
    /// Must be called before [`Self::keep_keys`] stores the keys of the server on this machine.
    pub(super) async fn note_restored_keys(&self, sealed: &StoredObject, times: &BTreeMap<String, i64>) -> Result<(), SyncFault> {
        let engine = &self.0.engine;
        let Some(kept) = engine.sync_records(KEYS.0, &[KEYS.1]).await?.into_iter().next() else { return Ok(()) };
        let is_same = kept.base.as_ref() == Some(&sealed.payload);
        if is_same && kept.modified_ms > 0 && kept.modified_ms != sealed.modified_ms {
            let until_ms = rolled_back_to(engine, times).await?.unwrap_or(kept.modified_ms - 1);
            begin_restoration(engine, (self.0.env.now_ms)(), until_ms).await?;
        }
        Ok(())
    }

    /// Stores copies of opened keys on this machine, in case the server loses them.
    ///
    /// Also stores the renewals of the root key: a machine that was off needs all of them, one after another.
    pub(super) async fn keep_keys(&self, server: &HttpServer, opened: &OpenedKeys) -> Result<(), SyncFault> {
        let newest = opened.ring.generation();
        let kept: BTreeSet<String> = all_rows(&self.0.engine, KEYS.0).await?.into_iter().map(|row| row.id).collect();
        let mut objects = Vec::new();
        if (2..=newest).any(|generation| !kept.contains(&RootRenewal::record_id(generation))) {
            let (newer_ms, offset, if_unmodified_since_ms) = (0, None, None);
            let collection = KEYS.0.to_owned();
            let request = PageRequest { collection, newer_ms, offset, limit: MOST_OBJECTS, if_unmodified_since_ms };
            objects = server.read_page(&request).await?.value.objects;
        }
        // Never replace a copy, because the server could substitute another renewal.
        objects.retain(|object| {
            let generation = generation_of(&object.id, &object.payload);
            generation.is_some_and(|generation| generation <= newest) && !kept.contains(&object.id)
        });
        objects.push(opened.sealed.clone());
        self.keep_objects(&objects).await
    }

    /// Stores copies of objects that contain sealed keys.
    pub(super) async fn keep_objects(&self, objects: &[StoredObject]) -> Result<(), SyncFault> {
        let engine = &self.0.engine;
        for object in objects {
            let row = engine.sync_records(KEYS.0, &[&object.id]).await?.into_iter().next();
            let seen = row.as_ref().map_or(0, |row| row.change);
            let row = SyncRecordRow {
                collection: KEYS.0.to_owned(),
                id: object.id.clone(),
                base: Some(object.payload.clone()),
                modified_ms: object.modified_ms,
                ..row.unwrap_or_default()
            };
            engine.write_sync(&[SyncWrite::Record { record: Box::new(row), seen, is_edit: false }]).await?;
        }
        Ok(())
    }
}

/// Ignores that an object already exists: another machine, or an interrupted attempt of this machine, has written it.
fn unless_there(written: Result<(), SyncFault>) -> Result<(), SyncFault> {
    match written {
        Err(fault) if fault.is_conflict() => Ok(()),
        other => other,
    }
}

/// Returns the generation in the id of an object in `crypto`, or `None` if the object is not a renewal. [pure]
fn generation_of(id: &str, payload: &str) -> Option<u64> {
    let generation = RootRenewal::read(payload).ok()?.generation();
    (RootRenewal::record_id(generation) == id).then_some(generation)
}

/// Whether a device on the server's list cannot have the newest keys, because one of the `renewals` was not sealed to
/// this device. [pure]
///
/// If this machine does not know all renewals, the result is also true for every device that is known to be absent.
///
/// A device that joined after a renewal got the renewed keys with its link. The restored server does not list such a
/// device.
fn is_cut_off(device: &str, renewals: &[RootRenewal], is_complete: bool, absent: &BTreeSet<String>) -> bool {
    let is_left_out = renewals.iter().any(|renewal| renewal.devices().all(|id| id != device));
    is_left_out || (!is_complete && absent.contains(device))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renewal(generation: u64, devices: &[&str]) -> String {
        let roots: Vec<String> = devices.iter().map(|device| format!(r#""{device}":"x""#)).collect();
        format!(r#"{{"v":1,"gen":{generation},"roots":{{{}}}}}"#, roots.join(","))
    }

    #[test]
    fn device_is_excluded_if_any_key_renewal_omits_it() {
        let renewals = [(2, &["a", "b"][..]), (3, &["a"])]
            .map(|(generation, devices)| RootRenewal::read(&renewal(generation, devices)).unwrap());
        let absent = BTreeSet::from(["a".to_owned()]);
        let cut_off = |is_complete| ["a", "b", "c"].map(|device| is_cut_off(device, &renewals, is_complete, &absent));
        assert_eq!(cut_off(true), [false, true, true]);
        assert_eq!(cut_off(false), [true, true, true]);
        assert!(!is_cut_off("b", &renewals[..1], false, &absent) && is_cut_off("a", &[], false, &absent));
    }

    #[test]
    fn key_renewal_is_recognised_only_if_its_id_matches_its_content() {
        let text = renewal(12, &["a"]);
        assert_eq!(["root-12", "root-1", "keys", "root-012"].map(|id| generation_of(id, &text)), [Some(12), None, None, None]);
        assert_eq!(generation_of("root-12", "{}"), None);
    }
}
