//! Limits of a request, a batch and a user, as `info/configuration` reports them. [pure]

use serde::Serialize;

/// Limits of the protocol. Counts are inclusive.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProtocolLimits {
    /// Objects in one POST.
    pub max_post_records: usize,
    /// Payload bytes in one POST.
    pub max_post_bytes: usize,
    /// Objects in one batch.
    pub max_total_records: i64,
    /// Payload bytes in one batch.
    pub max_total_bytes: i64,
    /// Bytes of one payload.
    pub max_record_payload_bytes: usize,
    /// Bytes of one body.
    pub max_request_bytes: usize,
    /// Batches of one user that are open at once.
    #[serde(skip)]
    pub open_batches: i64,
    /// Collections of one user that are neither standard nor Ashore's own.
    #[serde(skip)]
    pub custom_collections: i64,
    /// Ids in one query.
    #[serde(skip)]
    pub ids: usize,
    /// Lifetime of an open batch, in milliseconds.
    #[serde(skip)]
    pub batch_lifetime: i64,
    /// Bytes of a user without a quota of its own. None: any amount.
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
