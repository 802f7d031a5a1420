//! Handles the record of this device, and the records of the other devices in the list.

use std::collections::BTreeSet;

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        account_edit::edit_account,
        fault::SyncFault,
        local_list::{LocalList, all_rows},
        session::{SyncSession, empty_row, parse, to_text},
    },
    records::{DeviceRecord, SyncRecord as _, clean_text},
    server::{PageRequest, SyncServer},
};

/// Interval at which the record of this device is sent again, so that the record does not expire.
const RENEWAL_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Maximum length of the name of a machine, in characters.
const LONGEST_NAME: usize = 64;

/// Maximum number of records that are read to detect absent devices. If the server has more records, no device is
/// marked as absent.
const MOST_DEVICES: u32 = 500;

/// Whether this device has read the whole list once. The record of this device exists only after that.
pub async fn has_joined<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<bool, SyncFault> {
    let own = session.account.device.as_str();
    Ok(!session.list.records(DeviceRecord::COLLECTION, &[own]).await?.is_empty())
}

/// Makes the record of this device due if it is missing, out of date, or a week old.
///
/// Fails with `Copied` if the record on the server contains a program start that this machine did not make. In that
/// case, another machine uses the same identity.
pub async fn note_own_device<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    own: &DeviceRecord,
) -> Result<(), SyncFault> {
    let id = own.id.as_str();
    let row = session.list.records(DeviceRecord::COLLECTION, &[id]).await?.into_iter().next();
    let base: Option<DeviceRecord> = parse(row.as_ref().and_then(|row| row.base.as_deref()));
    let local: Option<DeviceRecord> = parse(row.as_ref().and_then(|row| row.local.as_deref()));
    if base.as_ref().is_some_and(|base| session.starts.is_foreign(base.epoch, &base.mark)) {
        return Err(SyncFault::Copied);
    }
    if base.as_ref().is_none_or(|base| base.name != session.account.name) {
        choose_name(session).await?;
    }
    let own = &DeviceRecord { name: session.account.name.clone(), ..own.clone() };
    let is_old = row.as_ref().is_some_and(|row| row.modified_ms > 0 && session.server_ms - row.modified_ms > RENEWAL_MS);
    let known = local.or(base);
    let is_same = known.as_ref().is_some_and(|known| {
        let unknown = known.unknown.clone();
        *known == DeviceRecord { unknown, ..own.clone() }
    });
    if is_same && !is_old {
        return Ok(());
    }
    let seen = row.as_ref().map_or(0, |row| row.change);
    let unknown = known.map(|known| known.unknown).unwrap_or_default();
    let row = row.unwrap_or_else(|| empty_row(DeviceRecord::COLLECTION, id));
    // Drop the agreed version of an old record. Otherwise a record with unchanged text would not be sent again.
    let base = row.base.clone().filter(|_| !is_old);
    let local = Some(to_text(&DeviceRecord { unknown, ..own.clone() }));
    let record = SyncRecordRow { base, local, ..row };
    session.list.write(&[SyncWrite::Record { record: Box::new(record), seen, is_edit: true }]).await?;
    Ok(())
}

/// Marks devices as absent if the server no longer has their records. Such a device left the list, was removed, or was
/// off for half a year.
///
/// Without the mark, a person could send a download to such a device by its name, and the device would never receive
/// the download. The names are not deleted, because past downloads and conflicts show them.
pub async fn mark_absent_devices<S: SyncServer, L: LocalList>(session: &mut SyncSession<'_, S, L>) -> Result<(), SyncFault> {
    let request = PageRequest {
        collection: DeviceRecord::COLLECTION.to_owned(),
        newer_ms: 0,
        offset: None,
        limit: MOST_DEVICES,
        if_unmodified_since_ms: None,
    };
    let answer = session.server.read_page(&request).await?;
    let page = session.note(answer);
    if page.next_offset.is_some() {
        return Ok(());
    }
    let present: BTreeSet<String> = page.objects.into_iter().map(|object| object.id).collect();
    let own = session.account.device.as_str();
    let is_absent = |row: &SyncRecordRow| row.modified_ms > 0 && !row.is_gone && row.id != own && !present.contains(&row.id);
    let absent = all_rows(session.list, DeviceRecord::COLLECTION).await?.into_iter().filter(is_absent);
    let writes: Vec<SyncWrite> = absent.map(absent_device).collect();
    if !writes.is_empty() {
        session.list.write(&writes).await?;
    }
    Ok(())
}

/// Returns the write that marks a device as absent.
pub fn absent_device(row: SyncRecordRow) -> SyncWrite {
    let seen = row.change;
    let record = SyncRecordRow { is_gone: true, ..row };
    SyncWrite::Record { record: Box::new(record), seen, is_edit: false }
}

/// Renames this machine, for example to "Laptop (2)", if another machine already has the same name.
///
/// If two machines join at the same time, the second machine to send its record chooses a new name.
async fn choose_name<S: SyncServer, L: LocalList>(session: &mut SyncSession<'_, S, L>) -> Result<(), SyncFault> {
    let mut taken = Vec::new();
    for row in all_rows(session.list, DeviceRecord::COLLECTION).await?.into_iter().filter(|row| !row.is_gone) {
        let record: Option<DeviceRecord> = parse(row.local.as_deref().or(row.base.as_deref()));
        let is_other =
            |record: &DeviceRecord| record.id != session.account.device && !session.former.devices.contains(&record.id);
        taken.extend(record.filter(is_other).map(|record| record.name));
    }
    if free_name(&session.account.name, &taken) != session.account.name {
        session.account = edit_account(session.list, |account| account.name = free_name(&account.name, &taken)).await?;
    }
    Ok(())
}

/// Returns the form in which other machines show a machine name that a person typed: without invisible characters, and
/// without white space at the ends. Returns `None` if the result is empty or too long.
pub fn given_name(name: &str) -> Option<String> {
    let cleaned = clean_text(name, usize::MAX);
    let name = cleaned.trim();
    let is_fitting = !name.is_empty() && name.chars().count() <= LONGEST_NAME;
    is_fitting.then(|| name.to_owned())
}

/// Returns `name`, with a number at its end if the name is taken. Names that differ only in case count as equal,
/// because commands ignore case when they look for a machine.
pub fn free_name(name: &str, taken: &[String]) -> String {
    let is_free = |name: &String| !taken.iter().any(|other| other.to_lowercase() == name.to_lowercase());
    let numbered = (2_u32..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_free_number_is_added_to_a_machine_name_that_is_already_in_use() {
        let taken: Vec<String> = ["Laptop", "laptop (2)", "Desktop"].map(str::to_owned).into();
        let names = ["Phone", "LAPTOP", "Desktop"].map(|name| free_name(name, &taken));
        assert_eq!(names, ["Phone", "LAPTOP (3)", "Desktop (2)"]);
    }
}
