//! Opens an engine: folder lock, ledger, reconciliation with the disk.

pub(crate) mod adopt;
pub(crate) mod ledger_recovery;
pub(crate) mod opening;
pub(crate) mod options;
pub(crate) mod reconcile;
