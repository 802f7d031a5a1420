//! Measures the cost of durability during a download.
//!
//! Each pair consists of a normal download and a download that persists nothing before its end. The pairs use a real
//! server, and either a disk or memory as the target. Machine noise exceeds the cost of checkpoints but mostly affects
//! both downloads of a pair, so the median of all ratios is compared.

use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use ashore_testkit::{download, free_bytes, nginx::FileServer, origin::content};
use ashore_transfer::{Guid, TransferConfig, TransferSpec};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::RunTally,
};

/// Number of pairs of downloads. The target alternates between disk and memory.
pub const RUNS: u64 = 80;
/// Minimum number of pairs per target for a meaningful median.
const ENOUGH: usize = 30;
/// Maximum ratio of the time with checkpoints to the time without them.
const MOST: f64 = 1.03;
/// File size in bytes for a full run. Proportionally smaller for fewer pairs.
const SIZE: u64 = 1 << 30;
const BLOCK: u64 = 16 << 20;
/// Folder in memory, on systems that have one.
const MEMORY: &str = "/dev/shm";
const NAME: &str = "large.bin";

/// Target of the downloads: a folder on the disk or in memory.
struct Place {
    name: &'static str,
    folder: TempDir,
    /// For each pair, the ratio of the time with checkpoints to the time without them.
    ratios: Vec<f64>,
}

/// Runs the requested number of pairs of downloads.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    let size = (SIZE * ask.runs.min(RUNS) / RUNS).next_multiple_of(BLOCK);
    let has_memory = free_bytes(Path::new(MEMORY)).is_some_and(|free| free > 3 * size);
    let place = |name, folder| Place { name, folder, ratios: Vec::new() };
    let mut places = vec![place("a disk", tempfile::tempdir()?)];
    if has_memory {
        places.push(place("memory", tempfile::tempdir_in(MEMORY)?));
    }
    let own = if has_memory { tempfile::tempdir_in(MEMORY)? } else { tempfile::tempdir()? };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let server = runtime.block_on(FileServer::start(own.path(), None))?;
    fill(&server.files().join(NAME), size)?;

    let mut turn = 0;
    while tally.wants_more() {
        // In each target, alternate which download of a pair runs first.
        let is_first = turn / places.len() % 2 == 0;
        let index = turn % places.len();
        let place = &mut places[index];
        match pair(&server, place.folder.path(), is_first) {
            Ok(ratio) => place.ratios.push(ratio),
            Err(error) => tally.wrong(turn as u64, &format!("to {}: {error:#}", place.name)),
        }
        tally.done(1);
        turn += 1;
    }
    for place in &mut places {
        place.ratios.sort_by(f64::total_cmp);
        let middle = quantile(&place.ratios, 2);
        if place.ratios.len() >= ENOUGH && middle > MOST {
            tally.wrong(0, &format!("writing to {} takes {middle:.3} times as long", place.name));
        }
    }
    let mut verdict = tally.verdict();
    verdict.notes.extend(places.iter().map(|place| {
        let [low, middle, high] = [1, 2, 3].map(|quarter| quantile(&place.ratios, quarter));
        format!("{middle:.3} times as long as without checkpoints, to {} (half of the pairs: {low:.3} to {high:.3}).", place.name)
    }));
    Ok(verdict)
}

/// Runs a pair. Returns the ratio of the time with checkpoints to the time without them.
fn pair(server: &FileServer, folder: &Path, is_first: bool) -> Result<f64> {
    let mut took = [Duration::ZERO; 2];
    for is_shipped in [is_first, !is_first] {
        took[usize::from(is_shipped)] = fetch(server, folder, is_shipped)?;
    }
    Ok(took[1].div_duration_f64(took[0]))
}

/// Runs one download over one connection and returns its duration.
fn fetch(server: &FileServer, folder: &Path, is_shipped: bool) -> Result<Duration> {
    // First write the data of the previous download to the disk, so that the time for this is not measured.
    rustix::fs::sync();
    let mut config = TransferConfig { connections: 1, ..TransferConfig::default() };
    if !is_shipped {
        (config.checkpoint_interval, config.checkpoint_bytes) = (Duration::from_secs(86_400), 1 << 50);
    }
    let runtime = ashore_transfer::runtime()?;
    let begun = Instant::now();
    let spec = TransferSpec::download(Guid(Uuid::from_u128(7)), server.url(NAME).parse()?, folder.to_owned());
    runtime.block_on(download(config, spec))?;
    let took = begun.elapsed();
    let file = folder.join(NAME);
    ensure!(is_same(&file, &server.files().join(NAME))?, "the downloaded file is wrong");
    fs::remove_file(file)?;
    Ok(took)
}

fn fill(path: &Path, size: u64) -> Result<()> {
    let mut file = fs::File::create(path)?;
    for number in 0..size / BLOCK {
        file.write_all(&content(number, BLOCK))?;
    }
    Ok(())
}

fn is_same(one: &Path, other: &Path) -> Result<bool> {
    let (mut one, mut other) = (fs::File::open(one)?, fs::File::open(other)?);
    let mut blocks = [vec![0; 1 << 20], vec![0; 1 << 20]];
    let size = other.metadata()?.len();
    if one.metadata()?.len() != size {
        return Ok(false);
    }
    for _ in 0..size >> 20 {
        one.read_exact(&mut blocks[0])?;
        other.read_exact(&mut blocks[1])?;
        if blocks[0] != blocks[1] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the first, second or third quartile.
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    sorted.get(sorted.len() * quarters / 4).or(sorted.last()).copied().unwrap_or(f64::NAN)
}
