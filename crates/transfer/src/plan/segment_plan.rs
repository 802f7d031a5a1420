//! Assigns the missing bytes of a file to connections. [pure]
//!
//! - Bytes are assigned in order. The hasher of the whole file can therefore follow close behind all connections, while
//!   the bytes are still in memory.
//! - The segments shrink towards the end, so that no connection still has a large segment when the others have
//!   finished.
//! - An idle connection takes over bytes that a slow connection has not fetched yet.
//! - All cuts are at multiples of `grain` (the configured `least_split`). Nearly every block of the file is therefore
//!   written by a single connection.

use std::{
    collections::BTreeMap,
    ops::Range,
    time::{Duration, Instant},
};

use crate::plan::{byte_ranges::ByteRanges, segment_map::SegmentMap};

/// Number of bytes that a resume requests again, to compare them before it joins new bytes.
///
/// See `resume_validation`.
pub(crate) const OVERLAP: u64 = 64 << 10;
/// Maximum size of a segment in bytes.
const MOST: u64 = 32 << 20;
/// If a job will end within this time, none of its bytes are assigned to another connection.
const SOON: Duration = Duration::from_millis(150);
/// If a connection is silent for this long, all its unfetched bytes may be reassigned.
const SILENT: Duration = Duration::from_secs(2);
/// Minimum age of a connection at which its speed is meaningful.
const TELLING: Duration = Duration::from_millis(200);
/// Minimum time between a new request and its first byte.
const REQUEST: Duration = Duration::from_millis(50);
/// If a connection is slower than the others by this factor, all its unfetched bytes are reassigned.
const FAR_SLOWER: f64 = 3.0;
/// Maximum number of times that the tolerance for slow connections is doubled.
const MOST_DOUBLINGS: u32 = 6;

/// Identifier of a job in progress.
pub(crate) type JobId = u64;

/// Range of bytes to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SegmentJob {
    /// Identifier of the job.
    pub id: JobId,
    /// Bytes to fetch. The end may move to a lower offset during the job.
    pub range: Range<u64>,
    /// Number of bytes before the range that come from an earlier run.
    ///
    /// They are requested again, and compared before new bytes are joined.
    pub overlap: u64,
}

#[derive(Clone, Debug)]
struct Working {
    begun: Instant,
    start: u64,
    at: u64,
    end: u64,
    heard: Instant,
    /// Whether the response had already begun when this job was created. If so, the job measures no time to first byte.
    is_lead: bool,
}

impl Working {
    /// Returns the average speed in bytes per second.
    ///
    /// At least 1, because it is used as a divisor.
    fn speed(&self, now: Instant) -> f64 {
        let seconds = now.saturating_duration_since(self.begun).as_secs_f64().max(0.001);
        (as_float(self.at - self.start) / seconds).max(1.0)
    }

    fn left(&self) -> u64 {
        self.end - self.at
    }

    fn silent(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.heard)
    }

    fn age(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.begun)
    }

    fn has_given(&self) -> bool {
        self.at > self.start
    }
}

/// Distribution of the missing bytes of one file among connections.
#[derive(Debug)]
pub(crate) struct SegmentPlan {
    grain: u64,
    /// Missing bytes that are not assigned to a job.
    left: ByteRanges,
    working: BTreeMap<JobId, Working>,
    next_id: JobId,
    /// Number of bytes from an earlier run directly before each missing range.
    ///
    /// The key is the start of the missing range.
    seams: BTreeMap<u64, u64>,
    /// Moving average of the speed in bytes per second, over finished segments. 0 before the first segment.
    usual: f64,
    /// Moving average of the time to first byte. `None` before the first response.
    wait: Option<Duration>,
    /// Number of jobs that were reassigned before their first byte arrived.
    ///
    /// Each such job doubles the tolerance for slow connections. Without this, connections on a slow line would take
    /// work from each other forever.
    barren: u32,
    /// Whether connections other than the first may fetch parts of the file.
    is_shared: bool,
}

