//! Changes the addresses of a download: its first address and its mirrors.
//!
//! The order of addresses is that of aria2 1.37: a used address is always first, and positions count the other ones.

use std::sync::Arc;

use ashore_engine::{OwnerChoices, Registration, check_link, link_without_sign_in};
use serde_json::{Value, json};
use url::Url;

use crate::aria2::{
    methods::{Aria2Methods, refusal},
    options::mapping::KeptDownload,
    params::CallParams,
    status::has_begun,
    wire::Aria2Failure,
};

/// Maximum number of addresses in one call.
const MOST_CHANGES: usize = 1000;

/// Addresses of a download after a change.
#[derive(Debug, PartialEq, Eq)]
struct ChangedAddresses {
    /// Remaining and added addresses, in their new order.
    uris: Vec<String>,
    removed: usize,
    added: usize,
}

impl Aria2Methods {
    /// Removes and adds addresses of a file. Returns the numbers of removed and added addresses.
    ///
    /// The transfer of a running file stops, and continues with the new addresses. Fails if the download has ended, if no
    /// address would remain, or if there would be too many.
    pub(super) async fn change_uri(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let (gid, file) = (params.gid(0)?, params.file_number(1)?);
        let texts = |at| params.list(at).map(|list| list.iter().filter_map(Value::as_str).collect::<Vec<_>>());
        let (removed, added, position) = (texts(2)?, texts(3)?, params.position(4)?);
        if removed.len() + added.len() > MOST_CHANGES {
            return Err(Aria2Failure::new(format!("At most {MOST_CHANGES} addresses can be changed in one call.")));
        }
        let download = self.find_own(&gid).await?;
        if download.is_settled() {
            return Err(Aria2Failure::new(format!("Cannot remove URIs from GID#{}", download.developer_id)));
        }
        if file != 1 {
            return Err(Aria2Failure::new("fileIndex is out of range"));
        }
        // Without this lock, two clients that add a mirror at the same time would start from the same list.
        let _changing = self.changing_addresses.lock().await;
        let kept = self.kept(&download).await?;
        let uris = self.current_uris(&download, &kept).await?;
        let changed = change(&uris, has_begun(&download), &removed, &added, position);
        let Some((first, mirrors)) = changed.uris.split_first() else {
            return Err(Aria2Failure::new(
                "A download needs an address. Add another one in the same call, or remove the download.",
            ));
        };
        if changed.uris != uris {
            let changing = self.engine().change_addresses(download.unique_id, 0, first, mirrors.to_vec());
            changing.await.map_err(refusal)?;
            let uris = changed.uris.iter().map(|uri| link_without_sign_in(uri)).collect();
            self.keep_uris(&download, KeptDownload { uris, ..KeptDownload::clone(&kept) }).await?;
        }
        Ok(json!([changed.removed, changed.added]))
    }

    /// Returns the addresses of a download. Usually these are the kept ones, which have the spelling of the client. If a
    /// person has replaced the link in the meantime, they are those of the engine.
    async fn current_uris(&self, download: &Registration, kept: &KeptDownload) -> Result<Vec<String>, Aria2Failure> {
        let current = self.addresses(download).await.map_err(refusal)?.uris;
        let is_same = matches!((kept.uris.first(), current.first()), (Some(kept), Some(current)) if is_equal(kept, current));
        Ok(if is_same { kept.uris.clone() } else { current })
    }

    async fn keep_uris(&self, download: &Registration, kept: KeptDownload) -> Result<(), Aria2Failure> {
        let data = serde_json::to_string(&kept).map_err(|error| Aria2Failure::new(error.to_string()))?;
        let choices = self.engine().owner_choices(download.unique_id).await.map_err(refusal)?;
        let choices = OwnerChoices { data, ..choices };
        self.engine().choose_for_owner(download.unique_id, &choices).await.map_err(refusal)?;
        self.kept.insert(download.unique_id, Arc::new(kept));
        Ok(())
    }
}

