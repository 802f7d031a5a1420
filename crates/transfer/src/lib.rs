//! A URL becomes a file on disk, resumable after any interruption.
//!
//! This crate knows no ledger, no registration and no window. It is told *what* to fetch ([`Spec`]) under a [`Guid`]
//! that its caller chose and persisted, and it answers with [`Event`]s. What it keeps, it keeps beside the target: a
//! partial file and a journal, which alone are enough to go on.
//!
//! The walk of one transfer: [`service`] starts it, the first answer is read by `probe`, `page` sees whether it is a file
//! at all, `filename` makes its name safe, `part` holds the bytes, `plan` says what is missing, `backlog` how many connections
//! are worth it, `request` asks for it through `client`, `identity` decides whether it is still the same file, `segment` pours
//! it into the `writer`, `journal` remembers what is durable, `verify` compares digests, `finish` places the file with a `mark`
//! of where it came from, and `outcome` says how it ended. `budget` counts what may be stored at all, `throttle` holds whatever
//! comes and goes to the speed that it may have. `run` holds them together; `survey` is what the disk alone knows, and
//! `recognise` what it knows of a file that nobody remembers. Small files take a shorter way: `small` holds them in memory,
//! `batch` places many at once. `disk` starts the threads that wait for disks. `map` shows people which parts of a file are
//! there; `answers` holds those that were asked for before it is sure that anybody wants the file.
//!
//! What is known of a file from others than its bytes: `promised` reads an answer's head, [`metalink`] a Metalink, also
//! the one that a head leads to (`described`), [`sums`] a checksum file.

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
pub use crate::http::{
    Cookies, Credentials, FileCookie, HttpConfig, Netrc, NotACookie, Proxies, Reach, Secret, Vault, merged_cookies,
    parse_cookie_file, read_cookies_for,
};
pub use download::pending_responses::{Offer, PATIENCE as ANSWER_PATIENCE};
pub use filename::{charset, is_invisible};
pub use integrity::{checksum_file, metalink};
pub use model::digest::{Algorithm, Digest, NotADigest};
pub use model::outcome::{Completed, Failure, FailureKind, Fault, MissingGuarantee, Outcome, Restart, RestartReason, Verified};
pub use model::spec::{Expected, Guid, Pieces, Spec};
pub use partial::file_owner::is_ours;
pub use partial::is_in_use;
pub use partial::rediscover::Unaware;
pub use partial::scan::{survey, tags_in};
pub use plan::segment_map::Map;
pub use rate_limit::byte_budget::{Allowance, Hold};
pub use rate_limit::{NotARate, Rate, Scope};
pub use runtime::runtime;
pub use transfers::{Asked, Config, Event, Found, Head, Progress, Transfers};
