//! What each of Ashore's own choices costs or gains alone: one download without a ledger around it, as shipped and with
//! that choice the other way.

use std::{path::Path, process::Command};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{
    documents::BenchDocument,
    float,
    measure::{self, ProcessCost},
    origin::OriginAddress,
    rounds::{BESIDE, BenchSetup, clear, empty, turns},
};

const DOCUMENT: BenchDocument = BenchDocument::Large;
/// Runs of each way in a round. What these choices cost is less than what two runs of the same differ by, and of more runs the
/// middle one is nearer to the truth.
const TIMES: u32 = 2;

/// What is on and what is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunMode {
    /// As shipped.
    Shipped,
    /// Nothing is made durable before the end.
    WithoutCheckpoints,
    /// What is written has no checksums by which a later run could tell that it went bad.
    WithoutChecksums,
    /// The SHA-256 is verified.
    Verified,
    /// The space is not reserved.
    WithoutReservation,
    /// Each piece is written as it comes.
    WithoutBatches,
    /// Two threads wait for the network.
    TwoWorkers,
    /// Memory comes from the system's allocator.
    SystemAllocator,
}

/// What one way took, round after round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AshoreRun {
    /// What was on and off.
    pub way: RunMode,
    /// To the disk; else to the memory file system.
    pub is_to_disk: bool,
    /// Each round.
    pub samples: Vec<ProcessCost>,
}

impl RunMode {
    const ALL: [Self; 8] = [
        Self::Shipped,
        Self::WithoutCheckpoints,
        Self::WithoutChecksums,
        Self::Verified,
        Self::WithoutReservation,
        Self::WithoutBatches,
        Self::TwoWorkers,
        Self::SystemAllocator,
    ];

    /// As it is called in a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shipped => "as shipped",
            Self::WithoutCheckpoints => "without checkpoints",
            Self::WithoutChecksums => "without checksums of blocks",
            Self::Verified => "with its SHA-256 verified",
            Self::WithoutReservation => "without reserving space",
            Self::WithoutBatches => "each piece written as it comes",
            Self::TwoWorkers => "two threads for the network",
            Self::SystemAllocator => "the system's allocator",
        }
    }

    /// The download this way.
    fn command(self, address: &str, target: &Path, sha256: &str) -> Result<Command> {
        let own = std::env::current_exe()?;
        let mut command = match self {
            Self::SystemAllocator => Command::new(own.with_file_name("ashore-bench-system")),
            _ => {
                let mut command = Command::new(own);
                command.arg("transfer");
                command
            }
        };
        command.arg(address).arg(target).env_clear();
        match self {
            Self::Shipped | Self::SystemAllocator => {}
            Self::WithoutCheckpoints => drop(command.arg("--without-checkpoints")),
            Self::WithoutChecksums => drop(command.arg("--without-checksums")),
            Self::Verified => drop(command.args(["--sha256", sha256])),
            Self::WithoutReservation => drop(command.arg("--without-reservation")),
            Self::WithoutBatches => drop(command.args(["--batch", "1"])),
            Self::TwoWorkers => drop(command.args(["--workers", "2"])),
        }
        Ok(command)
    }
}

/// All ways, to memory and where there is room also to disk, [`TIMES`] in each of `runs` rounds.
pub fn hold(runs: u32, has_disk: bool, ground: &BenchSetup) -> Result<Vec<AshoreRun>> {
    let sha256 = DOCUMENT.sha256(&ground.documents)?;
    let places = [(false, &ground.memory), (true, &ground.disk)];
    let mut places: Vec<(&Path, [AshoreRun; RunMode::ALL.len()])> = places
        .into_iter()
        .filter(|&(is_to_disk, _)| has_disk || !is_to_disk)
        .map(|(is_to_disk, place)| (&**place, RunMode::ALL.map(|way| AshoreRun { way, is_to_disk, samples: Vec::new() })))
        .collect();
    for round in 0..runs * TIMES {
        for (place, ways) in &mut places {
            for turn in turns(round, ways.len()) {
                let cost = run(ways[turn].way, place, &sha256, ground)?;
                ways[turn].samples.push(cost);
            }
        }
    }
    Ok(places.into_iter().flat_map(|(_, ways)| ways).collect())
}

fn run(way: RunMode, place: &Path, sha256: &str, ground: &BenchSetup) -> Result<ProcessCost> {
    let (target, home) = empty(place)?;
    let name = DOCUMENT.names().remove(0);
    let address = format!("{}/{name}", ground.origin.address(OriginAddress::Plain, DOCUMENT.folder()));
    let command = way.command(&address, &target, sha256)?;
    float::give(&ground.memory, DOCUMENT.size() + BESIDE)?;
    let cost = measure::run(&command, &place.join("words.log"), None)?;
    ensure!(DOCUMENT.is_in(&ground.documents, &target)?, "the bytes are wrong");
    clear(&target)?;
    clear(&home)?;
    Ok(cost)
}
