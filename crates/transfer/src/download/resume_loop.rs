//! Downloads a file: requests the missing bytes, judges each response, and restarts the file if necessary.

use std::{ops::Range, sync::atomic::Ordering};

use url::Url;

use crate::{
    download::{
        connections::LeadingResponse,
        content_check::ContentComparison,
        load_partial::LoadedPartial,
        range_refusal::PartAnswer,
        run::{FinishedRun, TransferEnd, TransferRun, blocking},
        segment::{self, SegmentEnd},
    },
    failpoint,
    http::{
        content_encoding,
        exchange::{ByteSpan, Response, bad_status},
        response_head,
        resume_validation::{self, ResumeVerdict},
    },
    model::{
        outcome::{CompletedTransfer, FailureKind, RestartReason, TransferFailure, TransferRestart},
        validators::Validators,
    },
    partial::{hard_links::InodeKey, state::PartialState},
    plan::segment_plan::OVERLAP,
};

/// Maximum number of consecutive lean responses before the transfer fails.
const MOST_LEAN_ANSWERS: u32 = 16;
/// A response with fewer new bytes than this is lean.
const LEAN: u64 = 64 << 10;

/// Maximum number of times that wrong bytes of a finished file are fetched again.
const MOST_MENDS: usize = 3;

/// Maximum number of restarts of a file over all runs.
const MOST_RESTARTS: u32 = 3;
/// Maximum number of restarts of a file in one run.
///
/// The last restart uses a single request without a range, so that all bytes come from the same version of the file.
const MOST_RESTARTS_OF_RUN: u32 = 2;

/// Number of short parts after which the whole file is requested.
///
/// The responses end in order, without an error.
const MOST_SHORT_PARTS: u32 = 2;

/// Next request to make.
enum Next {
    /// No bytes are missing.
    Nothing,
    /// Request the whole file, without a range.
    Whole,
    /// Request a range. `missing` is its first missing byte; the bytes before it are only compared.
    Span { span: ByteSpan, missing: u64 },
}

impl Next {
    fn from_partial(held: &PartialState) -> Self {
        let total = held.record.total;
        let Some(gap) = held.have.missing(total.unwrap_or(u64::MAX)).into_iter().next() else { return Self::Nothing };
        if held.have.count() == 0 {
            return Self::Whole;
        }
        let from = gap.start - held.have.before(gap.start).min(OVERLAP);
        let to = Some(gap.end - 1).filter(|_| total.is_some_and(|total| gap.end < total));
        Self::Span { span: ByteSpan { from, to }, missing: gap.start }
    }
}

/// Whether it is still uncertain that the response belongs to the same file.
///
/// `known` are the validators of the file on disk.
fn is_open(verdict: &ResumeVerdict, is_vouched_for: bool, known: &Validators) -> bool {
    match verdict {
        ResumeVerdict::Join { .. } => !is_vouched_for,
        // A response that refuses a range need not repeat the validators.
        ResumeVerdict::Complete => !known.has_strong(),
        _ => false,
    }
}

