//! Finds a request for a partial file that the ledger does not know, and assigns the partial file to this request.

use std::path::Path;

use ashore_transfer::Guid;
use url::Url;

use crate::{
    EngineError,
    store::{
        columns::{text, url_key},
        ledger::LedgerWriter,
        statement::statements,
    },
};

statements! {
    UNSTARTED: Search =
        "SELECT q.reg_id, q.idx FROM request q INDEXED BY request_key
         CROSS JOIN req_state s ON s.reg_id = q.reg_id AND s.idx = q.idx
         CROSS JOIN registration r ON r.reg_id = q.reg_id CROSS JOIN given g ON g.reg_id = q.reg_id
         WHERE q.url_key = ?1 AND q.url = ?2 AND q.method = 'GET' AND s.state = 0 AND s.guid IS NULL AND r.active = 1
           AND g.folder = ?3 LIMIT 1";
    GIVE_GUID: Search = "UPDATE req_state SET guid = ?3 WHERE reg_id = ?1 AND idx = ?2 AND guid IS NULL";
}

impl LedgerWriter<'_> {
    /// Assigns `guid`, and with it the partial file, to the first matching request that has never begun. A request
    /// matches if its address and folder are the same. Returns false if no request matches.
    pub async fn give_guid_to_unstarted(&mut self, url: &str, folder: &Path, guid: Guid) -> Result<bool, EngineError> {
        let Ok(url) = url.parse::<Url>() else { return Ok(false) };
        let connection = self.connection()?;
        let found: Option<(i64, i64)> = sqlx::query_as(UNSTARTED)
            .bind(url_key(url.as_str()))
            .bind(url.as_str())
            .bind(text(folder))
            .fetch_optional(&mut *connection)
            .await?;
        let Some((reg_id, idx)) = found else { return Ok(false) };
        sqlx::query(GIVE_GUID).bind(reg_id).bind(idx).bind(guid.0.as_bytes().as_slice()).execute(connection).await?;
        Ok(true)
    }
}
