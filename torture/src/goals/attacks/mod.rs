//! Attacks on all entry points: the socket, the calls that socket and window share, downloads requested by programs,
//! file names, access by other users, and a hostile sync server.
//!
//! - Each attack is carried out on the real program. Ashore must refuse it with the code in the table, or the attack
//!   must be harmless.
//! - After each attack, the list, the settings and every file are unchanged, and the engine responds.
//! - The total memory growth is limited.
//! - The policy, capabilities and navigation limits of the window cannot be attacked through a socket. Tests of the
//!   window program cover them.

mod list_server;
mod local;
mod scene;
mod table;

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use ashore_testkit::{
    origin::Body,
    tools::{compile, is_installed},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::UnixStream,
    time::timeout,
};

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::RunTally,
};

use scene::AttackScene;
use table::{AttackCase, AttackMeans, PeerAttack, PeerManners};

/// Number of attacks in the table.
pub const RUNS: u64 = 373;
/// Limit of memory growth in bytes: twice the longest message, plus the parsed form of a message of ten megabytes.
const MEMORY: u64 = 192 << 20;
/// Time limit of each step on the socket.
const SOON: Duration = Duration::from_secs(20);
/// Number of connections, which is more than the engine accepts.
const CONNECTIONS: usize = 80;
/// Number of pieces of 1 MiB that together exceed the longest permitted message.
const TOO_LONG: usize = 66;

/// Carries out the requested number of attacks, selected evenly from the whole table.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::of_every_run(ask);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(runtime.spawn(all(*ask, tally.clone())))??;
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(tally.verdict())
}

async fn all(ask: RunRequest, tally: Arc<RunTally>) -> Result<()> {
    let mut scene = AttackScene::make().await?;
    let stranger = stranger(&scene);
    let attacks = table::all(&scene.places);
    let memory = scene.machine.peak_memory();
    let mut before = scene.look().await?;
    for (number, attack) in attacks.iter().enumerate() {
        let number = number as u64;
        // Select the requested number evenly from the table.
        let is_drawn = (number + 1) * ask.runs.min(RUNS) / RUNS > number * ask.runs.min(RUNS) / RUNS;
        if !ask.turn.map_or(is_drawn, |turn| turn == number) || !tally.wants_more() {
            continue;
        }
        let takes_another = match &attack.means {
            AttackMeans::Stranger(_) => true,
            AttackMeans::Local(local) => local.takes_root(),
            _ => false,
        };
        if takes_another && stranger.is_none() {
            tally.leave_out("attacks by another user were skipped, because they need root and a C compiler");
            continue;
        }
        if let AttackMeans::Local(local) = &attack.means
            && let Some(missing) = local.lacks()
        {
            tally.leave_out(missing);
            continue;
        }
        let mut made = make(&mut scene, attack, &before, stranger.as_deref()).await;
        if made.is_ok() {
            made = scene.is_as_before(&before).await;
        }
        if let Err(error) = made {
            tally.wrong(number, &format!("{}: {error:#}", attack.name));
            // Take a new snapshot, so that the change by this attack is not attributed to later attacks.
            before = scene.look().await?;
        }
        tally.done(1);
        if scene.machine.has_died().is_some() {
            bail!("the engine died during {}: {}", attack.name, scene.machine.log());
        }
    }
    let grown = scene.machine.peak_memory().saturating_sub(memory);
    tally.most("bytes was the peak growth of memory", grown);
    if grown > MEMORY {
        tally.wrong(RUNS, &format!("memory grew by {grown} bytes"));
    }
    Ok(())
}

/// Carries out an attack and checks its direct result.
async fn make(scene: &mut AttackScene, attack: &AttackCase, before: &scene::SceneLook, stranger: Option<&Path>) -> Result<()> {
    let code = match &attack.means {
        AttackMeans::Line(line) => code_of(&asked(scene, line).await?),
        AttackMeans::Call(method, params) => scene.refusal(method, params.clone()).await?,
        AttackMeans::Manners(manners) => behave(scene, *manners).await?,
        AttackMeans::Fetch { requests, to } => fetched(scene, requests, to.as_deref()).await?,
        AttackMeans::Name { wanted, by_server } => named(scene, wanted, *by_server, before).await?,
        AttackMeans::Link(link) => linked(scene, link).await?,
        AttackMeans::Local(local) => {
            local.make(stranger).await?;
            String::new()
        }
        AttackMeans::ListServer(attack) => {
            attack.make().await?;
            String::new()
        }
        AttackMeans::Stranger(knock) => {
            access_as_stranger(scene, *knock, stranger.context("the program of the other user is missing")?)?
        }
    };
    ensure!(code == attack.code, "the result was {code:?} instead of {:?}", attack.code);
    Ok(())
}

