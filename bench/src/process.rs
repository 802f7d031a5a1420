//! Reads memory, processor time and wake-ups of a process or its tree from /proc.

use std::{collections::HashMap, fs};

use anyhow::{Context, Result};

use crate::machine::TICKS;

/// Resident memory of a process, bytes.
#[derive(Clone, Copy, Debug)]
pub struct ResidentMemory {
    /// Current value.
    pub now: u64,
    /// Peak value.
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

/// Returns the memory of `pids` in bytes; a shared page counts proportionally (PSS).
pub fn proportional(pids: &[u32]) -> Result<u64> {
    let mut sum = 0;
    for pid in pids {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("the process has ended")?;
        sum += line.trim().trim_end_matches(" kB").parse::<u64>()? << 10;
    }
    Ok(sum)
}

/// Returns `root` and all its descendants.
pub fn tree(root: u32) -> Vec<u32> {
    let parents: HashMap<u32, u32> = all().collect();
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&parent) = tree.get(next) {
        tree.extend(parents.iter().filter(|(_, of)| **of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    tree
}

/// Returns every process with its parent.
fn all() -> impl Iterator<Item = (u32, u32)> {
    fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| {
        let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        Some((pid, stat(pid)?.get(1)?.parse().ok()?))
    })
}

/// Returns the processor seconds used.
pub fn seconds(pid: u32) -> Result<f64> {
    let fields = stat(pid).context("the process has ended")?;
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok());
    Ok((ticks(11).context("the process has ended")? + ticks(12).context("the process has ended")?) / TICKS)
}

/// Returns the fields of `stat` after the name.
///
/// The name is in parentheses and may contain any character.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

/// Returns the command line.
pub fn words(pid: u32) -> String {
    let text = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&text).replace('\0', " ")
}

/// Returns how often the threads of a process have gone to sleep voluntarily. Each sleep ended with a wake-up. Threads
/// that have exited are not counted.
pub fn sleeps(pid: u32) -> Result<u64> {
    let mut sum = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        let Ok(text) = fs::read_to_string(thread?.path().join("status")) else { continue };
        let line = text.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        sum += line.and_then(|line| line.trim().parse::<u64>().ok()).unwrap_or_default();
    }
    Ok(sum)
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
