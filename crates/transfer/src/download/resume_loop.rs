//! Downloads a file: requests the missing bytes, judges each response, and restarts the file if necessary.
//!
//! - `resume_state` holds the state between two requests.
//! - `response_end` writes a response and decides how the download continues.

use std::{ops::Range, sync::atomic::Ordering};

use url::Url;

use crate::{
    download::{
        connections::LeadingResponse,
        content_check::ContentComparison,
        finish::FinishedRun,
        load_partial::LoadedPartial,
        range_refusal::PartAnswer,
        response_end::ArrivedResponse,
        resume_state::{MissingPart, NextRequest, ResumeState, is_open},
        run::{ShareableResult, TransferEnd, TransferRun, blocking},
    },
    failpoint,
    http::{
        content_encoding,
        exchange::{Response, bad_status},
        response_head,
        resume_validation::{self, ResumeVerdict},
    },
    model::{
        failure::TransferFailure,
        failure_kind::FailureKind,
        outcome::{CompletedTransfer, RestartReason, TransferRestart},
        validators::Validators,
    },
    partial::{state::PartialState, writer::PartialWriter},
};

/// Writer of the file, remaining work that connections can share, and first response to write.
type OpenFile = (PartialWriter, (ShareableResult, LeadingResponse));

impl TransferRun {
    /// Downloads the file. If `first` is a response, begins with it.
    pub(super) async fn download(&mut self, mut first: Option<Response>) -> Result<CompletedTransfer, TransferEnd> {
        let home = self.home().await?;
        let held = match self.on_disk().await? {
            LoadedPartial::Placed(completed) => return Ok(completed),
            LoadedPartial::Stopped => return Err(TransferEnd::Stopped),
            LoadedPartial::Nothing => None,
            LoadedPartial::Partial(held) => Some(*held),
        };
        if let Some(held) = &held {
            self.count_held(held)?;
            // Emit the head again: the earlier run may have ended before the caller persisted it.
            self.send_head(held.record.head.clone(), None);
        }
        let mut state = ResumeState::new(home, held);
        loop {
            let part = match state.next_request() {
                NextRequest::Nothing => match self.finish_or_mend(&mut state).await? {
                    Some(completed) => return Ok(completed),
                    None => continue,
                },
                NextRequest::Whole => None,
                NextRequest::Part(part) => Some(part),
            };
            let (answered, arrived) = self.request(&mut state, part, first.take()).await?;
            if let Some(file) = self.join_or_begin(&mut state, answered, &arrived).await? {
                self.receive(&mut state, arrived, file).await?;
            }
        }
    }

    /// Counts the bytes on disk, and deducts them from the byte budgets.
    fn count_held(&self, held: &PartialState) -> Result<(), TransferFailure> {
        self.counters.hold(held.have.count(), held.record.total);
        self.counters.durable.store(held.durable(), Ordering::Release);
        self.claim().declare(held.record.total.unwrap_or_default())?;
        self.claim().take(held.have.count())
    }

    /// Finishes a file without missing bytes.
    ///
    /// Returns `None` if bytes must be fetched again. `state` is then ready for the next request.
    async fn finish_or_mend(&mut self, state: &mut ResumeState) -> Result<Option<CompletedTransfer>, TransferEnd> {
        let Some(whole) = state.held.take() else {
            return Err(TransferFailure::new(FailureKind::Internal, "nothing held and nothing missing").into());
        };
        let bytes = whole.have.count();
        match self.finish(whole).await? {
            FinishedRun::Completed(completed) => return Ok(Some(completed)),
            FinishedRun::Wrong(wrong, ranges) => self.discard_wrong_bytes(state, wrong, &ranges).await?,
            FinishedRun::Torn(torn) => {
                self.shared.hosts.without_ranges(self.spec.url.clone());
                self.again(state, torn, (RestartReason::Differs, "pieces do not fit together")).await?;
            }
            FinishedRun::Vanished => self.fetch_anew(state, bytes).await?,
        }
        Ok(None)
    }

    /// Discards the `wrong` bytes of a finished file, so that they are fetched again.
    async fn discard_wrong_bytes(
        &self,
        state: &mut ResumeState,
        mut held: PartialState,
        wrong: &[Range<u64>],
    ) -> Result<(), TransferEnd> {
        if !state.count_mend() {
            let why = TransferFailure::new(FailureKind::DigestMismatch, "pieces that came again were wrong again");
            return self.give_up_on(held, why).await;
        }
        self.drop_bytes(&mut held, wrong);
        // Make the correct bytes durable now, because there may be no source that can replace the wrong bytes.
        let (right, saved) = self.checkpoint(held).await?;
        saved?;
        state.held = Some(right);
        Ok(())
    }