impl SegmentPlan {
    /// Creates the plan for a file of `total` bytes. The bytes in `held` are already present.
    ///
    /// Without a `total`, a single connection fetches the whole file.
    pub fn new(held: &ByteRanges, total: Option<u64>, grain: u64) -> Self {
        let mut left = ByteRanges::default();
        let mut seams = BTreeMap::new();
        for gap in held.missing(total.unwrap_or(u64::MAX)) {
            if gap.start > 0 {
                seams.insert(gap.start, held.before(gap.start));
            }
            left.insert(gap);
        }
        Self {
            grain: grain.max(1),
            left,
            working: BTreeMap::new(),
            next_id: 0,
            seams,
            usual: 0.0,
            wait: None,
            barren: 0,
            is_shared: false,
        }
    }

    /// Assigns the first missing range to the only connection.
    pub fn lead(&mut self, now: Instant) -> Option<SegmentJob> {
        let range = self.left.iter().next()?.clone();
        let job = self.assign(range, now);
        if let Some(lead) = self.working.get_mut(&job.id) {
            lead.is_lead = true;
        }
        Some(job)
    }

    /// Prepares the plan for several connections.
    ///
    /// Cuts the jobs in progress to the size of two segments, and not further. A shorter job would lose bytes: the
    /// first connection uses all bandwidth until the others join, and its bytes in flight are lost when its job ends.
    pub fn share(&mut self, connections: usize) {
        if std::mem::replace(&mut self.is_shared, true) {
            return;
        }
        let all: u64 = self.left.count() + self.working.values().map(Working::left).sum::<u64>();
        let most = (2 * self.piece(all, connections)).min(all / 2);
        for job in self.working.values_mut() {
            let end = self.grain.saturating_mul((job.at + most).div_ceil(self.grain));
            if end < job.end {
                self.left.insert(end..job.end);
                job.end = end;
            }
        }
    }

    /// Assigns work to another connection. At most `connections` connections are in use.
    ///
    /// Returns `None` if the remaining bytes are not worth another connection.
    pub fn next(&mut self, connections: usize, now: Instant) -> Option<SegmentJob> {
        if self.left.count() == 0
            && let Some(half) = self.steal(now)
        {
            return Some(self.assign(half, now));
        }
        let first = self.left.iter().next()?.clone();
        let most = self.piece(self.left.count(), connections);
        let cut = self.grain.saturating_mul((first.start + most).div_ceil(self.grain));
        Some(self.assign(first.start..first.end.min(cut), now))
    }

    /// Extends a job past its end, up to the offset `reach` at most.
    ///
    /// Returns `false` if the next bytes belong to another job, or if no bytes are left.
    pub fn extend(&mut self, id: JobId, connections: usize, reach: u64) -> bool {
        let most = self.piece(self.left.count(), connections);
        let Some(job) = self.working.get_mut(&id) else { return false };
        let Some(gap) = self.left.iter().find(|gap| gap.start == job.end).cloned() else { return false };
        let cut = self.grain.saturating_mul((gap.start + most).div_ceil(self.grain));
        let end = gap.end.min(cut).min(reach);
        if end <= job.end {
            return false;
        }
        self.left.remove(job.end..end);
        job.end = end;
        true
    }

    /// Records that `count` bytes were received for job `id`.
    ///
    /// Returns the offset of these bytes, and the number of them that belong to the job.
    pub fn advance(&mut self, id: JobId, count: usize, now: Instant) -> (u64, usize) {
        let Some(job) = self.working.get_mut(&id) else { return (0, 0) };
        let at = job.at;
        let mine = count.min(usize::try_from(job.left()).unwrap_or(usize::MAX));
        if mine > 0 && !job.has_given() && !job.is_lead {
            let wait = job.age(now);
            self.wait = Some(self.wait.map_or(wait, |usual| (usual * 3 + wait) / 4));
        }
        job.at += mine as u64;
        job.heard = now;
        (at, mine)
    }

    /// Returns the number of bytes that job `id` still has to fetch.
    pub fn left_of(&self, id: JobId) -> u64 {
        self.working.get(&id).map_or(0, Working::left)
    }

    /// Returns the offset of the next byte of job `id`.
    pub fn place_of(&self, id: JobId) -> Option<u64> {
        self.working.get(&id).map(|job| job.at)
    }

    /// Ends job `id`. Its unfetched bytes become available again.
    pub fn end(&mut self, id: JobId, now: Instant) {
        if let Some(job) = self.working.remove(&id) {
            self.left.insert(job.at..job.end);
            if job.at - job.start >= self.grain {
                let speed = job.speed(now);
                self.usual = if self.usual == 0.0 { speed } else { self.usual + (speed - self.usual) / 4.0 };
            }
        }
    }

