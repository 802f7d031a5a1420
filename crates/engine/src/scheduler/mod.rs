//! Decides which work runs now: commands, retries, dispatch, limits and events of transfers.

mod apply_events;
mod backups;
mod checksum_check;
pub(crate) mod command;
mod commands;
pub(crate) mod damage;
pub(crate) mod disks;
mod dispatch;
pub(crate) mod event_loop;
mod expiry;
mod failure_effect;
mod fair_share;
mod follow_up;
mod gate_updates;
mod host_limits;
mod ledger_update;
pub(crate) mod machine;
mod outcome;
pub(crate) mod persistently;
mod preemption;
mod retry_policy;
mod single_transfer_hosts;
pub(crate) mod supervisor;
#[cfg(test)]
mod tests;
pub(crate) mod thread;
mod tick_budget;

pub(crate) use dispatch::expected;
