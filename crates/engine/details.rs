//! The verbs for whoever looks closely: what is known of one file, and where the bytes of what runs lie. Both are asked for
//! by somebody who looks, and cost nothing before.

use crate::{
    Engine, Error,
    model::{Attempt, Details, Segments, UniqueId},
};

/// Parts that a map has: more than one pixel each, and few enough to be sent twice a second.
const PARTS: usize = 128;

impl Engine {
    /// Tries, referrer, mirrors and checksums of the file at `index`. `Unknown` when its registration is not in the list, and
    /// nothing of an index that it does not have.
    pub async fn details(&self, id: UniqueId, index: u32) -> Result<Details, Error> {
        self.show(id).await?;
        let live = self.shared.live.read().await;
        let mut details = self.shared.store.details(id, index).await?;
        if let Some(transfer) = live.of(id).find(|(_, transfer)| transfer.index == index).map(|(_, transfer)| transfer) {
            let number = details.attempts.first().map_or(1, |last| last.number + 1);
            details.attempts.insert(0, Attempt {
                number,
                started: Some(transfer.begun_us.div_euclid(1000)),
                ended: None,
                status: None,
                brought: Some(transfer.brought(transfer.downloaded())),
                bytes: transfer.downloaded(),
                url_chain: Vec::new(),
                trouble: None,
                is_final: false,
            });
        }
        Ok(details)
    }

    /// Maps of the files of a registration that are being fetched, in their order; of those whose size nobody knows, none.
    pub async fn segments(&self, id: UniqueId) -> Result<Vec<Segments>, Error> {
        let live = self.shared.live.read().await;
        let map = |guid| self.shared.transfers.map(guid, PARTS);
        let mut maps: Vec<Segments> =
            live.of(id).filter_map(|(guid, transfer)| Some(Segments::of(transfer.index, map(guid)?))).collect();
        maps.sort_by_key(|map| map.index);
        Ok(maps)
    }
}
