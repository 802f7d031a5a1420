//! Performs 10,000 random runs.

use ashore_testkit::soak::soak;

#[test]
fn ten_thousand_random_runs_complete_only_with_correct_bytes() {
    let tally = soak(10_000);
    if tally.runs == 10_000 {
        assert!(tally.kills > 4000 && tally.bound > 2000, "{tally:?}");
    }
}
