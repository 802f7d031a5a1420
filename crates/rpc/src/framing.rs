//! One message a line, and no line longer than agreed: the framing of both ends. Never looks into a line.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// A line this long or shorter keeps its buffer for the next one.
const KEPT: usize = 1024 * 1024;

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FramedLine {
    /// A line, without its end.
    Whole,
    /// A line that is longer than the cap. What follows on this stream cannot be told apart from it.
    TooLong,
    /// The other side has closed; a line without an end is no line.
    End,
}

/// Lines out of a stream. Memory grows with what arrives, up to the cap.
#[derive(Debug)]
pub(crate) struct LineFramer<R> {
    reader: R,
    cap: usize,
    buffer: Vec<u8>,
    done: bool,
}

impl<R: AsyncBufRead + Unpin> LineFramer<R> {
    pub(crate) fn new(reader: R, cap: usize) -> Self {
        Self { reader, cap, buffer: Vec::new(), done: false }
    }

    /// Goes on to the next line. May be given up and called again: half a line that has arrived is kept.
    pub(crate) async fn next(&mut self) -> io::Result<FramedLine> {
        if self.done {
            self.buffer.clear();
            self.buffer.shrink_to(KEPT);
            self.done = false;
        }
        let left = (self.cap + 1).saturating_sub(self.buffer.len());
        (&mut self.reader).take(left as u64).read_until(b'\n', &mut self.buffer).await?;
        self.done = true;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
            Ok(FramedLine::Whole)
        } else if self.buffer.len() > self.cap {
            Ok(FramedLine::TooLong)
        } else {
            Ok(FramedLine::End)
        }
    }

    /// The line that [`Lines::next`] came to.
    pub(crate) fn text(&self) -> &[u8] {
        &self.buffer
    }

    /// Gives the memory of a long line back before the next one comes.
    pub(crate) fn forget(&mut self) {
        if self.done {
            self.buffer.clear();
            self.buffer.shrink_to(KEPT);
        }
    }

    pub(crate) fn writer(&mut self) -> &mut R {
        &mut self.reader
    }
}

/// Writes one line with its end.
pub(crate) async fn write(writer: &mut (impl AsyncWrite + Unpin), line: &[u8]) -> io::Result<()> {
    writer.write_all(line).await?;
    writer.write_all(b"\n").await?;
    writer.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(text: &[u8], cap: usize) -> Vec<(FramedLine, Vec<u8>)> {
        let mut lines = LineFramer::new(text, cap);
        let mut found = Vec::new();
        loop {
            let line = lines.next().await.unwrap();
            let last = line != FramedLine::Whole;
            found.push((line, lines.text().to_vec()));
            if last {
                return found;
            }
        }
    }

    #[tokio::test]
    async fn lines_come_one_by_one() {
        let found = lines(b"one\n\ntwo\n", 100).await;
        let texts: Vec<_> = found.iter().map(|(_, text)| text.as_slice()).collect();
        assert_eq!(texts, [&b"one"[..], b"", b"two", b""]);
        assert_eq!(found[3].0, FramedLine::End);
    }

    #[tokio::test]
    async fn a_line_of_exactly_the_cap_passes_and_one_byte_more_does_not() {
        assert_eq!(lines(b"1234\n", 4).await[0], (FramedLine::Whole, b"1234".to_vec()));
        assert_eq!(lines(b"12345\n", 4).await[0].0, FramedLine::TooLong);
        assert_eq!(lines(b"1234567890", 4).await[0].0, FramedLine::TooLong);
    }

    #[tokio::test]
    async fn half_a_line_is_no_line() {
        assert_eq!(lines(b"{\"jsonrpc\"", 100).await[0].0, FramedLine::End);
    }

    #[tokio::test]
    async fn half_a_line_survives_being_given_up() {
        let (mut near, far) = tokio::io::duplex(64);
        let mut lines = LineFramer::new(tokio::io::BufReader::new(far), 100);
        near.write_all(b"first ha").await.unwrap();
        for _ in 0..3 {
            let next = lines.next();
            tokio::pin!(next);
            assert!(poll_once(next.as_mut()).is_pending());
        }
        near.write_all(b"lf\nsecond\n").await.unwrap();
        assert_eq!(lines.next().await.unwrap(), FramedLine::Whole);
        assert_eq!(lines.text(), b"first half");
        assert_eq!(lines.next().await.unwrap(), FramedLine::Whole);
        assert_eq!(lines.text(), b"second");
    }

    fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> std::task::Poll<F::Output> {
        future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
    }

    #[tokio::test]
    async fn what_is_written_is_read() {
        let mut out = Vec::new();
        write(&mut out, b"{}").await.unwrap();
        assert_eq!(out, b"{}\n");
    }
}
