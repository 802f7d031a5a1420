//! Restarts a file if its bytes on disk cannot be continued.
//!
//! Called by `resume_loop` and `response_end`.

use crate::{
    download::{
        resume_state::ResumeState,
        run::{TransferEnd, TransferRun, blocking},
    },
    model::{
        failure::TransferFailure,
        failure_kind::FailureKind,
        outcome::{RestartReason, TransferRestart},
    },
    partial::state::PartialState,
};

impl TransferRun {
    /// Decides to restart because the partial file, which had `bytes` bytes, was removed.
    ///
    /// Fails with `PartialChanged` if the run has already restarted. Also fails if the path no longer leads to the
    /// original folder: in this case, the disk is absent, and the user did not delete the file.
    pub(super) async fn fetch_anew(&self, state: &mut ResumeState, bytes: u64) -> Result<(), TransferEnd> {
        if self.home().await? != state.home {
            let why = "the folder of the partial was moved, or its disk is not there any more";
            return Err(TransferFailure::new(FailureKind::PartialChanged, why).into());
        }
        if state.has_restarted() {
            let why = "the partial was moved or deleted while it was written";
            return Err(TransferFailure::new(FailureKind::PartialChanged, why).into());
        }
        tracing::info!(guid = %self.spec.guid, "partial file was removed; downloading from the start");
        state.begin_again(TransferRestart { why: RestartReason::Gone, bytes }, None);
        Ok(())
    }

    /// Decides to restart because responses do not fit the bytes on disk.
    ///
    /// A run restarts at most twice, the second time without ranges. A transfer restarts at most three times over all
    /// runs. `why` is reported to the user. Fails with `ChangedOnServer` after the last restart.
    pub(super) async fn again(
        &self,
        state: &mut ResumeState,
        mut held: PartialState,
        (why, seen): (RestartReason, &'static str),
    ) -> Result<(), TransferEnd> {
        if state.may_restart(held.record.restarts) {
            if state.is_last_restart() {
                self.shared.hosts.without_ranges(self.spec.url.clone());
            }
            tracing::info!(guid = %self.spec.guid, seen, "begun again");
            held.record.restarts += 1;
            let restart = TransferRestart { why, bytes: held.have.count() };
            state.begin_again(restart, Some(held));
            return Ok(());
        }
        // Reset the count, so that a retry by the user gets the same number of restarts.
        held.record.restarts = 0;
        let rewritten = blocking(move || held.rewrite_record()).await?;
        rewritten.map_err(|error| TransferFailure::of_disk(&error, "writing the journal"))?;
        Err(TransferFailure::new(FailureKind::ChangedOnServer, seen).into())
    }
}
