//! Benchmark comparisons (contests), their contestants and the targets that Ashore must meet. [pure]

use serde::{Deserialize, Serialize};

use crate::{
    documents::BenchDocument,
    origin::OriginAddress,
    tools::BenchTool::{self, Aria2, Aria2Cached, Ashore, Axel, Bare, Curl, Wget2},
};

/// A set of files that several programs fetch in turn.
#[derive(Clone, Debug)]
pub struct BenchContest {
    /// Group name, which `ONLY` can select; similar contests share a group.
    pub group: &'static str,
    /// Unique name of this contest, which `ONLY` can select.
    pub name: &'static str,
    /// Title of the contest in the results.
    pub title: &'static str,
    /// Files to fetch.
    pub document: BenchDocument,
    /// Server variant to fetch from.
    pub face: OriginAddress,
    /// Whether the transfer runs over the simulated slow link.
    pub is_far: bool,
    /// Whether the target is on the disk (true) or in the memory file system (false).
    pub is_to_disk: bool,
    /// Whether the expected SHA-256 is given to the program.
    pub is_verified: bool,
    /// Connections per file.
    pub connections: u32,
    /// Files fetched in parallel.
    pub parallel: u32,
    /// Contestants in order of their runs.
    pub tools: &'static [BenchTool],
    /// Performance targets that Ashore must meet.
    pub targets: Vec<ContestTarget>,
}

/// Performance target that Ashore must meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestTarget {
    /// Program to which Ashore is compared.
    pub against: CompetitorTool,
    /// Maximum ratio of Ashore's wall time to the wall time of the reference.
    pub wall: Option<f64>,
    /// Maximum ratio of Ashore's processor time to the processor time of the reference.
    pub cpu: Option<f64>,
    /// Upper bound of the peak memory.
    pub memory: Option<MemorySource>,
}

/// Reference that Ashore is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CompetitorTool {
    /// A particular program; for aria2, the faster of its two configurations.
    Tool(BenchTool),
    /// The fastest program of the comparison, apart from Ashore.
    Best,
    /// Minimum possible time in seconds, given the speed limits of the server.
    Ideal(f64),
}

/// Upper bound of peak memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MemorySource {
    /// Megabytes (10^6 bytes).
    Megabytes(f64),
    /// Maximum ratio of Ashore's peak memory to the peak memory of the reference.
    Ratio(f64),
}

fn target(against: CompetitorTool, wall: f64) -> ContestTarget {
    ContestTarget { against, wall: Some(wall), cpu: None, memory: None }
}

impl ContestTarget {
    fn cpu(self, cpu: f64) -> Self {
        Self { cpu: Some(cpu), ..self }
    }

    fn megabytes(self, most: f64) -> Self {
        Self { memory: Some(MemorySource::Megabytes(most)), ..self }
    }
}

/// Returns all comparisons in display order.
pub fn all() -> Vec<BenchContest> {
    let large = large();
    let mut contests = vec![large.clone(), one_disk(&large)];
    contests.extend(of_connections(&large));
    contests.extend(of_many_files(&large));
    contests.extend(of_slow_servers(&large));
    contests.extend(over_tls(&large));
    contests.extend(over_long_distance(&large));
    contests
}

fn large() -> BenchContest {
    BenchContest {
        group: "one",
        name: "one",
        title: "one file of 4 GiB, one connection, to a memory file system",
        document: BenchDocument::Large,
        face: OriginAddress::Plain,
        is_far: false,
        is_to_disk: false,
        is_verified: false,
        connections: 1,
        parallel: 1,
        tools: &[Ashore, Curl, Aria2, Aria2Cached, Wget2, Axel, Bare],
        targets: vec![
            target(CompetitorTool::Tool(Curl), 0.95).cpu(1.15).megabytes(40.0),
            target(CompetitorTool::Tool(Aria2), 0.65).cpu(0.80),
            target(CompetitorTool::Tool(Bare), 1.20),
        ],
    }
}

fn one_disk(large: &BenchContest) -> BenchContest {
    BenchContest {
        name: "one-disk",
        title: "one file of 4 GiB, one connection, to disk",
        is_to_disk: true,
        tools: &[Ashore, Curl, Aria2Cached],
        targets: vec![],
        ..large.clone()
    }
}

/// Returns the comparisons in which several connections fetch one file.
fn of_connections(large: &BenchContest) -> [BenchContest; 2] {
    let split = BenchContest {
        group: "split",
        name: "split",
        title: "one file of 4 GiB, 16 connections, to a memory file system",
        connections: 16,
        tools: &[Ashore, Aria2, Aria2Cached, Wget2, Axel, Bare],
        targets: vec![
            target(CompetitorTool::Tool(Aria2), 0.60).cpu(0.90).megabytes(60.0),
            target(CompetitorTool::Tool(Bare), 1.20),
        ],
        ..large.clone()
    };
    let verify = BenchContest {
        group: "verify",
        name: "verify",
        title: "one file of 4 GiB, 16 connections, with its SHA-256 verified",
        is_verified: true,
        tools: &[Ashore, Aria2, Aria2Cached],
        targets: vec![target(CompetitorTool::Tool(Aria2), 0.50).cpu(0.75)],
        ..split.clone()
    };
    [split, verify]
}

