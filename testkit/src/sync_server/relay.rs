//! Relay in front of a sync server: records the bytes from clients, can switch to another server, and can hold back
//! requests.
//!
//! Used by tests that must prove which bytes left a machine, or that examine a machine during a sync cycle.

use std::{
    collections::BTreeMap,
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::watch,
};

use crate::servers::listening::Listening;

/// Content type of TLS records with application data or other encrypted content (RFC 8446, section 5.1).
const APPLICATION_DATA: u8 = 23;

/// Relay in front of a sync server. Dropping it closes all its connections.
#[derive(Debug)]
pub struct ServerRelay {
    listening: Listening,
    target: Arc<Mutex<String>>,
    received: Arc<Mutex<ReceivedBytes>>,
    /// Requests are held back if their head contains this text. An empty text holds back no requests.
    held_back: watch::Sender<&'static str>,
}

/// Bytes received for the current target, by connection number.
type ReceivedBytes = BTreeMap<usize, Vec<u8>>;

impl ServerRelay {
    /// Starts a relay to the server at `target`, given as host and port.
    pub async fn start(target: &str) -> Self {
        let target = Arc::new(Mutex::new(target.to_owned()));
        let received: Arc<Mutex<ReceivedBytes>> = Arc::default();
        let (held_back, held) = watch::channel("");
        let (shared, numbers) = ((target.clone(), received.clone()), AtomicUsize::new(0));
        let serve = move |stream| {
            let number = numbers.fetch_add(1, Ordering::Relaxed);
            lock(&shared.1).insert(number, Vec::new());
            pass(stream, lock(&shared.0).clone(), (number, shared.1.clone()), held.clone())
        };
        let listening = Listening::start(serve).await;
        Self { listening, target, received, held_back }
    }

    /// Returns the host and port of the relay.
    pub fn address(&self) -> String {
        self.listening.address().to_string()
    }

    /// Directs new connections to another server, and discards the record of received bytes.
    pub fn point_at(&self, target: &str) {
        target.clone_into(&mut lock(&self.target));
        lock(&self.received).clear();
    }

    /// Delays each request without TLS whose head contains `text`. The request is passed on after
    /// [`release`](Self::release).
    pub fn hold_back(&self, text: &'static str) {
        self.held_back.send_replace(text);
    }

    /// Lets all requests pass, including those that were held back.
    pub fn release(&self) {
        self.held_back.send_replace("");
    }

    /// Returns the number of encrypted bytes that the client of each TLS connection sent.
    pub fn encrypted_bytes(&self) -> Vec<usize> {
        lock(&self.received).values().map(|bytes| encrypted_bytes(bytes)).collect()
    }
}

/// Locks the mutex. Poisoning is ignored: only the test that panicked fails, and the other tests continue.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn pass(
    client: TcpStream,
    target: String,
    (number, received): (usize, Arc<Mutex<ReceivedBytes>>),
    mut held_back: watch::Receiver<&'static str>,
) -> io::Result<()> {
    let (mut from_server, mut to_server) = TcpStream::connect(target).await?.into_split();
    let (mut from_client, mut to_client) = client.into_split();
    let forward = async {
        let mut piece = vec![0; 16 << 10];
        loop {
            let count = from_client.read(&mut piece).await?;
            if count == 0 {
                return to_server.shutdown().await;
            }
            // A connection to an earlier target has no entry, and its bytes are not recorded.
            if let Some(bytes) = lock(&received).get_mut(&number) {
                bytes.extend_from_slice(&piece[..count]);
            }
            // The client writes the whole head of a request at once, so this piece of data contains the head. The wait
            // fails only if the relay ends.
            let _ = held_back.wait_for(|text| !contains(&piece[..count], text)).await;
            to_server.write_all(&piece[..count]).await?;
        }
    };
    let back = async {
        tokio::io::copy(&mut from_server, &mut to_client).await?;
        to_client.shutdown().await
    };
    tokio::try_join!(forward, back)?;
    Ok(())
}

/// Returns whether these bytes contain `text`; false for an empty text.
fn contains(bytes: &[u8], text: &str) -> bool {
    !text.is_empty() && bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

/// Returns the number of bytes in encrypted TLS records.
fn encrypted_bytes(mut records: &[u8]) -> usize {
    let mut count = 0;
    while let [kind, _, _, high, low, rest @ ..] = records {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
        if *kind == APPLICATION_DATA {
            count += length;
        }
        records = &rest[length..];
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relay_counts_only_bytes_of_encrypted_records() {
        let hello = [22, 3, 1, 0, 2, 9, 9];
        let encrypted = [23, 3, 3, 0, 3, 1, 2, 3];
        assert_eq!(encrypted_bytes(&[&hello[..], &encrypted, &hello, &encrypted].concat()), 6);
        assert_eq!(encrypted_bytes(&encrypted[..6]), 1, "the rest is still on its way");
        assert_eq!(encrypted_bytes(&[]), 0);
    }
}
