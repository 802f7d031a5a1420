//! A short slice of each goal, enough to see that it runs and that nothing obvious is broken. `make torture` runs the
//! goals in full. Schedules, secrets and parsers of untrusted bytes have slices of their own elsewhere.

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
    // A goal with a missing requirement is skipped. A goal that needs the requirement only for some runs makes the
    // others.
    told.lines().filter(|line| line.contains("| skipped: ") || line.contains(" skipped, ")).for_each(left_out);
}

#[test]
fn power_slice_passes() {
    slice("power", "0.01");
}

#[test]
fn filesystems_slice_passes() {
    slice("filesystems", "0.02");
}

#[test]
fn folders_slice_passes() {
    slice("folders", "0.08");
}

#[test]
fn calls_slice_passes() {
    slice("calls", "0.008");
}

#[test]
fn failing_slice_passes() {
    slice("failing", "0.008");
}

#[test]
fn kept_slice_passes() {
    slice("kept", "0.01");
}

#[test]
fn ledger_slice_passes() {
    slice("ledger", "0.012");
}

#[test]
fn servers_slice_passes() {
    slice("servers", "0.02");
}

#[test]
fn checkpoints_slice_passes() {
    slice("checkpoints", "0.05");
}

#[test]
fn list_slice_passes() {
    slice("list", "0.05");
}

#[test]
fn growth_slice_passes() {
    slice("growth", "0.1");
}

#[test]
fn attacks_slice_passes() {
    slice("attacks", "0.15");
}

#[test]
fn names_slice_passes() {
    slice("names", "0.001");
}

#[test]
fn starts_slice_passes() {
    slice("starts", "0.05");
}

#[test]
fn sync_server_slice_passes() {
    slice("sync-server", "0.024");
}

#[test]
fn clocks_slice_passes() {
    slice("clocks", "0.25");
}
