//! Defines the limits of a request, a batch and a user, as `info/configuration` reports them. [pure]

use serde::Serialize;

/// Limits of the protocol; all counts are inclusive.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProtocolLimits {
    /// Maximum number of objects in one POST.
    pub max_post_records: usize,
    /// Maximum number of payload bytes in one POST.
    pub max_post_bytes: usize,
    /// Maximum number of objects in one batch.
    pub max_total_records: i64,
    /// Maximum number of payload bytes in one batch.
    pub max_total_bytes: i64,
    /// Maximum size of one payload in bytes.
    pub max_record_payload_bytes: usize,
    /// Maximum size of one body in bytes.
    pub max_request_bytes: usize,
    /// Maximum number of open batches of one user.
    #[serde(skip)]
    pub open_batches: i64,
    /// Maximum number of custom collections of a user.
    ///
    /// Standard collections and the collections of Ashore are not counted.
    #[serde(skip)]
    pub custom_collections: i64,
    /// Maximum number of ids in one query.
    #[serde(skip)]
    pub ids: usize,
    /// Lifetime of an open batch, in milliseconds.
    #[serde(skip)]
    pub batch_lifetime: i64,
    /// Quota in bytes of each user who has no individual quota; `None` for unlimited.
    #[serde(skip)]
    pub quota: Option<i64>,
}

impl Default for ProtocolLimits {
    fn default() -> Self {
        Self {
            max_post_records: 100,
            max_post_bytes: 2_621_440,
            max_total_records: 10_000,
            max_total_bytes: 262_144_000,
            max_record_payload_bytes: 2_621_440,
            max_request_bytes: 2_625_536,
            open_batches: 64,
            custom_collections: 100,
            ids: 100,
            batch_lifetime: 2 * 3600 * 1000,
            quota: Some(2 << 30),
        }
    }
}
