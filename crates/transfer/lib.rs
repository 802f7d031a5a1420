//! A URL becomes a file on disk, resumable after any interruption.
//!
//! This crate knows no ledger, no registration and no window. It is told *what* to fetch ([`Spec`]) under a [`Guid`]
//! that its caller chose and persisted, and it answers with [`Event`]s. What it keeps, it keeps beside the target: a
//! partial file and a journal, which alone are enough to go on.
//!
//! The walk of one transfer: [`service`] starts it, the first answer is read by `probe`, `filename` makes its
//! name safe, `part` holds the bytes, `plan` says what is missing, `segment` fetches it and asks `identity` whether it is
//! still the same file, `journal` remembers what is durable, `verify` compares digests, and `outcome` says how it ended.

pub mod crashpoint;
mod filename;
mod identity;
mod journal;
mod outcome;
mod part;
mod plan;
mod probe;
mod request;
mod run;
mod segment;
mod service;
mod spec;
mod survey;
mod upload;
mod verify;
mod writer;

pub use outcome::{Completed, Failure, FailureKind, Outcome, Verified};
pub use service::{Config, Event, Found, Head, Progress, Transfers};
pub use spec::{Algorithm, Allowance, Digest, Guid, NotADigest, Spec};
pub use survey::survey;
