//! What is held of a file, and the blocking task that writes it: data first, then the sync, then the journal's claim.
//!
//! One task for each running transfer, fed with batches through a channel of a few places, so that a slow disk slows
//! the network down instead of filling memory. All disk work is done there, off the async threads.

use std::{
    io,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use bytes::Bytes;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    crashpoint,
    journal::{Journal, Placing, Record},
    outcome::{Failure, FailureKind},
    part::{self, Part},
    plan::{self, Ranges},
    service::Counters,
    verify::Hasher,
};

/// Body bytes that must have come before space is reserved for the rest: a head alone reserves nothing.
const RESERVE_AFTER: u64 = 64 << 10;
/// Batches that may wait for the disk.
const WAITING: usize = 4;
/// How much longer than a sync the pause after it is: syncing stays below a tenth of the time.
const SYNC_SHARE: u32 = 9;
/// However slow the disk is: with so many bytes at stake the next checkpoint is not left out. It is what a person loses
/// at most, so it does not give way to the share above.
const MOST_AT_STAKE: u64 = 32 << 20;

/// A partial with everything known about it.
#[derive(Debug)]
pub(crate) struct Held {
    pub part: Part,
    pub record: Record,
    /// Bytes written from the start, durable or not.
    pub length: u64,
    /// The digest of those bytes, where one is wanted and all of them passed by in this run.
    pub hasher: Option<Hasher>,
    journal: Option<Journal>,
    /// Whether it may be gone on with in another run.
    keeps_journal: bool,
    is_reserved: bool,
    /// False once a sync failed: what was written since the last good one can no longer be made sure of.
    is_sound: bool,
}

impl Held {
    /// A partial just made. One that does not keep a journal is removed when its run fails.
    pub fn fresh(part: Part, record: Record, hasher: Option<Hasher>, keeps_journal: bool) -> Self {
        Self { part, record, length: 0, hasher, journal: None, keeps_journal, is_reserved: false, is_sound: true }
    }

    /// A partial with its journal: only what the journal claims, and the file can still have, counts.
    pub fn reopened(part: Part, journal: Journal, record: Record) -> io::Result<Self> {
        let length = record.durable.prefix().min(part.length()?);
        Ok(Self {
            part,
            record,
            length,
            hasher: None,
            journal: Some(journal),
            keeps_journal: true,
            is_reserved: true,
            is_sound: true,
        })
    }

    /// The old bytes go aside, and a new file begins under `record`. First the journal stops claiming anything.
    pub fn begin_again(mut self, record: Record, hasher: Option<Hasher>) -> io::Result<Self> {
        if let Some(journal) = &mut self.journal {
            journal.write(&record)?;
            crashpoint::hit("transfer.claim-dropped");
        }
        let part = self.part.begin_again()?;
        Ok(Self { part, record, length: 0, hasher, is_reserved: false, is_sound: true, ..self })
    }

    /// The overlap that a resume from here compares.
    pub fn overlap(&self) -> io::Result<Vec<u8>> {
        let start = self.length.saturating_sub(plan::OVERLAP);
        let mut bytes = vec![0; usize::try_from(self.length - start).unwrap_or_default()];
        std::os::unix::fs::FileExt::read_exact_at(self.part.file(), &mut bytes, start)?;
        Ok(bytes)
    }

    /// Whether a journal is there, so that the end is worth one more record.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Bytes that another run can go on from.
    pub fn durable(&self) -> u64 {
        if self.journal.is_some() { self.record.durable.prefix() } else { 0 }
    }

    /// Bytes that a power cut now would cost.
    fn at_stake(&self) -> u64 {
        self.length.saturating_sub(self.durable())
    }

    /// Makes everything written so far durable, and then says so.
    pub fn checkpoint(&mut self) -> Result<(), Failure> {
        if !self.keeps_journal || !self.is_sound || (self.durable() == self.length && self.journal.is_some()) {
            return Ok(());
        }
        crashpoint::hit("transfer.before-data-sync");
        if let Err(error) = self.part.sync() {
            self.is_sound = false;
            return Err(Failure::of_disk(&error, "making the bytes durable"));
        }
        crashpoint::hit("transfer.after-data-sync");
        if !self.part.is_in_place() {
            self.is_sound = false;
            return Err(Failure::new(FailureKind::Target, "the partial was moved or deleted while it was written"));
        }
        self.record.durable = Ranges::first(self.length);
        write_record(&mut self.journal, &self.record, &self.part).map_err(|error| {
            self.is_sound = false;
            Failure::of_disk(&error, "writing the journal")
        })?;
        crashpoint::hit("transfer.checkpointed");
        Ok(())
    }

