//! Keeps the values of downloads in memory, so that frequent calls need not read them again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ashore_engine::UniqueId;

use crate::aria2::options::mapping::KeptDownload;

/// Maximum number of downloads whose values are in memory.
const MOST_CACHED: usize = 4096;

/// Values of the downloads that were described lately. Only this interface changes these values.
#[derive(Debug, Default)]
pub(super) struct KeptCache(Mutex<HashMap<UniqueId, Arc<KeptDownload>>>);

impl KeptCache {
    /// Returns the values of a download; `None` if they have to be read.
    pub(super) fn get(&self, id: UniqueId) -> Option<Arc<KeptDownload>> {
        self.entries().get(&id).cloned()
    }

    /// Adds or replaces the values of a download. Empties the cache first if it is full.
    pub(super) fn put(&self, id: UniqueId, kept: Arc<KeptDownload>) {
        let mut entries = self.entries();
        if entries.len() >= MOST_CACHED {
            entries.clear();
        }
        entries.insert(id, kept);
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<UniqueId, Arc<KeptDownload>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn full_cache_is_emptied_before_next_entry_is_added() {
        let cache = KeptCache::default();
        let id = |number: usize| UniqueId(Uuid::from_u128(number as u128));
        (0..MOST_CACHED).for_each(|number| cache.put(id(number), Arc::default()));
        assert!(cache.get(id(0)).is_some() && cache.get(id(MOST_CACHED)).is_none());
        cache.put(id(MOST_CACHED), Arc::default());
        assert!(cache.get(id(0)).is_none() && cache.get(id(MOST_CACHED)).is_some());
    }
}
