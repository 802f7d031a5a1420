//! How to open an engine.

use std::path::PathBuf;

use crate::{EngineEnv, settings::SettingOverrides};

/// How to open an engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The folder of the ledger. Made when it is not there, mode 0700.
    pub data_dir: PathBuf,
    /// Name of the holding program for people: "the Ashore window", "ashore serve".
    pub holder: String,
    /// Fetch (true), or only read and write the ledger (false).
    pub fetch: bool,
    /// Values that replace settings as long as this engine is open.
    pub overrides: SettingOverrides,
    /// Where time and randomness come from.
    pub env: EngineEnv,
}
