//! Simulated computer in a temporary folder, which runs the real program `ashore`.
//!
//! Tests run the program, cut the power at a named point, run the program again, and check the final state. All calls
//! go through the program's own socket and command line. Tests never read the ledger directly.

mod outcome;

use std::{
    ffi::OsString,
    fs, io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Output, Stdio},
    time::{Duration, Instant},
};

pub use outcome::{Outcome, digest_of};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
    process::{Child, Command},
};

use crate::{
    own_home::{LOCAL, ONE_FOLDER, live_in},
    processes::{readings, tools::built},
};

/// Time limit of every wait in a test.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// Maximum time for a process to end after it has closed its connections.
const SOON: Duration = Duration::from_secs(3);
/// Polling interval for conditions that emit no event.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Settings with short waits and frequent checkpoints.
const SETTINGS: &str = "checkpoint-seconds = 0.05\nretry-after-seconds = 0.05\n";

/// Lock that separates tests which keep the disk busy from tests whose measurements need an idle disk.
pub static BUSY_DISK: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Path of the program under test.
///
/// Panics if the program has not been built.
pub fn program() -> PathBuf {
    built("ashore").unwrap()
}

/// Way in which the engine's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Died {
    /// Signal that killed the process, if any.
    pub signal: Option<i32>,
}

/// Reason why a call got no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The process died before it answered.
    Died(Died),
    /// The engine refused the call with this code.
    Refused(String),
}

impl From<Died> for Cut {
    fn from(died: Died) -> Self {
        Self::Died(died)
    }
}

/// Computer in a test. Dropping it kills its process and deletes its disk.
#[derive(Debug)]
pub struct Machine {
    place: TempDir,
    /// Parent folder of the ledger. `None` means the folder `place`.
    ledger: Option<PathBuf>,
    /// Parent folder of the downloads. `None` means the folder `place`.
    downloads: Option<PathBuf>,
    /// Command that starts the engine, such as a tracer of system calls.
    under: Vec<OsString>,
    log: Log,
    process: Option<Child>,
}

/// Destination of the engine's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log {
    /// The log is written to the file that [`Machine::log`] reads.
    Kept,
    /// The log is written to a full disk.
    Full,
    /// The log is written to a pipe whose reading end is closed.
    Unread,
}

impl Machine {
    /// Creates a machine with an empty download folder and settings for short waits.
    pub fn new() -> Self {
        Self::with(None, None)
    }

    /// Creates a machine with its ledger and downloads in the empty folder `volume`. All other files are outside that
    /// folder.
    pub fn on(volume: &Path) -> Self {
        Self::on_two(volume, volume)
    }

    /// Creates a machine with its ledger and downloads in two separate empty folders, as if the downloads were on a
    /// portable drive.
    pub fn on_two(ledger: &Path, downloads: &Path) -> Self {
        Self::with(Some(ledger.to_owned()), Some(downloads.to_owned()))
    }

    fn with(ledger: Option<PathBuf>, downloads: Option<PathBuf>) -> Self {
        let place = tempfile::Builder::new().prefix("ashore-").tempdir().expect("there is a temporary folder");
        let machine = Self { place, ledger, downloads, under: Vec::new(), log: Log::Kept, process: None };
        for folder in [machine.data(), machine.target(), machine.home(), machine.runtime()] {
            fs::create_dir(&folder).expect("a new folder can be made in a new folder");
        }
        machine.settings("");
        machine
    }

    /// Replaces the additional lines of `ashore.toml`. Takes effect at the next start.
    pub fn settings(&self, lines: &str) {
        let text = format!("{SETTINGS}{LOCAL}{ONE_FOLDER}{lines}");
        fs::write(self.data().join("ashore.toml"), text).expect("the settings can be written");
    }

    /// Removes the settings file, so that the defaults apply.
    pub fn settings_as_shipped(&self) {
        fs::remove_file(self.data().join("ashore.toml")).expect("the settings can be removed");
    }

