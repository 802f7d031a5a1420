//! What is held of a file: its partial, which bytes of it are there, their checksums, its journal, and what a checkpoint
//! claims of it. Whoever has it writes alone; when and in which thread is [`Writer`](crate::partial::writer::Writer)'s to say.

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
    model::outcome::{FailureKind, TransferFailure},
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

/// A partial with everything known about it.
#[derive(Debug)]
pub(crate) struct PartialState {
    pub part: Arc<PartialFile>,
    pub record: JournalRecord,
    /// Bytes written, durable or not.
    pub have: ByteRanges,
    /// Those of them that an earlier run wrote; what a checksum stands for is looked at again before the end.
    pub earlier: ByteRanges,
    /// Makes the digests that are wanted of the whole file and its pieces.
    pub follower: StreamHasher,
    journal: Option<Journal>,
    blocks: BlockChecksums,
    finished: Vec<(u64, BlockChecksum)>,
    /// The total that the journal has, and whether it says that nobody stated it.
    told: (Option<u64>, bool),
    /// Whether it may be gone on with in another run.
    keeps_journal: bool,
    /// Whether checksums are made of what is written.
    pub has_checksums: bool,
    /// Space is reserved for the rest when so much has come.
    pub reserve_after: u64,
    is_reserved: bool,
    /// What it has still to write is promised to it, as far as its size is known.
    pub promise: Option<SpaceReservation>,
    /// Pieces of different connections turned out not to fit together.
    pub is_torn: bool,
    /// False once a sync failed: what was written since the last good one can no longer be made sure of.
    pub is_sound: bool,
    /// Somebody else may have written to it, and nobody has looked what became of its bytes.
    is_in_doubt: bool,
}

impl PartialState {
    /// A partial just made. One that does not keep a journal is removed when its run fails.
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

    /// A partial with its journal: only what somebody vouches for counts.
    pub fn reopened(part: PartialFile, mut journal: Journal, record: JournalRecord, follower: StreamHasher) -> io::Result<Self> {
        let (have, blocks) = vouched(&part, &journal, &record)?;
        let (earlier, claimed) = (have.clone(), record.durable.count());
        let record = JournalRecord { durable: have.clone(), begun: blocks.begun(), ..record };
        if have.count() < claimed {
            // Where this fails, the next run finds the same.
            let _ = journal.write(&record, &[]);
        }
        let fresh = Self::fresh(part, record, follower, true);
        Ok(Self { have, earlier, blocks, journal: Some(journal), ..fresh })
    }

    /// The old bytes go aside, and a new file begins under `record`. They go first: until the journal stops claiming them, what
    /// it claims is held against a file that is empty or not there, so that a crash in between neither mixes nor loses them.
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

    /// Has what is missing of it promised. Fails where that does not fit beside what is promised to others.
    pub fn promise_space(&mut self, promises: &SpaceReservations) -> Result<(), TransferFailure> {
        self.promise = None;
        let Some(total) = self.record.total else { return Ok(()) };
        let Ok((volume, room, has)) = self.part.space() else { return Ok(()) };
        let missing = total.saturating_sub(self.have.count());
        // A run that was killed gave nothing back: what is reserved is there, and no longer free.
        let reserved = has.saturating_sub(self.have.count());
        self.is_reserved = missing > 0 && reserved >= missing;
        let needed = missing.saturating_sub(reserved);
        self.promise = Some(promises.make(volume, needed, room.free)?);
        Ok(())
    }

    /// The run ends before the file is whole: what it reserved is free for others.
    pub fn give_space_back(&mut self) {
        self.promise = None;
        if std::mem::take(&mut self.is_reserved)
            && let Some(total) = self.record.total
        {
            self.part.release_ranges(&self.have.missing(total));
        }
    }

    /// Cuts the partial after its last trusted byte; later bytes are fetched again anyway. After a power cut, NTFS may refuse to read
    /// or write after the last synced cluster, and the cut repairs the file.
    pub fn cut_untrusted(&self) {
        if let Err(error) = self.part.cut(self.have.end()) {
            // If the tail is damaged, the next write fails and names the cause.
            tracing::info!(guid = %self.record.guid, %error, "could not cut the end of the partial");
        }
    }

    /// The bytes right before `at` that a resume from there compares.
    pub fn overlap(&self, at: u64) -> io::Result<Vec<u8>> {
        let count = self.have.before(at).min(segment_plan::OVERLAP);
        self.part.read(at - count..at)
    }

    /// Whether all of it is there.
    pub fn is_whole(&self) -> bool {
        self.record.total.is_some_and(|total| self.have.prefix() >= total)
    }

    /// Whether a journal is there, so that the end is worth one more record.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Bytes that another run can go on from.
    pub fn durable(&self) -> u64 {
        if self.journal.is_some() { self.record.durable.count() } else { 0 }
    }

    /// These bytes are wrong: they are missing from now on.
    pub fn drop_bytes(&mut self, range: &Range<u64>) {
        self.have.remove(range.clone());
        self.earlier.remove(range.clone());
        self.blocks.forget(range);
    }

