//! The ledger is damaged: flipped bits, truncation, a missing log, an empty or missing file, other content, or a folder
//! in its place.
//!
//! The engine must start, every partial file is kept, and 99 of 100 entries are listed. A damaged ledger is kept
//! unchanged, and the window and `doctor` inform the user.
//!
//! From an unreadable ledger, the engine recovers only the entries that are in the newest backup or in partial files. It
//! loses queued entries that were added after the backup. To have no such entries, each run waits for a backup of the
//! complete list before the damage. After the backup, the run only moves one entry in the queue.

use std::{
    collections::BTreeSet,
    fs,
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::{
    claims,
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, run_turns},
};

/// Number of ledgers that are tested in parallel.
const AT_ONCE: usize = 2;
/// Number of damaged copies of each ledger.
const DAMAGES: u64 = 50;
/// Numbers of entries in the list: finished, with a partial file (`UNFINISHED`), and queued (`WAITING`).
const FINISHED: u64 = 20;
const UNFINISHED: u64 = 6;
const WAITING: u64 = 174;
/// For each unfinished file, the number of received bytes (`THERE`) and the size of the file (`SIZE`).
const THERE: u64 = 1_200_000;
const SIZE: u64 = 2_000_000;
/// Time limit of a start.
const READY: Duration = Duration::from_secs(5);
/// Time limit for creating the ledger.
const PATIENCE: Duration = Duration::from_secs(60);
/// Name of the ledger file. `ASIDE` marks the name of a damaged ledger.
const LEDGER: &str = "ledger.sqlite";
const ASIDE: &str = ".damaged-";
/// Header of every SQLite file.
const BEGINS: &[u8] = b"SQLite format 3\0";
/// Size of a damaged block in bytes. Every SQLite page size is a multiple of this size.
const SECTOR: u64 = 512;

/// Damages ledgers the requested number of times.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    run_turns(&RunTally::of_every_run(ask), AT_ONCE, turn)
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    let origin = Origin::start().await;
    // Close half of the ledgers properly. Kill the engine of the others, which leaves a write-ahead log without a
    // checkpoint.
    let mut sound = Sound::make(&origin, tally.seed(turn), turn.is_multiple_of(2)).await?;
    for _ in 0..DAMAGES {
        if !tally.wants_more() {
            break;
        }
        sound.put_back()?;
        let what = damage(&mut random, &sound.machine.data())?;
        match sound.is_kept().await {
            Ok(true) => tally.count("damaged lists were kept unchanged and reported", 1),
            Ok(false) => {}
            Err(error) => {
                tally.count(&format!("times: {}", error.root_cause()), 1);
                tally.wrong(turn, &format!("{what}: {error:#}"));
            }
        }
        tally.done(1);
    }
    Ok(())
}

/// Undamaged ledger with all files of its data folder.
struct Sound {
    machine: Machine,
    copy: PathBuf,
    names: BTreeSet<String>,
    bodies: u64,
}

