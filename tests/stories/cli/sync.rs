//! Tests sync with real programs: a sync server, and two machines that run `ashore serve`.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_engine::failpoint::SYNC_POINTS;
use ashore_testkit::{
    origin::{Body, Origin},
    sync_server::place::{RunningServer, ServerPlace},
    tools::built,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::UnixStream,
    time::{Instant, sleep},
};

use crate::cli::program::{Person, Running, SOON};

/// Sync server, and the machines of one person.
struct Household {
    place: ServerPlace,
    server: RunningServer,
    _folder: TempDir,
}

/// Machine that runs an engine.
struct Machine {
    person: Person,
    serving: Option<Running>,
}

impl Household {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place =
            ServerPlace { program: built("ashore-sync-server").unwrap(), folder: folder.path().join("server"), database: None };
        let server = place.start().await.unwrap();
        Self { place, server, _folder: folder }
    }

    /// Returns a machine that has set up sync, and the recovery words of its list.
    async fn first(&self, name: &str) -> (Machine, Value) {
        let machine = Machine::new().await;
        let words = machine.object(&["sync", "setup", self.server.set_up_link().unwrap(), "--name", name]).await;
        (machine, words)
    }

    /// Returns a machine that syncs with the list of `other`.
    async fn next(&self, other: &Machine, name: &str) -> Machine {
        let invite = other.object(&["sync", "invite"]).await;
        let machine = Machine::new().await;
        machine.object(&["sync", "join", invite["link"].as_str().unwrap(), "--name", name]).await;
        machine.sync().await;
        other.sync().await;
        machine
    }

    async fn stop(&mut self) {
        self.server.child.kill().await.unwrap();
    }

    /// Starts the server at the address that the machines know.
    async fn start_again(&mut self) {
        self.server = self.place.start_at(&self.server.address).await.unwrap();
    }

    /// Limits the space of a user on the server.
    async fn quota(&self, uid: &Value, size: &str) {
        let mut command = tokio::process::Command::new(&self.place.program);
        command.arg("--data-dir").arg(&self.place.folder).args(["quota", &uid.to_string(), size]);
        let output = command.output().await.unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn database(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.place.folder).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.is_file()).collect()
    }
}

impl Machine {
    async fn new() -> Self {
        let person = Person::new();
        let folder = person.downloads();
        person.settings(&format!("keychain = \"file\"\nlocal-for-programs = true\nfolder = {folder:?}\n"));
        let (serving, _) = person.serve().await;
        Self { person, serving: Some(serving) }
    }

