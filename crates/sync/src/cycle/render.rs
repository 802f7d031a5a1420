//! Converts a download of this machine to its record, and a record to a change of the download. [pure]
//!
//! The ledger stores values, not stamps. A value that equals the value in the latest known version gets the stamp of
//! that version. Any other value gets a new stamp with the time of its change. The new stamp is later than that of the
//! replaced value.

use ashore_engine::{FileCategory, RegistrationResult, SyncWrite, SyncedRegistration};
use serde_json::{Map, Value};

use crate::{
    merge::{HomeDuty, PartSplit, home_duty},
    records::{
        DeviceId, DownloadFacts, DownloadRecord, DownloadRequest, DownloadState, HybridStamp, RecordFault, ReportedFailure,
        ReportedResult, RequestedState, StampedValue, clean_title, judge_requests_up_to,
    },
};

/// Returns the record of a download of this machine.
///
/// `prior` is the latest known version: the local version that waits to be sent, if there is one, and otherwise the
/// version on which this machine and the server agreed. `split` decides whether the requests are sent in parts.
pub fn render(
    download: &SyncedRegistration,
    prior: Option<&DownloadRecord>,
    device: &DeviceId,
    split: PartSplit<'_>,
) -> DownloadRecord {
    let is_settled = download.result != RegistrationResult::None;
    let requested = match prior {
        // A download that has ended keeps its requested state, because a person can neither pause nor resume it. A
        // download that has moved to another device is paused only on this device.
        Some(prior) if is_settled || prior.home.value != *device => prior.requested.value,
        _ if download.is_paused => RequestedState::Paused,
        _ => RequestedState::Run,
    };
    let home = match prior {
        Some(prior) => prior.home.clone(),
        None => StampedValue::new(device.clone(), HybridStamp::new(download.created_ms, 0, device.clone())),
    };
    let stamped = |ms: i64| move |earlier: Option<&HybridStamp>| later_stamp(ms, earlier, device);
    let facts = facts_of(download, device, &home.at);
    // Clean the texts as other devices do when they read the record. Otherwise, the facts would differ from the known
    // facts, and would be reported again.
    let facts = facts.clone().judged().unwrap_or(facts);
    let mut record = DownloadRecord {
        v: prior.map_or(1, |prior| prior.v),
        title: keep_or_stamp(clean_title(&download.title), prior.map(|prior| &prior.title), stamped(download.title_ms)),
        requested: keep_or_stamp(requested, prior.map(|prior| &prior.requested), stamped(download.requested_ms)),
        home,
        request: keep_or_stamp(request_of(download, split), prior.map(|prior| &prior.request), stamped(download.created_ms)),
        facts: prior.map_or_else(|| facts.clone(), |prior| prior.facts.clone()),
        former_facts: prior.map(|prior| prior.former_facts.clone()).unwrap_or_default(),
        unknown: prior.map(|prior| prior.unknown.clone()).unwrap_or_default(),
    };
    let is_reported = record.home_facts().is_some_and(|known| is_same_report(known, &facts));
    if record.home.value == *device && (prior.is_none() || !is_reported) {
        let unknown = record.home_facts().map(|known| known.unknown.clone()).unwrap_or_default();
        record.report_facts(device, DownloadFacts { unknown, ..facts });
    }
    record
}

/// Returns the tombstone of a download that was removed on this machine, its home device.
pub fn tombstone(prior: &DownloadRecord, device: &DeviceId, removed_ms: i64) -> DownloadRecord {
    let mut record = prior.clone();
    let facts = DownloadFacts { state: DownloadState::Removed, settled_ms: Some(removed_ms), ..prior.facts.clone() };
    record.report_facts(device, facts);
    record
}

/// Returns the change that makes the download of this machine agree with a merged record; `None` if both agree
/// already.
pub fn wish(download: &SyncedRegistration, record: &DownloadRecord, device: &DeviceId) -> Option<SyncWrite> {
    let is_active = download.result == RegistrationResult::None;
    let (is_paused, is_removed) = match home_duty(record, device) {
        HomeDuty::Fetch if record.is_removed() => (None, true),
        HomeDuty::Fetch => match record.requested.value {
            RequestedState::Run => (Some(false), false),
            RequestedState::Paused => (Some(true), false),
            RequestedState::Removed => (None, true),
        },
        HomeDuty::KeepPaused => (Some(true), false),
        HomeDuty::DropPartial => (None, true),
    };
    let is_paused = is_paused.filter(|wished| is_active && *wished != download.is_paused);
    let title = (record.title.value != clean_title(&download.title)).then(|| record.title.value.clone());
    let sync_id = download.sync_id.clone()?;
    // A machine that has just become the home device of a download must not report an earlier response as a start.
    // After such a report, the former home device deletes its partial file.
    let is_home_known = record.home.value == *device && record.home_facts().is_some();
    let is_restarted = is_active && download.is_started && !is_home_known;
    let is_any = title.is_some() || is_paused.is_some() || is_restarted || is_removed;
    is_any.then_some(SyncWrite::Wish { sync_id, seen: download.change, title, is_paused, is_restarted, is_removed })
}

