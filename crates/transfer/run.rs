//! One run of one transfer: from what is on disk to a placed file, or to a plain reason why not.

use std::{
    sync::{Arc, atomic::Ordering},
    time::SystemTime,
};

use http::{Method, StatusCode};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::{
    crashpoint, filename, finish,
    found::{OnDisk, on_disk},
    identity::{self, ContentRange, Verdict},
    journal::Record,
    outcome::{Completed, Failure, FailureKind, Outcome, Verified},
    page,
    part::{self, Part, Room},
    plan::{self, Next, Ranges},
    probe,
    request::{self, Answered},
    segment::{Ended, Pour},
    service::{Counters, Event, Head, Shared},
    spec::{Claim, Spec},
    upload::Source,
    verify::Hasher,
    writer::{Held, Writer, joined},
};

/// Answers in a row that may bring next to nothing before the server is given up.
const MOST_LEAN_ANSWERS: u32 = 16;
/// What is next to nothing.
const LEAN: u64 = 64 << 10;

/// How often a file may have changed, over all runs, before it is given up.
const MOST_RESTARTS: u32 = 3;

/// Why a run ended before its file.
enum End {
    Stopped,
    Failed(Failure),
}

impl From<Failure> for End {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// One run.
pub(crate) struct Run {
    shared: Arc<Shared>,
    spec: Spec,
    counters: Arc<Counters>,
    stop: CancellationToken,
    claim: Claim,
    ack: Option<oneshot::Receiver<()>>,
}

/// What answered, as far as the rest of the run needs it.
struct Answer {
    response: reqwest::Response,
    /// What the body must begin with.
    overlap: Vec<u8>,
    /// How many bytes it is to have, overlap included.
    expected: Option<u64>,
}

impl Run {
    /// A run of `spec`, counted in `counters`, until `stop`.
    pub fn new(shared: Arc<Shared>, spec: Spec, counters: Arc<Counters>, stop: CancellationToken) -> Self {
        let claim = Claim::on(spec.allowance.clone());
        Self { shared, spec, counters, stop, claim, ack: None }
    }

    /// Runs to its end.
    pub async fn run(mut self) -> Outcome {
        crashpoint::hit("transfer.started");
        let result = match self.spec.method {
            Method::GET => self.download().await,
            _ => self.upload().await,
        };
        let outcome = match result {
            Ok(completed) => {
                self.claim.keep();
                Outcome::Completed(completed)
            }
            Err(End::Stopped) => Outcome::Stopped {
                bytes: self.counters.durable.load(Ordering::Acquire),
                sent: self.counters.uploaded.load(Ordering::Acquire),
            },
            Err(End::Failed(failure)) => {
                let (guid, kind) = (self.spec.guid, failure.kind.code());
                tracing::info!(%guid, kind, detail = failure.detail, "transfer failed");
                Outcome::Failed { failure, bytes: self.counters.durable.load(Ordering::Acquire) }
            }
        };
        crashpoint::hit("transfer.before-done");
        outcome
    }

