//! Attacks by other users and programs on the same machine: objects planted where Ashore writes or reads, folders
//! created in advance, another user's socket, fake bus services, and the process list.
//!
//! Each attack runs in its own test environment and must fail: the user's file is unchanged, every download completes
//! or fails with a message, and no call hangs.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use ashore_testkit::{
    machine::{Machine, program},
    origin::{Body, Origin},
    peers::{Bus, Network, Notifications},
};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;
use tokio::time::timeout;

/// Time limit of a start or a download.
const SOON: Duration = Duration::from_secs(15);
/// Id of the user and group `nobody`, the attacker.
const NOBODY: u32 = 65_534;
/// Content of the user's own file, which must not change.
const OWN: &[u8] = b"a person's own file\n";
/// Secret that must not appear in the process list.
const CANARY: &str = "canary-7f3a";
/// Placeholder for the address in command lines.
const URL: &str = "URL";
const SIZE: u64 = 3 << 20;
const HALF: u64 = SIZE / 2;

/// Attack by a user or program on the same machine.
#[derive(Clone, Copy, Debug)]
pub enum LocalAttack {
    /// Object planted at the final name of the file.
    Name(PlantedFile),
    /// Object that replaces the partial file or its journal.
    ///
    /// The download is paused. If `is_running` is false, Ashore is stopped too.
    Partial { plant: PlantedFile, journal: bool, is_running: bool },
    /// Object planted in the data folder under a name that Ashore reads at its start.
    Data(PlantedFile, &'static str),
    /// Object planted where Ashore creates its socket folder.
    Runtime(PlantedFile),
    /// Socket that another user creates in the data folder, after this folder was opened to all users.
    Listener,
    /// Fake service with this name on the session or system bus. It never responds.
    Squatter(&'static str),
    /// Peer on the session bus that presses "Cancel" on notifications with guessed ids.
    Peer,
    /// Command line with a secret. The secret must not appear in the process list.
    Arguments(&'static [&'static str]),
}

/// Object that an attacker plants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantedFile {
    Pipe,
    LinkToOwn,
    LinkToNowhere,
    HardLinkToOwn,
    Folder,
    Device,
    Foreign,
}

use PlantedFile::{Device, Folder, Foreign, HardLinkToOwn, LinkToNowhere, LinkToOwn, Pipe};

/// Returns all attacks with their names.
pub fn all() -> Vec<(String, LocalAttack)> {
    let plants = [Pipe, LinkToOwn, LinkToNowhere, HardLinkToOwn, Folder, Device, Foreign];
    let mut all: Vec<LocalAttack> = plants.into_iter().map(LocalAttack::Name).collect();
    for (journal, is_running) in [(false, false), (false, true), (true, false), (true, true)] {
        all.extend(plants.map(|plant| LocalAttack::Partial { plant, journal, is_running }));
    }
    const DATA: [&str; 13] = [
        "ashore.sock",
        "ashore.sock.path",
        "ashore.toml",
        "backups",
        "bodies",
        "cookies.txt",
        "folders.jsonl",
        "ledger.sqlite",
        "ledger.sqlite-wal",
        "ledger.suspect",
        "lock",
        "recovery.json",
        "sign-ins.json",
    ];
    for name in DATA {
        all.extend([Pipe, LinkToOwn, Folder, Foreign].map(|plant| LocalAttack::Data(plant, name)));
    }
    all.extend([Pipe, LinkToNowhere, Folder, Foreign].map(LocalAttack::Runtime));
    all.push(LocalAttack::Listener);
    all.extend(
        ["org.freedesktop.NetworkManager", "org.freedesktop.UPower", "org.freedesktop.login1", "org.freedesktop.secrets"]
            .map(LocalAttack::Squatter),
    );
    all.push(LocalAttack::Peer);
    const WORDS: [&[&str]; 9] = [
        &["-u", "ann:canary-7f3a"],
        &["-uann:canary-7f3a"],
        &["--user=ann:canary-7f3a"],
        &["-H", "X-Key: canary-7f3a"],
        &["--header=Cookie: key=canary-7f3a"],
        &["--proxy", "http://ann:canary-7f3a@127.0.0.1:9"],
        &["--curl", "curl -u ann:canary-7f3a URL"],
        &["--referrer", "http://ann:canary-7f3a@a.test/"],
        &["-qu", "ann:canary-7f3a"],
    ];
    all.extend(WORDS.map(LocalAttack::Arguments));
    all.into_iter().map(|local| (format!("on this machine: {local:?}"), local)).collect()
}

impl LocalAttack {
    /// Returns whether only root can prepare the attack.
    pub fn takes_root(self) -> bool {
        let plant = match self {
            Self::Name(plant) | Self::Data(plant, _) | Self::Runtime(plant) | Self::Partial { plant, .. } => plant,
            Self::Listener => return true,
            Self::Squatter(_) | Self::Peer | Self::Arguments(_) => return false,
        };
        matches!(plant, Device | Foreign)
    }

