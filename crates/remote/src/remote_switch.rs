//! Opens and closes the server for other devices while its program runs. The desktop program calls this module.
//!
//! - While the switch is off, nothing listens.
//! - Only the program that runs the engine listens.
//! - The port stays the same, because devices remember the address of the page.
//! - If the server cannot be opened, it is opened again after a delay.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_engine::UserMessage;
use ashore_messages::message;
use ashore_rpc::{OwnProcess, PeerStream};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{Mutex, watch},
    task::JoinHandle,
    time::{sleep, timeout},
};
use ts_rs::TS;

use crate::{
    devices::{self, SignedInDevice},
    remote_access::{ListenAddress, RemoteAccess, RemoteOptions, RemoteStartFault},
};

/// Number of ports to try, beginning with the port of the listening address.
const PORTS: u16 = 20;
/// Delay before another attempt to open the server.
const AGAIN: Duration = Duration::from_secs(10);
/// Maximum time for the server to open.
const READY: Duration = Duration::from_secs(10);

/// Position of a switch, which the caller stores permanently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SwitchPosition {
    /// Whether the server runs whenever its program runs.
    pub is_on: bool,
    /// Port of the server; `None` before its first start.
    pub port: Option<u16>,
}

/// State of the server for other devices, as the window shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct RemoteReport {
    /// Whether the server runs whenever the desktop program runs.
    pub is_on: bool,
    /// Address of the page for other devices; null if no program serves the page.
    pub url: Option<String>,
    /// Whether only this machine can reach the address.
    pub is_local: bool,
    /// Reason why the server does not run although it is on.
    pub fault: Option<UserMessage>,
    /// Devices and programs that are signed in, the oldest first.
    pub devices: Vec<SignedInDevice>,
    /// Number of seconds for which the latest link can still be used; null if there is no such link.
    #[ts(type = "number | null")]
    pub link_seconds: Option<u64>,
}

/// Handle on the switch. Cheap to clone; all clones refer to the same switch.
#[derive(Clone, Debug)]
pub struct RemoteSwitch(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    data_dir: PathBuf,
    listen: SocketAddr,
    wanted: watch::Sender<RequestedPosition>,
    state: watch::Sender<SwitchState>,
    /// Lock that serializes changes of the switch.
    turning: Mutex<()>,
}

/// Position that the user wants. Each change has a higher number than the change before.
#[derive(Clone, Copy, Debug)]
struct RequestedPosition {
    position: SwitchPosition,
    number: u64,
}

/// State of the server after the change with this number.
#[derive(Clone, Debug, Default)]
struct SwitchState {
    number: u64,
    server: ServerState,
}

#[derive(Clone, Debug, Default)]
enum ServerState {
    #[default]
    Closed,
    Open,
    Failed(UserMessage),
}

/// Task that opens and closes the server while one engine connection is open.
#[derive(Debug)]
pub struct SwitchedServer {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl RemoteSwitch {
    /// Returns the switch for `data_dir`, in the stored `position`. Does not open the server: see [`RemoteSwitch::start`].
    ///
    /// When the server opens for the first time, it tries `listen` and then the following ports until one is free. Later,
    /// it listens on the same port again.
    pub fn new(data_dir: &Path, listen: SocketAddr, position: SwitchPosition) -> Self {
        let inner = Inner {
            data_dir: data_dir.to_owned(),
            listen,
            wanted: watch::Sender::new(RequestedPosition { position, number: 0 }),
            state: watch::Sender::default(),
            turning: Mutex::default(),
        };
        Self(Arc::new(inner))
    }

    /// Opens the server for the engine of `connection` whenever the switch is on.
    pub fn start(&self, connection: &PeerStream) -> SwitchedServer {
        let own = match connection {
            PeerStream::Own(own) => Some(own.clone()),
            PeerStream::Remote(_) => None,
        };
        let (stop, stopped) = watch::channel(false);
        SwitchedServer { stop, task: tokio::spawn(self.clone().follow(own, stopped)) }
    }

    /// Turns the switch on, and returns its position after the server has opened.
    ///
    /// Fails with `remote-switch` if the server cannot be opened or the engine runs in another program. Fails with
    /// `remote-token` if other users can read the token. The switch is then off, unless it was already on.
    pub async fn turn_on(&self) -> Result<SwitchPosition, UserMessage> {
        let _turning = self.0.turning.lock().await;
        let was_on = self.position().is_on;
        let opened = self.change(true).await;
        if opened.is_err() && !was_on {
            self.want(false);
        }
        opened.map(|()| self.position())
    }

    /// Turns the switch off, and returns its position after the server has closed.
    pub async fn turn_off(&self) -> SwitchPosition {
        let _turning = self.0.turning.lock().await;
        if let Err(why) = self.change(false).await {
            tracing::warn!(why.text, "server for other devices did not close in time");
        }
        self.position()
    }

    /// Returns the position that the user wants.
    pub fn position(&self) -> SwitchPosition {
        self.0.wanted.borrow().position
    }

