//! Updates the counters of a collection and enforces the quota of its user.

use super::{
    StoreError, read,
    statement::statements,
    transaction::{DatabaseTransaction, on},
};
use crate::protocol::{ProtocolLimits, ProtocolRefusal, Timestamp};

statements! {
    MOVE_COUNTERS = "UPDATE user_collections SET modified = $3, count = count + $4, total_bytes = total_bytes + $5 \
                     WHERE user_id = $1 AND collection_id = $2";
    USED = "SELECT CAST(COALESCE(SUM(total_bytes), 0) AS BIGINT) FROM user_collections WHERE user_id = $1";
}

/// If `replaced_bytes` is this value or a lower one, the upsert replaced an expired row.
///
/// The number of bytes of the replaced row is `EXPIRED` minus the value.
const EXPIRED: i64 = -100;

/// State of a running write.
pub(super) struct SyncWriter<'a> {
    pub user: i64,
    pub collection: i32,
    pub time: Timestamp,
    pub now: i64,
    pub quota: Option<i64>,
    pub limits: &'a ProtocolLimits,
}

/// Change of a collection's counters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovedCounters {
    rows: i64,
    bytes: i64,
    /// Change in the number of bytes that count towards the quota.
    ///
    /// The bytes of an expired row do not count, even before the row is replaced.
    live_bytes: i64,
}

impl MovedCounters {
    /// Adds the result of the upsert for one row: the number of bytes written, and the number of bytes replaced.
    pub(super) fn add(&mut self, (bytes, replaced): (i64, i64)) {
        let (is_new, replaced, live) = match replaced {
            0.. => (false, replaced, replaced),
            ..=EXPIRED => (false, EXPIRED - replaced, 0),
            _ => (true, 0, 0),
        };
        self.rows += i64::from(is_new);
        self.bytes += bytes - replaced;
        self.live_bytes += bytes - live;
    }
}

/// Updates the counters. If the usage of the user grows, also enforces the quota.
///
/// Returns the number of bytes that remain in the quota.
pub(super) async fn settle(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    moved: MovedCounters,
) -> Result<Option<i64>, StoreError> {
    move_counters(tx, writing, moved.rows, moved.bytes).await?;
    hold_to_quota(tx, writing, moved.live_bytes, 0).await
}

/// Fails with status 403 and code 14 if the stored bytes plus `more` exceed the quota.
///
/// Never fails if `change` does not increase the usage. Returns the number of bytes that remain in the quota.
pub(super) async fn hold_to_quota(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    change: i64,
    more: i64,
) -> Result<Option<i64>, StoreError> {
    let Some(quota) = writing.quota else { return Ok(None) };
    let user = writing.user;
    let stored: i64 = on!(&mut *tx, |connection| sqlx::query_scalar(USED).bind(user).fetch_one(connection).await)?;
    // Expired rows that are not purged yet do not count.
    let expired = read::expired(tx, user, writing.now).await?;
    let left = quota - stored - more + expired.values().map(|(_, bytes)| bytes).sum::<i64>();
    if left < 0 && change > 0 { Err(ProtocolRefusal::OVER_QUOTA.into()) } else { Ok(Some(left.max(0))) }
}

/// Adds `rows` and `bytes` to the counters of the collection, and sets the collection's time.
pub(super) async fn move_counters(
    tx: &mut DatabaseTransaction,
    writing: &SyncWriter<'_>,
    rows: i64,
    bytes: i64,
) -> Result<(), sqlx::Error> {
    let (user, collection, time) = (writing.user, writing.collection, writing.time.0);
    on!(tx, |connection| {
        let query = sqlx::query(MOVE_COUNTERS).bind(user).bind(collection).bind(time).bind(rows).bind(bytes);
        query.execute(connection).await.map(|_| ())
    })
}