    /// Folder that contains all files of the machine.
    pub fn disk(&self) -> &Path {
        self.place.path()
    }

    /// Data folder, which contains the ledger.
    pub fn data(&self) -> PathBuf {
        self.ledger.as_deref().unwrap_or(self.disk()).join("data")
    }

    /// The download folder.
    pub fn target(&self) -> PathBuf {
        self.downloads.as_deref().unwrap_or(self.disk()).join("target")
    }

    fn home(&self) -> PathBuf {
        self.disk().join("home")
    }

    fn runtime(&self) -> PathBuf {
        self.disk().join("run")
    }

    /// Writes a user's file outside the download folder and returns its path.
    pub fn own_file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.home().join(name);
        fs::write(&path, bytes).expect("a file can be written");
        path
    }

    /// Makes later starts run the engine under this command, such as a tracer of system calls. An empty list means no
    /// command. The command must exec the engine, because the engine counts as ended when the command ends.
    pub fn start_under<Word: Into<OsString>>(&mut self, words: impl IntoIterator<Item = Word>) {
        self.under = words.into_iter().map(Into::into).collect();
    }

    /// Sets the destination of the engine's log, from the next start on.
    ///
    /// If the destination cannot be written to, the engine gets `-vv`, so that it tries to log as many lines as
    /// possible.
    pub fn log_to(&mut self, log: Log) {
        self.log = log;
    }

    /// Returns a command that runs the program with the folders of this machine.
    pub fn command(&self) -> Command {
        self.command_of(&program())
    }

    /// Returns a command that runs another program with the folders of this machine.
    pub fn command_of(&self, program: &Path) -> Command {
        self.surround(Command::new(program))
    }

    fn surround(&self, mut command: Command) -> Command {
        live_in(command.as_std_mut(), &self.home(), &self.data());
        command
            .env("XDG_RUNTIME_DIR", self.runtime())
            .env("TMPDIR", self.runtime())
            .env("XDG_DATA_HOME", self.home().join("share"))
            .env("NO_COLOR", "1")
            .env_remove("ASHORE_CRASH_AT")
            .env_remove("ASHORE_PANIC_AT")
            .env_remove("RUST_LOG")
            .current_dir(self.target())
            .stdin(Stdio::null())
            .kill_on_drop(true);
        for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(proxy);
        }
        command
    }

    /// Runs the program's command line and waits until it exits.
    pub async fn run<I: IntoIterator<Item = S>, S: AsRef<std::ffi::OsStr>>(&self, arguments: I) -> Output {
        self.command().args(arguments).output().await.expect("the program can be started")
    }
}

/// Open connection to the engine, which can be used for several calls.
#[derive(Debug)]
pub struct Line(BufReader<UnixStream>);

