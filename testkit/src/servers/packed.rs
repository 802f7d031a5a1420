//! Packs a file in uncompressed gzip, as some servers send it although the client asked for no encoding.
//!
//! Every gzip reader accepts stored blocks.

/// Maximum size of a block in bytes.
const BLOCK: usize = u16::MAX as usize;

/// Returns the file in gzip (RFC 1952), in stored blocks (RFC 1951, section 3.2.4).
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let count = bytes.len().div_ceil(BLOCK);
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        let [low, high] = u16::try_from(block.len()).unwrap_or(u16::MAX).to_le_bytes();
        packed.extend([u8::from(number + 1 == count), low, high, !low, !high]);
        packed.extend(block);
    }
    packed.extend(crc32fast::hash(bytes).to_le_bytes());
    #[expect(clippy::cast_possible_truncation, reason = "the format stores the length modulo 2^32")]
    packed.extend((bytes.len() as u32).to_le_bytes());
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_gzip_matches_known_output() {
        // `gzip -dc` unpacks this to "a file".
        let known = hex::decode("1f8b08000000000000ff010600f9ff612066696c6554bb701e06000000").unwrap();
        assert_eq!(packed(b"a file"), known);
        // Every block except the last has a flag that says that another block follows.
        let large = packed(&[7; BLOCK + 1]);
        assert_eq!((large[10], large[15 + BLOCK]), (0, 1));
        assert_eq!(large.len(), 10 + 5 + BLOCK + 5 + 1 + 8);
    }
}
