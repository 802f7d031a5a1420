//! Collects the registrations whose synced values change in a transaction, and marks them before the commit.
//!
//! - While sync is off, nothing is collected and no statement runs.
//! - One statement marks any number of registrations. A trigger would run once for each row.
//! - A removed registration loses its mark. The sync record of the registration keeps the removal until it is sent.

use std::collections::BTreeMap;

use serde::Serialize;
use sqlx::SqliteConnection;

use crate::{
    EngineError,
    store::{columns::json, statement::statements},
};

/// SQL condition under which a registration `r` of an owner `o` is synced: a person or another device asked for the
/// download.
macro_rules! is_synced {
    () => {
        "r.doomed = 0 AND r.upload_total = 0
           AND (o.name IN ('window', 'command-line', 'feed', 'browser') OR substr(o.name, 1, 7) = 'device-')"
    };
}
pub(in crate::store) use is_synced;

statements! {
    IS_ON: Search = "SELECT EXISTS (SELECT 1 FROM sync_state WHERE one = 1)";
    NEXT_CHANGE: Search = "UPDATE sync_state SET change = change + 1 WHERE one = 1 RETURNING change";
    MARK: Search = concat!(
        "INSERT INTO sync_mark (reg_id, change, title_us, requested_us)
         SELECT r.reg_id, ?2, j.value ->> 1, j.value ->> 2
         FROM json_each(?1) j CROSS JOIN registration r ON r.reg_id = j.value ->> 0
         CROSS JOIN owner o ON o.owner_id = r.owner_id WHERE ", is_synced!(), "
         ON CONFLICT (reg_id) DO UPDATE SET change = excluded.change, title_us = max(title_us, excluded.title_us),
           requested_us = max(requested_us, excluded.requested_us)"
    );
    SET_STARTED: Search =
        "UPDATE sync_mark SET started = j.value ->> 1 FROM json_each(?1) j WHERE sync_mark.reg_id = j.value ->> 0";
    KEEP_REMOVALS: Search =
        "UPDATE sync_record SET gone = 1, change = ?2
         WHERE collection = 'dl-items' AND id IN (
           SELECT m.sync_id FROM json_each(?1) j CROSS JOIN sync_mark m ON m.reg_id = j.value WHERE m.sync_id IS NOT NULL)";
    UNMARK: Search = "DELETE FROM sync_mark WHERE reg_id IN (SELECT value FROM json_each(?1))";
}

/// Returns whether sync is on.
pub(in crate::store) async fn is_on(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IS_ON).fetch_one(connection).await
}

/// Change of a registration's synced values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncChange {
    /// The registration was created or settled, its requests changed, or the size of all its files became known.
    Facts,
    /// True: the registration received its first successful response while this machine was its home (the machine that
    /// downloads it). False: earlier responses no longer count, because the registration was reopened or its home
    /// changed.
    Started(bool),
    /// A person changed the title. The value is the time of the change in µs.
    Title(i64),
    /// A person paused or resumed the registration. The value is the time of the change in µs.
    Requested(i64),
    /// The registration was removed.
    Gone,
}

/// Changes of one registration in a transaction.
#[derive(Clone, Copy, Debug, Default)]
struct RegistrationChanges {
    title_us: i64,
    requested_us: i64,
    is_started: Option<bool>,
    is_gone: bool,
}

/// Registrations that a transaction has changed so far.
#[derive(Debug, Default)]
pub(crate) struct SyncMarks {
    /// Whether sync is on.
    is_on: bool,
    changed: BTreeMap<i64, RegistrationChanges>,
}

impl SyncMarks {
    pub fn new(is_on: bool) -> Self {
        Self { is_on, changed: BTreeMap::new() }
    }

    pub fn is_on(&self) -> bool {
        self.is_on
    }

    pub fn add(&mut self, reg_id: i64, change: SyncChange) {
        if !self.is_on {
            return;
        }
        let changes = self.changed.entry(reg_id).or_default();
        match change {
            SyncChange::Facts => {}
            SyncChange::Started(is_started) => changes.is_started = Some(is_started),
            SyncChange::Title(now_us) => changes.title_us = now_us,
            SyncChange::Requested(now_us) => changes.requested_us = now_us,
            SyncChange::Gone => changes.is_gone = true,
        }
    }

    /// Writes the marks. Call this before registrations are deleted, because their rows contain the owner.
    pub async fn write(&mut self, connection: &mut SqliteConnection) -> Result<(), EngineError> {
        #[derive(Serialize)]
        struct Row(i64, i64, i64);
        let changed = std::mem::take(&mut self.changed);
        if changed.is_empty() {
            return Ok(());
        }
        let number: Option<i64> = sqlx::query_scalar(NEXT_CHANGE).fetch_optional(&mut *connection).await?;
        // This transaction turned sync off, so no mark is written.
        let Some(number) = number else { return Ok(()) };
        let (gone, marked): (Vec<_>, Vec<_>) = changed.into_iter().partition(|(_, changes)| changes.is_gone);
        if !marked.is_empty() {
            let row = |(reg_id, changes): (i64, RegistrationChanges)| Row(reg_id, changes.title_us, changes.requested_us);
            let started: Vec<(i64, bool)> =
                marked.iter().filter_map(|(reg_id, changes)| Some((*reg_id, changes.is_started?))).collect();
            let rows: Vec<Row> = marked.into_iter().map(row).collect();
            sqlx::query(MARK).bind(json(&rows)?).bind(number).execute(&mut *connection).await?;
            if !started.is_empty() {
                sqlx::query(SET_STARTED).bind(json(&started)?).execute(&mut *connection).await?;
            }
        }
        if !gone.is_empty() {
            let ids = json(&gone.into_iter().map(|(reg_id, _)| reg_id).collect::<Vec<i64>>())?;
            sqlx::query(KEEP_REMOVALS).bind(&ids).bind(number).execute(&mut *connection).await?;
            sqlx::query(UNMARK).bind(&ids).execute(connection).await?;
        }
        Ok(())
    }
}