    async fn download(&mut self) -> Result<Completed, End> {
        let mut held = match self.on_disk().await? {
            OnDisk::Placed(completed) => return Ok(completed),
            OnDisk::Nothing => None,
            OnDisk::Partial(held) => Some(*held),
        };
        if let Some(held) = &held {
            self.counters.hold(held.length, held.record.total);
            self.counters.durable.store(held.durable(), Ordering::Release);
            if !self.claim.take(held.length) {
                return Err(Failure::new(FailureKind::DownloadTotalExceeded, "more came than was declared").into());
            }
            // Told again: the run that heard it first may have ended before its caller wrote it down.
            self.tell(held.record.head.clone());
        }
        let mut begin_again = false;
        let mut restarted = false;
        let mut lean_answers = 0;
        loop {
            let next = match &held {
                Some(held) if !begin_again => plan::next(held.length, held.record.total),
                _ => Next::Whole,
            };
            let from = match next {
                Next::Nothing => match held {
                    Some(held) => return self.finish(held).await,
                    None => return Err(Failure::new(FailureKind::Internal, "nothing held and nothing missing").into()),
                },
                Next::Whole => None,
                Next::From { from, .. } => Some(from),
            };
            let answered = self.ask(from, None).await?;
            crashpoint::hit("transfer.head-received");
            let before = held.as_ref().map_or(0, |held| held.length);
            let (writer, answer) = match (from, held.take()) {
                (Some(from), Some(mut resumed)) => {
                    match self.judge(from, &mut resumed, &answered) {
                        Verdict::Join { last, complete } => {
                            crashpoint::hit("transfer.resume-judged");
                            let (resumed, overlap) = blocking(move || {
                                let overlap = resumed.overlap();
                                (resumed, overlap)
                            })
                            .await?;
                            let overlap = overlap.map_err(|error| Failure::of_disk(&error, "reading the partial"))?;
                            if complete.is_some() {
                                self.counters.set_total(complete);
                            }
                            let expected = Some(last - from + 1);
                            let answer = Answer { response: answered.response, overlap, expected };
                            (Writer::start(resumed, self.counters.clone()), answer)
                        }
                        Verdict::Complete => {
                            resumed.record.total = Some(resumed.length);
                            held = Some(resumed);
                            continue;
                        }
                        Verdict::Whole => self.begin(Some(resumed), answered, false).await?,
                        Verdict::Changed(why) | Verdict::Unusable(why) => {
                            held = Some(self.again(resumed, restarted, why).await?);
                            (begin_again, restarted) = (true, true);
                            continue;
                        }
                        Verdict::Refused => return Err(bad_status(&answered.response, before).into()),
                    }
                }
                (_, previous) => {
                    let begun = self.begin(previous, answered, begin_again).await?;
                    begin_again = false;
                    begun
                }
            };
            let is_resume = from.is_some() && !answer.overlap.is_empty();
            let (now, ended) = self.pour(writer, answer).await?;
            let now = match ended {
                Ended::Cleanly => now,
                Ended::Differs => {
                    held = Some(self.again(now, restarted, "the overlap differs").await?);
                    (begin_again, restarted) = (true, true);
                    continue;
                }
                Ended::Vanished if !restarted => {
                    tracing::info!(guid = %self.spec.guid, "begun again: the partial was taken away");
                    restarted = true;
                    continue;
                }
                Ended::Vanished => {
                    let text = "the partial was moved or deleted while it was written";
                    return Err(Failure::new(FailureKind::Target, text).into());
                }
                Ended::Stopped | Ended::WriterGone => return Err(End::Stopped),
                Ended::Failed(failure) => return Err(failure.into()),
            };
            let mut now = now;
            let gained = if is_resume { now.length - before } else { now.length };
            now.record.resumed |= is_resume;
            match now.record.total {
                Some(total) if now.length == total => {}
                // An answer without a known length that came to its end is the whole file; so is one that adds nothing.
                None if !is_resume || gained == 0 => {
                    now.record.total = Some(now.length);
                    self.counters.set_total(now.record.total);
                }
                _ if !is_resume => return Err(Failure::new(FailureKind::Truncated, "the body ended too early").into()),
                // A part may be shorter than asked: the rest is asked for, as long as it leads anywhere.
                _ if gained == 0 => {
                    held = Some(self.again(now, restarted, "a part without new bytes").await?);
                    (begin_again, restarted) = (true, true);
                    continue;
                }
                _ => {
                    lean_answers = if gained < LEAN { lean_answers + 1 } else { 0 };
                    if lean_answers > MOST_LEAN_ANSWERS {
                        return Err(Failure::new(FailureKind::Protocol, "the parts lead nowhere").into());
                    }
                }
            }
            held = Some(now);
        }
    }

