//! A download: asks for what is missing until nothing is, judges each answer, and begins again where it must.

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

/// Answers in a row that may bring next to nothing before the server is given up.
const MOST_LEAN_ANSWERS: u32 = 16;
/// What is next to nothing.
const LEAN: u64 = 64 << 10;

/// How often wrong bytes of a finished file are fetched again before it is given up.
const MOST_MENDS: usize = 3;

/// How often a file may have changed, over all runs, before it is given up.
const MOST_RESTARTS: u32 = 3;
/// The same in one run. The last time it is fetched by one plain request, whose bytes are those of one file.
const MOST_RESTARTS_OF_RUN: u32 = 2;

/// Parts that end in order, short of their stated range, before the whole file is requested.
const MOST_SHORT_PARTS: u32 = 2;

/// What to ask for next.
enum Next {
    /// Everything is there.
    Nothing,
    /// The whole file, without a range.
    Whole,
    /// A range, in which `missing` is the first byte that is not there; what comes before it is only compared.
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

/// Whether it is open that an answer of this verdict is of the file that is held, which is known by `known`.
fn is_open(verdict: &ResumeVerdict, is_vouched_for: bool, known: &Validators) -> bool {
    match verdict {
        ResumeVerdict::Join { .. } => !is_vouched_for,
        // A refused range need not repeat the validators.
        ResumeVerdict::Complete => !known.has_strong(),
        _ => false,
    }
}

impl TransferRun {
    /// Downloads, beginning with the answer to a first request where one has come.
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
            // Told again: the run that heard it first may have ended before its caller wrote it down.
            self.send_head(held.record.head.clone(), None);
        }
        let mut restart = None;
        let mut restarts = 0;
        let mut asked_plainly = false;
        let mut lean_answers = 0;
        let mut short_parts = 0;
        let mut mended = 0;
        let mut refused = Vec::new();
        // Addresses whose bytes were compared with those that are held.
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
                                // Whether anybody has them better is open, and the rest is right.
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
            // Of another server, or without a strong validator, only the bytes themselves say that it is the same file.
            let now = response_head::validators(answered.response.headers());
            let is_vouched_for =
                held.as_ref().is_some_and(|held| self.is_own(held, &url) && held.record.validators.is_same_by_strong(&now));
            let known = held.as_ref().filter(|held| self.is_own(held, &url)).map_or(now, |held| held.record.validators.clone());
            let (writer, lead) = match (from, held.take()) {
                (Some((span, missing)), Some(mut resumed)) => {
                    let verdict = self.judge(span.from, &mut resumed, &answered, &url);
                    // Of what is mended, digests say whether it is right. The answer stays open: a link may work only once.
                    if mended == 0 && is_open(&verdict, is_vouched_for, &known) && !compared.contains(&url) {
                        match self.compare(&resumed, &url, &known, missing).await? {
                            ContentComparison::Differs if url == self.spec.url => {
                                let why = (RestartReason::Differs, "other bytes at other places");
                                (held, restart) = self.again(resumed, restarts, why).await?;
                                restarts += 1;
                                continue;
                            }
                            // Not one byte of a mirror is kept before its bytes were compared.
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
                            tracing::info!(guid = %self.spec.guid, seen, "asked for the whole file");
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
            // An answer with the whole file begins it anew, whatever was asked for.
            let part = from.map_or(0, |(_, missing)| missing)..lead.1.reach;
            let part = Some(part).filter(|part| part.end < u64::MAX);
            let (mut now, ended, ranges_work) = self.stream_into(writer, lead).await?;
            match ended {
                SegmentEnd::Cleanly => {}
                // A mirror that has another file says nothing about the one that is held.
                SegmentEnd::Differs if url != self.spec.url && !now.is_torn => {
                    tracing::info!(guid = %self.spec.guid, host = url.host_str(), "a mirror has other bytes: refused");
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
                // Once may be a proxy's mistake. A server that contradicts its own ranges again is asked for the whole file.
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
                // Cut before its stated end, by a server that ends its answers by closing: no evidence of anything.
                return Err(TransferFailure::new(FailureKind::Truncated, "the part ended before anything new").into());
            }
            now.record.resumed |= is_resume;
            now.record.by_overlap |= is_resume && !is_vouched_for;
            match now.record.total {
                Some(_) if now.is_whole() => {}
                // An answer without a known length that came to its end is the whole file; so is one that adds nothing.
                None if part.is_none() || gained == 0 => {
                    let came = now.have.end();
                    let size = self.measure(&now, &url).await?;
                    match size {
                        // A close that cut the body looks like its end.
                        Some(size) if size > came && came > 0 && self.has_more(&now, &url, size).await? => {
                            now.record.total = Some(size);
                            self.counters.set_total(now.record.total);
                            held = Some(self.save(now).await?);
                            continue;
                        }
                        // Its ranges are of no use here: the next answer without one may not be cut.
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
                // Where ranges work, what others left undone is asked for as the rest of a short part is.
                _ if part.is_none() && !ranges_work => {
                    let failure = TransferFailure::new(FailureKind::Truncated, "the body ended too early");
                    return Err(self.ended_short(now, failure).await?.into());
                }
                // A part may be shorter than asked: the rest is asked for, as long as it leads anywhere.
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

    /// These bytes are wrong: they count no more, and come again.
    fn drop_bytes(&self, held: &mut PartialState, wrong: &[Range<u64>]) {
        for range in wrong {
            held.drop_bytes(range);
        }
        held.follower = self.spec.follower(&held.record.head);
        let bytes = wrong.iter().map(|range| range.end - range.start).sum();
        self.claim().give_back_part(bytes);
        self.counters.hold(held.have.count(), held.record.total);
    }

    /// Decides to fetch everything anew because the partial, of so many bytes, was taken away: once in a run, and not where its
    /// folder is another one than `home` was, which is the disk's absence and not a person's wish.
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
        tracing::info!(guid = %self.spec.guid, "begun again: the partial was taken away");
        Ok(TransferRestart { why: RestartReason::Gone, bytes })
    }

    /// Decides to begin again because the server's answers do not fit the bytes that are held: twice in a run, the second time
    /// without ranges, and a few times in a life. Gives back those bytes, with the reason that people are told.
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
        // Somebody who tries it once more may begin anew as often.
        held.record.restarts = 0;
        let rewritten = blocking(move || held.rewrite_record()).await?;
        rewritten.map_err(|error| TransferFailure::of_disk(&error, "writing the journal"))?;
        Err(TransferFailure::new(FailureKind::ChangedOnServer, seen).into())
    }

    fn judge(&self, from: u64, held: &mut PartialState, answered: &Response, url: &Url) -> ResumeVerdict {
        let status = answered.response.status().as_u16();
        let answer = response_head::answer_of(&answered.response);
        // Another server's validators say nothing about these bytes; its size and the overlap do.
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
                // The link was replaced: from now on it is the new one that says what the file is.
                held.record.url = self.spec.url.to_string();
                held.record.validators = answer.validators;
            }
        }
        verdict
    }
}
