//! 20,000 generated servers, tried in six ways in parallel; `ASHORE_RUNS` sets another number.

use std::io::Write as _;

use ashore_testkit::generated::{Kind, Way, trials};
use rand::{SeedableRng, rngs::SmallRng};
use tokio::task::JoinSet;

const SEED: u64 = 20_261_126;
const RUNS: u64 = 20_000;
/// Number of trials between two progress messages.
const STEP: u64 = 1000;
/// Ways to download from a server, each with its number of connections.
const WAYS: [(Way, u32); 6] =
    [(Way::Fresh, 1), (Way::Resumed, 1), (Way::Killed, 1), (Way::Fresh, 16), (Way::Resumed, 16), (Way::Killed, 16)];

#[tokio::test(flavor = "multi_thread")]
async fn downloads_from_20_000_generated_servers_keep_every_guarantee() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seed, runs) = (number("ASHORE_SEED").unwrap_or(SEED), number("ASHORE_RUNS").unwrap_or(RUNS));
    let only = number("ASHORE_RUN");
    print_line(&format!("seed {seed}, {runs} servers (ASHORE_SEED={seed} repeats them, ASHORE_RUN=number one of them)"));
    let mut findings = Vec::new();
    let mut from = 0;
    while from < runs {
        let numbers = from..runs.min(from + STEP);
        // Run the ways in parallel: each way mostly waits for its servers, and the ways share no state.
        let mut meetings = JoinSet::new();
        for (place, (way, connections)) in (0..).zip(WAYS) {
            // A file for sixteen connections is large, so only one number in ten is tried with sixteen connections,
            // each in one of the three ways.
            let is_of_this_way = |number: &u64| {
                let lot = number % 30;
                if lot < 3 { place == 3 + lot } else { place == number % 3 }
            };
            let is_meant = |number: &u64| is_of_this_way(number) && only.is_none_or(|only| only == *number);
            // Seed each number separately, so that each trial can be repeated without the others.
            let kind = |number: u64| Kind::draw(&mut SmallRng::seed_from_u64(seed ^ number.rotate_left(32)));
            let kinds: Vec<_> = numbers.clone().filter(is_meant).map(|number| (number, kind(number))).collect();
            meetings.spawn(async move { trials(seed, &kinds, way, connections).await });
        }
        for found in meetings.join_all().await.into_iter().flatten() {
            print_line(&found);
            findings.push(found);
        }
        from = numbers.end;
        print_line(&format!("{from} servers, {} findings", findings.len()));
    }
    assert!(findings.is_empty(), "{} of {runs}; ASHORE_SEED={seed} repeats them:\n{}", findings.len(), findings.join("\n"));
}

/// Prints to the terminal even if the test runner hides output, so that every run shows its seed.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
