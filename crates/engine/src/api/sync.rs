//! Operations for the sync client: account and secrets, records and cursors, and changes that other machines request.
//!
//! - A batch of writes is one transaction. If one of its conditions is false, nothing is written.
//! - A download from another machine is checked like a download from any program.

use std::{mem::discriminant, path::Path};

use ashore_messages::message;
use serde_json::Value;

use crate::{
    EngineError, EngineEvent,
    api::engine::Engine,
    model::{
        KeptIn, NewRegistration, NewRequest, ReceivedDownload, Registration, SettingKey, SettingValue, SyncConflict, SyncCount,
        SyncCursor, SyncRecordRow, SyncState, SyncWrite, SyncedRegistration, UniqueId,
    },
    platform::failpoint,
    scheduler::command::SchedulerCommand,
    store::{
        ledger::LedgerWriter,
        list_file::format::ExportedRequest,
        sync::{
            records::NewRecord,
            registrations::{AppliedWish, RegistrationWish, SENT_PREFIX},
        },
    },
};

impl Engine {
    /// Notifies listeners of a change in the state of sync.
    pub fn announce_sync(&self) {
        self.shared.speaker.emit(EngineEvent::Sync);
    }

    /// Returns the account and the clock of sync; `None` while sync is off.
    pub async fn sync_state(&self) -> Result<Option<SyncState>, EngineError> {
        self.shared.store.sync_state().await
    }

