//! Relay between machines and a sync server that holds back requests until the story lets them pass.

use std::io;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// Relay on loopback. Dropping it refuses new connections.
pub struct Gate {
    /// Host and port.
    pub address: String,
    is_open: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

impl Gate {
    /// Starts a relay to the server at `target` that holds back requests whose head contains `path`.
    pub async fn start(target: &str, path: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (is_open, opened) = watch::channel(false);
        let target = target.to_owned();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, target.clone(), path, opened.clone()));
            }
        });
        Self { address, is_open, accepting }
    }

    /// Lets all requests pass.
    pub fn open(&self) {
        self.is_open.send_replace(true);
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn pass(client: TcpStream, target: String, path: &str, mut opened: watch::Receiver<bool>) -> io::Result<()> {
    let (mut from_server, mut to_server) = TcpStream::connect(target).await?.into_split();
    let (mut from_client, mut to_client) = client.into_split();
    let forward = async {
        let mut piece = vec![0; 16 << 10];
        loop {
            let count = from_client.read(&mut piece).await?;
            if count == 0 {
                return Ok(());
            }
            // The client writes the head of a request at once.
            if piece[..count].windows(path.len()).any(|part| part == path.as_bytes()) {
                let _ = opened.wait_for(|is_open| *is_open).await;
            }
            to_server.write_all(&piece[..count]).await?;
        }
    };
    tokio::select! {
        done = forward => done,
        done = tokio::io::copy(&mut from_server, &mut to_client) => done.map(drop),
    }
}
