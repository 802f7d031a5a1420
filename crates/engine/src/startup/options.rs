//! Options for opening an engine.

use std::path::PathBuf;

use crate::{EngineEnv, settings::SettingOverrides};

/// Options for opening an engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Folder of the ledger. Created with mode 0700 if it does not exist.
    pub data_dir: PathBuf,
    /// Name of the program that holds the data folder, as shown to the user: "the Ashore window", "ashore serve".
    pub holder: String,
    /// Whether the engine fetches files, or only reads and writes the ledger.
    pub fetch: bool,
    /// Values that replace settings while this engine is open.
    pub overrides: SettingOverrides,
    /// Source of time and randomness.
    pub env: EngineEnv,
}