impl Sound {
    async fn make(origin: &Origin, bodies: u64, is_closed: bool) -> Result<Self> {
        let mut machine = Machine::new();
        machine.settings("parallel = 10\nparallel-per-host = 10\n");
        ensure!(machine.serve(None).await.is_ok(), "the engine did not start");
        let mut names = BTreeSet::new();
        for number in 0..FINISHED + UNFINISHED {
            let is_held = number >= FINISHED;
            let route = origin.file(&format!("/{number}.bin"), body(bodies, number));
            if is_held {
                drop(route.gate_at(THERE));
            }
            add(&mut machine, &mut names, number, origin.url(&format!("/{number}.bin")).as_str()).await?;
        }
        let begun = Instant::now();
        while claimed(&machine.target())?.len() < usize::try_from(UNFINISHED)? || finished(&mut machine).await? < FINISHED {
            ensure!(begun.elapsed() < PATIENCE, "the ledger was not created in time: {}", machine.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        machine.call("pause", json!({ "unique_id": null })).await.map_err(refused)?;
        for number in FINISHED + UNFINISHED..FINISHED + UNFINISHED + WAITING {
            add(&mut machine, &mut names, number, origin.url(&format!("/{number}.bin")).as_str()).await?;
        }
        machine.stop().await;
        ensure!(machine.serve(None).await.is_ok(), "the engine did not start");
        // Wait for the backup. The engine creates it in the background if the state is newer than all backups.
        while copies(&machine.data()) == 0 {
            ensure!(begun.elapsed() < PATIENCE, "no copy of the list was created: {}", machine.log());
            machine.breath().await.map_err(|died| anyhow::anyhow!("the engine died: {died:?}"))?;
        }
        let any = any(&mut machine).await?;
        machine.call("move", json!({ "unique_id": any, "place": "top" })).await.map_err(refused)?;
        if is_closed {
            machine.stop().await;
        } else {
            machine.kill().await;
        }
        let copy = machine.disk().join("copy");
        copy_all(&machine.data(), &copy.join("data"))?;
        copy_all(&machine.target(), &copy.join("target"))?;
        Ok(Self { machine, copy, names, bodies })
    }

    /// Restores all files.
    fn put_back(&self) -> Result<()> {
        for (name, folder) in [("data", self.machine.data()), ("target", self.machine.target())] {
            fs::remove_dir_all(&folder)?;
            copy_all(&self.copy.join(name), &folder)?;
        }
        Ok(())
    }

    /// Starts the engine and checks its state. Returns whether the engine moved a damaged ledger out of the way.
    async fn is_kept(&mut self) -> Result<bool> {
        let found = LedgerPieces::read(&self.machine.data().join(LEDGER))?;
        let started = tokio::time::timeout(READY, self.machine.serve(None)).await;
        let is_up = matches!(started, Ok(Ok(())));
        let list = if is_up { self.machine.list().await.ok() } else { None };
        let is_aside = if is_up { self.is_damage_reported(&found).await } else { Ok(false) };
        if self.machine.is_running() {
            self.machine.kill().await;
        }
        for (path, claim) in claimed(&self.copy.join("target"))? {
            let name = path.file_name().context("a partial file has no name")?;
            let whole = self.machine.target().join(claim.url.rsplit('/').next().unwrap_or_default());
            let number = claim.url.rsplit('/').next().and_then(|name| name.strip_suffix(".bin")?.parse().ok());
            let body = body(self.bodies, number.context("the name belongs to no download")?);
            let right = |range: std::ops::Range<u64>| body.slice(range.start, range.end - range.start);
            let is_kept = [self.machine.target().join(name), whole].iter().any(|kept| claim.hold_against(kept, right).is_ok());
            ensure!(is_kept, "a partial file is missing");
        }
        ensure!(is_up, "the engine did not start");
        let list = list.context("the list could not be read")?;
        let found: BTreeSet<&str> = list.iter().filter_map(|one| one["developer_id"].as_str()).collect();
        let kept = self.names.iter().filter(|name| found.contains(name.as_str())).count();
        ensure!(kept * 100 >= self.names.len() * 99, "entries are lost");
        is_aside
    }

    /// Checks that a damaged ledger was kept unchanged and reported. Returns whether there was a damaged ledger.
    async fn is_damage_reported(&mut self, found: &LedgerPieces) -> Result<bool> {
        let recovery = self.machine.call("recovery", json!({})).await.map_err(refused)?;
        let aside = aside(&self.machine.data())?;
        if aside.is_empty() && !found.cannot_be_sqlite() {
            return Ok(false);
        }
        let why = recovery["why"]["text"].as_str().context("the damaged list is not reported")?;
        ensure!(!why.is_empty() && recovery["is_ahead"] == false, "the report has no reason: {recovery}");
        ensure!(recovery["copy_of"].is_i64(), "the report does not name the restored copy: {recovery}");
        if let Some(kept) = recovery["kept_as"].as_str() {
            let kept_parts = LedgerPieces::read(Path::new(kept))?;
            ensure!(kept_parts == *found, "the kept list was changed: {kept_parts:?} instead of {found:?}");
        } else {
            ensure!(
                aside.is_empty() && *found == LedgerPieces::default(),
                "the report does not name the damaged list: {aside:?}"
            );
        }
        let doctor = self.machine.run(["doctor"]).await;
        let said: String = [doctor.stdout, doctor.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        ensure!(
            said.contains("The damage was found on") && said.contains("restored from the copy"),
            "ashore doctor printed: {said}"
        );
        Ok(true)
    }
}

/// Contents of the ledger file and its log, and whether a folder replaces the ledger.
#[derive(Clone, Default, PartialEq, Eq)]
struct LedgerPieces {
    list: Option<Vec<u8>>,
    log: Option<Vec<u8>>,
    is_folder: bool,
}

impl LedgerPieces {
    fn read(path: &Path) -> Result<Self> {
        let read = |path: &Path| path.is_file().then(|| fs::read(path)).transpose();
        let log = path.with_file_name(format!("{}-wal", path.file_name().unwrap_or_default().display()));
        Ok(Self { list: read(path)?, log: read(&log)?, is_folder: path.is_dir() })
    }

    /// Returns whether the content cannot be an SQLite file at all.
    fn cannot_be_sqlite(&self) -> bool {
        !self.list.as_ref().is_some_and(|bytes| bytes.starts_with(BEGINS))
    }
}

impl std::fmt::Debug for LedgerPieces {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [list, log] = [&self.list, &self.log].map(|part| part.as_ref().map(|bytes| (bytes.len(), crc32fast::hash(bytes))));
        write!(formatter, "list {list:?}, log {log:?}, folder {}", self.is_folder)
    }
}

/// Returns the paths of damaged ledgers that the engine moved out of the way.
fn aside(data: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(data)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().contains(ASIDE)) {
            paths.push(path);
        }
    }
    Ok(paths)
}

