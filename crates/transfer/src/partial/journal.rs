//! The partial's own record beside it: self-describing, proof against torn writes, enough to go on from anywhere.
//!
//! Two slots a megabyte apart take turns. Each holds a sequence number, a length and a checksum; the newest slot that
//! is whole is believed, so that a write that is cut anywhere leaves the one before it standing. What it claims is a
//! subset of what is durable: it is written after the data was synced, never before. No header of the caller is ever
//! in it.
//!
//! Behind the slots lie the checksums of the file's blocks, eight bytes each at the block's own place: a record claims
//! bytes, and where a checksum stands for them they can be looked at again.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::Path,
};

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::{
    disk::{DiskFile, may_wait},
    failpoint,
    model::{event::ResponseSummary, outcome::Verification, spec::Guid, validators::Validators},
    partial::{
        block_checksums::{BlockChecksum, OpenBlock},
        file_owner::is_ours,
        part::{folder_of, synced},
        segment_overlap::SegmentOverlap,
    },
    plan::byte_ranges::ByteRanges,
};

const MAGIC: [u8; 8] = *b"ASHOREJ1";
const SLOT: u64 = 1 << 20;
const HEADER: usize = 24;
/// Where the checksums begin.
const TABLE: u64 = 2 * SLOT;
const ENTRY: u64 = 8;
/// Largest size of a file: the system counts its bytes in a signed number of 64 bits.
const LARGEST: u64 = i64::MAX as u64;

/// Everything that is remembered of a transfer between two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalRecord {
    /// Whose partial this is.
    pub guid: Guid,
    /// How it was asked for.
    pub method: String,
    /// The address it was asked from.
    pub url: String,
    /// The first answer, told again when a later run goes on from here.
    pub head: ResponseSummary,
    /// What that answer said about identity.
    pub validators: Validators,
    /// The complete size, once known.
    pub total: Option<u64>,
    /// Whether a later answer may be joined to these bytes; false for encoded bodies and unasked parts.
    pub may_resume: bool,
    /// Bytes that are certainly on disk.
    pub durable: ByteRanges,
    /// Where pieces of different connections meet and have not been compared.
    #[serde(default)]
    pub seams: Vec<SegmentOverlap>,
    /// What of those bytes no checksum behind the slots stands for yet. What an earlier version wrote says nothing of them.
    #[serde(default)]
    pub begun: Vec<OpenBlock>,
    /// Whether any run joined bytes after comparing them.
    pub resumed: bool,
    /// Whether any run joined bytes for which nothing but the overlap vouches.
    #[serde(default)]
    pub by_overlap: bool,
    /// Whether `total` is only what had come when an answer without a length ended.
    #[serde(default)]
    pub is_unmeasured: bool,
    /// How often it was begun again because the file had changed.
    pub restarts: u32,
    /// Where the last plain answer ended before its stated length, and how many of them in a row ended there.
    #[serde(default)]
    pub short_end: Option<(u64, u32)>,
    /// Length that the last plain answer stated under the same strong validator, where it contradicts `total`.
    #[serde(default)]
    pub contradicted: Option<u64>,
    /// The final name it is about to get by renaming, on file systems without links.
    #[serde(default)]
    pub placing: Option<JournalPlacement>,
}

impl JournalRecord {
    /// Name under which a run that was cut off may have left an empty file: where a file system has no links, a run makes one and
    /// renames the partial over it. None for an empty download, whose file is empty as it should be.
    pub fn placeholder(&self) -> Option<&str> {
        self.placing.as_ref().filter(|_| self.durable.count() > 0).map(|placing| placing.name.as_str())
    }

    /// Whether its numbers can be a file's: no more is claimed than the complete size, that is the size which its answer
    /// stated, and no size is beyond what any file system can have.
    pub fn is_possible(&self) -> bool {
        let most = self.total.unwrap_or(LARGEST).min(LARGEST);
        let is_as_stated = self.head.total_size.is_none() || self.head.total_size == self.total;
        is_as_stated && self.total.is_none_or(|total| total <= LARGEST) && self.durable.end() <= most
    }

    /// How far the file is checked, as far as this says; a digest says more.
    pub fn verified(&self) -> Verification {
        match (self.is_unmeasured, self.resumed && !self.by_overlap) {
            (true, _) => Verification::SizeUnknown,
            (false, true) => Verification::OnResume,
            (false, false) => Verification::No,
        }
    }
}

