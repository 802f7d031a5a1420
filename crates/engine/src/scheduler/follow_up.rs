//! Finds the follow-up requests of requests that have just ended.
//!
//! The search precedes the ledger transaction, because a manifest may have to be read. The result is written in the
//! transaction that ends the requests.

use ashore_messages::message;
use ashore_transfer::disk;

use crate::{
    intake::follow_up::{self, FollowUpChain, FollowUpEnd},
    model::{FailureReason, accepted::AcceptedRequest},
    scheduler::{
        event_loop::READ_WAITS,
        ledger_update::{FollowUpAction, LedgerUpdate},
    },
    store::{FailedResponse, RunRow, ledger::LedgerStore},
};

impl FollowUpAction {
    pub(super) fn from_chain(chain: &FollowUpChain) -> Self {
        Self { chain: Box::new(chain.clone()), found: None }
    }

    /// Returns the follow-up requests. The caller adds them.
    pub(super) fn requests(&self) -> &[AcceptedRequest] {
        match &self.found {
            Some(Ok(requests)) => requests,
            _ => &[],
        }
    }

    /// Returns whether the chain of requests continues even if its last request failed.
    pub(super) fn goes_on(&self) -> bool {
        self.chain.is_optional
    }

    /// Returns the failure to record for a file that is not a valid manifest; `None` for any other file.
    pub(super) fn refusal(&self) -> Option<FailedResponse> {
        match &self.found {
            Some(Err(trouble)) => Some(FailedResponse {
                reason: FailureReason::FetchError,
                trouble: trouble.clone(),
                status: None,
                bytes: 0,
                uploaded: 0,
                run: RunRow::default(),
            }),
            _ => None,
        }
    }
}

/// Finds the requests that follow each of `entries`.
///
/// The ledger records the URL of a file before the file gets its final name. Therefore a file that got its final name
/// before a power failure is not requested again.
pub(super) async fn read(entries: &mut [LedgerUpdate], store: &LedgerStore) {
    for entry in entries {
        let (following, end) = match entry {
            LedgerUpdate::Completed { guid, following: Some(following), response, .. } => {
                let from = store.url_of(*guid).await.ok().flatten();
                (following, FollowUpEnd::Completed { path: response.path.clone(), from })
            }
            LedgerUpdate::Dead { following: Some(following), .. } => (following, FollowUpEnd::Failed),
            _ => continue,
        };
        let chain = following.chain.clone();
        let looked = disk::within(READ_WAITS, move || follow_up::after(&chain, &end)).await;
        let ended = || Err(message!("internal.next"));
        following.found = Some(looked.unwrap_or_else(ended));
    }
}