    /// Returns a sentence about a required program that this machine lacks.
    ///
    /// Returns `None` if no program is missing.
    pub fn lacks(self) -> Option<&'static str> {
        let is_missing = matches!(self, Self::Peer) && !desktop().is_file();
        is_missing.then_some("attacks by a peer of the session bus were skipped, because they need ashore-desktop")
    }

    /// Carries out the attack and checks that it fails. `stranger` is a program that drops root privileges.
    pub async fn make(self, stranger: Option<&Path>) -> Result<()> {
        let mut machine = Machine::new();
        machine.settings("attempts = 2\n");
        let own = machine.own_file("own.txt", OWN);
        let origin = Origin::start().await;
        match self {
            Self::Name(plant) => name_is_taken(&mut machine, &origin, plant, &own).await?,
            Self::Partial { plant, journal, is_running } => {
                let ending = if journal { ".part.ashore" } else { ".part" };
                partial_is_replaced(&mut machine, &origin, (plant, &own), ending, is_running).await?;
            }
            Self::Data(plant, name) => data_is_planted(&mut machine, &origin, (plant, &own), name).await?,
            Self::Runtime(plant) => socket_folder_is_taken(&mut machine, &origin, plant, &own).await?,
            Self::Listener => listener(&machine, stranger.context("the program of the other user is missing")?).await?,
            Self::Squatter(name) => service_is_fake(&mut machine, &origin, name).await?,
            Self::Peer => pressed(&machine, &origin).await?,
            Self::Arguments(words) => is_hidden(&machine, &origin, words).await?,
        }
        ensure!(fs::read(&own)? == OWN, "the file of the user was changed");
        if let Some(died) = machine.has_died() {
            bail!("the engine died: {died:?}, {}", machine.log());
        }
        Ok(())
    }
}

/// Downloads one file and checks that it arrives.
async fn downloads(machine: &mut Machine, origin: &Origin) -> Result<()> {
    origin.file("/a.bin", Body::seeded(1, SIZE));
    let id = asked(machine, origin, "/a.bin").await?;
    is_complete_at_end(machine, &id, true).await.map(drop)
}

/// Plants an object at the file's final name. The file must arrive beside it, under another name.
async fn name_is_taken(machine: &mut Machine, origin: &Origin, plant: PlantedFile, own: &Path) -> Result<()> {
    let planted = plant.at(&machine.target().join("a.bin"), own)?;
    starts(machine).await?;
    downloads(machine, origin).await?;
    ensure!(planted.is_as_it_was()?, "the planted file was changed");
    is_right(&machine.target().join("a (1).bin"), 1)
}

/// Replaces the partial file or the journal, selected by its name extension, while the download is paused.
///
/// If `is_running` is false, Ashore is stopped during the replacement.
async fn partial_is_replaced(
    machine: &mut Machine,
    origin: &Origin,
    (plant, own): (PlantedFile, &Path),
    ending: &str,
    is_running: bool,
) -> Result<()> {
    starts(machine).await?;
    let route = origin.file("/a.bin", Body::seeded(1, SIZE)).gate_at(HALF);
    let id = asked(machine, origin, "/a.bin").await?;
    timeout(SOON, route.held()).await?;
    wait_for_bytes(machine, &id, HALF).await?;
    call(machine, "pause", json!({ "unique_id": id })).await?;
    let place = wait_for_path(machine, ending).await?;
    if !is_running {
        machine.kill().await;
    }
    fs::remove_file(&place)?;
    plant.at(&place, own)?;
    route.release();
    if !is_running {
        starts(machine).await?;
    }
    call(machine, "resume", json!({ "unique_id": id })).await?;
    // The download may fail with a message, because Ashore cannot always remove a folder or another user's file.
    if is_complete_at_end(machine, &id, false).await? {
        is_right(&machine.target().join("a.bin"), 1)?;
    }
    Ok(())
}

/// Plants an object in the data folder under a name that Ashore reads at its start.
async fn data_is_planted(machine: &mut Machine, origin: &Origin, (plant, own): (PlantedFile, &Path), name: &str) -> Result<()> {
    fs::set_permissions(machine.data(), fs::Permissions::from_mode(0o777))?;
    let place = machine.data().join(name);
    let _ = fs::remove_file(&place);
    plant.at(&place, own)?;
    // The engine must either start or print a sentence with the reason.
    match timeout(SOON, machine.serve(None)).await {
        Err(_) => bail!("the start hangs because of {name}"),
        Ok(Err(died)) => {
            let said = machine.log();
            let has_sentence = said.trim_end().ends_with('.') || said.contains(" cannot be used: ");
            ensure!(died.signal.is_none() && has_sentence, "{died:?}: {said}");
            Ok(())
        }
        Ok(Ok(())) => {
            ensure!(machine.line().await.is_some(), "the engine does not accept connections");
            downloads(machine, origin).await
        }
    }
}

