//! Tests the bounds of limits in every window, with simulated time, without a clock or a network.

use proptest::prelude::*;

use crate::rate_limit::fair_queue::*;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Passed bytes. Each entry contains the time, the index of the transfer and the number of bytes.
type PassedBytes = Vec<(Duration, usize, u64)>;

/// Transfer that always has more bytes to receive.
///
/// The fields are its route, its piece sizes and its number of connections.
struct Greedy {
    way: Arc<[FlowScope]>,
    pieces: Vec<usize>,
    connections: usize,
}

impl Greedy {
    fn new(scopes: &[FlowScope], pieces: &[usize]) -> Self {
        Self { way: scopes.into(), pieces: pieces.to_vec(), connections: 1 }
    }
}

/// Simulated run of all transfers.
///
/// Each timer is late by the next value of `lateness`. After the last value, the first one is used again.
struct Run {
    turns: FairQueue<(usize, usize)>,
    all: Vec<Greedy>,
    lateness: Vec<Duration>,
    /// State of each connection: number of begun pieces, and remaining bytes of the current piece.
    hands: Vec<Vec<(usize, usize)>>,
    begun: Instant,
    at: Duration,
    wakes: usize,
    passed: PassedBytes,
}

impl Run {
    fn new(limits: &[(FlowScope, u64)], all: Vec<Greedy>, lateness: &[Duration]) -> Self {
        let begun = Instant::now();
        let mut turns = FairQueue::default();
        for (scope, rate) in limits {
            turns.limit(scope.clone(), Some(RateLimit::new(*rate).unwrap()), begun);
        }
        let hands = all.iter().map(|greedy| vec![(0, 0); greedy.connections]).collect();
        let lateness = lateness.to_vec();
        Self { turns, all, lateness, hands, begun, at: Duration::ZERO, wakes: 0, passed: Vec::new() }
    }

    /// Queues the next request of a connection.
    fn ask(&mut self, who: usize, hand: usize) {
        let (piece, left) = &mut self.hands[who][hand];
        if *left == 0 {
            *left = self.all[who].pieces[*piece % self.all[who].pieces.len()];
            *piece += 1;
        }
        let (way, wanted) = (self.all[who].way.clone(), *left);
        self.turns.ask(who as FlowKey, &way, wanted, (who, hand), self.begun + self.at);
    }

    fn ask_all(&mut self) {
        for who in 0..self.all.len() {
            (0..self.all[who].connections).for_each(|hand| self.ask(who, hand));
        }
    }

    /// Continues the run until `end`.
    fn until(&mut self, end: Duration) {
        while self.at < end {
            let served = self.turns.serve(self.begun + self.at, |_| false);
            for ((who, hand), bytes) in &served.granted {
                assert!(*bytes > 0, "a grant of 0 bytes would be requested again forever");
                self.passed.push((self.at, *who, *bytes as u64));
                self.hands[*who][*hand].1 -= bytes;
                self.ask(*who, *hand);
            }
            if served.granted.is_empty() {
                let due = served.due.expect("a request waits") - self.begun;
                let late = self.lateness[self.wakes % self.lateness.len()];
                self.wakes += 1;
                self.at = self.at.max(due) + late;
            }
        }
    }

    fn passed_by(&self, is_meant: impl Fn(usize) -> bool) -> PassedBytes {
        self.passed.iter().filter(|(at, who, _)| *at < self.at && is_meant(*who)).copied().collect()
    }

    fn share(&self, who: usize, from: Duration) -> u64 {
        self.passed.iter().filter(|(at, whose, _)| *whose == who && *at >= from).map(|(_, _, bytes)| bytes).sum()
    }
}

/// Returns the maximum number of bytes that passed within any window of this length.
fn most_in(passed: &PassedBytes, window: Duration) -> u64 {
    let (mut first, mut sum, mut most) = (0, 0, 0);
    for (at, _, bytes) in passed {
        sum += bytes;
        while *at - passed[first].0 > window {
            sum -= passed[first].2;
            first += 1;
        }
        most = most.max(sum);
    }
    most
}

