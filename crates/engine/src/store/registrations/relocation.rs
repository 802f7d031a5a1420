//! Records the move of a registration's files to another folder.
//!
//! A row of `relocation` exists from before the first file moves until after the last one. If the engine is killed in
//! between, the next start continues the move.

use ashore_messages::message;
use std::path::{Path, PathBuf};

use ashore_transfer::Guid;
use sqlx::FromRow;

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        FileIdentity,
        columns::{self, UtcStamp, guid, key, narrow, text, unique_id, unsigned},
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

statements! {
    TO_MOVE: Search =
        "SELECT r.reg_id, r.n_active FROM registration r WHERE r.unique_id = ?1 AND r.doomed = 0";
    // A row can remain from a move that an earlier engine did not finish. Its announced file stays announced.
    BEGIN_MOVE: Search =
        "INSERT INTO relocation (reg_id, folder) VALUES (?1, ?2) ON CONFLICT (reg_id) DO UPDATE SET folder = excluded.folder";
    MOVES: Listing =
        "SELECT r.unique_id, m.folder FROM relocation m CROSS JOIN registration r ON r.reg_id = m.reg_id WHERE r.doomed = 0";
    // Every request with a partial file. Also requests that are not active and have no bytes, because their partial file may
    // be older than the ledger.
    PARTIALS: Search =
        "SELECT s.guid, s.kept FROM registration r CROSS JOIN req_state s ON s.reg_id = r.reg_id
         WHERE r.unique_id = ?1 AND s.guid IS NOT NULL AND s.state <> 2";
    PUT: Search =
        "UPDATE given SET folder = ?2, content = NULL
         WHERE reg_id = (SELECT reg_id FROM registration WHERE unique_id = ?1) AND folder <> ?2 RETURNING reg_id";
    // This registration no longer has its original content, so a repeat of the original request must not match it.
    NO_ACTIVE_CONTENT: Search = "UPDATE active_name SET content = NULL WHERE reg_id = ?1";
    NEXT_FILE: Search =
        "SELECT d.idx, d.path, d.device, d.inode, d.file_size, d.modified_ns, s.guid
         FROM registration r CROSS JOIN response_done d ON d.reg_id = r.reg_id
         CROSS JOIN req_state s ON s.reg_id = d.reg_id AND s.idx = d.idx
         WHERE r.unique_id = ?1 AND d.idx >= ?2 AND d.path IS NOT NULL ORDER BY d.idx LIMIT 1";
    ANNOUNCED: Search =
        "SELECT m.idx, m.source, m.target FROM registration r CROSS JOIN relocation m ON m.reg_id = r.reg_id
         WHERE r.unique_id = ?1 AND m.idx IS NOT NULL AND m.source IS NOT NULL AND m.target IS NOT NULL";
    ANNOUNCE: Search =
        "UPDATE relocation SET idx = ?2, source = ?3, target = ?4 WHERE reg_id = (SELECT reg_id FROM registration WHERE unique_id = ?1)";
    MOVED: Search =
        "UPDATE response_done SET path = ?3, device = ?4, inode = ?5, file_size = ?6, modified_ns = ?7
         WHERE reg_id = (SELECT reg_id FROM registration WHERE unique_id = ?1) AND idx = ?2";
    END_MOVE: Search = "DELETE FROM relocation WHERE reg_id = (SELECT reg_id FROM registration WHERE unique_id = ?1)";
}

#[derive(FromRow)]
struct ToMove {
    reg_id: i64,
    n_active: i64,
}

/// Complete file of a registration.
#[derive(Clone, Debug)]
pub(crate) struct PublishedRequest {
    pub index: u32,
    pub guid: Guid,
    pub path: PathBuf,
    /// Identity of the file at its publication. `None` if the file was imported.
    pub identity: Option<FileIdentity>,
}

/// Planned move of one complete file.
#[derive(Clone, Debug)]
pub(crate) struct AnnouncedMove {
    pub index: u32,
    pub source: PathBuf,
    pub target: PathBuf,
}

#[derive(FromRow)]
struct FileRow {
    idx: i64,
    path: String,
    #[sqlx(flatten)]
    stamp: UtcStamp,
    guid: Vec<u8>,
}

impl LedgerStore {
    /// Returns the moves that an earlier engine did not finish: each registration with the folder that its files get.
    pub async fn relocations(&self) -> Result<Vec<(UniqueId, PathBuf)>, EngineError> {
        let rows: Vec<(Vec<u8>, String)> = sqlx::query_as(MOVES).fetch_all(self.readers()).await?;
        rows.into_iter().map(|(id, folder)| Ok((unique_id(&id)?, columns::path(&folder)))).collect()
    }