    /// Writes the record again, claiming no more than before.
    pub fn rewrite_record(&mut self) -> io::Result<()> {
        write_record(&mut self.journal, &self.record, &self.part)
    }

    /// Gives the sealed file its final name. Where that means renaming, the journal says so first.
    pub fn place(&mut self, name: &str) -> Result<PathBuf, Failure> {
        let Self { part, record, journal, .. } = self;
        part.place(name, |name| {
            record.placing = Some(Placing { name: name.to_owned(), inode: part.inode() });
            write_record(journal, record, part).map_err(|error| Failure::of_disk(&error, "writing the journal"))
        })
    }

    fn write(&mut self, piece: &[u8]) -> Result<(), Failure> {
        self.part.write(piece, self.length).map_err(|error| Failure::of_disk(&error, "writing the file"))?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(piece);
        }
        if self.length == 0 && !piece.is_empty() {
            crashpoint::hit("transfer.first-bytes");
        }
        self.length += piece.len() as u64;
        if !self.is_reserved
            && self.length >= RESERVE_AFTER
            && let Some(total) = self.record.total
        {
            self.is_reserved = true;
            self.part.reserve(total);
        }
        Ok(())
    }
}

fn write_record(journal: &mut Option<Journal>, record: &Record, part: &Part) -> io::Result<()> {
    if let Some(journal) = journal {
        return journal.write(record);
    }
    let mut first = Journal::create(&part::journal_of(part.path()))?;
    crashpoint::hit("transfer.journal-created");
    first.write(record)?;
    part::sync_folder(part::folder_of(part.path()))?;
    crashpoint::hit("transfer.journal-in-folder");
    *journal = Some(first);
    Ok(())
}

enum Order {
    Write(Vec<Bytes>),
    Checkpoint,
}

/// The writing task.
#[derive(Debug)]
pub(crate) struct Writer {
    orders: mpsc::Sender<Order>,
    task: JoinHandle<(Held, Result<(), Failure>)>,
}

/// The writing task ended early; [`Writer::close`] says why.
#[derive(Debug)]
pub(crate) struct Gone;

impl Writer {
    /// Goes on writing where `held` ends.
    pub fn start(held: Held, counters: Arc<Counters>) -> Self {
        let (orders, queue) = mpsc::channel(WAITING);
        let task = tokio::task::spawn_blocking(move || work(held, queue, &counters));
        Self { orders, task }
    }

    /// Hands over a batch; waits while the disk is behind.
    pub async fn write(&self, batch: Vec<Bytes>) -> Result<(), Gone> {
        self.orders.send(Order::Write(batch)).await.map_err(|_| Gone)
    }

    /// Asks for a checkpoint. One that would come too soon after the last is left out, while little is at stake.
    pub async fn checkpoint(&self) -> Result<(), Gone> {
        self.orders.send(Order::Checkpoint).await.map_err(|_| Gone)
    }

    /// Ends the task and gives back what is held. `keep` makes everything durable first; it does so also when the task
    /// had failed, as far as that goes.
    pub async fn close(self) -> Result<(Held, Result<(), Failure>), Failure> {
        drop(self.orders);
        joined(self.task).await
    }
}

/// What a disk task gives. One that panicked is a defect of ours; one that was never run means that the runtime is ending,
/// and so is this run: that is no failure of the transfer, and nothing may be told of it.
pub(crate) async fn joined<T>(task: JoinHandle<T>) -> Result<T, Failure> {
    match task.await {
        Ok(done) => Ok(done),
        Err(error) if error.is_cancelled() => std::future::pending().await,
        Err(error) => Err(Failure::new(FailureKind::Internal, format!("disk work ended: {error}"))),
    }
}

fn work(mut held: Held, mut queue: mpsc::Receiver<Order>, counters: &Counters) -> (Held, Result<(), Failure>) {
    let mut quiet_until = Instant::now();
    let mut result = Ok(());
    while let Some(order) = queue.blocking_recv() {
        result = match order {
            Order::Write(batch) => batch.iter().try_for_each(|piece| held.write(piece)),
            Order::Checkpoint if Instant::now() < quiet_until && held.at_stake() < MOST_AT_STAKE => Ok(()),
            Order::Checkpoint => {
                let begun = Instant::now();
                let done = held.checkpoint();
                let took = begun.elapsed().min(Duration::from_secs(10));
                quiet_until = Instant::now() + took * SYNC_SHARE;
                done
            }
        };
        counters.durable.store(held.durable(), Ordering::Release);
        if result.is_err() {
            break;
        }
    }
    (held, result)
}