    /// Returns the map of the first `total` bytes of the file, divided into `parts` parts.
    pub fn map(&self, total: u64, parts: usize) -> SegmentMap {
        let mut missing = self.left.clone();
        let mut fetching = Vec::with_capacity(self.working.len());
        for job in self.working.values() {
            missing.insert(job.at..job.end);
            if job.at < job.end.min(total) {
                fetching.push(job.at..job.end.min(total));
            }
        }
        SegmentMap::from_ranges(total, &missing, fetching, parts)
    }

    /// Whether no byte is missing and no job is in progress.
    pub fn is_done(&self) -> bool {
        self.working.is_empty() && self.left.count() == 0
    }

    fn assign(&mut self, range: Range<u64>, now: Instant) -> SegmentJob {
        self.left.remove(range.clone());
        let id = self.next_id;
        self.next_id += 1;
        let overlap = self.seams.remove(&range.start).unwrap_or_default().min(OVERLAP);
        let (start, at, end) = (range.start, range.start, range.end);
        self.working.insert(id, Working { begun: now, start, at, end, heard: now, is_lead: false });
        SegmentJob { id, range, overlap }
    }

    /// Returns the size of the next segment, for `left` remaining bytes and `connections` connections.
    fn piece(&self, left: u64, connections: usize) -> u64 {
        (left / (2 * connections.max(1) as u64)).clamp(self.grain, MOST.max(self.grain))
    }

    /// Takes unfetched bytes from the job that would end last.
    ///
    /// Cuts the job so that its connection and the idle one would finish at the same time, and returns the second part.
    /// If other connections would be much faster, the job loses all its remaining bytes. These become unassigned, and
    /// are divided among the connections.
    fn steal(&mut self, now: Instant) -> Option<Range<u64>> {
        if !self.is_shared {
            return None;
        }
        let typical = self.typical(now);
        let request = REQUEST.max(2 * self.wait.unwrap_or_default());
        // Assume that a silence lasts twice as long as it has lasted so far. For a connection that has not received any
        // bytes, there is no better estimate.
        let lasts = |job: &Working| {
            let speed = if job.has_given() { job.speed(now) } else { typical };
            as_float(job.left()) / speed + job.silent(now).as_secs_f64()
        };
        let newborn = TELLING.max(request);
        let may_lose = |job: &&mut Working| job.left() > 0 && (job.has_given() || job.age(now) >= newborn);
        let candidates = self.working.values_mut().filter(may_lose);
        let slowest = candidates.max_by(|one, other| lasts(one).total_cmp(&lasts(other)))?;
        if lasts(slowest) < SOON.as_secs_f64() {
            return None;
        }
        let patience = 1_u32 << self.barren.min(MOST_DOUBLINGS);
        let others_would_take = as_float(slowest.left()) / typical + request.as_secs_f64();
        let is_far_slower = slowest.age(now) >= TELLING && lasts(slowest) > FAR_SLOWER * f64::from(patience) * others_would_take;
        if slowest.silent(now) >= SILENT * patience || is_far_slower {
            self.barren += u32::from(!slowest.has_given());
            self.left.insert(slowest.at..slowest.end);
            slowest.end = slowest.at;
            return None;
        }
        let speed = slowest.speed(now).min(typical);
        let keeps = as_whole(as_float(slowest.left()) * speed / (speed + typical));
        let cut = self.grain.saturating_mul((slowest.at + keeps.max(1)).div_ceil(self.grain));
        if cut >= slowest.end {
            return None;
        }
        let half = cut..slowest.end;
        slowest.end = cut;
        Some(half)
    }

