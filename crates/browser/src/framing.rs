//! Frames of native messaging: a length of four bytes in native byte order, then that many bytes of JSON. [pure]
//!
//! Called by `host` and `extension_port`, and by `examine` for the other side.
//!
//! - A browser sends at most 4 GiB, and accepts at most 1 MiB. This host accepts at most 4 MiB.
//! - After a fault, the rest of the stream cannot be parsed.

use serde::Serialize;

/// Maximum length of a received message in bytes.
pub const LONGEST_RECEIVED: usize = 4 << 20;
/// Maximum length of a sent message in bytes. Browsers close the port after a longer one.
pub(crate) const LONGEST_SENT: usize = 1 << 20;
/// Length of the length field in bytes.
const PREFIX: usize = 4;

/// Reason why a stream of frames cannot be read, or a message cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    /// The length of a message is 0.
    #[error("a message has the length 0")]
    Empty,
    /// A message is longer than the maximum.
    #[error("a message is longer than {most} bytes")]
    TooLong {
        /// Maximum length.
        most: usize,
    },
    /// The stream ended inside a message.
    #[error("the input ended inside a message")]
    Cut,
    /// The text of a message is not UTF-8.
    #[error("a message is not UTF-8")]
    NotUtf8,
    /// The text of a message is not JSON.
    #[error("a message is not JSON")]
    NotJson,
}

/// Bytes that were received and do not form a complete message yet.
#[derive(Debug, Default)]
pub(crate) struct FrameBuffer(Vec<u8>);

impl FrameBuffer {
    /// Adds received bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Removes and returns the text of the next message; `None` if the message is incomplete.
    ///
    /// Fails as soon as the length of the message is known to be 0 or above the maximum.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, FrameFault> {
        let Some((prefix, rest)) = self.0.split_first_chunk::<PREFIX>() else { return Ok(None) };
        let length = usize::try_from(u32::from_ne_bytes(*prefix)).unwrap_or(usize::MAX);
        match length {
            0 => return Err(FrameFault::Empty),
            _ if length > LONGEST_RECEIVED => return Err(FrameFault::TooLong { most: LONGEST_RECEIVED }),
            _ if rest.len() < length => return Ok(None),
            _ => {}
        }
        let text = rest[..length].to_vec();
        self.0.drain(..PREFIX + length);
        Ok(Some(text))
    }

    /// Fails if the stream ended inside a message.
    pub(crate) fn end(&self) -> Result<(), FrameFault> {
        if self.0.is_empty() { Ok(()) } else { Err(FrameFault::Cut) }
    }
}

/// Returns the text of a message. Fails if it is longer than a browser accepts.
pub(crate) fn text(message: &impl Serialize) -> Result<Vec<u8>, FrameFault> {
    let text = serde_json::to_vec(message).map_err(|_| FrameFault::NotJson)?;
    if text.len() > LONGEST_SENT { Err(FrameFault::TooLong { most: LONGEST_SENT }) } else { Ok(text) }
}

/// Returns the frame of a text. Fails if its length does not fit into the length field.
pub(crate) fn framed(text: &[u8]) -> Result<Vec<u8>, FrameFault> {
    let length = u32::try_from(text.len()).map_err(|_| FrameFault::TooLong { most: LONGEST_SENT })?;
    Ok([&length.to_ne_bytes()[..], text].concat())
}

/// Returns the frame of a message. Fails if its text is longer than a browser accepts.
pub(crate) fn frame(message: &impl Serialize) -> Result<Vec<u8>, FrameFault> {
    framed(&text(message)?)
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    #[test]
    fn empty_or_oversized_frame_is_refused_as_soon_as_length_is_read() {
        for (length, fault) in [
            (0, FrameFault::Empty),
            (LONGEST_RECEIVED as u32 + 1, FrameFault::TooLong { most: LONGEST_RECEIVED }),
            (u32::MAX, FrameFault::TooLong { most: LONGEST_RECEIVED }),
        ] {
            let mut frames = FrameBuffer::default();
            frames.push(&length.to_ne_bytes());
            assert_eq!(frames.next(), Err(fault), "{length}");
        }
    }

    #[test]
    fn frame_of_maximum_length_is_received() {
        let text = vec![b' '; LONGEST_RECEIVED];
        let mut frames = FrameBuffer::default();
        frames.push(&framed(&text).unwrap());
        assert_eq!(frames.next(), Ok(Some(text)));
        assert_eq!(frames.end(), Ok(()));
    }

    #[test]
    fn stream_that_ends_inside_frame_is_reported_as_cut() {
        let whole = framed(b"{}").unwrap();
        for length in 1..whole.len() {
            let mut frames = FrameBuffer::default();
            frames.push(&whole[..length]);
            assert_eq!((frames.next(), frames.end()), (Ok(None), Err(FrameFault::Cut)), "{length}");
        }
    }

    #[test]
    fn message_longer_than_browsers_accept_is_not_sent() {
        // The text of the message has two quotation marks.
        assert_eq!(frame(&"x".repeat(LONGEST_SENT - 2)).unwrap().len(), PREFIX + LONGEST_SENT);
        assert_eq!(frame(&"x".repeat(LONGEST_SENT - 1)), Err(FrameFault::TooLong { most: LONGEST_SENT }));
    }

    proptest! {
        #[test]
        fn messages_are_read_from_arbitrarily_cut_stream(texts in vec(vec(any::<u8>(), 1..40), 0..8), piece in 1_usize..64) {
            let stream: Vec<u8> = texts.iter().flat_map(|text| framed(text).unwrap()).collect();
            let (mut frames, mut read) = (FrameBuffer::default(), Vec::new());
            for bytes in stream.chunks(piece) {
                frames.push(bytes);
                while let Some(text) = frames.next().unwrap() {
                    read.push(text);
                }
            }
            prop_assert_eq!(read, texts);
            prop_assert_eq!(frames.end(), Ok(()));
        }

        #[test]
        fn sent_message_is_received_unchanged(text in ".{0,200}") {
            let mut frames = FrameBuffer::default();
            frames.push(&frame(&text).unwrap());
            let received = frames.next().unwrap().unwrap();
            prop_assert_eq!(serde_json::from_slice::<String>(&received).unwrap(), text);
        }
    }
}
