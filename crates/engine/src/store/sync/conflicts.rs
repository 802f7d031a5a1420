//! Stores sync conflicts: values that were replaced by values of another machine. Conflicts are deleted after a
//! while.

use crate::{
    EngineError,
    model::SyncConflict,
    store::{
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

statements! {
    ADD: Search = "INSERT OR IGNORE INTO sync_conflict (found_us, collection, id, edit, conflict) VALUES (?1, ?2, ?3, ?4, ?5)";
    ALL: Walk = "SELECT conflict_id, found_us, collection, id, edit, conflict FROM sync_conflict INDEXED BY sync_conflict_found
         ORDER BY found_us DESC LIMIT ?1";
    ONE: Search = "SELECT conflict_id, found_us, collection, id, edit, conflict FROM sync_conflict WHERE conflict_id = ?1";
    DELETE: Search = "DELETE FROM sync_conflict WHERE conflict_id = ?1";
    DELETE_OLD: Search = "DELETE FROM sync_conflict WHERE found_us < ?1";
}

type ConflictRow = (i64, i64, String, String, String, String);

fn conflict((number, found_us, collection, id, edit, conflict): ConflictRow) -> SyncConflict {
    SyncConflict { number, found_us, collection, id, edit, conflict }
}

impl LedgerStore {
    /// Returns the conflicts, the latest first.
    pub async fn sync_conflicts(&self, limit: u32) -> Result<Vec<SyncConflict>, EngineError> {
        let rows: Vec<ConflictRow> = sqlx::query_as(ALL).bind(limit).fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(conflict).collect())
    }

    /// Returns a single conflict; `None` if it was resolved or has expired.
    pub async fn sync_conflict(&self, number: i64) -> Result<Option<SyncConflict>, EngineError> {
        let row: Option<ConflictRow> = sqlx::query_as(ONE).bind(number).fetch_optional(self.readers()).await?;
        Ok(row.map(conflict))
    }
}

impl LedgerWriter<'_> {
    /// Adds a conflict, unless a conflict about the same edit was recorded before.
    pub async fn add_sync_conflict(&mut self, new: &SyncConflict) -> Result<(), EngineError> {
        sqlx::query(ADD)
            .bind(new.found_us)
            .bind(&new.collection)
            .bind(&new.id)
            .bind(&new.edit)
            .bind(&new.conflict)
            .execute(self.connection()?)
            .await?;
        Ok(())
    }

    pub async fn delete_sync_conflict(&mut self, number: i64) -> Result<(), EngineError> {
        sqlx::query(DELETE).bind(number).execute(self.connection()?).await?;
        Ok(())
    }

    /// Deletes the conflicts that were found before this time (µs).
    pub async fn delete_old_sync_conflicts(&mut self, before_us: i64) -> Result<(), EngineError> {
        sqlx::query(DELETE_OLD).bind(before_us).execute(self.connection()?).await?;
        Ok(())
    }
}