/// Returns the comparisons with many files from one host.
fn of_many_files(large: &BenchContest) -> [BenchContest; 4] {
    let aria2_small =
        ContestTarget { memory: Some(MemorySource::Ratio(0.50)), ..target(CompetitorTool::Tool(Aria2), 0.80).cpu(0.90) };
    let small = BenchContest {
        group: "small",
        name: "small",
        title: "10,000 files of 10 KiB from one host, 64 at once, to a memory file system",
        document: BenchDocument::Small,
        parallel: 64,
        tools: &[Ashore, Aria2, Aria2Cached, Curl, Wget2],
        targets: vec![aria2_small, target(CompetitorTool::Tool(Curl), 2.0)],
        ..large.clone()
    };
    let small_disk = BenchContest {
        name: "small-disk",
        title: "10,000 files of 10 KiB from one host, 64 at once, to disk",
        is_to_disk: true,
        ..small.clone()
    };
    let small_16 = BenchContest {
        name: "small-16",
        title: "10,000 files of 10 KiB from one host, 16 at once, to a memory file system",
        parallel: 16,
        targets: vec![],
        ..small.clone()
    };
    let thousand = BenchContest {
        name: "thousand",
        title: "1,000 files of 1 MiB from one host, 16 at once, to a memory file system",
        document: BenchDocument::Thousand,
        parallel: 16,
        targets: vec![target(CompetitorTool::Tool(Aria2), 0.70).cpu(0.80)],
        ..small.clone()
    };
    [small, small_disk, small_16, thousand]
}

/// Returns the comparisons with servers that limit each connection.
fn of_slow_servers(large: &BenchContest) -> [BenchContest; 2] {
    let capped = BenchContest {
        group: "capped",
        name: "capped",
        title: "256 MiB, the server gives each connection 5 MiB/s, 16 connections",
        document: BenchDocument::Quarter,
        face: OriginAddress::Capped,
        connections: 16,
        // wget2 is left out because it takes almost a minute: it splits this file into only four chunks.
        tools: &[Ashore, Aria2, Aria2Cached, Axel],
        targets: vec![target(CompetitorTool::Ideal(256.0 / 80.0), 1.05)],
        ..large.clone()
    };
    let mixed = BenchContest {
        group: "mixed",
        name: "mixed",
        title: "256 MiB, 16 connections, three in ten at 1 MiB/s, the rest at 16 MiB/s",
        face: OriginAddress::Uneven,
        tools: &[Ashore, Aria2, Aria2Cached, Axel],
        targets: vec![target(CompetitorTool::Tool(Aria2), 1.0).cpu(1.0)],
        ..capped.clone()
    };
    [capped, mixed]
}

/// Returns the comparisons that run over TLS.
fn over_tls(large: &BenchContest) -> [BenchContest; 4] {
    let tls = BenchContest {
        group: "tls",
        name: "tls",
        title: "one file of 1 GiB over TLS and HTTP/1.1, one connection",
        document: BenchDocument::Medium,
        face: OriginAddress::Tls1,
        tools: &[Ashore, Curl, Aria2, Aria2Cached, Wget2],
        targets: vec![target(CompetitorTool::Tool(Curl), 0.90).cpu(0.90)],
        ..large.clone()
    };
    let tls_2 = BenchContest {
        name: "tls-2",
        title: "one file of 1 GiB over TLS, HTTP/2 if the program chooses it, one connection",
        face: OriginAddress::Tls2,
        ..tls.clone()
    };
    // The next two comparisons show whether many files arrive faster over a single connection.
    let tls_small = BenchContest {
        name: "tls-small",
        title: "10,000 files of 10 KiB from one host over TLS and HTTP/1.1, 64 at once",
        document: BenchDocument::Small,
        parallel: 64,
        targets: vec![],
        ..tls.clone()
    };
    let tls_small_2 = BenchContest {
        name: "tls-small-2",
        title: "10,000 files of 10 KiB from one host over TLS, HTTP/2 if the program chooses it, 64 at once",
        face: OriginAddress::Tls2,
        ..tls_small.clone()
    };
    [tls, tls_2, tls_small, tls_small_2]
}

/// Returns the comparisons with a distant server.
fn over_long_distance(large: &BenchContest) -> [BenchContest; 2] {
    let far = BenchContest {
        group: "far",
        name: "far-many",
        title: "200 files of 1 MiB, 16 at once, with 50 ms of round-trip time and 100 MiB/s",
        document: BenchDocument::Hundreds,
        is_far: true,
        parallel: 16,
        tools: &[Ashore, Curl, Aria2, Aria2Cached, Wget2],
        targets: vec![target(CompetitorTool::Best, 1.02)],
        ..large.clone()
    };
    let far_one = BenchContest {
        name: "far-one",
        title: "one file of 200 MiB, 16 connections, with 50 ms of round-trip time and 100 MiB/s",
        document: BenchDocument::Far,
        connections: 16,
        parallel: 1,
        tools: &[Ashore, Aria2, Aria2Cached, Wget2, Axel, Bare],
        ..far.clone()
    };
    [far, far_one]
}
