//! Keeps the free memory of the machine occupied between the runs.
//!
//! The host of a virtual machine reclaims free memory, and provides it again on the first access. A program that writes
//! gigabytes to a memory file system would spend as much time waiting for the host as for the download, and chance
//! would decide which program waits. Therefore a file occupies the free memory. Before each run, the file releases as
//! much memory as the run needs.
//!
//! Linux reports a free block of 2 MiB to the host about two seconds after the block becomes free, which would be
//! during the run. Therefore memory is released in pieces, and pages between the pieces stay occupied, so that few free
//! blocks of 2 MiB form.

use std::{
    fs::{self, File, OpenOptions},
    io::ErrorKind,
    ops::Range,
    os::unix::fs::FileExt,
    path::Path,
};

use anyhow::Result;
use ashore_testkit::readings::available_memory;
use rustix::fs::{FallocateFlags, SeekFrom, fallocate, seek};

/// Number of bytes that always stay free for other programs.
const LEFT: u64 = 1 << 30;
/// Number of bytes between two pages that stay occupied.
const PIECE: u64 = 1 << 20;
const PAGE: u64 = 4 << 10;

/// Occupies free memory with a file in `folder`, then releases `needed` bytes of the file.
///
/// The folder is in a memory file system. All released bytes were accessed before, and `LEFT` bytes are never occupied.
/// Does nothing outside a virtual machine.
pub fn give(folder: &Path, needed: u64) -> Result<()> {
    if !has_host()? {
        return Ok(());
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(folder.join("float"))?;
    let held = hold(&file, || Ok(available_memory()? > LEFT))?;
    let given = needed + needed.div_ceil(PIECE) * PAGE;
    drop_cache(&file, held.saturating_sub(given)..held)
}

/// Fills the holes of `file`, then extends the file as long as `more` returns true.
///
/// Returns the length of the file.
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

/// Releases the memory of the range `bytes` of `file`, except the first page of each piece.
fn drop_cache(file: &File, bytes: Range<u64>) -> Result<()> {
    for start in (bytes.start / PIECE * PIECE..bytes.end).step_by(usize::try_from(PIECE)?) {
        fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, start + PAGE, PIECE - PAGE)?;
    }
    Ok(())
}

/// Returns whether the processor flags indicate a virtual machine.
fn has_host() -> Result<bool> {
    let text = fs::read_to_string("/proc/cpuinfo")?;
    let mut flags = text.lines().filter(|line| line.starts_with("flags")).flat_map(str::split_whitespace);
    Ok(flags.any(|flag| flag == "hypervisor"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn memory_file_is_filled_again_from_the_first_released_page_on() -> Result<()> {
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
