//! Holds the state of a file on disk, and makes checkpoints of it.
//!
//! The state consists of the partial file, its present bytes, their checksums and the journal.
//!
//! Only the owner of this state writes. [`PartialWriter`](crate::partial::writer::PartialWriter) decides when and on
//! which thread.

use std::{
    collections::HashMap,
    io,
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;

use crate::{
    failpoint,
    model::{failure::TransferFailure, failure_kind::FailureKind},
    partial::{
        self, PublishedFile,
        block_checksums::{self, BlockChecksum, BlockChecksums},
        journal::{Journal, JournalPlacement, JournalRecord},
        part::PartialFile,
        space_reservation::{SpaceReservation, SpaceReservations},
        stream_hasher::StreamHasher,
        verify_on_resume::vouched,
    },
    plan::{byte_ranges::ByteRanges, segment_plan},
};

/// Partial file with all of its state.
#[derive(Debug)]
pub(crate) struct PartialState {
    pub part: Arc<PartialFile>,
    pub record: JournalRecord,
    /// Written bytes of the file, including those that are not durable yet.
    pub have: ByteRanges,
    /// Written bytes from an earlier run.
    ///
    /// Those with a checksum are verified again before the file is finished.
    pub earlier: ByteRanges,
    /// Computes the digests of the whole file and of its pieces.
    pub follower: StreamHasher,
    journal: Option<Journal>,
    blocks: BlockChecksums,
    finished: Vec<(u64, BlockChecksum)>,
    /// Size in the journal. The flag is true if the server did not state this size.
    told: (Option<u64>, bool),
    /// Whether a later run may resume the file. If so, a journal is kept.
    keeps_journal: bool,
    /// Whether checksums of written bytes are computed.
    pub has_checksums: bool,
    /// Number of received bytes after which space for the rest is reserved.
    pub reserve_after: u64,
    is_reserved: bool,
    /// Reservation of volume space for the unwritten bytes. `None` if the size is unknown.
    pub promise: Option<SpaceReservation>,
    /// Whether segments from different connections were compared and do not match.
    pub is_torn: bool,
    /// `false` after a failed sync. Bytes after the last successful sync may then not be durable.
    pub is_sound: bool,
    /// Whether another program may have written to the file since the last verification of its bytes.
    is_in_doubt: bool,
}

impl PartialState {
    /// Creates the state of a new partial file.
    ///
    /// Without `keeps_journal`, the partial file is removed when its run fails.
    pub fn fresh(part: PartialFile, record: JournalRecord, follower: StreamHasher, keeps_journal: bool) -> Self {
        Self {
            part: Arc::new(part),
            told: (record.total, record.is_unmeasured),
            record,
            have: ByteRanges::default(),
            earlier: ByteRanges::default(),
            follower,
            journal: None,
            blocks: BlockChecksums::default(),
            finished: Vec::new(),
            keeps_journal,
            has_checksums: true,
            reserve_after: u64::MAX,
            is_reserved: false,
            promise: None,
            is_torn: false,
            is_sound: true,
            is_in_doubt: false,
        }
    }

    /// Opens a partial file and its journal. Only verified bytes count as present.
    pub fn reopened(part: PartialFile, mut journal: Journal, record: JournalRecord, follower: StreamHasher) -> io::Result<Self> {
        let (have, blocks) = vouched(&part, &journal, &record)?;
        let (earlier, claimed) = (have.clone(), record.durable.count());
        let record = JournalRecord { durable: have.clone(), begun: blocks.begun(), ..record };
        if have.count() < claimed {
            // If this write fails, the next run gets the same result again.
            let _ = journal.write(&record, &[]);
        }
        let fresh = Self::fresh(part, record, follower, true);
        Ok(Self { have, earlier, blocks, journal: Some(journal), ..fresh })
    }

    /// Sets the old bytes aside under another name, and begins a new file with `record`.
    ///
    /// The old bytes are moved first, while the journal still lists them. After a crash at this point, the next run
    /// compares this list with an empty or missing file. Therefore no bytes are mixed or lost.
    pub fn begin_again(mut self, record: JournalRecord, follower: StreamHasher) -> io::Result<Self> {
        let part = self.part.begin_again()?;
        if let Some(journal) = &mut self.journal {
            journal.write(&record, &[])?;
            journal.forget_checksums()?;
            failpoint::hit("transfer.claim-dropped");
        }
        let fresh = Self::fresh(part, record, follower, self.keeps_journal);
        Ok(Self { journal: self.journal, ..fresh })
    }

    /// Reserves free space on the volume for the missing bytes of this file.
    ///
    /// Fails with `DiskFull` if the free space is too small for this file and for the reservations of other transfers.
    pub fn promise_space(&mut self, promises: &SpaceReservations) -> Result<(), TransferFailure> {
        self.promise = None;
        let Some(total) = self.record.total else { return Ok(()) };
        let Ok((volume, room, has)) = self.part.space() else { return Ok(()) };
        let missing = total.saturating_sub(self.have.count());
        // Space that an earlier, killed run allocated still belongs to this file. The volume does not count it as free.
        let reserved = has.saturating_sub(self.have.count());
        self.is_reserved = missing > 0 && reserved >= missing;
        let needed = missing.saturating_sub(reserved);
        self.promise = Some(promises.make(volume, needed, room.free)?);
        Ok(())
    }

    /// Releases the space that a run has reserved. Called when the run ends without completing the file.
    pub fn give_space_back(&mut self) {
        self.promise = None;
        if std::mem::take(&mut self.is_reserved)
            && let Some(total) = self.record.total
        {
            self.part.release_ranges(&self.have.missing(total));
        }
    }

    /// Truncates the partial file after its last trusted byte.
    ///
    /// Later bytes are fetched again anyway. After a power cut, NTFS may refuse to read or write after the last synced
    /// cluster. The truncation repairs the file.
    pub fn cut_untrusted(&self) {
        if let Err(error) = self.part.cut(self.have.end()) {
            // If the end is damaged, the next write reports the cause.
            tracing::info!(guid = %self.record.guid, %error, "untrusted end of the partial file could not be truncated");
        }
    }

    /// Returns the bytes directly before `at`. A resume compares them with the response.
    ///
    /// Returns `None` if another program has truncated the file.
    pub fn overlap(&self, at: u64) -> io::Result<Option<Vec<u8>>> {
        let count = self.have.before(at).min(segment_plan::OVERLAP);
        self.part.read_there(at - count..at)
    }

    /// Whether all bytes of the file are present.
    pub fn is_whole(&self) -> bool {
        self.record.total.is_some_and(|total| self.have.prefix() >= total)
    }

    /// Whether a journal exists. Only then is a final record useful.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Returns the number of bytes that another run can use to resume.
    pub fn durable(&self) -> u64 {
        if self.journal.is_some() { self.record.durable.count() } else { 0 }
    }

    /// Marks wrong bytes as missing.
    pub fn drop_bytes(&mut self, range: &Range<u64>) {
        self.have.remove(range.clone());
        self.earlier.remove(range.clone());
        self.blocks.forget(range);
    }

    /// Returns the range of written bytes after the end of the file. Not empty only if another program has truncated
    /// the file.
    pub fn truncated(&self) -> io::Result<Range<u64>> {
        let length = self.part.length()?;
        Ok(length..self.have.end().max(length))
    }

    /// Marks all bytes as doubtful. All checksums are then verified when the file is complete.
    pub fn doubt(&mut self) {
        self.is_in_doubt = true;
    }

    /// Whether another program may have written to the file or truncated it.
    ///
    /// If so, a comparison with these bytes proves nothing about a server.
    pub fn is_in_doubt(&mut self) -> io::Result<bool> {
        self.is_in_doubt |= self.part.was_touched() || self.part.length()? < self.have.end();
        Ok(self.is_in_doubt)
    }

    /// Compares the bytes at each segment boundary, if they are present.
    ///
    /// Returns `false` if they do not match at a boundary. A boundary stays open if another program may have changed
    /// the file: the checksums then show the changed bytes first.
    pub fn settle_seams(&mut self) -> io::Result<bool> {
        for seam in std::mem::take(&mut self.record.seams) {
            let is_present = self.have.contains(&seam.range());
            let bytes = if is_present { self.part.read_there(seam.range())? } else { None };
            if bytes.as_ref().is_some_and(|bytes| seam.holds(bytes)) {
                continue;
            }
            self.record.seams.push(seam);
            // Ask again after the read, because the file can change at any time.
            if is_present && !self.is_in_doubt()? {
                tracing::warn!(guid = %self.record.guid, at = seam.at, "responses do not match where they join");
                self.is_torn = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Records that the file ends at `total`. Its last block is therefore complete.
    pub fn ended(&mut self, total: u64) {
        self.blocks.ended(total);
        self.finished.append(&mut self.blocks.take());
    }

    /// Makes all written bytes durable, then records them in the journal.
    pub fn checkpoint(&mut self) -> Result<(), TransferFailure> {
        let Some(checkpoint) = self.next_checkpoint() else { return Ok(()) };
        let done = checkpoint.run();
        self.take_back(done)
    }

    /// Writes the record again. The bytes that it lists as durable stay the same.
    pub fn rewrite_record(&mut self) -> io::Result<()> {
        write_record(&mut self.journal, &self.record, &[], &self.part)
    }

    /// Returns the blocks on disk that differ from the written bytes.
    ///
    /// Verifies the blocks of earlier runs. If another program may have written to the file, verifies all blocks, and
    /// counts blocks without a checksum as wrong. Calls `go_on` before each block, and stops if `go_on` returns
    /// `false`.
    pub fn rotten(&mut self, go_on: impl Fn() -> bool) -> io::Result<Vec<Range<u64>>> {
        let has_doubt = self.has_checksums && self.is_in_doubt()?;
        // Clear the flag. It is set again if another program changes the file later.
        self.is_in_doubt = false;
        let Some(total) = self.record.total.filter(|_| has_doubt || self.journal.is_some()) else { return Ok(Vec::new()) };
        self.finished.append(&mut self.blocks.take());
        let finished: HashMap<u64, BlockChecksum> = self.finished.iter().copied().collect();
        let mut rotten = Vec::new();
        for index in 0..total.div_ceil(block_checksums::BLOCK) {
            let range = block_checksums::range_of(index, total);
            if !go_on() {
                // Keep the flag set, because the remaining blocks were not verified.
                self.is_in_doubt = has_doubt;
                break;
            }
            if !has_doubt && !self.earlier.contains(&range) {
                continue;
            }
            let is_right = match self.checksum(index, &finished)? {
                Some(checksum) => {
                    self.part.read_there(range.clone())?.is_some_and(|bytes| checksum == BlockChecksum::of_block(&bytes))
                }
                None => !has_doubt,
            };
            if !is_right {
                rotten.push(range);
            }
        }
        Ok(rotten)
    }

    /// Returns the checksum of block `index`.
    ///
    /// `finished` contains checksums that are possibly not in the journal yet.
    fn checksum(&self, index: u64, finished: &HashMap<u64, BlockChecksum>) -> io::Result<Option<BlockChecksum>> {
        match (finished.get(&index), &self.journal) {
            (Some(checksum), _) => Ok(Some(*checksum).filter(|checksum| *checksum != BlockChecksum::NONE)),
            (None, Some(journal)) => journal.checksum(index),
            (None, None) => Ok(None),
        }
    }

    /// Gives the sealed file its final name.
    ///
    /// Before a rename, the journal records the final name, and that the whole file is durable. After a crash, this
    /// record alone proves that the renamed file is complete.
    pub fn place(&mut self, name: &str) -> Result<PublishedFile, TransferFailure> {
        self.place_by_calls(&partial::PublishSyscalls::real(), name)
    }

    /// Places the file like [`Self::place`], with these system calls.
    pub fn place_by_calls(&mut self, calls: &partial::PublishSyscalls, name: &str) -> Result<PublishedFile, TransferFailure> {
        self.finished.append(&mut self.blocks.take());
        let Self { part, record, journal, have, blocks, finished, .. } = self;
        let announced = record.placing.as_ref().map(|placing| placing.name.clone());
        part.place(calls, name, announced.as_deref(), |name| {
            record.placing = Some(JournalPlacement { name: name.to_owned() });
            (record.durable, record.begun) = (have.clone(), blocks.begun());
            write_record(journal, record, finished, part)
                .map_err(|error| TransferFailure::of_disk(&error, "writing the journal"))?;
            finished.clear();
            Ok(())
        })
    }

    /// Writes `pieces` contiguously from `offset`.
    pub fn write(&mut self, offset: u64, pieces: &[Bytes]) -> Result<(), TransferFailure> {
        let is_first = self.have.count() == 0;
        // If another program has truncated the file, this write extends it again and leaves a gap of zeros. In this
        // case, all bytes are doubtful.
        self.is_in_doubt |=
            self.part.length().map_err(|error| TransferFailure::of_disk(&error, "looking at the file"))? < self.have.end();
        let count = self.part.write(pieces, offset).map_err(|error| TransferFailure::of_disk(&error, "writing the file"))?;
        let mut at = offset;
        for piece in pieces {
            if self.has_checksums {
                self.blocks.written(at, piece);
            }
            at += piece.len() as u64;
        }
        self.have.insert(offset..offset + count);
        if let Some(promise) = &mut self.promise {
            promise.set(count);
        }
        if is_first && count > 0 {
            failpoint::hit("transfer.first-bytes");
        }
        if !self.is_reserved
            && self.have.count() >= self.reserve_after
            && let Some(total) = self.record.total
        {
            // Try to reserve space only once per run.
            self.reserve_after = u64::MAX;
            self.is_reserved = self.part.reserve(total, total.saturating_sub(self.have.count()));
            if let (true, Some(promise)) = (self.is_reserved, &mut self.promise) {
                promise.keep_all();
            }
        }
        Ok(())
    }

    /// Returns the next checkpoint.
    ///
    /// Returns `None` if there are no new bytes to record, or if no run could resume from them.
    pub fn next_checkpoint(&mut self) -> Option<PartialCheckpoint> {
        let claims_all = (self.journal.is_some() || self.have.count() == 0)
            && self.record.durable == self.have
            && self.told == (self.record.total, self.record.is_unmeasured);
        if !self.keeps_journal || !self.is_sound || claims_all {
            return None;
        }
        self.finished.append(&mut self.blocks.take());
        let record = JournalRecord { durable: self.have.clone(), begun: self.blocks.begun(), ..self.record.clone() };
        let (part, finished) = (self.part.clone(), std::mem::take(&mut self.finished));
        Some(PartialCheckpoint { part, journal: self.journal.take(), record, finished })
    }

    /// Applies the result of a checkpoint.
    pub fn take_back(&mut self, done: CompletedPartial) -> Result<(), TransferFailure> {
        self.journal = done.journal;
        match done.result {
            Ok(claimed) => {
                self.told = (claimed.total, claimed.is_unmeasured);
                (self.record.durable, self.record.begun) = (claimed.durable, claimed.begun);
            }
            Err(failure) => {
                self.is_sound = false;
                return Err(failure);
            }
        }
        Ok(())
    }
}

/// Checkpoint: a record to write after its bytes are durable.
pub(crate) struct PartialCheckpoint {
    part: Arc<PartialFile>,
    journal: Option<Journal>,
    record: JournalRecord,
    finished: Vec<(u64, BlockChecksum)>,
}

/// Result of a checkpoint. Contains the journal that the checkpoint borrowed.
#[derive(Debug)]
pub(crate) struct CompletedPartial {
    journal: Option<Journal>,
    result: Result<JournalRecord, TransferFailure>,
    pub took: Duration,
    pub ended: Instant,
}

impl PartialCheckpoint {
    /// Makes the bytes durable, then writes the record.
    pub fn run(mut self) -> CompletedPartial {
        let began = Instant::now();
        let result = self.claim().map(|()| self.record);
        let ended = Instant::now();
        CompletedPartial { journal: self.journal, result, took: ended - began, ended }
    }

    fn claim(&mut self) -> Result<(), TransferFailure> {
        failpoint::hit("transfer.before-data-sync");
        self.part.sync().map_err(|error| TransferFailure::of_disk(&error, "making the bytes durable"))?;
        failpoint::hit("transfer.after-data-sync");
        if !self.part.is_in_place() {
            return Err(TransferFailure::new(
                FailureKind::PartialChanged,
                "the partial was moved or deleted while it was written",
            ));
        }
        let length = self.part.length().map_err(|error| TransferFailure::of_disk(&error, "looking at the file"))?;
        // Another program may have truncated the file in the meantime.
        self.record.durable = self.record.durable.below(length);
        write_record(&mut self.journal, &self.record, &self.finished, &self.part)
            .map_err(|error| TransferFailure::of_disk(&error, "writing the journal"))?;
        failpoint::hit("transfer.checkpointed");
        Ok(())
    }
}

fn write_record(
    journal: &mut Option<Journal>,
    record: &JournalRecord,
    finished: &[(u64, BlockChecksum)],
    part: &PartialFile,
) -> io::Result<()> {
    if let Some(journal) = journal {
        return journal.write(record, finished);
    }
    let mut first = Journal::create(&partial::part::journal_of(part.path()))?;
    failpoint::hit("transfer.journal-created");
    first.write(record, finished)?;
    partial::part::sync_folder(partial::part::folder_of(part.path()))?;
    failpoint::hit("transfer.journal-in-folder");
    *journal = Some(first);
    Ok(())
}

#[cfg(test)]
impl PartialState {
    /// Returns the state of a file of `total` bytes. No byte of the file is present.
    pub fn of_nothing(part: PartialFile, total: Option<u64>, follower: StreamHasher, keeps_journal: bool) -> Self {
        use crate::model::{event::ResponseSummary, spec::Guid, validators::Validators};
        let head = ResponseSummary {
            status: 200,
            status_text: String::new(),
            headers: Vec::new(),
            url_chain: Vec::new(),
            total_size: total,
            name: "a".to_owned(),
        };
        let record = JournalRecord {
            guid: Guid(uuid::Uuid::from_u128(7)),
            method: "GET".to_owned(),
            url: "http://127.0.0.1/a".to_owned(),
            head,
            validators: Validators { etag: None, last_modified: None },
            total,
            may_resume: true,
            durable: ByteRanges::default(),
            seams: Vec::new(),
            begun: Vec::new(),
            resumed: false,
            restarts: 0,
            short_end: None,
            contradicted: None,
            by_overlap: false,
            is_unmeasured: false,
            placing: None,
        };
        Self::fresh(part, record, follower, keeps_journal)
    }
}
