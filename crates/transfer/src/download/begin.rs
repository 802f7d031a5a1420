//! Begins to download a file from a response.
//!
//! Checks the head of the response, creates the partial file, and emits the head. Called by `resume_loop` and `upload`.

use std::{os::unix::fs::MetadataExt as _, sync::atomic::Ordering};

use http::Method;
use tokio::sync::OnceCell;
use url::Url;

use crate::{
    download::{
        connections::LeadingResponse,
        run::{ShareableResult, TransferEnd, TransferRun, blocking, web_page},
    },
    failpoint,
    http::{
        content_encoding::{self, ContentCoding},
        content_range::RangeAnswer,
        digest_headers,
        exchange::{Response, bad_status},
        response_claim::{self, PlainClaim},
        response_head::{self, length},
        resume_validation::{self, RestartCause},
    },
    model::{
        event::ResponseSummary,
        failure::TransferFailure,
        failure_kind::{FailureCause, FailureKind},
        outcome::{RestartReason, TransferRestart},
        validators::Validators,
    },
    partial::{
        journal::JournalRecord,
        part::{PartialFile, VolumeSpace},
        size_limit,
        state::PartialState,
        writer::PartialWriter,
    },
    plan::byte_ranges::ByteRanges,
};

/// File that a response offers.
struct OfferedFile {
    head: ResponseSummary,
    validators: Validators,
    /// Content codings of the body. The coding that was applied last comes first.
    codings: Vec<ContentCoding>,
    /// Length of the decoded file, if it is known.
    length: Option<u64>,
    /// Offset in the file at which the response ends, exclusive.
    reach: u64,
    /// Whether the length of the response is missing or cannot be verified.
    is_unverified: bool,
    /// Whether a later response can continue this one after an interruption.
    may_resume: bool,
}

impl TransferRun {
    /// Begins to download a file from this response.
    ///
    /// Checks the response, emits its head and opens the partial file. If `previous` cannot be resumed, `restart`
    /// contains the reason.
    pub(super) async fn begin(
        &mut self,
        previous: Option<PartialState>,
        answered: Response,
        url: &Url,
        restart: Option<TransferRestart>,
    ) -> Result<(PartialWriter, (ShareableResult, LeadingResponse)), TransferEnd> {
        let answer = response_head::answer_of(&answered.response);
        let is_download = self.spec.method == Method::GET;
        let claimed = if is_download { response_claim::plain(&answer) } else { PlainClaim::Whole };
        self.check_is_file(previous.as_ref(), &answered, &claimed)?;
        if restart.is_some_and(|restart| restart.why == RestartReason::NoRanges) {
            // Record missing range support only if the response contains the file itself. An error page proves nothing
            // about ranges.
            self.shared.hosts.without_ranges(url.clone());
        }
        let offer = self.offer(previous.as_ref(), &answered, url, (answer, claimed))?;
        let length = offer.length;
        let (fits, is_repeated) = self.compare_offer(previous.as_ref(), url, &offer);
        if fits == RestartCause::Contradiction && !is_repeated {
            return self.contradict(previous, length).await;
        }
        let record = self.first_record(previous.as_ref(), &offer, fits);
        if let (Some(expected), Some(length)) = (self.spec.expected.size, length)
            && expected != length
        {
            let text = format!("{expected} bytes were expected, and {length} are offered");
            return Err(TransferFailure::new(FailureKind::WrongSize, text).into());
        }
        // The download of the file starts again, so release the bytes that the earlier response has reserved in the
        // budget.
        self.claim().release();
        // Fail before receiving a body that would exceed the declared budget.
        self.claim().declare(length.unwrap_or_default())?;
        let held = self.make_partial(previous, record).await?;
        self.counters.hold(0, length);
        self.counters.prefix.store(0, Ordering::Release);
        self.counters.durable.store(0, Ordering::Release);
        self.described = OnceCell::new();
        self.shared.index.add(self.spec.guid, held.part.path());
        self.send_head(offer.head, restart);
        failpoint::hit("transfer.head-told");
        let plan = self.plan(&held, &answered.response, url);
        let body = content_encoding::body(answered.response, &offer.codings, self.meter.gate(&answered.chain));
        Ok((self.start(held), (plan, LeadingResponse { body, overlap: Vec::new(), reach: offer.reach })))
    }

    /// Fails if the response is an error, has no file, or is a web page instead of the file.
    fn check_is_file(
        &self,
        previous: Option<&PartialState>,
        answered: &Response,
        claimed: &PlainClaim,
    ) -> Result<(), TransferFailure> {
        if !answered.response.status().is_success() || *claimed == PlainClaim::NoFile {
            return Err(bad_status(answered, previous.map_or(0, |held| held.have.count())));
        }
        match self.is_a_page(previous.map(|held| &held.record.head), answered) {
            true => Err(web_page()),
            false => Ok(()),
        }
    }