    /// Turns sync on. Marks every synced download as not sent yet.
    ///
    /// Fails with `WrongState` if sync is already on.
    pub async fn begin_sync(&self, account: &str) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        if self.shared.store.sync_state().await?.is_some() {
            return Err(EngineError::WrongState(message!("wrong-state.syncing")));
        }
        ledger.begin_sync(account).await?;
        ledger.commit().await
    }

    /// Turns sync off and forgets its records. Downloads and files stay.
    pub async fn end_sync(&self) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.end_sync().await?;
        ledger.commit().await?;
        self.shared.store.stop_marking();
        Ok(())
    }

    /// Marks all records as not sent yet, and resets the cursor of every collection. Called when the server has lost
    /// data.
    pub async fn restart_sync(&self) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.restart_sync().await?;
        ledger.commit().await
    }

    /// Stores a sync secret in the keychain.
    ///
    /// Fails with `Invalid` if the keychain refuses the secret, or if the settings forbid storing secrets.
    pub async fn keep_sync_secret(&self, name: &str, secret: String) -> Result<KeptIn, EngineError> {
        match self.shared.keychain.keep_sync_secret(name, secret).await? {
            KeptIn::Memory => Err(EngineError::Invalid(message!("invalid.keychain-off"))),
            kept => Ok(kept),
        }
    }

    /// Returns the sync secret with this name; `None` if it is missing or the keychain does not return it.
    pub async fn sync_secret(&self, name: &str) -> Option<String> {
        self.shared.keychain.sync_secret(name).await
    }

    /// Forgets a sync secret. Returns false if it was missing.
    pub async fn forget_sync_secret(&self, name: &str) -> Result<bool, EngineError> {
        self.shared.keychain.forget_sync_secret(name).await
    }

    /// Returns the read position in the collection.
    pub async fn sync_cursor(&self, collection: &str) -> Result<SyncCursor, EngineError> {
        self.shared.store.sync_cursor(collection).await
    }

    /// Returns the records with these ids, in any order. Leaves out ids without a record.
    pub async fn sync_records(&self, collection: &str, ids: &[&str]) -> Result<Vec<SyncRecordRow>, EngineError> {
        self.shared.store.sync_records(collection, ids).await
    }

    /// Returns the records with unsent changes, in the order of the changes.
    pub async fn due_sync_records(&self, collection: &str, limit: u32) -> Result<Vec<SyncRecordRow>, EngineError> {
        self.shared.store.due_sync_records(collection, limit).await
    }

    /// Returns a page of a collection: the records after the id `after`, sorted by id.
    pub async fn all_sync_records(&self, collection: &str, after: &str, limit: u32) -> Result<Vec<SyncRecordRow>, EngineError> {
        self.shared.store.all_sync_records(collection, after, limit).await
    }

    /// Returns the held-back records of a collection.
    pub async fn held_sync_records(&self, collection: &str) -> Result<Vec<SyncRecordRow>, EngineError> {
        self.shared.store.held_sync_records(collection).await
    }

    /// Returns the newest record of the collection that the server had stored no later than `until_ms`.
    ///
    /// Searches only the records that this machine knows. Leaves out records that were never on the server.
    pub async fn latest_sync_record(&self, collection: &str, until_ms: i64) -> Result<Option<SyncRecordRow>, EngineError> {
        self.shared.store.latest_sync_record(collection, until_ms).await
    }

    /// Returns entries of the download history that may have one of these links. The caller must compare the links.
    pub async fn sync_history(&self, links: &[String], limit: u32) -> Result<Vec<SyncRecordRow>, EngineError> {
        self.shared.store.sync_history(links, limit).await
    }

    /// Returns the record counts of each collection.
    pub async fn sync_counts(&self) -> Result<Vec<SyncCount>, EngineError> {
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        let counts = self.shared.store.sync_counts().await?;
        let row = |(collection, records, on_server, due, held, newer)| SyncCount {
            collection,
            records: count(records),
            on_server: count(on_server),
            due: count(due),
            held: count(held),
            newer: count(newer),
        };
        Ok(counts.into_iter().map(row).collect())
    }

    /// Returns the registrations with unsent changes, in the order of the changes.
    pub async fn due_synced_registrations(&self, limit: u32) -> Result<Vec<SyncedRegistration>, EngineError> {
        self.shared.store.due_synced_registrations(limit).await
    }

    /// Returns the registration that a record describes; `None` if it is not on this machine.
    pub async fn synced_registration(&self, sync_id: &str) -> Result<Option<SyncedRegistration>, EngineError> {
        self.shared.store.synced_registration(sync_id).await
    }

    /// Returns the registration in the form in which sync sends it; `None` if it is not synced.
    pub async fn synced_view(&self, id: UniqueId) -> Result<Option<SyncedRegistration>, EngineError> {
        self.shared.store.synced_view(id).await
    }

    /// Whether this machine takes part in sync. Does not query the database.
    pub fn is_syncing(&self) -> bool {
        self.shared.store.is_syncing()
    }

    /// Returns the creation times of the owner's latest registrations, newest first, in milliseconds of Unix time.
    pub async fn latest_creations_ms(&self, owner: &str, limit: u32) -> Result<Vec<i64>, EngineError> {
        let created_us = self.shared.store.latest_creations(owner, limit).await?;
        Ok(created_us.into_iter().map(|us| us.div_euclid(1000)).collect())
    }

    /// Returns the number of synced registrations, and the number of those with unsent changes.
    pub async fn synced_counts(&self) -> Result<(u64, u64), EngineError> {
        let (all, due) = self.shared.store.synced_counts().await?;
        Ok((u64::try_from(all).unwrap_or_default(), u64::try_from(due).unwrap_or_default()))
    }

    /// Returns the conflicts between this machine and other machines, the latest first.
    pub async fn sync_conflicts(&self, limit: u32) -> Result<Vec<SyncConflict>, EngineError> {
        self.shared.store.sync_conflicts(limit).await
    }

    /// Returns the conflict with this number; `None` if it was resolved or has expired.
    pub async fn sync_conflict(&self, number: i64) -> Result<Option<SyncConflict>, EngineError> {
        self.shared.store.sync_conflict(number).await
    }

    /// Returns the name of each synced setting, with its value if that differs from the default.
    ///
    /// Leaves out settings with a path outside of the download folder.
    pub fn synced_settings(&self) -> Vec<(String, Option<Value>)> {
        let report = self.settings();
        let synced = report.settings.into_iter().filter_map(|setting| {
            let definition = setting.key.definition();
            let is_changed = setting.value != setting.default;
            let value = serde_json::to_value(&setting.value).ok().filter(|_| is_changed);
            let is_sent = definition.is_synced && value.as_ref().is_none_or(|value| is_portable(setting.key, value));
            is_sent.then(|| (definition.name.to_owned(), value))
        });
        synced.collect()
    }

    /// Changes a synced setting as if a person had changed it; `None` restores the default.
    ///
    /// Fails with `Invalid` if the setting is unknown or not synced, or if the value is not valid on this machine.
    pub async fn set_synced_setting(&self, name: &str, value: Option<&Value>) -> Result<(), EngineError> {
        let refused = || EngineError::Invalid(message!("invalid.sent"));
        let key = SettingKey::by_name(name).filter(|key| key.definition().is_synced).ok_or_else(refused)?;
        if value.is_some_and(|value| !is_portable(key, value)) {
            return Err(refused());
        }
        let value: Option<SettingValue> = value.cloned().map(serde_json::from_value).transpose().map_err(|_| refused())?;
        self.set(key, value).await
    }

    /// Applies `writes` in one transaction. Writes nothing and returns false if a row has changed since the caller read
    /// it.
    pub async fn write_sync(&self, writes: &[SyncWrite]) -> Result<bool, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let mut wishes = Vec::new();
        for run in writes.chunk_by(|one, next| discriminant(one) == discriminant(next)) {
            if !self.write_run(&mut ledger, run, &mut wishes).await? {
                return Ok(false);
            }
        }
        failpoint::hit("sync.written-before-commit");
        ledger.commit().await?;
        failpoint::hit("sync.written");
        for wish in wishes {
            self.carry_out(wish).await?;
        }
        Ok(true)
    }

    /// Applies writes of one kind. The many writes of a first sync are applied in a single statement.
    async fn write_run(
        &self,
        ledger: &mut LedgerWriter<'_>,
        run: &[SyncWrite],
        wishes: &mut Vec<AppliedWish>,
    ) -> Result<bool, EngineError> {
        let now_us = self.shared.env.now();
        let (mut records, mut ids, mut sent) = (Vec::new(), Vec::new(), Vec::new());
        for write in run {
            let is_written = match write {
                SyncWrite::Record { record, seen, is_edit } => {
                    records.push(NewRecord { record, seen: *seen, is_edit: *is_edit });
                    true
                }
                SyncWrite::Assign { unique_id, sync_id } => {
                    ids.push((*unique_id, sync_id.as_str()));
                    true
                }
                SyncWrite::Sent { sync_id, change } => {
                    sent.push((sync_id.as_str(), *change));
                    true
                }
                SyncWrite::Forget { collection, id, seen } => ledger.delete_sync_record(collection, id, *seen).await?,
                SyncWrite::Wish { sync_id, seen, title, is_paused, is_restarted, is_removed } => {
                    let (is_paused, is_restarted, is_removed) = (*is_paused, *is_restarted, *is_removed);
                    let wish = RegistrationWish { title: title.as_deref(), is_paused, is_restarted, is_removed };
                    let applied = ledger.apply_wish((sync_id, *seen), &wish, now_us).await?;
                    let is_applied = applied.is_some();
                    wishes.extend(applied);
                    is_applied
                }
                SyncWrite::Account { account, seen } => ledger.replace_sync_account(seen, account).await?,
                SyncWrite::Cursor { collection, cursor } => ledger.set_sync_cursor(collection, cursor).await.map(|()| true)?,
                SyncWrite::Clock(clock) => ledger.set_sync_clock(clock).await.map(|()| true)?,
                SyncWrite::Conflict(conflict) => ledger.add_sync_conflict(conflict).await.map(|()| true)?,
                SyncWrite::Resolve(number) => ledger.delete_sync_conflict(*number).await.map(|()| true)?,
                SyncWrite::ForgetConflicts(before_us) => ledger.delete_old_sync_conflicts(*before_us).await.map(|()| true)?,
                SyncWrite::Refuse(command) => ledger.apply_sync_command(command, None, now_us).await.map(|()| true)?,
            };
            if !is_written {
                return Ok(false);
            }
        }
        ledger.mark_synced(&sent).await?;
        Ok(ledger.put_sync_records(&records).await? && ledger.assign_sync_ids(&ids).await?)
    }

    /// Notifies the scheduler and the listeners of a committed change that another machine requested.
    async fn carry_out(&self, wish: AppliedWish) -> Result<(), EngineError> {
        let AppliedWish { id, guids, has_ended, is_removed } = wish;
        if !is_removed {
            self.order(SchedulerCommand::Stop { guids, uploads: false });
            self.changed(id).await;
            return Ok(());
        }
        if has_ended {
            self.shared.on_ended(id).await;
        }
        self.order(SchedulerCommand::Stop { guids, uploads: true });
        let owner = self.shared.store.owner_of(id).await?.unwrap_or_default();
        self.shared.speaker.emit(EngineEvent::Removed { unique_id: id, owner });
        self.finish_deletion(id).await
    }

    /// Converts requests to the export format, without secrets.
    ///
    /// Fails with `Invalid` if that format cannot represent a request.
    pub fn exported_requests(&self, requests: &[NewRequest]) -> Result<Vec<Value>, EngineError> {
        let exported = requests.iter().map(|request| serde_json::to_value(ExportedRequest::from(request)));
        exported.collect::<Result<_, _>>().map_err(|_| EngineError::Invalid(message!("invalid.sent")))
    }

    /// Whether this command was executed or refused before. The download of the command may have been removed since.
    pub async fn has_received(&self, command: &str) -> Result<bool, EngineError> {
        self.shared.store.has_applied_sync_command(command).await
    }

    /// Creates the download that another machine sent or handed over.
    ///
    /// For a repeated command, returns the download that the first execution created. Returns `None` if that download
    /// was removed, or if the command was refused. Fails in the same cases as `create`; the caller then records the
    /// refusal.
    pub async fn receive_download(&self, received: ReceivedDownload) -> Result<Option<Registration>, EngineError> {
        let requests = received.requests.into_iter().map(|request| {
            let exported: Result<ExportedRequest, _> = serde_json::from_value(request);
            exported.map(ExportedRequest::into_new).map_err(|_| EngineError::Invalid(message!("invalid.sent")))
        });
        let new = NewRegistration {
            owner: received.owner,
            developer_id: Some(format!("{SENT_PREFIX}{}", received.command)),
            source: received.source,
            title: Some(received.title),
            paused: received.is_paused,
            requests: requests.collect::<Result<_, _>>()?,
            ..NewRegistration::default()
        };
        let accepted = self.accept(new, false).await?;
        self.shared.folders.memory.add(&accepted.folder);
        self.shared.folders.memory.write();
        let now = self.shared.env.now();
        let mut ledger = self.shared.store.begin().await?;
        if let Some(before) = ledger.applied_sync_command(&received.command).await? {
            drop(ledger);
            return match before {
                Some(id) => self.shared.view(id).await,
                None => Ok(None),
            };
        }
        ledger.create_registration(&accepted, now).await?;
        ledger.apply_sync_command(&received.command, Some(accepted.unique_id), now).await?;
        if let Some(sync_id) = &received.sync_id {
            ledger.adopt_sync_id(accepted.unique_id, sync_id).await?;
        }
        failpoint::hit("sync.command-before-commit");
        ledger.commit().await?;
        failpoint::hit("sync.command-taken");
        self.tell_new(&accepted).await;
        self.show(accepted.unique_id).await.map(Some)
    }
}

/// Whether a value is useful on another machine. A folder must be relative to the download folder.
fn is_portable(key: SettingKey, value: &Value) -> bool {
    !key.is_folder() || value.as_str().is_some_and(|path| Path::new(path).is_relative() && !path.starts_with('~'))
}