/// Plants an object where Ashore creates its socket folder.
async fn socket_folder_is_taken(machine: &mut Machine, origin: &Origin, plant: PlantedFile, own: &Path) -> Result<()> {
    let place = machine.disk().join("run/ashore");
    let planted = plant.at(&place, own)?;
    starts(machine).await?;
    downloads(machine, origin).await?;
    if plant != Folder {
        ensure!(planted.is_as_it_was()?, "the planted file was changed");
    }
    Ok(())
}

/// Starts Ashore with a bus service `name` that never responds.
async fn service_is_fake(machine: &mut Machine, origin: &Origin, name: &str) -> Result<()> {
    let bus = Bus::start();
    let squatter = Network::join_as(&bus, name).await;
    let address = format!("_BUS_ADDRESS={}", bus.address);
    machine.start_under(["env".to_owned(), format!("DBUS_SESSION{address}"), format!("DBUS_SYSTEM{address}")]);
    starts(machine).await?;
    downloads(machine, origin).await?;
    drop(squatter);
    Ok(())
}

/// Planted object with its path, inode, mode and length.
struct Planted {
    at: PathBuf,
    like: (u64, u32, u64),
}

impl PlantedFile {
    fn at(self, at: &Path, own: &Path) -> Result<Planted> {
        match self {
            Self::Pipe => mknodat(CWD, at, FileType::Fifo, Mode::from_raw_mode(0o666), 0)?,
            Self::LinkToOwn => symlink(own, at)?,
            Self::LinkToNowhere => symlink("/nowhere/at/all", at)?,
            Self::HardLinkToOwn => fs::hard_link(own, at)?,
            Self::Folder => fs::create_dir(at)?,
            // Device numbers of /dev/zero.
            Self::Device => mknodat(CWD, at, FileType::CharacterDevice, Mode::from_raw_mode(0o666), rustix::fs::makedev(1, 5))?,
            Self::Foreign => {
                fs::write(at, "planted")?;
                fs::set_permissions(at, fs::Permissions::from_mode(0o666))?;
                chown(at, Some(NOBODY), Some(NOBODY))?;
            }
        }
        Ok(Planted { at: at.to_owned(), like: like(at)? })
    }
}

impl Planted {
    fn is_as_it_was(&self) -> Result<bool> {
        Ok(like(&self.at)? == self.like)
    }
}

fn like(at: &Path) -> Result<(u64, u32, u64)> {
    let found = fs::symlink_metadata(at)?;
    Ok((found.ino(), found.mode(), found.len()))
}

async fn starts(machine: &mut Machine) -> Result<()> {
    let started = timeout(SOON, machine.serve(None)).await.context("the start hangs")?;
    ensure!(started.is_ok(), "the engine did not start: {}", machine.log());
    Ok(())
}

async fn call(machine: &mut Machine, method: &str, params: serde_json::Value) -> Result<serde_json::Value> {
    machine.call(method, params).await.map_err(|cut| anyhow::anyhow!("{method}: {cut:?}"))
}

async fn asked(machine: &mut Machine, origin: &Origin, path: &str) -> Result<String> {
    let new = json!({
        "owner": "torture", "source": "command-line", "folder": machine.target(), "requests": [{ "url": origin.url(path).to_string() }],
    });
    Ok(call(machine, "create", new).await?["unique_id"].as_str().context("the response has no id")?.to_owned())
}

/// Waits until the download has received this many bytes.
async fn wait_for_bytes(machine: &mut Machine, id: &str, bytes: u64) -> Result<()> {
    let waited = timeout(SOON, async {
        while call(machine, "show", json!({ "unique_id": id })).await?["downloaded"].as_u64() < Some(bytes) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        anyhow::Ok(())
    });
    waited.await.context("the bytes did not arrive in time")?
}