/// A rename that is about to happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalPlacement {
    /// The final name.
    pub name: String,
}

/// An open journal.
#[derive(Debug)]
pub(crate) struct Journal {
    file: DiskFile,
    sequence: u64,
}

impl Journal {
    /// Makes the journal at `path` with its first record; not durable before [`Self::write`] and a sync of the folder.
    /// A journal that is already there is not this transfer's any more, and is replaced.
    pub fn create(path: &Path) -> io::Result<Self> {
        may_wait();
        let create = || {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create_new(true).mode(0o600);
            options.custom_flags(OFlags::NOFOLLOW.bits().cast_signed()).open(path)
        };
        let file = match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                std::fs::remove_file(path)?;
                create()?
            }
            file => file?,
        };
        Ok(Self { file: DiskFile::new(file), sequence: 0 })
    }

    /// Opens the journal at `path` with its newest whole record; none when there is no such file or no such record, or it is
    /// another user's.
    pub fn open(path: &Path) -> io::Result<Option<(Self, JournalRecord)>> {
        may_wait();
        let mut options = OpenOptions::new();
        options.read(true).write(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
        let file = match options.open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if !is_ours(&file.metadata()?, folder_of(path)) {
            return Ok(None);
        }
        let newest = newest(&file)?;
        Ok(newest.map(|(sequence, record)| (Self { file: DiskFile::new(file), sequence }, record)))
    }

    /// Writes the next record into the older slot, with the checksums of blocks finished since the last one, and makes
    /// both durable.
    pub fn write(&mut self, record: &JournalRecord, finished: &[(u64, BlockChecksum)]) -> io::Result<()> {
        may_wait();
        for run in finished.chunk_by(|(one, _), (next, _)| one + 1 == *next) {
            let bytes: Vec<u8> = run.iter().flat_map(|(_, checksum)| checksum.to_bytes()).collect();
            let first = run.first().map_or(0, |(index, _)| *index);
            self.file.write_all_at(&bytes, TABLE + first.saturating_mul(ENTRY))?;
        }
        let sequence = self.sequence + 1;
        let slot = encode(sequence, record)?;
        self.file.write_all_at(&slot, (sequence % 2) * SLOT)?;
        failpoint::hit("transfer.journal-slot-written");
        synced(self.file.sync_data())?;
        self.sequence = sequence;
        failpoint::hit("transfer.journal-synced");
        Ok(())
    }

    /// The checksum of block `index`; none where there is none.
    pub fn checksum(&self, index: u64) -> io::Result<Option<BlockChecksum>> {
        let mut entry = [0; ENTRY as usize];
        let count = read_fully(&self.file, &mut entry, TABLE + index.saturating_mul(ENTRY))?;
        Ok(if count < entry.len() { None } else { BlockChecksum::from_bytes(entry) })
    }

    /// Forgets every checksum: other bytes come.
    pub fn forget_checksums(&self) -> io::Result<()> {
        self.file.set_len(TABLE)
    }
}

/// The newest whole record of the journal at `path`, for those who only look.
pub(crate) fn read(path: &Path) -> Option<JournalRecord> {
    let mut options = OpenOptions::new();
    let file = options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed()).open(path);
    let file = file.ok()?;
    // A journal of another user is no evidence.
    let is_ours = file.metadata().is_ok_and(|found| is_ours(&found, folder_of(path)));
    newest(&file).ok().flatten().filter(|_| is_ours).map(|(_, record)| record)
}

fn newest(file: &File) -> io::Result<Option<(u64, JournalRecord)>> {
    let mut newest: Option<(u64, JournalRecord)> = None;
    for offset in [0, SLOT] {
        let mut slot = vec![0; HEADER];
        if read_fully(file, &mut slot, offset)? < HEADER {
            continue;
        }
        let Some(length) = payload_length(&slot) else { continue };
        slot.resize(HEADER + length, 0);
        if read_fully(file, &mut slot[HEADER..], offset + HEADER as u64)? < length {
            continue;
        }
        if let Some((sequence, record)) = decode(&slot)
            && newest.as_ref().is_none_or(|(best, _)| sequence > *best)
        {
            newest = Some((sequence, record));
        }
    }
    Ok(newest)
}

