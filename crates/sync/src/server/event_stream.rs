//! Parses server-sent events that announce changes. [pure]
//!
//! Called by the HTTP client with the bytes as they arrive.
//!
//! - Lines end with LF, CR, or CR LF (HTML standard, section 9.2.6). Comments keep the connection open.
//! - Lines and events have a maximum length, because the stream itself has no end.

use serde::Deserialize;

use super::{
    server_fault::UnexpectedAnswer,
    server_time::TimeNumber,
    server_types::{ServerChange, is_collection_name},
};

/// Maximum length in bytes of a line, and of the data of one event.
const LONGEST: usize = 4096;

/// Byte order mark, which is allowed at the beginning of a stream.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Deserialize)]
struct ChangeBody {
    collection: Option<String>,
    modified: TimeNumber,
}

/// Parser of one stream.
#[derive(Debug, Default)]
pub struct EventStreamParser {
    /// Bytes of the incomplete line at the end of the input.
    line: Vec<u8>,
    /// Data of the incomplete event. `None` before the first field `data` of the event.
    data: Option<Vec<u8>>,
    /// Whether the last byte was CR, so that a following LF does not end another line.
    was_carriage_return: bool,
    /// Whether the stream has already contained a complete line.
    has_begun: bool,
}

impl EventStreamParser {
    /// Parses these bytes, and returns the changes that are now complete.
    ///
    /// Fails with `TooLong` for a line or an event above the limit, and with `Malformed` for data that is not a change.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ServerChange>, UnexpectedAnswer> {
        let mut changes = Vec::new();
        for &byte in bytes {
            let was_carriage_return = std::mem::replace(&mut self.was_carriage_return, byte == b'\r');
            match byte {
                b'\n' if was_carriage_return => {}
                b'\n' | b'\r' => changes.extend(self.end_line()?),
                byte if self.line.len() < LONGEST => self.line.push(byte),
                _ => return Err(UnexpectedAnswer::TooLong),
            }
        }
        Ok(changes)
    }

    fn end_line(&mut self) -> Result<Option<ServerChange>, UnexpectedAnswer> {
        let line = std::mem::take(&mut self.line);
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let line = if is_first { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line) } else { &line };
        if line.is_empty() {
            return self.data.take().map(|data| read_change(&data)).transpose();
        }
        let at = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, value) = line.split_at(at);
        if name == b"data" {
            let value = value.strip_prefix(b":").unwrap_or(value);
            let value = value.strip_prefix(b" ").unwrap_or(value);
            let data = match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data
                }
                none => none.insert(Vec::new()),
            };
            if data.len() + value.len() > LONGEST {
                return Err(UnexpectedAnswer::TooLong);
            }
            data.extend_from_slice(value);
        }
        Ok(None)
    }
}

fn read_change(data: &[u8]) -> Result<ServerChange, UnexpectedAnswer> {
    let change: ChangeBody = serde_json::from_slice(data).map_err(|_| UnexpectedAnswer::Malformed)?;
    match change.collection.as_deref().is_none_or(is_collection_name) {
        true => Ok(ServerChange { collection: change.collection, modified_ms: change.modified.0 }),
        false => Err(UnexpectedAnswer::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STREAM: &str = ":\n\ndata: {\"collection\":\"dl-items\",\"modified\":1700000000.05}\n\n:\n\n\
                          data: {\"collection\":null,\"modified\":1700000000.10}\n\n";

    fn changes() -> Vec<ServerChange> {
        vec![
            ServerChange { collection: Some("dl-items".into()), modified_ms: 1_700_000_000_050 },
            ServerChange { collection: None, modified_ms: 1_700_000_000_100 },
        ]
    }

    fn parse(text: &str) -> Result<Vec<ServerChange>, UnexpectedAnswer> {
        EventStreamParser::default().feed(text.as_bytes())
    }

    #[test]
    fn changes_are_parsed_from_event_stream_that_also_contains_comments() {
        assert_eq!(parse(STREAM), Ok(changes()));
        assert_eq!(parse(&format!("\u{feff}{STREAM}")), Ok(changes()));
    }

    #[test]
    fn event_stream_accepts_every_line_ending() {
        for ending in ["\r\n", "\r"] {
            assert_eq!(parse(&STREAM.replace('\n', ending)), Ok(changes()), "{ending:?}");
        }
    }

    #[test]
    fn event_fields_other_than_data_are_ignored() {
        let text =
            "event: change\nid: 7\nretry: 1000\nunknown\ndata:{\"collection\":\"a\",\ndata: \"modified\":1.00}\n\nevent: x\n\n";
        assert_eq!(parse(text), Ok(vec![ServerChange { collection: Some("a".into()), modified_ms: 1000 }]));
    }

    #[test]
    fn incomplete_event_is_not_returned() {
        assert_eq!(parse("data: {\"collection\":\"a\",\"modified\":1.00}\n"), Ok(vec![]));
    }

    #[test]
    fn event_data_that_is_not_a_change_is_rejected() {
        for data in
            ["", "x", "{}", "{\"collection\":\"a b\",\"modified\":1}", "{\"collection\":\"a\",\"modified\":\"1\"}", "\u{fffd}"]
        {
            assert_eq!(parse(&format!("data: {data}\n\n")), Err(UnexpectedAnswer::Malformed), "{data}");
        }
    }

    #[test]
    fn endless_line_or_event_is_rejected() {
        assert_eq!(parse(&":".repeat(LONGEST + 1)), Err(UnexpectedAnswer::TooLong));
        assert_eq!(parse(&"data: 0123456789\n".repeat(LONGEST)), Err(UnexpectedAnswer::TooLong));
        assert!(parse(&":\n".repeat(LONGEST)).is_ok());
    }

    proptest! {
        #[test]
        fn event_stream_yields_same_changes_regardless_of_chunk_boundaries(cuts in proptest::collection::vec(1..20_usize, 0..40)) {
            let (mut parser, mut rest, mut found) = (EventStreamParser::default(), STREAM.as_bytes(), Vec::new());
            for cut in cuts {
                let (part, after) = rest.split_at(cut.min(rest.len()));
                found.extend(parser.feed(part).unwrap());
                rest = after;
            }
            found.extend(parser.feed(rest).unwrap());
            prop_assert_eq!(found, changes());
        }

        #[test]
        fn event_stream_parser_never_panics_on_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
            let _ = EventStreamParser::default().feed(&bytes);
        }
    }
}
