//! Runs a transfer from its state on disk to a placed file, or to a failure with its reason.
//!
//! This module contains the steps that downloads and uploads share: sending the request, beginning a file, writing a
//! response into it, and finishing it.

use std::{
    ops::Range,
    os::unix::fs::MetadataExt as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use http::{Method, header::ACCEPT_RANGES};
use tokio::sync::{OnceCell, oneshot};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    disk::{self, joined},
    download::{
        connections::{FetchedFile, LeadingResponse, SegmentedFetch},
        context::RunContext,
        load_partial::{LoadedPartial, on_disk},
        metalink_lookup::described,
        segment::SegmentEnd,
        small_file::{self, SmallFileAttempt},
    },
    failpoint,
    http::{
        client::HttpClient,
        content_encoding, digest_headers,
        exchange::{self, ByteSpan, Response, bad_status},
        html_detection,
        response_claim::{self, PlainClaim},
        response_head::{self, has_no_body_by, length},
        resume_validation::{self, RestartCause},
        upload_body::UploadSource,
    },
    integrity::metalink::MetalinkFile,
    model::{
        byte_budget::ByteReservation,
        digest::FileDigest,
        event::{ResponseSummary, TransferEvent},
        outcome::{
            CompletedTransfer, FailureCause, FailureKind, RestartReason, TransferFailure, TransferOutcome, TransferRestart,
            Verification,
        },
        spec::TransferSpec,
    },
    partial::{
        finalize::{self, FinalCheck, PlacedFile},
        hard_links::{InodeKey, inode_of},
        journal::JournalRecord,
        part::{PartialFile, VolumeSpace},
        size_limit,
        state::PartialState,
        stream_hasher::StreamHasher,
        writer::PartialWriter,
    },
    plan::{byte_ranges::ByteRanges, mirrors::MirrorSources, progress::ByteCounters, segment_plan::SegmentPlan},
    rate_limit::ThroughputMeter,
};

/// Reason why a run ended before its file was complete.
pub(crate) enum TransferEnd {
    Stopped,
    Failed(TransferFailure),
}

impl From<TransferFailure> for TransferEnd {
    fn from(failure: TransferFailure) -> Self {
        Self::Failed(failure)
    }
}

/// A run of a transfer, and the state that its steps share.
pub(crate) struct TransferRun {
    pub(crate) shared: Arc<RunContext>,
    pub(crate) client: HttpClient,
    pub(crate) spec: TransferSpec,
    pub(crate) counters: Arc<ByteCounters>,
    pub(crate) meter: Arc<ThroughputMeter>,
    pub(crate) stop: CancellationToken,
    pub(crate) claim: Mutex<ByteReservation>,
    /// Response that arrived before the run was started, if any.
    first: Option<Response>,
    ack: Option<oneshot::Receiver<()>>,
    /// Metalink entry of the file, set once the Metalink was requested.
    described: OnceCell<Option<MetalinkFile>>,
    /// Whether mirrors sent parts of the file.
    ///
    /// Only samples of a mirror's bytes are compared.
    is_mixed: bool,
}

/// Remaining work on a file, and the sources among which it may be divided.
pub(crate) struct ShareableResult {
    pub(crate) plan: SegmentPlan,
    /// Complete size, set only if several connections may fetch the file.
    shared_size: Option<u64>,
    sources: MirrorSources,
    pub(crate) part: Arc<PartialFile>,
}

/// Result of finishing a file.
pub(crate) enum FinishedRun {
    Completed(CompletedTransfer),
    /// These bytes are wrong and must be fetched again.
    Wrong(PartialState, Vec<Range<u64>>),
    /// Adjacent pieces of different connections do not match.
    Torn(PartialState),
    /// The partial file was removed.
    Vanished,
}

impl TransferRun {
    /// Creates a run of `spec` with `client`.
    ///
    /// The run updates `counters`, is limited by `meter`, and ends when `stop` is cancelled. The response `first`, if
    /// any, replaces the first request.
    pub fn new(
        shared: Arc<RunContext>,
        client: HttpClient,
        (spec, first): (TransferSpec, Option<Response>),
        counters: Arc<ByteCounters>,
        meter: Arc<ThroughputMeter>,
        stop: CancellationToken,
    ) -> Self {
        let claim = Mutex::new(ByteReservation::on(spec.allowance.clone(), spec.hold.clone()));
        Self { shared, client, spec, counters, meter, stop, claim, first, ack: None, described: OnceCell::new(), is_mixed: false }
    }

