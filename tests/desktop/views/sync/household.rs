//! Sync server of a test, and the user's other machines.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ashore_testkit::{
    running::RunningProgram,
    sync_server::place::{RunningServer, ServerPlace},
    tools::built,
    waits::until,
};
use serde_json::Value;
use tempfile::TempDir;

use crate::stage::Stage;

/// Settings for every machine. They store secrets in the data folder, so that a copy of that folder contains the
/// secrets.
pub const SETTINGS: &str = "keychain = \"file\"\nlocal-for-programs = true\ncheckpoint-seconds = 0.05\n";

/// Sync server on loopback. Dropping it ends the server.
pub struct Server {
    pub place: ServerPlace,
    pub running: RunningServer,
    _folder: TempDir,
}

impl Server {
    /// Starts a server without users.
    pub async fn start() -> Self {
        let (place, folder) = new_place();
        let running = place.start().await.unwrap();
        Self { place, running, _folder: folder }
    }

    /// Starts a server that uses TLS and has no users.
    pub async fn start_secure() -> Self {
        let (place, folder) = new_place();
        let running = place.start_with_new_certificate("127.0.0.1:0").await.unwrap();
        Self { place, running, _folder: folder }
    }

    /// Starts a server that has no users, and whose clock is off by `offset`, such as `-2h`.
    pub async fn start_with_clock(offset: &str) -> Self {
        let (mut place, folder) = new_place();
        place.program = ServerPlace::program_with_clock(&place.program, folder.path(), offset).unwrap();
        let running = place.start().await.unwrap();
        Self { place, running, _folder: folder }
    }

    /// Returns the link for creating the first list.
    pub fn link(&self) -> &str {
        self.running.set_up_link().unwrap()
    }

    /// Ends the server.
    pub async fn stop(&mut self) {
        self.running.child.kill().await.unwrap();
    }

    /// Restarts the server at its earlier address.
    pub async fn start_again(&mut self) {
        self.running = self.place.start_at(&self.running.address).await.unwrap();
    }

    /// Restarts the server at its earlier address, with a clock that is off by `offset`, such as `+31d`.
    pub async fn start_again_with_clock(&mut self, offset: &str) {
        self.place.program = ServerPlace::program_with_clock(&self.place.program, self._folder.path(), offset).unwrap();
        self.start_again().await;
    }

    /// Restarts the server at its earlier address, with another certificate.
    pub async fn start_again_with_new_certificate(&mut self) {
        self.running = self.place.start_with_new_certificate(&self.running.address).await.unwrap();
    }

    /// Folder for a backup of the data.
    pub fn backup(&self) -> PathBuf {
        self.place.folder.with_extension("backup")
    }
}

fn new_place() -> (ServerPlace, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("server");
    (ServerPlace { program: built("ashore-sync-server").unwrap(), folder: data, database: None }, folder)
}

/// One of the user's machines. Dropping it ends its engine.
pub struct Machine<'a> {
    stage: &'a Stage,
    pub data: PathBuf,
    downloads: PathBuf,
    /// Engine of the machine. `None` while it is stopped, and always for the machine with the window.
    serving: Option<RunningProgram>,
}

impl<'a> Machine<'a> {
    /// Starts a machine whose folder has this name.
    pub fn start(stage: &'a Stage, name: &str) -> Self {
        let mut machine = Self::new(stage, name);
        machine.serve();
        machine
    }

    /// Starts the machine `Laptop` and creates the server's list on it.
    pub async fn first(stage: &'a Stage, server: &Server) -> Self {
        let laptop = Self::start(stage, "laptop");
        laptop.run(&["sync", "setup", server.link(), "--name", "Laptop"]).await;
        laptop
    }

    /// Creates a machine without starting it.
    pub fn new(stage: &'a Stage, name: &str) -> Self {
        let data = stage.home().join(name);
        let downloads = stage.home().join(format!("{name}-downloads"));
        fs::create_dir_all(&data).unwrap();
        fs::create_dir_all(&downloads).unwrap();
        fs::write(data.join("ashore.toml"), format!("{SETTINGS}folder = {downloads:?}\n")).unwrap();
        Self { stage, data, downloads, serving: None }
    }

    /// Returns the machine with the window, for commands to its engine.
    pub fn of_window(stage: &'a Stage) -> Self {
        Self { stage, data: stage.data(), downloads: stage.downloads(), serving: None }
    }

    /// Starts the engine.
    pub fn serve(&mut self) {
        let mut command = self.stage.command(built("ashore").unwrap());
        command.arg("--data-dir").arg(&self.data).arg("serve");
        self.serving = Some(self.stage.start(command));
    }

    /// Kills the engine.
    pub fn stop(&mut self) {
        self.serving = None;
    }

    /// Runs a subcommand with `--json` as soon as the engine answers. Returns the printed objects.
    pub async fn run(&self, arguments: &[&str]) -> Vec<Value> {
        until(&format!("{arguments:?} is carried out"), async || {
            let (is_done, objects) = self.try_to_run(arguments).await;
            is_done.then_some(objects)
        })
        .await
    }

    /// Repeats a subcommand with `--json` until it is refused. Returns the error.
    pub async fn refusal(&self, arguments: &[&str]) -> Value {
        until(&format!("{arguments:?} is refused"), async || {
            let (is_done, mut objects) = self.try_to_run(arguments).await;
            (!is_done).then(|| objects.pop().unwrap()["error"].take())
        })
        .await
    }

    async fn try_to_run(&self, arguments: &[&str]) -> (bool, Vec<Value>) {
        let mut command = self.stage.command(built("ashore").unwrap());
        command.arg("--data-dir").arg(&self.data).arg("--json").args(arguments);
        // Set the working folder, because `add` downloads into it.
        command.current_dir(&self.downloads);
        let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        (output.status.success(), said.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    /// Adds this machine to the list that the link belongs to.
    pub async fn join(&self, link: &str, name: &str) {
        self.run(&["sync", "join", link, "--name", name]).await;
        self.run(&["sync", "now"]).await;
    }

    /// Invites a machine and returns the invitation link.
    pub async fn invite(&self) -> String {
        self.run(&["sync", "invite"]).await[0]["link"].as_str().unwrap().to_owned()
    }

    /// Adds a download, waits until it is complete, and syncs.
    pub async fn fetch(&self, url: &url::Url, title: &str) {
        self.run(&["add", url.as_str()]).await;
        self.has(title, "settled").await;
        self.run(&["sync", "now"]).await;
    }

    /// Waits until the list contains a download with this title in this state.
    pub async fn has(&self, title: &str, state: &str) {
        until(&format!("{title} is {state}"), async || {
            let list = self.run(&["list"]).await;
            list.iter().any(|one| one["title"] == title && one["state"] == state).then_some(())
        })
        .await;
    }

    /// Waits until the list is empty.
    pub async fn has_nothing(&self) {
        until("the list is empty", async || self.run(&["list"]).await.is_empty().then_some(())).await;
    }

    /// Returns the path of a file in the download folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.downloads.join(name)
    }
}

/// Copies the files of a folder.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
