//! Prints and stores results, and writes the results page. A contest with too few rounds is printed but not stored.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use anyhow::Result;
use ashore_testkit::{nginx::Nginx, results::ResultStore};
use serde::{Deserialize, Serialize};

use crate::{
    alone::{AshoreRun, RunMode},
    browser,
    contest::{self, CompetitorTool, ContestTarget, MemorySource},
    figure::{self, BenchFigure, met},
    machine, queue,
    resume::ResumeFigure,
    rounds::{BenchSetup, RoundEntry, RoundSample, median},
    sync,
    tools::BenchTool,
    window::{self, SeenFrames},
};

/// Working folder on disk; not part of the sources.
pub const OUT: &str = "bench/out";
/// Names of the other benchmarks, in display order.
pub const OTHERS: [&str; 9] = ["queue", "window", "page", "browser", "resume", "alone", "sync", "sync-users", "sync-client"];
/// Maximum number of MiB that a download fetches again after a kill.
///
/// This is the amount of data between two checkpoints. It does not depend on the number of connections per file. Each
/// connection also compares [`OVERLAP`] MiB on resume.
const CHECKPOINT: f64 = 32.0;
const OVERLAP: f64 = 1.0 / 16.0;

/// Stored result of one contest.
#[derive(Debug, Serialize, Deserialize)]
pub struct KeptResult {
    name: String,
    title: String,
    date: String,
    revision: String,
    machine: String,
    body: ResultBody,
}

/// Measured data.
#[derive(Debug, Serialize, Deserialize)]
pub enum ResultBody {
    /// Costs of several programs that run in turn.
    Contest { entries: Vec<RoundEntry>, targets: Vec<ContestTarget> },
    /// Downloads that are killed and resumed.
    Resume(Vec<ResumeFigure>),
    /// Design choices of Ashore.
    Alone(Vec<AshoreRun>),
    /// Operations on a list with up to a million links.
    Queue(Vec<BenchFigure>),
    /// The desktop window.
    Window(SeenFrames),
    /// The page of the window, with a simulated engine.
    Page(SeenFrames),
    /// Clicks in a browser.
    Browser(SeenFrames),
    /// The sync server with one user.
    Sync(SeenFrames),
    /// The sync server with many users.
    SyncUsers(SeenFrames),
    /// The machines of one user.
    SyncClient(SeenFrames),
}

impl KeptResult {
    /// Creates a result with the current date. Machine and revision are added by [`BenchResults::add`].
    pub fn new(name: &str, title: &str, body: ResultBody) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            date: jiff::Zoned::now().strftime("%Y-%m-%d %H:%M %Z").to_string(),
            revision: String::new(),
            machine: String::new(),
            body,
        }
    }
}

/// Output of the results.
#[derive(Debug)]
pub struct BenchResults {
    store: ResultStore,
    machine: String,
}

impl BenchResults {
    /// Opens the output. Results are always printed; they are stored only if `is_kept`.
    pub fn open(is_kept: bool) -> Result<Self> {
        let store = ResultStore::open("bench", is_kept)?;
        fs::create_dir_all(OUT)?;
        Ok(Self { store, machine: String::new() })
    }

    /// Prints the machine and the versions of the programs.
    #[expect(clippy::print_stdout, reason = "printing is the purpose of this function")]
    pub fn begin(&mut self, ground: &BenchSetup) -> Result<()> {
        let tools = [BenchTool::Ashore, BenchTool::Curl, BenchTool::Aria2, BenchTool::Wget2, BenchTool::Axel];
        let version = |tool: BenchTool| Some(format!("{} {}", tool.name(), tool.version()?));
        let versions: Vec<String> = tools.into_iter().filter_map(version).collect();
        let place = machine::description(&ground.memory, &ground.disk);
        self.machine = format!("{place}. {}, nginx {}", versions.join(", "), Nginx::version()?);
        println!("{}", self.machine);
        Ok(())
    }

    /// Prints a result. Also stores the result, if the output was opened with `is_kept`.
    #[expect(clippy::print_stdout, reason = "printing is the purpose of this function")]
    pub fn add(&self, mut kept: KeptResult) -> Result<()> {
        kept.machine.clone_from(&self.machine);
        kept.revision = self.store.revision(&[]);
        let mut text = String::new();
        section(&mut text, &kept)?;
        if let ResultBody::Contest { entries, targets } = &kept.body {
            for line in verdicts(&kept.name, entries, targets) {
                writeln!(text, "{line}")?;
            }
        }
        println!("\n{text}");
        self.store.save(&kept.name, &serde_json::to_vec(&kept)?)?;
        if self.store.is_kept() {
            self.store.keep_page(&self.page()?)?;
        }
        Ok(())
    }

