//! Names of files in the data folder.

/// The ledger's file in the data folder.
pub(crate) const LEDGER: &str = "ledger.sqlite";
