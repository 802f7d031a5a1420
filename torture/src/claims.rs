//! Independent reader of journals, to cross-check Ashore's implementation of the format.
//!
//! A journal consists of two slots a megabyte apart. The newest valid slot counts.

use std::{fs, ops::Range, os::unix::fs::FileExt as _, path::Path};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// Ending of the file names of journals.
pub const ENDING: &str = ".ashore";

const MAGIC: &[u8] = b"ASHOREJ1";
const SLOT: usize = 1 << 20;
const HEADER: usize = 24;

/// Newest claim of a journal: the byte ranges that are on disk according to the journal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct DocumentedClaim {
    /// Source address of the bytes.
    pub url: String,
    /// Claimed ranges, `[start, end)`.
    pub durable: Vec<(u64, u64)>,
}

impl DocumentedClaim {
    pub fn bytes(&self) -> u64 {
        self.ranges().map(|range| range.end - range.start).sum()
    }

    /// Returns the claimed ranges in order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        self.durable.iter().map(|(start, end)| *start..*end)
    }

    /// Fails unless the partial file at `part` contains the expected bytes in all claimed ranges.
    ///
    /// `right` returns the expected bytes of a range. Other ranges are not read, because NTFS may be unable to read
    /// them after a power cut.
    pub fn hold_against(&self, part: &Path, right: impl Fn(Range<u64>) -> Vec<u8>) -> Result<()> {
        if self.durable.is_empty() {
            return Ok(());
        }
        let file = fs::File::open(part)
            .with_context(|| format!("the journal claims bytes of {}, which could not be opened", part.display()))?;
        for range in self.ranges() {
            let mut bytes = vec![0; usize::try_from(range.end - range.start)?];
            file.read_exact_at(&mut bytes, range.start).with_context(|| {
                format!("the journal claims {range:?} of {}, which has {} bytes", part.display(), length_of(&file))
            })?;
            ensure!(bytes == right(range.clone()), "{} has other bytes than claimed in {range:?}", part.display());
        }
        Ok(())
    }
}

fn length_of(file: &fs::File) -> u64 {
    file.metadata().map_or(0, |found| found.len())
}

/// Returns the newest valid claim of the journal at `path`; `None` if no slot is valid.
pub fn read(path: &Path) -> Result<Option<DocumentedClaim>> {
    let bytes = fs::read(path)?;
    let slots = [bytes.as_slice(), bytes.get(SLOT..).unwrap_or_default()];
    let newest = slots.into_iter().filter_map(whole).max_by_key(|(sequence, _)| *sequence);
    newest.map(|(_, payload)| serde_json::from_slice(payload).context("a valid slot is not JSON")).transpose()
}

/// Returns the sequence number and the payload of a slot if its checksum is valid.
fn whole(slot: &[u8]) -> Option<(u64, &[u8])> {
    let number = |at: usize| Some(u32::from_le_bytes(slot.get(at..at + 4)?.try_into().ok()?));
    let payload = slot.get(HEADER..HEADER.checked_add(number(16)? as usize)?)?;
    let mut sum = crc32fast::Hasher::new();
    sum.update(slot.get(8..20)?);
    sum.update(payload);
    let sequence = u64::from_le_bytes(slot.get(8..16)?.try_into().ok()?);
    (slot.starts_with(MAGIC) && sum.finalize() == number(20)?).then_some((sequence, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(sequence: u64, payload: &str) -> Vec<u8> {
        let length = u32::try_from(payload.len()).unwrap();
        let counted = [sequence.to_le_bytes().as_slice(), &length.to_le_bytes()].concat();
        let sum = crc32fast::hash(&[&counted, payload.as_bytes()].concat());
        [MAGIC, &counted, &sum.to_le_bytes(), payload.as_bytes()].concat()
    }

    #[test]
    fn journal_reader_returns_record_of_newest_valid_slot() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let claims = |start: u64| format!(r#"{{"url": "http://a/b", "durable": [[{start}, 9]], "more": 1}}"#);
        let mut bytes = slot(4, &claims(4));
        bytes.resize(SLOT, 0);
        bytes.extend(slot(5, &claims(5)));
        fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().durable, [(5, 9)]);
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path).unwrap().unwrap().durable, [(4, 9)]);
        fs::write(&path, &bytes[..30]).unwrap();
        assert_eq!(read(&path).unwrap(), None);
    }

    #[test]
    fn journal_record_is_rejected_if_its_bytes_of_the_file_differ_or_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("part");
        let right = |range: Range<u64>| range.map(|at| at as u8).collect::<Vec<u8>>();
        let claim = DocumentedClaim { url: String::new(), durable: vec![(2, 4), (6, 8)] };
        assert!(claim.hold_against(&part, right).is_err(), "it is not there");
        fs::write(&part, [9, 9, 2, 3, 9, 9, 6, 7]).unwrap();
        claim.hold_against(&part, right).unwrap();
        fs::write(&part, [9, 9, 2, 3, 9, 9, 6, 0]).unwrap();
        assert!(claim.hold_against(&part, right).is_err());
        fs::write(&part, [9, 9, 2, 3]).unwrap();
        assert!(claim.hold_against(&part, right).is_err());
    }
}
