//! Property tests: three devices with wrong clocks edit one download, and sync it through one object on the server.

use std::collections::BTreeMap;

use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, RngSeed, TestRunner},
};
use serde_json::{Value, json};

use crate::{
    merge::{
        ConflictField, MergeConflict, MergeContext, MergeOutcome,
        download_merge_tests::{device, download},
        field_merge, merge_download,
    },
    records::{
        DeviceId, DownloadFacts, DownloadRecord, DownloadRequest, DownloadState, HybridClock, HybridStamp, MOST_AHEAD_MS,
        ReadRecord, RequestedState, StampedValue, read_record, write_record,
    },
};

const NAMES: [&str; 3] = ["desktop", "laptop", "tablet"];
const HOUR_MS: i64 = 60 * 60 * 1000;
const STATES: [RequestedState; 3] = [RequestedState::Run, RequestedState::Paused, RequestedState::Removed];
const FACTS: [DownloadState; 4] = [DownloadState::Queued, DownloadState::Running, DownloadState::Paused, DownloadState::Removed];

/// Action of one device in a random history.
#[derive(Clone, Debug)]
enum DeviceAction {
    Rename,
    Relink,
    Request(usize),
    Move(usize),
    /// Reports facts, if the device regards itself as the home device.
    Report(usize),
    /// Reads the object from the server, and merges it.
    Pull,
    /// Uploads the result of the last merge, unless another device has uploaded in between. The reply may be lost.
    Push {
        is_reply_lost: bool,
    },
    /// Deletes the mirror: the device's copy of the server's version.
    Reset,
    /// Sets the error of the device's clock in milliseconds.
    SetClock(i64),
}

fn step(most_error_ms: i64) -> impl Strategy<Value = (usize, DeviceAction, i64)> {
    let action = prop_oneof![
        4 => Just(DeviceAction::Rename),
        1 => Just(DeviceAction::Relink),
        3 => (0..STATES.len()).prop_map(DeviceAction::Request),
        2 => (0..NAMES.len()).prop_map(DeviceAction::Move),
        3 => (0..FACTS.len()).prop_map(DeviceAction::Report),
        6 => Just(DeviceAction::Pull),
        6 => prop::bool::weighted(0.2).prop_map(|is_reply_lost| DeviceAction::Push { is_reply_lost }),
        2 => Just(DeviceAction::Reset),
        1 => (-most_error_ms..=most_error_ms).prop_map(DeviceAction::SetClock),
    ];
    (0..NAMES.len(), action, 0..most_error_ms / 60)
}

struct SimulatedDevice {
    id: DeviceId,
    clock: HybridClock,
    clock_error_ms: i64,
    mirror: Option<DownloadRecord>,
    here: Option<DownloadRecord>,
    /// Result of the last merge, and the time `modified` that the server's object had at that merge.
    merge: Option<(DownloadRecord, i64)>,
    conflicts: Vec<MergeConflict>,
    last_revision: Option<u64>,
}

/// All devices, the only object on the server, and all edits that were made.
struct SimulatedList {
    devices: [SimulatedDevice; 3],
    object: Option<Vec<u8>>,
    modified_ms: i64,
    now_ms: i64,
    edits: Vec<(ConflictField, Value)>,
    /// Values that a device saw before it replaced them.
    replaced: Vec<(ConflictField, Value)>,
    /// Titles that a device saw before it removed the download.
    removed_titles: Vec<String>,
}

impl SimulatedList {
    fn new(clock_errors: [i64; 3]) -> Self {
        let mut at = 0;
        let devices = NAMES.map(|name| {
            at += 1;
            SimulatedDevice {
                id: device(name),
                clock: HybridClock::new(device(name)),
                clock_error_ms: clock_errors[at - 1],
                mirror: None,
                here: None,
                merge: None,
                conflicts: Vec::new(),
                last_revision: None,
            }
        });
        let now_ms = 1_700_000_000_000;
        let (edits, replaced) = (Vec::new(), Vec::new());
        let mut list = Self { devices, object: None, modified_ms: 0, now_ms, edits, replaced, removed_titles: Vec::new() };
        let first = list.tick(0);
        let mut record = download();
        (record.title.at, record.requested.at, record.home.at, record.request.at) =
            (first.clone(), first.clone(), first.clone(), first.clone());
        record.facts.home_at = first;
        list.devices[0].here = Some(record);
        list.devices[0].last_revision = Some(1);
        for at in [0, 1, 2] {
            list.synchronise(at);
        }
        list
    }

    fn tick(&mut self, at: usize) -> HybridStamp {
        let device = &mut self.devices[at];
        device.clock.tick(self.now_ms + device.clock_error_ms)
    }

