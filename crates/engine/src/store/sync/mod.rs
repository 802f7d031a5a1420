//! SQL statements for sync: marks of changed registrations, records of all collections, cursors, conflicts.

pub(crate) mod conflicts;
pub(crate) mod marks;
pub(crate) mod records;
pub(crate) mod registrations;
pub(crate) mod state;
