//! Sync server, and the machines of one person that sync with it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_testkit::{
    sync_server::place::{RunningServer, ServerPlace},
    tools::built,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::UnixStream,
    time::{Instant, sleep},
};

use crate::cli::program::{Person, Running, SOON};

/// Sync server, and the machines of one person.
pub struct Household {
    pub place: ServerPlace,
    pub server: RunningServer,
    _folder: TempDir,
}

/// Machine that runs an engine.
pub struct Machine {
    pub person: Person,
    serving: Option<Running>,
}

impl Household {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place =
            ServerPlace { program: built("ashore-sync-server").unwrap(), folder: folder.path().join("server"), database: None };
        let server = place.start().await.unwrap();
        Self { place, server, _folder: folder }
    }

    /// Returns a machine that has set up sync, and the recovery words of its list.
    pub async fn first(&self, name: &str) -> (Machine, Value) {
        let machine = Machine::new().await;
        let words = machine.object(&["sync", "setup", self.server.set_up_link().unwrap(), "--name", name]).await;
        (machine, words)
    }

    /// Returns a machine that syncs with the list of `other`.
    pub async fn next(&self, other: &Machine, name: &str) -> Machine {
        let invite = other.object(&["sync", "invite"]).await;
        let machine = Machine::new().await;
        machine.object(&["sync", "join", invite["link"].as_str().unwrap(), "--name", name]).await;
        machine.sync().await;
        other.sync().await;
        machine
    }

    pub async fn stop(&mut self) {
        self.server.child.kill().await.unwrap();
    }

    /// Starts the server at the address that the machines know.
    pub async fn start_again(&mut self) {
        self.server = self.place.start_at(&self.server.address).await.unwrap();
    }

    /// Limits the space of a user on the server.
    pub async fn quota(&self, uid: &Value, size: &str) {
        let mut command = tokio::process::Command::new(&self.place.program);
        command.arg("--data-dir").arg(&self.place.folder).args(["quota", &uid.to_string(), size]);
        let output = command.output().await.unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    pub fn database(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.place.folder).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.is_file()).collect()
    }
}

impl Machine {
    pub async fn new() -> Self {
        let person = Person::new();
        let folder = person.downloads();
        person.settings(&format!("keychain = \"file\"\nlocal-for-programs = true\nfolder = {folder:?}\n"));
        let (serving, _) = person.serve().await;
        Self { person, serving: Some(serving) }
    }

    /// Kills the engine.
    pub async fn stop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.signal(rustix::process::Signal::KILL);
            serving.end().await;
        }
    }

    /// Kills the engine, and starts another one.
    pub async fn restart(&mut self) {
        self.stop().await;
        self.serving = Some(self.person.serve().await.0);
    }

    /// Kills the engine, and starts one that is killed at a failpoint.
    pub async fn restart_to_die_at(&mut self, point: &str) {
        if let Some(serving) = self.serving.take() {
            serving.signal(rustix::process::Signal::KILL);
            serving.end().await;
        }
        let child = self.person.command(["serve", "--json"]).env("ASHORE_CRASH_AT", point).spawn().unwrap();
        self.serving = Some(Running::from_child(child));
    }

    /// Waits until the engine is dead.
    pub async fn dies(&mut self) {
        let ran = self.serving.take().unwrap().end().await;
        assert_eq!(ran.code, None, "a signal ended it: {ran:?}");
    }

    /// Runs a command with `--json`, and returns the object that it prints.
    pub async fn object(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        self.person.object(&arguments).await
    }

    /// Sends a message to the socket of the engine, and returns the answer.
    pub async fn ask(&self, message: &Value) -> Value {
        let sockets = fs::read_dir(self.person.home().join("run/ashore")).unwrap();
        let socket =
            sockets.map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some_and(|ending| ending == "sock"));
        let mut stream = BufReader::new(UnixStream::connect(socket.unwrap()).await.unwrap());
        stream.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_line(&mut answer).await.unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    pub async fn refusal(&self, arguments: &[&str]) -> String {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        let ran = self.person.run(&arguments).await;
        assert_eq!(ran.code, Some(4), "{ran:?}");
        ran.error_code()
    }

    pub async fn sync(&self) -> Value {
        self.object(&["sync", "now"]).await
    }

    pub async fn add(&self, url: &str) -> String {
        self.object(&["add", url]).await["unique_id"].as_str().unwrap().to_owned()
    }

    /// Waits until this machine has a download with this title and state.
    pub async fn has(&self, title: &str, state: &str) -> Value {
        self.wait_for("list", async || self.person.list().await, |one| one["title"] == title && one["state"] == state).await
    }

    /// Waits until this machine sees a download of another machine with this title and state; returns its id.
    pub async fn sees(&self, title: &str, state: &str) -> String {
        let others = async || {
            self.sync().await;
            self.person.run(["sync", "others", "--json"]).await.objects()
        };
        let found = self.wait_for("others", others, |one| one["title"] == title && one["state"] == state).await;
        found["id"].as_str().unwrap().to_owned()
    }

    pub async fn wait_for(&self, list: &str, read: impl AsyncFn() -> Vec<Value>, is_meant: impl Fn(&Value) -> bool) -> Value {
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
    pub async fn past_downloads(&self) -> Value {
        let status = self.object(&["sync", "status"]).await;
        let collections = status["collections"].as_array().unwrap();
        collections.iter().find(|report| report["collection"] == "dl-history").unwrap()["records"].clone()
    }

    pub async fn titles(&self) -> Vec<String> {
        let mut titles: Vec<_> = self.person.list().await.iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect();
        titles.sort();
        titles
    }
}

/// Copies the files of a folder, without its subfolders.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