    /// Runs the transfer to its end and returns the outcome.
    pub async fn run(mut self) -> TransferOutcome {
        failpoint::hit("transfer.started");
        let result = match self.spec.method {
            Method::GET => {
                let Self { shared, client, spec, counters, meter, stop, claim, first, .. } = &mut self;
                let claim = claim.get_mut().unwrap_or_else(PoisonError::into_inner);
                match small_file::fetch(shared, client, (spec, first.take()), counters, meter, stop, claim).await {
                    SmallFileAttempt::Landed(completed) => Ok(completed),
                    // Box the large future, so that no memory for it is allocated for small files.
                    SmallFileAttempt::Not(answered) => Box::pin(self.download(answered)).await,
                    SmallFileAttempt::Stopped => Err(TransferEnd::Stopped),
                    SmallFileAttempt::Failed(failure) => Err(TransferEnd::Failed(failure)),
                }
            }
            _ => Box::pin(self.upload()).await,
        };
        let outcome = match result {
            Ok(completed) => {
                self.claim().commit();
                TransferOutcome::Completed(completed)
            }
            Err(TransferEnd::Stopped) => TransferOutcome::Stopped {
                bytes: self.counters.durable.load(Ordering::Acquire),
                sent: self.counters.uploaded.load(Ordering::Acquire),
            },
            Err(TransferEnd::Failed(failure)) => {
                let (guid, kind) = (self.spec.guid, failure.kind.code());
                tracing::info!(%guid, kind, detail = failure.detail, "transfer failed");
                TransferOutcome::Failed { failure, bytes: self.counters.durable.load(Ordering::Acquire) }
            }
        };
        failpoint::hit("transfer.before-done");
        outcome
    }

    /// Returns the remaining work on `held` and the sources among which it may be divided.
    ///
    /// `response` is the current response, received from `url`.
    pub(crate) fn plan(&self, held: &PartialState, response: &reqwest::Response, url: &Url) -> ShareableResult {
        let config = self.client.config();
        let lead = response_head::validators(response.headers());
        let known = if self.is_own(held, url) { held.record.validators.clone() } else { lead.clone() };
        let missing = held.record.total.unwrap_or_default().saturating_sub(held.have.count());
        let ranges = response.headers().get(ACCEPT_RANGES).map(http::HeaderValue::as_bytes);
        let may_share = self.spec.method == Method::GET
            && held.record.may_resume
            && response.version() < http::Version::HTTP_2
            && ranges.is_none_or(|ranges| !ranges.eq_ignore_ascii_case(b"none"))
            && known.is_same_by_strong(&lead)
            && missing >= config.least_shared
            && self.shared.hosts.may_do_ranges(url);
        // Validators of different servers are not comparable, and samples prove nothing about the other bytes. Combine
        // bytes of several servers only if a digest of the finished file verifies them.
        let is_vouched_for = self.spec.expected_of(&held.record.head).says_all();
        let promised = self.spec.promised(&held.record.head).mirrors;
        let others = std::iter::once(self.spec.url.clone()).chain(self.spec.mirrors.iter().cloned()).chain(promised);
        ShareableResult {
            plan: SegmentPlan::new(&held.have, held.record.total, config.least_split),
            shared_size: held.record.total.filter(|_| may_share),
            sources: MirrorSources::new(
                url.clone(),
                known,
                others.filter(|_| is_vouched_for),
                self.spec.digests(Some(&held.record.head)),
            ),
            part: held.part.clone(),
        }
    }

    /// Whether the metadata of `held` came from `url`.
    ///
    /// `false` if `url` is a mirror, or if the user has replaced the link.
    pub(crate) fn is_own(&self, held: &PartialState, url: &Url) -> bool {
        *url == self.spec.url && held.record.url == self.spec.url.as_str()
    }

    pub(crate) fn start(&self, mut held: PartialState) -> PartialWriter {
        let config = self.client.config();
        held.has_checksums &= config.checksums;
        held.reserve_after = config.reserve_after;
        PartialWriter::start(held, self.counters.clone(), config.checkpoint_bytes)
    }

    /// Gives up a wrong file that cannot be repaired; fails with `why`.
    pub(crate) async fn give_up_on<T>(&self, held: PartialState, why: TransferFailure) -> Result<T, TransferEnd> {
        let path = held.part.path().to_owned();
        self.counters.durable.store(0, Ordering::Release);
        // Remove the partial file, so that a retry does not finish the same wrong bytes again.
        blocking(move || crate::partial::part::remove_begun(&path))
            .await?
            .map_err(|error| TransferFailure::of_target(&error, "tidying up"))?;
        Err(why.into())
    }

