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
fn no_guarantee_is_broken_by_power_cuts_in_short_run() {
    slice("power", "0.01");
}

#[test]
fn no_guarantee_is_broken_on_other_file_systems_in_short_run() {
    slice("filesystems", "0.02");
}

#[test]
fn no_guarantee_is_broken_by_failing_folders_in_short_run() {
    slice("folders", "0.08");
}

#[test]
fn no_guarantee_is_broken_by_kills_at_system_calls_in_short_run() {
    slice("calls", "0.008");
}

#[test]
fn no_guarantee_is_broken_by_failing_system_calls_in_short_run() {
    slice("failing", "0.008");
}

#[test]
fn acknowledged_changes_survive_short_run() {
    slice("kept", "0.01");
}

#[test]
fn no_guarantee_is_broken_by_damaged_ledgers_in_short_run() {
    slice("ledger", "0.012");
}

#[test]
fn no_guarantee_is_broken_by_bad_servers_in_short_run() {
    slice("servers", "0.02");
}

#[test]
fn cost_of_checkpoints_is_in_bounds_in_short_run() {
    slice("checkpoints", "0.05");
}

#[test]
fn no_guarantee_is_broken_by_long_lists_in_short_run() {
    slice("list", "0.05");
}

#[test]
fn memory_and_disk_usage_is_in_bounds_in_short_run() {
    slice("growth", "0.1");
}

#[test]
fn no_guarantee_is_broken_by_attacks_in_short_run() {
    slice("attacks", "0.15");
}

#[test]
fn no_guarantee_is_broken_by_file_names_in_short_run() {
    slice("names", "0.001");
}

#[test]
fn no_guarantee_is_broken_by_simultaneous_starts_in_short_run() {
    slice("starts", "0.05");
}

#[test]
fn no_guarantee_is_broken_by_crashes_of_sync_server_in_short_run() {
    slice("sync-server", "0.024");
}

#[test]
fn no_guarantee_is_broken_by_sync_between_machines_in_short_run() {
    slice("sync", "0.02");
}

#[test]
fn no_guarantee_is_broken_by_clock_changes_in_short_run() {
    slice("clocks", "0.25");
}