    /// Returns the file that the response offers.
    ///
    /// Fails with `Protocol` if the response contains only a part of the file, and the download cannot begin with this
    /// part.
    fn offer(
        &self,
        previous: Option<&PartialState>,
        answered: &Response,
        url: &Url,
        (answer, claimed): (RangeAnswer, PlainClaim),
    ) -> Result<OfferedFile, TransferFailure> {
        let Response { response, .. } = answered;
        let (is_download, is_head) = (self.spec.method == Method::GET, self.spec.method == Method::HEAD);
        let is_unverified = claimed == PlainClaim::Unverified;
        let (reach, length) = match claimed {
            PlainClaim::Beginning { reach, complete } => (reach, Some(complete)),
            PlainClaim::Useless(why) => {
                let fault = Some(FailureCause::Part);
                return Err(TransferFailure { fault, ..TransferFailure::new(FailureKind::Protocol, why) });
            }
            // `Content-Length` of a HEAD response describes the GET response (RFC 9110, section 9.3.2), so expect no
            // bytes.
            _ if is_head => (u64::MAX, Some(0)),
            PlainClaim::Whole | PlainClaim::Unverified | PlainClaim::NoFile => (u64::MAX, length(response)),
        };
        let mut head = answered.head(length, self.spec.name.as_deref());
        if let Some(held) = previous.filter(|_| *url != self.spec.url) {
            // A mirror replaces the first address here. Keep the digests that the first address promised.
            head.headers.extend(self.spec.promised(&held.record.head).digests.iter().map(digest_headers::promise));
        }
        let codings = if is_head { Vec::new() } else { content_encoding::codings(response.headers(), &head.name) };
        // The stated length counts encoded bytes. The decoded length is unknown.
        let length = length.filter(|_| codings.is_empty());
        head.total_size = length;
        let may_resume = !answer.is_encoded && is_download;
        Ok(OfferedFile { head, validators: answer.validators, codings, length, reach, is_unverified, may_resume })
    }

    /// Compares the offered file with the bytes on disk.
    ///
    /// Also returns whether an earlier run ended because of the same contradiction.
    fn compare_offer(&self, previous: Option<&PartialState>, url: &Url, offer: &OfferedFile) -> (RestartCause, bool) {
        let length = offer.length;
        let known = previous.filter(|held| self.is_own(held, url)).map(|held| &held.record);
        // Ignore the recorded length if all earlier bodies ended early, at exactly the offset that the server now
        // states as the length.
        let known = known.filter(|known| length.is_none() || known.short_end.map(|(at, _)| at) != length);
        let fits = known.map_or(RestartCause::Fits, |known| {
            resume_validation::anew(&known.validators, known.total, &offer.validators, length)
        });
        // After one run, it is unknown which of the two contradicting lengths is correct. If a second run gets the same
        // new length, the file has changed without a new validator, and the earlier bytes are useless.
        let is_repeated = fits == RestartCause::Contradiction && known.is_some_and(|known| known.contradicted == length);
        (fits, is_repeated)
    }

    /// Returns the first journal record of the offered file.
    fn first_record(&self, previous: Option<&PartialState>, offer: &OfferedFile, fits: RestartCause) -> JournalRecord {
        JournalRecord {
            guid: self.spec.guid,
            method: self.spec.method.to_string(),
            url: self.spec.url.to_string(),
            head: offer.head.clone(),
            validators: offer.validators.clone(),
            total: offer.length,
            may_resume: offer.may_resume,
            durable: ByteRanges::default(),
            seams: Vec::new(),
            begun: Vec::new(),
            resumed: false,
            by_overlap: false,
            is_unmeasured: (offer.is_unverified || fits != RestartCause::Fits) && self.spec.expected.size.is_none(),
            restarts: previous.map_or(0, |held| held.record.restarts),
            short_end: previous.and_then(|held| held.record.short_end),
            contradicted: None,
            placing: None,
        }
    }

    /// Creates an empty partial file with this journal record.
    ///
    /// The new file replaces `previous`, if there is one. Fails if the folder cannot be opened, the file system cannot
    /// store a file of that length, or there is not enough space.
    async fn make_partial(&self, previous: Option<PartialState>, record: JournalRecord) -> Result<PartialState, TransferFailure> {
        let length = record.total;
        let follower = self.spec.follower(&record.head);
        let keeps_journal = self.spec.method == Method::GET;
        let folder = self.spec.folder.clone();
        let (name, tag) = (record.head.name.clone(), self.spec.guid.tag());
        let promises = self.shared.promises.clone();
        blocking(move || {
            let opened = std::fs::File::open(&folder);
            let opened = opened.map_err(|error| TransferFailure::of_target(&error, "opening the folder"))?;
            let mut previous = previous;
            if let Some(previous) = &mut previous {
                previous.give_space_back();
            }
            // Check the size limit before creating a partial file or replacing an earlier one.
            length.map_or(Ok(()), |length| size_limit::fits(&opened, length))?;
            let promise = match (length, VolumeSpace::from_file(&opened), opened.metadata()) {
                (Some(length), Ok(room), Ok(folder)) => Some(promises.make(folder.dev(), length, room.free)?),
                _ => None,
            };
            let held = match previous {
                Some(previous) => previous.begin_again(record, follower),
                // All earlier partial files of this transfer are already removed here.
                None => PartialFile::create_beside(&folder, &name, &tag)
                    .map(|part| PartialState::fresh(part, record, follower, keeps_journal)),
            };
            let mut held = held.map_err(|error| TransferFailure::of_target(&error, "making the partial"))?;
            held.promise = promise;
            Ok(held)
        })
        .await?
    }
}
