//! Connects checksum files with the files that they cover, within one registration.
//!
//! A file and its checksum file are compared when the later of the two completes, in the same transaction. Thus a
//! registration never settles before the comparison, and a crash before the commit changes nothing.

use ashore_transfer::{DigestAlgorithm, FileDigest, Guid, checksum_file::ListedChecksum};
use serde::Deserialize;
use sqlx::{FromRow, SqliteConnection};

use crate::{
    EngineError,
    intake::checksum_files::{ChecksumLink, NamedChecksum, UnusableChecksums, digests_for},
    store::{
        FailedResponse, FileIdentity,
        columns::{flag, json, row, text},
        ledger::LedgerWriter,
        requests::{
            end_badly::end_badly,
            fact::{COMPLETED, StoredRequest},
            state::{self, fact},
        },
        statement::statements,
        totals::tally::TallyMap,
    },
};

statements! {
    ADD: Search =
        "INSERT INTO voucher (reg_id, by_idx, idx, algorithm)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2)";
    ITSELF: Search = "SELECT 0 AS idx, '' AS algorithm, url, name FROM request WHERE reg_id = ?1 AND idx = ?2";
    ASKED: Search =
        "SELECT v.idx, v.algorithm, q.url, q.name
         FROM voucher v CROSS JOIN request q ON q.reg_id = v.reg_id AND q.idx = v.idx
         WHERE v.reg_id = ?1 AND v.by_idx = ?2";
    // The rows already exist, but their checksums may have changed since an earlier attempt.
    SAY: Search =
        "INSERT INTO voucher (reg_id, by_idx, idx, algorithm, said)
         SELECT ?1, ?2, value ->> 0, ?3, value ->> 1 FROM json_each(?4) WHERE true
         ON CONFLICT (reg_id, by_idx, idx) DO UPDATE SET said = excluded.said";
    FOUND: Search = "UPDATE voucher INDEXED BY voucher_of SET found = ?3 WHERE reg_id = ?1 AND idx = ?2";
    SAID: Search = "SELECT said FROM voucher INDEXED BY voucher_of WHERE reg_id = ?1 AND idx = ?2 AND said <> ''";
    THERE: Search = concat!(
        "SELECT json_array(", fact!(), ", v.said, v.found, d.path, d.device, d.inode, d.file_size, d.modified_ns)
         FROM voucher v CROSS JOIN req_state s ON s.reg_id = v.reg_id AND s.idx = v.idx
         CROSS JOIN response_done d ON d.reg_id = v.reg_id AND d.idx = v.idx
         WHERE v.reg_id = ?1 AND v.by_idx = ?2 AND v.said <> '' AND v.found <> '' AND s.state = 2"
    );
    RIGHT: Search =
        "UPDATE response_done SET verified = 2, digest = j.value ->> 2 FROM json_each(?1) j
         WHERE response_done.reg_id = j.value ->> 0 AND response_done.idx = j.value ->> 1";
    NOT_DONE: Search = "DELETE FROM response_done WHERE reg_id = ?1 AND idx = ?2";
    FILE_GOES: Search =
        "INSERT OR REPLACE INTO file_gc (path, device, inode, file_size, modified_ns, outright) VALUES (?1, ?2, ?3, ?4, ?5, 1)";
}

/// JSON for a request `s` at dispatch. It contains the checksums known for the request's file. It also states whether
/// the request fetches a checksum file for other requests.
macro_rules! asked {
    () => {
        "json_array(EXISTS (SELECT 1 FROM voucher v WHERE v.reg_id = s.reg_id AND v.by_idx = s.idx),
           (SELECT v.algorithm FROM voucher v INDEXED BY voucher_of WHERE v.reg_id = s.reg_id AND v.idx = s.idx LIMIT 1),
           (SELECT group_concat(v.said, ' ') FROM voucher v INDEXED BY voucher_of
            WHERE v.reg_id = s.reg_id AND v.idx = s.idx AND v.said <> ''))"
    };
}
pub(in crate::store) use asked;