    /// Requests `part`, or the whole file if `part` is `None`.
    ///
    /// If the response `first` has already arrived, returns it and sends no request.
    async fn request(
        &self,
        state: &mut ResumeState,
        mut part: Option<MissingPart>,
        first: Option<Response>,
    ) -> Result<(Response, ArrivedResponse), TransferEnd> {
        let before = state.bytes();
        let (answered, url) = match (part, &state.held, first) {
            (Some(missing), Some(held), _) => {
                match self.ask_part(missing.span, held, state.choice(), state.asked_plainly).await? {
                    PartAnswer::Part(answered, url) => (answered, url),
                    PartAnswer::Whole(answered, url) => {
                        part = None;
                        state.request_whole(before);
                        (answered, url)
                    }
                }
            }
            (_, _, Some(answered)) => (answered, self.spec.url.clone()),
            (_, held, None) => self.ask_any(None, held.as_ref(), state.choice()).await?,
        };
        failpoint::hit("transfer.head-received");
        let exchange = answered.exchange();
        // If the response comes from another server or has no strong validator, only a comparison of bytes can show
        // that the file is the same.
        let now = response_head::validators(answered.response.headers());
        let own = state.held.as_ref().filter(|held| self.is_own(held, &url));
        let is_vouched_for = own.is_some_and(|held| held.record.validators.is_same_by_strong(&now));
        let known = own.map_or(now, |held| held.record.validators.clone());
        Ok((answered, ArrivedResponse { url, part, before, exchange, is_vouched_for, known }))
    }

    /// Opens the file for a response: continues the bytes on disk, or begins the file.
    ///
    /// Returns `None` if another request is necessary. `state` is then ready for the next request.
    async fn join_or_begin(
        &mut self,
        state: &mut ResumeState,
        answered: Response,
        arrived: &ArrivedResponse,
    ) -> Result<Option<OpenFile>, TransferEnd> {
        match (arrived.part, state.held.take()) {
            (Some(part), Some(resumed)) => self.join(state, (resumed, part), answered, arrived).await,
            (_, previous) => {
                let restart = state.restart.take();
                self.begin(previous, answered, &arrived.url, restart).await.map(Some)
            }
        }
    }

    /// Judges the response to a request for `part`, and opens the file if the response fits.
    async fn join(
        &mut self,
        state: &mut ResumeState,
        (mut resumed, part): (PartialState, MissingPart),
        answered: Response,
        arrived: &ArrivedResponse,
    ) -> Result<Option<OpenFile>, TransferEnd> {
        let url = &arrived.url;
        let verdict = self.judge(part.span.from, &mut resumed, &answered, url);
        // Skip the comparison after a repair, because digests verify the repaired bytes. During the comparison, keep
        // the response open, because a link may work only once.
        if !state.is_mended() && is_open(&verdict, arrived.is_vouched_for, &arrived.known) && !state.compared.contains(url) {
            resumed = match self.confirm(state, resumed, part.missing, arrived).await? {
                Some(confirmed) => confirmed,
                None => return Ok(None),
            };
        }
        match verdict {
            ResumeVerdict::Join { last, complete } => {
                return self.resume(state, resumed, (answered, url), part.missing, (last, complete)).await;
            }
            ResumeVerdict::Complete => {
                resumed.record.total = Some(resumed.have.end());
                state.held = Some(resumed);
            }
            ResumeVerdict::Whole => {
                let whole = TransferRestart { why: RestartReason::NoRanges, bytes: arrived.before };
                return self.begin(Some(resumed), answered, url, Some(whole)).await.map(Some);
            }
            ResumeVerdict::Changed(seen) => self.again(state, resumed, (RestartReason::Changed, seen)).await?,
            ResumeVerdict::Unusable(seen) => self.again(state, resumed, (RestartReason::NoRanges, seen)).await?,
            ResumeVerdict::Contradicts(seen) if state.asked_plainly => {
                return Err(TransferFailure::new(FailureKind::UntrueLength, seen).into());
            }
            ResumeVerdict::Contradicts(seen) => {
                tracing::info!(guid = %self.spec.guid, seen, "response contradicts the range request; requesting the whole file");
                state.request_whole(arrived.before);
                state.held = Some(resumed);
            }
            ResumeVerdict::Refused => return Err(bad_status(&answered, arrived.before).into()),
        }
        Ok(None)
    }