/// Sends a line over a new connection and returns the response.
async fn asked(scene: &AttackScene, line: &[u8]) -> Result<Value> {
    let mut stream = BufReader::new(UnixStream::connect(scene.socket()?).await?);
    let (reader, writer) = stream.get_mut().split();
    let mut answer = Vec::new();
    let sent = async move {
        let mut writer = writer;
        writer.write_all(line).await?;
        writer.write_all(b"\n").await
    };
    let mut reader = BufReader::new(reader);
    let (sent, read) = timeout(SOON, async { tokio::join!(sent, reader.read_until(b'\n', &mut answer)) }).await?;
    sent?;
    read?;
    serde_json::from_slice(&answer).context("the response is not JSON")
}

fn code_of(answer: &Value) -> String {
    answer.pointer("/error/data/code").and_then(Value::as_str).unwrap_or("done").to_owned()
}

async fn behave(scene: &mut AttackScene, manners: PeerManners) -> Result<String> {
    let socket = scene.socket()?;
    let connect = || UnixStream::connect(&socket);
    let question = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\"}\n";
    match manners {
        PeerManners::TakesAll => {
            let mut held = Vec::new();
            for _ in 0..CONNECTIONS {
                held.push(connect().await?);
            }
            let mut last = BufReader::new(held.pop().context("no connection was opened")?);
            let mut answer = String::new();
            timeout(SOON, last.read_line(&mut answer)).await??;
            drop(held);
            // The engine serves new clients as soon as it notices that the others have disconnected.
            let heard = async {
                while code_of(&asked(scene, &question[..question.len() - 1]).await.unwrap_or_default()) == "busy" {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            timeout(SOON, heard).await?;
            Ok(code_of(&serde_json::from_str(&answer)?))
        }
        PeerManners::BreaksOff => {
            for length in (1..question.len()).rev() {
                connect().await?.write_all(&question[..length]).await?;
            }
            Ok(String::new())
        }
        PeerManners::IsDeaf => {
            let mut stream = connect().await?;
            // The engine stops reading from a client that does not read responses, so this write eventually blocks.
            let _ = timeout(Duration::from_secs(1), async { while stream.write_all(question).await.is_ok() {} }).await;
            Ok(String::new())
        }
        PeerManners::Listens => {
            let mut stream = connect().await?;
            stream.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscribe\"}\n").await?;
            let paused = json!({ "unique_id": scene.places.paused });
            let title = scene.call("show", paused.clone()).await?["title"].clone();
            for number in 0..300 {
                let new = json!({ "unique_id": paused["unique_id"], "title": format!("Title {number}"), "icon": null });
                scene.call("update_ui", new).await?;
            }
            scene.call("update_ui", json!({ "unique_id": paused["unique_id"], "title": title, "icon": null })).await?;
            Ok(String::new())
        }
        PeerManners::NeverEnds => {
            let (reader, mut writer) = connect().await?.into_split();
            let piece = vec![b' '; 1 << 20];
            for _ in 0..TOO_LONG {
                if writer.write_all(&piece).await.is_err() {
                    break;
                }
            }
            let mut answer = String::new();
            timeout(SOON, BufReader::new(reader).read_line(&mut answer)).await??;
            Ok(code_of(&serde_json::from_str(&answer)?))
        }
    }
}

/// Requests downloads as a program. Returns the result, and checks that no local server was contacted.
async fn fetched(scene: &mut AttackScene, requests: &Value, to: Option<&str>) -> Result<String> {
    if let Some(to) = to {
        scene.origin.redirects("/away", 302, to).header("Connection", "close");
    }
    let new = json!({ "owner": "foe", "source": "program", "folder": scene.places.target, "requests": requests });
    let made = scene.call("create", new).await?;
    let id = made["unique_id"].as_str().context("the response has no id")?.to_owned();
    let settled = scene.until(&id, |one| one["state"] == "settled").await?;
    forget(scene, &id).await?;
    ensure!(scene.inside.requests().is_empty(), "a local server was contacted");
    Ok(settled.pointer("/failure/code").and_then(Value::as_str).unwrap_or("done").to_owned())
}

/// Serves a file with this `Link` header.
///
/// Returns the result, and checks that no local server was contacted.
async fn linked(scene: &mut AttackScene, link: &str) -> Result<String> {
    let route = scene.origin.file("/linked", Body::seeded(3, 100_000)).header("Link", link).header("Connection", "close");
    let requests = json!([{ "url": format!("http://far.test:{}/linked", scene.places.port) }]);
    let code = fetched(scene, &requests, None).await;
    drop(route);
    code
}

/// Requests a file with this name, and checks that it arrives in the download folder under a harmless name.
async fn named(scene: &mut AttackScene, wanted: &str, by_server: bool, before: &scene::SceneLook) -> Result<String> {
    let mut request = json!({ "url": scene.origin.url("/plain").to_string() });
    let route = scene.origin.file("/plain", Body::bytes("plain"));
    if by_server {
        let encoded: String = wanted.bytes().map(|byte| format!("%{byte:02X}")).collect();
        route.header("Content-Disposition", format!("attachment; filename*=UTF-8''{encoded}"));
    } else {
        request["name"] = wanted.into();
    }
    let new = json!({ "owner": "foe", "source": "command-line", "folder": scene.places.target, "requests": [request] });
    let id = scene.call("create", new).await?["unique_id"].as_str().context("the response has no id")?.to_owned();
    let settled = scene.until(&id, |one| one["state"] == "settled").await?;
    ensure!(settled["result"] == "success", "the download failed: {settled}");
    let now = scene.look().await?;
    // Ignore partial files, which are removed shortly after completion. So a finished file with such a name would count
    // as missing.
    let is_partial = |name: &Path| name.extension().is_some_and(|kind| kind == "part" || kind == "ashore");
    let new: Vec<&Path> = now.new_since(before).filter(|name| !is_partial(name)).collect();
    let [file] = new[..] else { bail!("the download created {new:?}") };
    ensure!(file.parent() == Some(Path::new("target")), "{} is not in the folder", file.display());
    let name = file.file_name().and_then(|name| name.to_str()).context("the name of the file is not valid Unicode")?;
    let is_hidden =
        |one: char| one.is_control() || ('\u{200b}'..='\u{200f}').contains(&one) || ('\u{202a}'..='\u{202e}').contains(&one);
    ensure!(
        !name.contains(is_hidden) && !name.starts_with(['.', '-', '~']) && name.len() < 256,
        "the file has the name {name:?}"
    );
    ensure!(fs::symlink_metadata(scene.machine.disk().join(file))?.permissions().mode() & 0o111 == 0, "{name:?} is executable");
    forget(scene, &id).await?;
    Ok(String::new())
}

async fn forget(scene: &mut AttackScene, id: &str) -> Result<()> {
    scene.call("remove", json!({ "unique_id": id, "files": true })).await?;
    Ok(())
}

/// Compiles a program that drops root privileges, if this machine permits that.
fn stranger(scene: &AttackScene) -> Option<PathBuf> {
    if !rustix::process::geteuid().is_root() || !is_installed("cc") {
        return None;
    }
    compile(scene.machine.disk(), "knock", include_str!("knock.c"), &[]).ok()
}

/// Attempts the access as another user. Returns an empty text if the access was denied.
fn access_as_stranger(scene: &AttackScene, knock: PeerAttack, program: &Path) -> Result<String> {
    let (word, place) = match knock {
        PeerAttack::Read(ending) => ("read", file_like(scene, ending)?),
        PeerAttack::Write(ending) => ("write", file_like(scene, ending)?),
        PeerAttack::Ask | PeerAttack::AskOpened => ("ask", scene.socket()?),
    };
    let folder = place.parent().context("the path has no folder")?;
    let (around, own) = (fs::metadata(folder)?.permissions(), fs::metadata(&place)?.permissions());
    if matches!(knock, PeerAttack::AskOpened) {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        fs::set_permissions(&place, fs::Permissions::from_mode(0o666))?;
    }
    let status = Command::new(program).arg(word).arg(&place).status()?;
    fs::set_permissions(folder, around)?;
    fs::set_permissions(&place, own)?;
    match status.code() {
        Some(1) => Ok(String::new()),
        Some(0) => Ok(format!("{} is open to another user", place.display())),
        _ => bail!("the attempt was impossible"),
    }
}

/// Returns the first file whose name has this ending, in the data folder or the download folder.
fn file_like(scene: &AttackScene, ending: &str) -> Result<PathBuf> {
    for folder in [scene.machine.data(), scene.machine.target()] {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.to_str().is_some_and(|path| path.ends_with(ending)) {
                return Ok(path);
            }
        }
    }
    bail!("no file ends in {ending}")
}
