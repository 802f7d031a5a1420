//! The file of the ledger: opening, checking, migrating and backing it up.

pub(crate) mod backup;
pub(crate) mod backup_rotation;
pub(crate) mod checks;
pub(crate) mod corruption;
pub(crate) mod ledger_copy;
pub(crate) mod migrations;
pub(crate) mod open;
pub(crate) mod schema;
pub(crate) mod unsupported_version;
pub(crate) mod wal_marker;
