//! Properties that must hold for any input from a browser. Each property panics if it is violated. Used by tests and
//! fuzzers, not in release builds.

use ashore_engine::fuzz::FuzzProperty;

use crate::{
    extension_port,
    framing::{self, FrameBuffer, FrameFault, LONGEST_RECEIVED},
    protocol::HostMessage,
};

/// All properties, each with its name.
pub const PROPERTIES: &[(&str, FuzzProperty)] = &[("browser-frames", browser_frames), ("browser-message", browser_message)];

/// Checks that a stream yields the same frames when it is read byte by byte and when it is read at once.
fn browser_frames(data: &[u8]) {
    let read = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let (mut frames, mut texts) = (FrameBuffer::default(), Vec::new());
        for piece in pieces {
            frames.push(piece);
            loop {
                match frames.next() {
                    Ok(Some(text)) => texts.push(text),
                    Ok(None) => break,
                    Err(fault) => return (texts, Err(fault)),
                }
            }
        }
        let end = frames.end();
        (texts, end)
    };
    let whole = read(&mut [data].into_iter());
    assert_eq!(whole, read(&mut data.chunks(1)));
    assert!(whole.0.iter().all(|text| (1..=LONGEST_RECEIVED).contains(&text.len())));
}

/// Checks that a message with wrong fields gets a short answer, and that the host exits if a text is not JSON.
fn browser_message(data: &[u8]) {
    match extension_port::parse(data) {
        Ok(Ok(_)) => {}
        Ok(Err(why)) => {
            let answer = HostMessage::failed("browser-message", &ashore_messages::message!("browser-message", why = why));
            let frame = framing::frame(&answer);
            assert!(frame.is_ok_and(|frame| frame.len() < data.len() * 8 + 4096));
        }
        Err(fault) => assert!(matches!(fault, FrameFault::NotUtf8 | FrameFault::NotJson)),
    }
}
