//! Keeps the values of downloads in memory, so that frequent calls need not read them again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ashore_engine::UniqueId;

use crate::aria2::options::mapping::KeptDownload;

/// Maximum number of downloads whose values are in memory.
const MOST_CACHED: usize = 4096;
/// Maximum length of all values in memory, in bytes.
const MOST_BYTES: usize = 8 << 20;

/// Values of the downloads that were described lately. Only this interface changes these values.
#[derive(Debug, Default)]
pub(super) struct KeptCache(Mutex<CachedValues>);

#[derive(Debug, Default)]
struct CachedValues {
    of_downloads: HashMap<UniqueId, Arc<KeptDownload>>,
    /// Length of all values in bytes.
    bytes: usize,
}

impl KeptCache {
    /// Returns the values of a download; `None` if they have to be read.
    pub(super) fn get(&self, id: UniqueId) -> Option<Arc<KeptDownload>> {
        self.values().of_downloads.get(&id).cloned()
    }

    /// Adds or replaces the values of a download. Empties the cache first if it is full. Does not keep values that are
    /// longer than the whole cache.
    pub(super) fn insert(&self, id: UniqueId, kept: Arc<KeptDownload>) {
        let mut values = self.values();
        if let Some(old) = values.of_downloads.remove(&id) {
            values.bytes -= length(&old);
        }
        let added = length(&kept);
        if values.of_downloads.len() >= MOST_CACHED || values.bytes + added > MOST_BYTES {
            *values = CachedValues::default();
        }
        if added <= MOST_BYTES {
            values.bytes += added;
            values.of_downloads.insert(id, kept);
        }
    }

    fn values(&self) -> MutexGuard<'_, CachedValues> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the length of the values of a download in bytes.
fn length(kept: &KeptDownload) -> usize {
    let options = kept.options.iter().map(|(name, value)| name.len() + value.len());
    kept.uris.iter().map(String::len).chain(options).sum()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: usize) -> UniqueId {
        UniqueId(Uuid::from_u128(number as u128))
    }

    fn of_length(bytes: usize) -> Arc<KeptDownload> {
        Arc::new(KeptDownload { uris: vec!["a".repeat(bytes)], ..KeptDownload::default() })
    }

    #[test]
    fn length_of_all_values_in_cache_is_limited() {
        let cache = KeptCache::default();
        (0..4).for_each(|number| cache.insert(id(number), of_length(MOST_BYTES / 4)));
        cache.insert(id(0), of_length(MOST_BYTES / 4));
        assert!((0..4).all(|number| cache.get(id(number)).is_some()));
        cache.insert(id(4), of_length(1));
        assert!(cache.get(id(0)).is_none() && cache.get(id(4)).is_some());
        cache.insert(id(4), of_length(MOST_BYTES + 1));
        assert!(cache.get(id(4)).is_none());
    }

    #[test]
    fn full_cache_is_emptied_before_next_entry_is_added() {
        let cache = KeptCache::default();
        (0..MOST_CACHED).for_each(|number| cache.insert(id(number), Arc::default()));
        assert!(cache.get(id(0)).is_some() && cache.get(id(MOST_CACHED)).is_none());
        cache.insert(id(MOST_CACHED), Arc::default());
        assert!(cache.get(id(0)).is_none() && cache.get(id(MOST_CACHED)).is_some());
    }
}
