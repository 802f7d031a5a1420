//! Sync server, and one person's machines that sync with it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_testkit::{
    apart::Apart,
    fill_disk,
    sync_server::place::{RunningServer, ServerPlace},
    tools::{built, run},
};
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::UnixStream,
    time::{Instant, sleep},
};

use crate::cli::program::{Person, Running, SOON};

/// Sync server, and one person's machines.
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

/// Disk of a machine. Tests can fill the disk.
pub struct SmallDisk {
    root: PathBuf,
}

impl Household {
    pub async fn new() -> Self {
        let (place, folder) = Self::place();
        let server = place.start().await.unwrap();
        Self { place, server, _folder: folder }
    }

    /// Starts a sync server that uses TLS.
    pub async fn with_new_certificate() -> Self {
        let (place, folder) = Self::place();
        let server = place.start_with_new_certificate("127.0.0.1:0").await.unwrap();
        Self { place, server, _folder: folder }
    }

    fn place() -> (ServerPlace, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let program = built("ashore-sync-server").unwrap();
        (ServerPlace { program, folder: folder.path().join("server"), database: None }, folder)
    }

    /// Returns a machine that has set up sync, and its list's recovery words.
    pub async fn first(&self, name: &str) -> (Machine, Value) {
        let machine = Machine::new().await;
        let words = self.set_up(&machine, name).await;
        (machine, words)
    }

    /// Sets up sync on a machine. Returns the recovery words of the list.
    pub async fn set_up(&self, machine: &Machine, name: &str) -> Value {
        machine.object(&["sync", "setup", self.server.set_up_link().unwrap(), "--name", name]).await
    }

    /// Returns a machine that syncs with the list of `other`.
    pub async fn next(&self, other: &Machine, name: &str) -> Machine {
        let machine = Machine::new().await;
        machine.joins(other, name).await;
        machine
    }

    pub async fn stop(&mut self) {
        self.server.child.kill().await.unwrap();
    }

    /// Restarts the server at its earlier address.
    pub async fn start_again(&mut self) {
        self.server = self.place.start_at(&self.server.address).await.unwrap();
    }

    /// Restarts the server at its earlier address, with a clock that is off by `offset`, such as `+31d`.
    pub async fn start_again_with_clock(&mut self, offset: &str) {
        self.place.program = ServerPlace::program_with_clock(&self.place.program, self._folder.path(), offset).unwrap();
        self.start_again().await;
    }

    /// Executes SQL statements on the server's database.
    pub async fn change_database(&self, statements: &'static str) {
        let mut database = SqliteConnectOptions::new().filename(self.place.folder.join("storage.db")).connect().await.unwrap();
        sqlx::raw_sql(statements).execute(&mut database).await.unwrap();
        database.close().await.unwrap();
    }

    pub fn database(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.place.folder).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.is_file()).collect()
    }
}

impl Machine {
    pub async fn new() -> Self {
        Self::with_settings("").await
    }

    /// Starts a machine with additional lines in its settings file.
    pub async fn with_settings(lines: &str) -> Self {
        let person = Person::new();
        person.settings(&format!("{}{lines}", settings(&person)));
        Self::serving(person).await
    }

    /// Starts a machine with its data folder on a disk of 4 MiB, mounted in the namespace `apart`. Also returns the
    /// disk.
    pub async fn on_small_disk(apart: &Apart) -> (Self, SmallDisk) {
        let person = Person::under(apart.words().to_vec());
        fs::create_dir(person.data()).unwrap();
        run(apart.command("mount").args(["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs"]).arg(person.data())).unwrap();
        let disk = SmallDisk { root: apart.seen(&person.data()) };
        fs::write(disk.root.join("ashore.toml"), settings(&person)).unwrap();
        (Self::serving(person).await, disk)
    }

    async fn serving(person: Person) -> Self {
        let (serving, _) = person.serve().await;
        Self { person, serving: Some(serving) }
    }

    /// Joins the list of `other`, and syncs until both machines know each other.
    pub async fn joins(&self, other: &Self, name: &str) {
        let invite = other.object(&["sync", "invite"]).await;
        self.object(&["sync", "join", invite["link"].as_str().unwrap(), "--name", name]).await;
        self.sync().await;
        other.sync().await;
    }