    /// Decides to begin again because what is held cannot be gone on with: once in a run, a few times in a life.
    async fn again(&self, mut held: Held, restarted: bool, why: &'static str) -> Result<Held, End> {
        if !restarted && held.record.restarts < MOST_RESTARTS {
            tracing::info!(guid = %self.spec.guid, why, "begun again");
            return Ok(held);
        }
        // Somebody who tries it once more may begin anew as often.
        held.record.restarts = 0;
        let rewritten = blocking(move || held.rewrite_record()).await?;
        rewritten.map_err(|error| Failure::of_disk(&error, "writing the journal"))?;
        Err(Failure::new(FailureKind::ChangedOnServer, why).into())
    }

    async fn upload(&mut self) -> Result<Completed, End> {
        match self.on_disk().await? {
            OnDisk::Placed(completed) => return Ok(completed),
            OnDisk::Nothing => {}
            OnDisk::Partial(held) => {
                let path = held.part.path().to_owned();
                blocking(move || part::remove(&path)).await?.map_err(|error| Failure::of_target(&error, "tidying up"))?;
            }
        }
        let source = match &self.spec.body {
            Some(path) => Some(Source::open(path, self.counters.clone()).await?),
            None => None,
        };
        crashpoint::hit("transfer.upload-begun");
        let answered = self.ask(None, source.as_ref()).await?;
        crashpoint::hit("transfer.upload-answered");
        let result = self.keep_answer(answered).await;
        result.map_err(|end| match end {
            End::Failed(failure) => {
                End::Failed(Failure { sent: self.counters.uploaded.load(Ordering::Acquire), ..failure })
            }
            End::Stopped => End::Stopped,
        })
    }

    async fn keep_answer(&mut self, answered: Answered) -> Result<Completed, End> {
        let (writer, answer) = self.begin(None, answered, false).await?;
        let (mut held, ended) = self.pour(writer, answer).await?;
        match ended {
            Ended::Cleanly => {
                held.record.total = Some(held.length);
                self.finish(held).await
            }
            Ended::Failed(failure) => Err(failure.into()),
            Ended::Vanished => Err(Failure::new(FailureKind::Target, "the partial was moved or deleted").into()),
            Ended::Differs | Ended::Stopped | Ended::WriterGone => Err(End::Stopped),
        }
    }

    /// Asks, and stops asking when told to.
    async fn ask(&self, from: Option<u64>, source: Option<&Source>) -> Result<Answered, End> {
        crashpoint::hit(if from.is_some() { "transfer.resume-asked" } else { "transfer.request-sent" });
        let ask = request::ask(&self.shared.client, &self.shared.config, &self.spec, from, source);
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(End::Stopped),
            answered = ask => Ok(answered?),
        }
    }

    fn judge(&self, from: u64, held: &mut Held, answered: &Answered) -> Verdict {
        let status = answered.response.status().as_u16();
        let answer = probe::range_answer(status, answered.response.headers());
        let verdict = identity::judge(&held.record.validators, held.record.total, from, held.length, &answer);
        if let Verdict::Join { complete: Some(complete), .. } = verdict {
            if complete < held.length {
                return Verdict::Changed("the complete length is less than what is here");
            }
            held.record.total = Some(complete);
        }
        verdict
    }

