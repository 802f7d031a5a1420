//! Statistics of all requests ever added.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::{FailureReason, RegistrationState, RequestSource};

/// Running totals of requests. Removing downloads does not change them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StatisticsReport {
    /// Totals of all requests.
    pub total: DailyCount,
    /// Totals by source. Sources without requests are left out.
    pub sources: Vec<SourceStatistic>,
    /// Totals by the day on which requests were added, latest first. Days without new requests are left out.
    pub days: Vec<DayStatistic>,
}

/// Number of registrations with the same state and reason of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistrationCount {
    /// State of these registrations.
    pub state: RegistrationState,
    /// Reason of failure; `None` for registrations without a failure.
    pub failure_reason: FailureReason,
    /// Number of registrations.
    pub count: u64,
}

/// Totals of one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SourceStatistic {
    /// The source.
    pub source: RequestSource,
    /// Totals of this source.
    #[serde(flatten)]
    pub counted: DailyCount,
}

/// Outcome of the requests added on one day, regardless of when they ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DayStatistic {
    /// Day such as `2026-11-22`, in local time.
    pub day: String,
    /// Totals of this day.
    #[serde(flatten)]
    pub counted: DailyCount,
}

/// Numbers of requests and bytes.
///
/// The remaining requests are unfinished, were cancelled, or were removed before they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DailyCount {
    /// Number of added requests.
    #[ts(type = "number")]
    pub added: u64,
    /// Number of the added requests that succeeded.
    #[ts(type = "number")]
    pub succeeded: u64,
    /// Number of the added requests that failed and have not been retried since then.
    #[ts(type = "number")]
    pub failed: u64,
    /// Number of requested retries of the added requests.
    #[ts(type = "number")]
    pub retried: u64,
    /// Body bytes received by the succeeded requests.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Number of body bytes that were sent.
    #[ts(type = "number")]
    pub uploaded: u64,
}