impl TransferRun {
    /// Downloads the file, starting with the response `first` if there is one.
    pub(super) async fn download(&mut self, mut first: Option<Response>) -> Result<CompletedTransfer, TransferEnd> {
        let home = self.home().await?;
        let mut held = match self.on_disk().await? {
            LoadedPartial::Placed(completed) => return Ok(completed),
            LoadedPartial::Stopped => return Err(TransferEnd::Stopped),
            LoadedPartial::Nothing => None,
            LoadedPartial::Partial(held) => Some(*held),
        };
        if let Some(held) = &held {
            self.counters.hold(held.have.count(), held.record.total);
            self.counters.durable.store(held.durable(), Ordering::Release);
            self.claim().declare(held.record.total.unwrap_or_default())?;
            self.claim().take(held.have.count())?;
            // Emit the head again: the run that emitted it first may have ended before the caller persisted the head.
            self.send_head(held.record.head.clone(), None);
        }
        let mut restart = None;
        let mut restarts = 0;
        let mut asked_plainly = false;
        let mut lean_answers = 0;
        let mut short_parts = 0;
        let mut mended = 0;
        let mut refused = Vec::new();
        // Addresses whose bytes were compared with those on disk.
        let mut compared: Vec<Url> = Vec::new();
        loop {
            let next = match &held {
                Some(held) if restart.is_none() => Next::from_partial(held),
                _ => Next::Whole,
            };
            let mut from = match next {
                Next::Nothing => match held {
                    Some(whole) => {
                        let bytes = whole.have.count();
                        match self.finish(whole).await? {
                            FinishedRun::Completed(completed) => return Ok(completed),
                            FinishedRun::Wrong(mut wrong, ranges) => {
                                mended += 1;
                                if mended > MOST_MENDS {
                                    let why = TransferFailure::new(
                                        FailureKind::DigestMismatch,
                                        "pieces that came again were wrong again",
                                    );
                                    return self.give_up_on(wrong, why).await;
                                }
                                self.drop_bytes(&mut wrong, &ranges);
                                // Save the correct bytes, because it is possible that no source sends better bytes for
                                // the rest.
                                let (right, saved) = self.checkpoint(wrong).await?;
                                saved?;
                                held = Some(right);
                                continue;
                            }
                            FinishedRun::Torn(torn) => {
                                self.shared.hosts.without_ranges(self.spec.url.clone());
                                let why = (RestartReason::Differs, "pieces do not fit together");
                                (held, restart) = self.again(torn, restarts, why).await?;
                                restarts += 1;
                                continue;
                            }
                            FinishedRun::Vanished => {
                                restart = Some(self.fetch_anew(home, restarts, bytes).await?);
                                held = None;
                                restarts += 1;
                                continue;
                            }
                        }
                    }
                    None => return Err(TransferFailure::new(FailureKind::Internal, "nothing held and nothing missing").into()),
                },
                Next::Whole => None,
                Next::Span { span, missing } => Some((span, missing)),
            };
            let before = held.as_ref().map_or(0, |held| held.have.count());
            let choice = (mended, &refused[..]);
            let (answered, url) = match (from, &held, first.take()) {
                (Some((span, _)), Some(held), _) => match self.ask_part(span, held, choice, asked_plainly).await? {
                    PartAnswer::Part(answered, url) => (answered, url),
                    PartAnswer::Whole(answered, url) => {
                        (from, asked_plainly) = (None, true);
                        restart = Some(TransferRestart { why: RestartReason::NoRanges, bytes: before });
                        (answered, url)
                    }
                },
                (_, _, Some(answered)) => (answered, self.spec.url.clone()),
                (_, _, None) => self.ask_any(None, held.as_ref(), choice).await?,
            };
            failpoint::hit("transfer.head-received");
            let exchange = answered.exchange();
            // If the response comes from another server or has no strong validator, only a comparison of bytes shows
            // that the file is the same.
            let now = response_head::validators(answered.response.headers());
            let is_vouched_for =
                held.as_ref().is_some_and(|held| self.is_own(held, &url) && held.record.validators.is_same_by_strong(&now));
            let known = held.as_ref().filter(|held| self.is_own(held, &url)).map_or(now, |held| held.record.validators.clone());
            let (writer, lead) = match (from, held.take()) {
                (Some((span, missing)), Some(mut resumed)) => {
                    let verdict = self.judge(span.from, &mut resumed, &answered, &url);
                    // Skip the comparison after a repair, because digests verify the repaired bytes. Keep the response
                    // open during the comparison, because a link may work only once.
                    if mended == 0 && is_open(&verdict, is_vouched_for, &known) && !compared.contains(&url) {
                        match self.compare(&resumed, &url, &known, missing).await? {
                            ContentComparison::Differs if url == self.spec.url => {
                                let why = (RestartReason::Differs, "other bytes at other places");
                                (held, restart) = self.again(resumed, restarts, why).await?;
                                restarts += 1;
                                continue;
                            }
                            // Keep no bytes of a mirror before they have been compared.
                            found if found != ContentComparison::Same && url != self.spec.url => {
                                refused.push(url);
                                held = Some(resumed);
                                continue;
                            }
                            _ => compared.push(url.clone()),
                        }
                    }
                    match verdict {
                        ResumeVerdict::Join { last, complete } => {
                            failpoint::hit("transfer.resume-judged");
                            let promises = self.shared.promises.clone();
                            let (resumed, overlap) = blocking(move || {
                                resumed.promise_space(&promises)?;
                                let overlap = resumed.overlap(missing);
                                Ok::<_, TransferFailure>((resumed, overlap))
                            })
                            .await??;
                            let overlap = overlap.map_err(|error| TransferFailure::of_disk(&error, "reading the partial"))?;
                            if let Some(size) = complete {
                                self.claim().declare(size)?;
                                self.counters.set_total(complete);
                            }
                            let reach = last.saturating_add(1);
                            let plan = self.plan(&resumed, &answered.response, &url);
                            let body = content_encoding::body(answered.response, &[], self.meter.gate(&answered.chain));
                            (self.start(resumed), (plan, LeadingResponse { body, overlap, reach }))
                        }
                        ResumeVerdict::Complete => {
                            resumed.record.total = Some(resumed.have.end());
                            held = Some(resumed);
                            continue;
                        }
                        ResumeVerdict::Whole => {
                            let whole = TransferRestart { why: RestartReason::NoRanges, bytes: before };
                            self.begin(Some(resumed), answered, &url, Some(whole)).await?
                        }
                        verdict @ (ResumeVerdict::Changed(seen) | ResumeVerdict::Unusable(seen)) => {
                            let is_change = matches!(verdict, ResumeVerdict::Changed(_));
                            let why = if is_change { RestartReason::Changed } else { RestartReason::NoRanges };
                            (held, restart) = self.again(resumed, restarts, (why, seen)).await?;
                            restarts += 1;
                            continue;
                        }
                        ResumeVerdict::Contradicts(seen) => {
                            if asked_plainly {
                                return Err(TransferFailure::new(FailureKind::UntrueLength, seen).into());
                            }
                            tracing::info!(guid = %self.spec.guid, seen, "response contradicts the range request; requesting the whole file");
                            asked_plainly = true;
                            (held, restart) =
                                (Some(resumed), Some(TransferRestart { why: RestartReason::NoRanges, bytes: before }));
                            continue;
                        }
                        ResumeVerdict::Refused => return Err(bad_status(&answered, before).into()),
                    }
                }
                (_, previous) => self.begin(previous, answered, &url, restart.take()).await?,
            };
            let is_resume = from.is_some() && !lead.1.overlap.is_empty();
            // A response with the whole file has no part, even if a range was requested.
            let part = from.map_or(0, |(_, missing)| missing)..lead.1.reach;
            let part = Some(part).filter(|part| part.end < u64::MAX);
            let (mut now, ended, ranges_work) = self.stream_into(writer, lead).await?;
            match ended {
                SegmentEnd::Cleanly => {}
                // A mirror with a different file does not invalidate the bytes on disk.
                SegmentEnd::Differs if url != self.spec.url && !now.is_torn => {
                    tracing::info!(guid = %self.spec.guid, host = url.host_str(), "mirror content differs; refused");
                    refused.push(url);
                    let (kept, saved) = self.checkpoint(now).await?;
                    saved?;
                    held = Some(kept);
                    continue;
                }
                SegmentEnd::Differs => {
                    (held, restart) = self.again(now, restarts, (RestartReason::Differs, "the overlap differs")).await?;
                    restarts += 1;
                    continue;
                }
                SegmentEnd::Vanished => {
                    restart = Some(self.fetch_anew(home, restarts, now.have.count()).await?);
                    restarts += 1;
                    continue;
                }
                SegmentEnd::Stopped | SegmentEnd::WriterGone => return Err(TransferEnd::Stopped),
                // The first contradiction may be a mistake of a proxy. If the server contradicts its own ranges again,
                // request the whole file.
                SegmentEnd::Short if from.is_some() && !ranges_work && url == self.spec.url => {
                    short_parts += 1;
                    if short_parts < MOST_SHORT_PARTS {
                        held = Some(now);
                        continue;
                    }
                    self.shared.hosts.without_ranges(self.spec.url.clone());
                    (held, restart) =
                        self.again(now, restarts, (RestartReason::NoRanges, "parts end before anything new")).await?;
                    restarts += 1;
                    continue;
                }
                SegmentEnd::Short => return Err(segment::short().into()),
                SegmentEnd::Failed(failure) => {
                    if let Some(exchange) = exchange {
                        self.client.failed(&exchange, &failure);
                    }
                    let is_plain = part.is_none() && !ranges_work;
                    return Err(if is_plain { self.ended_short(now, failure).await? } else { failure }.into());
                }
            }
            let gained = if part.is_some() { now.have.count().saturating_sub(before) } else { now.have.count() };
            if gained == 0 && part.as_ref().is_some_and(|part| !part.is_empty()) {
                // This server ends its responses by closing the connection, and the part was cut before its stated end.
                // That proves nothing about the file.
                return Err(TransferFailure::new(FailureKind::Truncated, "the part ended before anything new").into());
            }
            now.record.resumed |= is_resume;
            now.record.by_overlap |= is_resume && !is_vouched_for;
            match now.record.total {
                Some(_) if now.is_whole() => {}
                // If the length is unknown, the file is complete when a whole response has ended, or when a part adds
                // no bytes.
                None if part.is_none() || gained == 0 => {
                    let came = now.have.end();
                    let size = self.measure(&now, &url).await?;
                    match size {
                        // A connection that is cut looks like the end of the body.
                        Some(size) if size > came && came > 0 && self.has_more(&now, &url, size).await? => {
                            now.record.total = Some(size);
                            self.counters.set_total(now.record.total);
                            held = Some(self.save(now).await?);
                            continue;
                        }
                        // The server's ranges do not help here, but the next response with the whole file may not be
                        // cut.
                        Some(size) if size > came && !asked_plainly => {
                            asked_plainly = true;
                            restart = Some(TransferRestart { why: RestartReason::NoRanges, bytes: came });
                            held = Some(self.save(now).await?);
                            continue;
                        }
                        _ => {}
                    }
                    now.record.total = Some(came);
                    let is_measured = size == Some(came) && !now.record.is_unmeasured;
                    now.record.is_unmeasured = !is_measured && self.spec.expected.size.is_none();
                    self.counters.set_total(now.record.total);
                }
                // If ranges work, bytes that other connections left are requested in the same way as the rest of a
                // short part.
                _ if part.is_none() && !ranges_work => {
                    let failure = TransferFailure::new(FailureKind::Truncated, "the body ended too early");
                    return Err(self.ended_short(now, failure).await?.into());
                }
                // A part may be shorter than requested. The rest is requested as long as responses add new bytes.
                _ if gained == 0 => {
                    (held, restart) = self.again(now, restarts, (RestartReason::NoRanges, "a part without new bytes")).await?;
                    restarts += 1;
                    continue;
                }
                _ => {
                    lean_answers = if gained < LEAN { lean_answers + 1 } else { 0 };
                    if lean_answers > MOST_LEAN_ANSWERS {
                        return Err(TransferFailure::new(FailureKind::Protocol, "the parts lead nowhere").into());
                    }
                }
            }
            held = Some(now);
        }
    }

