//! Trials of the real program against generated servers; the model judges the results.
//!
//! Many trials run at the same time on one machine.

use std::{
    collections::HashMap,
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::SmallRng};
use serde_json::{Value, json};

use super::{
    kind::{Change, Kind},
    model::{self, Reported},
    reply::Versions,
    server::Server,
};
use crate::{program::machine::Machine, servers::origin::content};

/// Number of downloads on one machine at the same time.
const AT_ONCE: usize = 40;
/// Time since the last new byte after which an expected file counts as missing. Retries wait only briefly.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time since the first request after which an expected file counts as missing. A download that fetches the same bytes
/// repeatedly would otherwise never end.
const LONGEST: Duration = Duration::from_secs(300);
/// Time during which a download that need not complete is watched for a wrong report of completion.
const LEAST: Duration = Duration::from_secs(4);
/// Size in bytes from which a file may use several connections.
const LARGE: u64 = 17 << 20;

/// State of a download when its server starts to follow its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// No bytes of the file exist yet.
    Fresh,
    /// The download was paused and is resumed by the same process.
    Resumed,
    /// The process was killed, and a new process resumes the download.
    Killed,
}

/// Download of a trial and its server.
struct Trial {
    number: u64,
    id: String,
    server: Server,
}

/// Tries each kind with a download in the state `way`, and returns a finding for each violation of the model. A kind
/// and its trial have the same number.
///
/// Panics if the engine dies or does not answer.
pub async fn trials(seed: u64, kinds: &[(u64, Kind)], way: Way, connections: u32) -> Vec<String> {
    let mut findings = Vec::new();
    for kinds in kinds.chunks(if connections > 1 { AT_ONCE / 5 } else { AT_ONCE }) {
        let found = batch(seed, kinds, way, connections).await;
        findings.extend(found.into_iter().map(|finding| format!("{finding}\n  {way:?}, connections: {connections}")));
    }
    findings
}

pub(super) fn versions(random: &mut SmallRng, seed: u64, kind: Kind, connections: u32) -> Versions {
    let size = if connections > 1 {
        LARGE
    } else {
        // Files smaller than 1 MiB may be held in memory; 64 KiB is the overlap that a resume compares.
        let [least, most] = [[1, 70_000], [70_000, 1 << 20], [1 << 20, 3 << 20]][random.random_range(0..3)];
        random.random_range(least..=most)
    };
    let old = content(seed, size);
    let mut new = match kind.change {
        Change::Longer => content(seed ^ 1, size + 1 + size / 3),
        Change::Shorter => content(seed ^ 1, size - size / 3),
        _ => content(seed ^ 1, size),
    };
    if kind.change == Change::SilentAfterTheFirst64K {
        let same = new.len().min(64 << 10);
        new[..same].copy_from_slice(&old[..same]);
    }
    Versions { old: Arc::new(old), new: Arc::new(new) }
}

async fn batch(seed: u64, kinds: &[(u64, Kind)], way: Way, connections: u32) -> Vec<String> {
    let mut trials = Vec::new();
    let settings = |connections: u32| {
        format!(
            "connections = {connections}\nparallel = {AT_ONCE}\nattempts = 8\nstall-seconds = 2.0\nconnect-timeout-seconds = 2.0\n"
        )
    };
    let mut machine = Machine::new();
    machine.settings(&settings(if way == Way::Killed { 1 } else { connections }));
    machine.serve(None).await.expect("the engine starts");
    for (place, &(number, kind)) in kinds.iter().enumerate() {
        let mut random = SmallRng::seed_from_u64(seed.wrapping_add(number));
        let versions = versions(&mut random, seed.wrapping_add(number), kind, connections);
        let gate = (way != Way::Fresh).then(|| versions.old.len() * 2 / 5);
        let server = Server::start(place as u32, kind, versions, gate).await.expect("loopback has addresses for all");
        let requests = json!([{ "url": server.url(), "name": format!("{number}.bin") }]);
        let new = json!({ "owner": "trial", "folder": machine.target(), "requests": requests });
        let made = machine.call("create", new).await.expect("a download is taken");
        let id = made["unique_id"].as_str().expect("it has an id").to_owned();
        trials.push(Trial { number, id, server });
    }
    if way != Way::Fresh {
        until_begun(&mut machine, &trials).await;
        if way == Way::Killed {
            machine.kill().await;
        } else {
            for trial in &trials {
                machine.call("pause", json!({ "unique_id": trial.id })).await.expect("it can be paused");
            }
        }
        trials.iter().for_each(|trial| trial.server.turn());
        machine.settings(&settings(connections));
        if way == Way::Killed {
            machine.serve(None).await.expect("the engine starts again");
        } else {
            for trial in &trials {
                machine.call("resume", json!({ "unique_id": trial.id })).await.expect("it can be resumed");
            }
        }
    }
    let begun = Instant::now();
    let (mut most, mut gained) = (0, Instant::now());
    loop {
        let list = registrations(&mut machine).await;
        // Time alone would fail on a busy machine, so measure the progress too.
        let there = list.values().filter_map(|one| one["downloaded"].as_u64()).sum();
        if there > most {
            (most, gained) = (there, Instant::now());
        }
        let is_over = |trial: &Trial| list.get(&trial.id).is_some_and(|one| one["state"] == "settled");
        let is_awaited =
            |trial: &&Trial| !is_over(trial) && (begun.elapsed() < LEAST || model::is_fetched_whole(trial.server.kind));
        let is_too_long = gained.elapsed() > PATIENCE || begun.elapsed() > LONGEST;
        if is_too_long || !trials.iter().any(|trial| is_awaited(&trial)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut findings = Vec::new();
    for trial in &trials {
        if let Err(finding) = examine(&mut machine, trial).await {
            let Trial { number, server, .. } = trial;
            let told = server.requests();
            // Keep only the first and the last requests.
            let told = told.iter().enumerate().filter(|(place, _)| *place < 12 || place + 12 >= told.len());
            let told = told.map(|(_, line)| format!("\n    {line}")).collect::<String>();
            findings.push(format!("{number}: {}: {finding}{told}", server.kind));
        }
    }
    machine.kill().await;
    findings
}

/// Waits until some bytes of every file have arrived. Files held in memory have no partial file yet and restart from
/// zero.
async fn until_begun(machine: &mut Machine, trials: &[Trial]) {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let list = registrations(machine).await;
        let is_begun = |trial: &Trial| list.get(&trial.id).is_some_and(|one| one["downloaded"].as_u64() > Some(0));
        if trials.iter().all(is_begun) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn registrations(machine: &mut Machine) -> HashMap<String, Value> {
    let list = machine.list().await.expect("the engine lives");
    list.into_iter().filter_map(|one| Some((one["unique_id"].as_str()?.to_owned(), one))).collect()
}

async fn examine(machine: &mut Machine, trial: &Trial) -> Result<(), String> {
    let records = machine
        .call("records", json!({ "unique_id": trial.id, "from": 0, "limit": 1 }))
        .await
        .map_err(|cut| format!("{cut:?}"))?;
    let record = &records[0];
    let path = machine.target().join(format!("{}.bin", trial.number));
    let reported = Reported {
        is_complete: record["outcome"] == "success",
        is_size_unknown: record["verified"] == "size-unknown",
        bytes: fs::read(&path).ok(),
        failure: format!("{}, {}: {}", record["state"], record["code"], record["text"]),
    };
    model::judge(trial.server.kind, &trial.server.versions, &reported)
}