    /// Prints where the results were written.
    pub fn finish(&self) {
        self.store.finish();
    }

    /// Returns the page with all stored results.
    ///
    /// The programs of one contest ran on the same machine. Different contests may come from different machines.
    fn page(&self) -> Result<String> {
        let names = || contest::all().into_iter().map(|contest| contest.name).chain(OTHERS);
        let all: Vec<KeptResult> = names().filter_map(|name| self.store.read(name)).collect();
        let missing: Vec<&str> = names().filter(|name| all.iter().all(|kept| kept.name != *name)).collect();
        let mut page = String::from(
            "# Comparison\n\n\
             Written by `make bench`. Values are medians of alternating runs on loopback. Every byte of every run is\n\
             compared with the file of the server. A ratio is Ashore divided by the other program, so lower is better.\n\
             \n\
             - CPU is the processor time of the whole process tree, in user and kernel mode.\n\
             - Ashore runs as shipped: every file is in the ledger, with journal and checkpoints, and is synced before it\n\
             \x20 counts as complete. The other programs keep no list and sync nothing.\n\
             - Sent is the number of bytes between server and program in both directions, including headers.\n\
             - A run is disturbed if other programs used more than 5 % of the machine during the run. Wall times of such\n\
             \x20 runs mean little.\n\
             - The caches of files on disk are emptied before each scenario, where the bench has the permission. Free\n\
             \x20 memory is held between the runs, so that no run waits for memory that the host of a virtual machine took.\n\n",
        );
        writeln!(page, "## Required results\n\n{VERDICT_HEAD}")?;
        let mut tools = BTreeMap::new();
        for kept in &all {
            match &kept.body {
                ResultBody::Contest { entries, targets } => {
                    tools.insert(kept.name.as_str(), (&kept.machine, entries));
                    for line in verdicts(&kept.name, entries, targets) {
                        writeln!(page, "{line}")?;
                    }
                }
                ResultBody::Resume(all) => page.push_str(&resume_verdicts(all)?),
                ResultBody::Alone(all) => page.push_str(&alone_verdicts(all)?),
                ResultBody::Queue(figures)
                | ResultBody::Window((figures, _))
                | ResultBody::Page((figures, _))
                | ResultBody::Browser((figures, _))
                | ResultBody::Sync((figures, _))
                | ResultBody::SyncUsers((figures, _))
                | ResultBody::SyncClient((figures, _)) => page.push_str(&figure::verdicts(&kept.name, figures)?),
            }
        }
        if let (Some((here, plain)), Some((there, verified))) = (tools.get("split"), tools.get("verify"))
            && here == there
        {
            page.push_str(&verification_verdict(plain, verified)?);
        }
        if !missing.is_empty() {
            writeln!(page, "\nNot measured yet: {}.", missing.join(", "))?;
        }
        for kept in &all {
            page.push('\n');
            section(&mut page, kept)?;
        }
        Ok(page)
    }
}

/// Writes the section of one contest with all figures.
fn section(page: &mut String, kept: &KeptResult) -> Result<()> {
    writeln!(page, "## {}: {}\n", kept.name, kept.title)?;
    writeln!(page, "{}, revision {}. {}.\n", kept.date, kept.revision, kept.machine)?;
    match &kept.body {
        ResultBody::Contest { entries, .. } => contest_table(page, entries),
        ResultBody::Resume(all) => resume_table(page, all),
        ResultBody::Alone(all) => alone_table(page, all),
        ResultBody::Queue(figures) => {
            figure::table(page, figures)?;
            Ok(writeln!(page, "\n{}", queue::NOTES)?)
        }
        ResultBody::Window(seen) => seen_table(page, seen, window::NOTES),
        ResultBody::Page(seen) => seen_table(page, seen, window::PAGE_NOTES),
        ResultBody::Browser(seen) => seen_table(page, seen, browser::NOTES),
        ResultBody::Sync(seen) => seen_table(page, seen, sync::NOTES),
        ResultBody::SyncUsers(seen) => seen_table(page, seen, sync::USERS_NOTES),
        ResultBody::SyncClient(seen) => seen_table(page, seen, sync::CLIENT_NOTES),
    }
}

