//! Carries out the commands of the engine, one after the other.
//!
//! The engine sends a command for each change that the loop has to act on.

use tokio::sync::oneshot;

use crate::{
    model::UniqueId,
    platform::sync,
    scheduler::{command::SchedulerCommand, event_loop::Scheduler},
};

impl Scheduler {
    /// Carries out `order`. `None` means that all senders were dropped, and closes the engine.
    pub(super) async fn obey_or_close(&mut self, order: Option<SchedulerCommand>) {
        self.handle_command(order.unwrap_or_else(|| SchedulerCommand::Close(oneshot::channel().0))).await;
    }

    pub(super) async fn handle_command(&mut self, order: SchedulerCommand) {
        self.due = None;
        self.expires = None;
        self.see_clock();
        self.keep_time().await;
        match order {
            SchedulerCommand::Nudge(id) => self.nudge(id).await,
            SchedulerCommand::Settings => {
                self.shared.known.space().begin_anew();
                self.expires = None;
                self.nudge(None).await;
            }
            SchedulerCommand::Wake { id, hosts } => {
                self.load.wake(&hosts);
                self.load.may_have_more();
                self.tell_rests();
                let folder = self.shared.store.folder_of(id).await.ok().flatten();
                self.shared.folders.let_through(id, folder.as_deref());
                self.shared.known.space().forget(id);
                self.shared.known.quota().forget(id);
                self.may_start = true;
                self.may_be_urgent = true;
            }
            SchedulerCommand::Quota => {
                self.set_overdrawn_aside().await;
                self.may_start = true;
                self.may_be_urgent = true;
            }
            SchedulerCommand::NoRoom => self.has_no_room(),
            SchedulerCommand::Stop { guids, uploads } => self.stop_all(guids, uploads).await,
            SchedulerCommand::Discard(id) => {
                self.shared.known.quota().forget(id);
                self.may_start |= self.shared.known.quota().is_waited_for();
                if let Err(error) = self.shared.discard_aborted(id).await {
                    tracing::warn!(%id, %error, "partial files of an aborted download not removed; will retry at the next start");
                }
            }
            SchedulerCommand::Delete(id) => {
                self.shared.known.quota().forget(id);
                self.deleting.add(id);
                self.delete_what_rests().await;
            }
            SchedulerCommand::Released(id) => match self.shared.store.is_removed(id).await {
                Ok(true) => {
                    self.deleting.add(id);
                    self.delete_what_rests().await;
                }
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%id, %error, "state of a released registration unknown; any removal resumes at the next start")
                }
            },
            SchedulerCommand::Close(done) => {
                self.is_closing = true;
                self.closing_since = Some(sync::now());
                self.closing = Some(done);
                let running = self.shared.live.read().await.guids();
                running.into_iter().for_each(|guid| self.stop(guid));
            }
        }
    }

    pub(super) async fn nudge(&mut self, id: Option<UniqueId>) {
        self.there_may_be_more(id).await;
        self.may_start = true;
        self.may_be_urgent = true;
        self.finish_bootstrap(true).await;
        self.update_gates().await;
        self.tell_totals().await;
    }

    /// Makes the next dispatch search again, because registration `id` may have new requests.
    ///
    /// No new search is necessary while the hosts of the new requests accept no further request.
    pub(super) async fn there_may_be_more(&mut self, id: Option<UniqueId>) {
        match id {
            None => self.load.may_have_more(),
            Some(id) => match self.shared.store.pending_lanes(id).await {
                Ok(lanes) => lanes.into_iter().for_each(|(turn, host)| self.load.may_have(turn, host)),
                Err(_) => self.load.may_have_more(),
            },
        }
    }
}
