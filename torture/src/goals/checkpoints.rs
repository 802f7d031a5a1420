//! What it costs that a download is durable while it comes: one as shipped beside one that makes nothing durable before its
//! end, pair by pair, from a real server, to a disk and to memory.
//!
//! What a machine does to one run is more than what checkpoints do, and mostly it does the same to the next one. So it is the
//! middle one of the ratios of all pairs that counts.

use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use ashore_tests::{free_bytes, nginx::Nginx, origin::content};
use ashore_transfer::{Guid, TransferConfig, TransferEvent, TransferOutcome, TransferSpec, Transfers};
use tempfile::TempDir;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::RunTally,
};

/// Pairs, by turns to the disk and to memory.
pub const RUNS: u64 = 80;
/// Of fewer pairs to one place the middle one says nothing yet.
const ENOUGH: usize = 30;
/// What it may take as shipped, over what it takes without.
const MOST: f64 = 1.03;
/// Of a file, in bytes, when all pairs are made; of fewer pairs each is as much smaller.
const SIZE: u64 = 1 << 30;
const BLOCK: u64 = 16 << 20;
/// A folder in memory, on the systems that have one.
const MEMORY: &str = "/dev/shm";
const NAME: &str = "large.bin";

/// Where downloads go.
struct Place {
    name: &'static str,
    folder: TempDir,
    /// As shipped over without, of every pair.
    ratios: Vec<f64>,
}

/// Makes as many pairs as asked for.
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
    let server = runtime.block_on(Nginx::start(own.path(), None))?;
    fill(&server.files().join(NAME), size)?;

    let mut turn = 0;
    while tally.wants_more() {
        // Each of a pair is the first as often as the other, to each place.
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
            tally.wrong(0, &format!("to {} it takes {middle:.3} times as long", place.name));
        }
    }
    let mut verdict = tally.verdict();
    verdict.notes.extend(places.iter().map(|place| {
        let [low, middle, high] = [1, 2, 3].map(|quarter| quantile(&place.ratios, quarter));
        format!("{middle:.3} times as long as without them, to {} (half of the pairs: {low:.3} to {high:.3}).", place.name)
    }));
    Ok(verdict)
}

/// One of each; how many times as long it took as shipped.
fn pair(server: &Nginx, folder: &Path, is_first: bool) -> Result<f64> {
    let mut took = [Duration::ZERO; 2];
    for is_shipped in [is_first, !is_first] {
        took[usize::from(is_shipped)] = fetch(server, folder, is_shipped)?;
    }
    Ok(took[1].div_duration_f64(took[0]))
}

/// One download over one connection, and how long it took until it was done.
fn fetch(server: &Nginx, folder: &Path, is_shipped: bool) -> Result<Duration> {
    // What the last one left to be written is not this one's.
    rustix::fs::sync();
    let mut config = TransferConfig { connections: 1, ..TransferConfig::default() };
    if !is_shipped {
        (config.checkpoint_interval, config.checkpoint_bytes) = (Duration::from_secs(86_400), 1 << 50);
    }
    let runtime = ashore_transfer::runtime()?;
    let begun = Instant::now();
    runtime.block_on(async {
        let (sender, mut events) = mpsc::unbounded_channel();
        let transfers = Transfers::new(config, sender).map_err(|failure| anyhow::anyhow!("{failure:?}"))?;
        let guid = Guid(Uuid::from_u128(7));
        transfers.start(TransferSpec::download(guid, server.url(NAME).parse()?, folder.to_owned()));
        loop {
            match events.recv().await.context("it ended without a word")? {
                TransferEvent::Head { stored, .. } => {
                    let _ = stored.send(());
                }
                TransferEvent::Fetched { .. } => {}
                TransferEvent::Done { outcome: TransferOutcome::Completed(_), .. } => break,
                TransferEvent::Done { outcome, .. } => bail!("{outcome:?}"),
            }
        }
        ashore_tests::forget(&transfers, guid, folder).await;
        anyhow::Ok(())
    })?;
    let took = begun.elapsed();
    let file = folder.join(NAME);
    ensure!(is_same(&file, &server.files().join(NAME))?, "the bytes are wrong");
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

/// So many quarters of them are at most this.
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    sorted.get(sorted.len() * quarters / 4).or(sorted.last()).copied().unwrap_or(f64::NAN)
}
