//! Lends the slots of transfers whose disk does not answer to other transfers, and returns each slot when its disk
//! answers.

use std::collections::HashSet;

use crate::{platform::sync, scheduler::event_loop::Scheduler};

impl Scheduler {
    /// Lends out the slots of transfers whose disk does not answer, and takes back those of disks that answer again.
    ///
    /// While slots are free and no slot is lent out, no disk is checked.
    pub(crate) async fn give_places_away(&mut self) {
        let settings = self.shared.settings();
        let is_full = self.load.is_anything_full(self.shared.parallel(), settings.parallel_per_host);
        if (!is_full && self.stuck.places.is_empty()) || !self.stuck.is_due(sync::now()) {
            return;
        }
        let live = self.shared.live.read().await;
        let folders: HashSet<_> = live.folders().collect();
        folders.iter().for_each(|folder| self.shared.folders.ask(folder));
        for (guid, transfer) in live.all() {
            if !self.shared.folders.is_silent(&transfer.folder) {
                self.stuck.take_back(guid, &mut self.load);
            } else if !self.ready.iter().any(|request| request.guid == guid) {
                let place = (transfer.host, transfer.is_fetched);
                self.may_start |= self.stuck.give_away(guid, place, &mut self.load);
            }
        }
    }
}
