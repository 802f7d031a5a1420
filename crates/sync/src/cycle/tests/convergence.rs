//! Property test of the cycle: after every random history, all machines and the server agree, and no edit is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::{prelude::*, test_runner::TestRunner};

use super::{
    checks::check,
    fleet::Fleet,
    steps::{FleetHistory, MACHINES, history},
};
use crate::merge::convergence_tests::config;

/// Replays a history, and checks the lists afterwards.
pub fn replay(history: &FleetHistory) {
    let mut fleet = Fleet::new(history.errors_ms, history.longest_page);
    for (passed_ms, step) in &history.steps {
        fleet.pass(*passed_ms);
        fleet.take(step);
    }
    fleet.end();
    check(&fleet);
    assert!((0..MACHINES).all(|at| !fleet.is_restored(at)), "the server has lost nothing");
}

/// Runs `cases` random histories.
fn run(cases: u32, seed: u64) {
    let outcome = TestRunner::new(config(cases, seed, 20_000)).run(&history(), |history| {
        catch_unwind(AssertUnwindSafe(|| replay(&history))).map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            TestCaseError::fail(text.unwrap_or_default())
        })
    });
    if let Err(error) = outcome {
        panic!("seed {seed}: {error}");
    }
}

#[test]
fn three_machines_with_faults_converge() {
    run(60, 20_261_128);
}

#[test]
#[ignore = "takes minutes: `make test-long`"]
fn ten_thousand_histories_of_three_machines_converge() {
    run(10_000, 1);
}
