//! Records of all collections: the version agreed with the server, the version of this machine, and the server's
//! version if this machine cannot apply it.

use serde::Serialize;
use sqlx::FromRow;

use crate::{
    EngineError,
    model::{SyncRecordRow, UniqueId},
    store::{
        columns::{json, key, unique_id, url_key},
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

/// Columns of a record, in the order of [`RecordRow`].
macro_rules! record {
    () => {
        "r.collection, r.id, r.base, r.modified, r.local, r.change, r.sent, r.gone, r.held, r.held_code"
    };
}

statements! {
    SOME: Search = concat!(
        "SELECT ", record!(), " FROM json_each(?2) j CROSS JOIN sync_record r ON r.collection = ?1 AND r.id = j.value"
    );
    DUE: Search = concat!(
        "SELECT ", record!(), " FROM sync_record r INDEXED BY sync_record_due
         WHERE r.collection = ?1 AND r.change > r.sent ORDER BY r.change LIMIT ?2"
    );
    ALL: Search = concat!("SELECT ", record!(), " FROM sync_record r WHERE r.collection = ?1 AND r.id > ?2 ORDER BY r.id LIMIT ?3");
    // The statement repeats `modified > 0`, the condition of the partial index, so that SQLite can use the index.
    LATEST: Search = concat!(
        "SELECT ", record!(), " FROM sync_record r INDEXED BY sync_record_modified
         WHERE r.collection = ?1 AND r.modified > 0 AND r.modified <= ?2 ORDER BY r.modified DESC LIMIT 1"
    );
    HELD: Search = concat!(
        "SELECT ", record!(), " FROM sync_record r INDEXED BY sync_record_held
         WHERE r.collection = ?1 AND r.held_code IS NOT NULL ORDER BY r.id"
    );
    BY_LINK: Search = concat!(
        "SELECT ", record!(), " FROM json_each(?1) j CROSS JOIN sync_record r INDEXED BY sync_record_url ON r.url_key = j.value
         WHERE r.gone = 0 LIMIT ?2"
    );
    COUNTS: Listing =
        "SELECT collection, sum(gone = 0), sum(gone = 0 AND base IS NOT NULL), sum(change > sent), sum(held_code IS NOT NULL),
           coalesce(sum(held_code = 'newer'), 0)
         FROM sync_record GROUP BY collection";
    // Each row of ?1 is a `NewRow`.
    HAS_CHANGED: Search =
        "SELECT EXISTS (
           SELECT 1 FROM json_each(?1) j CROSS JOIN sync_record r ON r.collection = j.value ->> 0 AND r.id = j.value ->> 1
           WHERE r.change <> j.value ->> 2)";
    PUT: Search =
        "INSERT INTO sync_record (collection, id, change, base, modified, local, sent, gone, held, held_code, url_key)
         SELECT j.value ->> 0, j.value ->> 1, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 6, j.value ->> 7,
           j.value ->> 8, j.value ->> 9, j.value ->> 10, j.value ->> 11
         FROM json_each(?1) j WHERE true
         ON CONFLICT (collection, id) DO UPDATE SET base = excluded.base, modified = excluded.modified, local = excluded.local,
           change = excluded.change, sent = excluded.sent, gone = excluded.gone, held = excluded.held,
           held_code = excluded.held_code, url_key = coalesce(excluded.url_key, url_key)";
    DELETE: Search = "DELETE FROM sync_record WHERE collection = ?1 AND id = ?2 AND change = ?3";
    NEXT_CHANGE: Search = "UPDATE sync_state SET change = change + 1 WHERE one = 1 RETURNING change";
    APPLIED: Search = "SELECT unique_id FROM sync_applied WHERE command = ?1";
    APPLY: Search = "INSERT OR IGNORE INTO sync_applied (command, unique_id, applied_us) VALUES (?1, ?2, ?3)";
}

#[derive(FromRow)]
struct RecordRow {
    collection: String,
    id: String,
    base: Option<String>,
    modified: i64,
    local: Option<String>,
    change: i64,
    sent: i64,
    gone: bool,
    held: Option<String>,
    held_code: Option<String>,
}

impl From<RecordRow> for SyncRecordRow {
    fn from(row: RecordRow) -> Self {
        let RecordRow { collection, id, base, modified, local, change, sent, gone, held, held_code } = row;
        Self { collection, id, base, modified_ms: modified, local, change, sent, is_gone: gone, held, held_code, address: None }
    }
}

/// A record that is to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewRecord<'a> {
    pub record: &'a SyncRecordRow,
    /// The row's change number at the time when the caller read it; 0 if there was no row.
    pub seen: i64,
    /// Whether the write is an edit. An edit gets the next change number, so that the record becomes due. Any other
    /// write leaves the numbers unchanged.
    pub is_edit: bool,
}

