//! Record of the collection `dl-items`: one download. [pure]
//!
//! - Any device may edit title, requested state, home device and requests. If several devices edit a field, the latest
//!   stamp wins.
//! - Only the home device writes facts.
//! - A removed download remains as a tombstone, so that a device that was offline does not upload it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{
    DeviceId, DownloadFacts, DownloadState, RecordFault, StampedValue, SyncRecord,
    judge::{MOST_LINKS, check_id, check_number, clean_title, judge_requests},
    part_record::MOST_PARTS,
};

/// Time for which a tombstone is kept, in milliseconds.
pub const TOMBSTONE_MS: i64 = 365 * 24 * 60 * 60 * 1000;

/// Maximum number of former home devices.
const MOST_FORMER: usize = 64;

/// State that the user requested. The home device carries out the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestedState {
    /// Fetch the download.
    Run,
    /// Pause the download.
    Paused,
    /// Remove the download.
    Removed,
}

/// Requests of a download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DownloadRequest {
    /// Requests in the export format, without secrets.
    Requests(Vec<Value>),
    /// The objects with these ids in `dl-parts` contain the requests.
    Parts(PartList),
    /// The requests are not synced, because there are too many or other devices would refuse them. Other devices can
    /// show the download, but not fetch it.
    Omitted {
        /// Number of links.
        count: u64,
    },
}

/// References to the parts of a long list of requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartList {
    /// Number of links in all parts.
    pub count: u64,
    /// Ids of the objects in `dl-parts`, in order.
    pub ids: Vec<String>,
}

/// One download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DownloadRecord {
    /// Format version of the record.
    pub v: u32,
    /// Title.
    pub title: StampedValue<String>,
    /// Requested state.
    pub requested: StampedValue<RequestedState>,
    /// Home device.
    pub home: StampedValue<DeviceId>,
    /// Requests.
    pub request: StampedValue<DownloadRequest>,
    /// Facts from the home device, or from the last device that reported facts.
    pub facts: DownloadFacts,
    /// Latest facts from each earlier home device, sorted by device.
    ///
    /// Two devices may move a download at the same time. The record keeps the facts of both devices until one of the
    /// moves wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former_facts: Vec<DownloadFacts>,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl DownloadRecord {
    /// Returns the facts of the current home device, or `None` if it has not reported any since it became the home
    /// device.
    pub fn home_facts(&self) -> Option<&DownloadFacts> {
        is_current(&self.facts, &self.home).then_some(&self.facts)
    }

    /// Whether the record is a tombstone, because the home device removed the download.
    pub fn is_removed(&self) -> bool {
        self.home_facts().is_some_and(|facts| facts.state == DownloadState::Removed)
    }

    /// Whether this tombstone is old enough to be deleted on all devices.
    pub fn is_expired_tombstone(&self, now_ms: i64) -> bool {
        let removed_ms = self.facts.settled_ms.unwrap_or(self.facts.created_ms);
        self.is_removed() && now_ms.saturating_sub(removed_ms) > TOMBSTONE_MS
    }

    /// Whether a field of this version is older than the same field in `known`, a version that the server stored at
    /// `known_ms`.
    ///
    /// A server that loses no data never replaces a version by an earlier one.
    pub fn is_before(&self, known: &Self, known_ms: i64) -> bool {
        // If `known` requests a removal, an earlier stamp of the requested state does not prove a data loss. A machine
        // without a mirror may have replaced the removal by an earlier edit.
        let is_removal = known.requested.value == RequestedState::Removed;
        let is_earlier_fact = |facts: DownloadFacts| {
            let of_device = self.all_facts().into_iter().find(|other| other.by == facts.by);
            of_device.is_some_and(|other| other.revision < facts.revision)
        };
        self.title.is_before(&known.title, known_ms)
            || (self.requested.is_before(&known.requested, known_ms) && !is_removal)
            || self.home.is_before(&known.home, known_ms)
            || self.request.is_before(&known.request, known_ms)
            || known.all_facts().into_iter().any(is_earlier_fact)
    }

    /// Returns the revision for the next facts of the home device.
    pub fn next_revision(&self) -> u64 {
        let former = self.former_facts.iter().map(|facts| facts.revision).max().unwrap_or_default();
        former.max(self.facts.revision).saturating_add(1)
    }

    /// Stores new facts of the home device `device`. They replace its earlier facts.
    ///
    /// This method sets the fields `revision`, `by` and `home_at`.
    pub fn report_facts(&mut self, device: &DeviceId, facts: DownloadFacts) {
        let facts = DownloadFacts { by: device.clone(), revision: self.next_revision(), home_at: self.home.at.clone(), ..facts };
        let mut all = self.all_facts();
        all.retain(|earlier| earlier.by != *device);
        all.push(facts);
        self.place_facts(all);
    }

    /// Returns the facts of all devices.
    pub(crate) fn all_facts(&self) -> Vec<DownloadFacts> {
        self.former_facts.iter().chain([&self.facts]).cloned().collect()
    }

    /// Stores the latest facts of each device.
    ///
    /// The field `facts` gets the facts of the current home device. If there are none, it gets the facts with the
    /// highest revision. `all` must not be empty.
    pub(crate) fn place_facts(&mut self, all: Vec<DownloadFacts>) {
        let mut latest: BTreeMap<DeviceId, DownloadFacts> = BTreeMap::new();
        for facts in all {
            match latest.get(&facts.by) {
                Some(known) if !facts.is_later_than(known) => {}
                _ => drop(latest.insert(facts.by.clone(), facts)),
            }
        }
        let rank = |facts: &DownloadFacts| (is_current(facts, &self.home), facts.revision, facts.by.clone());
        let first = latest.values().max_by_key(|facts| rank(facts)).map(|facts| facts.by.clone());
        if let Some(facts) = first.and_then(|device| latest.remove(&device)) {
            self.facts = facts;
            self.former_facts = latest.into_values().collect();
        }
    }

    /// Sets every stamp that is more than 10 minutes later than `server_ms` back to `server_ms`.
    fn clamp_stamps(&mut self, server_ms: i64) {
        self.title.clamp(server_ms);
        self.requested.clamp(server_ms);
        self.home.clamp(server_ms);
        self.request.clamp(server_ms);
        self.facts.clamp(server_ms);
        self.former_facts.iter_mut().for_each(|facts| facts.clamp(server_ms));
    }
}

