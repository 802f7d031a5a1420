//! Stores speed limits: for all transfers together, for a host, or for a registration.

use crate::{
    EngineError,
    model::{LimitScope, SpeedLimit},
    store::{
        columns::{key, signed, unique_id, unsigned},
        ledger::{LedgerStore, LedgerWriter},
        statement::statements,
    },
};

statements! {
    LIMIT_ALL: Search = "UPDATE wish SET rate = ?1 WHERE one = 1";
    LIMIT_HOST: Search =
        "INSERT INTO host_rate (name, rate) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET rate = excluded.rate";
    FREE_HOST: Search = "DELETE FROM host_rate WHERE name = ?1";
    REG_ID: Search = "SELECT reg_id FROM registration WHERE unique_id = ?1 AND doomed = 0";
    LIMIT_REGISTRATION: Search =
        "INSERT INTO reg_rate (reg_id, rate) VALUES (?1, ?2) ON CONFLICT (reg_id) DO UPDATE SET rate = excluded.rate";
    FREE_REGISTRATION: Search = "DELETE FROM reg_rate WHERE reg_id = ?1";
    FOR_ALL: Search = "SELECT rate FROM wish WHERE one = 1 AND rate > 0";
    FOR_HOSTS: Listing = "SELECT name, rate FROM host_rate ORDER BY name";
    FOR_REGISTRATIONS: Listing =
        "SELECT r.unique_id, l.rate FROM reg_rate l CROSS JOIN registration r ON r.reg_id = l.reg_id
         WHERE r.doomed = 0 ORDER BY l.reg_id";
}

impl LedgerStore {
    /// Returns every limit. The order is: the limit for all transfers together, limits for hosts by name, limits for
    /// registrations, oldest first.
    pub async fn limits(&self) -> Result<Vec<SpeedLimit>, EngineError> {
        let mut reader = self.readers().acquire().await?;
        let all: Option<i64> = sqlx::query_scalar(FOR_ALL).fetch_optional(&mut *reader).await?;
        let hosts: Vec<(String, i64)> = sqlx::query_as(FOR_HOSTS).fetch_all(&mut *reader).await?;
        let registrations: Vec<(Vec<u8>, i64)> = sqlx::query_as(FOR_REGISTRATIONS).fetch_all(&mut *reader).await?;
        let limit = |scope, rate| SpeedLimit { scope, bytes_per_second: unsigned(rate) };
        let mut limits: Vec<_> = all.map(|rate| limit(LimitScope::All, rate)).into_iter().collect();
        limits.extend(hosts.into_iter().map(|(host, rate)| limit(LimitScope::Host { host }, rate)));
        for (id, rate) in registrations {
            limits.push(limit(LimitScope::Registration { unique_id: unique_id(&id)? }, rate));
        }
        Ok(limits)
    }
}

impl LedgerWriter<'_> {
    /// Sets a limit, or removes it. Fails with `Unknown` if there is no such registration.
    pub async fn limit(&mut self, scope: &LimitScope, bytes_per_second: Option<u64>) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let rate = bytes_per_second.map(signed);
        match (scope, rate) {
            (LimitScope::All, rate) => sqlx::query(LIMIT_ALL).bind(rate.unwrap_or(0)).execute(connection).await?,
            (LimitScope::Host { host }, Some(rate)) => sqlx::query(LIMIT_HOST).bind(host).bind(rate).execute(connection).await?,
            (LimitScope::Host { host }, None) => sqlx::query(FREE_HOST).bind(host).execute(connection).await?,
            (LimitScope::Registration { unique_id }, rate) => {
                let found: Option<i64> = sqlx::query_scalar(REG_ID).bind(key(unique_id)).fetch_optional(&mut *connection).await?;
                let reg_id = found.ok_or(EngineError::Unknown(*unique_id))?;
                match rate {
                    Some(rate) => sqlx::query(LIMIT_REGISTRATION).bind(reg_id).bind(rate).execute(connection).await?,
                    None => sqlx::query(FREE_REGISTRATION).bind(reg_id).execute(connection).await?,
                }
            }
        };
        Ok(())
    }
}
