//! Ten thousand random runs.

use ashore_tests::soak::soak;

#[test]
fn ten_thousand_random_runs_call_no_wrong_byte_done_and_throw_nothing_away() {
    soak(10_000);
}