    /// Discards `wrong` bytes of `held`, so that they are fetched again.
    fn drop_bytes(&self, held: &mut PartialState, wrong: &[Range<u64>]) {
        for range in wrong {
            held.drop_bytes(range);
        }
        held.follower = self.spec.follower(&held.record.head);
        let bytes = wrong.iter().map(|range| range.end - range.start).sum();
        self.claim().give_back_part(bytes);
        self.counters.hold(held.have.count(), held.record.total);
    }

    /// Decides to restart because the partial file, which had `bytes` bytes, was removed.
    ///
    /// Fails with `PartialChanged` if the run has restarted already. Also fails if the folder is no longer `home`,
    /// because the disk is then absent and the user did not delete the file.
    async fn fetch_anew(&self, home: Option<InodeKey>, restarts: u32, bytes: u64) -> Result<TransferRestart, TransferEnd> {
        if self.home().await? != home {
            let why = "the folder of the partial was moved, or its disk is not there any more";
            return Err(TransferFailure::new(FailureKind::PartialChanged, why).into());
        }
        if restarts > 0 {
            return Err(TransferFailure::new(
                FailureKind::PartialChanged,
                "the partial was moved or deleted while it was written",
            )
            .into());
        }
        tracing::info!(guid = %self.spec.guid, "partial file was removed; downloading from the start");
        Ok(TransferRestart { why: RestartReason::Gone, bytes })
    }

