//! Five hundred random runs; `make test-long` does ten thousand.

use ashore_tests::soak::soak;

#[test]
fn five_hundred_random_runs_call_no_wrong_byte_done_and_throw_nothing_away() {
    let tally = soak(500);
    // With fewer by `ASHORE_RUNS`, the rest says nothing.
    if tally.runs == 500 {
        assert!(tally.kills > 200 && tally.resumed > 200 && tally.failed > 200 && tally.changes > 20, "{tally:?}");
        assert!(tally.bound > 100, "{tally:?}");
    }
}