fn is_current(facts: &DownloadFacts, home: &StampedValue<DeviceId>) -> bool {
    facts.by == home.value && facts.home_at == home.at
}

impl SyncRecord for DownloadRecord {
    const COLLECTION: &'static str = "dl-items";

    fn clamp_own(&mut self, server_ms: i64, base: Option<&Self>, there: Option<&Self>) {
        self.title.clamp_own(server_ms, base.map(|base| &base.title), there.map(|there| &there.title));
        self.requested.clamp_own(server_ms, base.map(|base| &base.requested), there.map(|there| &there.requested));
        self.request.clamp_own(server_ms, base.map(|base| &base.request), there.map(|there| &there.request));
        let home_at = self.home.at.clone();
        self.home.clamp_own(server_ms, base.map(|base| &base.home), there.map(|there| &there.home));
        for facts in self.former_facts.iter_mut().chain([&mut self.facts]) {
            // The facts of the current home device must keep the stamp of the field `home`. Facts with another stamp
            // count as outdated.
            match facts.home_at == home_at {
                true => facts.home_at = self.home.at.clone(),
                false => facts.clamp(server_ms),
            }
        }
    }

    fn judged(mut self, modified_ms: i64) -> Result<Self, RecordFault> {
        self.title.value = clean_title(&self.title.value);
        match &self.request.value {
            DownloadRequest::Requests(requests) => judge_requests(requests)?,
            DownloadRequest::Parts(parts) if parts.count > MOST_LINKS || parts.ids.len() > MOST_PARTS => {
                return Err(RecordFault::TooLong("parts"));
            }
            DownloadRequest::Parts(parts) => parts.ids.iter().try_for_each(|id| check_id("parts", id))?,
            DownloadRequest::Omitted { count } => check_number("count", *count)?,
        }
        if self.former_facts.len() > MOST_FORMER {
            return Err(RecordFault::TooLong("former_facts"));
        }
        self.clamp_stamps(modified_ms);
        let facts = self.all_facts().into_iter().map(DownloadFacts::judged);
        let facts = facts.collect::<Result<_, _>>()?;
        self.place_facts(facts);
        Ok(self)
    }
}
