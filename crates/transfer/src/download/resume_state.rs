//! State and decisions of the download loop. [pure]
//!
//! `resume_loop` and `response_end` read and change this state between two requests.

use url::Url;

use crate::{
    http::{exchange::ByteSpan, resume_validation::ResumeVerdict},
    model::{
        failure::TransferFailure,
        failure_kind::FailureKind,
        outcome::{RestartReason, TransferRestart},
        validators::Validators,
    },
    partial::{hard_links::InodeKey, state::PartialState},
    plan::segment_plan::OVERLAP,
};

/// Maximum number of consecutive responses with few new bytes before the transfer fails.
const MOST_LEAN_ANSWERS: u32 = 16;
/// Threshold in bytes. A response with fewer new bytes counts as lean.
const LEAN: u64 = 64 << 10;

/// Maximum number of repairs of a finished file. A repair fetches the wrong bytes of the file again.
const MOST_MENDS: usize = 3;

/// Maximum number of restarts of a file over all runs.
const MOST_RESTARTS: u32 = 3;
/// Maximum number of restarts of a file in one run.
///
/// The last restart uses a single request without a range, so that all bytes come from the same version of the file.
const MOST_RESTARTS_OF_RUN: u32 = 2;

/// Number of requested parts without new bytes after which the whole file is requested.
///
/// Counts a part only if its response ended without an error.
const MOST_SHORT_PARTS: u32 = 2;

/// Next step of the loop.
pub(super) enum NextRequest {
    /// No bytes are missing, so no request is made.
    Nothing,
    /// Request the whole file, without a range.
    Whole,
    /// Request a part of the file.
    Part(MissingPart),
}

#[derive(Clone, Copy)]
pub(super) struct MissingPart {
    /// Requested range.
    pub span: ByteSpan,
    /// First missing byte of the range. The bytes before it are only compared.
    pub missing: u64,
}

impl NextRequest {
    fn from_partial(held: &PartialState) -> Self {
        let total = held.record.total;
        let Some(gap) = held.have.missing(total.unwrap_or(u64::MAX)).into_iter().next() else { return Self::Nothing };
        if held.have.count() == 0 {
            return Self::Whole;
        }
        let from = gap.start - held.have.before(gap.start).min(OVERLAP);
        let to = Some(gap.end - 1).filter(|_| total.is_some_and(|total| gap.end < total));
        Self::Part(MissingPart { span: ByteSpan { from, to }, missing: gap.start })
    }
}

/// State of the download loop between two requests.
pub(super) struct ResumeState {
    /// Identity of the target folder at the start of the run.
    pub home: Option<InodeKey>,
    /// Bytes on disk. `None` if the download of the file has not begun.
    pub held: Option<PartialState>,
    /// Restart that is reported together with the next response head.
    pub restart: Option<TransferRestart>,
    /// Whether the whole file was requested because range requests failed.
    pub asked_plainly: bool,
    /// Mirrors that serve a different file.
    pub refused: Vec<Url>,
    /// Addresses whose bytes were compared with the bytes on disk.
    pub compared: Vec<Url>,
    restarts: u32,
    mended: usize,
    lean_answers: u32,
    short_parts: u32,
}

impl ResumeState {
    /// Returns the state at the start of a run that found `held` in the folder `home`.
    pub fn new(home: Option<InodeKey>, held: Option<PartialState>) -> Self {
        Self {
            home,
            held,
            restart: None,
            asked_plainly: false,
            refused: Vec::new(),
            compared: Vec::new(),
            restarts: 0,
            mended: 0,
            lean_answers: 0,
            short_parts: 0,
        }
    }

    /// Returns the next step of the loop.
    pub fn next_request(&self) -> NextRequest {
        match &self.held {
            Some(held) if self.restart.is_none() => NextRequest::from_partial(held),
            _ => NextRequest::Whole,
        }
    }

    /// Returns the number of bytes on disk.
    pub fn bytes(&self) -> u64 {
        self.held.as_ref().map_or(0, |held| held.have.count())
    }

