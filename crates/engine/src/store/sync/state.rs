//! Stores the sync state of this machine: whether it takes part, its account, its clock, and the position up to which
//! each collection was read.

use std::sync::atomic::Ordering;

use crate::{
    EngineError,
    model::{SyncCursor, SyncState},
    store::{
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
        sync::marks::is_synced,
    },
};

statements! {
    STATE: Search = "SELECT account, clock, change FROM sync_state WHERE one = 1";
    BEGIN: Search = "INSERT INTO sync_state (one, account, change) VALUES (1, ?1, 1)";
    // This statement reads every row, but runs only when sync is turned on. All downloads in the list become due.
    MARK_ALL: Listing = concat!(
        "INSERT INTO sync_mark (reg_id, change, title_us, requested_us, started)
         SELECT r.reg_id, 1, r.created_us, r.created_us, EXISTS (
           SELECT 1 FROM response_head h WHERE h.reg_id = r.reg_id AND h.status BETWEEN 200 AND 299)
         FROM registration r JOIN owner o USING (owner_id) WHERE ", is_synced!()
    );
    REPLACE_ACCOUNT: Search = "UPDATE sync_state SET account = ?2 WHERE one = 1 AND account = ?1";
    SET_CLOCK: Search = "UPDATE sync_state SET clock = ?1 WHERE one = 1";
    END_STATE: Listing = "DELETE FROM sync_state";
    END_MARKS: Listing = "DELETE FROM sync_mark";
    END_RECORDS: Listing = "DELETE FROM sync_record";
    END_CURSORS: Listing = "DELETE FROM sync_cursor";
    END_CONFLICTS: Listing = "DELETE FROM sync_conflict";
    END_APPLIED: Listing = "DELETE FROM sync_applied";
    // The server was reset, so everything is sent and read again.
    RESEND_MARKS: Listing = "UPDATE sync_mark SET sent = 0";
    RESEND_RECORDS: Listing =
        "UPDATE sync_record SET sent = 0, change = max(change, 1), local = coalesce(local, base), base = NULL, modified = 0";
    CURSOR: Search = "SELECT modified, page_modified, page_offset FROM sync_cursor WHERE collection = ?1";
    SET_CURSOR: Search =
        "INSERT INTO sync_cursor (collection, modified, page_modified, page_offset) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (collection) DO UPDATE SET modified = excluded.modified, page_modified = excluded.page_modified,
           page_offset = excluded.page_offset";
}

/// Tables that are emptied when sync is turned off.
const END: [&str; 6] = [END_STATE, END_MARKS, END_RECORDS, END_CURSORS, END_CONFLICTS, END_APPLIED];

impl LedgerStore {
    /// Returns account and clock; `None` while sync is off.
    pub async fn sync_state(&self) -> Result<Option<SyncState>, EngineError> {
        let found: Option<(String, String, i64)> = sqlx::query_as(STATE).fetch_optional(self.readers()).await?;
        Ok(found.map(|(account, clock, change)| SyncState { account, clock, change }))
    }

    /// Returns the position up to which a collection was read.
    pub async fn sync_cursor(&self, collection: &str) -> Result<SyncCursor, EngineError> {
        let found: Option<(i64, Option<i64>, Option<String>)> =
            sqlx::query_as(CURSOR).bind(collection).fetch_optional(self.readers()).await?;
        let cursor = |(modified, page_modified, page_offset)| SyncCursor { modified, page_modified, page_offset };
        Ok(found.map(cursor).unwrap_or_default())
    }

    /// Whether sync is on.
    pub fn is_syncing(&self) -> bool {
        self.0.is_syncing.load(Ordering::Acquire)
    }

    /// Stops collecting marks. Called after the transaction that turned sync off was committed.
    pub fn stop_marking(&self) {
        self.0.is_syncing.store(false, Ordering::Release);
    }
}

impl LedgerWriter<'_> {
    /// Turns sync on: every registration that is synced becomes due. Fails if sync is already on.
    pub async fn begin_sync(&mut self, account: &str) -> Result<(), EngineError> {
        let connection = self.connection()?;
        sqlx::query(BEGIN).bind(account).execute(&mut *connection).await?;
        sqlx::query(MARK_ALL).execute(connection).await?;
        // If the commit fails, later transactions collect marks unnecessarily, but write none of them.
        self.is_syncing.store(true, Ordering::Release);
        Ok(())
    }

    /// Turns sync off and forgets everything about it. Downloads stay as they are.
    pub async fn end_sync(&mut self) -> Result<(), EngineError> {
        let connection = self.connection()?;
        for statement in END {
            sqlx::query(statement).execute(&mut *connection).await?;
        }
        Ok(())
    }

    /// Replaces the stored account if it still equals `seen`. Returns whether it was replaced.
    pub async fn replace_sync_account(&mut self, seen: &str, account: &str) -> Result<bool, EngineError> {
        let replaced = sqlx::query(REPLACE_ACCOUNT).bind(seen).bind(account).execute(self.connection()?).await?;
        Ok(replaced.rows_affected() == 1)
    }

    pub async fn set_sync_clock(&mut self, clock: &str) -> Result<(), EngineError> {
        sqlx::query(SET_CLOCK).bind(clock).execute(self.connection()?).await?;
        Ok(())
    }

    /// Marks all records as due again, and resets the position of every collection to its beginning.
    pub async fn restart_sync(&mut self) -> Result<(), EngineError> {
        let connection = self.connection()?;
        for statement in [RESEND_MARKS, RESEND_RECORDS, END_CURSORS] {
            sqlx::query(statement).execute(&mut *connection).await?;
        }
        Ok(())
    }

    pub async fn set_sync_cursor(&mut self, collection: &str, cursor: &SyncCursor) -> Result<(), EngineError> {
        sqlx::query(SET_CURSOR)
            .bind(collection)
            .bind(cursor.modified)
            .bind(cursor.page_modified)
            .bind(&cursor.page_offset)
            .execute(self.connection()?)
            .await?;
        Ok(())
    }
}
