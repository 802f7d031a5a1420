//! Goals of the torture run; each module has a function `prove`.

pub(crate) mod attacks;
pub(crate) mod calls;
pub(crate) mod census;
pub(crate) mod checkpoints;
pub(crate) mod clocks;
pub(crate) mod commands;
pub(crate) mod failing;
pub(crate) mod filesystems;
pub(crate) mod folders;
pub(crate) mod growth;
pub(crate) mod kept;
pub(crate) mod ledger;
pub(crate) mod list;
pub(crate) mod names;
pub(crate) mod peers;
pub(crate) mod power;
pub(crate) mod servers;
pub(crate) mod starts;
pub(crate) mod sync;
pub(crate) mod sync_server;
