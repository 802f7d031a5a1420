//! Properties that must hold for any input on the socket. Each property panics if it is violated. Used by tests and
//! fuzzers, not in release builds.

use std::task::{Context, Poll, Waker};

use ashore_engine::fuzz::FuzzProperty;

use crate::{
    framing::{FramedLine, LineFramer},
    message::{self, IncomingLine},
};

/// All properties, each with its name.
pub const PROPERTIES: &[(&str, FuzzProperty)] = &[("socket-message", socket_message), ("socket-line", socket_line)];

/// Maximum size in bytes of an answer to an invalid message, not counting its id.
const LONGEST_REFUSAL: usize = 8 << 10;

/// Checks that a valid call survives a round trip, and that an invalid message gets a short refusal on one line.
fn socket_message(data: &[u8]) {
    match message::parse(data) {
        Ok(message::RpcRequest { asked: IncomingLine::Call(call), .. }) => {
            let Ok(said) = message::request(1, &call) else { return };
            let again = message::parse(&said).map(|request| format!("{:?}", request.asked));
            assert_eq!(again.ok(), Some(format!("{:?}", IncomingLine::Call(call))));
        }
        Ok(_) => {}
        Err(misshapen) => {
            let id = misshapen.id.to_string().len();
            let refusal = message::misshapen(misshapen).unwrap_or_default();
            assert!((1..LONGEST_REFUSAL + id).contains(&refusal.len()) && !refusal.contains(&b'\n'));
        }
    }
    let _ = (message::answer(data, 1).is_ok(), message::event(data).is_ok());
}

/// Checks the framing of lines. The first byte of the input is the maximum length of a line.
///
/// Each line ends at the next line feed. Reading ends at a line that is too long or incomplete.
fn socket_line(data: &[u8]) {
    let Some((cap, mut rest)) = data.split_first() else { return };
    let cap = usize::from(*cap);
    let mut lines = LineFramer::new(rest, cap);
    loop {
        let end = rest.iter().position(|byte| *byte == b'\n');
        let expected = match end {
            Some(end) if end <= cap => FramedLine::Whole,
            _ if rest.len() > cap => FramedLine::TooLong,
            _ => FramedLine::End,
        };
        // Reading from memory never has to wait.
        let next = std::pin::pin!(lines.next()).poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(&next, Poll::Ready(Ok(line)) if *line == expected), "{next:?} is not {expected:?}");
        let Some(end) = end.filter(|_| expected == FramedLine::Whole) else { return };
        assert_eq!(lines.text(), &rest[..end]);
        rest = &rest[end + 1..];
    }
}