fn seen_table(page: &mut String, (figures, engines): &SeenFrames, notes: &str) -> Result<()> {
    figure::table(page, figures)?;
    Ok(writeln!(page, "\n{engines}. {notes}")?)
}

fn contest_table(page: &mut String, entries: &[RoundEntry]) -> Result<()> {
    let is_durable = entries.iter().any(|entry| values_of(entry, |sample| sample.cost.durable.is_some().into()) > 0.0);
    let (head, rule) = if is_durable { (" durable s |", "---:|") } else { ("", "") };
    writeln!(page, "| | wall s | (least - most) |{head} CPU s | peak memory | switches | sent | right | disturbed |")?;
    writeln!(page, "|---|---:|---:|{rule}---:|---:|---:|---:|---:|---:|")?;
    for entry in entries {
        let runs = entry.samples.len();
        let (least, most) = range(entry.samples.iter().map(|sample| sample.cost.wall));
        let right = entry.samples.iter().filter(|sample| sample.is_right).count();
        let disturbed = entry.samples.iter().filter(|sample| sample.is_disturbed()).count();
        write!(page, "| {} | {:.2} | {least:.2} - {most:.2} |", entry.tool.name(), wall(entry))?;
        if is_durable {
            write!(page, " {:.2} |", values_of(entry, |sample| sample.cost.durable.unwrap_or_default()))?;
        }
        let switches = values_of(entry, |sample| sample.cost.switches as f64);
        write!(page, " {:.2} | {:.1} MB | {switches:.0} |", cpu(entry), megabytes(entry))?;
        match entry.samples.iter().map(|sample| Some(sample.sent? as f64)).collect::<Option<Vec<f64>>>() {
            Some(sent) => write!(page, " {:.1} MB |", median(sent) / 1e6)?,
            None => write!(page, " |")?,
        }
        writeln!(page, " {right} of {runs} | {disturbed} of {runs} |")?;
    }
    Ok(())
}

const VERDICT_HEAD: &str = "\
| scenario | against | wall | at most | CPU | at most | memory | at most | |
|---|---|---:|---:|---:|---:|---:|---:|---|";

/// Returns one line for each performance target.
fn verdicts(name: &str, entries: &[RoundEntry], targets: &[ContestTarget]) -> Vec<String> {
    let Some(own) = entries.iter().find(|entry| entry.tool == BenchTool::Ashore) else { return Vec::new() };
    targets.iter().filter_map(|target| verdict(name, own, entries, target)).collect()
}

fn verdict(name: &str, own: &RoundEntry, entries: &[RoundEntry], target: &ContestTarget) -> Option<String> {
    let faster = |one: &&RoundEntry, other: &&RoundEntry| wall(one).total_cmp(&wall(other));
    let other = match &target.against {
        CompetitorTool::Tool(tool) => {
            let is_one = |entry: &&RoundEntry| entry.tool.name().split(',').next() == tool.name().split(',').next();
            Some(entries.iter().filter(is_one).min_by(faster)?)
        }
        CompetitorTool::Best => Some(entries.iter().filter(|entry| entry.tool.is_peer()).min_by(faster)?),
        CompetitorTool::Ideal(_) => None,
    };
    let against = match (&target.against, other) {
        (CompetitorTool::Ideal(seconds), _) => format!("{seconds:.2} s"),
        (CompetitorTool::Best, Some(other)) => format!("fastest: {}", other.tool.name()),
        (_, other) => other?.tool.name().to_owned(),
    };
    let their_wall = match target.against {
        CompetitorTool::Ideal(seconds) => seconds,
        _ => wall(other?),
    };
    let walls = target.wall.map(|most| (wall(own) / their_wall, most));
    let cpus = target.cpu.and_then(|most| Some((cpu(own) / cpu(other?), most)));
    let (memory, memory_met) = match target.memory {
        Some(MemorySource::Megabytes(most)) => (format!("{:.1} MB | {most:.0} MB", megabytes(own)), megabytes(own) <= most),
        Some(MemorySource::Ratio(most)) => {
            let ratio = megabytes(own) / megabytes(other?);
            (format!("{ratio:.2} | {most:.2}"), ratio <= most)
        }
        None => (" | ".to_owned(), true),
    };
    let is_right = own.samples.iter().all(|sample| sample.is_right);
    let is_met = [walls, cpus].into_iter().flatten().all(|(ratio, most)| ratio <= most) && memory_met && is_right;
    let pair =
        |pair: Option<(f64, f64)>| pair.map_or_else(|| " | ".to_owned(), |(ratio, most)| format!("{ratio:.2} | {most:.2}"));
    Some(format!("| {name} | {against} | {} | {} | {memory} | {} |", pair(walls), pair(cpus), met(is_met)))
}