/// Columns of a new row, in order: collection, id, change number that the caller has seen, change number to write,
/// base, time of the base, local version, sent change number, gone, held version, code of the held version, and key
/// of the link.
#[derive(Serialize)]
struct NewRow<'a>(
    &'a str,
    &'a str,
    i64,
    i64,
    Option<&'a str>,
    i64,
    Option<&'a str>,
    i64,
    bool,
    Option<&'a str>,
    Option<&'a str>,
    Option<i64>,
);

impl<'a> NewRow<'a> {
    /// `number` is the change number that an edited record gets.
    fn from_record(new: &NewRecord<'a>, number: Option<i64>) -> Self {
        let record = new.record;
        Self(
            &record.collection,
            &record.id,
            new.seen,
            number.unwrap_or(record.change),
            record.base.as_deref(),
            record.modified_ms,
            record.local.as_deref(),
            record.sent,
            record.is_gone,
            record.held.as_deref(),
            record.held_code.as_deref(),
            record.address.as_deref().map(url_key),
        )
    }
}

fn records(rows: Vec<RecordRow>) -> Vec<SyncRecordRow> {
    rows.into_iter().map(SyncRecordRow::from).collect()
}

impl LedgerStore {
    /// Whether a command was applied or refused.
    pub async fn has_applied_sync_command(&self, command: &str) -> Result<bool, EngineError> {
        let found: Option<Option<Vec<u8>>> = sqlx::query_scalar(APPLIED).bind(command).fetch_optional(self.readers()).await?;
        Ok(found.is_some())
    }

    /// Returns the records with these ids, in any order. Ids without a record are left out.
    pub async fn sync_records(&self, collection: &str, ids: &[&str]) -> Result<Vec<SyncRecordRow>, EngineError> {
        let rows = sqlx::query_as(SOME).bind(collection).bind(json(&ids)?).fetch_all(self.readers()).await?;
        Ok(records(rows))
    }

    /// Returns records that changed since they were sent, in the order of the changes.
    pub async fn due_sync_records(&self, collection: &str, limit: u32) -> Result<Vec<SyncRecordRow>, EngineError> {
        Ok(records(sqlx::query_as(DUE).bind(collection).bind(limit).fetch_all(self.readers()).await?))
    }

    /// Returns a page of a collection: records after the id `after`, in the order of their ids.
    pub async fn all_sync_records(&self, collection: &str, after: &str, limit: u32) -> Result<Vec<SyncRecordRow>, EngineError> {
        Ok(records(sqlx::query_as(ALL).bind(collection).bind(after).bind(limit).fetch_all(self.readers()).await?))
    }

    /// Returns the held-back records of a collection: those whose server version this machine cannot apply.
    pub async fn held_sync_records(&self, collection: &str) -> Result<Vec<SyncRecordRow>, EngineError> {
        Ok(records(sqlx::query_as(HELD).bind(collection).fetch_all(self.readers()).await?))
    }

