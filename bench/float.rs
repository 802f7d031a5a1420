//! The machine's free memory, held back between the runs. A virtual machine's host takes free memory away and gives it
//! again when it is touched: whoever writes gigabytes to a memory file system then waits for that as long as for the
//! download itself, and which program has to is chance. So a file takes all of it, and before each run gives back as much
//! as that run needs: memory that was in use a moment ago.

use std::{
    fs::{self, OpenOptions},
    io::{ErrorKind, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::{Context, Result};

/// What is never taken: other programs are there too.
const LEFT: u64 = 1 << 30;
const PIECE: usize = 1 << 20;

/// Leaves `needed` bytes free below what is always left, all of them touched before, by a file in `folder`, which is in
/// memory. A machine that has less than that to give is left alone, and so is one without a host.
pub fn give(folder: &Path, needed: u64) -> Result<()> {
    if !has_host()? {
        return Ok(());
    }
    let mut file = OpenOptions::new().create(true).append(true).open(folder.join("float"))?;
    let piece = vec![0; PIECE];
    while available()? > LEFT {
        match file.write_all(&piece) {
            Err(error) if error.kind() == ErrorKind::StorageFull => break,
            written => written?,
        }
    }
    let held = file.seek(SeekFrom::End(0))?;
    file.set_len(held.saturating_sub(needed))?;
    Ok(())
}

/// Whether this is a virtual machine, as its processors say.
fn has_host() -> Result<bool> {
    let text = fs::read_to_string("/proc/cpuinfo")?;
    let mut flags = text.lines().filter(|line| line.starts_with("flags")).flat_map(str::split_whitespace);
    Ok(flags.any(|flag| flag == "hypervisor"))
}

/// What programs could still have, in bytes.
fn available() -> Result<u64> {
    let text = fs::read_to_string("/proc/meminfo")?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).context("the system does not say it")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? << 10)
}
