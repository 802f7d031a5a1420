//! A short slice of each goal: enough to see that it can be tried, and that nothing plain is broken. `make torture` does them
//! whole. Schedules, secrets and readers of foreign bytes have slices of their own, beside them.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a slice that cannot be made has failed, and says what came of it")]

use std::process::Command;

use ashore_tests::left_out;

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
    // A goal that needs what is not here is skipped, and one that needs it for a part does the rest.
    told.lines().filter(|line| line.contains("| skipped: ") || line.contains("could not be made")).for_each(left_out);
}

#[test]
fn the_power_is_cut() {
    slice("power", "0.01");
}

#[test]
fn disks_are_of_every_kind() {
    slice("filesystems", "0.02");
}

#[test]
fn folders_misbehave() {
    slice("folders", "0.08");
}

#[test]
fn it_is_killed_at_its_calls() {
    slice("calls", "0.008");
}

#[test]
fn calls_fail() {
    slice("failing", "0.008");
}

#[test]
fn what_was_acknowledged_is_kept() {
    slice("kept", "0.01");
}

#[test]
fn the_ledger_is_damaged() {
    slice("ledger", "0.012");
}

#[test]
fn servers_are_bad() {
    slice("servers", "0.02");
}

#[test]
fn checkpoints_are_compared() {
    slice("checkpoints", "0.05");
}

#[test]
fn the_list_is_long() {
    slice("list", "0.05");
}

#[test]
fn servers_are_hostile() {
    slice("growth", "0.1");
}

#[test]
fn it_is_attacked() {
    slice("attacks", "0.15");
}

#[test]
fn names_deceive() {
    slice("names", "0.001");
}

#[test]
fn many_start_at_once() {
    slice("starts", "0.05");
}

#[test]
fn the_sync_server_is_killed() {
    slice("sync-server", "0.024");
}

#[test]
fn clocks_are_set() {
    slice("clocks", "0.25");
}
