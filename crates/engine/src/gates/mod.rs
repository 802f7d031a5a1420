//! Decides whether anything may start now, from conditions, quotas, disk space and cooldowns.

mod conditions;
pub(crate) mod decision;
mod disk_space;
pub(crate) mod host_cooldown;
mod overrides;
mod quota;
pub(crate) mod running_transfer;
#[cfg(test)]
mod tests;

pub use crate::model::values::weekly_hours::{HoursError, SpeedMode, WeeklyHours};
pub(crate) use conditions::{GateConditions, UnfinishedWork};
pub(crate) use quota::TooSmall;
