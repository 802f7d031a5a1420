//! The native host of the browser extension, and the manifests that make browsers start it.
//!
//! The browser keeps its download until the file is in the ledger of Ashore. Therefore the answer to an `ask` message
//! is `taken` only after the registration is committed, and `declined` in every case of doubt.
//!
//! - `framing` separates the messages of a browser, `protocol` defines them, and `caller` checks the extension. [pure]
//! - `rules` are the settings about hand-overs [pure], and `shared_rules` reads and changes them in the engine.
//! - `same_file` decides whether Ashore received the file that the browser is receiving. [pure]
//! - `wake` connects to the engine, and starts the app if no engine runs.
//! - `hand_off` answers `ask` messages, `offer` opens the Add dialog, and `follow` reports progress. `extension_port`
//!   starts these for each message, and `host` reads the messages.
//! - `manifest_paths` and `manifest` describe the manifests [pure], `install` writes them, `examine` tests them, and
//!   `report` describes the browsers to people.

mod caller;
mod declines;
mod examine;
mod extension_ids;
mod extension_port;
mod follow;
mod framing;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod hand_off;
mod host;
mod install;
mod manifest;
mod manifest_paths;
mod offer;
mod protocol;
mod report;
mod rules;
mod same_file;
mod shared_rules;
mod wake;

pub use examine::{ManifestFault, examine};
pub use extension_ids::{ExtensionIds, ids};
pub use extension_port::ExtensionPort;
pub use framing::{FrameFault, LONGEST_RECEIVED};
pub use host::run;
pub use install::{HostProgram, InstallOutcome, ManifestState, connect, disconnect, state};
pub use manifest_paths::{BROWSERS, BrowserFamily, BrowserPlace, UserFolders};
pub use report::{BrowserReport, BrowserState, reports};
