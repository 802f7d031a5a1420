//! Delays closing a connection after a refusal, so that the client receives the response.
//!
//! The delay applies to requests that were refused before their body was read.
//!
//! If a socket is closed with unread bytes, the system resets the connection, and the client may lose the response. The
//! server therefore closes only its sending side at first, and discards further bytes.
//!
//! - Amount and time are limited: the connection of a client that never ends its request is reset.
//! - A connection without such a refusal is closed immediately.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

/// Maximum number of discarded bytes: several times the largest request.
const MOST: usize = 16 << 20;

/// Time limit for discarding.
const PATIENCE: Duration = Duration::from_secs(5);

/// Stream that discards the rest of a refused request during its shutdown.
#[derive(Debug)]
pub(super) struct LingeringClose<S> {
    stream: S,
    is_refused: Arc<AtomicBool>,
    left: usize,
    /// Deadline for discarding; `None` while the sending side is open.
    until: Option<Pin<Box<Sleep>>>,
}

impl<S> LingeringClose<S> {
    /// Wraps `stream`.
    ///
    /// `is_refused` is set if the last request was refused before its body was read.
    pub(super) fn new(stream: S, is_refused: Arc<AtomicBool>) -> Self {
        Self { stream, is_refused, left: MOST, until: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LingeringClose<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for LingeringClose<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let own = &mut *self;
        if own.until.is_none() {
            ready!(Pin::new(&mut own.stream).poll_shutdown(context))?;
            if !own.is_refused.load(Ordering::Relaxed) {
                return Poll::Ready(Ok(()));
            }
        }
        let until = own.until.get_or_insert_with(|| Box::pin(tokio::time::sleep(PATIENCE)));
        let mut bytes = [0; 8192];
        while until.as_mut().poll(context).is_pending() && own.left > 0 {
            let mut buffer = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut own.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => own.left = own.left.saturating_sub(buffer.filled().len()),
                // The client has ended its request or has disconnected.
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
