//! The sync server that this program keeps running on this machine, as its child.
//!
//! - The server ends with this program, because it reads the end of its stdin.
//! - A server that ends by itself is started again; the page shows the reason meanwhile.
//! - The port stays the same, because the other machines know it.

use std::{
    env, fs, io,
    net::{IpAddr, Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ashore_engine::UserMessage;
use ashore_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{Child, Command},
    sync::watch,
    time::{sleep, timeout},
};

use crate::system::{
    install_paths,
    ui_state::{KeptServer, UiState},
};

/// File name of the server.
const PROGRAM: &str = "ashore-sync-server";
/// Folder of the server's database in the data folder.
const FOLDER: &str = "sync-server";
/// Usual port of the server.
const PORT: u16 = 5350;
/// Number of ports that are tried if another program has the usual one.
const PORTS: u16 = 20;
/// Variable with the address that the server listens on instead of all addresses of this machine.
const LISTEN: &str = "ASHORE_SYNC_LISTEN";
/// Maximum time for the server to become ready.
const READY: Duration = Duration::from_secs(30);
/// Delay before a server that ended is started again.
const AGAIN: Duration = Duration::from_secs(10);

/// State of the server as the page shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnServerReport {
    /// Whether the server is to run whenever Ashore runs.
    pub is_kept: bool,
    /// Whether the server answers.
    pub is_running: bool,
    /// Host and port of the server; empty before its first start.
    pub address: String,
    /// Why the server does not run.
    pub fault: Option<UserMessage>,
    /// Name of this machine.
    pub machine: String,
}

/// State of the child process.
#[derive(Clone, Debug, Default)]
enum ServerState {
    #[default]
    Off,
    Starting,
    Ready,
    Ended(UserMessage),
}

/// Handle on the server. Cheap to clone; all clones share it.
#[derive(Clone, Debug)]
pub struct OwnServer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    state: watch::Sender<ServerState>,
    /// Whether the server is to run.
    wanted: watch::Sender<bool>,
    /// Set-up link that the latest call of [`OwnServer::keep`] returned.
    link: Mutex<Option<String>>,
}

impl OwnServer {
    /// Returns the handle for the data folder; nothing runs yet.
    pub fn new(data_dir: &Path) -> Self {
        let inner = Inner {
            folder: data_dir.join(FOLDER),
            state: watch::Sender::default(),
            wanted: watch::Sender::new(false),
            link: Mutex::default(),
        };
        Self(Arc::new(inner))
    }

    /// Starts the server if the user wanted it to run, and keeps it running.
    pub fn start(&self, remembered: &UiState) {
        if let KeptServer { is_kept: true, port: Some(port), .. } = remembered.server() {
            self.run(port);
        }
    }

    /// Returns the state of the server.
    pub fn report(&self, remembered: &UiState) -> OwnServerReport {
        let KeptServer { is_kept, address, .. } = remembered.server();
        let state = self.0.state.borrow().clone();
        OwnServerReport {
            is_kept,
            address,
            is_running: matches!(state, ServerState::Ready),
            fault: if let ServerState::Ended(why) = state { Some(why) } else { None },
            machine: fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned(),
        }
    }

