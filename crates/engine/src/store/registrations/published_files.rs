//! Finds the files that were already published for an address that is requested again.

use sqlx::FromRow;

use crate::{
    EngineError,
    store::{
        FileIdentity, PlacedRequest,
        columns::{self, unsigned, url_key},
        ledger::LedgerStore,
        statement::statements,
    },
};

/// Maximum number of rows read for one address. This number suffices to recognise the address.
const MOST: u32 = 100;

statements! {
    PLACED: Search =
        "SELECT d.path, d.size, d.digest, d.device, d.inode, d.file_size, d.modified_ns
         FROM request q INDEXED BY request_key CROSS JOIN registration r ON r.reg_id = q.reg_id
         CROSS JOIN response_done d ON d.reg_id = q.reg_id AND d.idx = q.idx
         WHERE q.url_key = ?1 AND q.url = ?2 AND q.method = 'GET' AND r.doomed = 0
           AND d.path IS NOT NULL AND d.modified_ns IS NOT NULL LIMIT ?3";
}

#[derive(FromRow)]
struct Row {
    path: String,
    size: i64,
    digest: Option<String>,
    device: i64,
    inode: i64,
    file_size: i64,
    modified_ns: i64,
}

impl LedgerStore {
    /// Returns the files that were published for `url` and are still in the list.
    pub async fn placed(&self, url: &str) -> Result<Vec<PlacedRequest>, EngineError> {
        let rows: Vec<Row> = sqlx::query_as(PLACED).bind(url_key(url)).bind(url).bind(MOST).fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(Row::into_placed).collect())
    }
}

impl Row {
    fn into_placed(self) -> PlacedRequest {
        let Self { path, size, digest, device, inode, file_size, modified_ns } = self;
        PlacedRequest {
            path: columns::path(&path),
            size: unsigned(size),
            digest: digest.and_then(|text| text.parse().ok()),
            identity: FileIdentity { device, inode, size: file_size, modified_ns },
        }
    }
}