    /// Returns the number of repairs and the refused mirrors. Both determine the next address.
    pub fn choice(&self) -> (usize, &[Url]) {
        (self.mended, &self.refused)
    }

    /// Whether any wrong bytes were fetched again.
    pub fn is_mended(&self) -> bool {
        self.mended > 0
    }

    /// Counts a repair of a finished file. Returns `false` after too many repairs.
    pub fn count_mend(&mut self) -> bool {
        self.mended += 1;
        self.mended <= MOST_MENDS
    }

    /// Makes the next request fetch the whole file, which replaces `bytes` bytes.
    pub fn request_whole(&mut self, bytes: u64) {
        self.asked_plainly = true;
        self.restart = Some(TransferRestart { why: RestartReason::NoRanges, bytes });
    }

    /// Whether this run has restarted the file.
    pub fn has_restarted(&self) -> bool {
        self.restarts > 0
    }

    /// Whether the file may restart once more. `all_restarts` is its number of restarts over all runs.
    pub fn may_restart(&self, all_restarts: u32) -> bool {
        self.restarts < MOST_RESTARTS_OF_RUN && all_restarts < MOST_RESTARTS
    }

    /// Whether the next restart is the last one of this run.
    pub fn is_last_restart(&self) -> bool {
        self.restarts + 1 == MOST_RESTARTS_OF_RUN
    }

    /// Restarts the file. The restart may reuse `held`, the state on disk.
    pub fn begin_again(&mut self, restart: TransferRestart, held: Option<PartialState>) {
        (self.held, self.restart) = (held, Some(restart));
        self.restarts += 1;
    }

    /// Counts a part that ended without any new bytes. Returns `false` after too many such parts.
    pub fn count_short_part(&mut self) -> bool {
        self.short_parts += 1;
        self.short_parts < MOST_SHORT_PARTS
    }

    /// Counts a part that added `gained` bytes.
    ///
    /// Fails with `Protocol` after too many consecutive lean responses.
    pub fn count_gain(&mut self, gained: u64) -> Result<(), TransferFailure> {
        self.lean_answers = if gained < LEAN { self.lean_answers + 1 } else { 0 };
        match self.lean_answers > MOST_LEAN_ANSWERS {
            true => Err(TransferFailure::new(FailureKind::Protocol, "the parts lead nowhere")),
            false => Ok(()),
        }
    }
}

/// Whether it is still unproven that the response belongs to the same file.
///
/// `known` are the validators of the file on disk.
pub(super) fn is_open(verdict: &ResumeVerdict, is_vouched_for: bool, known: &Validators) -> bool {
    match verdict {
        ResumeVerdict::Join { .. } => !is_vouched_for,
        // A response that refuses a range need not repeat the validators.
        ResumeVerdict::Complete => !known.has_strong(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> ResumeState {
        ResumeState::new(None, None)
    }

    #[test]
    fn transfer_tolerates_sixteen_consecutive_unproductive_responses() {
        let mut state = state();
        for _ in 0..MOST_LEAN_ANSWERS {
            state.count_gain(LEAN - 1).unwrap();
        }
        assert_eq!(state.count_gain(LEAN - 1).unwrap_err().kind, FailureKind::Protocol);
        state.count_gain(LEAN).unwrap();
        state.count_gain(1).unwrap();
    }

    #[test]
    fn file_may_restart_twice_per_run_and_three_times_overall() {
        let restart = TransferRestart { why: RestartReason::Changed, bytes: 1 };
        let mut state = state();
        assert!(state.may_restart(2) && !state.may_restart(3));
        assert!(!state.is_last_restart() && !state.has_restarted());
        state.begin_again(restart, None);
        assert!(state.is_last_restart() && state.has_restarted());
        state.begin_again(restart, None);
        assert!(!state.may_restart(0));
    }

    #[test]
    fn request_after_restart_is_for_whole_file() {
        let mut state = state();
        state.request_whole(9);
        assert!(state.asked_plainly);
        assert!(matches!(state.restart, Some(TransferRestart { why: RestartReason::NoRanges, bytes: 9 })));
        assert!(matches!(state.next_request(), NextRequest::Whole));
    }
}