    /// Compares the bytes on disk with those of the server.
    ///
    /// Returns the bytes on disk if the response may be joined to them. Returns `None` if the bytes differ, or if a
    /// mirror allows no comparison. `state` is then ready for the next request.
    async fn confirm(
        &self,
        state: &mut ResumeState,
        resumed: PartialState,
        missing: u64,
        arrived: &ArrivedResponse,
    ) -> Result<Option<PartialState>, TransferEnd> {
        let url = &arrived.url;
        match self.compare(&resumed, url, &arrived.known, missing).await? {
            ContentComparison::Differs if *url == self.spec.url => {
                self.again(state, resumed, (RestartReason::Differs, "other bytes at other places")).await?;
                Ok(None)
            }
            // Join bytes of a mirror only if the comparison proves that they are the same. Otherwise, refuse the
            // mirror.
            found if found != ContentComparison::Same && *url != self.spec.url => {
                state.refused.push(url.clone());
                state.held = Some(resumed);
                Ok(None)
            }
            _ => {
                state.compared.push(url.clone());
                Ok(Some(resumed))
            }
        }
    }

    /// Opens the partial file, so that the response can continue it at byte `missing`.
    ///
    /// `last` is the last byte of the response, and `complete` is the size of the whole file, if known. Returns `None`
    /// if another program has truncated the partial file. `state` is then ready for the next request.
    async fn resume(
        &self,
        state: &mut ResumeState,
        mut resumed: PartialState,
        (answered, url): (Response, &Url),
        missing: u64,
        (last, complete): (u64, Option<u64>),
    ) -> Result<Option<OpenFile>, TransferEnd> {
        failpoint::hit("transfer.resume-judged");
        let promises = self.shared.promises.clone();
        let (mut resumed, overlap, truncated) = blocking(move || {
            resumed.promise_space(&promises)?;
            let of_disk = |error: std::io::Error| TransferFailure::of_disk(&error, "reading the partial");
            let overlap = resumed.overlap(missing).map_err(of_disk)?;
            let truncated = resumed.truncated().map_err(of_disk)?;
            Ok::<_, TransferFailure>((resumed, overlap, truncated))
        })
        .await??;
        let Some(overlap) = overlap else {
            resumed.doubt();
            self.drop_bytes(&mut resumed, &[truncated]);
            state.held = Some(resumed);
            return Ok(None);
        };
        if let Some(size) = complete {
            self.claim().declare(size)?;
            self.counters.set_total(complete);
        }
        let reach = last.saturating_add(1);
        let plan = self.plan(&resumed, &answered.response, url);
        let body = content_encoding::body(answered.response, &[], self.meter.gate(&answered.chain));
        Ok(Some((self.start(resumed), (plan, LeadingResponse { body, overlap, reach }))))
    }

    /// Discards the `wrong` bytes of `held`, so that they are fetched again.
    fn drop_bytes(&self, held: &mut PartialState, wrong: &[Range<u64>]) {
        let before = held.have.count();
        for range in wrong {
            held.drop_bytes(range);
        }
        held.follower = self.spec.follower(&held.record.head);
        self.claim().give_back_part(before - held.have.count());
        self.counters.hold(held.have.count(), held.record.total);
    }

    fn judge(&self, from: u64, held: &mut PartialState, answered: &Response, url: &Url) -> ResumeVerdict {
        let status = answered.response.status().as_u16();
        let answer = response_head::answer_of(&answered.response);
        // Validators of another server prove nothing about the bytes on disk. Compare only the size and the repeated
        // bytes.
        let is_own = self.is_own(held, url);
        let known = if is_own { held.record.validators.clone() } else { Validators::default() };
        if !is_own && status == 206 && answered.contradicts(&self.spec.digests(Some(&held.record.head))).is_some() {
            return ResumeVerdict::Changed("another digest is promised");
        }
        let verdict = resume_validation::judge(&known, held.record.total, from, held.have.prefix(), &answer);
        if let ResumeVerdict::Join { complete: Some(complete), .. } = verdict {
            if complete < held.have.end() {
                return ResumeVerdict::Changed("the complete length is less than what is here");
            }
            held.record.total = Some(complete);
            if *url == self.spec.url && !is_own {
                // The user replaced the link, so from now on the new link identifies the file.
                held.record.url = self.spec.url.to_string();
                held.record.validators = answer.validators;
            }
        }
        verdict
    }
}
