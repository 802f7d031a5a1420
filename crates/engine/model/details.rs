//! What is known of one file beside its record: every try, and what was said of it when it was asked for.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Trouble;

/// What is known of one file beside its record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Details {
    /// Newest first: the one under way or the one that brought the file, and of those that failed the latest twenty.
    pub attempts: Vec<Attempt>,
    /// The page on which the link was found, as the creator gave it.
    pub referrer: Option<String>,
    /// Further addresses of the same file.
    pub mirrors: Vec<String>,
    /// What the file must hash to, as `sha-256=HEX`.
    pub checksums: Vec<String>,
    /// When it was there, in milliseconds of Unix time.
    #[ts(type = "number | null")]
    pub finished: Option<i64>,
}

/// One try to fetch a file. What is set aside by a person or a gate is no try of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u32,
    /// In milliseconds of Unix time; null where nobody wrote it down.
    #[ts(type = "number | null")]
    pub started: Option<i64>,
    /// In milliseconds of Unix time; null while it is under way.
    #[ts(type = "number | null")]
    pub ended: Option<i64>,
    /// The HTTP status with which the server refused.
    pub status: Option<u16>,
    /// Body bytes that it added to those that were there; null where nobody wrote it down.
    #[ts(type = "number | null")]
    pub brought: Option<u64>,
    /// Body bytes that were there when it ended, or are there by now.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Every address on the way, where it was sent on and failed at the last of them; else empty.
    pub url_chain: Vec<String>,
    /// Why it ended; null for one that is under way, or brought the file.
    pub trouble: Option<Trouble>,
    /// It failed, and no other try followed by itself.
    pub is_final: bool,
}
