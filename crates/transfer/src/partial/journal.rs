//! Stores the record of a partial file next to that file.
//!
//! The record is self-describing, safe against torn writes, and sufficient to resume.
//!
//! - Two slots, a mebibyte apart, are written alternately. Each contains a sequence number, a length and a checksum.
//!   The newest complete slot is valid. An interrupted write therefore leaves the previous record intact.
//! - The bytes that the record lists are always durable, because the record is written only after the data was synced.
//! - The record never contains headers of the caller.
//! - The checksums of the file's blocks follow the slots. Each has eight bytes at a fixed position. Listed bytes with a
//!   checksum can be verified.

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
/// Offset of the checksum table.
const TABLE: u64 = 2 * SLOT;
const ENTRY: u64 = 8;
/// Maximum size of a file: the system counts bytes in a signed 64-bit number.
const LARGEST: u64 = i64::MAX as u64;

/// State of a transfer between two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalRecord {
    /// Id of the transfer.
    pub guid: Guid,
    /// Request method.
    pub method: String,
    /// Requested address.
    pub url: String,
    /// Head of the first response. Emitted again when a later run resumes.
    pub head: ResponseSummary,
    /// Validators of the first response.
    pub validators: Validators,
    /// Complete size; `None` until it is known.
    pub total: Option<u64>,
    /// Whether bytes of a later response may be combined with the bytes on disk.
    ///
    /// `false` for encoded bodies and for methods other than GET.
    pub may_resume: bool,
    /// Bytes that are durable.
    pub durable: ByteRanges,
    /// Boundaries between segments from different connections. These boundaries have not been compared yet.
    #[serde(default)]
    pub seams: Vec<SegmentOverlap>,
    /// Durable bytes of incomplete blocks, which have no block checksum yet.
    ///
    /// Empty in records of earlier versions.
    #[serde(default)]
    pub begun: Vec<OpenBlock>,
    /// Whether any run joined bytes to earlier bytes after comparing the overlapping bytes.
    pub resumed: bool,
    /// Whether any run joined bytes only because the overlap matched, without further evidence.
    #[serde(default)]
    pub by_overlap: bool,
    /// Whether `total` is only the number of received bytes, because there was no stated length.
    #[serde(default)]
    pub is_unmeasured: bool,
    /// Number of restarts because the file had changed.
    pub restarts: u32,
    /// End of the body in the last response to a request for the whole file, if the body was too short.
    ///
    /// Contains the offset at which the body ended, and the number of consecutive responses that ended there.
    #[serde(default)]
    pub short_end: Option<(u64, u32)>,
    /// Length that the last response with the whole file stated. Set only if it differs from `total`, although the
    /// strong validator is the same.
    #[serde(default)]
    pub contradicted: Option<u64>,
    /// Final name, recorded before a rename to this name. Used only on file systems without links.
    #[serde(default)]
    pub placing: Option<JournalPlacement>,
}

impl JournalRecord {
    /// Returns the name under which an interrupted run may have left an empty file.
    ///
    /// On a file system without links, a run creates such a file and renames the partial file over it. Returns `None`
    /// for a download without bytes: an empty file may then be the finished file.
    pub fn placeholder(&self) -> Option<&str> {
        self.placing.as_ref().filter(|_| self.durable.count() > 0).map(|placing| placing.name.as_str())
    }

    /// Whether the sizes and offsets in the record are possible for a file.
    ///
    /// The durable bytes must end within the complete size. The complete size must be that of the response. No size may
    /// exceed the maximum of all file systems.
    pub fn is_possible(&self) -> bool {
        let most = self.total.unwrap_or(LARGEST).min(LARGEST);
        let is_as_stated = self.head.total_size.is_none() || self.head.total_size == self.total;
        is_as_stated && self.total.is_none_or(|total| total <= LARGEST) && self.durable.end() <= most
    }

    /// Returns how far the recorded checks have verified the file.
    ///
    /// A digest would verify more.
    pub fn verified(&self) -> Verification {
        match (self.is_unmeasured, self.resumed && !self.by_overlap) {
            (true, _) => Verification::SizeUnknown,
            (false, true) => Verification::OnResume,
            (false, false) => Verification::No,
        }
    }
}

/// Imminent rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalPlacement {
    /// Final name.
    pub name: String,
}

/// Journal of a partial file, opened for writing.
#[derive(Debug)]
pub(crate) struct Journal {
    file: DiskFile,
    sequence: u64,
}

impl Journal {
    /// Creates an empty journal at `path`.
    ///
    /// Replaces an existing journal, which belongs to no current transfer. The new journal is durable after
    /// [`Self::write`] and a sync of the folder.
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

    /// Opens the journal at `path`, and returns it with its newest complete record.
    ///
    /// Returns `None` if there is no journal or no complete record, or if the journal belongs to another user.
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

    /// Writes the next record into the older slot, and makes it durable.
    ///
    /// Also writes the block checksums that were finished since the last record.
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

    /// Returns the checksum of block `index`.
    pub fn checksum(&self, index: u64) -> io::Result<Option<BlockChecksum>> {
        let mut entry = [0; ENTRY as usize];
        let count = read_fully(&self.file, &mut entry, TABLE + index.saturating_mul(ENTRY))?;
        Ok(if count < entry.len() { None } else { BlockChecksum::from_bytes(entry) })
    }

    /// Removes all checksums, because other bytes will replace the current ones.
    pub fn forget_checksums(&self) -> io::Result<()> {
        self.file.set_len(TABLE)
    }
}

/// Returns the newest complete record of the journal at `path`, without opening it for writing.
pub(crate) fn read(path: &Path) -> Option<JournalRecord> {
    let mut options = OpenOptions::new();
    let file = options.read(true).custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed()).open(path);
    let file = file.ok()?;
    // The journal of another user proves nothing about this file.
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

/// Builds a slot: magic, sequence number, length, checksum of the rest, payload.
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

/// Asserts that any decoded record survives encoding and decoding unchanged.
///
/// Tries the bytes both as a whole slot, and as the payload of a valid slot.
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
    fn newest_journal_record_is_read_back() {
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
    fn record_of_earlier_version_is_decoded() {
        let begun = OpenBlock { at: 0, length: 9, crc: 7 };
        let mut fields = serde_json::to_value(JournalRecord { begun: vec![begun], ..record(9) }).unwrap();
        for new in ["begun", "seams", "placing"] {
            fields.as_object_mut().unwrap().remove(new).unwrap();
        }
        let slot = slot(3, &serde_json::to_vec(&fields).unwrap()).unwrap();
        assert_eq!(decode(&slot), Some((3, record(9))));
    }

    #[test]
    fn previous_record_stays_if_journal_write_is_cut_at_any_byte() {
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
    fn changed_byte_at_any_position_invalidates_journal_slot() {
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
    fn record_with_impossible_size_is_rejected() {
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
    fn arbitrary_bytes_are_not_accepted_as_journal() {
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
    fn record_larger_than_slot_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(&folder.path().join("j")).unwrap();
        let mut large = record(1);
        large.url = "x".repeat(2 << 20);
        assert!(journal.write(&large, &[]).is_err());
        journal.write(&record(1), &[]).unwrap();
    }

    #[test]
    fn block_checksums_keep_their_position_until_forgotten() {
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
