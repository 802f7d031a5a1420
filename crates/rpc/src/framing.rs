//! Framing for client and endpoint: one message per line, with a maximum length. This module does not interpret lines.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Maximum capacity in bytes of a buffer that is reused for the next line.
const KEPT: usize = 1024 * 1024;

/// Result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FramedLine {
    /// Complete line, without its line end.
    Whole,
    /// Line longer than the maximum. The rest of the stream cannot be parsed.
    TooLong,
    /// The peer has closed; an incomplete line is ignored.
    End,
}

/// Reader of lines. Memory grows with the received data, up to the maximum length.
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

    /// Reads the next line. Cancel safe: a partly received line is kept.
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

    /// Returns the line that [`LineFramer::next`] read.
    pub(crate) fn text(&self) -> &[u8] {
        &self.buffer
    }

    /// Frees the memory of a long line before the next one is read.
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

/// Writes one line and its line end.
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
    async fn lines_are_read_one_by_one() {
        let found = lines(b"one\n\ntwo\n", 100).await;
        let texts: Vec<_> = found.iter().map(|(_, text)| text.as_slice()).collect();
        assert_eq!(texts, [&b"one"[..], b"", b"two", b""]);
        assert_eq!(found[3].0, FramedLine::End);
    }

    #[tokio::test]
    async fn line_of_maximum_length_is_accepted_and_longer_line_is_refused() {
        assert_eq!(lines(b"1234\n", 4).await[0], (FramedLine::Whole, b"1234".to_vec()));
        assert_eq!(lines(b"12345\n", 4).await[0].0, FramedLine::TooLong);
        assert_eq!(lines(b"1234567890", 4).await[0].0, FramedLine::TooLong);
    }

    #[tokio::test]
    async fn incomplete_last_line_is_treated_as_end_of_input() {
        assert_eq!(lines(b"{\"jsonrpc\"", 100).await[0].0, FramedLine::End);
    }

    #[tokio::test]
    async fn partial_line_survives_cancelled_read() {
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
    async fn written_message_ends_with_newline() {
        let mut out = Vec::new();
        write(&mut out, b"{}").await.unwrap();
        assert_eq!(out, b"{}\n");
    }
}
