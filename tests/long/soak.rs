//! Ten thousand random runs.

use ashore_tests::soak::soak;

#[test]
fn ten_thousand_random_runs_call_no_wrong_byte_done_and_throw_nothing_away() {
    let tally = soak(10_000);
    if tally.runs == 10_000 {
        assert!(tally.kills > 4000 && tally.bound > 2000, "{tally:?}");
    }
}
