//! Replaces the address of a download.

use std::sync::Arc;

use ashore_engine::{OwnerChoices, check_link, link_without_sign_in};
use serde_json::{Value, json};

use crate::aria2::{
    methods::{Aria2Methods, refusal},
    options::mapping::KeptDownload,
    params::CallParams,
    wire::Aria2Failure,
};

/// Addresses of a download after a change.
#[derive(Debug, PartialEq, Eq)]
struct ChangedAddresses {
    /// Remaining and added addresses, in their new order.
    uris: Vec<String>,
    removed: usize,
    added: usize,
}

impl Aria2Methods {
    /// Replaces the address of a file. Returns the numbers of removed and added addresses.
    ///
    /// Fails if the download has ended, if the change concerns a mirror, or if the file is being fetched.
    pub(super) async fn change_uri(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let (gid, file) = (params.gid(0)?, params.file_number(1)?);
        let texts = |at| params.list(at).map(|list| list.iter().filter_map(Value::as_str).collect::<Vec<_>>());
        let (removed, added, position) = (texts(2)?, texts(3)?, params.position(4)?);
        let download = self.find_own(&gid).await?;
        if download.is_settled() {
            return Err(Aria2Failure::new(format!("Cannot remove URIs from GID#{}", download.developer_id)));
        }
        if file != 1 {
            return Err(Aria2Failure::new("fileIndex is out of range"));
        }
        let kept = self.kept(&download).await?;
        let changed = change(&kept.uris, &removed, &added, position);
        if !is_replacement(&kept.uris, &changed.uris) {
            return Err(Aria2Failure::new("Ashore can replace the first address of a download, but it cannot change mirrors."));
        }
        if let Some(uri) = changed.uris.first().filter(|uri| kept.uris.first() != Some(uri)) {
            self.engine().relink(download.unique_id, 0, uri, None).await.map_err(refusal)?;
            let uris = changed.uris.iter().map(|uri| link_without_sign_in(uri)).collect();
            let kept = KeptDownload { uris, ..KeptDownload::clone(&kept) };
            let data = serde_json::to_string(&kept).map_err(|error| Aria2Failure::new(error.to_string()))?;
            let choices = self.engine().owner_choices(download.unique_id).await.map_err(refusal)?;
            let choices = OwnerChoices { data, ..choices };
            self.engine().choose_for_owner(download.unique_id, &choices).await.map_err(refusal)?;
            self.kept.put(download.unique_id, Arc::new(kept));
        }
        Ok(json!([changed.removed, changed.added]))
    }
}

/// Removes and adds addresses. Addresses that cannot be used are not added. If `position` is `None`, addresses are added
/// at the end. [pure]
fn change(uris: &[String], removed: &[&str], added: &[&str], position: Option<usize>) -> ChangedAddresses {
    let mut uris = uris.to_vec();
    let before = uris.len();
    for uri in removed {
        if let Some(at) = uris.iter().position(|one| one == uri) {
            uris.remove(at);
        }
    }
    let removed = before - uris.len();
    let usable: Vec<String> = added.iter().filter(|uri| check_link(uri).is_ok()).map(|uri| (*uri).to_owned()).collect();
    let (at, added) = (position.unwrap_or(uris.len()).min(uris.len()), usable.len());
    uris.splice(at..at, usable);
    ChangedAddresses { uris, removed, added }
}

/// Whether the change concerns only the first address. [pure]
fn is_replacement(before: &[String], after: &[String]) -> bool {
    !after.is_empty() && before.get(1..).unwrap_or_default() == &after[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: [&str; 2] = ["http://a.test/x", "http://b.test/x"];

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn address_is_removed_once_and_added_at_its_position() {
        let old = texts(&[OLD[0], OLD[0], OLD[1]]);
        let changed = change(&old, &[OLD[0], "http://c.test/"], &["http://d.test/x", "nonsense"], Some(0));
        let expected = texts(&["http://d.test/x", OLD[0], OLD[1]]);
        assert_eq!(changed, ChangedAddresses { uris: expected, removed: 1, added: 1 });
        assert_eq!(change(&old, &[], &["http://d.test/x"], Some(9)).uris[3], "http://d.test/x");
        assert_eq!(change(&old, &[], &["http://d.test/x"], None).uris[3], "http://d.test/x");
    }

    #[test]
    fn only_change_of_first_address_is_a_replacement() {
        let new = "http://d.test/x";
        for (after, is_permitted) in [
            (&OLD[..], true),
            (&[new, OLD[1]], true),
            (&[OLD[0]], false),
            (&[OLD[1], new], false),
            (&[OLD[0], OLD[1], new], false),
            (&[], false),
        ] {
            assert_eq!(is_replacement(&texts(&OLD), &texts(after)), is_permitted, "{after:?}");
        }
    }
}