fn read_fully(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn encode(sequence: u64, record: &JournalRecord) -> io::Result<Vec<u8>> {
    slot(sequence, &serde_json::to_vec(record)?)
}

/// Magic, sequence number, length, checksum over all the rest, payload.
fn slot(sequence: u64, payload: &[u8]) -> io::Result<Vec<u8>> {
    if payload.len() as u64 > SLOT - HEADER as u64 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the record does not fit its slot"));
    }
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    let mut slot = Vec::with_capacity(HEADER + payload.len());
    slot.extend_from_slice(&MAGIC);
    slot.extend_from_slice(&sequence.to_le_bytes());
    slot.extend_from_slice(&length.to_le_bytes());
    slot.extend_from_slice(&checksum(&slot[8..20], payload).to_le_bytes());
    slot.extend_from_slice(payload);
    Ok(slot)
}

fn payload_length(header: &[u8]) -> Option<usize> {
    let length: [u8; 4] = header.get(16..20)?.try_into().ok()?;
    let length = u32::from_le_bytes(length) as usize;
    (header.starts_with(&MAGIC) && (length as u64) <= SLOT - HEADER as u64).then_some(length)
}

fn decode(slot: &[u8]) -> Option<(u64, JournalRecord)> {
    let payload = slot.get(HEADER..HEADER + payload_length(slot)?)?;
    let stored = u32::from_le_bytes(slot.get(20..24)?.try_into().ok()?);
    if stored != checksum(&slot[8..20], payload) {
        return None;
    }
    let sequence = u64::from_le_bytes(slot.get(8..16)?.try_into().ok()?);
    Some((sequence, serde_json::from_slice(payload).ok()?))
}

