//! Random run: first tries with a faulty server, then tries with a correct server until the file is complete.
//!
//! The invariants are checked after each try.

use std::{ops::Range, path::Path};

use ashore_transfer::{
    CompletedTransfer, DigestAlgorithm, FailureKind, FileDigest, TransferEvent, TransferOutcome, TransferRestart, TransferSpec,
    Verification,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use sha2::{Digest as _, Sha256};

use super::{
    Tally,
    draw::{self, Cut, Harm, OVERLAP, Shape},
    life::{self, Life, durable, names},
};
use crate::servers::origin::{Body, Origin, Route};

/// Bytes of the partial file that are compared if the server has no strong validator.
const COMPARED: u64 = 128 << 10;
/// Maximum number of tries with a correct server. One of these tries may fail because the file seems to change too
/// often.
const MOST_TRIES: u32 = 6;
const NAME: &str = "f.bin";
/// Header with the number of the try. It shows whether a request belongs to an earlier try. A request in flight at a
/// power cut may reach the server during the next try.
const TRY: &str = "x-try";

/// Performs the run. Fails with the run's history up to the broken invariant.
pub(super) async fn run(seed: u64, index: u64, folder: &Path, is_told: bool) -> Result<Tally, String> {
    let mut run = Run::new(seed, index, folder, is_told).await;
    match run.live_through().await {
        Ok(()) => Ok(Tally { runs: 1, ..run.tally }),
        Err(wrong) => Err(format!("{}\n=> {wrong}", run.story.join("\n"))),
    }
}

struct Run<'a> {
    random: StdRng,
    folder: &'a Path,
    _origin: Origin,
    route: Route,
    shape: Shape,
    spec: TransferSpec,
    life: Option<Life>,
    /// Versions of the file, the newest last.
    versions: Vec<Body>,
    /// Invariants that are suspended while faults may still have an effect.
    harm: Harm,
    /// Numbers of missing bytes, one for each stated length that was too small.
    stated_less: Vec<u64>,
    /// Possible end offsets of whole-file answers that stated no length.
    ended_at: Vec<u64>,
    /// Whether bytes on disk may belong to another version of the file, or were received with a wrong length or
    /// validator. A restart from zero clears this flag if the server behaves correctly.
    may_not_match: bool,
    /// Whether the server has stated two lengths with the same validator, for one version of the file or for two
    /// versions.
    has_two_lengths: bool,
    /// Whether the transfer failed because the server stated two lengths. This failure ends the run.
    is_contradicted: bool,
    /// Whether a fault can cause a request to stay without an answer.
    is_bad: bool,
    /// Minimum size of the old partial file that is kept after a restart from zero.
    aside: Option<u64>,
    tries: u32,
    tally: Tally,
    story: Vec<String>,
    is_told: bool,
}

/// Result that ended a try.
enum Ended {
    Killed,
    Of(TransferOutcome),
}

impl<'a> Run<'a> {
    async fn new(seed: u64, index: u64, folder: &'a Path, is_told: bool) -> Self {
        let mut random = StdRng::seed_from_u64(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(index));
        let origin = Origin::start().await;
        let size = draw::size(&mut random);
        let body = draw::body(&mut random, size);
        let shape = Shape::draw(&mut random);
        let route = shape.apply(origin.file(&format!("/{NAME}"), body.clone()));
        let mut spec = life::spec(origin.url(&format!("/{NAME}")), folder);
        if random.random_bool(0.1) {
            origin.redirects("/hop.bin", 302, &format!("/{NAME}"));
            spec.url = origin.url("/hop.bin");
        }
        if random.random_bool(0.15) {
            let bytes = Sha256::digest(body.slice(0, size)).to_vec();
            spec.expected.digests.push(FileDigest { algorithm: DigestAlgorithm::Sha256, bytes });
        }
        let digests = spec.expected.digests.len();
        let story = vec![format!("{size} bytes, {shape:?}, {digests} digests expected")];
        Self {
            random,
            folder,
            _origin: origin,
            route,
            shape,
            spec,
            life: None,
            versions: vec![body],
            harm: Harm::default(),
            stated_less: Vec::new(),
            ended_at: Vec::new(),
            may_not_match: false,
            has_two_lengths: false,
            is_contradicted: false,
            is_bad: false,
            aside: None,
            tries: 0,
            tally: Tally::default(),
            story,
            is_told,
        }
    }

