//! Pads cleartexts, to hide their exact length from the server. [pure]
//!
//! Called by `sealing`.
//!
//! - Format: length as big-endian u32, text, zeros.
//! - Padded lengths up to 4,096 bytes are powers of two, from 512 bytes.
//! - Longer texts use Padmé (Nikitin et al., PoPETs 2019), which adds at most 12 %.

use zeroize::Zeroizing;

/// Size of the length prefix, in bytes.
const PREFIX: usize = 4;

/// Minimum padded length, in bytes.
const SHORTEST: usize = 512;

/// Maximum padded length that is a power of two, in bytes. Longer texts use Padmé.
const LONGEST_POWER: usize = 4096;

/// Returns the padded length of a text. Both lengths are in bytes.
pub(super) fn padded_len(text: usize) -> usize {
    let length = text.saturating_add(PREFIX);
    if length <= LONGEST_POWER {
        return length.next_power_of_two().max(SHORTEST);
    }
    let exponent = length.ilog2();
    // Padmé: let E be the position of the highest bit of a length. The padded length has as many significant bits below
    // this bit as E has binary digits. All lower bits are zero.
    let free = exponent - (exponent.ilog2() + 1);
    let mask = (1_usize << free) - 1;
    length.saturating_add(mask) & !mask
}

/// Returns the padded text, with room for `spare` further bytes.
///
/// Returns `None` for a text of 4 GiB or more.
pub(super) fn pad(text: &[u8], spare: usize) -> Option<Zeroizing<Vec<u8>>> {
    let length = u32::try_from(text.len()).ok()?;
    let padded = padded_len(text.len());
    // Reserve enough memory at once: a growing buffer moves, and leaves a copy of the text behind.
    let mut buffer = Zeroizing::new(Vec::with_capacity(padded.saturating_add(spare)));
    buffer.extend_from_slice(&length.to_be_bytes());
    buffer.extend_from_slice(text);
    buffer.resize(padded, 0);
    Some(buffer)
}

/// Removes the padding in place. Returns `None` if the padding is not valid.
///
/// Accepts any padded length, because a later version may pad differently.
pub(super) fn unpad(mut buffer: Zeroizing<Vec<u8>>) -> Option<Zeroizing<Vec<u8>>> {
    let (prefix, rest) = buffer.split_first_chunk::<PREFIX>()?;
    let length = usize::try_from(u32::from_be_bytes(*prefix)).ok()?;
    let zeros = rest.get(length..)?;
    if zeros.iter().any(|byte| *byte != 0) {
        return None;
    }
    buffer.drain(..PREFIX);
    buffer.truncate(length);
    Some(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padded_lengths_match_table() {
        let table = [
            (0, 512),
            (508, 512),
            (509, 1024),
            (1020, 1024),
            (1021, 2048),
            (2044, 2048),
            (2045, 4096),
            (4092, 4096),
            (4093, 4352),
            (4348, 4352),
            (4349, 4608),
            (8188, 8192),
            (8189, 8704),
            (65_532, 65_536),
            (65_533, 67_584),
            (99_996, 100_352),
            (1_000_000, 1_015_808),
            (usize::MAX, usize::MAX & !((1 << 57) - 1)),
        ];
        for (text, padded) in table {
            assert_eq!(padded_len(text), padded, "{text}");
        }
    }

    #[test]
    fn padded_length_never_decreases_and_exceeds_text_length_only_slightly() {
        let mut last = 0;
        for text in 0..70_000 {
            let padded = padded_len(text);
            assert!(padded >= last.max(text + PREFIX), "{text}");
            assert!(text <= LONGEST_POWER || padded * 100 <= (text + PREFIX) * 112, "{text}");
            last = padded;
        }
    }

    #[test]
    fn text_survives_padding_at_length_boundaries() {
        for length in [0, 1, 507, 508, 509, 4092, 4093, 10_000] {
            let text = vec![0xA7; length];
            let padded = pad(&text, 16).unwrap();
            assert_eq!(padded.len(), padded_len(length));
            assert!(padded.capacity() >= padded.len() + 16);
            assert_eq!(*unpad(padded).unwrap(), text);
        }
    }

    #[test]
    fn wrong_padding_is_refused() {
        let whole = |bytes: &[u8]| unpad(Zeroizing::new(bytes.to_vec()));
        assert_eq!(whole(&[]), None);
        assert_eq!(whole(&[0, 0, 0]), None);
        assert_eq!(whole(&[0, 0, 0, 2, 9]), None);
        assert_eq!(whole(&[255, 255, 255, 255, 9]), None);
        assert_eq!(whole(&[0, 0, 0, 1, 9, 0, 1]), None);
        assert_eq!(*whole(&[0, 0, 0, 1, 9, 0, 0]).unwrap(), [9]);
        assert_eq!(*whole(&[0, 0, 0, 0]).unwrap(), [0_u8; 0]);
    }
}
