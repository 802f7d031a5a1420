//! While the disk of a transfer does not answer, gives the transfer's slot to another transfer, and takes the slot back
//! when the disk answers.

use std::collections::HashSet;

use crate::{platform::sync, scheduler::event_loop::Scheduler};

impl Scheduler {
    /// Gives away the slots of transfers whose disk does not answer, and takes them back when the disk answers again.
    ///
    /// Does nothing while slots are free and no slot has been given away.
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
