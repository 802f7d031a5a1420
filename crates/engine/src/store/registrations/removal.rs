//! Removes registrations.
//!
//! - `mark_for_removal` takes a registration off the list, and `delete_registration` deletes it in chunks (storage
//!   operation 9).
//! - `garbage_collect` finds removed registrations whose deletion a crash interrupted (storage operation 10).
//! - Files are deleted after the commit that releases them.

use std::path::{Path, PathBuf};

use ashore_transfer::Guid;
use sqlx::{FromRow, SqliteConnection};

use crate::{
    EngineError,
    model::{KeptFile, UniqueId, UserMessage},
    store::{
        PendingFileRemoval,
        columns::{self, UtcStamp, guid, json, key, row, text, unique_id},
        ledger::{LedgerStore, LedgerWriter},
        registrations::{delivery, of_owner},
        requests::{fact::StoredRequest, state::fact},
        statement::statements,
        sync::marks::SyncChange,
    },
};

statements! {
    // An active registration ends as aborted. No event is pending for this end, because the caller that removes the
    // registration already knows about it.
    DOOM: Search =
        "UPDATE registration SET doomed = 1, doomed_files = ?2,
           result = CASE active WHEN 1 THEN 2 ELSE result END, failure = CASE active WHEN 1 THEN 1 ELSE failure END,
           event = CASE event WHEN 1 THEN 2 ELSE event END, active = 0
         WHERE unique_id = ?1 AND doomed = 0 RETURNING reg_id";
    FREE_NAME: Search = "DELETE FROM active_name WHERE reg_id = ?1";
    DELETABLE: Search =
        "SELECT reg_id, owner_id, doomed_files FROM registration
         WHERE unique_id = ?1 AND doomed = 1 AND active = 0 AND n_active = 0 AND delivery <> 1";
    THERE: Search = "SELECT reg_id FROM registration WHERE unique_id = ?1";
    CHUNK_END: Search = "SELECT idx FROM request WHERE reg_id = ?1 ORDER BY idx LIMIT 1 OFFSET ?2";
    CHUNK: Search = concat!("SELECT ", fact!(), " FROM req_state s WHERE s.reg_id = ?1 AND s.idx <= ?2");
    BODIES_GO: Search =
        "INSERT OR IGNORE INTO file_gc (path)
         SELECT body_path FROM request WHERE reg_id = ?1 AND idx <= ?2 AND body_path IS NOT NULL";
    FILES_GO: Search =
        "INSERT OR REPLACE INTO file_gc (path, device, inode, file_size, modified_ns)
         SELECT path, device, inode, file_size, modified_ns FROM response_done
         WHERE reg_id = ?1 AND idx <= ?2 AND path IS NOT NULL AND modified_ns IS NOT NULL";
    // A registration that waits for its acknowledgement keeps its rows, but its files are removed.
    ONLY_OWED: Search =
        "UPDATE registration SET doomed_files = 0
         WHERE unique_id = ?1 AND doomed = 1 AND active = 0 AND n_active = 0 AND delivery = 1 AND doomed_files = 1
         RETURNING reg_id";
    DELIVERY: Search = "SELECT delivery FROM registration WHERE unique_id = ?1";
    DELETE_EXPECTATIONS: Search = "DELETE FROM expectation WHERE reg_id = ?1 AND idx <= ?2";
    DELETE_FOLLOW_ONS: Search = "DELETE FROM follow_on WHERE reg_id = ?1 AND idx <= ?2";
    DELETE_VOUCHERS: Search = "DELETE FROM voucher WHERE reg_id = ?1 AND by_idx <= ?2";
    DELETE_ATTEMPTS: Search = "DELETE FROM attempt WHERE reg_id = ?1 AND idx <= ?2";
    DELETE_RESTARTS: Search = "DELETE FROM restart WHERE reg_id = ?1 AND idx <= ?2";
    DELETE_HEADS: Search = "DELETE FROM response_head WHERE reg_id = ?1 AND idx <= ?2";
    DELETE_DONE: Search = "DELETE FROM response_done WHERE reg_id = ?1 AND idx <= ?2";
    DELETE_STATES: Search = "DELETE FROM req_state WHERE reg_id = ?1 AND idx <= ?2";
    DELETE_REQUESTS: Search = "DELETE FROM request WHERE reg_id = ?1 AND idx <= ?2";
    LANES: Search = "SELECT host_id FROM lane WHERE reg_id = ?1 ORDER BY host_id LIMIT ?2";
    DELETE_LANES: Search = "DELETE FROM lane WHERE reg_id = ?1 AND host_id <= ?2";
    // The name of a server is deleted with the last registration that fetched from it.
    DELETE_HOSTS: Search =
        "DELETE FROM host WHERE host_id IN (SELECT value FROM json_each(?1))
           AND NOT EXISTS (SELECT 1 FROM lane l INDEXED BY lane_host WHERE l.host_id = host.host_id)";
    DELETE_REGISTRATION: Search = "DELETE FROM registration WHERE reg_id = ?1";
    LEFT_BEHIND: Walk =
        "SELECT unique_id FROM registration INDEXED BY reg_doomed
         WHERE doomed = 1 AND active = 0 AND n_active = 0 AND delivery <> 1 ORDER BY reg_id";
    FILE_GC: Walk = "SELECT path, device, inode, file_size, modified_ns, outright FROM file_gc ORDER BY path";
    FORGET: Search = "DELETE FROM file_gc WHERE path = ?1";
    KEEP: Search = "UPDATE file_gc SET why = ?2 WHERE path = ?1";
    KEPT: Walk = "SELECT path, why FROM file_gc WHERE why IS NOT NULL ORDER BY path";
    FOLDER: Search =
        "SELECT g.folder FROM registration r CROSS JOIN given g ON g.reg_id = r.reg_id WHERE r.unique_id = ?1";
    PARTIALS: Search =
        "SELECT s.guid, g.folder FROM registration r CROSS JOIN given g ON g.reg_id = r.reg_id
         CROSS JOIN req_state s ON s.reg_id = r.reg_id
         WHERE r.unique_id = ?1 AND s.guid IS NOT NULL AND s.state <> 2";
}

