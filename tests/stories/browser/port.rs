//! Simulated browser of a test: starts the host as Chromium does, and exchanges messages with it.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use ashore_testkit::{LOCAL, ONE_FOLDER, live_in, origin::content, tools::built, waits::until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::cli::program::{Person, Ran, SOON, end};

/// Id of a browser instance in the extension's format.
pub const INSTANCE: &str = "6a2ab1c0-1111-4222-8333-444455556666";
/// Name of the file that the tests download. `LENGTH` is its size in bytes.
pub const FILE: &str = "disk.iso";
pub const LENGTH: u64 = 300_000;
pub const SEED: u64 = 7;

/// Host that the simulated browser has started.
pub struct Port {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
}

/// Returns the extension's origin, which Chromium passes to the host.
pub fn caller() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../extension/ids.json");
    let ids: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    format!("chrome-extension://{}/", ids["chromium"].as_str().unwrap())
}

/// Returns a user who may download from this machine, where all test servers run.
pub fn person() -> Person {
    let person = Person::new();
    settings(&person, LOCAL);
    person
}

/// Writes settings that put all files into the download folder, followed by `lines`.
pub fn settings(person: &Person, lines: &str) {
    person.settings(&format!("folder = {:?}\nretry-after-seconds = 0.05\n{ONE_FOLDER}{lines}", person.downloads()));
}

/// Returns the command that runs `program` for this user.
pub fn command(person: &Person, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("XDG_RUNTIME_DIR", person.home().join("run")).env("TMPDIR", person.home());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    live_in(command.as_std_mut(), person.home(), &person.data());
    command
}

/// Returns the path of the host.
pub fn host() -> PathBuf {
    built("ashore-browser").unwrap()
}

impl Port {
    /// Starts the built host.
    pub fn open(person: &Person) -> Self {
        Self::spawned(command(person, &host()).arg(caller()))
    }

    /// Starts the host with this command.
    pub fn spawned(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { child, stdin, stdout }
    }

    /// Sends any bytes, even an invalid frame.
    pub async fn write(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().expect("the port is open").write_all(bytes).await.unwrap();
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let length = u32::try_from(text.len()).unwrap().to_ne_bytes();
        self.write(&[&length[..], text.as_bytes()].concat()).await;
    }

    /// Returns the next message of the host.
    pub async fn receive(&mut self) -> Value {
        let read = async {
            let mut length = [0; 4];
            self.stdout.read_exact(&mut length).await.expect("the host answers");
            let mut text = vec![0; usize::try_from(u32::from_ne_bytes(length)).unwrap()];
            self.stdout.read_exact(&mut text).await.expect("the answer is complete");
            serde_json::from_slice(&text).expect("the answer is JSON")
        };
        timeout(SOON, read).await.expect("the host answers in time")
    }

    /// Sends a message and returns the answer.
    pub async fn exchange(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.receive().await
    }

    /// Asks Ashore to take over a download, and returns Ashore's answer.
    pub async fn ask(&mut self, number: u32, download: &Value) -> Value {
        self.exchange(&ask(number, download)).await
    }

    /// Closes the port as a browser does, and waits until the host has ended.
    pub async fn close(mut self) -> Ran {
        self.stdin = None;
        let mut rest = Vec::new();
        timeout(SOON, self.stdout.read_to_end(&mut rest)).await.expect("the host ends").unwrap();
        let ran = end(self.child).await;
        Ran { stdout: String::from_utf8_lossy(&rest).into_owned(), ..ran }
    }

    /// Kills the host.
    pub async fn kill(mut self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id().expect("it runs")).unwrap()).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        self.child.wait().await.unwrap();
    }
}

/// Asks Ashore to take over a download, through a new host, as the extension does.
pub async fn ask_once(person: &Person, number: u32, download: &Value) -> Value {
    let mut port = Port::open(person);
    let answer = port.ask(number, download).await;
    let ran = port.close().await;
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "{ran:?}");
    answer
}

/// Returns the download id with this number.
pub fn ask_id(number: u32) -> String {
    format!("{INSTANCE}/{number}")
}

/// Returns the message that asks Ashore to take over a download.
pub fn ask(number: u32, download: &Value) -> Value {
    json!({ "type": "ask", "version": 1, "ask": ask_id(number), "download": download })
}

/// Returns the data that a browser has about an unchanged file of [`LENGTH`] bytes.
pub fn seen(url: impl ToString) -> Value {
    json!({
        "url": url.to_string(), "first_url": null, "name": FILE, "content_type": "application/octet-stream", "size": LENGTH,
        "etag": format!("\"{SEED}-{LENGTH}\""), "last_modified": "Wed, 21 Oct 2015 07:28:00 GMT", "content_encoding": null,
        "referrer": "http://page.example/", "user_agent": "Browser/1", "cookies": null, "title": "A page",
        "page": "http://page.example/files", "was_clicked": false
    })
}

/// Returns a copy of `download` with these fields replaced.
pub fn with(mut download: Value, fields: Value) -> Value {
    let others = fields.as_object().expect("fields are an object").clone();
    download.as_object_mut().expect("a download is an object").extend(others);
    download
}

/// Asserts that the download folder contains exactly the complete file. Waits for the partial file, which is removed
/// after the end of the download is announced.
pub async fn assert_complete(person: &Person) {
    until("only the complete file is left", async || (person.files() == [FILE]).then_some(())).await;
    assert!(person.file(FILE) == content(SEED, LENGTH));
}

/// Asserts that the list is empty, and waits until the engine has discarded all partial files.
pub async fn assert_nothing_left(person: &Person) {
    assert_eq!(person.list().await, [] as [Value; 0]);
    until("the partial files are discarded", async || person.files().is_empty().then_some(())).await;
}

/// Waits until no file in the data folder contains this text.
pub async fn until_forgotten(person: &Person, text: &str) {
    until("the text is forgotten", async || {
        let found = Command::new("grep").args(["-rlaF", text]).arg(person.data()).output().await.unwrap();
        found.stdout.is_empty().then_some(())
    })
    .await;
}