/// Parsed form of the JSON that `asked` creates.
#[derive(Debug, Deserialize)]
pub(in crate::store) struct ChecksumRow {
    #[serde(deserialize_with = "flag")]
    pub vouches: bool,
    asked: Option<String>,
    said: Option<String>,
}

impl ChecksumRow {
    /// Returns the algorithm for comparing the file with its checksum files, and the checksums known so far.
    pub fn digests(&self) -> (Option<DigestAlgorithm>, Vec<FileDigest>) {
        let said = self.said.as_deref().unwrap_or_default();
        let digests = said.split_ascii_whitespace().filter_map(|text| text.parse().ok()).collect();
        (self.asked.as_deref().and_then(DigestAlgorithm::named), digests)
    }
}

#[derive(FromRow)]
struct AskedRow {
    idx: i64,
    algorithm: String,
    url: String,
    name: Option<String>,
}

impl AskedRow {
    fn named(&self) -> Option<NamedChecksum> {
        Some(NamedChecksum { url: self.url.parse().ok()?, name: self.name.clone() })
    }
}

/// A completed file and the checksum from its checksum file.
#[derive(Deserialize)]
pub(crate) struct ChecksumSource {
    fact: StoredRequest,
    said: String,
    found: String,
    path: Option<String>,
    device: Option<i64>,
    inode: Option<i64>,
    file_size: Option<i64>,
    modified_ns: Option<i64>,
}

/// Result of comparing a file with its checksum files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChecksumResult {
    /// No completed checksum file names the file.
    Open,
    /// All checksum files that name the file agree with it.
    Right,
    /// At least one checksum file that names the file disagrees with it.
    Wrong,
}

/// Result of applying the lines of a checksum file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TakenIn {
    /// Whether a file that was completed earlier does not match. Such a file has been moved to `file_gc`.
    pub has_wrong: bool,
    /// Reason why the checksum file cannot be used.
    pub unusable: Option<UnusableChecksums>,
}

/// Writes which checksum files may cover which requests.
pub(in crate::store) async fn add(
    connection: &mut SqliteConnection,
    reg_id: i64,
    vouchers: &[ChecksumLink],
) -> Result<(), EngineError> {
    for chunk in vouchers.chunks(4096) {
        let rows: Vec<_> = chunk.iter().map(|row| (row.by, row.of, row.algorithm.to_string())).collect();
        sqlx::query(ADD).bind(reg_id).bind(json(&rows)?).execute(&mut *connection).await?;
    }
    Ok(())
}

