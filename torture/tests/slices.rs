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
fn promise_about_power_cuts_holds_in_shortened_test() {
    slice("power", "0.01");
}

#[test]
fn promise_about_other_file_systems_holds_in_shortened_test() {
    slice("filesystems", "0.02");
}

#[test]
fn promise_about_failing_folders_holds_in_shortened_test() {
    slice("folders", "0.08");
}

#[test]
fn promise_about_kills_at_system_calls_holds_in_shortened_test() {
    slice("calls", "0.008");
}

#[test]
fn promise_about_failing_system_calls_holds_in_shortened_test() {
    slice("failing", "0.008");
}

#[test]
fn promise_about_acknowledged_changes_holds_in_shortened_test() {
    slice("kept", "0.01");
}

#[test]
fn promise_about_damaged_ledgers_holds_in_shortened_test() {
    slice("ledger", "0.012");
}

#[test]
fn promise_about_bad_servers_holds_in_shortened_test() {
    slice("servers", "0.02");
}

#[test]
fn promise_about_cost_of_checkpoints_holds_in_shortened_test() {
    slice("checkpoints", "0.05");
}

#[test]
fn promise_about_long_lists_holds_in_shortened_test() {
    slice("list", "0.05");
}

#[test]
fn promise_about_memory_and_disk_usage_holds_in_shortened_test() {
    slice("growth", "0.1");
}

#[test]
fn promise_about_attacks_holds_in_shortened_test() {
    slice("attacks", "0.15");
}

#[test]
fn promise_about_file_names_holds_in_shortened_test() {
    slice("names", "0.001");
}

#[test]
fn promise_about_simultaneous_starts_holds_in_shortened_test() {
    slice("starts", "0.05");
}

#[test]
fn promise_about_crashes_of_sync_server_holds_in_shortened_test() {
    slice("sync-server", "0.024");
}

#[test]
fn promise_about_sync_between_machines_holds_in_shortened_test() {
    slice("sync", "0.02");
}

#[test]
fn promise_about_clock_changes_holds_in_shortened_test() {
    slice("clocks", "0.25");
}
