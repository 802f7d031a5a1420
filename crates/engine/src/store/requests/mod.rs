//! SQL statements for requests.

pub(crate) mod attempts;
pub(crate) mod checksum_links;
pub(crate) mod end_badly;
pub(crate) mod expectations;
pub(crate) mod fact;
pub(crate) mod follow_up;
pub(crate) mod insert;
pub(crate) mod outcomes;
pub(crate) mod queue;
pub(crate) mod state;