impl LedgerWriter<'_> {
    /// Applies the `lines` of an active checksum file before that file is recorded as completed.
    ///
    /// Every complete file that does not match ends with the failure `wrong` and is moved to `file_gc`. Returns whether
    /// there was such a file, or why the checksum file is unusable.
    pub async fn take_in_checksums(
        &mut self,
        guid: Guid,
        lines: &[ListedChecksum],
        wrong: &FailedResponse,
        now_us: i64,
    ) -> Result<TakenIn, EngineError> {
        let (connection, remembered, tallies) = self.parts()?;
        let nothing = TakenIn::default();
        let Some(found) = state::active_by_guid(connection, remembered, guid).await? else { return Ok(nothing) };
        let (reg_id, by) = (found.fact.reg_id, found.fact.idx);
        let itself: AskedRow = sqlx::query_as(ITSELF).bind(reg_id).bind(by).fetch_one(&mut *connection).await?;
        let asked: Vec<AskedRow> = sqlx::query_as(ASKED).bind(reg_id).bind(by).fetch_all(&mut *connection).await?;
        let Some(algorithm) = asked.first().and_then(|row| DigestAlgorithm::named(&row.algorithm)) else { return Ok(nothing) };
        let Some(itself) = itself.named() else { return Ok(nothing) };
        let files = asked.iter().filter_map(|row| Some((row.idx, row.named()?)));
        let said = match digests_for(&itself, lines, algorithm, files) {
            Ok(said) => said,
            Err(unusable) => return Ok(TakenIn { has_wrong: false, unusable: Some(unusable) }),
        };
        let rows: Vec<_> = said.iter().map(|(idx, digest)| (idx, digest.to_string())).collect();
        sqlx::query(SAY).bind(reg_id).bind(by).bind(algorithm.to_string()).bind(json(&rows)?).execute(&mut *connection).await?;
        let there: Vec<String> = sqlx::query_scalar(THERE).bind(reg_id).bind(by).fetch_all(&mut *connection).await?;
        let there = there.iter().map(|text| row(text)).collect::<Result<Vec<ChecksumSource>, _>>()?;
        let (right, rest): (Vec<_>, Vec<_>) = there.into_iter().partition(|there| there.said == there.found);
        let rows: Vec<_> = right.iter().map(|there| (there.fact.reg_id, there.fact.idx, &there.said)).collect();
        sqlx::query(RIGHT).bind(json(&rows)?).execute(&mut *connection).await?;
        for there in &rest {
            there.was_wrong(connection, tallies, found.active, wrong, now_us).await?;
        }
        Ok(TakenIn { has_wrong: !rest.is_empty(), unusable: None })
    }

    /// Stores the digest of an active file and compares it with the checksum files. Call this before the file is
    /// recorded as completed.
    pub async fn judge(&mut self, guid: Guid, computed: &FileDigest) -> Result<ChecksumResult, EngineError> {
        let (connection, remembered, _) = self.parts()?;
        let Some(found) = state::active_by_guid(connection, remembered, guid).await? else { return Ok(ChecksumResult::Open) };
        let StoredRequest { reg_id, idx, .. } = found.fact;
        let computed = computed.to_string();
        sqlx::query(FOUND).bind(reg_id).bind(idx).bind(&computed).execute(&mut *connection).await?;
        let said: Vec<String> = sqlx::query_scalar(SAID).bind(reg_id).bind(idx).fetch_all(connection).await?;
        Ok(match said.iter().all(|said| *said == computed) {
            _ if said.is_empty() => ChecksumResult::Open,
            true => ChecksumResult::Right,
            false => ChecksumResult::Wrong,
        })
    }

    /// Marks this file for permanent deletion instead of the trash. The file is deleted only if it is still the
    /// published file.
    pub async fn let_go_outright(&mut self, path: &std::path::Path, identity: FileIdentity) -> Result<(), EngineError> {
        file_goes(self.connection()?, &text(path), identity).await
    }
}

impl ChecksumSource {
    async fn was_wrong(
        &self,
        connection: &mut SqliteConnection,
        tallies: &mut TallyMap,
        is_active: bool,
        wrong: &FailedResponse,
        now_us: i64,
    ) -> Result<(), EngineError> {
        debug_assert_eq!(self.fact.state, COMPLETED);
        sqlx::query(NOT_DONE).bind(self.fact.reg_id).bind(self.fact.idx).execute(&mut *connection).await?;
        end_badly(connection, tallies, (&self.fact, is_active), wrong, now_us).await?;
        match (&self.path, self.identity()) {
            (Some(path), Some(identity)) => file_goes(connection, path, identity).await,
            _ => Ok(()),
        }
    }

    fn identity(&self) -> Option<FileIdentity> {
        let (device, inode) = (self.device?, self.inode?);
        Some(FileIdentity { device, inode, size: self.file_size?, modified_ns: self.modified_ns? })
    }
}

async fn file_goes(connection: &mut SqliteConnection, path: &str, identity: FileIdentity) -> Result<(), EngineError> {
    sqlx::query(FILE_GOES)
        .bind(path)
        .bind(identity.device)
        .bind(identity.inode)
        .bind(identity.size)
        .bind(identity.modified_ns)
        .execute(connection)
        .await?;
    Ok(())
}
