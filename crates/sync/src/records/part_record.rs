//! Record of the collection `dl-parts`: a part of a long list of requests. [pure]
//!
//! A part never changes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::records::{
    RecordFault, SyncRecord,
    judge::{MOST_LINKS, count_links, judge_request, judge_requests},
};

/// Maximum number of parts of one download. Each part contains at least one link.
pub(crate) const MOST_PARTS: usize = 1000;

/// Part of the requests of one download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartRecord {
    /// Format version of the record.
    pub v: u32,
    /// Position among the parts, from 0.
    pub index: u32,
    /// Requests in the export format.
    pub requests: Vec<Value>,
    /// Fields that only newer versions know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl PartRecord {
    fn new(index: usize, requests: Vec<Value>) -> Option<Self> {
        Some(Self { v: 1, index: u32::try_from(index).ok()?, requests, unknown: Map::new() })
    }
}

impl SyncRecord for PartRecord {
    const COLLECTION: &'static str = "dl-parts";

    fn judged(self, _: i64) -> Result<Self, RecordFault> {
        judge_requests(&self.requests)?;
        Ok(self)
    }
}

/// Splits exported requests into parts of at most `longest` bytes of JSON.
///
/// Each part is as long as possible, so the same requests always give the same parts.
///
/// Returns `None` if other devices would refuse the requests:
///
/// - There are more than 10,000 links or more than 1,000 parts.
/// - A request is too long for a part.
/// - [`judge_requests`] refuses a request.
pub fn split_requests(requests: &[Value], longest: usize) -> Option<Vec<PartRecord>> {
    if count_links(requests) > MOST_LINKS || requests.iter().any(|request| judge_request(request).is_err()) {
        return None;
    }
    // Length of an empty part: two brackets, minus the comma that the last request does not need.
    const EMPTY: usize = 1;
    let (mut parts, mut part, mut length): (Vec<PartRecord>, Vec<Value>, usize) = (Vec::new(), Vec::new(), EMPTY);
    for request in requests {
        let with_comma = serde_json::to_string(request).ok()?.len() + 1;
        if EMPTY + with_comma > longest {
            return None;
        }
        if length + with_comma > longest {
            parts.push(PartRecord::new(parts.len(), std::mem::take(&mut part))?);
            length = EMPTY;
        }
        part.push(request.clone());
        length += with_comma;
    }
    if !part.is_empty() {
        parts.push(PartRecord::new(parts.len(), part)?);
    }
    (parts.len() <= MOST_PARTS).then_some(parts)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::LONGEST_REQUESTS;

    fn split(requests: &[Value]) -> Option<Vec<PartRecord>> {
        split_requests(requests, LONGEST_REQUESTS)
    }

    /// Returns a request whose JSON has this length in bytes.
    fn request(length: usize) -> Value {
        let shortest = json!({ "url": "https://a.test/" }).to_string().len();
        json!({ "url": format!("https://a.test/{}", "a".repeat(length - shortest)) })
    }

    #[test]
    fn requests_are_split_into_parts_as_long_as_other_machines_accept() {
        let half = LONGEST_REQUESTS / 2;
        // Two requests, a comma and two brackets fill a part exactly.
        let requests = [request(half - 1), request(half - 2), request(half), request(half), request(100)];
        let parts = split(&requests).unwrap();
        let shape: Vec<_> = parts.iter().map(|part| (part.index, part.requests.len())).collect();
        assert_eq!(shape, [(0, 2), (1, 1), (2, 2)]);
        assert_eq!(serde_json::to_string(&parts[0].requests).unwrap().len(), LONGEST_REQUESTS);
        assert!(parts.iter().all(|part| part.clone().judged(0).is_ok()));
        let joined: Vec<Value> = parts.into_iter().flat_map(|part| part.requests).collect();
        assert_eq!(joined, requests);
        assert_eq!(split(&[]), Some(Vec::new()));
    }

    #[test]
    fn requests_are_not_split_if_other_machines_would_refuse_them() {
        let links = |count: usize| vec![request(200); count];
        assert_eq!(split(&links(10_000)).map(|parts| parts.len()), Some(11));
        assert_eq!(split(&links(10_001)), None, "too many links");
        assert!(split(&[request(LONGEST_REQUESTS - 2)]).is_some());
        assert_eq!(split(&[request(LONGEST_REQUESTS - 1)]), None, "a request longer than a part");
        assert_eq!(split(&[request(100), json!({ "url": "file:///a" })]), None, "not a web link");
    }
}
