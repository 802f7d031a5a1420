//! The sync server that this program keeps running on this machine, as a child process.
//!
//! - The server stops at the end of its stdin, and therefore ends together with this program.
//! - A server that ends by itself is started again. Until then, the page shows why the server ended.
//! - The port stays the same, because the other machines know it.
//! - Each start or stop waits for the one before, so that two servers never compete for the port.

use std::{
    env, io,
    net::{IpAddr, Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ashore_engine::UserMessage;
use ashore_messages::message;
use ashore_sync::service::server_of_link;
use serde::Serialize;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{Child, Command},
    sync::{Notify, watch},
    task::JoinHandle,
    time::{sleep, timeout},
};

use crate::system::{
    install_paths,
    ui_state::{KeptServer, UiState},
};

/// File name of the server program.
const PROGRAM: &str = "ashore-sync-server";
/// Folder for the database of the server, in the data folder.
const FOLDER: &str = "sync-server";
/// Usual port of the server.
const PORT: u16 = 5350;
/// Number of ports to try, beginning with the usual port.
const PORTS: u16 = 20;
/// Environment variable with the listening address. The default is all addresses of this machine.
const LISTEN: &str = "ASHORE_SYNC_LISTEN";
/// Maximum time for the server to become ready.
const READY: Duration = Duration::from_secs(30);
/// Maximum time for the server to end before it is killed.
const ENDING: Duration = Duration::from_secs(15);
/// Delay before a server that ended is started again.
const AGAIN: Duration = Duration::from_secs(10);

/// State of the server as the page shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OwnServerReport {
    /// Whether the server runs whenever Ashore runs.
    pub is_kept: bool,
    /// Whether the server is ready.
    pub is_running: bool,
    /// Host and port of the server; empty before its first start.
    pub address: String,
    /// Reason why the server does not run.
    pub fault: Option<UserMessage>,
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

/// Handle on the server. Cheap to clone; all clones refer to the same server.
#[derive(Clone, Debug)]
pub struct OwnServer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    state: watch::Sender<ServerState>,
    /// Task that keeps the server running. The lock is held during starts and stops.
    keeper: tokio::sync::Mutex<Option<Keeper>>,
    /// Set-up link from the latest call of [`OwnServer::create_list`].
    link: Mutex<Option<String>>,
}

