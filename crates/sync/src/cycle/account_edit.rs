//! Changes the account of this machine.
//!
//! A person can change the account during a cycle. An edit therefore reads the account again if another change is
//! committed first.

use ashore_engine::SyncWrite;

use crate::cycle::{account::SyncAccount, fault::SyncFault, local_list::LocalList};

/// Maximum number of attempts to change the account. An attempt fails if another change is committed first.
const MOST_EDITS: u32 = 20;

/// Reads the account; `None` while sync is off.
pub async fn read_account<L: LocalList>(list: &L) -> Result<Option<SyncAccount>, SyncFault> {
    match list.state().await? {
        Some(state) => SyncAccount::read(&state.account).map(Some).ok_or(SyncFault::Damaged),
        None => Ok(None),
    }
}

/// Changes the account, and returns the changed account. `edit` may run several times.
///
/// Fails with `Off` while sync is off. Fails with `Contended` if another change is committed first in every attempt.
pub async fn edit_account<L: LocalList>(list: &L, edit: impl Fn(&mut SyncAccount)) -> Result<SyncAccount, SyncFault> {
    for _ in 0..MOST_EDITS {
        let seen = list.state().await?.ok_or(SyncFault::Off)?.account;
        let mut account = SyncAccount::read(&seen).ok_or(SyncFault::Damaged)?;
        edit(&mut account);
        if list.write(&[SyncWrite::Account { account: account.write(), seen }]).await? {
            return Ok(account);
        }
    }
    Err(SyncFault::Contended)
}
