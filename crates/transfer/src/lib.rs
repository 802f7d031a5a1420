//! Downloads a URL to a file on disk, and resumes after any interruption.
//!
//! This crate does not depend on ledger, registrations or windows. The caller persists a [`Guid`], provides a
//! [`TransferSpec`] with it, and receives [`TransferEvent`]s. A partial file and a journal next to the target contain
//! everything that is needed to resume.
//!
//! A folder imports only from folders to its left: `filename`, `model`, `disk`, `rate_limit`, `plan`, `http`,
//! `integrity`, `partial`, `download`, `transfers`.
//!
//! - `transfers` starts, stops and lists runs by GUID. `download` implements a single run.
//! - `http` makes a single exchange and parses the head of its response. `plan` decides which bytes to request next.
//! - `partial` stores the bytes and the journal, and publishes the file. `integrity` compares digests.
//! - `disk` starts threads that may wait for disks, because the runtime has only one worker.

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
pub use crate::http::config::TransferConfig;
pub use crate::http::{
    AddressPolicy, CookieJar, DownloadCredentials, FileCookie, HostCredentials, HttpSecret, Netrc, NotACookie, NotAProxy,
    OriginCredentials, ProxyRules, SecretStore, config::HttpConfig, merged_cookies, parse_cookie_file, read_cookies_for,
};
pub use crate::model::byte_budget::{ByteBudget, QuotaHold};
pub use crate::model::event::{ResponseSummary, TransferEvent};
pub use crate::model::found::{RediscoveredFile, RediscoveryRequest};
pub use crate::partial::part::is_in_use;
pub use crate::plan::progress::TransferProgress;
pub use download::pending_responses::{PATIENCE as ANSWER_PATIENCE, ProbeResult};
pub use filename::{charset, is_invisible, numbered_names::candidate as numbered_name, safe_file_name};
pub use integrity::{checksum_file, metalink};
pub use model::digest::{DigestAlgorithm, FileDigest, NotADigest};
pub use model::failure::TransferFailure;
pub use model::failure_kind::{FailureCause, FailureKind};
pub use model::outcome::{CompletedTransfer, MissingGuarantee, RestartReason, TransferOutcome, TransferRestart, Verification};
pub use model::spec::{ExpectedContent, Guid, PieceHashes, TransferSpec};
pub use partial::file_owner::is_ours;
pub use partial::rediscover::RediscoveryQuery;
pub use partial::relocate::{NameAttempt, give_name, has_same_bytes};
pub use partial::scan::{survey, tags_in};
pub use plan::segment_map::SegmentMap;
pub use rate_limit::{FlowScope, NotARate, RateLimit};
pub use runtime::runtime;
pub use transfers::Transfers;