    /// Decides to restart because responses do not fit the bytes on disk.
    ///
    /// A run restarts at most twice, the second time without ranges; a transfer restarts at most `MOST_RESTARTS` times
    /// over all runs. Returns the bytes on disk and the reason that is reported to the user. Fails with
    /// `ChangedOnServer` after the last restart.
    async fn again(
        &self,
        mut held: PartialState,
        restarts: u32,
        (why, seen): (RestartReason, &'static str),
    ) -> Result<(Option<PartialState>, Option<TransferRestart>), TransferEnd> {
        if restarts < MOST_RESTARTS_OF_RUN && held.record.restarts < MOST_RESTARTS {
            if restarts + 1 == MOST_RESTARTS_OF_RUN {
                self.shared.hosts.without_ranges(self.spec.url.clone());
            }
            tracing::info!(guid = %self.spec.guid, seen, "begun again");
            held.record.restarts += 1;
            let restart = TransferRestart { why, bytes: held.have.count() };
            return Ok((Some(held), Some(restart)));
        }
        // Reset the count, so that a retry by the user may restart the same number of times.
        held.record.restarts = 0;
        let rewritten = blocking(move || held.rewrite_record()).await?;
        rewritten.map_err(|error| TransferFailure::of_disk(&error, "writing the journal"))?;
        Err(TransferFailure::new(FailureKind::ChangedOnServer, seen).into())
    }

    fn judge(&self, from: u64, held: &mut PartialState, answered: &Response, url: &Url) -> ResumeVerdict {
        let status = answered.response.status().as_u16();
        let answer = response_head::answer_of(&answered.response);
        // Validators of another server prove nothing about the bytes on disk. The size and the overlap do.
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
                // The user replaced the link; from now on the new link identifies the file.
                held.record.url = self.spec.url.to_string();
                held.record.validators = answer.validators;
            }
        }
        verdict
    }
}
