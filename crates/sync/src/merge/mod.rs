//! Merges records, reports conflicts, and decides the times of sync cycles. [pure]

mod backoff;
mod conflict;
#[cfg(test)]
pub(crate) mod convergence_tests;
mod download_merge;
#[cfg(test)]
mod download_merge_tests;
mod field_merge;
mod first_sync;
mod home_duty;
mod part_split;
mod send_limits;
mod setting_merge;
mod triggers;

pub use self::{
    backoff::{LONGEST_WAIT_MS, ServerWait, SyncBackoff},
    conflict::{CONFLICT_MS, ConflictField, MergeConflict, MergeContext, MergeOutcome},
    download_merge::merge_download,
    first_sync::{PairCandidate, PairedDownload, pair_downloads, requests_fingerprint},
    home_duty::{HomeDuty, home_duty},
    part_split::{PartSplit, part_id},
    send_limits::{MOST_SENDS, MOST_SENT_LINKS, SendRefusal, judge_send},
    setting_merge::merge_setting,
    triggers::{CycleScope, DueCycle, SyncTriggers, next_cycle},
};