    /// Begins the file anew with this answer: checks it, tells its head, and opens the partial.
    async fn begin(
        &mut self,
        previous: Option<Held>,
        answered: Answered,
        changed: bool,
    ) -> Result<(Writer, Answer), End> {
        let Answered { response, chain } = answered;
        let status = response.status();
        if !status.is_success() {
            return Err(bad_status(&response, previous.as_ref().map_or(0, |held| held.length)).into());
        }
        let headers = response.headers();
        let length = if has_no_body(status) { Some(0) } else { response.content_length() };
        let held = previous.as_ref().map(|held| &held.record.head);
        let came = probe::came(&self.spec, held, headers, &chain, length);
        if self.spec.method == Method::GET && page::is_instead_of_a_file(&came) {
            return Err(Failure::new(FailureKind::WebPage, "a web page where a file was promised").into());
        }
        let answer = probe::range_answer(status.as_u16(), headers);
        let is_part = status == StatusCode::PARTIAL_CONTENT && !is_everything(answer.content_range.as_deref());
        let reason = response.extensions().get::<hyper::ext::ReasonPhrase>();
        let reason = match reason {
            Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
            None => status.canonical_reason().unwrap_or_default().to_owned(),
        };
        let head = probe::head(status, &reason, headers, &chain, length, self.spec.name.as_deref());
        let record = Record {
            guid: self.spec.guid,
            method: self.spec.method.to_string(),
            url: self.spec.url.to_string(),
            head: head.clone(),
            validators: answer.validators,
            total: length,
            may_resume: !answer.is_encoded && !is_part && self.spec.method == Method::GET,
            durable: Ranges::default(),
            resumed: false,
            restarts: previous.as_ref().map_or(0, |held| held.record.restarts) + u32::from(changed),
            placing: None,
        };
        let hasher = self.spec.expected.algorithm().map(Hasher::new);
        let keeps_journal = self.spec.method == Method::GET;

        let folder = self.spec.folder.clone();
        let path = folder.join(filename::partial(&head.name, &self.spec.guid.tag()));
        let held = blocking(move || {
            let opened = std::fs::File::open(&folder);
            let opened = opened.map_err(|error| Failure::of_target(&error, "opening the folder"))?;
            if let (Some(length), Ok(room)) = (length, Room::of(&opened))
                && length > room.free
            {
                let text = format!("{length} bytes do not fit into {} that are free", room.free);
                return Err(Failure::new(FailureKind::DiskFull, text));
            }
            let held = match previous {
                Some(previous) => previous.begin_again(record, hasher),
                None => Part::create(path).map(|part| Held::fresh(part, record, hasher, keeps_journal)),
            };
            held.map_err(|error| Failure::of_target(&error, "making the partial"))
        });
        let held = held.await??;
        self.claim.give_back();
        self.counters.hold(0, length);
        self.counters.durable.store(0, Ordering::Release);
        self.shared.index.add(self.spec.guid, held.part.path());
        self.tell(head);
        crashpoint::hit("transfer.head-told");
        let answer = Answer { response, overlap: Vec::new(), expected: None };
        Ok((Writer::start(held, self.counters.clone()), answer))
    }

    fn tell(&mut self, head: Head) {
        let (stored, ack) = oneshot::channel();
        self.ack = Some(ack);
        // A caller that is gone has dropped the question with it, which means to stop.
        let _ = self.shared.events.send(Event::Head { guid: self.spec.guid, head, stored });
    }

    /// Pours one body and closes the writer behind it. What broke off is made durable, as far as that goes.
    async fn pour(&mut self, writer: Writer, answer: Answer) -> Result<(Held, Ended), End> {
        let mut pour = Pour {
            config: &self.shared.config,
            counters: &self.counters,
            stop: &self.stop,
            ack: &mut self.ack,
            claim: &mut self.claim,
            writer: &writer,
        };
        let ended = pour.pour(answer.response, &answer.overlap, answer.expected).await;
        let (mut held, written) = writer.close().await?;
        if !matches!(ended, Ended::Stopped) && !held.part.is_in_place() {
            let journal = part::journal_of(held.part.path());
            // What it claims is gone.
            let _ = blocking(move || std::fs::remove_file(journal)).await?;
            self.counters.durable.store(0, Ordering::Release);
            return Ok((held, Ended::Vanished));
        }
        let is_whole = matches!(ended, Ended::Cleanly) && held.record.total.is_none_or(|total| total == held.length);
        if written.is_err() || !(is_whole || matches!(ended, Ended::Differs)) {
            held = self.save(held).await?;
        }
        written?;
        Ok((held, ended))
    }

