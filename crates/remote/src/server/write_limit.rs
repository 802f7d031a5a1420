//! Ends a connection whose peer stops reading. Called by `server` for every connection.
//!
//! Without this limit, a peer that reads nothing would count as a connection for ever. The limit applies to the time
//! without progress, so that a slow peer can still receive a large file.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// Connection whose writes fail after a time without progress.
#[derive(Debug)]
pub(crate) struct WriteLimited<S> {
    stream: S,
    /// Maximum time without progress.
    longest: Duration,
    /// Fires when the current write has made no progress for `longest`.
    deadline: Pin<Box<Sleep>>,
    /// Whether the current write waits for the peer to read.
    is_waiting: bool,
}

impl<S> WriteLimited<S> {
    /// Returns `stream` with a limit. A write fails with `TimedOut` if it makes no progress for `longest`.
    pub(crate) fn new(stream: S, longest: Duration) -> Self {
        Self { stream, longest, deadline: Box::pin(sleep(longest)), is_waiting: false }
    }

    /// Returns the result of a write, or `TimedOut` if the write has made no progress for `longest`.
    fn limited<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.is_waiting = false;
            return result;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.deadline.as_mut().reset(Instant::now() + self.longest);
        }
        ready!(self.deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteLimited<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteLimited<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limited(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        self.limited(context, result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_shutdown(context);
        self.limited(context, result)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _, duplex},
        time::{advance, pause},
    };

    use super::*;

    const LONGEST: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn write_to_peer_that_reads_nothing_fails_after_limit() {
        pause();
        let (own, _peer) = duplex(4);
        let mut limited = WriteLimited::new(own, LONGEST);
        let begun = Instant::now();
        let failed = limited.write_all(b"more than the buffer holds").await.unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), LONGEST.as_secs());
    }

    #[tokio::test]
    async fn write_to_slow_peer_succeeds_after_more_than_limit() {
        pause();
        let (own, mut peer) = duplex(1);
        let mut limited = WriteLimited::new(own, LONGEST);
        let writing = limited.write_all(b"slow");
        let reading = async {
            let mut bytes = [0; 4];
            for byte in &mut bytes {
                advance(LONGEST - Duration::from_secs(1)).await;
                *byte = peer.read_u8().await.unwrap();
            }
            bytes
        };
        let (written, read) = tokio::join!(writing, reading);
        assert_eq!((written.is_ok(), &read), (true, b"slow"));
    }

    #[tokio::test]
    async fn idle_time_between_writes_does_not_count() {
        pause();
        let (own, mut peer) = duplex(8);
        let mut limited = WriteLimited::new(own, LONGEST);
        limited.write_all(b"a").await.unwrap();
        advance(LONGEST * 10).await;
        limited.write_all(b"b").await.unwrap();
        assert_eq!((peer.read_u8().await.unwrap(), peer.read_u8().await.unwrap()), (b'a', b'b'));
    }
}
