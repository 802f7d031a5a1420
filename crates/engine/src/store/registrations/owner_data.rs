//! Reads and writes values that the clients of an owner choose for a registration, and finds its registrations by name.

use sqlx::FromRow;

use crate::{
    EngineError,
    model::{OwnerChoices, UniqueId},
    store::{
        columns::{key, narrow, unique_id},
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

statements! {
    READ: Search =
        "SELECT g.owner_data, g.connections FROM registration r CROSS JOIN given g ON g.reg_id = r.reg_id
         WHERE r.unique_id = ?1 AND r.doomed = 0";
    WRITE: Search =
        "UPDATE given SET owner_data = ?2, connections = ?3
         WHERE reg_id = (SELECT reg_id FROM registration WHERE unique_id = ?1 AND doomed = 0)";
    // The upper limit of the range is the prefix followed by the highest character, U+10FFFF. So the range contains
    // every name that begins with the prefix, except if this character follows the prefix.
    NAMED: Search =
        "SELECT r.unique_id FROM owner o CROSS JOIN active_name n
           ON n.owner_id = o.owner_id AND n.developer_id >= ?2 AND n.developer_id < ?3
         CROSS JOIN registration r ON r.reg_id = n.reg_id WHERE o.name = ?1
         UNION ALL
         SELECT r.unique_id FROM owner o CROSS JOIN registration r INDEXED BY reg_delivery
           ON r.owner_id = o.owner_id AND r.delivery IN (1, 3)
         CROSS JOIN given g ON g.reg_id = r.reg_id
         WHERE o.name = ?1 AND r.active = 0 AND r.doomed = 0 AND g.developer_id >= ?2 AND g.developer_id < ?3
         LIMIT ?4";
}

#[derive(FromRow)]
struct Row {
    owner_data: String,
    connections: i64,
}

impl LedgerStore {
    /// Returns the values that the owner's clients chose for a registration. Fails with `Unknown`.
    pub async fn owner_choices(&self, id: UniqueId) -> Result<OwnerChoices, EngineError> {
        let row: Option<Row> = sqlx::query_as(READ).bind(key(&id)).fetch_optional(self.readers()).await?;
        let row = row.ok_or(EngineError::Unknown(id))?;
        let connections = Some(narrow(row.connections)).filter(|connections| *connections > 0);
        Ok(OwnerChoices { data: row.owner_data, connections })
    }

    /// Returns registrations of the owner with a name that begins with `prefix`: active ones, and ended ones with a
    /// pending end event. Returns at most `limit` registrations.
    pub async fn named(&self, owner: &str, prefix: &str, limit: u32) -> Result<Vec<UniqueId>, EngineError> {
        let end = format!("{prefix}{}", char::MAX);
        let found: Vec<Vec<u8>> =
            sqlx::query_scalar(NAMED).bind(owner).bind(prefix).bind(end).bind(limit).fetch_all(self.readers()).await?;
        found.iter().map(|id| unique_id(id)).collect()
    }
}

impl LedgerWriter<'_> {
    /// Replaces the values that the owner's clients chose. Fails with `Unknown`.
    pub async fn choose_for_owner(&mut self, id: UniqueId, choices: &OwnerChoices) -> Result<(), EngineError> {
        let connections = choices.connections.map_or(0, |connections| connections.max(1));
        let written = sqlx::query(WRITE).bind(key(&id)).bind(&choices.data).bind(connections).execute(self.connection()?).await?;
        if written.rows_affected() == 0 { Err(EngineError::Unknown(id)) } else { Ok(()) }
    }
}
