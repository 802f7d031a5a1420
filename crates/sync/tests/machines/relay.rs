//! Relay between machines and their server. Records all requests, and can lose replies or hold back requests.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// Relay on loopback.
pub struct Relay {
    /// Host and port.
    pub address: String,
    state: Arc<Mutex<RelayState>>,
    /// Requests that contain this text are held back. `None` if no request is held back.
    held: watch::Sender<Option<&'static str>>,
}

#[derive(Default)]
struct RelayState {
    requests: Vec<Vec<u8>>,
    /// Number of further requests that reach the server. `None` for no limit.
    answered: Option<usize>,
}

impl Relay {
    /// Starts a relay to the server at this address.
    pub async fn start(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, server) = (listener.local_addr().unwrap().to_string(), server.to_owned());
        let state = Arc::<Mutex<RelayState>>::default();
        let shared = Arc::clone(&state);
        let (hold, held) = watch::channel(None);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, server.clone(), Arc::clone(&shared), held.clone()));
            }
        });
        Self { address, state, held: hold }
    }

    /// Returns all requests so far, in the form in which the machines sent them.
    pub fn requests(&self) -> Vec<Vec<u8>> {
        lock(&self.state).requests.clone()
    }

    /// Holds back requests that contain `text`, until [`release`](Self::release) is called.
    /// [`requests`](Self::requests) also contains the held requests.
    pub fn hold_back(&self, text: &'static str) {
        self.held.send_replace(Some(text));
    }

    /// Forwards the requests that are held back, and holds back no further ones.
    pub fn release(&self) {
        self.held.send_replace(None);
    }

    /// Forwards this number of requests, and loses the reply to the last one. Later requests do not reach the server.
    pub fn interrupt_after(&self, requests: usize) {
        lock(&self.state).answered = Some(requests);
    }

    /// Ends the interruption.
    pub fn end_interruption(&self) {
        lock(&self.state).answered = None;
    }
}

fn lock(state: &Mutex<RelayState>) -> MutexGuard<'_, RelayState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forwards one request to the server. Ends the connection after the reply, so that each connection carries only one
/// request.
async fn pass(
    mut client: TcpStream,
    server: String,
    state: Arc<Mutex<RelayState>>,
    mut held: watch::Receiver<Option<&'static str>>,
) -> Option<()> {
    let request = read_request(&mut client).await?;
    let is_lost = {
        let mut state = lock(&state);
        if let Some(answered) = &mut state.answered {
            *answered = answered.checked_sub(1)?;
        }
        state.requests.push(request.clone());
        state.answered == Some(0)
    };
    let is_meant = |text: &str| request.windows(text.len()).any(|part| part == text.as_bytes());
    held.wait_for(|held| !held.is_some_and(is_meant)).await.ok()?;
    let mut upstream = TcpStream::connect(server).await.ok()?;
    let first_line = request.windows(2).position(|pair| pair == b"\r\n")? + 2;
    upstream.write_all(&[&request[..first_line], b"Connection: close\r\n", &request[first_line..]].concat()).await.ok()?;
    let mut reply = Vec::new();
    upstream.read_to_end(&mut reply).await.ok()?;
    if !is_lost {
        client.write_all(&reply).await.ok()?;
        client.shutdown().await.ok()?;
    }
    Some(())
}

/// Reads a request with a `Content-Length`.
async fn read_request(client: &mut TcpStream) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    loop {
        let head = request.windows(4).position(|end| end == b"\r\n\r\n").map(|at| at + 4);
        if let Some(head) = head {
            let text = String::from_utf8_lossy(&request[..head]).to_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            if request.len() >= head + length.unwrap_or_default() {
                return Some(request);
            }
        }
        if client.read_buf(&mut request).await.ok()? == 0 {
            return None;
        }
    }
}
