//! Describes the machine and accounts for the load of other programs during a run.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result};
use ashore_testkit::{
    readings::{self, TICKS},
    results::machine,
};

/// Snapshot of processor time, in seconds.
#[derive(Debug)]
pub struct ChildUsage {
    /// Time used by programs and the kernel on all processors, excluding interrupts.
    all: f64,
    /// Part of `all` that kernel threads used. It is attributed to the measured run.
    kernel: f64,
    /// Part of `all` that processes of the bench used.
    own: f64,
}

impl ChildUsage {
    /// Takes a snapshot. `own` lists the long-lived processes of the bench. Their child processes are also counted.
    pub fn now(own: &[u32]) -> Result<Self> {
        let text = fs::read_to_string("/proc/stat")?;
        let line = text.lines().next().context("/proc/stat is empty")?;
        let ticks: Vec<f64> = line.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
        let mut account = Self { all: ticks.iter().take(3).sum::<f64>() / TICKS, kernel: 0.0, own: 0.0 };
        for (pid, process) in readings::processes() {
            if pid == 2 || process.parent == 2 {
                account.kernel += process.seconds;
            } else if own.contains(&pid) || own.contains(&process.parent) {
                account.own += process.seconds;
            }
        }
        Ok(account)
    }

    /// Returns the processor seconds that other programs used since `before`. `measured` is the processor time of the
    /// measured run and is not included.
    pub fn others_since(&self, before: &Self, measured: f64) -> f64 {
        let known = (self.kernel - before.kernel) + (self.own - before.own) + measured;
        (self.all - before.all - known).max(0.0)
    }
}

/// Returns the number of processors.
pub fn processors() -> f64 {
    std::thread::available_parallelism().map_or(1.0, |count| count.get() as f64)
}

/// Returns a description of processors, memory, kernel and both file systems.
pub fn description(memory: &Path, disk: &Path) -> String {
    format!("{}, memory file system: {}, disk: {}", machine(), file_system(memory), file_system(disk))
}

fn file_system(path: &Path) -> String {
    let output = Command::new("stat").args(["--file-system", "--format=%T"]).arg(path).output();
    output.map_or_else(|_| "unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the bytes transferred over loopback since boot, in both directions, including headers.
pub fn looped() -> Result<u64> {
    let text = fs::read_to_string("/proc/net/dev")?;
    received(&text, "lo").context("/proc/net/dev does not list the loopback interface")
}

fn received(text: &str, interface: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(interface)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Drops the page cache, where permitted (as root).
///
/// Without this, a program that writes gigabytes to a memory file system pays for reclaiming the cache, and chance
/// decides which program pays.
pub fn empty_caches() {
    let _ = fs::write("/proc/sys/vm/drop_caches", "1");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_received_bytes_is_the_first_number_in_the_line_of_the_network_interface() {
        let text = "Inter-|   Receive\n face |bytes    packets\n  lonely: 1 2\n    lo: 2168929020957 41937821    0\n  eth0:7 8\n";
        assert_eq!(["lo", "eth0", "eth"].map(|name| received(text, name)), [Some(2_168_929_020_957), Some(7), None]);
    }
}
