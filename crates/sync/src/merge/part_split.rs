//! Splits the requests of a download into parts, and derives the ids of the parts. [pure]
//!
//! The id of a part is derived from its content with a key of the list. Every device therefore derives the same id for
//! the same content, and detects a part whose content does not match its id.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::Value;

use crate::{
    keys::KeyRing,
    merge::first_sync::requests_fingerprint,
    records::{PartList, PartRecord, SyncRecord as _, count_links, split_requests},
};

/// Keys of the list, and maximum length of the parts.
#[derive(Clone, Copy, Debug)]
pub struct PartSplit<'a> {
    /// Keys of the list.
    pub keys: &'a KeyRing,
    /// Maximum length of the requests in one record, in bytes of JSON.
    pub longest: usize,
}

/// Returns the id of a part.
pub fn part_id(keys: &KeyRing, part: &PartRecord) -> String {
    let content = URL_SAFE_NO_PAD.encode(requests_fingerprint(&part.requests));
    keys.derived_record_id(PartRecord::COLLECTION, &format!("{} {content}", part.index))
}

impl PartSplit<'_> {
    /// Splits `requests`, and returns each part with its id. Returns `None` if other devices would refuse the requests.
    pub fn parts(&self, requests: &[Value]) -> Option<Vec<(String, PartRecord)>> {
        let parts = split_requests(requests, self.longest)?.into_iter();
        Some(parts.map(|part| (part_id(self.keys, &part), part)).collect())
    }

    /// Splits `requests`, and returns references to the parts. Returns `None` if other devices would refuse the requests.
    pub fn list(&self, requests: &[Value]) -> Option<PartList> {
        let ids = self.parts(requests)?.into_iter().map(|(id, _)| id).collect();
        Some(PartList { count: count_links(requests), ids })
    }
}
