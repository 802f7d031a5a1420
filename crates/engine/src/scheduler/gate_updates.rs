//! Acts on gates that close or open. `gates` decides which gates are closed.
//!
//! Pausing is not handled here: while everything is paused, the ledger dispatches no requests, and running transfers
//! are stopped by the call that pauses.

use std::time::Duration;

use ashore_transfer::Guid;

use crate::{
    EngineError, EngineEvent,
    context::speed,
    first_run,
    gates::decision,
    model::{GateCode, GateReport, GateState},
    platform::sync,
    scheduler::event_loop::Scheduler,
};

/// If a transfer receives no bytes for this time after a network change, its connection counts as broken.
///
/// Even a slow network delivers some bytes in this time.
const SILENCE: Duration = Duration::from_millis(1500);

impl Scheduler {
    /// Retries a bootstrap that failed: immediately if `is_wanted`, otherwise when the retry is due.
    pub(super) async fn finish_bootstrap(&mut self, is_wanted: bool) {
        if self.shared.known.unfinished().is_some()
            && let Err(error) = first_run::finish(&self.shared, is_wanted).await
        {
            self.refused(&error, "check the steps of the first start");
        }
    }

    /// Evaluates every gate and the pace, and acts on changes.
    pub(super) async fn update_gates(&mut self) {
        let shared = std::sync::Arc::clone(&self.shared);
        let span = shared.settings().hours.span(shared.env.now(), shared.env.local);
        self.pace_ends = span.until_us;
        let pace = span.pace;
        let is_new_pace = shared.known.pace.send_if_modified(|known| std::mem::replace(known, pace) != pace);
        if is_new_pace {
            speed::keep_pace(&shared).await;
        }
        let gates = shared.known.gates(&shared.env, &shared.settings(), false);
        let sets_aside = gates.iter().any(|gate| gate.state == GateState::Closed && decision::sets_aside(gate.code));
        self.is_offline = gates.iter().any(|gate| gate.state == GateState::Closed && decision::is_offline(gate.code));
        self.passing = shared.known.anyway().passing(&gates);
        let closed = decision::closed(gates);
        let is_new = announced_part(&closed) != announced_part(&self.closed);
        let is_open = closed.is_none();
        self.closed = closed;
        if let Some(gate) = &self.closed {
            if is_new {
                tracing::info!(gate = gate.code.word(), cause = gate.cause, "gate closed; no transfers start");
            }
            let passing = self.passing.clone();
            self.requeue(|request| !passing.contains(&request.unique_id));
            if sets_aside {
                let live = self.shared.live.read().await;
                let passes = |guid: &Guid| live.transfer(*guid).is_some_and(|transfer| passing.contains(&transfer.unique_id));
                let stopping = live.guids().into_iter().filter(|guid| !passes(guid)).collect();
                drop(live);
                self.stop_all(stopping, false).await;
            }
        }
        if is_new {
            if is_open {
                tracing::info!("gates open; waiting requests may start");
                self.load.may_have_more();
                self.may_start = true;
                self.may_be_urgent = true;
            }
            // The reason for the wait has changed in every waiting registration.
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
        if is_new || is_new_pace {
            self.tell_totals().await;
        }
    }

    /// Retries unreachable hosts immediately after the network has changed or the machine has woken.
    pub(super) async fn look_at_network(&mut self) {
        let before = std::mem::replace(&mut self.heard, self.desktop.borrow_and_update().clone());
        if !self.heard.is_worth_another_try_after(&before) {
            return;
        }
        // Report progress first: the bytes received so far came over the old network.
        self.tell_progress().await;
        self.network_since = Some(sync::now());
        self.load.network_changed(self.shared.env.now());
        self.tell_rests();
        self.may_start = true;
        self.due = None;
        if let Err(error) = self.end_waits_for_network().await {
            self.refused(&error, "wake requests that wait for a network");
        }
    }

    /// Returns the time until the check for transfers that have received no bytes.
    ///
    /// Returns `None` if the network has not changed since the last check.
    pub(super) fn silence_left(&self) -> Option<Duration> {
        Some(SILENCE.saturating_sub(sync::now().duration_since(self.network_since?)))
    }

    /// Stops transfers that received nothing over a new network; they continue over new connections.
    ///
    /// A connection over a disconnected network reports no error. Uploads are not stopped, because they cannot be
    /// resumed.
    pub(super) async fn begin_silent_anew(&mut self) {
        if !self.silence_left().is_some_and(|left| left.is_zero()) {
            return;
        }
        self.tell_progress().await;
        let Some(since) = self.network_since.take() else { return };
        let mut silent = self.shared.live.read().await.silent_since(since);
        // Exclude queued requests, which have not been sent yet.
        silent.retain(|guid| !self.ready.iter().any(|request| request.guid == *guid));
        if !silent.is_empty() {
            tracing::info!(count = silent.len(), "network changed; restarting transfers that receive nothing");
        }
        self.stop_all(silent, false).await;
    }

    /// Publishes which hosts are in cooldown.
    pub(super) fn tell_rests(&self) {
        self.shared.known.cooldowns().clone_from(self.load.cooldowns());
    }

    async fn end_waits_for_network(&self) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.end_waits_for_network(self.shared.env.now()).await?;
        ledger.commit().await
    }

    /// Publishes whether the machine may sleep now, and whether transfers are running.
    ///
    /// The watcher that delays sleep waits for these values.
    pub(super) async fn say_whether_at_rest(&self) {
        let live = self.shared.live.read().await;
        // Uploads are not counted: an upload cannot be resumed, and must not delay sleep that the user asked for.
        let is_at_rest = self.heard.is_falling_asleep == Ok(true) && !live.has_any_to_set_aside();
        let is_running = !live.is_empty();
        drop(live);
        self.shared.known.is_at_rest.send_if_modified(|known| std::mem::replace(known, is_at_rest) != is_at_rest);
        self.shared.known.is_running.send_if_modified(|known| std::mem::replace(known, is_running) != is_running);
    }
}

/// Returns the part of a gate that users and programs see.
///
/// A gate is reported again only if this part changes.
fn announced_part(gate: &Option<GateReport>) -> Option<(GateCode, String, Option<i64>)> {
    gate.as_ref().map(|gate| (gate.code, gate.text.clone(), gate.until))
}
