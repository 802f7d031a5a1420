//! What has become of everything that was ever asked for, in numbers.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::RequestSource;

/// Running totals of requests. They outlive the downloads that they count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StatisticsReport {
    /// Of everything.
    pub total: DailyCount,
    /// The same by how it came to be asked for; sources that nothing came from are left out.
    pub sources: Vec<SourceStatistic>,
    /// The same by the day that it was added on, the latest first; days on which nothing was added are left out.
    pub days: Vec<DayStatistic>,
}

/// What came from one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SourceStatistic {
    /// Which.
    pub source: RequestSource,
    /// Of that.
    #[serde(flatten)]
    pub counted: DailyCount,
}

/// What became of that which was added on one day, whenever it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DayStatistic {
    /// Such as `2026-11-22`, in the machine's own time.
    pub day: String,
    /// Of that.
    #[serde(flatten)]
    pub counted: DailyCount,
}

/// Requests, and bytes. What is neither done nor failed is not over yet, was cancelled, or was removed before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DailyCount {
    /// Requests that were added.
    #[ts(type = "number")]
    pub added: u64,
    /// Of those, how many have succeeded.
    #[ts(type = "number")]
    pub succeeded: u64,
    /// How many have failed, and were not tried again since.
    #[ts(type = "number")]
    pub failed: u64,
    /// How often somebody had one of them tried again.
    #[ts(type = "number")]
    pub retried: u64,
    /// Body bytes of those that succeeded.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Body bytes sent.
    #[ts(type = "number")]
    pub uploaded: u64,
}