/// Waits until a download ends. Returns whether the file is complete.
///
/// Fails if `has_to_come` is set and the file is incomplete, or if a failure has no message.
async fn is_complete_at_end(machine: &mut Machine, id: &str, has_to_come: bool) -> Result<bool> {
    let waited = timeout(SOON, async {
        loop {
            let one = call(machine, "show", json!({ "unique_id": id })).await?;
            if one["state"] == "settled" || one["waiting_for"].is_object() {
                return anyhow::Ok(one);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    let one = waited.await.context("the download did not end in time")??;
    if one["result"] == "success" {
        return Ok(true);
    }
    ensure!(!has_to_come, "the download failed: {one}\n{}", machine.log());
    let texts = [&one["failure"]["text"], &one["waiting_for"]["text"]];
    ensure!(
        texts.iter().any(|text| text.as_str().is_some_and(|text| text.ends_with('.'))),
        "the download gives no reason: {one}"
    );
    Ok(false)
}

fn is_right(path: &Path, seed: u64) -> Result<()> {
    let found = fs::symlink_metadata(path).with_context(|| path.display().to_string())?;
    ensure!(found.is_file(), "{} is not a file", path.display());
    ensure!(fs::read(path)? == Body::seeded(seed, SIZE).slice(0, SIZE), "{} has wrong bytes", path.display());
    Ok(())
}

/// Waits until the partial file or journal with this ending is not empty, and returns its path.
async fn wait_for_path(machine: &mut Machine, ending: &str) -> Result<PathBuf> {
    let looked = timeout(SOON, async {
        loop {
            for entry in fs::read_dir(machine.target())? {
                let path = entry?.path();
                if path.to_str().is_some_and(|path| path.ends_with(ending)) && fs::metadata(&path)?.len() > 0 {
                    return anyhow::Ok(path);
                }
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    looked.await.context("no partial file was found in time")?
}

/// Checks that the command line tool sends no data to another user's socket.
async fn listener(machine: &Machine, stranger: &Path) -> Result<()> {
    fs::set_permissions(machine.data(), fs::Permissions::from_mode(0o777))?;
    let socket = machine.data().join("ashore.sock");
    let mut listening = tokio::process::Command::new(stranger);
    let mut listening = listening.arg("listen").arg(&socket).stdin(Stdio::null()).kill_on_drop(true).spawn()?;
    timeout(SOON, async {
        while !socket.exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await?;
    let told = timeout(SOON, machine.run(["sign-in", "http://a.test/", "--token"])).await;
    let heard = listening.try_wait()?;
    ensure!(heard.is_none_or(|status| status.code() != Some(0)), "the other user received data: {told:?}");
    Ok(())
}

/// Returns the path of the program that shows notifications.
fn desktop() -> PathBuf {
    program().with_file_name("ashore-desktop")
}

/// Checks that Ashore reacts to a button press that the notification service reports, but ignores one that another peer
/// reports.
async fn pressed(machine: &Machine, origin: &Origin) -> Result<()> {
    let bus = Bus::start();
    let mut notifications = Notifications::join(&bus).await;
    let route = origin.file("/a.bin", Body::seeded(1, SIZE)).gate_at(HALF);
    // A hidden start shows no window. The program only checks that a display is set.
    let mut command = machine.command_of(&desktop());
    command.arg("--hidden").env("DISPLAY", ":9999").env("DBUS_SESSION_BUS_ADDRESS", &bus.address);
    let _running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let line = timeout(SOON, async {
        loop {
            match machine.line().await {
                Some(line) => return line,
                None => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    });
    let mut line = line.await.context("the engine of the desktop does not answer")?;
    let url = origin.url("/a.bin").to_string();
    let new = json!({ "owner": "window", "source": "window", "folder": machine.target(), "requests": [{ "url": url }] });
    let made =
        line.ask("create", new).await.context("the engine has ended")?.map_err(|code| anyhow::anyhow!("refused: {code}"))?;
    timeout(SOON, route.held()).await?;
    let id = notifications.shown().await;
    bus.intrude(id + 10, "cancel").await;
    // The bus preserves the order of messages, so all earlier messages arrive before this button press.
    notifications.press(id, "pause").await;
    let paused = timeout(SOON, async {
        loop {
            let one = line.ask("show", json!({ "unique_id": made["unique_id"] })).await.context("the engine has ended")?;
            let one = one.map_err(|code| anyhow::anyhow!("refused: {code}"))?;
            ensure!(one["state"] != "settled", "a peer ended the download: {one}");
            if one["state"] == "paused" {
                return anyhow::Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    paused.await.context("the press of the notification service has no effect")?
}

/// Checks that no process shows the secret in its arguments during a request.
async fn is_hidden(machine: &Machine, origin: &Origin, words: &[&str]) -> Result<()> {
    let route = origin.file("/a.bin", Body::seeded(1, SIZE)).gate_at(HALF);
    let address = origin.url("/a.bin").to_string();
    let mut command = machine.command();
    command.arg("get").args(words.iter().map(|word| word.replace(URL, &address)));
    if !words.iter().any(|word| word.contains(URL)) {
        command.arg(&address);
    }
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    timeout(SOON, route.held()).await.context("the server got no request")?;
    for entry in fs::read_dir("/proc")?.flatten() {
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let shown = String::from_utf8_lossy(&arguments).replace('\0', " ");
        ensure!(!shown.contains(CANARY), "every user can read {shown:?}");
    }
    route.release();
    timeout(SOON, running.wait()).await.context("the program did not end in time")??;
    Ok(())
}
