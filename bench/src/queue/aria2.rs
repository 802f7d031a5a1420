//! Runs aria2c, controlled by RPC. Its list is in memory; only the saved session is on disk.

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{
    free_ports,
    readings::{self, ResidentMemory},
    waits::blocking::pause,
};
use serde_json::{Value, json};

/// Links per message. Larger messages are no faster.
const BATCH: usize = 1000;
/// Time limit of every step.
const PATIENCE: Duration = Duration::from_secs(60);

/// Running aria2c.
#[derive(Debug)]
pub struct Aria2Queue {
    child: Child,
    port: u16,
    /// Seconds from the start of aria2c until its first response.
    pub ready: f64,
}

impl Aria2Queue {
    /// Starts aria2c in `home` with the session that an earlier process saved, if any.
    pub fn start(home: &Path) -> Result<Self> {
        let [port] = free_ports()?;
        let session = session(home);
        let mut command = Command::new("aria2c");
        command.env_clear().env("HOME", home).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.args(["--no-conf", "-q", "--enable-rpc", "--rpc-max-request-size=64M", "--max-concurrent-downloads=1"]);
        command.args(["--pause=true", &format!("--rpc-listen-port={port}")]).arg("-d").arg(home);
        command.arg("--save-session").arg(&session);
        if session.exists() {
            command.arg("--input-file").arg(&session);
        }
        let begun = Instant::now();
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let mut aria2 = Self { child, port, ready: 0.0 };
        while aria2.call("aria2.getVersion", json!([])).is_err() {
            ensure!(begun.elapsed() < PATIENCE && aria2.child.try_wait()?.is_none(), "aria2c does not answer");
            pause(Duration::from_millis(2));
        }
        aria2.ready = begun.elapsed().as_secs_f64();
        Ok(aria2)
    }

    /// Adds `count` paused links. Returns the seconds taken.
    pub fn add(&self, count: usize, url: impl Fn(usize) -> String) -> Result<f64> {
        let begun = Instant::now();
        for first in (0..count).step_by(BATCH) {
            let one = |number| json!({ "methodName": "aria2.addUri", "params": [[url(number)], { "pause": "true" }] });
            let calls: Vec<Value> = (first..count.min(first + BATCH)).map(one).collect();
            self.call("system.multicall", json!([calls]))?;
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Returns the number of waiting downloads.
    pub fn waiting(&self) -> Result<usize> {
        let said = self.call("aria2.getGlobalStat", json!([]))?;
        Ok(said["numWaiting"].as_str().context("aria2c does not report the number of waiting downloads")?.parse()?)
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the resident memory.
    pub fn resident(&self) -> Result<ResidentMemory> {
        readings::resident(self.child.id())
    }

    /// Saves the session and ends the process.
    pub fn save_and_end(self) -> Result<()> {
        self.call("aria2.saveSession", json!([])).map(drop)
    }

    fn call(&self, method: &str, params: Value) -> Result<Value> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        let head =
            format!("POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all([head, body].concat().as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").context("the response is not HTTP")?;
        let mut answer: Value = serde_json::from_str(body)?;
        ensure!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        Ok(answer["result"].take())
    }
}

impl Drop for Aria2Queue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn session(home: &Path) -> PathBuf {
    home.join("session")
}