/// Task that keeps the server running on a port.
#[derive(Debug)]
struct Keeper {
    port: u16,
    /// Notification that restarts an ended server without the delay.
    at_once: Arc<Notify>,
    /// Flag that ends the task when it becomes true.
    is_over: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl OwnServer {
    /// Returns the handle for the data folder. Does not start the server.
    pub fn new(data_dir: &Path) -> Self {
        let inner = Inner {
            folder: data_dir.join(FOLDER),
            state: watch::Sender::default(),
            keeper: tokio::sync::Mutex::default(),
            link: Mutex::default(),
        };
        Self(Arc::new(inner))
    }

    /// Starts the server again if the user had turned it on before Ashore exited.
    pub fn resume(&self, remembered: &UiState) {
        if let KeptServer { is_kept: true, port: Some(port), .. } = remembered.server() {
            let server = self.clone();
            tokio::spawn(async move {
                let mut keeper = server.0.keeper.lock().await;
                keeper.get_or_insert_with(|| server.keep_running(port));
            });
        }
    }

    /// Calls `hear` whenever the server starts, becomes ready or ends. Never returns.
    pub async fn watch(&self, hear: impl Fn()) {
        let mut state = self.0.state.subscribe();
        while state.changed().await.is_ok() {
            hear();
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
        }
    }

    /// Starts the server, and keeps it running whenever Ashore runs.
    ///
    /// Fails with `own-server` if the server does not become ready. The server is then stopped, unless it was already
    /// turned on before this call.
    pub async fn start(&self, remembered: &UiState) -> Result<(), UserMessage> {
        self.started(remembered, async || Ok(())).await
    }

    /// Starts the server as [`OwnServer::start`] does, and returns a link that creates a list on it.
    ///
    /// Fails as [`OwnServer::start`] does.
    pub async fn create_list(&self, remembered: &UiState) -> Result<String, UserMessage> {
        let link = self.started(remembered, async || self.invite().await).await?;
        let address = server_of_link(&link).unwrap_or_default();
        remembered.set_server(KeptServer { address, ..remembered.server() });
        *self.0.link.lock().unwrap_or_else(PoisonError::into_inner) = Some(link.clone());
        Ok(link)
    }

    /// Starts the server if it does not run, then calls `then`.
    ///
    /// If the start or `then` fails, the server is stopped, unless it was already turned on before this call.
    async fn started<T>(
        &self,
        remembered: &UiState,
        then: impl AsyncFnOnce() -> Result<T, UserMessage>,
    ) -> Result<T, UserMessage> {
        let mut keeper = self.0.keeper.lock().await;
        let was_kept = remembered.server().is_kept;
        let done = match self.ready_on_port(&mut keeper, remembered.server().port).await {
            Ok(port) => then().await.map(|done| (port, done)),
            Err(why) => Err(why),
        };
        match &done {
            Ok((port, _)) => remembered.set_server(KeptServer { is_kept: true, port: Some(*port), ..remembered.server() }),
            Err(_) if was_kept => {}
            Err(_) => end(keeper.take()).await,
        }
        done.map(|(_, done)| done)
    }

    /// Waits until the server is ready, and returns its port.
    ///
    /// If the server runs or ran before, this is the port of that run. Otherwise, it is the first port that no other
    /// program uses.
    async fn ready_on_port(&self, keeper: &mut Option<Keeper>, remembered: Option<u16>) -> Result<u16, UserMessage> {
        if let Some(port) = keeper.as_ref().map(|keeper| keeper.port).or(remembered) {
            return self.ready(keeper.get_or_insert_with(|| self.keep_running(port))).await.map(|()| port);
        }
        let mut port = free_port(PORT).map_err(|error| not_running(&error))?;
        loop {
            let ready = self.ready(keeper.insert(self.keep_running(port))).await;
            // If the port is now in use, another program has taken it in the meantime, and this is why the start
            // failed. Try the next port in this case. If the port is still free, the start failed for another reason.
            match free_port(port) {
                Ok(next) if ready.is_err() && next != port => {
                    end(keeper.take()).await;
                    port = next;
                }
                _ => return ready.map(|()| port),
            }
        }
    }

    /// Waits until the server is ready. Restarts an ended server without delay.
    async fn ready(&self, keeper: &Keeper) -> Result<(), UserMessage> {
        let mut state = self.0.state.subscribe();
        // Forget why an earlier run ended, because that reason does not belong to this start.
        self.0.state.send_if_modified(|state| {
            let has_ended = matches!(state, ServerState::Ended(_));
            if has_ended {
                *state = ServerState::Starting;
                keeper.at_once.notify_one();
            }
            has_ended
        });
        let is_decided = |state: &ServerState| matches!(state, ServerState::Ready | ServerState::Ended(_));
        match timeout(READY, state.wait_for(is_decided)).await.map(|found| found.map(|state| state.clone())) {
            Ok(Ok(ServerState::Ready)) => Ok(()),
            Ok(Ok(ServerState::Ended(why))) => Err(why),
            Ok(_) | Err(_) => Err(message!("own-server.slow")),
        }
    }

    /// Stops the server permanently. Returns after it has ended.
    pub async fn stop(&self, remembered: &UiState) {
        let mut keeper = self.0.keeper.lock().await;
        remembered.set_server(KeptServer { is_kept: false, ..remembered.server() });
        end(keeper.take()).await;
    }

    /// Whether [`OwnServer::create_list`] returned this link. Returns true only once per link.
    pub fn takes(&self, link: &str) -> bool {
        self.0.link.lock().unwrap_or_else(PoisonError::into_inner).take_if(|made| made == link).is_some()
    }

    /// Keeps a server running on this port until [`end`].
    fn keep_running(&self, port: u16) -> Keeper {
        let (is_over, over) = watch::channel(false);
        let at_once = Arc::new(Notify::new());
        self.0.state.send_replace(ServerState::Starting);
        let task = tokio::spawn(self.clone().run(port, over, Arc::clone(&at_once)));
        Keeper { port, at_once, is_over, task }
    }

    async fn run(self, port: u16, mut over: watch::Receiver<bool>, at_once: Arc<Notify>) {
        let mut logged = None;
        while let Some(why) = self.serve(port, &mut over).await {
            if logged.as_ref() != Some(&why) {
                tracing::warn!(why.code, why.text, "sync server of this machine ended; will start it again");
                logged = Some(why.clone());
            }
            self.0.state.send_replace(ServerState::Ended(why));
            tokio::select! {
                () = sleep(AGAIN) => {}
                () = at_once.notified() => {}
                _ = over.wait_for(|is_over| *is_over) => break,
            }
            self.0.state.send_replace(ServerState::Starting);
        }
        self.0.state.send_replace(ServerState::Off);
    }

    /// Runs the server once. Returns the reason if the server ended by itself; `None` if `over` ended the server.
    async fn serve(&self, port: u16, over: &mut watch::Receiver<bool>) -> Option<UserMessage> {
        let mut child = match self.spawn(port) {
            Ok(child) => child,
            Err(error) => return Some(not_running(&error)),
        };
        let stdin = child.stdin.take();
        tokio::select! {
            why = self.follow(&mut child) => return Some(why),
            _ = over.wait_for(|is_over| *is_over) => {}
        }
        drop(stdin);
        if timeout(ENDING, child.wait()).await.is_err() {
            let _ = child.kill().await;
        }
        None
    }

    fn spawn(&self, port: u16) -> io::Result<Child> {
        let mut command = self.command()?;
        command.args(["serve", "--until-stdin-ends", "--listen"]).arg(format!("{}:{port}", listening_address()?));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
    }

    /// Reads the output of the server until the server ends. Returns the reason for its end.
    async fn follow(&self, child: &mut Child) -> UserMessage {
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
}

/// Ends the task and its server.
async fn end(keeper: Option<Keeper>) {
    if let Some(keeper) = keeper {
        keeper.is_over.send_replace(true);
        // Ignore the error: a task that panicked has also ended.
        let _ = keeper.task.await;
    }
}

fn not_running(error: &io::Error) -> UserMessage {
    message!("own-server", why = error.to_string())
}

/// Returns the listening address: all addresses of this machine, unless [`LISTEN`] is set.
///
/// Fails with `InvalidInput` if the value is not an address, because the user may have meant to restrict access.
fn listening_address() -> io::Result<IpAddr> {
    let Some(named) = env::var_os(LISTEN) else { return Ok(IpAddr::V4(Ipv4Addr::UNSPECIFIED)) };
    let address = named.to_str().and_then(|named| named.parse().ok());
    address.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, format!("{LISTEN} is not an IP address")))
}

/// Returns the first unused port, searched upwards from `first`.
fn free_port(first: u16) -> io::Result<u16> {
    let address = listening_address()?;
    let mut last = io::ErrorKind::AddrInUse.into();
    for port in first..PORT + PORTS {
        match TcpListener::bind((address, port)) {
            Ok(_) => return Ok(port),
            Err(error) => last = error,
        }
    }
    Err(last)
}