/// Returns the minimum number of bytes that passed within any window of this length.
///
/// Only windows that end before `end` count.
fn least_in(passed: &PassedBytes, window: Duration, end: Duration) -> u64 {
    // The window with the fewest bytes begins directly after a grant, or at the start of the run.
    let sums: Vec<u64> = passed
        .iter()
        .scan(0, |sum, (_, _, bytes)| {
            *sum += bytes;
            Some(*sum)
        })
        .collect();
    let before = |at: Duration| passed.partition_point(|(when, _, _)| *when < at).checked_sub(1).map_or(0, |index| sums[index]);
    let starts = std::iter::once((Duration::ZERO, 0)).chain(passed.iter().zip(&sums).map(|((at, _, _), sum)| (*at, *sum)));
    starts
        .filter(|(at, _)| *at + window <= end)
        .map(|(at, sum)| before(at + window) - sum.min(before(at + window)))
        .min()
        .unwrap()
}

/// Asserts that the bytes pass at this rate.
///
/// The deviation is at most 3 % over any ten seconds. At most 125 % of the rate passes in any one second.
fn assert_keeps(passed: &PassedBytes, rate: u64, end: Duration) {
    let second = most_in(passed, Duration::from_secs(1));
    assert!(second * 100 <= rate * 125, "{second} in one second at {rate}");
    let ten = Duration::from_secs(10);
    let most = most_in(passed, ten);
    assert!(most * 100 <= rate * 10 * 103, "{most} in ten seconds at {rate}");
    let least = least_in(passed, ten, end);
    assert!(least * 100 >= rate * 10 * 97, "{least} in ten seconds at {rate}");
}

fn all() -> FlowScope {
    FlowScope::All
}

fn host(name: &str) -> FlowScope {
    FlowScope::Host(name.to_owned())
}

fn group(number: u128) -> FlowScope {
    FlowScope::Group(Uuid::from_u128(number))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn speed_limit_is_respected_in_every_period(
        power in 16.0f64..28.97,
        transfers in prop::collection::vec((prop::collection::vec(1usize..400_000, 1..6), 1usize..5), 1..6),
        lateness in prop::collection::vec(0u64..40_000, 1..7),
    ) {
        // The rates are between 64 KiB and 500 MiB per second, with an equal share for each order of magnitude.
        let rate = power.exp2() as u64;
        let greedy = |(pieces, connections): (Vec<usize>, usize)| {
            // Pieces of a single byte are tested at slow rates only: a fast rate would need a million grants per
            // second.
            let least = (rate / 2000) as usize;
            let pieces: Vec<_> = pieces.into_iter().map(|size| size.max(least)).collect();
            Greedy { connections, ..Greedy::new(&[all()], &pieces) }
        };
        let lateness: Vec<_> = lateness.into_iter().map(Duration::from_micros).collect();
        let mut run = Run::new(&[(all(), rate)], transfers.into_iter().map(greedy).collect(), &lateness);
        run.ask_all();
        run.until(Duration::from_secs(15));
        assert_keeps(&run.passed_by(|_| true), rate, run.at);
    }

    #[test]
    fn all_nested_speed_limits_are_respected(
        rates in prop::collection::vec(64 * KIB..64 * MIB, 3),
        pieces in prop::collection::vec(20_000usize..400_000, 1..4),
    ) {
        let (host, group) = (host("a.test"), group(1));
        let limits = [(all(), rates[0]), (host.clone(), rates[1]), (group.clone(), rates[2])];
        let ways = [vec![all()], vec![all(), host.clone()], vec![all(), host.clone(), group.clone()], vec![all(), group.clone()]];
        let everybody = ways.iter().map(|way| Greedy::new(way, &pieces)).collect();
        let mut run = Run::new(&limits, everybody, &[Duration::from_millis(1)]);
        run.ask_all();
        run.until(Duration::from_secs(12));
        for (scope, rate) in &limits {
            let passed = run.passed_by(|who| ways[who].contains(scope));
            prop_assert!(most_in(&passed, Duration::from_secs(1)) * 100 <= rate * 125);
            prop_assert!(most_in(&passed, Duration::from_secs(10)) * 100 <= rate * 10 * 103);
        }
        // The first transfer has only the limit for all transfers. The sum of all transfers therefore reaches this
        // limit.
        assert_keeps(&run.passed_by(|_| true), rates[0], run.at);
    }
}

