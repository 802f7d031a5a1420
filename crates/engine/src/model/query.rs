//! Which registrations and records somebody wants to see.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UniqueId;

/// Which records `match` selects (the specification's CacheQueryOptions).
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct MatchOptions {
    /// Compare addresses without their query.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_search: bool,
    /// Also select requests that are not GET.
    #[ts(as = "Option<bool>", optional)]
    pub ignore_method: bool,
    /// The method of the request to match; GET by default.
    pub method: Option<String>,
}

/// A page of the list, newest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct ListQuery {
    /// Only what this owner asked for.
    pub owner: Option<String>,
    /// Only titles, addresses and names that contain this.
    pub search: Option<String>,
    /// Only what is not settled (true) or settled (false).
    pub active: Option<bool>,
    /// Only what has a file that failed for good (true), or has none (false).
    pub failed: Option<bool>,
    /// Only older than this one; for the next page.
    pub before: Option<UniqueId>,
    /// At most so many; 0 means 500.
    #[ts(as = "Option<u32>", optional)]
    pub limit: u32,
}