#[derive(FromRow)]
struct FileRow {
    path: String,
    #[sqlx(flatten)]
    stamp: UtcStamp,
    outright: bool,
}

impl FileRow {
    fn into_doomed(self) -> PendingFileRemoval {
        PendingFileRemoval { identity: self.stamp.identity(), outright: self.outright, path: columns::path(&self.path) }
    }
}

impl LedgerStore {
    /// Returns the GUID and the folder of each transfer that may have left a partial file for this registration. These
    /// are all requests that have a GUID and did not complete successfully. Also works for a removed registration.
    pub async fn guids_of(&self, id: UniqueId) -> Result<Vec<(Guid, PathBuf)>, EngineError> {
        let rows: Vec<(Vec<u8>, String)> = sqlx::query_as(PARTIALS).bind(key(&id)).fetch_all(self.readers()).await?;
        rows.into_iter().map(|(bytes, folder)| Ok((guid(&bytes)?, columns::path(&folder)))).collect()
    }

    /// Returns the folder of the registration's files, even if the registration was removed.
    pub async fn folder_of(&self, id: UniqueId) -> Result<Option<PathBuf>, EngineError> {
        let folder: Option<String> = sqlx::query_scalar(FOLDER).bind(key(&id)).fetch_optional(self.readers()).await?;
        Ok(folder.map(|folder| columns::path(&folder)))
    }

    /// Returns whether the row must be kept because an end event for clients of the owner is pending.
    ///
    /// If `at_all` is true, also returns true for a pending event that does not prevent the deletion of the row.
    pub async fn is_owed(&self, id: UniqueId, at_all: bool) -> Result<bool, EngineError> {
        let found: Option<i64> = sqlx::query_scalar(DELIVERY).bind(key(&id)).fetch_optional(self.readers()).await?;
        Ok(found.is_some_and(|found| found == delivery::OWED || at_all && found == delivery::UNHEARD))
    }

    /// Returns the files that are to be unlinked.
    ///
    /// They are published files, and Ashore's own copies of request bodies. A published file may be unlinked only while
    /// it is still the file that Ashore wrote.
    pub async fn file_gc(&self) -> Result<Vec<PendingFileRemoval>, EngineError> {
        let rows: Vec<FileRow> = sqlx::query_as(FILE_GC).fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(|row| row.into_doomed()).collect())
    }

    /// Returns the files that could not be unlinked or moved to the trash, with the reasons.
    pub async fn kept_files(&self) -> Result<Vec<KeptFile>, EngineError> {
        let rows: Vec<(String, String)> = sqlx::query_as(KEPT).fetch_all(self.readers()).await?;
        Ok(rows
            .into_iter()
            .map(|(path, why)| KeptFile { path: columns::path(&path), why: UserMessage::from_json_or_text(&why) })
            .collect())
    }
}

