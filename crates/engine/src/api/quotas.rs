//! Engine methods for quotas. A quota applies to one owner or to all owners together, and to one kind of file or to all
//! files.
//!
//! A registration that exceeds the limit of a quota is refused. A registration that fits into the limit, but not into
//! the unused part of the limit, waits until its gate opens: see `gates/quota.rs`.

use crate::{
    Engine, EngineError,
    model::{OwnerQuota, QuotaScope},
    platform::failpoint,
    scheduler::command::SchedulerCommand,
    store::{QuotaLimit, QuotaUsage, totals::tally::UsageTally},
};
use ashore_messages::message;

/// Maximum quota in bytes or files. Every integer up to this value is exact in JSON.
const MOST: u64 = 1 << 53;
/// Built-in owners. They may have a quota before they request any download.
const BORN: [&str; 2] = ["window", "command-line"];

impl Engine {
    /// Sets the maximum number of bytes and of files for `scope`.
    ///
    /// A limit of `None` stays unchanged; if both are `None`, the quota is removed. Running transfers above the new
    /// limits are preempted and keep their bytes. Fails before anything is written with `BadQuota` or `UnknownOwner`.
    pub async fn set_quota(&self, scope: QuotaScope, bytes: Option<u64>, files: Option<u64>) -> Result<(), EngineError> {
        check(bytes, files)?;
        let mut ledger = self.shared.store.begin().await?;
        let owner = match &scope.owner {
            None => None,
            Some(name) => {
                let found = ledger.owner(name, BORN.contains(&name.as_str())).await?;
                Some(found.ok_or_else(|| EngineError::UnknownOwner(name.clone()))?)
            }
        };
        ledger.set_quota(&QuotaLimit { owner, category: scope.category, bytes, files }).await?;
        failpoint::hit("engine.quota-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.quota-written");
        self.shared.read_quotas().await?;
        self.order(SchedulerCommand::Quota);
        Ok(())
    }

    /// Returns the usage and the limits of every scope.
    ///
    /// The scopes are: all owners together, if limited; each owner; and each kind of file of an owner, if counted or
    /// limited.
    pub async fn quotas(&self) -> Result<Vec<OwnerQuota>, EngineError> {
        Ok(listed(&self.shared.store.books().await?))
    }
}

fn check(bytes: Option<u64>, files: Option<u64>) -> Result<(), EngineError> {
    match (bytes, files) {
        (Some(0), _) => Err(EngineError::BadQuota(message!("bad-quota.no-bytes"))),
        (_, Some(0)) => Err(EngineError::BadQuota(message!("bad-quota.no-files"))),
        (Some(amount), _) if amount > MOST => Err(EngineError::BadQuota(message!("bad-quota.bytes", most = MOST))),
        (_, Some(amount)) if amount > MOST => Err(EngineError::BadQuota(message!("bad-quota.files", most = MOST))),
        _ => Ok(()),
    }
}

/// Returns the usage and the limits of all scopes in `books`, sorted. [pure]
fn listed(books: &QuotaUsage) -> Vec<OwnerQuota> {
    let QuotaUsage { owners, usage, limits } = books;
    let mut scopes: Vec<(Option<i64>, Option<_>)> = limits.iter().map(|limit| (limit.owner, limit.category)).collect();
    for (owner, _) in owners {
        scopes.push((Some(*owner), None));
    }
    let is_any = |used: &UsageTally| used.files + used.running > 0;
    let kinds = usage.iter().filter(|(.., used)| is_any(used));
    scopes.extend(kinds.map(|(owner, category, _)| (Some(*owner), Some(*category))));
    scopes.sort();
    scopes.dedup();
    let quota = |(owner, category): (Option<i64>, Option<_>)| {
        let mut used = UsageTally::default();
        let is_meant =
            |of: &i64, kind: &_| owner.is_none_or(|owner| owner == *of) && category.is_none_or(|category| category == *kind);
        usage.iter().filter(|(of, kind, _)| is_meant(of, kind)).for_each(|(.., more)| used += *more);
        let limit = limits.iter().find(|limit| (limit.owner, limit.category) == (owner, category));
        let name = owners.iter().find(|(id, _)| Some(*id) == owner).map(|(_, name)| name.clone());
        OwnerQuota {
            scope: QuotaScope { owner: name, category },
            bytes: limit.and_then(|limit| limit.bytes),
            files: limit.and_then(|limit| limit.files),
            used_bytes: u64::try_from(used.kept + used.expected).unwrap_or(0),
            used_files: u64::try_from(used.files + used.running).unwrap_or(0),
        }
    };
    scopes.into_iter().map(quota).collect()
}
