//! File names from servers, users and addresses, generated from stored names by flipping bits, truncating, mixing, and
//! inserting fragments of attacks.
//!
//! Every resulting name stays in its folder and contains no hidden or deceptive characters. The property is defined
//! beside the code (`fuzz list`).

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::Stdio,
    sync::Arc,
    thread,
};

use anyhow::{Context, Result};
use ashore_fuzz::{MutantSource, corpus, property};
use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
};

use crate::{
    goal::{GoalVerdict, PeerColumn, RunRequest},
    goals::peers::{self, BusName, HostilePeer},
    tally::RunTally,
};

/// Name of the property that this goal tests.
const PROPERTY: &str = "names";
/// Number of tested names between two updates of the count.
const BATCH: usize = 1_000;

/// Number of generated names for each name that a server gives to all programs.
const BESIDE: usize = 1_000;
/// Content-Disposition parameters. `{around}` is a folder that must stay unchanged.
const GIVEN: &[&str] = &[
    r#"filename="../../../evil.bin""#,
    r#"filename="..\\..\\evil.bin""#,
    r#"filename="{around}/evil.bin""#,
    r#"filename=".bashrc""#,
    r#"filename="..""#,
    r#"filename="sub/evil.bin""#,
    r#"filename="~/.profile""#,
    r#"filename=".config/autostart/evil.desktop""#,
    r#"filename="%2e%2e%2fevil.bin""#,
    r#"filename="a%00.exe""#,
    "filename=\"a\tb.bin\"",
    "filename=\"photo\u{202e}gpj.exe\"",
    "filename=\"zero\u{200b}width.bin\"",
    "filename=\"latin\u{e9}.bin\"",
    "filename*=UTF-8''..%2F..%2Fevil.bin",
    "filename*=UTF-8''photo%E2%80%AEgpj.exe",
    "filename*=UTF-8''a%1B%5B31mred.txt",
    "filename*=UTF-8''line%0Abreak.txt",
    "filename*=UTF-8''%2Ehidden",
    "filename*=UTF-8''%C0%AE%C0%AE%2Fevil.bin",
];

/// Tests the requested number of names on all cores.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    let seeds = corpus(PROPERTY)?;
    let cores = if ask.turn.is_some() { 1 } else { thread::available_parallelism().map_or(1, |cores| cores.get() as u64) };
    let holds = property(PROPERTY).with_context(|| format!("the property {PROPERTY} does not exist"))?;
    thread::scope(|scope| {
        for core in 0..cores {
            let (tally, seeds) = (tally.clone(), seeds.clone());
            let lane = ask.turn.unwrap_or(core);
            scope.spawn(move || try_all(&tally, lane, MutantSource::new(seeds, tally.seed(lane)), holds));
        }
    });
    Ok(tally.verdict_beside(beside))
}

/// Lets every program, including Ashore, use a name from a server.
///
/// Counts a program as bad if the file is outside its folder, is hidden, or has a name with deceptive characters.
fn beside(ask: &RunRequest) -> Result<Vec<PeerColumn>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let runs = (usize::try_from(ask.runs)? / BESIDE).clamp(1, GIVEN.len());
        let mut all = Vec::new();
        for peer in std::iter::once(None).chain(HostilePeer::here().into_iter().map(Some)) {
            let (mut made, mut bad) = (0, 0);
            for given in GIVEN[..runs].iter().take_while(|_| ask.has(peers::PATIENCE)) {
                let machine = Machine::new();
                let origin = Origin::start().await;
                let around = machine.own_file("inner", b"").with_file_name("around");
                let folder = around.join("a/b/downloads");
                fs::create_dir_all(&folder)?;
                let given = given.replace("{around}", &around.display().to_string());
                origin.file("/plain.bin", Body::bytes("a file")).header("Content-Disposition", format!("attachment; {given}"));
                let address = origin.url("/plain.bin").to_string();
                let command = match peer {
                    Some(peer) => peer.command(&address, &folder, BusName::FromServer, 1),
                    None => {
                        let mut command = machine.command();
                        command.args(["get", "--dir"]).arg(&folder).arg(&address).stdout(Stdio::null()).stderr(Stdio::null());
                        command
                    }
                };
                peers::is_done(command).await;
                made += 1;
                bad += u64::from(!is_well_named(&around, &folder)?);
            }
            all.push(PeerColumn { name: peer.map_or("ashore", HostilePeer::name).to_owned(), runs: made, bad });
        }
        Ok(all)
    })
}

/// Returns whether all files below `around` are directly in `folder`, and no file is hidden or has a deceptive name.
fn is_well_named(around: &Path, folder: &Path) -> Result<bool> {
    let mut folders = vec![around.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
                continue;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            if next != folder || name.starts_with('.') || name.chars().any(is_deceiving) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Returns whether a character is invisible, reverses the text, or stands for invalid UTF-8.
fn is_deceiving(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fffd}')
}

fn try_all(tally: &Arc<RunTally>, lane: u64, mut names: MutantSource, holds: fn(&[u8])) {
    while tally.wants_more() {
        for name in names.by_ref().take(BATCH) {
            if catch_unwind(AssertUnwindSafe(|| holds(&name))).is_err() {
                tally.wrong(lane, &format!("the property does not hold for {:?}", String::from_utf8_lossy(&name)));
            }
        }
        tally.done(BATCH as u64);
    }
}
