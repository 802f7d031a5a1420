//! What the system says of a process that is still there: how much memory it holds, and how often one of its threads was
//! asleep and ran again.

use std::fs;

use anyhow::{Context, Result};

/// Memory of a process, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Resident {
    /// Now.
    pub now: u64,
    /// At its peak.
    pub peak: u64,
}

/// What `pid` holds.
pub fn resident(pid: u32) -> Result<Resident> {
    let text = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).map(|kib| kib << 10)
    };
    Ok(Resident { now: field("VmRSS:").context("it has ended")?, peak: field("VmHWM:").context("it has ended")? })
}

/// How often its threads went to sleep by themselves so far: each went on after something woke it. Those of threads that
/// have ended are gone.
pub fn sleeps(pid: u32) -> Result<u64> {
    let mut sum = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        let Ok(text) = fs::read_to_string(thread?.path().join("status")) else { continue };
        let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        sum += line.and_then(|line| line.trim().parse::<u64>().ok()).unwrap_or_default();
    }
    Ok(sum)
}
