//! The machine's free memory, held back between the runs. A virtual machine's host takes free memory away and gives it
//! again when it is touched: whoever writes gigabytes to a memory file system then waits for that as long as for the
//! download itself, and which program has to is chance. So a file takes all of it, and before each run gives back as much
//! as that run needs: memory that was in use a moment ago.
//!
//! Linux reports free memory to a host in blocks of 2 MiB, some two seconds after it came free: in the middle of the run
//! that is to use it. So what is given back is given in pieces that a kept page parts from each other, and few such blocks
//! come together.

use std::{
    fs::{self, File, OpenOptions},
    io::ErrorKind,
    ops::Range,
    os::unix::fs::FileExt,
    path::Path,
};

use anyhow::{Context, Result};
use rustix::fs::{FallocateFlags, SeekFrom, fallocate, seek};

/// What is never taken: other programs are there too.
const LEFT: u64 = 1 << 30;
/// Of each so many bytes that are given back, a page is kept.
const PIECE: u64 = 1 << 20;
const PAGE: u64 = 4 << 10;

/// Leaves `needed` bytes free below what is always left, all of them touched before, by a file in `folder`, which is in
/// memory. A machine that has less than that to give is left alone, and so is one without a host.
pub fn give(folder: &Path, needed: u64) -> Result<()> {
    if !has_host()? {
        return Ok(());
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(folder.join("float"))?;
    let held = hold(&file, || Ok(available()? > LEFT))?;
    let given = needed + needed.div_ceil(PIECE) * PAGE;
    drop_cache(&file, held.saturating_sub(given)..held)
}

/// Makes `file` larger, and whole where it has holes, while there is `more` to take. Returns its length.
fn hold(file: &File, more: impl Fn() -> Result<bool>) -> Result<u64> {
    let length = file.metadata()?.len();
    let hole = if length == 0 { 0 } else { seek(file, SeekFrom::Hole(0))? };
    let mut end = hole / PIECE * PIECE;
    let piece = vec![0; usize::try_from(PIECE)?];
    while more()? {
        match file.write_all_at(&piece, end) {
            Err(error) if error.kind() == ErrorKind::StorageFull => break,
            written => written?,
        }
        end += PIECE;
    }
    file.set_len(end)?;
    Ok(end)
}

/// Gives the memory of these bytes of `file` back, but for the first page of each piece.
fn drop_cache(file: &File, bytes: Range<u64>) -> Result<()> {
    for start in (bytes.start / PIECE * PIECE..bytes.end).step_by(usize::try_from(PIECE)?) {
        fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, start + PAGE, PIECE - PAGE)?;
    }
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn memory_given_back_leaves_holes_and_is_held_again() -> Result<()> {
        let folder = tempfile::tempdir_in("/dev/shm")?;
        let file = File::create_new(folder.path().join("float"))?;
        let pages = || file.metadata().map(|found| found.blocks() * 512 / PAGE);
        let up_to = |pieces: u64| move |file: &File| hold(file, || Ok(file.metadata()?.blocks() * 512 < pieces * PIECE));
        let all = PIECE / PAGE;
        assert_eq!((up_to(8)(&file)?, pages()?), (8 * PIECE, 8 * all));
        drop_cache(&file, 5 * PIECE..8 * PIECE)?;
        assert_eq!(pages()?, 5 * all + 3, "a page of each piece is kept");
        assert_eq!((up_to(7)(&file)?, pages()?), (7 * PIECE, 7 * all), "from the first hole on, and nothing behind");
        Ok(())
    }
}