    /// Kills the engine.
    async fn stop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.signal(rustix::process::Signal::KILL);
            serving.end().await;
        }
    }

    /// Kills the engine, and starts another one.
    async fn restart(&mut self) {
        self.stop().await;
        self.serving = Some(self.person.serve().await.0);
    }

    /// Kills the engine, and starts one that is killed at a failpoint.
    async fn restart_to_die_at(&mut self, point: &str) {
        if let Some(serving) = self.serving.take() {
            serving.signal(rustix::process::Signal::KILL);
            serving.end().await;
        }
        let child = self.person.command(["serve", "--json"]).env("ASHORE_CRASH_AT", point).spawn().unwrap();
        self.serving = Some(Running::from_child(child));
    }

    /// Waits until the engine is dead.
    async fn dies(&mut self) {
        let ran = self.serving.take().unwrap().end().await;
        assert_eq!(ran.code, None, "a signal ended it: {ran:?}");
    }

    /// Runs a command with `--json`, and returns the object that it prints.
    async fn object(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        self.person.object(&arguments).await
    }

    /// Sends a message to the socket of the engine, and returns the answer.
    async fn ask(&self, message: &Value) -> Value {
        let sockets = fs::read_dir(self.person.home().join("run/ashore")).unwrap();
        let socket =
            sockets.map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|ending| ending == "sock"));
        let mut stream = BufReader::new(UnixStream::connect(socket.unwrap()).await.unwrap());
        stream.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_line(&mut answer).await.unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    async fn refusal(&self, arguments: &[&str]) -> String {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        let ran = self.person.run(&arguments).await;
        assert_eq!(ran.code, Some(4), "{ran:?}");
        ran.error_code()
    }

    async fn sync(&self) -> Value {
        self.object(&["sync", "now"]).await
    }

    async fn add(&self, url: &str) -> String {
        self.object(&["add", url]).await["unique_id"].as_str().unwrap().to_owned()
    }

    /// Waits until this machine has a download with this title and state.
    async fn has(&self, title: &str, state: &str) -> Value {
        self.wait_for("list", async || self.person.list().await, |one| one["title"] == title && one["state"] == state).await
    }

    /// Waits until this machine sees a download of another machine with this title and state; returns its id.
    async fn sees(&self, title: &str, state: &str) -> String {
        let others = async || {
            self.sync().await;
            self.person.run(["sync", "others", "--json"]).await.objects()
        };
        let found = self.wait_for("others", others, |one| one["title"] == title && one["state"] == state).await;
        found["id"].as_str().unwrap().to_owned()
    }

    async fn wait_for(&self, list: &str, read: impl AsyncFn() -> Vec<Value>, is_meant: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let all = read().await;
            if let Some(found) = all.iter().find(|one| is_meant(one)) {
                return found.clone();
            }
            assert!(started.elapsed() < SOON, "{list} stays {all:?}");
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Number of records about past downloads on this machine.
    async fn past_downloads(&self) -> Value {
        let status = self.object(&["sync", "status"]).await;
        let collections = status["collections"].as_array().unwrap();
        collections.iter().find(|report| report["collection"] == "dl-history").unwrap()["records"].clone()
    }

    async fn titles(&self) -> Vec<String> {
        let mut titles: Vec<_> = self.person.list().await.iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect();
        titles.sort();
        titles
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn running_download_is_paused_from_other_machine_and_then_moved_there() {
    const SIZE: u64 = 1 << 20;
    let origin = Origin::start().await;
    let route = origin.file("/film.dat", Body::seeded(3, SIZE)).gate_at(SIZE / 2);
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;

    laptop.add(origin.url("/film.dat").as_str()).await;
    route.held().await;
    laptop.sync().await;
    let id = desktop.sees("film.dat", "running").await;
    desktop.object(&["sync", "ask", &id, "pause"]).await;
    laptop.has("film.dat", "paused").await;
    desktop.sees("film.dat", "paused").await;
    desktop.object(&["sync", "ask", &id, "resume"]).await;
    laptop.has("film.dat", "running").await;

    desktop.object(&["sync", "ask", &id, "move-here"]).await;
    // The first machine removes the download as soon as the second machine has started it.
    let is_gone = async || if laptop.titles().await.is_empty() { vec![Value::Null] } else { Vec::new() };
    laptop.wait_for("list", is_gone, |_| true).await;
    route.release();
    desktop.has("film.dat", "settled").await;
    laptop.sees("film.dat", "done").await;
    assert_eq!((laptop.titles().await, desktop.titles().await), (Vec::<String>::new(), vec!["film.dat".to_owned()]));
    assert_eq!(desktop.person.file("film.dat").len(), usize::try_from(SIZE).unwrap());
    assert_eq!(laptop.person.files(), Vec::<String>::new(), "the partial of the first machine is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_waits_for_user_unless_sender_is_trusted() {
    let origin = Origin::start().await;
    for name in ["a", "b", "c"] {
        origin.file(&format!("/{name}.pdf"), Body::bytes(name));
    }
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;

    let id = laptop.add(origin.url("/a.pdf").as_str()).await;
    laptop.has("a.pdf", "settled").await;
    laptop.object(&["sync", "send", &id, "desktop"]).await;
    desktop.has("a.pdf", "paused").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    laptop.object(&["add", origin.url("/b.pdf").as_str(), "--to", "Desktop"]).await;
    desktop.has("b.pdf", "settled").await;
    assert_eq!((laptop.titles().await.len(), desktop.titles().await.len()), (1, 2));
    let sends = async || {
        laptop.sync().await;
        laptop.person.run(["sync", "sends", "--json"]).await.objects()
    };
    for title in ["a.pdf", "b.pdf"] {
        let send = laptop.wait_for("sends", &sends, |send| send["title"] == title && send["state"] == "delivered").await;
        assert_eq!(send["to"], "Desktop");
    }
    assert_eq!(laptop.refusal(&["add", origin.url("/c.pdf").as_str(), "--to", "Phone"]).await, "sync-unknown");
    // A repeated sync delivers nothing a second time.
    for machine in [&laptop, &desktop] {
        machine.sync().await;
    }
    assert_eq!(desktop.titles().await, ["a.pdf", "b.pdf"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn link_that_other_machine_downloaded_is_known_with_its_name() {
    let origin = Origin::start().await;
    origin.file("/report.pdf", Body::bytes("report"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    let link = origin.url("/report.pdf").to_string();
    laptop.add(&link).await;
    laptop.has("report.pdf", "settled").await;
    laptop.sync().await;
    desktop.sees("report.pdf", "done").await;

    let known = async |machine: &Machine| {
        let links = ["https://other.test/".to_owned(), format!("{link}?session=2")];
        let call =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "known", "params": { "links": links, "folder": null, "name": null } });
        machine.ask(&call).await["result"].clone()
    };
    let found = known(&desktop).await["past_downloads"].clone();
    let time_ms = found[0]["time_ms"].as_i64().unwrap();
    let past = json!([{ "link": 1, "title": "report.pdf", "size": 6, "time_ms": time_ms, "machine": "Laptop" }]);
    assert!(found == past && time_ms > 0, "{found}");
    let own = known(&laptop).await;
    assert_eq!(
        (own["files"].as_array().unwrap().len(), &own["past_downloads"]),
        (1, &Value::Null),
        "its own download is in the list"
    );

    desktop.object(&["sync", "clear-history", "--keep", "0"]).await;
    desktop.sync().await;
    assert_eq!(known(&desktop).await["past_downloads"], Value::Null);
    laptop.sync().await;
    let (here, there) = (laptop.past_downloads().await, desktop.past_downloads().await);
    assert_eq!((here, there), (json!(0), json!(0)));
    assert_eq!(laptop.titles().await, ["report.pdf"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_machine_reads_nothing_new_and_new_recovery_words_restore_list() {
    let origin = Origin::start().await;
    for name in ["before", "after"] {
        origin.file(&format!("/{name}.pdf"), Body::bytes(name));
    }
    let household = Household::new().await;
    let (laptop, old_words) = household.first("Laptop").await;
    let lost = household.next(&laptop, "Lost").await;
    laptop.add(origin.url("/before.pdf").as_str()).await;
    laptop.has("before.pdf", "settled").await;
    laptop.sync().await;
    lost.sees("before.pdf", "done").await;

    let new_words = laptop.object(&["sync", "remove", "Lost"]).await;
    assert_ne!(old_words["words"], new_words["words"]);
    assert_eq!(lost.refusal(&["sync", "now"]).await, "sync-removed");
    laptop.add(origin.url("/after.pdf").as_str()).await;
    laptop.has("after.pdf", "settled").await;
    laptop.sync().await;

    let recover = async |words: &Value| {
        let machine = Machine::new().await;
        let text = words["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ");
        let (address, uid) = (words["address"].as_str().unwrap(), words["uid"].to_string());
        let ran = machine.person.run_with_input(["sync", "recover", address, &uid, "--json", "--name", "New"], &text).await;
        (machine, ran)
    };
    let (_, refused) = recover(&old_words).await;
    assert_eq!(refused.code, Some(4), "{refused:?}");
    let (recovered, ran) = recover(&new_words).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    recovered.sees("before.pdf", "done").await;
    recovered.sees("after.pdf", "done").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn used_invite_link_and_wrong_recovery_words_are_refused_with_reason() {
    let household = Household::new().await;
    let (laptop, words) = household.first("Laptop").await;
    let invite = laptop.object(&["sync", "invite"]).await;
    let link = invite["link"].as_str().unwrap();
    assert_eq!(laptop.refusal(&["sync", "join", link]).await, "wrong-state");
    let desktop = Machine::new().await;
    assert_eq!(desktop.refusal(&["sync", "now"]).await, "sync-off");
    assert_eq!(desktop.refusal(&["sync", "join", &link[..link.len() / 2]]).await, "sync-link");
    desktop.object(&["sync", "join", link]).await;
    let other = Machine::new().await;
    assert_eq!(other.refusal(&["sync", "join", link]).await, "sync-link");
    let (address, uid) = (words["address"].as_str().unwrap(), words["uid"].to_string());
    for (typed, code) in [("abandon", "sync-words"), (&"zebraa ".repeat(24), "sync-words"), (&"zebra ".repeat(24), "sync-words")]
    {
        let ran = other.person.run_with_input(["sync", "recover", address, &uid, "--json"], typed).await;
        assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), code), "{typed}");
    }
    assert_eq!(other.object(&["sync", "status"]).await["is_on"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn copied_data_folder_is_reported_until_copy_leaves() {
    let household = Household::new().await;
    let (mut laptop, _) = household.first("Laptop").await;
    laptop.sync().await;
    laptop.stop().await;
    let mut copy = Machine::new().await;
    copy.stop().await;
    copy_folder(&laptop.person.data(), &copy.person.data());
    laptop.restart().await;
    laptop.sync().await;
    copy.restart().await;
    assert_eq!(copy.refusal(&["sync", "now"]).await, "sync-copied");
    assert_eq!(copy.object(&["sync", "status"]).await["fault"]["code"], "sync-copied");
    copy.object(&["sync", "leave"]).await;
    laptop.sync().await;
    let invite = laptop.object(&["sync", "invite"]).await;
    copy.object(&["sync", "join", invite["link"].as_str().unwrap(), "--name", "Desktop"]).await;
    copy.sync().await;
    laptop.sync().await;
    assert_eq!(laptop.object(&["sync", "status"]).await["fault"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_that_joins_again_shows_each_download_once() {
    let origin = Origin::start().await;
    origin.file("/kept.pdf", Body::bytes("kept"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    laptop.add(origin.url("/kept.pdf").as_str()).await;
    laptop.has("kept.pdf", "settled").await;
    laptop.sync().await;
    desktop.sees("kept.pdf", "done").await;
    laptop.object(&["sync", "leave"]).await;
    let invite = desktop.object(&["sync", "invite"]).await;
    laptop.object(&["sync", "join", invite["link"].as_str().unwrap(), "--name", "Laptop"]).await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.sync().await;
    }
    let others = desktop.person.run(["sync", "others", "--json"]).await.objects();
    assert_eq!((others.len(), &others[0]["device_name"]), (1, &Value::from("Laptop")), "{others:?}");
    assert_eq!(laptop.person.run(["sync", "others", "--json"]).await.objects(), Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_stores_titles_links_and_names_only_encrypted() {
    let origin = Origin::start().await;
    origin.file("/canary-file.pdf", Body::bytes("x"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let id = laptop.add(&format!("{}?key=canary-query", origin.url("/canary-file.pdf"))).await;
    laptop.object(&["change", &id, "--title", "canary-title"]).await;
    laptop.has("canary-title", "settled").await;
    laptop.sync().await;
    let secrets = fs::read_to_string(laptop.person.data().join("sign-ins.json")).unwrap();
    assert!(secrets.contains("sync root key"), "{secrets}");
    let root: Value = serde_json::from_str(&secrets).unwrap();
    let root = root["sync root key"]["here"].as_str().unwrap().to_owned();
    for path in household.database() {
        let content = fs::read(&path).unwrap();
        for canary in ["canary-file", "canary-query", "canary-title", &root] {
            let is_there = content.windows(canary.len()).any(|window| window == canary.as_bytes());
            assert!(!is_there, "{canary} is in {}", path.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_that_lost_its_data_receives_list_again() {
    let origin = Origin::start().await;
    origin.file("/kept.pdf", Body::bytes("kept"));
    let mut household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    let folder = household.place.folder.clone();
    let backup = folder.with_extension("backup");
    household.stop().await;
    copy_folder(&folder, &backup);
    household.start_again().await;
    laptop.add(origin.url("/kept.pdf").as_str()).await;
    laptop.has("kept.pdf", "settled").await;
    laptop.sync().await;
    desktop.sees("kept.pdf", "done").await;

    household.stop().await;
    fs::remove_dir_all(&folder).unwrap();
    copy_folder(&backup, &folder);
    household.start_again().await;
    laptop.sync().await;
    let third = household.next(&laptop, "Third").await;
    third.sees("kept.pdf", "done").await;
    desktop.sees("kept.pdf", "done").await;
    assert_eq!(laptop.titles().await, ["kept.pdf"]);
    let restored = laptop.object(&["sync", "status"]).await["restored"].clone();
    assert!(restored["records"].as_u64() > Some(0) && restored["until_ms"].as_i64() > Some(0), "{restored}");
}

#[tokio::test(flavor = "multi_thread")]
async fn full_sync_server_is_reported_with_its_space_until_quota_is_raised() {
    let household = Household::new().await;
    let (laptop, words) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    household.quota(&words["uid"], "2K").await;
    laptop.person.run(["add", "https://files.test/a.pdf", "--paused"]).await;
    assert_eq!(laptop.refusal(&["sync", "now"]).await, "sync-full");
    let status = laptop.object(&["sync", "status"]).await;
    assert_eq!((&status["fault"]["code"], &status["space"]["total"]), (&json!("sync-full"), &json!(2048)), "{status}");
    assert!(status["space"]["used"].as_u64() > Some(1000), "{status}");

    household.quota(&words["uid"], "none").await;
    laptop.sync().await;
    desktop.sees("a.pdf", "paused").await;
    let status = laptop.object(&["sync", "status"]).await;
    assert_eq!((&status["fault"], &status["space"]), (&Value::Null, &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_at_any_sync_failpoint_neither_loses_nor_duplicates_downloads() {
    let origin = Origin::start().await;
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    let mut expected = Vec::new();
    for (number, point) in SYNC_POINTS.iter().enumerate() {
        desktop.restart_to_die_at(point).await;
        let title = format!("{number}.pdf");
        origin.file(&format!("/{title}"), Body::bytes(*point));
        laptop.object(&["add", origin.url(&format!("/{title}")).as_str(), "--to", "Desktop"]).await;
        desktop.dies().await;
        desktop.restart().await;
        desktop.has(&title, "settled").await;
        expected.push(title);
        assert_eq!(desktop.titles().await, expected, "{point}");
        for title in &expected {
            laptop.sees(title, "done").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_machines_neither_lose_nor_duplicate_downloads() {
    const DOWNLOADS: usize = 6;
    let origin = Origin::start().await;
    let household = Household::new().await;
    let (mut laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    for number in 0..DOWNLOADS {
        origin.file(&format!("/{number}.pdf"), Body::bytes("some text"));
        laptop.object(&["add", origin.url(&format!("/{number}.pdf")).as_str(), "--to", "Desktop"]).await;
        if number % 2 == 0 {
            laptop.restart().await;
        } else {
            desktop.restart().await;
        }
    }
    let expected: Vec<String> = (0..DOWNLOADS).map(|number| format!("{number}.pdf")).collect();
    for title in &expected {
        laptop.sync().await;
        desktop.has(title, "settled").await;
    }
    assert_eq!(desktop.titles().await, expected);
    for title in &expected {
        laptop.sees(title, "done").await;
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
