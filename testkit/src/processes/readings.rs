//! Reads memory, processor time and wake-ups of a process or its tree from /proc.

use std::{collections::HashMap, fs};

use anyhow::{Context, Result};
use rustix::process::Pid;

/// Clock ticks per second in /proc. The value is the same on every Linux that Rust supports.
pub const TICKS: f64 = 100.0;

/// Parent of a process, and the processor time that the process has used.
#[derive(Clone, Copy, Debug)]
pub struct ProcessReading {
    /// Process id of the parent.
    pub parent: u32,
    /// Used processor time in seconds.
    pub seconds: f64,
}

/// Resident memory of a process in bytes.
#[derive(Clone, Copy, Debug)]
pub struct ResidentMemory {
    /// Current resident memory.
    pub now: u64,
    /// Peak resident memory.
    pub peak: u64,
}

/// Returns the resident memory of `pid`.
pub fn resident(pid: u32) -> Result<ResidentMemory> {
    let text = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).map(|kib| kib << 10)
    };
    Ok(ResidentMemory {
        now: field("VmRSS:").context("the process has ended")?,
        peak: field("VmHWM:").context("the process has ended")?,
    })
}

/// Returns the memory of the processes `pids` in bytes. Shared pages count proportionally (PSS).
pub fn proportional(pids: &[u32]) -> Result<u64> {
    let mut sum = 0;
    for pid in pids {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("the process has ended")?;
        sum += line.trim().trim_end_matches(" kB").parse::<u64>()? << 10;
    }
    Ok(sum)
}

/// Returns the process ids of `root` and of all its descendants.
pub fn tree(root: u32) -> Vec<u32> {
    let all = processes();
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&parent) = tree.get(next) {
        tree.extend(all.iter().filter(|(_, process)| process.parent == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    tree
}

/// Returns the child processes of `parent`.
pub fn children(parent: Pid) -> Vec<Pid> {
    let parent = parent.as_raw_nonzero().get().cast_unsigned();
    let own = processes().into_iter().filter(|(_, process)| process.parent == parent);
    own.filter_map(|(pid, _)| Pid::from_raw(pid.cast_signed())).collect()
}

/// Returns the child process with this name.
pub fn child(parent: Pid, name: &str) -> Option<Pid> {
    let comm = |pid: &Pid| fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero()));
    children(parent).into_iter().find(|pid| comm(pid).is_ok_and(|found| found.trim() == name))
}

/// Returns every process of the machine.
pub fn processes() -> HashMap<u32, ProcessReading> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid: u32| Some((pid, reading(pid)?))).collect()
}

/// Returns the processor seconds that `pid` has used.
pub fn seconds(pid: u32) -> Result<f64> {
    Ok(reading(pid).context("the process has ended")?.seconds)
}

fn reading(pid: u32) -> Option<ProcessReading> {
    let fields = stat(pid)?;
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some(ProcessReading { parent: fields.get(1)?.parse().ok()?, seconds: (ticks(11)? + ticks(12)?) / TICKS })
}

/// Returns the fields of `stat` after the process name.
///
/// The name is in parentheses and may contain any character.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

/// Returns the command line of `pid`.
pub fn words(pid: u32) -> String {
    let text = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&text).replace('\0', " ")
}

/// Returns the number of voluntary context switches of a process's threads, which equals the number of wake-ups.
/// Threads that have exited are not counted.
pub fn sleeps(pid: u32) -> Result<u64> {
    let mut sum = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        let Ok(text) = fs::read_to_string(thread?.path().join("status")) else { continue };
        let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        sum += line.and_then(|line| line.trim().parse::<u64>().ok()).unwrap_or_default();
    }
    Ok(sum)
}

/// Returns the machine's available memory in bytes.
pub fn available_memory() -> Result<u64> {
    let text = fs::read_to_string("/proc/meminfo")?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).context("the system does not say it")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? << 10)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn process_tree_includes_children_and_their_memory() -> Result<()> {
        let mut shell = Command::new("sh").args(["-c", "sleep 60 & cat; kill $!"]).stdin(Stdio::piped()).spawn()?;
        let mut tree = tree(shell.id());
        while tree.len() < 3 {
            assert!(shell.try_wait()?.is_none());
            tree = super::tree(shell.id());
        }
        assert_eq!(tree[0], shell.id());
        assert_eq!(children(Pid::from_child(&shell)).len(), 2);
        // A new child process has the name of the shell until it runs its own program.
        while child(Pid::from_child(&shell), "cat").is_none() {
            assert!(shell.try_wait()?.is_none());
        }
        assert!(super::tree(std::process::id()).contains(&tree[2]));
        let (whole, alone) = (proportional(&tree)?, proportional(&tree[..1])?);
        assert!(whole > alone && alone > 0, "{whole} {alone}");
        drop(shell.stdin.take());
        shell.wait()?;
        assert!(proportional(&[tree[0]]).is_err(), "memory of a process that has ended is an error, and never 0");
        assert!(seconds(tree[0]).is_err());
        Ok(())
    }
}