    /// Starts the server, keeps it running, and returns a link that creates a list on it.
    ///
    /// Fails with `own-server` if the server does not become ready.
    pub async fn keep(&self, remembered: &UiState) -> Result<String, UserMessage> {
        let port = match remembered.server().port {
            Some(port) => port,
            None => free_port().map_err(|error| not_running(&error))?,
        };
        let mut state = self.0.state.subscribe();
        if !*self.0.wanted.borrow() {
            self.run(port);
        }
        let is_decided = |state: &ServerState| matches!(state, ServerState::Ready | ServerState::Ended(_));
        let found = timeout(READY, state.wait_for(is_decided)).await.map(|found| found.map(|found| found.clone()));
        let refusal = match found {
            Ok(Ok(ServerState::Ready)) => None,
            Ok(Ok(ServerState::Ended(why))) => Some(why),
            Ok(_) | Err(_) => Some(message!("own-server.slow")),
        };
        if let Some(why) = refusal {
            self.0.wanted.send_replace(false);
            return Err(why);
        }
        let link = self.invite().await?;
        let address = link.strip_prefix("ashore://join/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
        remembered.set_server(KeptServer { is_kept: true, port: Some(port), address: address.to_owned() });
        *self.link() = Some(link.clone());
        Ok(link)
    }

    /// Stops the server, and does not start it again.
    pub fn stop(&self, remembered: &UiState) {
        remembered.set_server(KeptServer { is_kept: false, ..remembered.server() });
        self.0.wanted.send_replace(false);
    }

    /// Whether [`OwnServer::keep`] returned this link. True only once.
    pub fn takes(&self, link: &str) -> bool {
        self.link().take_if(|made| made == link).is_some()
    }

    /// Keeps the server running until it is not wanted any more.
    fn run(&self, port: u16) {
        self.0.wanted.send_replace(true);
        self.0.state.send_replace(ServerState::Starting);
        let server = self.clone();
        tokio::spawn(async move {
            let mut wanted = server.0.wanted.subscribe();
            loop {
                let why = tokio::select! {
                    why = server.serve(port) => why,
                    _ = wanted.wait_for(|wanted| !wanted) => break,
                };
                tracing::warn!(why.code, why.text, "sync server of this machine ended; will start it again");
                server.0.state.send_replace(ServerState::Ended(why));
                tokio::select! {
                    () = sleep(AGAIN) => {}
                    _ = wanted.wait_for(|wanted| !wanted) => break,
                }
            }
            server.0.state.send_replace(ServerState::Off);
        });
    }

    /// Runs the server once, until it ends. Returns the reason.
    ///
    /// Dropping the future closes the server's stdin, which ends the server.
    async fn serve(&self, port: u16) -> UserMessage {
        match self.spawn(port) {
            Ok(child) => self.follow(child).await,
            Err(error) => not_running(&error),
        }
    }

    fn spawn(&self, port: u16) -> io::Result<Child> {
        let mut command = self.command()?;
        command.args(["serve", "--until-stdin-ends", "--listen"]).arg(format!("{}:{port}", listening_address()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
    }

    async fn follow(&self, mut child: Child) -> UserMessage {
        // This future owns the pipe, so that dropping the future ends the server.
        let _stdin = child.stdin.take();
        let mut failure = None;
        if let Some(stdout) = child.stdout.take() {
            let mut lines = BufReader::new(stdout).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let Ok(said) = serde_json::from_str::<Value>(&line) else { continue };
                if said["ready"] == true {
                    self.0.state.send_replace(ServerState::Ready);
                }
                failure = said["error"]["text"].as_str().map(str::to_owned).or(failure);
            }
        }
        match (failure, child.wait().await) {
            (Some(why), _) => message!("own-server", why = why.trim_end_matches('.')),
            (None, Ok(status)) => message!("own-server", why = status.to_string()),
            (None, Err(error)) => not_running(&error),
        }
    }

    /// Creates a link that sets up a list on the running server.
    async fn invite(&self) -> Result<String, UserMessage> {
        let mut command = self.command().map_err(|error| not_running(&error))?;
        command.arg("invite").stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| not_running(&error))?;
        let mut said = String::new();
        if let Some(stdout) = &mut child.stdout {
            let read = timeout(READY, stdout.read_to_string(&mut said)).await;
            read.map_err(|_| message!("own-server.slow"))?.map_err(|error| not_running(&error))?;
        }
        let said: Value = serde_json::from_str(said.trim()).unwrap_or_default();
        match (said["invite"].as_str(), said["error"]["text"].as_str()) {
            (Some(link), _) => Ok(link.to_owned()),
            (None, Some(why)) => Err(message!("own-server", why = why.trim_end_matches('.'))),
            (None, None) => Err(message!("own-server.slow")),
        }
    }

    fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(install_paths::named(PROGRAM)?);
        command.args(["--json", "--data-dir"]).arg(&self.0.folder);
        Ok(command)
    }

    fn link(&self) -> MutexGuard<'_, Option<String>> {
        self.0.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn not_running(error: &io::Error) -> UserMessage {
    message!("own-server", why = error.to_string())
}

/// Address that the server listens on: all addresses of this machine, unless the environment names one.
fn listening_address() -> IpAddr {
    let named = env::var(LISTEN).ok().and_then(|named| named.parse().ok());
    named.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// Returns the first port, from the usual one on, that no other program uses.
fn free_port() -> io::Result<u16> {
    let address = listening_address();
    let mut last = io::ErrorKind::AddrInUse.into();
    for port in PORT..PORT + PORTS {
        match TcpListener::bind((address, port)) {
            Ok(_) => return Ok(port),
            Err(error) => last = error,
        }
    }
    Err(last)
}
