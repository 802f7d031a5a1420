//! Tests 500 random runs. `make test-long` tests 10,000.

use ashore_testkit::soak::soak;

#[test]
fn five_hundred_random_runs_complete_only_with_correct_bytes() {
    let tally = soak(500);
    // With fewer runs in `ASHORE_RUNS`, the counts of kills and failures are too small to check.
    if tally.runs == 500 {
        assert!(tally.kills > 200 && tally.resumed > 200 && tally.failed > 200 && tally.changes > 20, "{tally:?}");
        assert!(tally.bound > 100, "{tally:?}");
    }
}