    /// Returns the expected speed of a connection in bytes per second.
    ///
    /// At least 1, because it is used as a divisor.
    fn typical(&self, now: Instant) -> f64 {
        let speeds: Vec<f64> = self.working.values().filter(|job| job.has_given()).map(|job| job.speed(now)).collect();
        #[expect(clippy::cast_precision_loss, reason = "the number of connections is small")]
        let mean = speeds.iter().sum::<f64>() / (speeds.len().max(1) as f64);
        mean.max(self.usual).max(1.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "the value is an estimate")]
fn as_float(bytes: u64) -> f64 {
    bytes as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is an estimate and never negative")]
fn as_whole(bytes: f64) -> u64 {
    bytes as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MIB: u64 = 1 << 20;

    fn plan(total: u64) -> SegmentPlan {
        SegmentPlan::new(&ByteRanges::default(), Some(total), MIB)
    }

    fn at_work(map: &SegmentMap) -> Vec<(u64, u64)> {
        map.fetching.iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn segment_map_shows_received_bytes_and_jobs_in_progress() {
        let now = Instant::now();
        let mut held = ByteRanges::first(MIB);
        held.insert(7 * MIB..8 * MIB);
        let mut plan = SegmentPlan::new(&held, Some(8 * MIB), MIB);
        let lead = plan.lead(now).unwrap();
        plan.advance(lead.id, 512 << 10, now);
        assert_eq!(plan.map(8 * MIB, 8).there, [100, 50, 0, 0, 0, 0, 0, 100]);
        assert_eq!(at_work(&plan.map(8 * MIB, 8)), [(MIB + (512 << 10), 7 * MIB)]);
        plan.end(lead.id, now);
        let map = plan.map(8 * MIB, 8);
        assert_eq!((map.there, map.fetching), (vec![100, 50, 0, 0, 0, 0, 0, 100], Vec::new()));
        // If the size of the file is unknown, the map ends at the requested total.
        let mut endless = SegmentPlan::new(&ByteRanges::default(), None, MIB);
        endless.lead(now).unwrap();
        assert_eq!(at_work(&endless.map(MIB, 2)), [(0, MIB)]);
    }

    #[test]
    fn single_connection_is_assigned_all_bytes() {
        let now = Instant::now();
        let mut alone = plan(10);
        assert_eq!(alone.lead(now), Some(SegmentJob { id: 0, range: 0..10, overlap: 0 }));
        assert_eq!(alone.advance(0, 7, now), (0, 7));
        assert_eq!(alone.next(4, now), None, "nothing is shared yet");
        assert_eq!(alone.advance(0, 7, now), (7, 3), "surplus is not its own");
        alone.end(0, now);
        assert!(alone.is_done());
        let mut unknown = SegmentPlan::new(&ByteRanges::default(), None, MIB);
        assert_eq!(unknown.lead(now).map(|job| job.range), Some(0..u64::MAX));
    }

    #[test]
    fn resume_compares_overlap_before_each_missing_range() {
        let now = Instant::now();
        let held: ByteRanges = serde_json::from_str("[[0,100],[200000,400000]]").unwrap();
        let mut plan = SegmentPlan::new(&held, Some(500_000), MIB);
        let lead = plan.lead(now).unwrap();
        assert_eq!((lead.range, lead.overlap), (100..200_000, 100));
        let second = plan.next(4, now).unwrap();
        assert_eq!((second.range, second.overlap), (400_000..500_000, OVERLAP));
    }

    #[test]
    fn byte_ranges_are_assigned_in_order_and_their_lengths_are_multiples_of_a_unit() {
        let now = Instant::now();
        let mut plan = plan(64 * MIB + 5);
        plan.lead(now);
        plan.share(4);
        assert_eq!(plan.left_of(0), 16 * MIB, "twice a piece: it was alone so far");
        let second = plan.next(4, now).unwrap();
        assert_eq!(second.range, 16 * MIB..22 * MIB);
        assert!(!plan.extend(0, 4, u64::MAX), "the next piece belongs to another job");
        assert!(plan.extend(second.id, 4, u64::MAX));
        assert!(!plan.extend(second.id, 4, plan.working[&second.id].end), "the answer reaches no further");
    }

    #[test]
    fn idle_connection_takes_over_bytes_of_slow_connection() {
        let now = Instant::now();
        let mut plan = plan(16 * MIB);
        plan.lead(now);
        plan.share(1);
        while plan.extend(0, 1, u64::MAX) {}
        plan.advance(0, MIB as usize, now);
        let later = now + Duration::from_secs(1);
        plan.advance(0, MIB as usize, later);
        let stolen = plan.next(2, later).unwrap();
        assert_eq!(stolen.range, 9 * MIB..16 * MIB);
        assert_eq!(plan.left_of(0), 7 * MIB);
        let much_later = later + SILENT;
        plan.advance(stolen.id, 7 * MIB as usize, much_later);
        plan.end(stolen.id, much_later);
        assert_eq!(plan.next(2, much_later).unwrap().range, 2 * MIB..4 * MIB, "one that is silent loses everything");
        assert_eq!(plan.next(2, much_later).unwrap().range, 4 * MIB..6 * MIB, "which is for all to share");
        assert_eq!(plan.advance(0, 5, much_later), (2 * MIB, 0));
    }

    #[test]
    fn unanswered_job_is_reassigned_after_wait_that_doubles_each_time() {
        let now = Instant::now();
        let at = |milliseconds| now + Duration::from_millis(milliseconds);
        let mut plan = plan(2 * MIB);
        plan.lead(now);
        plan.share(2);
        let second = plan.next(2, now).unwrap();
        plan.advance(0, MIB as usize, at(100));
        plan.end(0, at(100));
        assert_eq!(plan.next(2, at(100)), None, "its answer is on its way");
        assert_eq!(plan.next(2, at(199)), None);
        let again = plan.next(2, at(400)).unwrap();
        assert_eq!(again.range, second.range, "the other was much faster");
        assert_eq!(plan.next(2, at(600)), None, "the second to lose it has twice the patience");
        plan.advance(again.id, 1, at(1000));
        assert_eq!(plan.wait, Some(Duration::from_millis(600)));
        plan.end(again.id, at(1000));
        let slow = plan.next(2, at(1000)).unwrap();
        assert_eq!(plan.next(2, at(2000)), None, "on such a line this is no silence");
        assert!(plan.next(2, at(1000 + 4000)).is_some(), "{slow:?}");
    }

    #[test]
    fn fast_connections_take_over_all_bytes_of_much_slower_one() {
        let now = Instant::now();
        let mut plan = plan(16 * MIB);
        plan.lead(now);
        plan.share(2);
        let fast = plan.next(2, now).unwrap();
        plan.advance(0, MIB as usize, now);
        let later = now + Duration::from_millis(300);
        plan.advance(fast.id, 64 * MIB as usize, later);
        plan.end(fast.id, later);
        while let Some(more) = plan.next(2, later).filter(|job| job.range.start > 4 * MIB) {
            plan.advance(more.id, 64 * MIB as usize, later);
            plan.end(more.id, later);
        }
        assert_eq!(plan.advance(0, 5, later), (MIB, 0), "the remaining bytes of the job belong to another job");
    }

    proptest! {
        /// Asserts, for events in any order, that each byte belongs to one job at a time, and that all bytes are
        /// fetched.
        #[test]
        fn every_byte_is_fetched_exactly_once(
            total in 1u64..40_000, grain in 1u64..5000, steps in prop::collection::vec((0u8..5, 0usize..8, 1usize..9000), 0..200),
        ) {
            let now = Instant::now();
            let mut plan = SegmentPlan::new(&ByteRanges::default(), Some(total), grain);
            let mut there = vec![false; total as usize];
            let mut jobs: Vec<JobId> = plan.lead(now).map(|job| job.id).into_iter().collect();
            plan.share(4);
            let mut clock = now;
            let all = steps.into_iter().chain((0..).map(|number| (if number % 3 == 0 { 2 } else { 0 }, number, 997)));
            for (round, (what, which, count)) in all.enumerate() {
                clock += Duration::from_millis(400);
                let job = (!jobs.is_empty()).then(|| jobs[which % jobs.len()]);
                match (what, job) {
                    (0 | 4, Some(job)) => {
                        let (at, mine) = plan.advance(job, count, clock);
                        for byte in &mut there[at as usize..at as usize + mine] {
                            prop_assert!(!std::mem::replace(byte, true), "fetched twice");
                        }
                        if plan.left_of(job) == 0 && !plan.extend(job, 4, u64::MAX) {
                            plan.end(job, clock);
                            jobs.retain(|other| *other != job);
                        }
                    }
                    (1, Some(job)) => {
                        plan.end(job, clock);
                        jobs.retain(|other| *other != job);
                    }
                    _ if jobs.len() < 8 => jobs.extend(plan.next(4, clock).map(|job| job.id)),
                    _ => {}
                }
                if plan.is_done() {
                    break;
                }
                prop_assert!(round < 5000, "it never ends");
            }
            prop_assert!(there.iter().all(|byte| *byte));
        }
    }
}