    /// Returns the transfers that may have a partial file, each with its number of durable bytes.
    pub async fn partials_of(&self, id: UniqueId) -> Result<Vec<(Guid, u64)>, EngineError> {
        let rows: Vec<(Vec<u8>, i64)> = sqlx::query_as(PARTIALS).bind(key(&id)).fetch_all(self.readers()).await?;
        rows.into_iter().map(|(bytes, kept)| Ok((guid(&bytes)?, unsigned(kept)))).collect()
    }

    /// Returns the first complete file whose index is at least `from`.
    pub async fn published_from(&self, id: UniqueId, from: u32) -> Result<Option<PublishedRequest>, EngineError> {
        let row: Option<FileRow> = sqlx::query_as(NEXT_FILE).bind(key(&id)).bind(from).fetch_optional(self.readers()).await?;
        row.map(|FileRow { idx, path, stamp, guid: bytes }| {
            let (path, identity) = (columns::path(&path), stamp.identity());
            Ok(PublishedRequest { index: narrow(idx), guid: guid(&bytes)?, path, identity })
        })
        .transpose()
    }

    /// Returns the file whose move an earlier engine did not finish.
    pub async fn announced_move(&self, id: UniqueId) -> Result<Option<AnnouncedMove>, EngineError> {
        let row: Option<(i64, String, String)> = sqlx::query_as(ANNOUNCED).bind(key(&id)).fetch_optional(self.readers()).await?;
        Ok(row.map(|(index, source, target)| AnnouncedMove {
            index: narrow(index),
            source: columns::path(&source),
            target: columns::path(&target),
        }))
    }
}

impl LedgerWriter<'_> {
    /// Records that the files of a registration move to `folder`.
    ///
    /// Fails with `Unknown`; and with `WrongState` if a request is active.
    pub async fn begin_relocation(&mut self, id: UniqueId, folder: &Path) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let found: Option<ToMove> = sqlx::query_as(TO_MOVE).bind(key(&id)).fetch_optional(&mut *connection).await?;
        let ToMove { reg_id, n_active } = found.ok_or(EngineError::Unknown(id))?;
        if n_active > 0 {
            return Err(EngineError::WrongState(message!("wrong-state.fetching")));
        }
        sqlx::query(BEGIN_MOVE).bind(reg_id).bind(text(folder)).execute(connection).await?;
        Ok(())
    }

    /// Sets `folder` as the folder of the unfinished files, whose partial files are already there.
    pub async fn set_folder(&mut self, id: UniqueId, folder: &Path) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let changed: Option<i64> =
            sqlx::query_scalar(PUT).bind(key(&id)).bind(text(folder)).fetch_optional(&mut *connection).await?;
        if let Some(reg_id) = changed {
            sqlx::query(NO_ACTIVE_CONTENT).bind(reg_id).execute(connection).await?;
        }
        Ok(())
    }

    /// Records the move of a complete file that is about to begin.
    pub async fn announce_move(&mut self, id: UniqueId, planned: &AnnouncedMove) -> Result<(), EngineError> {
        let AnnouncedMove { index, source, target } = planned;
        let announced = sqlx::query(ANNOUNCE).bind(key(&id)).bind(index).bind(text(source)).bind(text(target));
        announced.execute(self.connection()?).await?;
        Ok(())
    }

    /// Records that the complete file at `index` is now at `path`. Its announcement remains, so that the next start removes
    /// its old name if this engine does not.
    pub async fn record_move(
        &mut self,
        id: UniqueId,
        index: u32,
        path: &Path,
        identity: FileIdentity,
    ) -> Result<(), EngineError> {
        let FileIdentity { device, inode, size, modified_ns } = identity;
        sqlx::query(MOVED)
            .bind(key(&id))
            .bind(index)
            .bind(text(path))
            .bind(device)
            .bind(inode)
            .bind(size)
            .bind(modified_ns)
            .execute(self.connection()?)
            .await?;
        Ok(())
    }

    /// Records that no file of the registration moves any longer.
    pub async fn end_relocation(&mut self, id: UniqueId) -> Result<(), EngineError> {
        sqlx::query(END_MOVE).bind(key(&id)).execute(self.connection()?).await?;
        Ok(())
    }
}