    async fn live_through(&mut self) -> Result<(), String> {
        for turn in 0..self.random.random_range(1..=4) {
            if turn > 0 && self.spec.expected.digests.is_empty() && self.random.random_bool(0.2) {
                self.change();
            }
            self.turn_bad();
            let length = self.length();
            let cut = Cut::draw(&mut self.random, length);
            if let Some(completed) = self.one_life(cut, true).await? {
                return self.is_written_down(completed).await;
            }
        }
        self.turn_honest();
        // End the current process, because only the next process uses long timeouts.
        if let Some(hasty) = self.life.take() {
            hasty.kill().await?;
        }
        for _ in 0..MOST_TRIES {
            if let Some(completed) = self.one_life(Cut::Never, false).await? {
                return self.is_written_down(completed).await;
            }
            if self.is_contradicted {
                return Ok(());
            }
        }
        Err("it does not come from an honest server".to_owned())
    }

    /// Performs a try until it ends or `cut` interrupts it. If the file is then complete, checks and returns it.
    async fn one_life(&mut self, cut: Cut, is_hasty: bool) -> Result<Option<CompletedTransfer>, String> {
        let before = durable(self.folder)?;
        self.tries += 1;
        let this_try = self.tries.to_string();
        self.spec.headers = vec![(TRY.to_owned(), this_try.clone())];
        let mut life = match self.life.take() {
            Some(life) if self.random.random_bool(0.5) => life,
            last => {
                if let Some(last) = last {
                    last.kill().await?;
                }
                let config = if is_hasty { draw::hasty(&mut self.random) } else { draw::patient(&mut self.random) };
                Life::new(config)?
            }
        };
        self.tally.resumed += u64::from(before > 0);
        self.report(format!("a start with {before} durable, cut: {cut:?}"));
        life.transfers.start(self.spec.clone());
        let may_go_on = !self.may_not_match && !self.harm.breaks_ranges;
        let (ended, is_told_anew) = self.live(&mut life, cut, before).await?;
        match &ended {
            Ended::Killed => {
                self.tally.kills += 1;
                life.kill().await?;
            }
            Ended::Of(_) => self.life = Some(life),
        }
        let after = durable(self.folder)?;
        let asked: Vec<_> = self
            .route
            .requests()
            .iter()
            .filter(|request| request.header(TRY) == Some(&this_try))
            .map(|request| request.range_start().map(|from| from..request.range_end().map_or(u64::MAX, |last| last + 1)))
            .collect();
        self.report(format!("  asked from {asked:?}, {after} durable"));
        self.check_files(&ended, after)?;
        let is_of_a_digest =
            matches!(&ended, Ended::Of(TransferOutcome::Failed { failure, .. }) if failure.kind == FailureKind::DigestMismatch);
        let goes_on = may_go_on && !is_of_a_digest;
        self.tally.bound += u64::from(goes_on && before > 0);
        if goes_on && after < before && !self.is_running() {
            return Err(format!("of {before} durable bytes {after} are left"));
        }
        let is_over = matches!(ended, Ended::Of(_)) && !is_of_a_digest;
        if is_over && after < before && !self.is_running() && !is_told_anew {
            return Err(format!("of {before} durable bytes {after} are left, and no restart was emitted"));
        }
        self.check_aside()?;
        if let Ended::Of(TransferOutcome::Failed { failure, .. }) = &ended
            && failure.kind == FailureKind::UntrueLength
        {
            self.is_contradicted = self.has_two_lengths;
        }
        let is_complete = matches!(ended, Ended::Of(TransferOutcome::Completed(..)));
        if goes_on && before > 0 && !self.asks_for_little_more(before, &asked, is_complete) {
            return Err(format!("{before} bytes were durable, and it asked for more than is missing"));
        }
        match ended {
            Ended::Of(TransferOutcome::Completed(completed)) => self.check_completed(completed).map(Some),
            _ => Ok(None),
        }
    }