#[test]
fn speed_limits_of_64_kib_and_500_mib_are_respected() {
    for rate in [64 * KIB, 500 * MIB] {
        let greedy = (0..8).map(|_| Greedy::new(&[all()], &[256 << 10])).collect();
        let mut run = Run::new(&[(all(), rate)], greedy, &[Duration::from_millis(2)]);
        run.ask_all();
        run.until(Duration::from_secs(25));
        assert_keeps(&run.passed_by(|_| true), rate, run.at);
    }
}

#[test]
fn unrestricted_transfers_get_the_bandwidth_that_tighter_limits_leave() {
    // Limits in MiB per second: 10 for all transfers, 4 for a host, 1 for a registration. The unrestricted transfers
    // get the bandwidth that the tighter limits leave.
    let limits = [(all(), 10 * MIB), (host("a.test"), 4 * MIB), (group(1), MIB)];
    let everybody = vec![
        Greedy::new(&[all(), host("a.test"), group(1)], &[64 << 10]),
        Greedy::new(&[all(), host("a.test")], &[64 << 10]),
        Greedy::new(&[all()], &[64 << 10]),
    ];
    let mut run = Run::new(&limits, everybody, &[Duration::from_millis(1)]);
    run.ask_all();
    run.until(Duration::from_secs(20));
    for (who, rate) in [MIB, 3 * MIB, 6 * MIB].into_iter().enumerate() {
        assert_keeps(&run.passed_by(|whose| whose == who), rate, run.at);
    }
}

#[test]
fn bandwidth_is_shared_equally_despite_connections_and_piece_sizes() {
    let many = Greedy { connections: 8, ..Greedy::new(&[all()], &[300_000]) };
    let one = Greedy::new(&[all()], &[1500]);
    let mut run = Run::new(&[(all(), MIB)], vec![many, one], &[Duration::from_millis(1)]);
    run.ask_all();
    run.until(Duration::from_secs(20));
    let (many, one) = (run.share(0, Duration::ZERO), run.share(1, Duration::ZERO));
    assert!(many.abs_diff(one) * 100 <= (many + one) * 4, "{many} and {one}");
}

#[test]
fn transfer_that_starts_late_receives_equal_share_immediately() {
    let everybody = (0..2).map(|_| Greedy::new(&[all()], &[50_000])).collect();
    let mut run = Run::new(&[(all(), MIB)], everybody, &[Duration::from_millis(1)]);
    run.ask(0, 0);
    run.until(Duration::from_secs(30));
    run.ask(1, 0);
    run.until(Duration::from_secs(40));
    let from = Duration::from_secs(30);
    let (first, second) = (run.share(0, from), run.share(1, from));
    assert!(first.abs_diff(second) * 100 <= (first + second) * 4, "{first} and {second}");
}

#[test]
fn many_newcomers_do_not_starve_existing_transfer() {
    let begun = Instant::now();
    let mut turns = FairQueue::default();
    turns.limit(all(), Some(RateLimit::new(MIB).unwrap()), begun);
    let way: Arc<[FlowScope]> = [all()].into();
    let (mut now, mut large, mut small) = (begun, 0, 0);
    turns.ask(0, &way, 1 << 20, 0, now);
    turns.ask(1, &way, 10_000, 1, now);
    let mut newcomer = 1;
    while now < begun + Duration::from_secs(20) {
        let served = turns.serve(now, |_| false);
        for (flow, bytes) in served.granted {
            if flow == 0 {
                large += bytes;
                turns.ask(0, &way, 1 << 20, 0, now);
            } else {
                // Each small file is a single portion. The next small file follows immediately.
                small += bytes;
                turns.leave(flow);
                newcomer += 1;
                turns.ask(newcomer, &way, 10_000, newcomer, now);
            }
        }
        now = served.due.map_or(now, |due| due.max(now)) + Duration::from_millis(1);
    }
    assert!(large * 3 >= small, "{large} and {small}");
}