impl Line {
    /// Returns the answer to a call, or the code of a refusal. `None` if the connection ended before the response.
    pub async fn ask(&mut self, method: &str, params: Value) -> Option<Result<Value, String>> {
        let question = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.0.get_mut().write_all(format!("{question}\n").as_bytes()).await.ok()?;
        let mut line = Vec::new();
        self.0.read_until(b'\n', &mut line).await.ok()?;
        let mut answer: Value = serde_json::from_slice(&line).ok()?;
        if let Some(error) = answer.get("error") {
            let code = error.pointer("/data/code").and_then(Value::as_str);
            return Some(Err(code.map_or_else(|| error.to_string(), str::to_owned)));
        }
        Some(Ok(answer["result"].take()))
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

/// Functions that start and end the engine.
impl Machine {
    /// Starts `ashore serve` and waits until the engine is ready. With `crash_at`, the engine may die before it is
    /// ready.
    pub async fn serve(&mut self, crash_at: Option<&str>) -> Result<(), Died> {
        self.serve_with(crash_at.map(|point| ("ASHORE_CRASH_AT", point))).await
    }

    /// Starts an engine that panics at a named point. The panic must end only the task in which it occurs.
    pub async fn serve_with_defect(&mut self, panic_at: &str) -> Result<(), Died> {
        self.serve_with(Some(("ASHORE_PANIC_AT", panic_at))).await
    }

    async fn serve_with(&mut self, fault: Option<(&str, &str)>) -> Result<(), Died> {
        assert!(self.process.is_none(), "the engine of this machine runs already");
        let log = self.opened_log().expect("a log can be opened");
        let mut command = match self.under.split_first() {
            Some((first, others)) => {
                let mut command = Command::new(first);
                command.args(others).arg(program());
                self.surround(command)
            }
            None => self.command(),
        };
        // Do not start in the download folder, which may be missing or unresponsive.
        command.current_dir(self.disk());
        if self.log != Log::Kept {
            command.arg("-vv");
        }
        command.arg("serve").stdout(Stdio::piped()).stderr(log);
        if let Some((variable, point)) = fault {
            command.env(variable, point);
        }
        let mut child = command.spawn().expect("the program can be started");
        let output = child.stdout.take().expect("its output is piped");
        self.process = Some(child);
        let mut line = String::new();
        let mut lines = BufReader::new(output);
        let read = tokio::time::timeout(PATIENCE, lines.read_line(&mut line)).await;
        match read.expect("the engine is ready in time or dead") {
            Ok(count) if count > 0 => {
                // Keep the pipe open without reading: the engine prints no further lines.
                self.process.as_mut().expect("just started").stdout = Some(lines.into_inner());
                Ok(())
            }
            _ => Err(self.died().await),
        }
    }

    fn opened_log(&self) -> io::Result<Stdio> {
        Ok(match self.log {
            Log::Kept => fs::File::options().create(true).append(true).open(self.disk().join("log"))?.into(),
            Log::Full => fs::File::options().append(true).open("/dev/full")?.into(),
            // Close the reading end of the pipe at once, so that writes to the log fail.
            Log::Unread => io::pipe()?.1.into(),
        })
    }

    /// Simulates a power cut: kills the engine with SIGKILL.
    pub async fn kill(&mut self) {
        let mut child = self.process.take().expect("the engine of this machine runs");
        child.kill().await.expect("a process of our own can be killed");
    }

    /// Sends SIGTERM to the engine and waits until it has ended.
    pub async fn stop(&mut self) {
        let child = self.process.as_mut().expect("the engine of this machine runs");
        let pid = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())).expect("it has not ended");
        let told = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        told.expect("an own process accepts SIGTERM");
        let died = self.died().await;
        assert_eq!(died.signal, None, "the engine exits without a signal");
    }

    /// Waits until the engine's process has ended.
    pub async fn died(&mut self) -> Died {
        let mut child = self.process.take().expect("the engine of this machine runs");
        let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("the engine ends in time");
        Died { signal: status.expect("a process of our own can be waited for").signal() }
    }

    /// Returns how the engine ended; `None` if it is still running.
    pub fn has_died(&mut self) -> Option<Died> {
        let status = self.process.as_mut()?.try_wait().expect("a process of our own can be looked at")?;
        self.process = None;
        Some(Died { signal: status.signal() })
    }

    /// Waits until the engine ends by itself, without a deadline.
    pub async fn died_by_itself(&mut self) -> Died {
        let child = self.process.as_mut().expect("the engine of this machine runs");
        let status = child.wait().await.expect("a process of our own can be waited for");
        self.process = None;
        Died { signal: status.signal() }
    }

    /// Returns whether the engine was running at the last check.
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Limits the engine's open files and connections.
    pub fn allow_open(&self, count: u64) {
        let id = self.process.as_ref().and_then(Child::id).expect("the engine of this machine runs");
        let pid = rustix::process::Pid::from_raw(id.cast_signed());
        // Keep the hard limit, because only a privileged process can raise it again.
        let maximum = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
        let limit = rustix::process::Rlimit { current: Some(count), maximum };
        rustix::process::prlimit(pid, rustix::process::Resource::Nofile, limit)
            .expect("a process of our own can be allowed more");
    }