/// Of any bytes, as a slot and as the payload of a sound one: a record that is read is the one that was written.
#[cfg(debug_assertions)]
pub(crate) fn holds(data: &[u8]) {
    let sound = slot(7, data).ok().and_then(|slot| decode(&slot));
    for (sequence, record) in decode(data).into_iter().chain(sound) {
        let again = encode(sequence, &record).ok().and_then(|slot| decode(&slot));
        assert_eq!(again, Some((sequence, record)));
    }
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(header);
    checksum.update(payload);
    checksum.finalize()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn record(held: u64) -> JournalRecord {
        JournalRecord {
            guid: Guid(Uuid::from_u128(7)),
            method: "GET".to_owned(),
            url: "http://127.0.0.1/a".to_owned(),
            head: ResponseSummary {
                status: 200,
                status_text: "OK".to_owned(),
                headers: vec![("etag".to_owned(), "\"a\"".to_owned())],
                url_chain: vec!["http://127.0.0.1/a".to_owned()],
                total_size: Some(1000),
                name: "a".to_owned(),
            },
            validators: Validators { etag: Some("\"a\"".to_owned()), last_modified: None },
            total: Some(1000),
            may_resume: true,
            durable: ByteRanges::first(held),
            seams: Vec::new(),
            begun: Vec::new(),
            resumed: false,
            restarts: 0,
            short_end: None,
            contradicted: None,
            by_overlap: false,
            is_unmeasured: false,
            placing: None,
        }
    }

    #[test]
    fn the_newest_record_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        assert!(Journal::open(&path).unwrap().is_none());
        let mut journal = Journal::create(&path).unwrap();
        assert!(Journal::open(&path).unwrap().is_none(), "nothing was written yet");
        for held in 1..5 {
            journal.write(&record(held), &[]).unwrap();
            assert_eq!(read(&path), Some(record(held)));
        }
        let (mut journal, found) = Journal::open(&path).unwrap().unwrap();
        assert_eq!(found, record(4));
        journal.write(&record(9), &[]).unwrap();
        assert_eq!(read(&path), Some(record(9)));
    }

    #[test]
    fn a_record_of_an_earlier_version_is_understood() {
        let begun = OpenBlock { at: 0, length: 9, crc: 7 };
        let mut fields = serde_json::to_value(JournalRecord { begun: vec![begun], ..record(9) }).unwrap();
        for new in ["begun", "seams", "placing"] {
            fields.as_object_mut().unwrap().remove(new).unwrap();
        }
        let slot = slot(3, &serde_json::to_vec(&fields).unwrap()).unwrap();
        assert_eq!(decode(&slot), Some((3, record(9))));
    }

    #[test]
    fn a_write_cut_at_any_byte_leaves_the_record_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        for writes in [1u64, 2, 3] {
            let mut journal = Journal::create(&path).unwrap();
            for held in 1..=writes {
                journal.write(&record(held), &[]).unwrap();
            }
            let next = encode(writes + 1, &record(100 + writes)).unwrap();
            let offset = ((writes + 1) % 2) * SLOT;
            let mut before = vec![0; next.len()];
            let _ = read_fully(&journal.file, &mut before, offset).unwrap();
            for cut in 0..=next.len() {
                journal.file.write_all_at(&before, offset).unwrap();
                journal.file.write_all_at(&next[..cut], offset).unwrap();
                let found = read(&path).unwrap();
                let same_bytes = next[cut..] == before[cut..];
                let expected = if cut == next.len() || same_bytes { record(100 + writes) } else { record(writes) };
                assert_eq!(found, expected, "cut at {cut} after {writes}");
            }
        }
    }

    #[test]
    fn a_byte_that_flipped_anywhere_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let mut journal = Journal::create(&path).unwrap();
        journal.write(&record(1), &[]).unwrap();
        journal.write(&record(2), &[]).unwrap();
        let newest = encode(2, &record(2)).unwrap();
        for at in 0..newest.len() {
            journal.file.write_all_at(&[newest[at] ^ 0x10], at as u64).unwrap();
            assert_eq!(read(&path), Some(record(1)), "flipped at {at}");
            journal.file.write_all_at(&newest[at..=at], at as u64).unwrap();
        }
        assert_eq!(read(&path), Some(record(2)));
    }

    #[test]
    fn record_with_impossible_total_is_not_possible() {
        let of = |total, durable: &[(u64, u64)]| {
            let mut record = JournalRecord { total, durable: durable.to_vec().try_into().unwrap(), ..record(1) };
            record.head.total_size = total;
            record
        };
        for (total, durable) in [(None, &[(0, 9)][..]), (Some(9), &[(0, 9)]), (Some(LARGEST), &[(0, 9)]), (Some(0), &[])] {
            assert!(of(total, durable).is_possible(), "{total:?} {durable:?}");
        }
        for (total, durable) in [
            (Some(8), &[(0, 9)][..]),
            (Some(0), &[(0, 9)]),
            (Some(8), &[(0, 4), (8, 9)]),
            (Some(u64::MAX), &[(0, 9)]),
            (Some(LARGEST + 1), &[]),
            (None, &[(0, u64::MAX)]),
        ] {
            assert!(!of(total, durable).is_possible(), "{total:?} {durable:?}");
        }
        for stated in [0, 8, 1 << 50] {
            let mut record = of(Some(9), &[(0, 9)]);
            record.head.total_size = Some(stated);
            assert!(!record.is_possible(), "its answer stated {stated}");
        }
    }

    #[test]
    fn junk_is_no_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let absurd_length = [&MAGIC[..], &[0xff; 12], &[0; 4]].concat();
        for junk in [&b""[..], &MAGIC, &absurd_length, &[0; 100]] {
            std::fs::write(&path, junk).unwrap();
            assert_eq!(read(&path), None);
            assert!(Journal::open(&path).unwrap().is_none());
        }
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert!(Journal::open(&path).is_err(), "links are not followed");
    }

    #[test]
    fn a_record_too_large_for_its_slot_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(&folder.path().join("j")).unwrap();
        let mut large = record(1);
        large.url = "x".repeat(2 << 20);
        assert!(journal.write(&large, &[]).is_err());
        journal.write(&record(1), &[]).unwrap();
    }

    #[test]
    fn checksums_stand_at_their_block_until_they_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(&folder.path().join("j")).unwrap();
        let [one, two, three] = [b"a", b"b", b"c"].map(|bytes| BlockChecksum::of_block(bytes));
        journal.write(&record(1), &[(0, one), (1, two), (70_000, three)]).unwrap();
        assert_eq!(journal.checksum(1).unwrap(), Some(two));
        assert_eq!(journal.checksum(70_000).unwrap(), Some(three));
        assert_eq!((journal.checksum(2).unwrap(), journal.checksum(70_001).unwrap()), (None, None));
        journal.write(&record(2), &[(1, one)]).unwrap();
        assert_eq!(journal.checksum(1).unwrap(), Some(one));
        journal.forget_checksums().unwrap();
        assert_eq!(journal.checksum(0).unwrap(), None);
        assert_eq!(newest(&journal.file).unwrap().unwrap().1, record(2));
    }
}
