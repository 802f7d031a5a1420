//! Merges synced settings, and creates records for settings that were changed on this machine.

use ashore_engine::{EngineError, SyncRecordRow, SyncWrite};
use serde_json::Value;

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::LocalList,
        session::{SyncSession, empty_row, held, hold_back, parse, to_text},
        versions::{is_put_again, merged},
    },
    merge::merge_setting,
    records::{SettingChoice, SettingRecord, StampedValue, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

/// Merges one object of `dl-prefs`, and applies the merged value to this machine.
///
/// Returns the resulting writes to the ledger.
pub async fn merge_object<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    object: &StoredObject,
    row: Option<SyncRecordRow>,
) -> Result<Vec<SyncWrite>, SyncFault> {
    let there: SettingRecord = match session.open(&object.id, &object.payload, object.modified_ms) {
        Ok(there) => there,
        Err(code) => return Ok(vec![hold_back(row, SettingRecord::COLLECTION, &object.id, &object.payload, code)]),
    };
    session.observe(&there.choice.at);
    let base: Option<SettingRecord> = parse(row.as_ref().and_then(|row| row.base.as_deref()));
    let known_ms = row.as_ref().map_or(0, |row| row.modified_ms);
    let is_before = base.as_ref().is_some_and(|base| there.choice.is_before(&base.choice, known_ms));
    if is_before || is_put_again(base.as_ref(), known_ms, &there, object) {
        session.lost_ms = Some(known_ms);
    }
    let local: Option<SettingRecord> = parse(row.as_ref().and_then(|row| row.local.as_deref()));
    let here = local.or_else(|| base.clone());
    let Some(outcome) = merge_setting(base.as_ref(), here.as_ref(), Some(&there), &session.context()) else {
        return Ok(Vec::new());
    };
    if outcome.is_here_changed {
        let value = match &outcome.record.choice.value {
            SettingChoice::Value(value) => Some(value),
            SettingChoice::Default => None,
        };
        match session.list.set_setting(&outcome.record.name, value).await {
            Ok(()) => {}
            // If this version of Ashore does not know the value, the value stays on the server, and this machine keeps
            // its present value.
            Err(EngineError::Invalid(reason)) => {
                tracing::info!(name = outcome.record.name, ?reason, "synced setting was not applied");
                return Ok(vec![hold_back(row, SettingRecord::COLLECTION, &object.id, &object.payload, held::NOT_VALID)]);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(merged(row, object, &there, &outcome, session.now_ms()))
}

/// Finds the settings that were changed on this machine since the last cycle, and stores them as records to be sent.
pub async fn note_changes<S: SyncServer, L: LocalList>(session: &mut SyncSession<'_, S, L>) -> Result<(), SyncFault> {
    let settings = session.list.settings().await?;
    let id = |name: &str| session.keys.derived_record_id(SettingRecord::COLLECTION, name);
    let ids: Vec<String> = settings.iter().map(|(name, _)| id(name)).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let rows = session.list.records(SettingRecord::COLLECTION, &ids).await?;
    let mut writes = Vec::new();
    for ((name, value), id) in settings.into_iter().zip(&ids) {
        let row = rows.iter().find(|row| row.id == *id).cloned();
        let known: Option<SettingRecord> = row.as_ref().and_then(|row| {
            let local: Option<SettingRecord> = parse(row.local.as_deref());
            local.or_else(|| parse(row.base.as_deref()))
        });
        if !is_changed(known.as_ref(), value.as_ref()) {
            continue;
        }
        let seen = row.as_ref().map_or(0, |row| row.change);
        let choice = value.map_or(SettingChoice::Default, SettingChoice::Value);
        let stamp = session.stamp();
        let unknown = known.map(|known| known.unknown).unwrap_or_default();
        let record = SettingRecord { v: 1, name, choice: StampedValue::new(choice, stamp), unknown };
        let row = row.unwrap_or_else(|| empty_row(SettingRecord::COLLECTION, id));
        let record = SyncRecordRow { local: Some(to_text(&record)), ..row };
        writes.push(SyncWrite::Record { record: Box::new(record), seen, is_edit: true });
    }
    if !writes.is_empty() {
        writes.push(SyncWrite::Clock(session.clock.last.to_string()));
        // If a row has changed since it was read, nothing is written, and the next cycle finds the setting again.
        session.list.write(&writes).await?;
    }
    Ok(())
}

/// Whether `value` differs from the value in the record. If there is no record, every value other than the default
/// counts as a change.
fn is_changed(known: Option<&SettingRecord>, value: Option<&Value>) -> bool {
    match known.map(|known| &known.choice.value) {
        None => value.is_some(),
        Some(SettingChoice::Default) => value.is_some(),
        Some(SettingChoice::Value(known)) => value != Some(known),
    }
}