    /// Returns the peak resident memory of the engine in bytes (Linux: `VmHWM`).
    pub fn peak_memory(&self) -> u64 {
        let id = self.process.as_ref().and_then(Child::id).expect("the engine of this machine runs");
        readings::resident(id).expect("the system tells of a running process").peak
    }

    /// Returns the engine's log, for the message of a failed test.
    pub fn log(&self) -> String {
        fs::read_to_string(self.disk().join("log")).unwrap_or_default()
    }
}

/// Functions that send calls to the engine.
impl Machine {
    /// Makes a call over the socket.
    pub async fn call(&mut self, method: &str, params: Value) -> Result<Value, Cut> {
        match tokio::time::timeout(PATIENCE, self.ask(method, params)).await.expect("the engine answers in time") {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(code)) => Err(Cut::Refused(code)),
            None => Err(match self.dies_soon().await {
                Some(died) => died.into(),
                None => Cut::Refused("connection-cut".to_owned()),
            }),
        }
    }

    /// Waits briefly for the process to end. Returns `None` if it is still running after that time.
    async fn dies_soon(&mut self) -> Option<Died> {
        let child = self.process.as_mut().expect("the engine of this machine runs");
        let status = tokio::time::timeout(SOON, child.wait()).await.ok()?.expect("a process of our own can be waited for");
        self.process = None;
        Some(Died { signal: status.signal() })
    }

    /// Makes a call over a new connection. Returns `None` if the connection ended before the response.
    async fn ask(&self, method: &str, params: Value) -> Option<Result<Value, String>> {
        self.line().await?.ask(method, params).await
    }

    /// Opens a connection to the engine. Returns `None` if the engine accepts no connection.
    pub async fn line(&self) -> Option<Line> {
        Some(Line(BufReader::new(self.connect().await?)))
    }

    /// Connects to the engine's socket. If there is no usable runtime folder, the socket is in the data folder.
    async fn connect(&self) -> Option<UnixStream> {
        if let Ok(stream) = UnixStream::connect(self.data().join("ashore.sock")).await {
            return Some(stream);
        }
        for folder in fs::read_dir(self.runtime()).ok()?.flatten() {
            for entry in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
                if let Ok(stream) = UnixStream::connect(entry.path()).await {
                    return Some(stream);
                }
            }
        }
        None
    }

    /// Returns all registrations, newest first.
    pub async fn list(&mut self) -> Result<Vec<Value>, Died> {
        match self.call("list", json!({})).await {
            Ok(Value::Array(list)) => Ok(list),
            Ok(other) => panic!("the list is a list, and not {other}"),
            Err(Cut::Died(died)) => Err(died),
            Err(Cut::Refused(code)) => panic!("the list is refused: {code}"),
        }
    }

    /// Returns the newest registration with this developer id.
    pub async fn find(&mut self, developer_id: &str) -> Result<Option<Value>, Died> {
        Ok(self.list().await?.into_iter().find(|one| one["developer_id"] == developer_id))
    }

    /// Waits until the registration with this developer id satisfies `is_so`. Panics after a deadline.
    pub async fn until(&mut self, developer_id: &str, what: &str, is_so: impl Fn(&Value) -> bool) -> Result<Value, Died> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.find(developer_id).await?;
            if let Some(found) = &found
                && is_so(found)
            {
                return Ok(found.clone());
            }
            if Instant::now() > deadline {
                panic!("{developer_id} is not {what} in time, but {found:?}\n{}", self.log());
            }
            self.breath().await?;
        }
    }

    /// Waits for one polling interval. Fails if the engine has died.
    pub async fn breath(&mut self) -> Result<(), Died> {
        tokio::time::sleep(LOOK_EVERY).await;
        self.has_died().map_or(Ok(()), Err)
    }
}
