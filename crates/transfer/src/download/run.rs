//! Runs a transfer from its state on disk to a placed file, or to a failure with its reason.
//!
//! This module contains the steps that downloads and uploads share: sending the request, writing the response into the
//! file, and making the bytes durable. `begin` and `finish` contain the first and the last steps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering};

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
        segment::SegmentEnd,
        small_file::{self, SmallFileAttempt},
    },
    failpoint,
    http::{
        client::HttpClient,
        exchange::{self, ByteSpan, Response},
        html_detection,
        response_head::{self, length},
        upload_body::UploadSource,
    },
    integrity::metalink::MetalinkFile,
    model::{
        byte_budget::ByteReservation,
        event::{ResponseSummary, TransferEvent},
        failure::TransferFailure,
        failure_kind::FailureKind,
        outcome::{TransferOutcome, TransferRestart},
        spec::TransferSpec,
    },
    partial::{
        hard_links::{InodeKey, inode_of},
        part::PartialFile,
        state::PartialState,
        writer::PartialWriter,
    },
    plan::{mirrors::MirrorSources, progress::ByteCounters, segment_plan::SegmentPlan},
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
    /// Response that arrived before the start of the run.
    first: Option<Response>,
    pub(super) ack: Option<oneshot::Receiver<()>>,
    /// Metalink entry of the file. Set after the request for the Metalink.
    pub(super) described: OnceCell<Option<MetalinkFile>>,
    /// Whether mirrors sent parts of the file.
    ///
    /// Such a file may contain wrong bytes, because only samples of a mirror's bytes are compared.
    pub(super) is_mixed: bool,
}

/// Remaining work on a file, and the sources that may share this work.
pub(crate) struct ShareableResult {
    pub(crate) plan: SegmentPlan,
    /// Complete size of the file. `None` if only one connection may fetch the file.
    shared_size: Option<u64>,
    sources: MirrorSources,
    pub(crate) part: Arc<PartialFile>,
}

impl TransferRun {
    /// Creates a run of `spec` with `client`.
    ///
    /// The run updates `counters`, is limited by `meter`, and ends when `stop` is cancelled. If `first` is a response,
    /// it replaces the first request.
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
                    // Box the large future only here: small files then need no allocation for it.
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

    /// Returns the remaining work on `held`, and the sources that may share this work.
    ///
    /// `response` is the current response, from `url`.
    pub(crate) fn plan(&self, held: &PartialState, response: &reqwest::Response, url: &Url) -> ShareableResult {
        let config = self.client.config();
        let lead = response_head::validators(response.headers());
        let known = if self.is_own(held, url) { held.record.validators.clone() } else { lead.clone() };
        let total = held.record.total.unwrap_or_default();
        let missing = total.saturating_sub(held.have.count());
        let ranges = response.headers().get(ACCEPT_RANGES).map(http::HeaderValue::as_bytes);
        let may_share = self.spec.method == Method::GET
            && held.record.may_resume
            && response.version() < http::Version::HTTP_2
            && ranges.is_none_or(|ranges| !ranges.eq_ignore_ascii_case(b"none"))
            && known.is_same_by_strong(&lead)
            && config.justifies_sharing(total, missing)
            && self.shared.hosts.may_do_ranges(url);
        // Validators of different servers are not comparable, and samples prove nothing about other bytes. Combine
        // several servers only if a digest verifies the finished file.
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
    /// `false` if `url` is a mirror, or if the user has replaced the link since the file on disk was begun.
    pub(crate) fn is_own(&self, held: &PartialState, url: &Url) -> bool {
        *url == self.spec.url && held.record.url == self.spec.url.as_str()
    }

    pub(crate) fn start(&self, mut held: PartialState) -> PartialWriter {
        let config = self.client.config();
        held.has_checksums &= config.checksums;
        held.reserve_after = config.reserve_after;
        PartialWriter::start(held, self.counters.clone(), config.checkpoint_bytes)
    }

    /// Gives up a wrong file that cannot be repaired. Fails with `why`.
    pub(crate) async fn give_up_on<T>(&self, held: PartialState, why: TransferFailure) -> Result<T, TransferEnd> {
        let path = held.part.path().to_owned();
        self.counters.durable.store(0, Ordering::Release);
        // Remove the partial file, so that a retry does not complete the same wrong bytes.
        blocking(move || crate::partial::part::remove_begun(&path))
            .await?
            .map_err(|error| TransferFailure::of_target(&error, "tidying up"))?;
        Err(why.into())
    }

    pub(crate) fn claim(&self) -> MutexGuard<'_, ByteReservation> {
        self.claim.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request and returns the response. Fails with `Stopped` on cancellation.
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

    /// Whether the response looks like a web page although a file was promised.
    ///
    /// `held` is the head of the response that began the file on disk.
    pub(crate) fn is_a_page(&self, held: Option<&ResponseSummary>, Response { response, chain, .. }: &Response) -> bool {
        let came = response_head::came(&self.spec, held, response.headers(), chain, length(response));
        self.spec.method == Method::GET && html_detection::is_instead_of_a_file(&came)
    }

    pub(crate) fn send_head(&mut self, head: ResponseSummary, restart: Option<TransferRestart>) {
        let (stored, ack) = oneshot::channel();
        self.ack = Some(ack);
        // Without a receiver, the event and its acknowledgement channel are dropped. This stops the run.
        let _ = self.shared.events.send(TransferEvent::Head { guid: self.spec.guid, head, restart, stored });
    }

    /// Writes the body of the response and of all additional connections, then closes the writer.
    ///
    /// If a connection breaks, its bytes are made durable as far as possible.
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
            // This server sends wrong ranges, so do not request ranges from it for some time.
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

    /// Records that the partial file is no longer at its path.
    ///
    /// The bytes that are recorded in its journal are lost. If there is a file at that path now, it belongs to another
    /// program.
    pub(super) async fn vanished(&self, held: &PartialState) -> Result<(), TransferFailure> {
        let journal = crate::partial::part::journal_of(held.part.path());
        let _ = blocking(move || std::fs::remove_file(journal)).await?;
        self.shared.index.disown(self.spec.guid, held.part.path());
        self.counters.durable.store(0, Ordering::Release);
        Ok(())
    }

    /// Called at the end of a run. Makes the received bytes durable, as far as possible.
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

    /// Makes the received bytes durable if a later run can resume them.
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

    /// Returns the identity of the target folder, or `None` if the folder does not exist.
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
