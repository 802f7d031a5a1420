//! Queries for registrations and records.

use std::{fmt, num::ParseIntError, str::FromStr};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{Registration, UniqueId};

/// Options that select records for `match` (`CacheQueryOptions` of the specification).
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct MatchOptions {
    /// Whether to ignore the query part of addresses.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_search: bool,
    /// Whether to also select requests with methods other than GET.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_method: bool,
    /// Method of the request to match; GET by default.
    pub method: Option<String>,
}

/// Position in the list between two registrations. It stays valid when registrations are added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPosition(pub(crate) i64);

impl fmt::Display for ListPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ListPosition {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self)
    }
}

/// Page of the list.
#[derive(Clone, Debug)]
pub struct ListPage {
    /// Registrations, newest first.
    pub registrations: Vec<Registration>,
    /// Position after the last registration; `None` on the last page.
    pub next: Option<ListPosition>,
}

/// Range of the registrations that wait or are paused, in the order of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueWindow {
    /// Whether the range is counted from the end of the queue. It is then in reverse order.
    pub from_end: bool,
    /// Number of registrations before the range.
    pub offset: u32,
    /// Maximum number of registrations in the range.
    pub limit: u32,
}

/// Numbers of unfinished registrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueCounts {
    /// Registrations with a running request.
    pub running: u64,
    /// Registrations that wait or are paused.
    pub waiting: u64,
}

/// Query for a page of the list, newest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct ListQuery {
    /// Filter: only registrations of this owner.
    pub owner: Option<String>,
    /// Filter: only registrations with this text in their title, or in an address or name of a request.
    pub search: Option<String>,
    /// Filter: only active registrations (true), or only settled registrations (false).
    pub active: Option<bool>,
    /// Filter: only registrations with a file that failed permanently (true), or without such a file (false).
    pub failed: Option<bool>,
    /// Filter: only registrations older than this one; used for the next page.
    pub before: Option<UniqueId>,
    /// Maximum number of registrations; 0 means 500.
    #[ts(as = "Option<u32>", optional)]
    pub limit: u32,
}