    pub(crate) fn claim(&self) -> MutexGuard<'_, ByteReservation> {
        self.claim.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request and returns the response; ends with `Stopped` on cancellation.
    pub(crate) async fn ask(
        &self,
        url: &Url,
        span: Option<ByteSpan>,
        source: Option<&UploadSource>,
    ) -> Result<Response, TransferEnd> {
        failpoint::hit(if span.is_some() { "transfer.resume-asked" } else { "transfer.request-sent" });
        let ask = exchange::ask(&self.client, &self.spec, url, span, source);
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(TransferEnd::Stopped),
            answered = ask => Ok(answered?),
        }
    }

    /// Begins the file with this response.
    ///
    /// Checks the response, emits its head and opens the partial file. If `previous` cannot be resumed, `restart`
    /// contains the reason.
    pub(crate) async fn begin(
        &mut self,
        previous: Option<PartialState>,
        answered: Response,
        url: &Url,
        restart: Option<TransferRestart>,
    ) -> Result<(PartialWriter, (ShareableResult, LeadingResponse)), TransferEnd> {
        let Response { response, .. } = &answered;
        let status = response.status();
        let answer = response_head::answer_of(response);
        let (is_download, is_head) = (self.spec.method == Method::GET, self.spec.method == Method::HEAD);
        let claimed = if is_download { response_claim::plain(&answer) } else { PlainClaim::Whole };
        if !status.is_success() || claimed == PlainClaim::NoFile {
            return Err(bad_status(&answered, previous.as_ref().map_or(0, |held| held.have.count())).into());
        }
        let headers = response.headers();
        let held = previous.as_ref().map(|held| &held.record.head);
        if self.is_a_page(held, &answered) {
            return Err(web_page().into());
        }
        if restart.is_some_and(|restart| restart.why == RestartReason::NoRanges) {
            // Record this only for a response with the file itself: a web page in its place proves nothing about
            // ranges.
            self.shared.hosts.without_ranges(url.clone());
        }
        let (reach, length) = match claimed {
            PlainClaim::Beginning { reach, complete } => (reach, Some(complete)),
            PlainClaim::Useless(why) => {
                let fault = Some(FailureCause::Part);
                return Err(TransferFailure { fault, ..TransferFailure::new(FailureKind::Protocol, why) }.into());
            }
            // The `Content-Length` of a HEAD response is that of a GET response (RFC 9110, section 9.3.2), so expect no
            // bytes.
            _ if is_head => (u64::MAX, Some(0)),
            PlainClaim::Whole | PlainClaim::Unverified | PlainClaim::NoFile => (u64::MAX, length(response)),
        };
        let mut head = answered.head(length, self.spec.name.as_deref());
        if let Some(held) = held.filter(|_| *url != self.spec.url) {
            // The mirror replaces the first address, so keep the digests that the first address promised.
            head.headers.extend(self.spec.promised(held).digests.iter().map(digest_headers::promise));
        }
        let codings = if is_head { Vec::new() } else { content_encoding::codings(headers, &head.name) };
        // The stated length counts encoded bytes; the decoded length is unknown.
        let length = length.filter(|_| codings.is_empty());
        head.total_size = length;
        let known = previous.as_ref().filter(|held| self.is_own(held, url)).map(|held| &held.record);
        // If the stated length was never reached and the new length is the offset at which those bodies ended, the
        // stated length was wrong.
        let known = known.filter(|known| length.is_none() || known.short_end.map(|(at, _)| at) != length);
        let fits = known.map_or(RestartCause::Fits, |known| {
            resume_validation::anew(&known.validators, known.total, &answer.validators, length)
        });
        // If a server states the same different length in two runs, the file has changed despite its validator, and the
        // earlier bytes are useless. After the first run, it is unknown which of the two lengths is correct.
        let is_repeated = fits == RestartCause::Contradiction && known.is_some_and(|known| known.contradicted == length);
        if fits == RestartCause::Contradiction && !is_repeated {
            return self.contradict(previous, length).await;
        }
        let record = JournalRecord {
            guid: self.spec.guid,
            method: self.spec.method.to_string(),
            url: self.spec.url.to_string(),
            head: head.clone(),
            validators: answer.validators,
            total: length,
            may_resume: !answer.is_encoded && is_download,
            durable: ByteRanges::default(),
            seams: Vec::new(),
            begun: Vec::new(),
            resumed: false,
            by_overlap: false,
            is_unmeasured: (claimed == PlainClaim::Unverified || fits != RestartCause::Fits) && self.spec.expected.size.is_none(),
            restarts: previous.as_ref().map_or(0, |held| held.record.restarts),
            short_end: previous.as_ref().and_then(|held| held.record.short_end),
            contradicted: None,
            placing: None,
        };
        if let (Some(expected), Some(length)) = (self.spec.expected.size, length)
            && expected != length
        {
            let text = format!("{expected} bytes were expected, and {length} are offered");
            return Err(TransferFailure::new(FailureKind::WrongSize, text).into());
        }
        // Bytes of an earlier response are not part of this file.
        self.claim().release();
        // Do not read a body that exceeds the declared budget.
        self.claim().declare(length.unwrap_or_default())?;
        let follower = self.spec.follower(&head);
        let keeps_journal = is_download;

        let (folder, target) = (self.spec.folder.clone(), self.spec.folder.clone());
        let (name, tag) = (head.name.clone(), self.spec.guid.tag());
        let promises = self.shared.promises.clone();
        let held = blocking(move || {
            let opened = std::fs::File::open(&target);
            let opened = opened.map_err(|error| TransferFailure::of_target(&error, "opening the folder"))?;
            let mut previous = previous;
            if let Some(previous) = &mut previous {
                previous.give_space_back();
            }
            // Check this before a partial file is created or an earlier one is replaced.
            length.map_or(Ok(()), |length| size_limit::fits(&opened, length))?;
            let promise = match (length, VolumeSpace::from_file(&opened), opened.metadata()) {
                (Some(length), Ok(room), Ok(folder)) => Some(promises.make(folder.dev(), length, room.free)?),
                _ => None,
            };
            let held = match previous {
                Some(previous) => previous.begin_again(record, follower),
                // By now, earlier partial files of this transfer have been removed.
                None => PartialFile::create_beside(&folder, &name, &tag)
                    .map(|part| PartialState::fresh(part, record, follower, keeps_journal)),
            };
            let mut held = held.map_err(|error| TransferFailure::of_target(&error, "making the partial"))?;
            held.promise = promise;
            Ok::<_, TransferFailure>(held)
        });
        let held = held.await??;
        self.counters.hold(0, length);
        self.counters.prefix.store(0, Ordering::Release);
        self.counters.durable.store(0, Ordering::Release);
        self.described = OnceCell::new();
        self.shared.index.add(self.spec.guid, held.part.path());
        self.send_head(head, restart);
        failpoint::hit("transfer.head-told");
        let plan = self.plan(&held, &answered.response, url);
        let body = content_encoding::body(answered.response, &codings, self.meter.gate(&answered.chain));
        Ok((self.start(held), (plan, LeadingResponse { body, overlap: Vec::new(), reach })))
    }

    /// Whether the response looks like a web page although a file was promised.
    ///
    /// `held` is the head that began the bytes on disk, if any.
    pub(crate) fn is_a_page(&self, held: Option<&ResponseSummary>, Response { response, chain, .. }: &Response) -> bool {
        let came = response_head::came(&self.spec, held, response.headers(), chain, length(response));
        self.spec.method == Method::GET && html_detection::is_instead_of_a_file(&came)
    }

    pub(crate) fn send_head(&mut self, head: ResponseSummary, restart: Option<TransferRestart>) {
        let (stored, ack) = oneshot::channel();
        self.ack = Some(ack);
        // If the caller is gone, dropping the event also drops the acknowledgement channel, which stops the run.
        let _ = self.shared.events.send(TransferEvent::Head { guid: self.spec.guid, head, restart, stored });
    }

    /// Writes the response body and the bodies of joining connections, then closes the writer.
    ///
    /// Bytes of a connection that broke are made durable as far as possible.
    pub(crate) async fn stream_into(
        &mut self,
        writer: PartialWriter,
        (work, lead): (ShareableResult, LeadingResponse),
    ) -> Result<(PartialState, SegmentEnd, bool), TransferEnd> {
        let ShareableResult { plan, shared_size, sources, part } = work;
        let client = self.client.of_a_single_one();
        let fetch = SegmentedFetch {
            shared: &self.shared,
            client: &client,
            spec: &self.spec,
            counters: &self.counters,
            meter: &self.meter,
            stop: &self.stop,
            ack: &mut self.ack,
            claim: &self.claim,
            writer: &writer,
            part,
            sources: &sources,
            plan,
            shared_size,
        };
        let FetchedFile { ended, ranges_work, is_unverified } = fetch.run(lead).await;
        self.is_mixed |= sources.are_mixed();
        let (mut held, written) = writer.close().await?;
        held.record.is_unmeasured |= is_unverified && self.spec.expected.size.is_none();
        if held.is_torn {
            // This server sends wrong ranges, so do not request ranges from it again soon.
            self.shared.hosts.without_ranges(sources.first());
            return Ok((held, SegmentEnd::Differs, false));
        }
        let part = held.part.clone();
        if !blocking(move || part.is_in_place()).await? {
            self.vanished(&held).await?;
            let ended = if matches!(ended, SegmentEnd::Stopped) { ended } else { SegmentEnd::Vanished };
            return Ok((held, ended, false));
        }
        let is_whole = matches!(ended, SegmentEnd::Cleanly) && (held.record.total.is_none() || held.is_whole());
        if written.is_err() || !(is_whole || matches!(ended, SegmentEnd::Differs)) {
            held = self.save(held).await?;
        }
        written?;
        Ok((held, ended, ranges_work))
    }

    /// Disowns a partial file that is no longer at its path.
    ///
    /// The bytes that its journal claims are gone, and a file at that path belongs to another program.
    async fn vanished(&self, held: &PartialState) -> Result<(), TransferFailure> {
        let journal = crate::partial::part::journal_of(held.part.path());
        let _ = blocking(move || std::fs::remove_file(journal)).await?;
        self.shared.index.disown(self.spec.guid, held.part.path());
        self.counters.durable.store(0, Ordering::Release);
        Ok(())
    }

    /// Makes the received bytes durable at the end of a run, as far as possible.
    ///
    /// Removes the partial file if no later run could resume it.
    pub(crate) async fn save(&self, held: PartialState) -> Result<PartialState, TransferFailure> {
        let (mut held, saved) = self.checkpoint(held).await?;
        held = blocking(move || {
            held.give_space_back();
            if !held.has_journal() && held.part.is_in_place() {
                let _ = crate::partial::part::remove_begun(held.part.path());
            }
            held
        })
        .await?;
        saved.map(|()| held)
    }

    /// Makes the received bytes durable if another run could resume from them.
    pub(crate) async fn checkpoint(
        &self,
        mut held: PartialState,
    ) -> Result<(PartialState, Result<(), TransferFailure>), TransferFailure> {
        let counters = self.counters.clone();
        blocking(move || {
            let saved = if held.record.may_resume { held.checkpoint() } else { Ok(()) };
            counters.durable.store(held.durable(), Ordering::Release);
            (held, saved)
        })
        .await
    }

    /// Verifies a complete file, waits for the caller's acknowledgement and places it.
    pub(crate) async fn finish(&mut self, mut held: PartialState) -> Result<FinishedRun, TransferEnd> {
        failpoint::hit("transfer.all-bytes");
        if let Some(expected) = self.spec.expected.size.filter(|expected| *expected != held.have.end()) {
            let text = format!("{expected} bytes were expected, and {} came", held.have.end());
            return self.give_up_on(held, TransferFailure::new(FailureKind::WrongSize, text)).await;
        }
        let mut expected = self.spec.expected_of(&held.record.head);
        if !expected.says_all() {
            let Some(described) = self.described(&held).await else { return self.stopped_at_the_end(held).await };
            if let Some(described) = described {
                expected = expected.and(described);
                held.follower = StreamHasher::new(&expected.algorithms(), expected.pieces.clone());
            }
        }
        let (wanted, stop, counters) = (expected.clone(), self.stop.clone(), self.counters.clone());
        let (held, checked) = blocking(move || finalize::check(held, &wanted, &stop, &counters)).await?;
        let digests = match checked? {
            FinalCheck::Right(digests) => digests,
            FinalCheck::Wrong(ranges) => return Ok(FinishedRun::Wrong(held, ranges)),
            FinalCheck::Differs { expected, found } => return self.repair(held, &expected, &found).await,
            FinalCheck::Torn => return Ok(FinishedRun::Torn(held)),
            FinalCheck::Stopped => return self.stopped_at_the_end(held).await,
        };
        failpoint::hit("transfer.digest-checked");
        let _ = self.shared.events.send(TransferEvent::Fetched { guid: self.spec.guid });
        if let Some(ack) = self.ack.take() {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return self.stopped_at_the_end(held).await,
                answered = ack => if answered.is_err() { return self.stopped_at_the_end(held).await },
            }
        }
        failpoint::hit("transfer.head-stored");
        let verified = if expected.says_all() { Verification::ByDigest } else { held.record.verified() };
        let size = held.have.end();
        let computed = digests.iter().find(|digest| expected.compute == Some(digest.algorithm)).cloned();
        let digest = expected.strongest().cloned();
        let keeps_nothing = has_no_body_by(held.record.head.status) || (size == 0 && self.spec.method != Method::GET);
        let origin = self.spec.url.clone();
        let completed =
            |path, missing| FinishedRun::Completed(CompletedTransfer { path, size, verified, digest, computed, missing });
        if keeps_nothing {
            blocking(move || finalize::drop_part(&held)).await??;
            return Ok(completed(None, Vec::new()));
        }
        let (held, placed) = blocking(move || finalize::place(held, &origin)).await?;
        match placed? {
            PlacedFile::At(published) => Ok(completed(Some(published.path), published.missing)),
            PlacedFile::Wrong(ranges) => Ok(FinishedRun::Wrong(held, ranges)),
            PlacedFile::Gone => {
                self.vanished(&held).await?;
                Ok(FinishedRun::Vanished)
            }
        }
    }

    /// Handles a wrong digest of the whole file. A Metalink with digests of pieces may show which parts are wrong.
    async fn repair(
        &mut self,
        held: PartialState,
        expected: &FileDigest,
        found: &FileDigest,
    ) -> Result<FinishedRun, TransferEnd> {
        let Some(described) = self.described(&held).await else { return self.stopped_at_the_end(held).await };
        let described = described.filter(|file| file.digests.contains(expected));
        let (mut held, mut wrong) = (held, Vec::new());
        if let Some(pieces) = described.and_then(|file| file.pieces) {
            let stop = self.stop.clone();
            let (looked_at, located) = blocking(move || finalize::locate(held, pieces, &stop)).await?;
            held = looked_at;
            match located? {
                FinalCheck::Wrong(ranges) => wrong = ranges,
                _ => return self.stopped_at_the_end(held).await,
            }
        }
        match wrong.is_empty() {
            // Mixed bytes of mirrors may be the cause. The file's own address, without mirrors, may still serve the
            // correct bytes.
            true if std::mem::take(&mut self.is_mixed) => Ok(FinishedRun::Torn(held)),
            true => {
                let text = format!("expected {expected}, found {found}");
                self.give_up_on(held, TransferFailure::new(FailureKind::DigestMismatch, text)).await
            }
            false => Ok(FinishedRun::Wrong(held, wrong)),
        }
    }

    /// Returns the Metalink entry of the file; the response of `held` links to the Metalink.
    ///
    /// The inner value is `None` if there is no entry. The outer value is `None` if the run was stopped in the
    /// meantime. The Metalink is requested only once.
    async fn described(&self, held: &PartialState) -> Option<Option<MetalinkFile>> {
        let read = || described(&self.client, &self.spec, &self.meter, &held.record.head, held.have.end());
        self.stop.run_until_cancelled(self.described.get_or_init(read)).await.cloned()
    }

    async fn stopped_at_the_end(&self, held: PartialState) -> Result<FinishedRun, TransferEnd> {
        self.save(held).await?;
        Err(TransferEnd::Stopped)
    }

    /// Returns the identity of the target folder; `None` if it does not exist.
    pub(crate) async fn home(&self) -> Result<Option<InodeKey>, TransferFailure> {
        let folder = self.spec.folder.clone();
        blocking(move || std::fs::metadata(folder).ok().map(|found| inode_of(&found))).await
    }

    /// Returns the state of this transfer on disk.
    ///
    /// Fails if the folder is missing, is not a folder or cannot be read.
    pub(crate) async fn on_disk(&self) -> Result<LoadedPartial, TransferFailure> {
        let (shared, spec) = (self.shared.clone(), self.spec.clone());
        let (stop, counters) = (self.stop.clone(), self.counters.clone());
        blocking(move || on_disk(&shared, &spec, &stop, &counters)).await?
    }
}

/// Runs `work` on a thread that may block. Dropping the future does not stop `work`.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, TransferFailure> {
    joined(disk::spawn(work)).await
}

pub(crate) fn web_page() -> TransferFailure {
    TransferFailure::new(FailureKind::WebPage, "a web page where a file was promised")
}
