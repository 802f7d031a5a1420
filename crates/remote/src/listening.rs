//! Starts and stops the server as the setting `browser-channel` demands. The program that runs the engine calls this
//! module.

use std::{
    future::pending,
    io,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use ashore_engine::{EngineEvent, SettingKey, SettingValue, SettingsReport};
use ashore_rpc::{CallFailure, MethodCall, PeerStream, SocketListener};
use tokio::{
    sync::watch,
    task::{JoinHandle, spawn_blocking},
    time::sleep,
};

use crate::{
    browser_channel::{self, BrowserChannel},
    clock,
    listening_state::{ListeningFile, ListeningState},
    server::access_control::AcceptedHosts,
    server::{self, LIMITS, RemoteListener, RemoteServer},
    session_file::SessionFile,
};

/// Ports of 127.0.0.1 in the order in which they are tried. The manifest of the extension lists the same ports.
const PORTS: [u16; 3] = [27_346, 27_347, 27_348];
/// Environment variable with other ports, separated by spaces. Tests that run at the same time need different ports.
#[cfg(debug_assertions)]
const PORTS_OF_TEST: &str = "ASHORE_BROWSER_PORTS";
/// Delay before another attempt if no port is free, or the state cannot be written.
const AGAIN: Duration = Duration::from_secs(30);

/// Task that listens for browsers while the setting is on.
#[derive(Debug)]
pub struct BrowserListener {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl BrowserListener {
    /// Follows the setting of `engine` until the engine closes. `data_dir` is the data folder of the engine.
    pub fn start(engine: PeerStream, data_dir: &Path) -> Self {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(follow(engine, data_dir.to_owned(), stopped));
        Self { stop, task }
    }

    /// Closes the server. Call this function before the engine closes, so that no browser asks a closed engine.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::warn!(%error, "listener for browsers failed");
        }
    }
}

async fn follow(engine: PeerStream, data_dir: PathBuf, mut stopped: watch::Receiver<bool>) {
    let mut server = None;
    let file = SessionFile::new(&data_dir);
    let following = async {
        let mut events = engine.events().await?;
        loop {
            if !is_on(&engine).await? {
                close(&mut server, &file).await;
            } else if !server.as_ref().is_some_and(Running::listens) {
                close(&mut server, &file).await;
                server = open(&data_dir).await;
            }
            let is_settled = server.as_ref().is_none_or(Running::listens);
            tokio::select! {
                is_open = wait_for_change(&mut events) => if !is_open { return Ok::<_, CallFailure>(()) },
                () = async { if is_settled { pending().await } else { sleep(AGAIN).await } } => {}
            }
        }
    };
    tokio::select! {
        ended = following => if let Err(failure) = ended {
            tracing::debug!(?failure, "engine is gone; browsers cannot connect any more");
        },
        // An error means that the listener was dropped.
        _ = stopped.wait_for(|stop| *stop) => {}
    }
    close(&mut server, &file).await;
}

async fn is_on(engine: &PeerStream) -> Result<bool, CallFailure> {
    let report: SettingsReport = engine.call(MethodCall::Settings).await?;
    let setting = report.settings.iter().find(|setting| setting.key == SettingKey::BrowserChannel);
    Ok(setting.is_some_and(|setting| setting.value == SettingValue::Flag(true)))
}

/// Waits until the settings may have changed. Returns false if the engine has closed.
async fn wait_for_change(events: &mut SocketListener) -> bool {
    loop {
        match events.next().await {
            None => return false,
            Some(EngineEvent::Settings | EngineEvent::Lagged) => return true,
            Some(_) => {}
        }
    }
}

/// A server that is open, and the file that reports it.
#[derive(Debug)]
struct Running {
    /// `None` if no port is free.
    server: Option<RemoteServer>,
    _file: ListeningFile<ListeningState>,
}

impl Running {
    fn listens(&self) -> bool {
        self.server.is_some()
    }
}

async fn close(server: &mut Option<Running>, file: &SessionFile) {
    if let Some(Running { server: Some(http), _file }) = server.take() {
        http.stop().await;
        end_code(file).await;
        tracing::info!("browsers cannot connect any more");
    }
}

/// Ends the pending code. The server calls this when it opens or closes its port. While the server does not listen,
/// another program can listen on the port and receive the code.
async fn end_code(file: &SessionFile) {
    let file = file.clone();
    let ended = spawn_blocking(move || file.change(|book| book.pairing = None)).await.map_err(io::Error::other);
    if let Err(error) = ended.flatten() {
        tracing::error!(%error, "code of a browser could not be ended");
    }
}

/// Listens, and reports the port. Returns `None` if the state cannot be reported.
async fn open(data_dir: &Path) -> Option<Running> {
    match try_open(data_dir, ports()).await {
        Ok(running) => Some(running),
        Err(error) => {
            tracing::error!(%error, "the port for browsers cannot be reported, so browsers cannot connect");
            None
        }
    }
}

async fn try_open(data_dir: &Path, ports: Vec<u16>) -> io::Result<Running> {
    let mut file = ListeningFile::lock_patiently(data_dir).await?;
    let Ok((listener, port, index)) = server::bind(&ports).await else {
        tracing::warn!(?ports, "all ports for browsers are in use; will retry");
        file.write(&ListeningState::Taken(ports))?;
        return Ok(Running { server: None, _file: file });
    };
    let sessions = SessionFile::new(data_dir);
    // The program that listened before this one may have crashed without ending its code.
    end_code(&sessions).await;
    file.write(&ListeningState::Port { port, index })?;
    let channel = |stopped| BrowserChannel {
        data_dir: data_dir.to_owned(),
        file: sessions.clone(),
        port,
        limits: LIMITS,
        now: clock::now,
        wrong_codes: Mutex::default(),
        stopped,
    };
    let (listeners, hosts) = (vec![RemoteListener::Tcp(listener)], AcceptedHosts::loopback(port));
    let server = RemoteServer::start(listeners, hosts, LIMITS, |stopped| browser_channel::routes(channel(stopped)));
    tracing::info!(port, "browsers can connect");
    Ok(Running { server: Some(server), _file: file })
}

fn ports() -> Vec<u16> {
    #[cfg(debug_assertions)]
    if let Ok(named) = std::env::var(PORTS_OF_TEST) {
        return named.split_whitespace().filter_map(|port| port.parse().ok()).collect();
    }
    PORTS.to_vec()
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;
    use crate::pairing::PendingPairing;

    #[tokio::test]
    async fn pairing_code_becomes_invalid_when_port_is_opened_or_closed() {
        let folder = tempfile::tempdir().unwrap();
        let file = SessionFile::new(folder.path());
        let make_code = || {
            let (pairing, _) = PendingPairing::new(1, 0, clock::now(), &mut StdRng::seed_from_u64(1));
            file.change(|book| book.pairing = Some(pairing)).unwrap();
        };
        make_code();
        let mut running = Some(try_open(folder.path(), vec![0]).await.unwrap());
        assert_eq!(file.read().unwrap().pairing, None);
        make_code();
        close(&mut running, &file).await;
        assert_eq!(file.read().unwrap().pairing, None);
    }
}