    /// Makes what came so far durable, as far as that goes. Where nobody could go on from it, it is removed.
    async fn save(&self, mut held: Held) -> Result<Held, Failure> {
        let counters = self.counters.clone();
        let saved = blocking(move || {
            let saved = if held.record.may_resume { held.checkpoint() } else { Ok(()) };
            if !held.has_journal() {
                let _ = part::remove(held.part.path());
            }
            counters.durable.store(held.durable(), Ordering::Release);
            saved.map(|()| held)
        });
        saved.await?
    }

    /// All bytes are there: length and digest are right, the caller has the head, the file gets its name.
    async fn finish(&mut self, held: Held) -> Result<Completed, End> {
        crashpoint::hit("transfer.all-bytes");
        let (stop, counters) = (self.stop.clone(), self.counters.clone());
        let algorithm = self.spec.expected.algorithm();
        let (held, digest) = blocking(move || finish::check(held, algorithm, &stop, &counters)).await?;
        let digest = digest?;
        if algorithm.is_some() && digest.is_none() {
            return Err(End::Stopped);
        }
        match (self.spec.expected.strongest(), &digest) {
            (Some(expected), Some(found)) if expected != found => {
                let text = format!("expected {expected}, found {found}");
                let path = held.part.path().to_owned();
                self.counters.durable.store(0, Ordering::Release);
                // A retry must not finish the same wrong bytes again.
                blocking(move || part::remove(&path)).await?.map_err(|error| Failure::of_target(&error, "tidying up"))?;
                return Err(Failure::new(FailureKind::DigestMismatch, text).into());
            }
            _ => {}
        }
        crashpoint::hit("transfer.digest-checked");
        if let Some(ack) = self.ack.take() {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return self.stopped_at_the_end(held).await,
                answered = ack => if answered.is_err() { return self.stopped_at_the_end(held).await },
            }
        }
        crashpoint::hit("transfer.head-stored");
        let computed = digest.clone().filter(|digest| self.spec.expected.compute == Some(digest.algorithm));
        let digest = digest.filter(|_| self.spec.expected.strongest().is_some());
        let verified = match &digest {
            Some(_) => Verified::ByDigest,
            None if held.record.resumed => Verified::OnResume,
            None => Verified::No,
        };
        let size = held.length;
        let keeps_nothing = has_no_body_by(held.record.head.status) || (size == 0 && self.spec.method != Method::GET);
        let path = blocking(move || if keeps_nothing { finish::drop_part(&held) } else { finish::place(held) }).await??;
        Ok(Completed { path, size, verified, digest, computed })
    }

    async fn stopped_at_the_end(&self, held: Held) -> Result<Completed, End> {
        self.save(held).await?;
        Err(End::Stopped)
    }

    /// What the disk has of this transfer. Fails when the folder is none that can be written to.
    async fn on_disk(&self) -> Result<OnDisk, Failure> {
        let (shared, spec) = (self.shared.clone(), self.spec.clone());
        blocking(move || on_disk(&shared, &spec)).await?
    }
}

/// Runs `work` on a thread that may block. Not cut short: what it began, it ends.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    joined(tokio::task::spawn_blocking(work)).await
}

fn has_no_body(status: StatusCode) -> bool {
    has_no_body_by(status.as_u16())
}

fn has_no_body_by(status: u16) -> bool {
    matches!(status, 204 | 205)
}

/// Whether a part that nobody asked for is the whole file all the same.
fn is_everything(content_range: Option<&str>) -> bool {
    let range = content_range.and_then(identity::parse);
    matches!(range, Some(ContentRange::Part { first: 0, last, complete: Some(complete) }) if last + 1 == complete)
}

fn bad_status(response: &reqwest::Response, held: u64) -> Failure {
    #[expect(clippy::disallowed_methods, reason = "a date in Retry-After can only be held against the wall clock")]
    let retry_after = probe::retry_after(response.headers(), SystemTime::now());
    Failure::of_status(response.status().as_u16(), held, retry_after)
}
