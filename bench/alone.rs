//! What each of Ashore's own precautions costs alone: one download without a ledger around it, with the precaution and
//! without.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use ashore_transfer::{Config, Event, Expected, Guid, Outcome, Spec, Transfers};
use clap::Args;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use url::Url;
use uuid::Uuid;

use crate::{
    documents::Document,
    float,
    measure::{self, Cost},
    origin::Face,
    rounds::{BESIDE, Ground, clear, empty},
};

const DOCUMENT: Document = Document::Large;

/// What is on and what is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// As shipped.
    Shipped,
    /// Nothing is made durable before the end.
    WithoutCheckpoints,
    /// What is written has no checksums by which a later run could tell that it went bad.
    WithoutChecksums,
    /// As shipped, and the SHA-256 is verified.
    Verified,
}

/// What one way took, round after round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Alone {
    /// What was on and off.
    pub way: Way,
    /// To the disk; else to the memory file system.
    pub is_to_disk: bool,
    /// Each round.
    pub samples: Vec<Cost>,
}

/// One download, as the process `ashore-bench transfer` is asked for it.
#[derive(Debug, Args)]
pub struct Transfer {
    /// Where from
    url: Url,
    /// Where to
    folder: PathBuf,
    /// Make nothing durable before the end
    #[arg(long)]
    without_checkpoints: bool,
    /// Make no checksums of what is written
    #[arg(long)]
    without_checksums: bool,
    /// What it must hash to
    #[arg(long)]
    sha256: Option<String>,
}

/// All ways, to memory and where there is room also to disk, for `runs` rounds.
pub fn hold(runs: u32, has_disk: bool, ground: &Ground) -> Result<Vec<Alone>> {
    let sha256 = DOCUMENT.sha256(&ground.documents)?;
    let ways = [Way::Shipped, Way::WithoutCheckpoints, Way::WithoutChecksums, Way::Verified];
    let mut all: Vec<Alone> = [false, true]
        .into_iter()
        .filter(|&is_to_disk| has_disk || !is_to_disk)
        .flat_map(|is_to_disk| ways.map(|way| Alone { way, is_to_disk, samples: Vec::new() }))
        .collect();
    for _ in 0..runs {
        for one in &mut all {
            let place = if one.is_to_disk { &ground.disk } else { &ground.memory };
            let cost = run(one.way, place, &sha256, ground)?;
            one.samples.push(cost);
        }
    }
    Ok(all)
}

fn run(way: Way, place: &Path, sha256: &str, ground: &Ground) -> Result<Cost> {
    let (target, home) = empty(place)?;
    let mut command = Command::new(std::env::current_exe()?);
    let name = DOCUMENT.names().remove(0);
    command.arg("transfer").arg(format!("{}/{name}", ground.origin.address(Face::Plain, DOCUMENT.folder())));
    command.arg(&target).env_clear();
    match way {
        Way::Shipped => {}
        Way::WithoutCheckpoints => {
            command.arg("--without-checkpoints");
        }
        Way::WithoutChecksums => {
            command.arg("--without-checksums");
        }
        Way::Verified => {
            command.args(["--sha256", sha256]);
        }
    }
    float::give(&ground.memory, DOCUMENT.size() + BESIDE)?;
    let cost = measure::run(&command, &place.join("words.log"), None)?;
    ensure!(DOCUMENT.is_in(&ground.documents, &target)?, "the bytes are wrong");
    clear(&target)?;
    clear(&home)?;
    Ok(cost)
}

/// The process itself.
pub fn transfer(wanted: Transfer) -> Result<()> {
    ashore_transfer::runtime()?.block_on(async {
        let (sender, mut events) = mpsc::unbounded_channel();
        let mut config = Config { connections: 1, checksums: !wanted.without_checksums, ..Config::default() };
        if wanted.without_checkpoints {
            (config.checkpoint_interval, config.checkpoint_bytes) = (Duration::from_secs(86_400), 1 << 50);
        }
        let transfers = Transfers::new(config, sender).map_err(|failure| anyhow::anyhow!("{failure:?}"))?;
        let digest = wanted.sha256.map(|hex| format!("sha-256={hex}").parse());
        let digest = digest.transpose().map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let guid = Guid(Uuid::new_v4());
        transfers.start(Spec {
            guid,
            method: http::Method::GET,
            url: wanted.url,
            mirrors: Vec::new(),
            headers: Vec::new(),
            body: None,
            folder: wanted.folder.clone(),
            name: None,
            expected: Expected { digests: digest.into_iter().collect(), ..Expected::default() },
            allowance: None,
        });
        loop {
            match events.recv().await.context("it ended without a word")? {
                Event::Head { stored, .. } => {
                    let _ = stored.send(());
                }
                Event::Done { outcome: Outcome::Completed(_), .. } => break,
                Event::Done { outcome, .. } => bail!("{outcome:?}"),
            }
        }
        transfers.forget(vec![(guid, wanted.folder.clone())]);
        transfers.rest().await;
        Ok(())
    })
}
