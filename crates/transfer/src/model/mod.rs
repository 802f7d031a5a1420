//! Data types of a transfer, without I/O.

pub(crate) mod address_policy;
pub(crate) mod byte_budget;
pub(crate) mod digest;
pub(crate) mod event;
pub(crate) mod failure;
pub(crate) mod failure_kind;
pub(crate) mod found;
pub(crate) mod outcome;
pub(crate) mod spec;
pub(crate) mod validators;
