//! Contains every SQL statement of the server, for SQLite and PostgreSQL.
//!
//! - A write is one transaction that begins by locking the row of its user, so that writes of one user wait for each
//!   other.
//! - A read is one transaction on a snapshot, and does not wait for writes.
//! - Each statement of a request is restricted to one `user_id`. All statements are fast without statistics of the
//!   database.

mod accounts;
mod batch;
mod collections;
mod copy;
mod counted;
mod counters;
mod error;
mod gate;
mod listing;
mod open;
mod pooler;
mod purge;
mod read;
mod retry;
mod schema;
mod statement;
mod sync_store;
#[cfg(test)]
mod tests;
mod transaction;
mod upsert;
mod user_lock;
mod write;

pub use self::{
    accounts::{DeviceRow, EnrolledDevice, InviteRow, UserRow},
    copy::{CopiedRows, CopyError},
    counted::CollectionMismatch,
    error::{OpenError, StoreError},
    listing::ListingQuery,
    open::DatabasePool,
    purge::PurgeReport,
    read::{CollectionState, CollectionTimes},
    retry::RetryJitter,
    schema::VERSION,
    sync_store::SyncStore,
    write::{BsoWrite, WriteAction, WriteReceipt},
};