    /// Returns the state of the server, and the devices that are signed in. Blocks for a moment.
    ///
    /// Fails if the list of devices cannot be read.
    pub fn report(&self) -> Result<RemoteReport, UserMessage> {
        let is_on = self.position().is_on;
        let fault = match &self.0.state.borrow().server {
            ServerState::Failed(why) if is_on => Some(why.clone()),
            ServerState::Failed(_) | ServerState::Closed | ServerState::Open => None,
        };
        let address = devices::page_address(&self.0.data_dir);
        Ok(RemoteReport {
            is_on,
            is_local: address.as_ref().is_some_and(|(_, is_local)| *is_local),
            url: address.map(|(url, _)| url),
            fault,
            devices: devices::signed_in_devices(&self.0.data_dir)?,
            link_seconds: devices::link_seconds(&self.0.data_dir)?,
        })
    }

    fn want(&self, is_on: bool) -> u64 {
        let mut number = 0;
        self.0.wanted.send_modify(|wanted| {
            wanted.position.is_on = is_on;
            wanted.number += 1;
            number = wanted.number;
        });
        number
    }

    /// Changes the position, and waits until the server follows.
    async fn change(&self, is_on: bool) -> Result<(), UserMessage> {
        let number = self.want(is_on);
        let mut state = self.0.state.subscribe();
        let is_done = |state: &SwitchState| {
            let is_closed = !is_on && !matches!(state.server, ServerState::Open);
            state.number >= number || is_closed
        };
        match timeout(READY, state.wait_for(is_done)).await.map(|state| state.map(|state| state.server.clone())) {
            Ok(Ok(ServerState::Failed(why))) if is_on => Err(why),
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(message!("remote-switch.slow")),
        }
    }

    async fn follow(self, own: Option<OwnProcess>, mut stopped: watch::Receiver<bool>) {
        let mut changes = self.0.wanted.subscribe();
        let mut server = None;
        loop {
            let RequestedPosition { position, number } = *changes.borrow_and_update();
            let state = match &own {
                Some(own) => self.adjust(own, position, &mut server).await,
                None if position.is_on => ServerState::Failed(message!("remote-switch.elsewhere")),
                None => ServerState::Closed,
            };
            let must_retry = own.is_some() && matches!(state, ServerState::Failed(_));
            self.0.state.send_replace(SwitchState { number, server: state });
            tokio::select! {
                // The sender is never dropped, because this task holds the switch.
                _ = changes.changed() => {}
                // An error means that the handle of this task was dropped.
                _ = stopped.wait_for(|stop| *stop) => break,
                () = sleep(AGAIN), if must_retry => {}
            }
        }
        close(&mut server).await;
        self.0.state.send_modify(|state| state.server = ServerState::Closed);
    }

    /// Opens or closes the server according to `position`, and returns its state.
    async fn adjust(&self, own: &OwnProcess, position: SwitchPosition, server: &mut Option<RemoteAccess>) -> ServerState {
        if !position.is_on {
            close(server).await;
            return ServerState::Closed;
        }
        if server.is_none() {
            match self.open(own, position.port).await {
                Ok(opened) => *server = Some(opened),
                Err(why) => {
                    tracing::warn!(why.code, why.text, "other devices cannot connect; will retry");
                    return ServerState::Failed(why);
                }
            }
        }
        ServerState::Open
    }

    /// Opens the server on `port`. If `port` is `None`, tries the ports from that of `listen` on until one is free.
    async fn open(&self, own: &OwnProcess, port: Option<u16>) -> Result<RemoteAccess, UserMessage> {
        let listen = self.0.listen;
        let address = free_address(listen, port).map_err(|error| {
            let port = port.unwrap_or(listen.port()).to_string();
            message!("remote-switch", port = port, why = &error)
        })?;
        let options = RemoteOptions { listen: vec![ListenAddress::Tcp(address)], ..RemoteOptions::default() };
        let started = RemoteAccess::start(own, &self.0.data_dir, options, Vec::new()).await;
        let access = started.map_err(|fault| match fault {
            RemoteStartFault::Listen(why) | RemoteStartFault::Refused(why) => why,
        })?;
        // The port is no change by the user, so do not notify `follow`.
        self.0.wanted.send_if_modified(|wanted| {
            wanted.position.port = Some(address.port());
            false
        });
        Ok(access)
    }
}

impl SwitchedServer {
    /// Closes the server. Call this function before the engine closes.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::warn!(%error, "server for other devices failed");
        }
    }
}

async fn close(server: &mut Option<RemoteAccess>) {
    if let Some(access) = server.take() {
        access.stop().await;
        tracing::info!("other devices cannot connect any more");
    }
}

/// Returns a free address. Without `port`, tries the port of `first` and the ports after it.
fn free_address(first: SocketAddr, port: Option<u16>) -> io::Result<SocketAddr> {
    let ports = match port {
        Some(port) => port..port.saturating_add(1),
        None => first.port()..first.port().saturating_add(PORTS),
    };
    let mut last = io::ErrorKind::AddrInUse.into();
    for port in ports {
        match TcpListener::bind((first.ip(), port)).and_then(|listener| listener.local_addr()) {
            Ok(address) => return Ok(address),
            Err(error) => last = error,
        }
    }
    Err(last)
}