    /// Kills the engine.
    pub async fn stop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.signal(rustix::process::Signal::KILL);
            serving.end().await;
        }
    }

    /// Kills the engine and starts another one.
    pub async fn restart(&mut self) {
        self.stop().await;
        self.serving = Some(self.person.serve().await.0);
    }

    /// Kills the engine, and starts another one that is killed at a failpoint.
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

    /// Runs a command with `--json` and returns the printed object.
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

    /// Runs a command twice, with and without `--json`, with `input` on stdin. Both runs must be refused. Checks that
    /// both print the same sentence, and returns the JSON error.
    pub async fn refusal_in_words(&self, arguments: &[&str], input: &str) -> Value {
        let in_words = self.person.run_with_input(arguments, input).await;
        let with_json: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        let with_json = self.person.run_with_input(&with_json, input).await;
        assert_eq!((in_words.code, with_json.code), (Some(4), Some(4)), "{in_words:?} {with_json:?}");
        let error = with_json.objects().pop().unwrap()["error"].clone();
        assert_eq!(in_words.stderr, format!("ashore: {}\n", error["text"].as_str().unwrap()));
        error
    }

    /// Runs a command without `--json`. Returns its text for users: the sentences, then the rows.
    pub async fn text(&self, arguments: &[&str]) -> String {
        let ran = self.person.run(arguments).await;
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.stderr + &ran.stdout
    }

    /// Runs a command with `--json` and returns all printed objects.
    pub async fn objects(&self, arguments: &[&str]) -> Vec<Value> {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        let ran = self.person.run(&arguments).await;
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.objects()
    }

    pub async fn sync(&self) -> Value {
        self.object(&["sync", "now"]).await
    }

    pub async fn add(&self, url: &str) -> String {
        self.object(&["add", url]).await["unique_id"].as_str().unwrap().to_owned()
    }

    /// Waits until this machine has a download with this title in this state.
    pub async fn has(&self, title: &str, state: &str) -> Value {
        self.wait_for("list", async || self.person.list().await, |one| one["title"] == title && one["state"] == state).await
    }

    /// Waits until this machine lists another machine's download with this title in this state. Returns the id.
    pub async fn sees(&self, title: &str, state: &str) -> String {
        let others = async || {
            self.sync().await;
            self.objects(&["sync", "others"]).await
        };
        let found = self.wait_for("others", others, |one| one["title"] == title && one["state"] == state).await;
        found["id"].as_str().unwrap().to_owned()
    }

    /// Waits until this machine has no downloads.
    pub async fn loses_all(&self) {
        let is_gone = async || if self.titles().await.is_empty() { vec![Value::Null] } else { Vec::new() };
        self.wait_for("list", is_gone, |_| true).await;
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

    /// Returns the number of records about past downloads on this machine.
    pub async fn past_downloads(&self) -> Value {
        let status = self.object(&["sync", "status"]).await;
        let collections = status["collections"].as_array().unwrap();
        collections.iter().find(|report| report["collection"] == "dl-history").unwrap()["records"].clone()
    }

    /// Requests the titles in the list directly from the running engine, because starting a command would take time.
    pub async fn listed_titles(&self) -> Vec<String> {
        let answer = self.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "list", "params": {} })).await;
        answer["result"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
    }

    /// Runs cycles on these machines until none of them sends or receives a record.
    pub async fn sync_until_idle(machines: &[&Self]) {
        for _ in 0..10 {
            let mut exchanged = 0;
            for machine in machines {
                let outcome = machine.sync().await;
                exchanged += outcome["received"].as_u64().unwrap() + outcome["sent"].as_u64().unwrap();
            }
            if exchanged == 0 {
                return;
            }
        }
        panic!("the machines do not come to rest");
    }

    pub async fn titles(&self) -> Vec<String> {
        let mut titles: Vec<_> = self.person.list().await.iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect();
        titles.sort();
        titles
    }
}

/// Returns the settings that all machines have in common.
fn settings(person: &Person) -> String {
    format!("keychain = \"file\"\nlocal-for-programs = true\nfolder = {:?}\n", person.downloads())
}

impl SmallDisk {
    /// Fills the disk up to its last byte.
    pub fn fill(&self) {
        fill_disk(&self.filler()).unwrap();
    }

    /// Frees the space that `fill` has used up.
    pub fn free(&self) {
        fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.root.join("something-else")
    }
}

/// Copies the files of a folder, but not its subfolders.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