impl LedgerWriter<'_> {
    /// Takes a registration off every list; `delete_registration` or `garbage_collect` does the rest. If `files` is
    /// true, its published files are removed too. An active registration is aborted without a pending event. Fails with
    /// `Unknown` if there is no such registration or it was already removed.
    pub async fn mark_for_removal(&mut self, id: UniqueId, files: bool) -> Result<(), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let doomed: Option<i64> = sqlx::query_scalar(DOOM).bind(key(&id)).bind(files).fetch_optional(&mut *connection).await?;
        let reg_id = doomed.ok_or(EngineError::Unknown(id))?;
        tallies.marks.add(reg_id, SyncChange::Gone);
        sqlx::query(FREE_NAME).bind(reg_id).execute(connection).await?;
        Ok(())
    }

    /// Storage operation 9: deletes at most `limit` requests of a removed registration. None of its requests may be
    /// active. Its files are moved to `file_gc`. Returns true if the registration is completely deleted, and false if
    /// some requests are left or a request is still active.
    pub async fn delete_registration(&mut self, id: UniqueId, limit: u32) -> Result<bool, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let found: Option<(i64, i64, bool)> = sqlx::query_as(DELETABLE).bind(key(&id)).fetch_optional(&mut *connection).await?;
        let Some((reg_id, owner_id, files)) = found else {
            let there: Option<i64> = sqlx::query_scalar(THERE).bind(key(&id)).fetch_optional(connection).await?;
            return Ok(there.is_none());
        };
        let last = i64::from(limit.max(1)) - 1;
        let end: Option<i64> = sqlx::query_scalar(CHUNK_END).bind(reg_id).bind(last).fetch_optional(&mut *connection).await?;
        let through = end.unwrap_or(i64::MAX);
        sqlx::query(BODIES_GO).bind(reg_id).bind(through).execute(&mut *connection).await?;
        if files {
            sqlx::query(FILES_GO).bind(reg_id).bind(through).execute(&mut *connection).await?;
        }
        let chunk: Vec<String> = sqlx::query_scalar(CHUNK).bind(reg_id).bind(through).fetch_all(&mut *connection).await?;
        for text in chunk {
            let fact: StoredRequest = row(&text)?;
            tallies.used.change(reg_id, fact.category, -crate::store::totals::tally::UsageTally::from_request(&fact));
        }
        tallies.write(connection).await?;
        for statement in [
            DELETE_EXPECTATIONS,
            DELETE_FOLLOW_ONS,
            DELETE_VOUCHERS,
            DELETE_ATTEMPTS,
            DELETE_RESTARTS,
            DELETE_HEADS,
            DELETE_DONE,
            DELETE_STATES,
            DELETE_REQUESTS,
        ] {
            sqlx::query(statement).bind(reg_id).bind(through).execute(&mut *connection).await?;
        }
        if end.is_some() {
            return Ok(false);
        }
        if !delete_lanes(connection, reg_id, limit.max(1)).await? {
            return Ok(false);
        }
        sqlx::query(DELETE_REGISTRATION).bind(reg_id).execute(&mut *connection).await?;
        of_owner::delete_owner(connection, owner_id).await?;
        Ok(true)
    }

    /// Moves the files of a removed registration to `file_gc`, unless the removal leaves them on disk. A pending end
    /// event keeps the rows of the registration, but not its files.
    pub async fn let_files_go(&mut self, id: UniqueId) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let reg_id: Option<i64> = sqlx::query_scalar(ONLY_OWED).bind(key(&id)).fetch_optional(&mut *connection).await?;
        if let Some(reg_id) = reg_id {
            sqlx::query(FILES_GO).bind(reg_id).bind(i64::MAX).execute(connection).await?;
        }
        Ok(())
    }

    /// Storage operation 10: returns the removed, inactive registrations whose deletion was interrupted by a crash. The
    /// caller finishes each deletion with `delete_registration`.
    pub async fn garbage_collect(&mut self) -> Result<Vec<UniqueId>, EngineError> {
        let ids: Vec<Vec<u8>> = sqlx::query_scalar(LEFT_BEHIND).fetch_all(self.connection()?).await?;
        ids.iter().map(|id| unique_id(id)).collect()
    }

    /// Deletes the row of a file that no longer exists.
    pub async fn forget_file(&mut self, path: &Path) -> Result<(), EngineError> {
        sqlx::query(FORGET).bind(text(path)).execute(self.connection()?).await?;
        Ok(())
    }

    /// Records the reason why a file could not be removed, and keeps its row for a retry.
    pub async fn keep_file(&mut self, path: &Path, why: &UserMessage) -> Result<(), EngineError> {
        sqlx::query(KEEP).bind(text(path)).bind(why.to_json()).execute(self.connection()?).await?;
        Ok(())
    }
}

/// Deletes at most `limit` lanes. Returns true if no such lane is left.
async fn delete_lanes(connection: &mut SqliteConnection, reg_id: i64, limit: u32) -> Result<bool, EngineError> {
    let hosts: Vec<i64> = sqlx::query_scalar(LANES).bind(reg_id).bind(limit).fetch_all(&mut *connection).await?;
    let Some(last) = hosts.last() else { return Ok(true) };
    sqlx::query(DELETE_LANES).bind(reg_id).bind(last).execute(&mut *connection).await?;
    sqlx::query(DELETE_HOSTS).bind(json(&hosts)?).execute(connection).await?;
    Ok(hosts.len() < usize::try_from(limit).unwrap_or(usize::MAX))
}
