//! Detects where each HTTP/1 response on a connection begins and ends.
//!
//! - `direct` puts this stream between the socket and hyper, for requests without a body. hyper sends these requests
//!   one at a time.
//! - Heads reach the parser in a valid form (`head`). Bodies pass unchanged, directly into the parser's memory.
//! - Bytes after the end of a body are surplus. They are dropped and recorded, and the connection is not reused.
//! - `FramingNotes` contains the notes about a response. hyper-util returns them with the response and with an error.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::{Buf, BytesMut};
use hyper_util::client::legacy::connect::{Connected, Connection};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep},
};

use crate::http::http1::{
    fields::MessageFraming,
    head::{self, HeadRead},
};

/// Maximum number of bytes per read, until the head is complete.
const PIECE: usize = 8 << 10;
/// Maximum pause of a body after it has reached one of several stated lengths.
///
/// After a longer pause, the body counts as complete.
const PATIENCE: Duration = Duration::from_secs(1);

/// Notes about the responses on one connection. Requests and responses are numbered from 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct FramingNotes(Arc<Numbers>);

#[derive(Debug, Default)]
struct Numbers {
    requests: AtomicU64,
    surplus: AtomicU64,
    doubtful: AtomicU64,
    refused: AtomicU64,
}

impl FramingNotes {
    /// Returns the number of requests sent over the connection.
    pub fn requests(&self) -> u64 {
        self.0.requests.load(Ordering::Acquire)
    }

    /// Returns whether bytes arrived after the body of response number `answer`.
    pub fn has_surplus(&self, answer: u64) -> bool {
        self.0.surplus.load(Ordering::Acquire) == answer
    }

    /// Returns whether the head of response number `answer` leaves doubt about where its body ends.
    pub fn is_doubtful(&self, answer: u64) -> bool {
        self.0.doubtful.load(Ordering::Acquire) == answer
    }

    /// Returns whether response number `answer` had no readable head.
    pub fn is_refused(&self, answer: u64) -> bool {
        self.0.refused.load(Ordering::Acquire) == answer
    }
}

/// Connection that watches the HTTP/1 responses from `stream`.
#[derive(Debug)]
pub(in crate::http) struct FramedBody<S> {
    stream: S,
    state: State,
    /// Bytes that hyper receives next.
    ready: BytesMut,
    notes: FramingNotes,
    is_head: bool,
}

#[derive(Debug)]
enum State {
    /// No bytes are expected before the next request.
    Idle,
    /// A head is expected. Contains the bytes received so far.
    Head(BytesMut),
    /// A body is being read. Contains the number of bytes left.
    Body(u64),
    /// A body with several stated lengths is being read. `came` is the number of received bytes.
    Lengths { lengths: Vec<u64>, came: u64, wait: Option<Pin<Box<Sleep>>> },
    /// The end of the response is unknown. All bytes are passed on.
    Open,
    /// The connection has ended.
    Over,
}

impl<S> FramedBody<S> {
    pub fn new(stream: S) -> Self {
        Self { stream, state: State::Idle, ready: BytesMut::new(), notes: FramingNotes::default(), is_head: false }
    }

    fn answer(&self) -> u64 {
        self.notes.requests()
    }

    fn has_surplus(&mut self) {
        self.notes.0.surplus.store(self.answer(), Ordering::Release);
        self.state = State::Over;
    }

    /// Parses the head if `came` contains all of it, and changes to the state for its body.
    fn read_head(&mut self, mut came: BytesMut) {
        match head::read(&came, self.is_head) {
            HeadRead::Partial => self.state = State::Head(came),
            HeadRead::Refused => {
                self.notes.0.refused.store(self.answer(), Ordering::Release);
                (self.ready, self.state) = (came, State::Open);
            }
            HeadRead::Whole(head) => {
                if head.is_doubtful {
                    self.notes.0.doubtful.store(self.answer(), Ordering::Release);
                }
                came.advance(head.consumed);
                self.ready.extend_from_slice(&head.bytes);
                match head.framing {
                    MessageFraming::Another if came.is_empty() => self.state = State::Head(came),
                    MessageFraming::Another => self.read_head(came),
                    MessageFraming::Empty => self.begin_body(0, came),
                    MessageFraming::Length(length) => self.begin_body(length, came),
                    MessageFraming::Lengths(lengths) => {
                        let last = lengths.last().copied().unwrap_or_default();
                        came.truncate(usize::try_from(last).unwrap_or(usize::MAX));
                        self.state = State::Lengths { lengths, came: came.len() as u64, wait: None };
                        self.ready.extend_from_slice(&came);
                    }
                    MessageFraming::Open => {
                        self.state = State::Open;
                        self.ready.extend_from_slice(&came);
                    }
                }
            }
        }
    }

