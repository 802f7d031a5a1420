//! Runs `ashore serve` on a separate list and calls the engine over its socket.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{
    live_in,
    readings::{self, ResidentMemory},
    tools::built,
    waits::blocking::pause,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::measure::{self, ProcessCost};

/// Time limit of every step.
const PATIENCE: Duration = Duration::from_secs(60);

/// Folder with a download list, and the environment of the programs that are started in this folder.
#[derive(Clone, Debug)]
pub struct BenchHousehold {
    home: PathBuf,
    bus: Option<String>,
}

/// Server that accepts connections and never responds.
#[derive(Debug)]
pub struct MutedNotifications(TcpListener);

/// Running engine.
#[derive(Debug)]
pub struct ServingHousehold {
    child: Child,
    socket: BufReader<UnixStream>,
    /// Seconds from the start of the engine until its first response.
    pub ready: f64,
}

impl BenchHousehold {
    /// Creates the folders in `home`. `settings` are the lines of `ashore.toml`.
    pub fn new(home: &Path, settings: &str) -> Result<Self> {
        for folder in [home, &home.join("data"), &home.join("downloads")] {
            fs::create_dir_all(folder)?;
            fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
        }
        let household = Self { home: home.to_owned(), bus: None };
        household.settings(settings)?;
        Ok(household)
    }

    /// Replaces the lines of `ashore.toml`.
    pub fn settings(&self, lines: &str) -> Result<()> {
        Ok(fs::write(self.home.join("data/ashore.toml"), lines)?)
    }

    /// Sets the address of the message bus that the programs use.
    pub fn on_bus(mut self, address: String) -> Self {
        self.bus = Some(address);
        self
    }

    /// Returns the command `ashore` with the arguments `words`.
    pub fn command(&self, words: &[&str]) -> Result<Command> {
        let mut command = Command::new(built("ashore")?);
        command.args(words).current_dir(self.home.join("downloads")).env_clear();
        live_in(&mut command, &self.home, &self.home.join("data"));
        command.env("XDG_RUNTIME_DIR", &self.home).env("TMPDIR", &self.home);
        command.envs(self.bus.as_ref().map(|bus| ("DBUS_SYSTEM_BUS_ADDRESS", bus)));
        Ok(command)
    }

    /// Runs `ashore` with the arguments `words`. Fails if `ashore` reports an error.
    pub fn run(&self, words: &[&str]) -> Result<ProcessCost> {
        let log = self.home.join("words.log");
        let cost = measure::run(&self.command(words)?, &log, None)?;
        ensure!(cost.is_success, "ashore {}: {}", words.join(" "), fs::read_to_string(log)?);
        Ok(cost)
    }

    /// Starts `ashore serve` and waits for its first response.
    pub fn serve(&self) -> Result<ServingHousehold> {
        let mut command = self.command(&["serve", "--json"])?;
        let begun = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("the program has no output")?).read_line(&mut line)?;
        let said: Value = serde_json::from_str(&line).context("ashore serve did not start")?;
        let path = said["socket"].as_str().context("the output names no socket")?;
        let mut serving = ServingHousehold { child, socket: BufReader::new(UnixStream::connect(path)?), ready: 0.0 };
        serving.call("totals", json!({}))?;
        serving.ready = begun.elapsed().as_secs_f64();
        Ok(serving)
    }

    /// Returns the size of the ledger in bytes.
    pub fn list_size(&self) -> Result<u64> {
        Ok(fs::metadata(self.home.join("data/ledger.sqlite"))?.len())
    }
}

impl ServingHousehold {
    /// Calls a method and waits for the result.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string() + "\n";
        self.socket.get_mut().write_all(line.as_bytes())?;
        let mut answer = String::new();
        self.socket.read_line(&mut answer)?;
        let mut answer: Value = serde_json::from_str(&answer).with_context(|| format!("{method} got no answer"))?;
        ensure!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        Ok(answer["result"].take())
    }

    /// Calls a method and returns the seconds taken.
    pub fn timed(&mut self, method: &str, params: Value) -> Result<f64> {
        let begun = Instant::now();
        self.call(method, params)?;
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Waits until the totals of the engine meet the condition.
    pub fn until(&mut self, is_expected: impl Fn(&Value) -> bool) -> Result<()> {
        let begun = Instant::now();
        loop {
            let totals = self.call("totals", json!({}))?;
            if is_expected(&totals) {
                return Ok(());
            }
            ensure!(begun.elapsed() < PATIENCE, "the totals did not change: {totals}");
            pause(Duration::from_millis(2));
        }
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the resident memory.
    pub fn resident(&self) -> Result<ResidentMemory> {
        readings::resident(self.child.id())
    }

    /// Ends the process gracefully.
    pub fn stop(self) -> Result<()> {
        self.end(Signal::TERM)
    }

    /// Kills the process, as a power cut would.
    pub fn kill(self) -> Result<()> {
        self.end(Signal::KILL)
    }

    fn end(mut self, signal: Signal) -> Result<()> {
        kill_process(Pid::from_child(&self.child), signal)?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for ServingHousehold {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl MutedNotifications {
    /// Listens on a free port.
    pub fn start() -> Result<Self> {
        Ok(Self(TcpListener::bind(("127.0.0.1", 0))?))
    }

    /// Returns a URL of the server.
    pub fn url(&self, number: usize) -> Result<String> {
        Ok(format!("http://{}/a/folder/file-{number:07}.bin", self.0.local_addr()?))
    }
}
