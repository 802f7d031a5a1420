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
fn short_run_with_power_cuts_breaks_no_guarantee() {
    slice("power", "0.01");
}

#[test]
fn short_run_on_other_file_systems_breaks_no_guarantee() {
    slice("filesystems", "0.02");
}

#[test]
fn short_run_with_failing_folders_breaks_no_guarantee() {
    slice("folders", "0.08");
}

#[test]
fn short_run_with_kills_at_system_calls_breaks_no_guarantee() {
    slice("calls", "0.008");
}

#[test]
fn short_run_with_failing_system_calls_breaks_no_guarantee() {
    slice("failing", "0.008");
}

#[test]
fn acknowledged_changes_survive_short_run() {
    slice("kept", "0.01");
}

#[test]
fn short_run_with_damaged_ledgers_breaks_no_guarantee() {
    slice("ledger", "0.012");
}

#[test]
fn short_run_with_bad_servers_breaks_no_guarantee() {
    slice("servers", "0.02");
}

#[test]
fn short_run_keeps_cost_of_checkpoints_in_bounds() {
    slice("checkpoints", "0.05");
}

#[test]
fn short_run_with_long_lists_breaks_no_guarantee() {
    slice("list", "0.05");
}

#[test]
fn short_run_keeps_memory_and_disk_usage_in_bounds() {
    slice("growth", "0.1");
}

#[test]
fn short_run_with_attacks_breaks_no_guarantee() {
    slice("attacks", "0.15");
}

#[test]
fn short_run_with_hostile_file_names_breaks_no_guarantee() {
    slice("names", "0.001");
}

#[test]
fn short_run_with_simultaneous_starts_breaks_no_guarantee() {
    slice("starts", "0.05");
}

#[test]
fn short_run_with_crashes_of_sync_server_breaks_no_guarantee() {
    slice("sync-server", "0.024");
}

#[test]
fn short_run_with_sync_between_machines_breaks_no_guarantee() {
    slice("sync", "0.02");
}

#[test]
fn short_run_with_clock_changes_breaks_no_guarantee() {
    slice("clocks", "0.25");
}
