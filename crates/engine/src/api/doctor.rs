//! Engine methods of `ashore doctor`: they check the ledger, the counters and the partial files, and repair the
//! counters.

use std::collections::HashMap;

use ashore_transfer::{Guid, RediscoveredFile};

use crate::{
    Engine, EngineError, EngineEvent,
    context::{partial_cleanup, patience::FOLDER_WAITS},
    first_run,
    folders::KnownFolders,
    model::{CounterMismatch, EngineReport, KeptFile, KnownPartial, LedgerBackup},
    scheduler::{command::SchedulerCommand, machine::system_watch},
    startup::adopt,
    store::{
        database::backup_rotation::{self, BackupGeneration},
        ledger_file::LEDGER,
    },
};

impl Engine {
    /// Returns the files of removed downloads that could not be moved to the trash.
    pub async fn kept_files(&self) -> Result<Vec<KeptFile>, EngineError> {
        self.shared.store.kept_files().await
    }

    /// Checks the ledger, the counters and the partial files, but changes none of them. Reads the whole ledger.
    pub async fn doctor(&self) -> Result<EngineReport, EngineError> {
        if !self.shared.fetches {
            // Query the desktop once, because a read-only engine does not watch it.
            let desktop = system_watch::look(&self.shared).await;
            self.shared.known.desktop.send_replace(desktop);
        }
        let folders = adopt::folders(&self.shared, i64::MAX).await?;
        let mut used = self.shared.store.folders_with_partials(i64::MAX).await?;
        used.extend(self.shared.folders.memory.all());
        used.sort_unstable();
        used.dedup();
        // A folder that does not answer within this time is reported as silent.
        let answers = self.shared.folders.ask_within(&folders, FOLDER_WAITS).await;
        let absent = KnownFolders::troubles(used, &answers);
        let mut report = EngineReport {
            ledger: self.shared.store.check().await?,
            path: self.shared.data_dir.join(LEDGER),
            version: self.shared.store.version().await?,
            holder: Some(self.shared.holder.clone()),
            gates: self.shared.gates().await?,
            settings: self.settings().troubles,
            orphans: self.orphans().await?,
            folders: absent,
            backups: self.backups(),
            recovery: self.recovery(),
            kept_files: self.shared.store.kept_files().await?,
            miscounts: self.shared.store.audit().await?,
            bootstrap: first_run::statuses(&self.shared).await?,
            ..EngineReport::default()
        };
        let mut left = Vec::new();
        for found in partial_cleanup::survey_all(&self.shared, folders).await.found.into_values().flatten() {
            let RediscoveredFile { guid: Some(guid), part, bytes, placed: None, tag, .. } = found else { continue };
            match self.shared.store.whose(guid).await? {
                Some(id) => report.partials.push(KnownPartial { path: part, bytes, unique_id: Some(id) }),
                None => left.push((guid, tag, KnownPartial { path: part, bytes, unique_id: None })),
            }
        }
        let tags: Vec<&str> = left.iter().map(|(_, tag, _)| tag.as_str()).collect();
        let completed: HashMap<_, _> = self.shared.store.completed_of_tags(&tags).await?.into_iter().collect();
        let done = |(guid, _, partial): (Guid, String, KnownPartial)| {
            Some(KnownPartial { unique_id: Some(*completed.get(&guid)?), ..partial })
        };
        let done: Vec<KnownPartial> = left.into_iter().filter_map(done).collect();
        report.partials.extend(done);
        report.partials.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(report)
    }

    /// Recomputes the counters that `doctor` reports, in one transaction.
    ///
    /// Returns the mismatches that were found. Two records that contradict each other stay unchanged: see
    /// [`MiscountKind::is_repairable`](crate::MiscountKind::is_repairable).
    pub async fn repair(&self) -> Result<Vec<CounterMismatch>, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let found = ledger.audit().await?;
        if !found.iter().any(|one| one.kind.is_repairable()) {
            return Ok(found);
        }
        ledger.recompute(self.shared.env.now()).await?;
        ledger.commit().await?;
        tracing::warn!(count = found.len(), "ledger counters did not match their rows; recomputed");
        self.shared.read_quotas().await?;
        self.shared.speaker.emit(EngineEvent::Lagged);
        // Wake the loop, because a wrong counter may have blocked requests.
        self.order(SchedulerCommand::Quota);
        self.order(SchedulerCommand::Nudge(None));
        Ok(found)
    }

    fn backups(&self) -> Vec<LedgerBackup> {
        let backup = |one: BackupGeneration| {
            let bytes = std::fs::metadata(&one.path).map_or(0, |found| found.len());
            LedgerBackup { path: one.path, taken: one.taken_us.div_euclid(1000), bytes }
        };
        backup_rotation::list(&self.shared.data_dir).into_iter().map(backup).collect()
    }
}