fn resume_table(page: &mut String, all: &[ResumeFigure]) -> Result<()> {
    writeln!(page, "| | connections | held when killed | sent again | s to the end | right |")?;
    writeln!(page, "|---|---:|---:|---:|---:|---:|")?;
    for one in all {
        let middle = |value: fn(&crate::resume::ResumeSample) -> f64| median(one.samples.iter().map(value));
        let held = middle(|sample| sample.held as f64) / 1048576.0;
        let again = middle(|sample| sample.again as f64) / 1048576.0;
        let right = one.samples.iter().filter(|sample| sample.is_right).count();
        writeln!(
            page,
            "| {} | {} | {held:.0} MiB | {again:.1} MiB | {:.2} | {right} of {} |",
            one.tool.name(),
            one.connections,
            middle(|sample| sample.wall),
            one.samples.len()
        )?;
    }
    writeln!(page, "\nSent again: bytes that the server sent after the kill, minus the bytes that the program still needed.")?;
    Ok(())
}

fn resume_verdicts(all: &[ResumeFigure]) -> Result<String> {
    let mut text = String::new();
    for one in all.iter().filter(|one| one.tool == BenchTool::Ashore) {
        let worst = one.samples.iter().map(|sample| sample.again as f64 / 1048576.0).fold(0.0, f64::max);
        let most = CHECKPOINT + OVERLAP * f64::from(one.connections);
        let is_right = one.samples.iter().all(|sample| sample.is_right);
        let is_met = met(worst <= most && is_right);
        writeln!(
            text,
            "| resume, connections: {} | one checkpoint, sent again in the worst run | {worst:.1} MiB | {most:.0} MiB | | | | | {is_met} |",
            one.connections
        )?;
    }
    Ok(text)
}

fn alone_table(page: &mut String, all: &[AshoreRun]) -> Result<()> {
    writeln!(page, "| | to | wall s | (least - most) | CPU s | peak memory |\n|---|---|---:|---:|---:|---:|")?;
    for one in all {
        let middle = |value: fn(&crate::measure::ProcessCost) -> f64| median(one.samples.iter().map(value));
        let (least, most) = range(one.samples.iter().map(|cost| cost.wall));
        let place = if one.is_to_disk { "disk" } else { "memory" };
        let (wall, cpu) = (middle(|cost| cost.wall), middle(|cost| cost.cpu));
        let memory = middle(|cost| cost.memory as f64) / 1e6;
        writeln!(page, "| {} | {place} | {wall:.2} | {least:.2} - {most:.2} | {cpu:.2} | {memory:.1} MB |", one.way.name())?;
    }
    writeln!(page, "\nPair by pair, above: the median of the ratios of consecutive runs.")?;
    Ok(())
}

/// Returns one line for each file system: checkpoints must cost less than 3 % of the wall time.
///
/// The ratio is the median over pairs of consecutive runs, because the noise of the machine exceeds 3 % but mostly
/// affects both runs of a pair.
fn alone_verdicts(all: &[AshoreRun]) -> Result<String> {
    let mut text = String::new();
    for is_to_disk in [false, true] {
        let find = |way: RunMode| all.iter().find(|one| one.way == way && one.is_to_disk == is_to_disk);
        let (Some(with), Some(without)) = (find(RunMode::Shipped), find(RunMode::WithoutCheckpoints)) else { continue };
        let place = if is_to_disk { "disk" } else { "memory" };
        let ratio = median(with.samples.iter().zip(&without.samples).map(|(with, without)| with.wall / without.wall));
        writeln!(
            text,
            "| checkpoints, to {place} | without, pair by pair | {ratio:.2} | 1.03 | | | | | {} |",
            met(ratio <= 1.03)
        )?;
    }
    Ok(text)
}

