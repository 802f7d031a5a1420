//! All SQL statements. The ledger has one writer and a few readers.

mod columns;
pub(crate) mod database;
mod first_run;
pub(crate) mod ledger;
pub(crate) mod ledger_file;
pub(crate) mod list_file;
pub(crate) mod quota_room;
pub(crate) mod registrations;
pub(crate) mod requests;
pub(crate) mod rows;
mod statement;
pub(crate) mod sync;
#[cfg(test)]
mod tests;
pub(crate) mod totals;

#[cfg(debug_assertions)]
pub(crate) use columns::rows_hold;
pub(crate) use database::backup::{examine_thoroughly, has_known_shape, look_at};
pub(crate) use database::unsupported_version::{
    is_plausible, known_version, refuse_newer_copy, refuse_unsupported, refuse_unsupported_log,
};
pub(crate) use database::wal_marker::{has_lost_its_log, take_mark_away};
pub(crate) use first_run::BootstrapRow;
pub(crate) use list_file::import::{
    ImportOutcome, ImportedAnswer, ImportedAttempt, ImportedDone, ImportedEnd, ImportedRegistration, ImportedRequest,
};
pub(crate) use registrations::delivery::AckOutcome;
pub(crate) use registrations::duplicates::ExistingMatch;
pub(crate) use registrations::link_origin::LinkOrigin;
pub(crate) use registrations::of_owner::EndedRegistration;
pub(crate) use registrations::queue_order::QueuePosition;
pub(crate) use requests::checksum_links::ChecksumResult;
pub(crate) use rows::{
    ActiveRegistration, CompletedResponse, ExpiryCandidate, FailedResponse, FileIdentity, FinishedRequest, OwnerFilter,
    PartialDisposition, PendingFileRemoval, PickedRequest, PlacedRequest, ReleaseOutcome, ResponseHeadRow, RunRow, SkipSet,
    StartableRequest, UpdatedRequest,
};
#[cfg(test)]
pub(crate) use tests::{Row, audit, rows, rows_in};
pub(crate) use totals::usage::{QuotaLimit, QuotaUsage};
