//! The interface as clients see it: real connections to an engine with a small web server.

mod calls;
mod differential;
mod management;
mod other_owners;
pub(super) mod peer;
mod socket;

use ashore_engine::{FailureReason, FileCategory, Registration, RegistrationResult, RegistrationState, RequestSource, UniqueId};

/// Waiting download in the folder `/d`.
pub(crate) fn registration() -> Registration {
    Registration {
        unique_id: UniqueId(uuid::Uuid::from_u128(7)),
        developer_id: "0123456789abcdef".to_owned(),
        owner: "aria2".to_owned(),
        title: "x".to_owned(),
        description: String::new(),
        icon: None,
        icons: Vec::new(),
        state: RegistrationState::Waiting,
        result: RegistrationResult::None,
        failure_reason: FailureReason::None,
        failure: None,
        downloaded: 0,
        download_total: 0,
        expected_total: 0,
        uploaded: 0,
        upload_total: 0,
        records_available: true,
        event_number: 0,
        requests: 1,
        has_more: false,
        unmeasured: false,
        succeeded: 0,
        failed: 0,
        active: 0,
        urgent: false,
        rank: 0,
        next_try: None,
        waiting_for: None,
        path: None,
        folder: "/d".into(),
        category: FileCategory::Other,
        source: RequestSource::Program,
        page: None,
        awaited_link: None,
        created: 0,
        first_enqueued: 0,
        last_updated: 0,
        settled: None,
        expires: None,
    }
}
