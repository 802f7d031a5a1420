//! Pairs downloads of this device with equal downloads on the server, at the first sync and after a reset. [pure]
//!
//! Without pairing, a device that joins again would show each of its downloads twice.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::records::DeviceId;

/// Download that may have an equal download on the other side.
///
/// A tombstone is no candidate: pairing it with a download would delete the download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairCandidate {
    /// Id of the object.
    pub id: String,
    /// Home device.
    pub home: DeviceId,
    /// Result of [`requests_fingerprint`].
    pub fingerprint: [u8; 32],
    /// Time at which the download was added, in milliseconds of Unix time.
    pub created_ms: i64,
}

/// Two objects that describe the same download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedDownload {
    /// Older id, which both sides use from now on.
    pub kept: String,
    /// Younger id. If the server has an object with this id, the object is deleted.
    pub dropped: String,
    /// Whether the older id is the id on this device.
    pub is_here_kept: bool,
}

/// Pairs downloads that have the same requests, the same home device and different ids.
///
/// Several equal downloads are paired by age: the oldest here with the oldest there, and so on.
pub fn pair_downloads(here: &[PairCandidate], there: &[PairCandidate]) -> Vec<PairedDownload> {
    let mut groups: BTreeMap<(&DeviceId, &[u8; 32]), [Vec<&PairCandidate>; 2]> = BTreeMap::new();
    for (side, (all, others)) in [(here, there), (there, here)].into_iter().enumerate() {
        let shared: BTreeSet<&str> = others.iter().map(|other| other.id.as_str()).collect();
        // If both sides know an id, it already denotes the same download on both sides.
        for one in all.iter().filter(|one| !shared.contains(one.id.as_str())) {
            groups.entry((&one.home, &one.fingerprint)).or_default()[side].push(one);
        }
    }
    let age = |one: &PairCandidate| (one.created_ms, one.id.clone());
    let pair = |(here, there): (&PairCandidate, &PairCandidate)| {
        let is_here_kept = age(here) <= age(there);
        let (kept, dropped) = if is_here_kept { (here, there) } else { (there, here) };
        PairedDownload { kept: kept.id.clone(), dropped: dropped.id.clone(), is_here_kept }
    };
    let pairs = groups.into_values().flat_map(|[mut here, mut there]| {
        here.sort_by_key(|one| age(one));
        there.sort_by_key(|one| age(one));
        here.into_iter().zip(there).map(pair).collect::<Vec<_>>()
    });
    pairs.collect()
}

/// Returns the SHA-256 of exported requests. The order of the fields in a request does not matter, but the order of
/// the requests does.
pub fn requests_fingerprint(requests: &[Value]) -> [u8; 32] {
    let mut text = String::new();
    requests.iter().for_each(|request| write_sorted(request, &mut text));
    Sha256::digest(text).into()
}

fn write_sorted(value: &Value, to: &mut String) {
    match value {
        Value::Array(values) => {
            to.push('[');
            for value in values {
                write_sorted(value, to);
                to.push(',');
            }
            to.push(']');
        }
        Value::Object(fields) => {
            let sorted: BTreeMap<_, _> = fields.iter().collect();
            to.push('{');
            for (name, value) in sorted {
                to.push_str(&Value::from(name.as_str()).to_string());
                to.push(':');
                write_sorted(value, to);
                to.push(',');
            }
            to.push('}');
        }
        other => to.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn candidate(id: &str, home: &str, url: &str, created_ms: i64) -> PairCandidate {
        let fingerprint = requests_fingerprint(&[json!({ "url": url })]);
        PairCandidate { id: id.to_owned(), home: home.parse().unwrap(), fingerprint, created_ms }
    }

    #[test]
    fn fingerprint_of_requests_is_independent_of_field_order_but_not_of_values() {
        let of = |text: &str| requests_fingerprint(&serde_json::from_str::<Vec<Value>>(text).unwrap());
        assert_eq!(of(r#"[{"url":"a","name":"b"}]"#), of(r#"[{"name":"b","url":"a"}]"#));
        assert_ne!(of(r#"[{"url":"a"},{"url":"b"}]"#), of(r#"[{"url":"b"},{"url":"a"}]"#));
        assert_ne!(of(r#"[{"url":"a"}]"#), of(r#"[{"url":"a","name":"b"}]"#));
    }

    #[test]
    fn paired_downloads_keep_id_of_older_download() {
        let here = [candidate("a", "x", "1", 5), candidate("b", "x", "2", 5), candidate("c", "x", "3", 5)];
        let there = [candidate("d", "x", "1", 9), candidate("e", "x", "2", 1), candidate("f", "x", "3", 5)];
        let mut pairs = pair_downloads(&here, &there);
        pairs.sort_by(|one, other| one.kept.cmp(&other.kept));
        let shown: Vec<_> = pairs.iter().map(|pair| (pair.kept.as_str(), pair.dropped.as_str(), pair.is_here_kept)).collect();
        assert_eq!(shown, [("a", "d", true), ("c", "f", true), ("e", "b", false)]);
    }

    #[test]
    fn downloads_are_not_paired_if_home_or_requests_differ_or_their_id_is_on_both_sides() {
        let here = [candidate("a", "x", "1", 1), candidate("b", "x", "2", 1), candidate("c", "x", "3", 1)];
        let there =
            [candidate("d", "y", "1", 1), candidate("e", "x", "4", 1), candidate("c", "x", "3", 1), candidate("f", "x", "3", 1)];
        assert_eq!(pair_downloads(&here, &there), []);
    }

    #[test]
    fn repeated_downloads_are_paired_in_order_of_age() {
        let here = [candidate("a", "x", "1", 7), candidate("b", "x", "1", 3)];
        let there = [candidate("c", "x", "1", 4), candidate("d", "x", "1", 8), candidate("e", "x", "1", 9)];
        let pairs = pair_downloads(&here, &there);
        let shown: Vec<_> = pairs.iter().map(|pair| (pair.kept.as_str(), pair.dropped.as_str())).collect();
        assert_eq!(shown, [("b", "c"), ("a", "d")]);
    }
}