fn keep_or_stamp<T: PartialEq + Clone>(
    value: T,
    prior: Option<&StampedValue<T>>,
    stamp: impl FnOnce(Option<&HybridStamp>) -> HybridStamp,
) -> StampedValue<T> {
    match prior {
        Some(prior) if prior.value == value => prior.clone(),
        _ => StampedValue::new(value, stamp(prior.map(|prior| &prior.at))),
    }
}

/// Returns a stamp of this device for an edit at `ms`. The stamp is later than `earlier`, the stamp of the replaced
/// version.
pub fn later_stamp(ms: i64, earlier: Option<&HybridStamp>, device: &DeviceId) -> HybridStamp {
    match earlier {
        Some(earlier) if earlier.ms() >= ms => earlier.following(device.clone()),
        _ => HybridStamp::new(ms, 0, device.clone()),
    }
}

/// Returns the requests of a download in the form in which its record contains them.
pub fn request_of(download: &SyncedRegistration, split: PartSplit<'_>) -> DownloadRequest {
    let count = u64::from(download.request_count);
    let is_complete = u64::try_from(download.requests.len()).is_ok_and(|found| found == count);
    // If other devices would refuse the requests, send only their number. An example is a series of a million pages.
    // Other devices can then only display the download.
    match judge_requests_up_to(&download.requests, split.longest) {
        Ok(()) if is_complete => DownloadRequest::Requests(download.requests.clone()),
        Err(RecordFault::TooLong(_)) if is_complete => match split.list(&download.requests) {
            Some(parts) => DownloadRequest::Parts(parts),
            None => DownloadRequest::Omitted { count },
        },
        _ => DownloadRequest::Omitted { count },
    }
}

fn facts_of(download: &SyncedRegistration, device: &DeviceId, home_at: &HybridStamp) -> DownloadFacts {
    let state = match download.result {
        RegistrationResult::Success => DownloadState::Done,
        RegistrationResult::Failure => DownloadState::Failed,
        RegistrationResult::None if download.is_paused => DownloadState::Paused,
        RegistrationResult::None if download.is_started => DownloadState::Running,
        RegistrationResult::None => DownloadState::Queued,
    };
    let failure = download.failure.as_ref().map(|message| ReportedFailure {
        code: message.code.clone(),
        variant: message.variant.clone(),
        args: arguments(message),
    });
    DownloadFacts {
        by: device.clone(),
        revision: 1,
        home_at: home_at.clone(),
        kind: kind_name(download.kind).to_owned(),
        created_ms: download.created_ms,
        state,
        result: match download.result {
            RegistrationResult::Success => ReportedResult::Success,
            RegistrationResult::Failure => ReportedResult::Failure,
            RegistrationResult::None => ReportedResult::None,
        },
        failure,
        size: download.size.filter(|size| *size > 0),
        settled_ms: download.settled_ms,
        command: download.command.clone(),
        unknown: Map::new(),
    }
}

fn arguments(message: &ashore_messages::UserMessage) -> Map<String, Value> {
    match serde_json::to_value(&message.args) {
        Ok(Value::Object(arguments)) => arguments,
        _ => Map::new(),
    }
}

fn is_same_report(known: &DownloadFacts, new: &DownloadFacts) -> bool {
    let plain = |facts: &DownloadFacts| DownloadFacts { revision: 0, unknown: Map::new(), ..facts.clone() };
    plain(known) == plain(new)
}

fn kind_name(kind: FileCategory) -> &'static str {
    match kind {
        FileCategory::Video => "video",
        FileCategory::Music => "music",
        FileCategory::Picture => "picture",
        FileCategory::Document => "document",
        FileCategory::Archive => "archive",
        FileCategory::Program => "program",
        FileCategory::Other => "other",
    }
}
