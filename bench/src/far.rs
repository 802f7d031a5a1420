//! Simulates a distant server with a process that forwards to the origin.
//!
//! The process delays every byte by half a round trip in each direction, and limits the total rate of all connections.

use std::{
    net::{Ipv4Addr, SocketAddr},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context, Result};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::{Instant, sleep_until},
};

/// Delay of a byte in each direction.
pub const DELAY: Duration = Duration::from_millis(25);
/// Bytes per second in each direction.
pub const RATE: u64 = 100 << 20;
/// Maximum bytes in flight per connection. Large enough for the full rate, but within the limits of a kernel.
const WINDOW: u32 = 8 << 20;
const PIECE: usize = 64 << 10;
/// Timer resolution. A piece that is due within this time is sent immediately.
const GRAIN: Duration = Duration::from_millis(2);

/// Forwarding process; ends when dropped.
#[derive(Debug)]
pub struct DelayedLink {
    process: Child,
    /// Port on loopback.
    pub port: u16,
}

impl DelayedLink {
    /// Starts a process that forwards to `port` on loopback.
    pub fn start(port: u16) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["forward", &port.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut said = String::new();
        let stdout = process.stdout.take().context("the forwarding process has no output")?;
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut said)?;
        Ok(Self { process, port: said.trim().parse().context("the forwarding process did not start")? })
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for DelayedLink {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Entry point of the process: prints its port, then forwards to `port` until killed.
#[expect(clippy::print_stdout, reason = "the parent process reads the port from the output")]
pub fn forward(port: u16) -> Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        println!("{}", listener.local_addr()?.port());
        let (up, down) = (Arc::new(Link::default()), Arc::new(Link::default()));
        loop {
            let (near, _) = listener.accept().await?;
            let far = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
            near.set_nodelay(true)?;
            far.set_nodelay(true)?;
            let (near_in, near_out) = near.into_split();
            let (far_in, far_out) = far.into_split();
            tokio::spawn(carry(near_in, far_out, up.clone()));
            tokio::spawn(carry(far_in, near_out, down.clone()));
        }
    })
}

/// One direction of the link, shared by all connections.
#[derive(Debug, Default)]
struct Link {
    /// End of the period for which the link is reserved; None before the first transfer.
    free: Mutex<Option<Instant>>,
}

impl Link {
    /// Reserves the link for `bytes`. Returns the time at which the last of these bytes is sent.
    fn take(&self, bytes: usize) -> Instant {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = free.map_or_else(Instant::now, |free| free.max(Instant::now()));
        let left = begin + Duration::from_secs_f64(bytes as f64 / RATE as f64);
        *free = Some(left);
        left
    }
}

async fn carry(mut from: impl AsyncRead + Unpin, to: impl AsyncWrite + Unpin + Send + 'static, link: Arc<Link>) {
    let window = Arc::new(Semaphore::new(WINDOW as usize));
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(deliver(receiver, to));
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        let Ok(length @ 1..) = from.read_buf(&mut piece).await else { return };
        let left = link.take(length);
        if left > Instant::now() + GRAIN {
            sleep_until(left).await;
        }
        let length = u32::try_from(length).unwrap_or(WINDOW);
        let Ok(permit) = window.clone().acquire_many_owned(length).await else { return };
        if sender.send((left + DELAY, piece, permit)).is_err() {
            return;
        }
    }
}

async fn deliver(mut pieces: mpsc::UnboundedReceiver<(Instant, Vec<u8>, OwnedSemaphorePermit)>, mut to: impl AsyncWrite + Unpin) {
    while let Some((due, piece, _permit)) = pieces.recv().await {
        sleep_until(due).await;
        if to.write_all(&piece).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}