    /// Returns the latest record that the server stored in a collection up to the time `until_ms`, as far as this
    /// machine knows. Records that were never on the server are left out.
    pub async fn latest_sync_record(&self, collection: &str, until_ms: i64) -> Result<Option<SyncRecordRow>, EngineError> {
        let latest = sqlx::query_as(LATEST).bind(collection).bind(until_ms);
        let row: Option<RecordRow> = latest.fetch_optional(self.readers()).await?;
        Ok(row.map(SyncRecordRow::from))
    }

    /// Returns entries of the download history for these links. The result may contain an entry whose link is different
    /// but has the same hash, so the caller compares the links.
    pub async fn sync_history(&self, urls: &[String], limit: u32) -> Result<Vec<SyncRecordRow>, EngineError> {
        let keys: Vec<i64> = urls.iter().map(|url| url_key(url)).collect();
        Ok(records(sqlx::query_as(BY_LINK).bind(json(&keys)?).bind(limit).fetch_all(self.readers()).await?))
    }

    /// Returns for each collection its name and five counts. The counts are: all records, records on the server, due
    /// records, held-back records, and those held-back records that a newer version of Ashore wrote.
    pub async fn sync_counts(&self) -> Result<Vec<(String, i64, i64, i64, i64, i64)>, EngineError> {
        Ok(sqlx::query_as(COUNTS).fetch_all(self.readers()).await?)
    }
}

impl LedgerWriter<'_> {
    /// Writes the records if none of their change numbers differs from the number that the caller has seen; otherwise
    /// writes none of them. Returns whether the records were written.
    ///
    /// Two statements write any number of records, because each statement costs a message to the thread of the ledger.
    /// One statement for each record would make the first sync of 100,000 downloads slow.
    pub async fn put_sync_records(&mut self, records: &[NewRecord<'_>]) -> Result<bool, EngineError> {
        if records.is_empty() {
            return Ok(true);
        }
        let connection = self.connection()?;
        // Edits of one transaction share a change number, as marks do.
        let number: Option<i64> = match records.iter().any(|new| new.is_edit) {
            true => Some(sqlx::query_scalar(NEXT_CHANGE).fetch_one(&mut *connection).await?),
            false => None,
        };
        let rows: Vec<NewRow<'_>> = records.iter().map(|new| NewRow::from_record(new, number.filter(|_| new.is_edit))).collect();
        let rows = json(&rows)?;
        if sqlx::query_scalar(HAS_CHANGED).bind(&rows).fetch_one(&mut *connection).await? {
            return Ok(false);
        }
        sqlx::query(PUT).bind(rows).execute(connection).await?;
        Ok(true)
    }

    /// Deletes a record if its change number is still `seen`. Returns whether the record was deleted.
    pub async fn delete_sync_record(&mut self, collection: &str, id: &str, seen: i64) -> Result<bool, EngineError> {
        let deleted = sqlx::query(DELETE).bind(collection).bind(id).bind(seen).execute(self.connection()?).await?;
        Ok(deleted.rows_affected() == 1)
    }

    /// Returns the registration that a command created. `None`: the command was not applied yet; `Some(None)`: the
    /// command was refused.
    pub async fn applied_sync_command(&mut self, command: &str) -> Result<Option<Option<UniqueId>>, EngineError> {
        let found: Option<Option<Vec<u8>>> = sqlx::query_scalar(APPLIED).bind(command).fetch_optional(self.connection()?).await?;
        found.map(|id| id.map(|id| unique_id(&id)).transpose()).transpose()
    }

    /// Stores the result of a command: the registration `id` that it created, or `None` if the command was refused.
    pub async fn apply_sync_command(&mut self, command: &str, id: Option<UniqueId>, now_us: i64) -> Result<(), EngineError> {
        let id = id.as_ref().map(key);
        sqlx::query(APPLY).bind(command).bind(id).bind(now_us).execute(self.connection()?).await?;
        Ok(())
    }
}
