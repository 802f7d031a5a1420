//! SQL statements for registrations.

pub(crate) mod adoption;
pub(crate) mod create;
pub(crate) mod delivery;
pub(crate) mod details;
pub(crate) mod duplicates;
pub(crate) mod expiry;
pub(crate) mod lifecycle;
pub(crate) mod link_origin;
pub(crate) mod links;
pub(crate) mod list;
pub(crate) mod of_owner;
pub(crate) mod owner_data;
pub(crate) mod published_files;
pub(crate) mod queue_order;
pub(crate) mod queue_pages;
pub(crate) mod records;
pub(crate) mod relocation;
pub(crate) mod removal;
