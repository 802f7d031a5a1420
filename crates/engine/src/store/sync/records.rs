//! Records of all collections: the version agreed with the server, the version of this machine, and the version of the
//! server that this machine cannot apply.

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
    BY_LINK: Search = concat!(
        "SELECT ", record!(), " FROM json_each(?1) j CROSS JOIN sync_record r INDEXED BY sync_record_url ON r.url_key = j.value
         WHERE r.gone = 0 LIMIT ?2"
    );
    COUNTS: Listing =
        "SELECT collection, sum(gone = 0), sum(gone = 0 AND base IS NOT NULL), sum(change > sent), sum(held_code IS NOT NULL),
           coalesce(sum(held_code = 'newer'), 0)
         FROM sync_record GROUP BY collection";
    // The caller has seen the row with this change number. A row that has changed since then stays as it is.
    PUT: Search =
        "INSERT INTO sync_record (collection, id, base, modified, local, change, sent, gone, held, held_code, url_key)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (collection, id) DO UPDATE SET base = excluded.base, modified = excluded.modified, local = excluded.local,
           change = excluded.change, sent = excluded.sent, gone = excluded.gone, held = excluded.held,
           held_code = excluded.held_code, url_key = coalesce(excluded.url_key, url_key)
         WHERE sync_record.change = ?12";
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

fn records(rows: Vec<RecordRow>) -> Vec<SyncRecordRow> {
    rows.into_iter().map(SyncRecordRow::from).collect()
}

impl LedgerStore {
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

    /// Returns entries of the download history for these links. The result may contain an entry whose link is different
    /// but has the same hash, so the caller compares the links.
    pub async fn sync_history(&self, urls: &[String], limit: u32) -> Result<Vec<SyncRecordRow>, EngineError> {
        let keys: Vec<i64> = urls.iter().map(|url| url_key(url)).collect();
        Ok(records(sqlx::query_as(BY_LINK).bind(json(&keys)?).bind(limit).fetch_all(self.readers()).await?))
    }

    /// Returns for each collection: its name, and how many records it has, are on the server, are due, are held back, and
    /// are held back because a newer version wrote them.
    pub async fn sync_counts(&self) -> Result<Vec<(String, i64, i64, i64, i64, i64)>, EngineError> {
        Ok(sqlx::query_as(COUNTS).fetch_all(self.readers()).await?)
    }
}

impl LedgerWriter<'_> {
    /// Writes a record if its change number is still `seen` (0: the record does not exist). Returns whether the record
    /// was written.
    ///
    /// With `is_edit`, the record gets the next change number and so becomes due; otherwise its numbers are written as
    /// they are.
    pub async fn put_sync_record(&mut self, record: &SyncRecordRow, seen: i64, is_edit: bool) -> Result<bool, EngineError> {
        let connection = self.connection()?;
        let change = match is_edit {
            true => sqlx::query_scalar(NEXT_CHANGE).fetch_one(&mut *connection).await?,
            false => record.change,
        };
        let written = sqlx::query(PUT)
            .bind(&record.collection)
            .bind(&record.id)
            .bind(&record.base)
            .bind(record.modified_ms)
            .bind(&record.local)
            .bind(change)
            .bind(record.sent)
            .bind(record.is_gone)
            .bind(&record.held)
            .bind(&record.held_code)
            .bind(record.address.as_deref().map(url_key))
            .bind(seen)
            .execute(connection)
            .await?;
        Ok(written.rows_affected() == 1)
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

    /// Records that a command was applied, or refused (`None`).
    pub async fn apply_sync_command(&mut self, command: &str, id: Option<UniqueId>, now_us: i64) -> Result<(), EngineError> {
        let id = id.as_ref().map(key);
        sqlx::query(APPLY).bind(command).bind(id).bind(now_us).execute(self.connection()?).await?;
        Ok(())
    }
}
