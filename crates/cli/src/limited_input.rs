//! Reads small inputs that a user names. Refuses input above the limit, because truncated input would lose data
//! silently.

use std::io::{self, ErrorKind, Read};

use ashore_messages::{MessageArgument, message};

/// Returns the bytes of `reader`.
///
/// Fails with `FileTooLarge` if there are more than `most` bytes.
pub fn read_bytes(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(ErrorKind::FileTooLarge, message!("fault-file.large", size = MessageArgument::size(most)))),
        false => Ok(bytes),
    }
}

/// Returns the text of `reader`.
///
/// Fails like [`read_bytes`]. Also fails with `InvalidData` if the bytes are not UTF-8.
pub fn read_text(reader: impl Read, most: u64) -> io::Result<String> {
    String::from_utf8(read_bytes(reader, most)?).map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_over_limit_is_refused_instead_of_truncated() {
        assert_eq!(read_text(&b"four"[..], 4).unwrap(), "four");
        let refused = read_text(&b"five!"[..], 4).unwrap_err();
        assert_eq!((refused.kind(), refused.to_string()), (ErrorKind::FileTooLarge, "it has more than 4 B".to_owned()));
        assert_eq!(read_text(&b"\xff"[..], 4).unwrap_err().kind(), ErrorKind::InvalidData);
    }
}
