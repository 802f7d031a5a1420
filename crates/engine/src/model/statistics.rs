//! Statistics of all requests ever added.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::RequestSource;

/// Running totals of requests. The totals are kept after the downloads are removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StatisticsReport {
    /// Totals of all requests.
    pub total: DailyCount,
    /// Totals by source; sources without requests are left out.
    pub sources: Vec<SourceStatistic>,
    /// Totals by the day on which requests were added, latest first; days without new requests are left out.
    pub days: Vec<DayStatistic>,
}

/// Totals of one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SourceStatistic {
    /// The source.
    pub source: RequestSource,
    /// Totals of that source.
    #[serde(flatten)]
    pub counted: DailyCount,
}

/// Outcome of the requests that were added on one day, regardless of when they ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DayStatistic {
    /// Day such as `2026-11-22`, in local time.
    pub day: String,
    /// Totals of that day.
    #[serde(flatten)]
    pub counted: DailyCount,
}

/// Numbers of requests and bytes.
///
/// Requests that neither succeeded nor failed are unfinished, were cancelled, or were removed before they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DailyCount {
    /// Number of requests that were added.
    #[ts(type = "number")]
    pub added: u64,
    /// Number of requests, among those that were added, that have succeeded.
    #[ts(type = "number")]
    pub succeeded: u64,
    /// Number of requests, among those that were added, that have failed and have not been retried since.
    #[ts(type = "number")]
    pub failed: u64,
    /// Number of retries that were requested for the added requests.
    #[ts(type = "number")]
    pub retried: u64,
    /// Body bytes received by the requests that succeeded.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Body bytes sent.
    #[ts(type = "number")]
    pub uploaded: u64,
}