/// Damages the ledger at random and describes the damage.
fn damage(random: &mut StdRng, data: &Path) -> Result<String> {
    let ledger = data.join(LEDGER);
    let log = data.join("ledger.sqlite-wal");
    let has_log = fs::metadata(&log).is_ok_and(|found| found.len() > 0);
    let file = if has_log && random.random_bool(0.4) { &log } else { &ledger };
    let name = if *file == log { "log" } else { "ledger" };
    let length = fs::metadata(file)?.len();
    let at = random.random_range(0..length);
    let what = match random.random_range(0..20) {
        0..8 => {
            change(file, at, 1, |bytes| bytes[0] ^= 1 << (at % 8))?;
            format!("a bit of the {name} was flipped at {at}")
        }
        8..15 => {
            let end = at / SECTOR * SECTOR;
            fs::File::options().write(true).open(file)?.set_len(end)?;
            format!("the {name} was cut at {end}")
        }
        15..17 => {
            let start = at / SECTOR * SECTOR;
            change(file, start, SECTOR.min(length - start), |bytes| bytes.fill(0))?;
            format!("a sector of the {name} was overwritten with zeros at {start}")
        }
        17 => {
            let _ = fs::remove_file(&log);
            "the log is missing".to_owned()
        }
        18 => {
            fs::write(&ledger, if random.random_bool(0.5) { "" } else { "this is not a list" })?;
            "the ledger is empty or another file".to_owned()
        }
        _ => {
            fs::remove_file(&ledger)?;
            if random.random_bool(0.5) {
                fs::create_dir(&ledger)?;
            }
            "the ledger is missing or a folder".to_owned()
        }
    };
    Ok(what)
}

fn change(path: &Path, at: u64, count: u64, change: impl FnOnce(&mut [u8])) -> Result<()> {
    let mut file = fs::File::options().read(true).write(true).open(path)?;
    let mut bytes = vec![0; usize::try_from(count)?];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    change(&mut bytes);
    file.seek(SeekFrom::Start(at))?;
    Ok(file.write_all(&bytes)?)
}

fn body(bodies: u64, number: u64) -> Body {
    Body::seeded(bodies + number, if number < FINISHED { 1_000 } else { SIZE })
}

async fn add(machine: &mut Machine, names: &mut BTreeSet<String>, number: u64, url: &str) -> Result<()> {
    let (name, folder) = (format!("entry-{number}"), machine.target());
    let new = json!({ "owner": "torture", "developer_id": name, "folder": folder, "requests": [{ "url": url }] });
    machine.call("create", new).await.map_err(refused)?;
    names.insert(name);
    Ok(())
}

/// Returns the number of complete backups. Only complete backups have their final names.
fn copies(data: &Path) -> usize {
    let Ok(entries) = fs::read_dir(data.join("backups")) else { return 0 };
    entries.flatten().filter(|entry| entry.path().extension().is_some_and(|kind| kind == "sqlite")).count()
}

async fn finished(machine: &mut Machine) -> Result<u64> {
    let list = machine.list().await.map_err(|died| anyhow::anyhow!("the engine died: {died:?}"))?;
    Ok(list.iter().filter(|one| one["result"] == "success").count() as u64)
}

async fn any(machine: &mut Machine) -> Result<Value> {
    let list = machine.list().await.map_err(|died| anyhow::anyhow!("the engine died: {died:?}"))?;
    Ok(list.first().context("the list is empty")?["unique_id"].clone())
}

fn refused(cut: ashore_testkit::machine::Cut) -> anyhow::Error {
    anyhow::anyhow!("the call was refused: {cut:?}")
}

/// Returns the partial files with more than `THERE / 2` claimed bytes, each with its journal's newest claim.
fn claimed(folder: &Path) -> Result<Vec<(PathBuf, claims::DocumentedClaim)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(part) = path.to_str().and_then(|path| path.strip_suffix(claims::ENDING)) else { continue };
        if let Some(claim) = claims::read(&path)?.filter(|claim| claim.bytes() > THERE / 2) {
            all.push((PathBuf::from(part), claim));
        }
    }
    Ok(all)
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_all(&source, &target)?;
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}
