//! A URL becomes a file on disk, resumable after any interruption.
//!
//! This crate knows no ledger, no registration and no window. Its caller gives a [`Spec`] under a [`Guid`] that the caller has
//! persisted, and receives [`Event`]s. Everything that is needed to resume is stored beside the target: a partial file and a
//! journal.
//!
//! A folder imports only from folders to its left: `filename`, `model`, `disk`, `rate_limit`, `plan`, `http`, `integrity`,
//! `partial`, `download`, `transfers`.
//!
//! - `transfers` starts, stops and lists runs by GUID; `download` is one run.
//! - `http` makes one exchange and reads the head of its response; `plan` decides which bytes to request next.
//! - `partial` holds the bytes and the journal, and publishes the file; `integrity` compares digests.
//! - `disk` starts the threads that wait for disks, because the runtime has one worker.

pub mod disk;
mod download;
pub mod failpoint;
mod filename;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod http;
mod integrity;
mod model;
mod partial;
mod plan;
mod rate_limit;
mod runtime;
mod transfers;

pub use crate::http::blocked_ports::is_bad_port;
pub use crate::http::config::Config;
pub use crate::http::{
    Cookies, Credentials, FileCookie, Netrc, NotACookie, Proxies, Reach, Secret, Vault, config::HttpConfig, merged_cookies,
    parse_cookie_file, read_cookies_for,
};
pub use crate::model::byte_budget::{Allowance, Hold};
pub use crate::model::event::{Event, Head};
pub use crate::model::found::{Asked, Found};
pub use crate::partial::part::is_in_use;
pub use crate::plan::progress::Progress;
pub use download::pending_responses::{Offer, PATIENCE as ANSWER_PATIENCE};
pub use filename::{charset, is_invisible};
pub use integrity::{checksum_file, metalink};
pub use model::digest::{Algorithm, Digest, NotADigest};
pub use model::outcome::{Completed, Failure, FailureKind, Fault, MissingGuarantee, Outcome, Restart, RestartReason, Verified};
pub use model::spec::{Expected, Guid, Pieces, Spec};
pub use partial::file_owner::is_ours;
pub use partial::rediscover::Unaware;
pub use partial::scan::{survey, tags_in};
pub use plan::segment_map::Map;
pub use rate_limit::{NotARate, Rate, Scope};
pub use runtime::runtime;
pub use transfers::Transfers;