#[test]
fn changed_speed_limit_applies_immediately() {
    let everybody = (0..3).map(|_| Greedy::new(&[all()], &[100_000])).collect();
    let mut run = Run::new(&[(all(), 100 * MIB)], everybody, &[Duration::from_millis(1)]);
    run.ask_all();
    run.until(Duration::from_secs(5));
    run.turns.limit(all(), Some(RateLimit::new(64 * KIB).unwrap()), run.begun + run.at);
    let (changed, before) = (run.at, run.passed.len());
    run.until(changed + Duration::from_secs(15));
    let slow: PassedBytes = run.passed[before..].iter().map(|(at, who, bytes)| (*at - changed, *who, *bytes)).collect();
    assert_keeps(&slow, 64 * KIB, run.at - changed);
    run.turns.limit(all(), Some(RateLimit::new(10 * MIB).unwrap()), run.begun + run.at);
    let (changed, before) = (run.at, run.passed.len());
    run.until(changed + Duration::from_secs(15));
    let fast: PassedBytes = run.passed[before..].iter().map(|(at, who, bytes)| (*at - changed, *who, *bytes)).collect();
    assert_keeps(&fast, 10 * MIB, run.at - changed);
}

#[test]
fn removed_speed_limit_releases_all_waiting_requests() {
    let now = Instant::now();
    let mut turns = FairQueue::default();
    let way: Arc<[FlowScope]> = [all()].into();
    turns.limit(all(), Some(RateLimit::new(KIB).unwrap()), now);
    (0..3).for_each(|flow| turns.ask(flow, &way, 1 << 20, flow, now));
    assert_eq!(turns.serve(now, |_| false).granted, [(0, 128)]);
    turns.limit(all(), None, now);
    assert_eq!(turns.serve(now, |_| false).granted, [(1, 1 << 20), (2, 1 << 20)]);
    assert!(!turns.is_limited(&way));
}

#[test]
fn bandwidth_request_waits_while_another_request_waits() {
    let now = Instant::now();
    let mut turns = FairQueue::default();
    let (slow, fast): (Arc<[FlowScope]>, Arc<[FlowScope]>) = ([host("a.test")].into(), [host("b.test")].into());
    turns.limit(host("a.test"), Some(RateLimit::new(KIB).unwrap()), now);
    turns.limit(host("b.test"), Some(RateLimit::new(MIB).unwrap()), now);
    assert_eq!(turns.pass(0, &slow, 1000, now), Some(128));
    assert_eq!(turns.pass(0, &slow, 1000, now), None, "one portion is all that is saved up");
    turns.ask(0, &slow, 1000, (), now);
    assert_eq!(turns.pass(1, &fast, 1000, now), None, "another transfer may have waited for longer");
}

#[test]
fn cancelled_requests_use_no_bandwidth() {
    let now = Instant::now();
    let mut turns = FairQueue::default();
    let way: Arc<[FlowScope]> = [all()].into();
    turns.limit(all(), Some(RateLimit::new(KIB).unwrap()), now);
    (0..3).for_each(|flow| turns.ask(flow, &way, 128, flow, now));
    turns.leave(0);
    let served = turns.serve(now, |flow| *flow == 1);
    assert_eq!((served.granted, served.due), (vec![(2, 128)], None));
}

#[test]
fn share_of_transfer_is_computed_from_its_tightest_limit() {
    let now = Instant::now();
    let mut turns = FairQueue::default();
    let (wide, narrow): (Arc<[FlowScope]>, Arc<[FlowScope]>) = ([all()].into(), [all(), host("a.test")].into());
    assert_eq!(turns.share(&narrow), None);
    turns.limit(all(), Some(RateLimit::new(8 * MIB).unwrap()), now);
    turns.limit(host("a.test"), Some(RateLimit::new(3 * MIB).unwrap()), now);
    turns.ask(0, &narrow, 1, 0, now);
    (1..4).for_each(|flow| turns.ask(flow, &wide, 1, flow, now));
    assert_eq!((turns.share(&narrow), turns.share(&wide)), (Some(2 * MIB), Some(2 * MIB)));
}