    fn take(&mut self, at: usize, action: &DeviceAction) {
        let number = self.edits.len();
        match action {
            DeviceAction::Rename => self.edit(at, ConflictField::Title, format!("title {number}"), |record| &mut record.title),
            DeviceAction::Relink => {
                let request = DownloadRequest::Requests(vec![json!({ "url": format!("https://a.test/{number}") })]);
                self.edit(at, ConflictField::Request, request, |record| &mut record.request);
            }
            DeviceAction::Request(state) => {
                self.edit(at, ConflictField::Requested, STATES[*state], |record| &mut record.requested);
            }
            DeviceAction::Move(to) => self.edit(at, ConflictField::Home, device(NAMES[*to]), |record| &mut record.home),
            DeviceAction::Report(state) => self.report(at, FACTS[*state]),
            DeviceAction::Pull => self.pull(at),
            DeviceAction::Push { is_reply_lost } => self.push(at, *is_reply_lost),
            DeviceAction::Reset => (self.devices[at].mirror, self.devices[at].merge) = (None, None),
            DeviceAction::SetClock(error_ms) => self.devices[at].clock_error_ms = *error_ms,
        }
    }

    fn edit<T: serde::Serialize>(
        &mut self,
        at: usize,
        field: ConflictField,
        value: T,
        of: fn(&mut DownloadRecord) -> &mut StampedValue<T>,
    ) {
        let stamp = self.tick(at);
        let Some(record) = &mut self.devices[at].here else { return };
        // A user cannot rename a download that is no longer in the list.
        if record.is_removed() && field != ConflictField::Home {
            return;
        }
        self.edits.push((field, field_merge::json(&value)));
        let before = std::mem::replace(of(record), StampedValue::new(value, stamp));
        self.replaced.push((field, field_merge::json(&before.value)));
    }

    fn report(&mut self, at: usize, state: DownloadState) {
        let device = &mut self.devices[at];
        let Some(record) = device.here.as_mut().filter(|record| record.home.value == device.id && !record.is_removed()) else {
            return;
        };
        record.report_facts(&device.id, DownloadFacts { state, ..record.facts.clone() });
        device.last_revision = Some(record.facts.revision);
        if state == DownloadState::Removed {
            self.removed_titles.push(record.title.value.clone());
        }
    }

    fn read(&self) -> Option<DownloadRecord> {
        let object = self.object.as_ref()?;
        match read_record(object, self.modified_ms).unwrap() {
            ReadRecord::Known(record) => Some(record),
            ReadRecord::Newer { .. } => panic!("the object has this version"),
        }
    }

    fn pull(&mut self, at: usize) {
        let there = self.read();
        let device = &mut self.devices[at];
        let context = MergeContext { device: &device.id, server_ms: self.now_ms };
        let outcome = merge_download(device.mirror.as_ref(), device.here.as_ref(), there.as_ref(), &context);
        let Some(MergeOutcome { record, conflicts, .. }) = outcome else { return };
        device.clock.correct(self.now_ms);
        for stamp in [&record.title.at, &record.requested.at, &record.home.at, &record.request.at] {
            device.clock.observe(stamp, self.now_ms + device.clock_error_ms);
        }
        device.conflicts.extend(conflicts);
        device.mirror = there;
        device.here = Some(record.clone());
        device.merge = Some((record, self.modified_ms));
    }

    fn push(&mut self, at: usize, is_reply_lost: bool) {
        let device = &mut self.devices[at];
        let Some((record, seen_ms)) = device.merge.take() else { return };
        if seen_ms != self.modified_ms || device.mirror.as_ref() == Some(&record) {
            return;
        }
        self.modified_ms = self.now_ms.max(self.modified_ms + 10);
        self.object = Some(write_record(&record).unwrap());
        if !is_reply_lost {
            device.mirror = Some(record);
        }
    }

    fn synchronise(&mut self, at: usize) {
        self.pull(at);
        self.push(at, false);
    }

    /// Asserts that all devices converge, that no edit is lost, and that another cycle changes nothing.
    fn end(&mut self) -> DownloadRecord {
        for at in [0, 1, 2, 0, 1, 2] {
            self.now_ms += 1000;
            self.synchronise(at);
        }
        let last = self.read().unwrap();
        let modified_ms = self.modified_ms;
        let conflicts = self.devices.each_ref().map(|device| device.conflicts.len());
        for (at, name) in NAMES.iter().enumerate() {
            assert_eq!(self.devices[at].here.as_ref(), Some(&last), "{name} differs from the server");
            self.synchronise(at);
        }
        assert_eq!(self.modified_ms, modified_ms, "a cycle without edits uploads nothing");
        assert_eq!(self.devices.each_ref().map(|device| device.conflicts.len()), conflicts, "no new conflicts");
        self.assert_edits(&last);
        self.assert_facts(&last);
        last
    }

    fn assert_edits(&self, last: &DownloadRecord) {
        let lost = |field: ConflictField, value: &Value| {
            let mut all = self.devices.iter().flat_map(|device| &device.conflicts);
            all.any(|conflict| conflict.field == field && conflict.losing == *value)
        };
        for (field, value) in &self.edits {
            let shown = match field {
                ConflictField::Title => field_merge::json(&last.title.value),
                ConflictField::Requested => field_merge::json(&last.requested.value),
                ConflictField::Home => field_merge::json(&last.home.value),
                _ => field_merge::json(&last.request.value),
            };
            let is_known = shown == *value || self.replaced.contains(&(*field, value.clone())) || lost(*field, value);
            assert!(is_known, "the edit of {field:?} to {value} is lost");
        }
        if last.is_removed() && !self.removed_titles.contains(&last.title.value) {
            let title = Value::from(last.title.value.as_str());
            assert!(lost(ConflictField::Removed, &title), "the removal hides the title {title}");
        }
    }