/// Removes addresses, and then adds others. Addresses that cannot be used are not added. [pure]
///
/// If the download `has_begun`, its first address is used: it stays first unless it is removed, and `position` counts the
/// addresses after it. If `position` is `None`, addresses are added at the end.
fn change(uris: &[String], has_begun: bool, removed: &[&str], added: &[&str], position: Option<usize>) -> ChangedAddresses {
    let (used, waiting) = uris.split_at(usize::from(has_begun).min(uris.len()));
    let (mut used, mut waiting) = (used.to_vec(), waiting.to_vec());
    for uri in removed {
        if used.first().is_some_and(|one| is_equal(one, uri)) {
            used.clear();
        } else if let Some(at) = waiting.iter().position(|one| is_equal(one, uri)) {
            waiting.remove(at);
        }
    }
    let removed = uris.len() - used.len() - waiting.len();
    let usable: Vec<String> =
        added.iter().map(|uri| uri.trim()).filter(|uri| check_link(uri).is_ok()).map(str::to_owned).collect();
    let (at, added) = (position.unwrap_or(waiting.len()).min(waiting.len()), usable.len());
    waiting.splice(at..at, usable);
    used.append(&mut waiting);
    ChangedAddresses { uris: used, removed, added }
}

/// Whether two texts are the same address. User names and passwords do not count, because they are not kept. [pure]
fn is_equal(one: &str, other: &str) -> bool {
    let bare = |uri: &str| Url::parse(&link_without_sign_in(uri)).ok();
    one == other || bare(one).is_some_and(|one| Some(one) == bare(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "http://a.test/x";
    const B: &str = "http://b.test/x";
    const C: &str = "http://c.test/x";

    fn changed(
        has_begun: bool,
        before: &[&str],
        (removed, added, position): (&[&str], &[&str], Option<usize>),
    ) -> (Vec<String>, usize, usize) {
        let before: Vec<String> = before.iter().map(|uri| (*uri).to_owned()).collect();
        let changed = change(&before, has_begun, removed, added, position);
        (changed.uris, changed.removed, changed.added)
    }

    fn expected(uris: &[&str], removed: usize, added: usize) -> (Vec<String>, usize, usize) {
        (uris.iter().map(|uri| (*uri).to_owned()).collect(), removed, added)
    }

    #[test]
    fn address_is_removed_once_and_added_at_its_position() {
        let old = [A, A, B];
        assert_eq!(changed(false, &old, (&[A, C], &[C, "nonsense", "ftp://a.test/x"], Some(0))), expected(&[C, A, B], 1, 1));
        assert_eq!(changed(false, &old, (&[], &[C], Some(9))), expected(&[A, A, B, C], 0, 1));
        assert_eq!(changed(false, &old, (&[], &[C], None)), expected(&[A, A, B, C], 0, 1));
        assert_eq!(changed(false, &[A], (&[A], &[], None)), expected(&[], 1, 0));
    }

    #[test]
    fn used_address_stays_first_until_it_is_removed() {
        assert_eq!(changed(true, &[A, B], (&[], &[C], Some(0))), expected(&[A, C, B], 0, 1));
        assert_eq!(changed(true, &[A, B], (&[B], &[C], Some(1))), expected(&[A, C], 1, 1));
        assert_eq!(changed(true, &[A, B], (&[A], &[C], Some(1))), expected(&[B, C], 1, 1));
        assert_eq!(changed(true, &[A, A], (&[A], &[], None)), expected(&[A], 1, 0));
    }

    #[test]
    fn address_with_password_is_removed_by_its_kept_form() {
        assert_eq!(changed(false, &[A, B], (&["http://u:p@b.test/x"], &[], None)), expected(&[A], 1, 0));
        assert_eq!(changed(false, &["http://a.test", B], (&["http://a.test/"], &[], None)), expected(&[B], 1, 0));
    }
}