    /// All of it is compared with its checksums at the end, whoever wrote it.
    pub fn doubt(&mut self) {
        self.is_in_doubt = true;
    }

    /// Whether somebody else may have written to it, or cut it. What lies there then says nothing about a server.
    pub fn is_in_doubt(&mut self) -> io::Result<bool> {
        self.is_in_doubt |= self.part.was_touched() || self.part.length()? < self.have.end();
        Ok(self.is_in_doubt)
    }

    /// Compares what lies at each seam, where it is there by now; false when a seam does not hold.
    pub fn settle_seams(&mut self) -> io::Result<bool> {
        for seam in std::mem::take(&mut self.record.seams) {
            if !self.have.contains(&seam.range()) {
                self.record.seams.push(seam);
            } else if !seam.holds(&self.part.read(seam.range())?) {
                tracing::warn!(guid = %self.record.guid, at = seam.at, "pieces of two answers do not fit together");
                self.is_torn = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The file ends at `total`: its last block is as long as it will be.
    pub fn ended(&mut self, total: u64) {
        self.blocks.ended(total);
        self.finished.append(&mut self.blocks.take());
    }

    /// Makes everything written so far durable, and then says so.
    pub fn checkpoint(&mut self) -> Result<(), TransferFailure> {
        let Some(checkpoint) = self.next_checkpoint() else { return Ok(()) };
        let done = checkpoint.run();
        self.take_back(done)
    }

    /// Writes the record again, claiming no more than before.
    pub fn rewrite_record(&mut self) -> io::Result<()> {
        write_record(&mut self.journal, &self.record, &[], &self.part)
    }

    /// Which blocks have other bytes now than when they were written: of those of earlier runs, and of all where somebody else
    /// may have written to them. Then those that nobody vouches for are among them. Asks `go_on` between two.
    pub fn rotten(&mut self, go_on: impl Fn() -> bool) -> io::Result<Vec<Range<u64>>> {
        let has_doubt = self.has_checksums && self.is_in_doubt()?;
        // What is written from now on is another doubt.
        self.is_in_doubt = false;
        let Some(total) = self.record.total.filter(|_| has_doubt || self.journal.is_some()) else { return Ok(Vec::new()) };
        self.finished.append(&mut self.blocks.take());
        let finished: HashMap<u64, BlockChecksum> = self.finished.iter().copied().collect();
        let mut rotten = Vec::new();
        for index in 0..total.div_ceil(block_checksums::BLOCK) {
            let range = block_checksums::range_of(index, total);
            if !go_on() {
                // Nobody knows what the rest is like.
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

    /// The checksum of block `index`; `finished` are those that the journal may not have yet.
    fn checksum(&self, index: u64, finished: &HashMap<u64, BlockChecksum>) -> io::Result<Option<BlockChecksum>> {
        match (finished.get(&index), &self.journal) {
            (Some(checksum), _) => Ok(Some(*checksum).filter(|checksum| *checksum != BlockChecksum::NONE)),
            (None, Some(journal)) => journal.checksum(index),
            (None, None) => Ok(None),
        }
    }

    /// Gives the sealed file its final name. Where that means renaming, the journal says so first, and that all of the file is
    /// durable: after a crash nothing else tells the next run that the renamed file is complete.
    pub fn place(&mut self, name: &str) -> Result<PublishedFile, TransferFailure> {
        self.place_by_calls(&partial::PublishSyscalls::real(), name)
    }

    /// The same by `calls`.
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

    /// Writes these pieces one after the other from `offset` on.
    pub fn write(&mut self, offset: u64, pieces: &[Bytes]) -> Result<(), TransferFailure> {
        let is_first = self.have.count() == 0;
        // What was cut would be made longer again, with zeros in between.
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
            // Tried once a run.
            self.reserve_after = u64::MAX;
            self.is_reserved = self.part.reserve(total, total.saturating_sub(self.have.count()));
            if let (true, Some(promise)) = (self.is_reserved, &mut self.promise) {
                promise.keep_all();
            }
        }
        Ok(())
    }

    /// What a checkpoint now would make durable; none where that is nothing, or nobody would go on from it.
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

    /// Takes in what a checkpoint made durable.
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

/// One checkpoint: what is claimed once it is durable.
pub(crate) struct PartialCheckpoint {
    part: Arc<PartialFile>,
    journal: Option<Journal>,
    record: JournalRecord,
    finished: Vec<(u64, BlockChecksum)>,
}

/// A checkpoint that was tried, with what it borrowed.
#[derive(Debug)]
pub(crate) struct CompletedPartial {
    journal: Option<Journal>,
    result: Result<JournalRecord, TransferFailure>,
    pub took: Duration,
    pub ended: Instant,
}

impl PartialCheckpoint {
    /// Makes it durable, and then says so.
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
        // Somebody may have cut it.
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
    /// Nothing yet of a file that is so long.
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