    fn assert_facts(&self, last: &DownloadRecord) {
        let known: BTreeMap<DeviceId, u64> = last.all_facts().into_iter().map(|facts| (facts.by, facts.revision)).collect();
        let expected = self.devices.iter().filter_map(|device| Some((device.id.clone(), device.last_revision?)));
        assert_eq!(known, expected.collect(), "the latest facts of each device");
    }
}

/// Returns the configuration for `cases` random histories. The same seed gives the same histories.
pub fn config(cases: u32, seed: u64, max_shrink_iters: u32) -> Config {
    Config {
        cases,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters,
        ..Config::default()
    }
}

/// Runs `cases` random histories of edits and cycles, with clocks that are wrong by at most `most_error_ms`.
fn run(cases: u32, seed: u64, most_error_ms: i64) {
    let errors = || -most_error_ms..=most_error_ms;
    let histories = ([errors(), errors(), errors()], vec(step(most_error_ms), 1..60));
    let outcome = TestRunner::new(config(cases, seed, 5000)).run(&histories, |(errors, steps)| {
        let mut list = SimulatedList::new(errors);
        for (at, action, passed_ms) in &steps {
            list.now_ms += passed_ms;
            list.take(*at, action);
        }
        let last = list.end();
        // Without clamping, the order of stamps is the order in which the devices saw each other's edits.
        let title = (ConflictField::Title, field_merge::json(&last.title.value));
        let is_current = most_error_ms > MOST_AHEAD_MS || !list.replaced.contains(&title);
        prop_assert!(is_current, "a title that was replaced knowingly has returned: {}", title.1);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
}

#[test]
fn three_devices_with_wrong_clocks_converge() {
    run(300, 20_261_128, HOUR_MS);
}

#[test]
fn edit_that_was_replaced_never_takes_effect_again() {
    run(300, 20_261_129, MOST_AHEAD_MS);
}

#[test]
#[ignore = "takes minutes: `make test-long`"]
fn ten_thousand_histories_of_three_devices_converge() {
    run(9_000, 1, HOUR_MS);
    run(1_000, 2, MOST_AHEAD_MS);
}

/// Returns a strategy for versions of the download after edits of one device.
fn version(name: &'static str) -> impl Strategy<Value = DownloadRecord> {
    let times = [0..9_i64, 0..9, 0..9, 0..9];
    let facts = (0..FACTS.len(), 0..NAMES.len(), 1..4_u64);
    (times, 0..STATES.len(), 0..NAMES.len(), vec(facts, 0..3), prop::option::of(0..3)).prop_map(
        move |([title, requested, home, request], state, to, facts, unknown)| {
            let mut record = download();
            let stamp = |minutes: i64| HybridStamp::new((minutes + 1) * 60_000, 0, device(name));
            if title > 0 {
                record.title = StampedValue::new(format!("{name} {title}"), stamp(title));
            }
            if requested > 0 {
                record.requested = StampedValue::new(STATES[state], stamp(requested));
            }
            if home > 0 {
                record.home = StampedValue::new(device(NAMES[to]), stamp(home));
            }
            if request > 0 {
                record.request = StampedValue::new(DownloadRequest::Omitted { count: request.unsigned_abs() }, stamp(request));
            }
            let mut all = record.all_facts();
            for (state, by, revision) in facts {
                let (by, home_at, state) = (device(NAMES[by]), record.home.at.clone(), FACTS[state]);
                all.push(DownloadFacts { by, revision, home_at, state, ..record.facts.clone() });
            }
            record.place_facts(all);
            record.unknown.extend(unknown.map(|value| ("next".to_owned(), json!(value))));
            record
        },
    )
}

#[test]
fn order_in_which_downloads_are_merged_does_not_matter() {
    let versions = (any::<bool>(), version("desktop"), version("laptop"), version("tablet"));
    let outcome = TestRunner::new(config(500, 7, 5000)).run(&versions, |(has_base, one, two, three)| {
        let base = has_base.then(download);
        let observer = device("observer");
        let context = MergeContext { device: &observer, server_ms: HOUR_MS };
        let full = |here: &DownloadRecord, there: &DownloadRecord| {
            merge_download(base.as_ref(), Some(here), Some(there), &context).unwrap()
        };
        let merge = |here: &DownloadRecord, there: &DownloadRecord| full(here, there).record;
        let (both, swapped) = (full(&one, &two), full(&two, &one));
        prop_assert_eq!(&both.record, &swapped.record);
        prop_assert_eq!(&both.conflicts, &swapped.conflicts);
        let both = both.record;
        prop_assert_eq!(merge(&both, &three), merge(&one, &merge(&two, &three)));
        prop_assert_eq!(&merge(&both, &one), &both);
        let again = full(&both, &both);
        prop_assert_eq!((&again.record, again.conflicts.len(), again.is_here_changed), (&both, 0, false));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