    /// Acknowledges events until the try ends or the power is cut. Returns how the try ended, and whether a restart
    /// from zero was emitted.
    async fn live(&mut self, life: &mut Life, cut: Cut, before: u64) -> Result<(Ended, bool), String> {
        let mut is_told_anew = false;
        let mut bytes = match cut {
            Cut::AfterBytes(bytes) | Cut::Stop(bytes) => Some(self.route.bytes_sent() + bytes),
            _ => None,
        };
        let moment = match cut {
            Cut::After(moment) => Some(tokio::time::Instant::now() + moment),
            _ => None,
        };
        let route = self.route.clone();
        loop {
            tokio::select! {
                event = life.event() => match event? {
                    TransferEvent::Head { restart, stored, .. } => {
                        self.hear_head(restart, before);
                        is_told_anew |= restart.is_some();
                        match cut {
                            Cut::AtHead => return Ok((Ended::Killed, is_told_anew)),
                            Cut::HeadRefused => drop(stored),
                            _ => drop(stored.send(())),
                        }
                    }
                    TransferEvent::Fetched { .. } => {}
                    TransferEvent::Done { .. } if cut == Cut::AtTheEnd => return Ok((Ended::Killed, is_told_anew)),
                    TransferEvent::Done { outcome, .. } => {
                        self.report(format!("  {outcome:?}"));
                        self.tally.failed += u64::from(matches!(outcome, TransferOutcome::Failed { .. }));
                        return Ok((Ended::Of(outcome), is_told_anew));
                    }
                },
                () = route.sent(bytes.unwrap_or_default()), if bytes.is_some() => {
                    if !matches!(cut, Cut::Stop(_)) {
                        return Ok((Ended::Killed, is_told_anew));
                    }
                    life.transfers.stop(self.spec.guid);
                    bytes = None;
                }
                () = tokio::time::sleep_until(moment.unwrap_or_else(tokio::time::Instant::now)), if moment.is_some() => {
                    return Ok((Ended::Killed, is_told_anew));
                }
            }
        }
    }

    /// Records a received response head. After a restart, or without earlier bytes, all further bytes belong to the
    /// server's current version.
    fn hear_head(&mut self, restart: Option<TransferRestart>, before: u64) {
        if restart.is_some() || before == 0 {
            self.may_not_match = self.harm.lies;
        }
        if let Some(restart) = restart {
            self.report(format!("  restarted: {restart:?}"));
            self.aside.get_or_insert(0);
        }
    }

    /// Checks that the old partial file is kept until the new file is complete, and never shrinks.
    fn check_aside(&mut self) -> Result<(), String> {
        let Some(least) = self.aside.filter(|_| !self.is_running()) else { return Ok(()) };
        let kept = self.folder.join(format!("{NAME}.{}.part.old", self.spec.guid.tag()));
        let length = std::fs::metadata(&kept).map_err(|error| format!("what was set aside is not there: {error}"))?.len();
        if length < least.max(1) {
            return Err(format!("of {least} bytes that were set aside {length} are left"));
        }
        self.aside = Some(length);
        Ok(())
    }

    /// Checks that the final name is either absent or a correct file, and that all reported sizes are correct.
    fn check_files(&self, ended: &Ended, after: u64) -> Result<(), String> {
        let mine = self.spec.guid.tag();
        let others: Vec<String> = names(self.folder)?.into_iter().filter(|name| name != NAME && !name.contains(&mine)).collect();
        if !others.is_empty() {
            return Err(format!("in the folder there are {others:?}"));
        }
        if self.is_running() {
            let bytes = std::fs::read(self.folder.join(NAME)).map_err(|error| error.to_string())?;
            self.check_bytes(&bytes)?;
        }
        match ended {
            Ended::Of(TransferOutcome::Failed { .. } | TransferOutcome::Stopped { .. }) if self.is_running() => {
                Err("it is not done, and its file is there".to_owned())
            }
            Ended::Of(TransferOutcome::Failed { failure, .. })
                if matches!(
                    failure.kind,
                    FailureKind::Internal
                        | FailureKind::Disk
                        | FailureKind::DiskFull
                        | FailureKind::Target
                        | FailureKind::PartialChanged
                ) =>
            {
                Err("no server can be blamed for this".to_owned())
            }
            Ended::Of(TransferOutcome::Failed { bytes, .. } | TransferOutcome::Stopped { bytes, .. }) if *bytes != after => {
                Err(format!("it says that {bytes} bytes are kept, and the disk says {after}"))
            }
            _ => Ok(()),
        }
    }

    fn check_completed(&self, completed: CompletedTransfer) -> Result<CompletedTransfer, String> {
        let path = completed.path.as_ref().filter(|path| **path == self.folder.join(NAME));
        let path = path.ok_or_else(|| format!("it is called done as {:?}", completed.path))?;
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        if bytes.len() as u64 != completed.size {
            return Err(format!("the file has {} bytes, but {} are reported", bytes.len(), completed.size));
        }
        if (completed.verified == Verification::ByDigest) == self.spec.expected.digests.is_empty() {
            return Err(format!("verified {:?}", completed.verified));
        }
        Ok(completed)
    }