    fn begin_body(&mut self, length: u64, came: BytesMut) {
        let count = usize::try_from(length).unwrap_or(usize::MAX).min(came.len());
        self.ready.extend_from_slice(&came[..count]);
        let left = length - count as u64;
        self.state = if left == 0 { State::Idle } else { State::Body(left) };
        if came.len() > count {
            self.has_surplus();
        }
    }
}

impl<S: AsyncRead + Unpin> FramedBody<S> {
    /// Checks whether bytes arrived after the end of a body.
    fn look_behind(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut byte = [0];
        let mut one = ReadBuf::new(&mut byte);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut one))?;
        match one.filled().is_empty() {
            true => self.state = State::Over,
            false => self.has_surplus(),
        }
        Poll::Ready(Ok(()))
    }

    fn poll_body(&mut self, context: &mut Context<'_>, into: &mut ReadBuf<'_>, left: u64) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        let count = (into.filled().len() - before) as u64;
        if count < left {
            self.state = State::Body(left - count);
            return Poll::Ready(Ok(()));
        }
        into.set_filled(before + usize::try_from(left).unwrap_or_default());
        self.state = State::Idle;
        if count > left {
            self.has_surplus();
        } else {
            // Record surplus before hyper learns that the body is complete. Ignore errors, which concern only the next
            // request.
            let _ = self.look_behind(context);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_lengths(&mut self, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let State::Lengths { lengths, came, wait } = &mut self.state else { return Poll::Ready(Ok(())) };
        let may_end = lengths.contains(came);
        if lengths.last().is_none_or(|last| *came >= *last) {
            self.state = State::Over;
            return Poll::Ready(Ok(()));
        }
        let before = into.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, into)? {
            Poll::Ready(()) => {
                let count = (into.filled().len() - before) as u64;
                if count == 0 {
                    self.state = State::Over;
                    let cut = || io::Error::new(io::ErrorKind::UnexpectedEof, "the body ended at none of its stated lengths");
                    return Poll::Ready(if may_end { Ok(()) } else { Err(cut()) });
                }
                let most = lengths.last().map_or(0, |last| last - *came).min(count);
                into.set_filled(before + usize::try_from(most).unwrap_or_default());
                *came += most;
                *wait = None;
                if most < count {
                    self.has_surplus();
                }
                Poll::Ready(Ok(()))
            }
            Poll::Pending if may_end => {
                let wait = wait.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + PATIENCE)));
                ready!(wait.as_mut().poll(context));
                self.state = State::Over;
                Poll::Ready(Ok(()))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for FramedBody<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            if !this.ready.is_empty() {
                let count = this.ready.len().min(into.remaining());
                into.put_slice(&this.ready.split_to(count));
                return Poll::Ready(Ok(()));
            }
            match &mut this.state {
                State::Over => return Poll::Ready(Ok(())),
                State::Open => return Pin::new(&mut this.stream).poll_read(context, into),
                State::Body(left) => {
                    let left = *left;
                    return this.poll_body(context, into, left);
                }
                State::Lengths { .. } => return this.poll_lengths(context, into),
                State::Idle => ready!(this.look_behind(context))?,
                State::Head(came) => {
                    let begun = came.len();
                    came.resize(begun + PIECE, 0);
                    let mut piece = ReadBuf::new(&mut came[begun..]);
                    let polled = Pin::new(&mut this.stream).poll_read(context, &mut piece);
                    let count = piece.filled().len();
                    came.truncate(begun + count);
                    ready!(polled)?;
                    let came = std::mem::take(came);
                    if count > 0 {
                        this.read_head(came);
                        if matches!(this.state, State::Idle) {
                            // Even an empty body may be followed by surplus, so check for it.
                            let _ = this.look_behind(context);
                        }
                        continue;
                    }
                    // The connection closed before or within a head. hyper distinguishes these cases.
                    (this.ready, this.state) = (came, State::Over);
                }
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for FramedBody<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let count = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        if matches!(self.state, State::Idle | State::Open) {
            self.is_head = bytes.starts_with(b"HEAD ");
            self.state = State::Head(BytesMut::new());
            self.notes.0.requests.fetch_add(1, Ordering::AcqRel);
        }
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: Connection> Connection for FramedBody<S> {
    fn connected(&self) -> Connected {
        self.stream.connected().extra(self.notes.clone())
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};

    use super::*;

    /// Returns a connection on which a request was sent, and the server's end of the connection.
    async fn asked(request: &[u8]) -> (FramedBody<DuplexStream>, DuplexStream) {
        let (near, far) = tokio::io::duplex(1 << 16);
        let mut framed = FramedBody::new(near);
        framed.write_all(request).await.unwrap();
        (framed, far)
    }

    /// Returns the response bytes that hyper receives, and whether surplus was recorded.
    ///
    /// The server sends `answer` in pieces of `size` bytes.
    async fn passed(answer: &[u8], size: usize) -> (Vec<u8>, bool) {
        let (mut framed, mut far) = asked(b"GET / HTTP/1.1\r\n\r\n").await;
        let answer = answer.to_vec();
        let sending = tokio::spawn(async move {
            for piece in answer.chunks(size) {
                far.write_all(piece).await.unwrap();
                tokio::task::yield_now().await;
            }
        });
        let mut got = Vec::new();
        framed.read_to_end(&mut got).await.unwrap();
        sending.await.unwrap();
        (got, framed.notes.has_surplus(1))
    }

    #[tokio::test]
    async fn bytes_after_stated_content_length_are_recorded_as_surplus() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
        for size in [1, 7, 1000] {
            for (behind, is_surplus) in [("", false), ("!", true), ("HTTP/1.1 200 OK\r\n\r\n", true)] {
                let (got, surplus) = passed(format!("{head}hello{behind}").as_bytes(), size).await;
                assert_eq!((String::from_utf8(got).unwrap(), surplus), (format!("{head}hello"), is_surplus), "{size} {behind:?}");
            }
        }
    }

    #[tokio::test]
    async fn body_without_stated_end_is_forwarded_until_connection_closes() {
        for head in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"] {
            let (got, surplus) = passed(format!("{head}2\r\nab\r\n0\r\n\r\n").as_bytes(), 3).await;
            assert_eq!(String::from_utf8(got).unwrap(), format!("{head}2\r\nab\r\n0\r\n\r\n"));
            assert!(!surplus);
        }
    }

    #[tokio::test]
    async fn each_response_head_on_reused_connection_is_parsed_separately() {
        let (mut framed, mut far) = asked(b"GET /a HTTP/1.1\r\n\r\n").await;
        let mut got = vec![0; 4096];
        for (request, answer, passed) in [
            (&b""[..], &b"HTTP/1.1 200 OK\nContent-Length: 1\n\na"[..], &b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"[..]),
            (
                b"HEAD /b HTTP/1.1\r\n\r\n",
                b"HTTP/1.1 200 OK\nContent-Length: 9\n\n",
                b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
            ),
            (
                b"GET /c HTTP/1.1\r\n\r\n",
                b"HTTP/1.1 103 A\n\nHTTP/1.1 204 B\n\n",
                b"HTTP/1.1 103 A\r\n\r\nHTTP/1.1 204 B\r\n\r\n",
            ),
        ] {
            framed.write_all(request).await.unwrap();
            far.write_all(answer).await.unwrap();
            let mut count = 0;
            while count < passed.len() {
                count += framed.read(&mut got[count..]).await.unwrap();
            }
            assert_eq!(got[..count].to_vec(), passed);
        }
        assert_eq!(framed.notes.requests(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn body_with_contradictory_lengths_may_end_at_each_length() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\n";
        for (body, kept) in [("abcde", "abcde"), ("abc", "abc"), ("abcdef", "abcde")] {
            let (got, _) = passed(format!("{head}{body}").as_bytes(), 2).await;
            assert!(got.ends_with(format!("close\r\n\r\n{kept}").as_bytes()), "{}", String::from_utf8_lossy(&got));
        }
        let (mut framed, mut far) = asked(b"GET / HTTP/1.1\r\n\r\n").await;
        far.write_all(format!("{head}abc").as_bytes()).await.unwrap();
        let mut got = Vec::new();
        framed.read_to_end(&mut got).await.unwrap();
        assert!(got.ends_with(b"\r\n\r\nabc") && framed.notes.is_doubtful(1), "the server keeps the connection open");
        let (mut framed, mut far) = asked(b"GET / HTTP/1.1\r\n\r\n").await;
        far.write_all(format!("{head}ab").as_bytes()).await.unwrap();
        drop(far);
        assert_eq!(framed.read_to_end(&mut Vec::new()).await.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[tokio::test]
    async fn response_with_unreadable_head_is_forwarded_unchanged_and_noted() {
        let (mut framed, mut far) = asked(b"GET / HTTP/1.1\r\n\r\n").await;
        far.write_all(b"220 mail.test ESMTP\r\n").await.unwrap();
        drop(far);
        let mut got = Vec::new();
        framed.read_to_end(&mut got).await.unwrap();
        assert_eq!((got.as_slice(), framed.notes.is_refused(1)), (&b"220 mail.test ESMTP\r\n"[..], true));
    }
}
