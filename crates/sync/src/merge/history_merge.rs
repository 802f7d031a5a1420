//! Merges the history of past downloads. [pure]
//!
//! - The result is the union. Clearing the history on one device removes earlier downloads of all devices.
//! - Two downloads with one id, for example with different sizes or digests, are both kept, one under a new id.
//! - The merge is commutative, associative and idempotent, because new ids depend only on the content. This requires
//!   that downloads with the same id have the same time. Otherwise clearing might remove one of them before or after
//!   that download takes the id.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use crate::records::{ClearedRecord, DeviceId, PastDownload};

/// Length of an id that is derived from the content, in hexadecimal digits.
const DERIVED: usize = 32;

/// Past downloads by object id, and the time at which each device cleared the history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistorySet {
    /// Past downloads.
    pub past: BTreeMap<String, PastDownload>,
    /// Clearing by device.
    pub cleared: BTreeMap<DeviceId, ClearedRecord>,
}

/// Result of merging two histories.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryOutcome {
    /// Merged history.
    pub merged: HistorySet,
    /// Ids of past downloads that the server lacks or has with another content.
    pub upload: BTreeSet<String>,
    /// Ids of past downloads on the server that were cleared.
    pub delete: BTreeSet<String>,
    /// Devices whose record of clearing the server lacks or has with an earlier time.
    pub upload_cleared: BTreeSet<DeviceId>,
}

/// Merges the history of this device with that of the server.
///
/// To merge one page, pass the objects of the page and those of this device with the same ids, with all known clearings.
pub fn merge_history(here: &HistorySet, there: &HistorySet) -> HistoryOutcome {
    let mut merged = HistorySet { past: BTreeMap::new(), cleared: here.cleared.clone() };
    for (device, cleared) in &there.cleared {
        let rank = |one: &ClearedRecord| (one.cleared_before_ms, text(one));
        match merged.cleared.get(device) {
            Some(known) if rank(known) >= rank(cleared) => {}
            _ => drop(merged.cleared.insert(device.clone(), cleared.clone())),
        }
    }
    let cleared_before = merged.cleared.values().map(|cleared| cleared.cleared_before_ms).max().unwrap_or(i64::MIN);
    let kept = here.past.iter().chain(&there.past).filter(|(_, past)| past.time_ms >= cleared_before);
    for (id, past) in kept {
        add(&mut merged.past, id.clone(), past.clone());
    }
    let is_missing = |(id, past): (&String, &PastDownload)| (there.past.get(id) != Some(past)).then(|| id.clone());
    let upload = merged.past.iter().filter_map(is_missing).collect();
    let delete = there.past.keys().filter(|id| !merged.past.contains_key(*id)).cloned().collect();
    let is_uncleared =
        |(device, one): (&DeviceId, &ClearedRecord)| (there.cleared.get(device) != Some(one)).then(|| device.clone());
    let upload_cleared = merged.cleared.iter().filter_map(is_uncleared).collect();
    HistoryOutcome { merged, upload, delete, upload_cleared }
}

/// Adds a past download. If a download with other content has the same id, one of the two gets an id that is derived
/// from its content.
fn add(all: &mut BTreeMap<String, PastDownload>, id: String, past: PastDownload) {
    let loser = match all.get(&id) {
        Some(known) if *known == past => return,
        Some(known) if text(known) >= text(&past) => past,
        _ => {
            let Some(loser) = all.insert(id, past) else { return };
            loser
        }
    };
    let derived = hex::encode(Sha256::digest(text(&loser)));
    all.insert(derived[..DERIVED].to_owned(), loser);
}

fn text(record: &impl serde::Serialize) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_map, prelude::*};
    use serde_json::Map;

    use super::*;

    fn past(time_ms: i64, size: u64) -> PastDownload {
        let (title, address) = ("debian.iso".to_owned(), "https://a.test/debian.iso".to_owned());
        let device = "laptop".parse().unwrap();
        PastDownload { v: 1, title, address, size: Some(size), digest: None, time_ms, device, unknown: Map::new() }
    }

    fn cleared(device: &str, cleared_before_ms: i64) -> (DeviceId, ClearedRecord) {
        let device: DeviceId = device.parse().unwrap();
        (device.clone(), ClearedRecord { v: 1, cleared_before_ms, device, unknown: Map::new() })
    }

    fn history(all: &[(&str, PastDownload)]) -> HistorySet {
        let past = all.iter().map(|(id, past)| ((*id).to_owned(), past.clone())).collect();
        HistorySet { past, ..HistorySet::default() }
    }

    #[test]
    fn history_of_two_devices_is_their_union() {
        let (here, there) = (history(&[("a", past(1, 1)), ("b", past(2, 2))]), history(&[("b", past(2, 2)), ("c", past(3, 3))]));
        let outcome = merge_history(&here, &there);
        assert_eq!(outcome.merged, history(&[("a", past(1, 1)), ("b", past(2, 2)), ("c", past(3, 3))]));
        assert_eq!((outcome.upload, outcome.delete), (["a".to_owned()].into(), BTreeSet::new()));
    }

    #[test]
    fn history_cleared_elsewhere_loses_earlier_downloads() {
        let mut here = history(&[("a", past(1, 1)), ("b", past(5, 2))]);
        here.cleared.extend([cleared("laptop", 2)]);
        let mut there = history(&[("a", past(1, 1)), ("c", past(4, 3)), ("d", past(6, 4))]);
        there.cleared.extend([cleared("desktop", 5)]);
        let outcome = merge_history(&here, &there);
        assert_eq!(outcome.merged.past, history(&[("b", past(5, 2)), ("d", past(6, 4))]).past);
        assert_eq!(outcome.delete, ["a".to_owned(), "c".to_owned()].into());
        assert_eq!(outcome.upload_cleared, [cleared("laptop", 2).0].into());
    }

    #[test]
    fn past_downloads_with_same_id_and_different_sizes_are_both_kept() {
        let (here, there) = (history(&[("a", past(1, 1))]), history(&[("a", past(1, 2))]));
        let merged = merge_history(&here, &there).merged;
        let mut sizes: Vec<_> = merged.past.values().map(|past| past.size).collect();
        sizes.sort();
        assert_eq!(sizes, [Some(1), Some(2)]);
        assert_eq!(merge_history(&merged, &there).merged, merged);
    }

    fn any_history() -> impl Strategy<Value = HistorySet> {
        let past = btree_map(0..6_u8, 0..3_u64, 0..4).prop_map(|sizes| {
            let with_id = |(id, size): (&u8, &u64)| (format!("id{id}"), past(i64::from(*id), *size));
            sizes.iter().map(with_id).collect::<BTreeMap<_, _>>()
        });
        let times = btree_map("[a-c]", 0..4_i64, 0..2);
        (past, times).prop_map(|(past, times)| {
            let cleared = times.iter().map(|(device, ms)| cleared(device, *ms)).collect();
            HistorySet { past, cleared }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn history_merge_order_does_not_matter(one in any_history(), two in any_history(), three in any_history()) {
            let merge = |here: &HistorySet, there: &HistorySet| merge_history(here, there).merged;
            let both = merge(&one, &two);
            prop_assert_eq!(&both, &merge(&two, &one));
            prop_assert_eq!(merge(&both, &three), merge(&one, &merge(&two, &three)));
            prop_assert_eq!(&merge(&both, &one), &both);
        }
    }
}
