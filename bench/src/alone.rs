//! Measures the cost of each design choice of the transfer.
//!
//! Compares the shipped transfer with variants that each reverse one choice. Each run is one download without a ledger.

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
/// Number of runs of each variant per round.
///
/// The cost of a design choice is smaller than the difference between two equal runs, so the median needs many runs.
const TIMES: u32 = 2;

/// Transfer variant: the shipped one, or one with a single design choice changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunMode {
    /// Transfer with all design choices as shipped.
    Shipped,
    /// Transfer that persists nothing until it completes.
    WithoutCheckpoints,
    /// Transfer that stores no block checksums. With block checksums, a later run can detect corrupted data.
    WithoutChecksums,
    /// Transfer that verifies the SHA-256.
    Verified,
    /// Transfer that does not reserve disk space.
    WithoutReservation,
    /// Transfer that writes each piece as it arrives.
    WithoutBatches,
    /// Transfer with two threads for the network.
    TwoWorkers,
    /// Transfer that uses the system allocator.
    SystemAllocator,
}

/// Costs of all runs of one variant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AshoreRun {
    /// Measured variant.
    pub way: RunMode,
    /// Whether the target is on disk; if false, the target is in the memory file system.
    pub is_to_disk: bool,
    /// Cost of each run.
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

    /// Returns the name shown in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shipped => "as shipped",
            Self::WithoutCheckpoints => "without checkpoints",
            Self::WithoutChecksums => "without block checksums",
            Self::Verified => "with SHA-256 verified",
            Self::WithoutReservation => "without reserved space",
            Self::WithoutBatches => "without combined writes",
            Self::TwoWorkers => "with two network threads",
            Self::SystemAllocator => "with the allocator of the system",
        }
    }

    /// Returns the command that downloads with this variant.
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

/// Runs all variants [`TIMES`] times per round: in memory and, where space allows, on disk.
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
    ensure!(DOCUMENT.is_in(&ground.documents, &target)?, "the downloaded file is wrong");
    clear(&target)?;
    clear(&home)?;
    Ok(cost)
}
