//! Runs the program `ashore` with its own home, sends it signals and reads its output.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use ashore_testkit::{live_in, tools::built};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::{Instant, sleep, timeout},
};

/// Time limit that is long enough for a busy machine. Only a failed test reaches it.
pub const SOON: Duration = Duration::from_secs(60);

/// Home of a user, with the program `ashore`.
pub struct Person {
    folder: TempDir,
    /// Command line prefix for running the program, for example to enter a mount namespace. Usually empty.
    under: Vec<String>,
}

/// Exit code and output of a finished run.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Program that is still running.
pub struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Person {
    pub fn new() -> Self {
        Self::under(Vec::new())
    }

    /// Creates a home. Programs in it run with the command line prefix `under`.
    pub fn under(under: Vec<String>) -> Self {
        let person = Self { folder: tempfile::tempdir().unwrap(), under };
        fs::create_dir(person.downloads()).unwrap();
        fs::DirBuilder::new().mode(0o700).create(person.folder.path().join("run")).unwrap();
        person
    }

    pub fn home(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the path of the download folder.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Returns the path of the data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes `ashore.toml`.
    pub fn settings(&self, text: &str) {
        fs::create_dir_all(self.data()).unwrap();
        fs::write(self.data().join("ashore.toml"), text).unwrap();
    }

    pub fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.downloads().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.downloads()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let words = self.under.iter().map(Into::into).chain([built("ashore").unwrap().into_os_string()]);
        let words: Vec<OsString> = words.collect();
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .args(arguments)
            .current_dir(self.downloads())
            .env_clear()
            .env("XDG_RUNTIME_DIR", self.home().join("run"))
            .env("TMPDIR", self.home())
            // When coverage is measured, pass on the name of the file for coverage data.
            .envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        live_in(command.as_std_mut(), self.home(), &self.data());
        command
    }

    /// Runs the program to its end.
    pub async fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ran {
        end(self.command(arguments).spawn().unwrap()).await
    }

    /// Runs the program to its end with `input` on stdin.
    pub async fn run_with_input<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>, input: &str) -> Ran {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).await.unwrap();
        end(child).await
    }

    /// Starts the program. Its stdout can be read line by line.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Running {
        Running::from_child(self.command(arguments).spawn().unwrap())
    }

    /// Starts `ashore serve` and waits until it is ready. Also returns its first line of output.
    pub async fn serve(&self) -> (Running, Value) {
        let mut serving = self.start(["serve", "--json"]);
        let ready = serving.line().await;
        let ready: Value = serde_json::from_str(&ready).unwrap_or_else(|error| panic!("{ready:?}: {error}"));
        assert_eq!(ready["ready"], true);
        (serving, ready)
    }

    /// Returns the object that `show ID --json` prints.
    pub async fn show(&self, id: &str) -> Value {
        self.object(&["show", id, "--json"]).await
    }

    /// Repeats `show ID --json` until `is_expected` accepts the printed object.
    pub async fn shows(&self, id: &str, is_expected: impl Fn(&Value) -> bool) -> Value {
        self.until(&["show", id, "--json"], is_expected).await
    }

    /// Repeats the command until `is_expected` accepts the printed object.
    pub async fn until(&self, arguments: &[&str], is_expected: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let printed = self.object(arguments).await;
            if is_expected(&printed) {
                return printed;
            }
            assert!(started.elapsed() < SOON, "{arguments:?} stays {printed}");
            sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn object(&self, arguments: &[&str]) -> Value {
        let ran = self.run(arguments).await;
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        serde_json::from_str(&ran.stdout).unwrap()
    }

    /// Returns the objects that `list --json` prints.
    pub async fn list(&self) -> Vec<Value> {
        let ran = self.run(["list", "--json"]).await;
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.objects()
    }
}

impl Ran {
    /// Returns every line of stdout as JSON.
    pub fn objects(&self) -> Vec<Value> {
        let object = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.stdout.lines().map(object).collect()
    }

    /// Returns the code of the error that `--json` printed.
    pub fn error_code(&self) -> String {
        let last = self.objects().pop().unwrap_or_default();
        last["error"]["code"].as_str().unwrap_or_else(|| panic!("no error in {self:?}")).to_owned()
    }
}

impl Running {
    /// Wraps a program that other code has started.
    pub fn from_child(mut child: Child) -> Self {
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Returns the next line of stdout.
    pub async fn line(&mut self) -> String {
        match timeout(SOON, self.lines.next_line()).await.expect("it says something").unwrap() {
            Some(line) => line,
            None => {
                let mut stderr = String::new();
                self.child.stderr.take().unwrap().read_to_string(&mut stderr).await.unwrap();
                panic!("it ended instead of saying something: {stderr}");
            }
        }
    }

    /// Returns the next event on stdout that `is_meant` accepts.
    pub async fn event(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = serde_json::from_str(&self.line().await).unwrap();
            if is_meant(&event) {
                return event;
            }
        }
    }

    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id().expect("it runs")).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until the program ends.
    ///
    /// The returned stdout lacks the lines that `line` or `event` has already returned.
    pub async fn end(mut self) -> Ran {
        let rest = async {
            let mut stdout = String::new();
            while let Some(line) = self.lines.next_line().await.unwrap() {
                stdout.push_str(&line);
                stdout.push('\n');
            }
            stdout
        };
        let both = async { tokio::join!(rest, self.child.wait_with_output()) };
        let (stdout, output) = timeout(SOON, both).await.expect("it ends");
        let output = output.unwrap();
        Ran { code: output.status.code(), stdout, stderr: String::from_utf8(output.stderr).unwrap() }
    }
}

/// Waits for the end of a program that other code has started.
pub async fn end(child: Child) -> Ran {
    let output = timeout(SOON, child.wait_with_output()).await.expect("it ends").unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
