//! Row that holds the state of a request.

use ashore_transfer::Guid;
use serde::Deserialize;

use crate::{model::UniqueId, store::columns::flag};

pub(in crate::store) const PENDING: i64 = 0;

pub(in crate::store) const ACTIVE: i64 = 1;

pub(in crate::store) const COMPLETED: i64 = 2;

pub(in crate::store) const WAITING: i64 = 3;

pub(in crate::store) const ABORTED: i64 = 4;

pub(in crate::store) const DEAD: i64 = 5;

/// State of a request.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct StoredRequest {
    pub reg_id: i64,
    pub idx: i64,
    pub host_id: i64,
    #[serde(deserialize_with = "flag")]
    pub optional: bool,
    pub state: i64,
    pub guid: Option<Guid>,
    pub attempt: i64,
    pub tries: i64,
    pub not_before_us: i64,
    pub kept: i64,
    pub sent: i64,
    pub size: Option<i64>,
    /// Category of the file.
    pub category: i64,
}

impl StoredRequest {
    /// Returns the contribution of this row to each counter of its registration, in the order of `COUNT` in `state`.
    pub(crate) fn counts(&self) -> [i64; 12] {
        let is = |state| i64::from(self.state == state);
        [
            is(PENDING),
            is(ACTIVE),
            is(WAITING),
            is(COMPLETED),
            is(DEAD),
            is(ABORTED),
            i64::from(self.size.is_none()),
            i64::from(self.state != COMPLETED && self.kept > 0),
            self.size.unwrap_or(0),
            self.kept,
            if self.state == COMPLETED { self.kept } else { 0 },
            self.sent,
        ]
    }
}

/// A request and its registration.
#[derive(Debug, Deserialize)]
pub(in crate::store) struct OwnedRequest {
    pub fact: StoredRequest,
    pub unique_id: UniqueId,
    /// Whether the registration of the request is active.
    #[serde(deserialize_with = "flag")]
    pub active: bool,
}
