//! Short run of each goal, enough to detect obvious failures. `make torture` runs the goals in full. Other tests cover
//! schedules, secrets and parsers of untrusted bytes.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a slice that cannot run has failed, and the panic shows the reason"
)]

use std::process::Command;

use ashore_testkit::left_out;

fn slice(goal: &str, scale: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_ashore-torture"))
        .args(["--only", goal, "--scale", scale])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .env_remove("ASHORE_SEED")
        .env_remove("ASHORE_RUN")
        .output()
        .expect("the program can be started");
    let (told, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{goal}:\n{told}\n{complained}");
    println!("{told}");
    // A goal is skipped if a requirement is missing. If only some runs have this requirement, only these runs are
    // skipped.
    told.lines().filter(|line| line.contains("| skipped: ") || line.contains(" skipped, ")).for_each(left_out);
}

#[test]
fn short_run_meets_goal_named_power() {
    slice("power", "0.01");
}

#[test]
fn short_run_meets_goal_named_filesystems() {
    slice("filesystems", "0.02");
}

#[test]
fn short_run_meets_goal_named_folders() {
    slice("folders", "0.08");
}

#[test]
fn short_run_meets_goal_named_calls() {
    slice("calls", "0.008");
}

#[test]
fn short_run_meets_goal_named_failing() {
    slice("failing", "0.008");
}

#[test]
fn short_run_meets_goal_named_kept() {
    slice("kept", "0.01");
}

#[test]
fn short_run_meets_goal_named_ledger() {
    slice("ledger", "0.012");
}

#[test]
fn short_run_meets_goal_named_servers() {
    slice("servers", "0.02");
}

#[test]
fn short_run_meets_goal_named_checkpoints() {
    slice("checkpoints", "0.05");
}

#[test]
fn short_run_meets_goal_named_list() {
    slice("list", "0.05");
}

#[test]
fn short_run_meets_goal_named_growth() {
    slice("growth", "0.1");
}

#[test]
fn short_run_meets_goal_named_attacks() {
    slice("attacks", "0.15");
}

#[test]
fn short_run_meets_goal_named_names() {
    slice("names", "0.001");
}

#[test]
fn short_run_meets_goal_named_starts() {
    slice("starts", "0.05");
}

#[test]
fn short_run_meets_goal_named_sync_server() {
    slice("sync-server", "0.024");
}

#[test]
fn short_run_meets_goal_named_sync() {
    slice("sync", "0.02");
}

#[test]
fn short_run_meets_goal_named_clocks() {
    slice("clocks", "0.25");
}