    /// Checks that the bytes are one whole version, or the part that the server stated as the whole file.
    fn check_bytes(&self, bytes: &[u8]) -> Result<(), String> {
        let vouched = self.spec.expected.digests.first();
        if vouched.is_some_and(|digest| digest.bytes != Sha256::digest(bytes).as_slice()) {
            return Err("its digest is not the one that was expected".to_owned());
        }
        let length = bytes.len() as u64;
        let is_meant = self.versions.iter().any(|version| {
            let is_whole = length == version.length()
                || self.ended_at.contains(&length)
                || self.stated_less.iter().any(|less| length == version.length().saturating_sub(*less));
            is_whole && length <= version.length() && version.slice(0, length) == bytes
        });
        if is_meant {
            return Ok(());
        }
        let agree = |version: &Body| {
            let other = version.slice(0, version.length());
            let same = other.iter().zip(bytes).take_while(|(one, other)| one == other).count();
            format!("{same} of {}", version.length())
        };
        let versions: Vec<String> = self.versions.iter().map(agree).collect();
        Err(format!("wrong bytes: {length} of them, which begin like the versions for {versions:?}"))
    }

    /// Records the completion and checks that there are no leftovers.
    async fn is_written_down(&mut self, _completed: CompletedTransfer) -> Result<(), String> {
        let life = self.life.take().ok_or("no process is running")?;
        crate::engine::forget(&life.transfers, self.spec.guid, self.folder).await;
        life.kill().await?;
        let names = names(self.folder)?;
        if names == [NAME] { Ok(()) } else { Err(format!("beside the file there are {names:?}")) }
    }

    /// Returns whether these requests ask for little more than the missing bytes. [pure]
    ///
    /// Besides the missing bytes, the client may request a few bytes that it already has, in order to compare them.
    ///
    /// A faulty server may leave a range request without an answer. The client then sends one request without a range,
    /// to find out whether the server still has the file. After that, the client fetches the bytes with range requests
    /// again.
    fn asks_for_little_more(&self, durable: u64, asked: &[Option<Range<u64>>], is_complete: bool) -> bool {
        let mut ranges: Vec<&Range<u64>> = asked.iter().flatten().collect();
        ranges.sort_by_key(|range| range.start);
        let (mut sum, mut reached) = (0, 0);
        for range in &ranges {
            let end = range.end.min(self.length());
            sum += end.saturating_sub(range.start.max(reached));
            reached = reached.max(end);
        }
        let missing = self.length().saturating_sub(durable);
        let is_all_ranges = match asked.iter().position(Option::is_none) {
            None => true,
            Some(plain) => {
                self.is_bad && plain > 0 && ranges.len() + 1 == asked.len() && !(is_complete && plain + 1 == asked.len())
            }
        };
        // Without a strong validator, the client first compares several places of the partial file.
        let compared = if self.shape.has_strong_validator() { 0 } else { durable.min(COMPARED) };
        is_all_ranges && sum <= missing + compared + OVERLAP * asked.len() as u64
    }

    fn is_running(&self) -> bool {
        self.folder.join(NAME).exists()
    }

    fn length(&self) -> u64 {
        self.versions.last().map_or(0, Body::length)
    }

    fn change(&mut self) {
        let Some(now) = self.versions.last() else { return };
        let (route, new, is_open) = draw::change(&mut self.random, self.route.clone(), now);
        let what = format!("{} bytes, and it {}", new.length(), if is_open { "says so" } else { "does not say so" });
        self.has_two_lengths |= !is_open && new.length() != now.length();
        self.route = route;
        self.versions.push(new);
        self.may_not_match = true;
        self.tally.changes += 1;
        self.report(format!("the file changes: {what}"));
    }

    /// Adds up to three faults to the server. Sometimes removes all earlier faults first.
    fn turn_bad(&mut self) {
        if self.random.random_bool(0.3) {
            self.turn_honest();
        }
        for _ in 0..self.random.random_range(0..=3) {
            let length = self.length();
            let (route, what, harm) = draw::vice(&mut self.random, self.route.clone(), length);
            self.route = route;
            self.is_bad = true;
            self.harm.breaks_ranges |= harm.breaks_ranges;
            self.harm.lies |= harm.lies;
            self.may_not_match |= harm.lies;
            self.has_two_lengths |= harm.misstates_length;
            if harm.states_less > 0 {
                self.stated_less.push(harm.states_less);
            }
            if let Some(at) = harm.ends_at.filter(|_| self.shape.ends_by_closing()) {
                self.ended_at.push(at);
            }
            self.report(format!("vice: {what}"));
        }
    }

    fn turn_honest(&mut self) {
        self.route = self.route.clone().honest();
        self.harm = Harm::default();
        self.is_bad = false;
    }

    fn report(&mut self, line: String) {
        if self.is_told {
            eprintln!("{line}");
        }
        self.story.push(line);
    }
}