/// Compares two ways to verify a file: during the download, and by reading the file after the download.
fn verification_verdict(plain: &[RoundEntry], verified: &[RoundEntry]) -> Result<String> {
    let cost = |value: fn(&RoundEntry) -> f64, tool: BenchTool| {
        let find = |entries: &[RoundEntry]| entries.iter().find(|entry| entry.tool == tool).map(value);
        Some(find(verified)? - find(plain)?)
    };
    let ratio = |value: fn(&RoundEntry) -> f64| Some(cost(value, BenchTool::Ashore)? / cost(value, BenchTool::Aria2)?);
    let (Some(wall), Some(cpu)) = (ratio(wall), ratio(cpu)) else { return Ok(String::new()) };
    let is_met = met(wall <= 0.5);
    Ok(format!("| time added by SHA-256 | time added to aria2c | {wall:.2} | 0.50 | {cpu:.2} | | | | {is_met} |\n"))
}

fn values_of(entry: &RoundEntry, value: fn(&RoundSample) -> f64) -> f64 {
    median(entry.samples.iter().map(value))
}

fn wall(entry: &RoundEntry) -> f64 {
    values_of(entry, |sample| sample.cost.wall)
}

fn cpu(entry: &RoundEntry) -> f64 {
    values_of(entry, |sample| sample.cost.cpu)
}

fn megabytes(entry: &RoundEntry) -> f64 {
    values_of(entry, |sample| sample.cost.memory as f64) / 1e6
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| (least.min(value), most.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::ProcessCost;

    fn entry(tool: BenchTool, wall: f64, is_right: bool) -> RoundEntry {
        let cost = ProcessCost { wall, cpu: wall, memory: 20_000_000, is_success: true, ..ProcessCost::default() };
        RoundEntry { tool, samples: vec![RoundSample { cost, is_right, others: 0.0, sent: None }] }
    }

    fn target(against: CompetitorTool) -> ContestTarget {
        ContestTarget { against, wall: Some(0.5), cpu: None, memory: Some(MemorySource::Ratio(1.0)) }
    }

    #[test]
    fn benchmark_target_uses_faster_of_two_competitor_configurations() {
        let entries = [
            entry(BenchTool::Ashore, 1.0, true),
            entry(BenchTool::Aria2, 4.0, true),
            entry(BenchTool::Aria2Cached, 2.0, true),
            entry(BenchTool::Bare, 0.1, true),
        ];
        let lines = verdicts("x", &entries, &[target(CompetitorTool::Tool(BenchTool::Aria2)), target(CompetitorTool::Best)]);
        assert_eq!(lines[0], "| x | aria2c, 64 MiB cache | 0.50 | 0.50 |  |  | 1.00 | 1.00 | met |");
        assert!(lines[1].contains("fastest: aria2c, 64 MiB cache"), "{}", lines[1]);
        let lines = verdicts("x", &entries, &[target(CompetitorTool::Tool(BenchTool::Bare))]);
        assert!(lines[0].ends_with("| **missed** |"), "{}", lines[0]);
    }

    #[test]
    fn checkpoint_cost_is_median_ratio_of_run_times_with_and_without_checkpoints() -> Result<()> {
        let walls = |way, walls: [f64; 3]| {
            let samples = walls.map(|wall| ProcessCost { wall, ..ProcessCost::default() }).to_vec();
            AshoreRun { way, is_to_disk: false, samples }
        };
        let without = walls(RunMode::WithoutCheckpoints, [1.0, 2.0, 3.0]);
        let line = |with| alone_verdicts(&[walls(RunMode::Shipped, with), without.clone()]);
        assert_eq!(line([1.02, 2.02, 9.0])?, "| checkpoints, to memory | without, pair by pair | 1.02 | 1.03 | | | | | met |\n");
        assert!(line([1.04, 2.08, 2.0])?.ends_with("| 1.04 | 1.03 | | | | | **missed** |\n"));
        Ok(())
    }

    #[test]
    fn benchmark_run_that_delivers_a_wrong_byte_misses_every_target() {
        let entries = [entry(BenchTool::Ashore, 0.1, false), entry(BenchTool::Curl, 4.0, true)];
        let lines = verdicts("x", &entries, &[target(CompetitorTool::Tool(BenchTool::Curl))]);
        assert!(lines[0].ends_with("| **missed** |"), "{}", lines[0]);
    }
}
