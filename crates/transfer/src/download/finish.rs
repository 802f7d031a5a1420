//! Finishes a file after all its bytes have arrived: verifies it, waits for the acknowledgement, and places it.
//!
//! Called by `resume_loop` and `upload`.

use std::ops::Range;

use http::Method;

use crate::{
    download::{
        metalink_lookup::described,
        run::{TransferEnd, TransferRun, blocking},
    },
    failpoint,
    http::response_head::has_no_body_by,
    integrity::metalink::MetalinkFile,
    model::{
        digest::FileDigest,
        event::TransferEvent,
        failure::TransferFailure,
        failure_kind::FailureKind,
        outcome::{CompletedTransfer, Verification},
    },
    partial::{
        finalize::{self, FinalCheck, PlacedFile},
        state::PartialState,
        stream_hasher::StreamHasher,
    },
};

/// Result of finishing a file.
pub(crate) enum FinishedRun {
    Completed(CompletedTransfer),
    /// These bytes are wrong and must be fetched again.
    Wrong(PartialState, Vec<Range<u64>>),
    /// Adjacent segments from different connections do not match.
    Torn(PartialState),
    /// The partial file was removed.
    Vanished,
}

impl TransferRun {
    /// Verifies a complete file, waits for the caller's acknowledgement and places it.
    pub(crate) async fn finish(&mut self, mut held: PartialState) -> Result<FinishedRun, TransferEnd> {
        failpoint::hit("transfer.all-bytes");
        if let Some(expected) = self.spec.expected.size.filter(|expected| *expected != held.have.end()) {
            let text = format!("{expected} bytes were expected, and {} came", held.have.end());
            return self.give_up_on(held, TransferFailure::new(FailureKind::WrongSize, text)).await;
        }
        let mut expected = self.spec.expected_of(&held.record.head);
        if !expected.says_all() {
            let Some(described) = self.described(&held).await else { return self.stopped_at_the_end(held).await };
            if let Some(described) = described {
                expected = expected.and(described);
                held.follower = StreamHasher::new(&expected.algorithms(), expected.pieces.clone());
            }
        }
        let (wanted, stop, counters) = (expected.clone(), self.stop.clone(), self.counters.clone());
        let (held, checked) = blocking(move || finalize::check(held, &wanted, &stop, &counters)).await?;
        let digests = match checked? {
            FinalCheck::Right(digests) => digests,
            FinalCheck::Wrong(ranges) => return Ok(FinishedRun::Wrong(held, ranges)),
            FinalCheck::Differs { expected, found } => return self.repair(held, &expected, &found).await,
            FinalCheck::Torn => return Ok(FinishedRun::Torn(held)),
            FinalCheck::Stopped => return self.stopped_at_the_end(held).await,
        };
        failpoint::hit("transfer.digest-checked");
        let _ = self.shared.events.send(TransferEvent::Fetched { guid: self.spec.guid });
        if let Some(ack) = self.ack.take() {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return self.stopped_at_the_end(held).await,
                answered = ack => if answered.is_err() { return self.stopped_at_the_end(held).await },
            }
        }
        failpoint::hit("transfer.head-stored");
        let verified = if expected.says_all() { Verification::ByDigest } else { held.record.verified() };
        let size = held.have.end();
        let computed = digests.iter().find(|digest| expected.compute == Some(digest.algorithm)).cloned();
        let digest = expected.strongest().cloned();
        let keeps_nothing = has_no_body_by(held.record.head.status) || (size == 0 && self.spec.method != Method::GET);
        let origin = self.spec.url.clone();
        let completed =
            |path, missing| FinishedRun::Completed(CompletedTransfer { path, size, verified, digest, computed, missing });
        if keeps_nothing {
            blocking(move || finalize::drop_part(&held)).await??;
            return Ok(completed(None, Vec::new()));
        }
        let (held, placed) = blocking(move || finalize::place(held, &origin)).await?;
        match placed? {
            PlacedFile::At(published) => Ok(completed(Some(published.path), published.missing)),
            PlacedFile::Wrong(ranges) => Ok(FinishedRun::Wrong(held, ranges)),
            PlacedFile::Gone => {
                self.vanished(&held).await?;
                Ok(FinishedRun::Vanished)
            }
        }
    }

    /// Decides how to continue if the digest of the whole file is wrong.
    ///
    /// If a Metalink contains digests of pieces, only the pieces with a wrong digest are fetched again.
    async fn repair(
        &mut self,
        held: PartialState,
        expected: &FileDigest,
        found: &FileDigest,
    ) -> Result<FinishedRun, TransferEnd> {
        let Some(described) = self.described(&held).await else { return self.stopped_at_the_end(held).await };
        let described = described.filter(|file| file.digests.contains(expected));
        let (mut held, mut wrong) = (held, Vec::new());
        if let Some(pieces) = described.and_then(|file| file.pieces) {
            let stop = self.stop.clone();
            let (looked_at, located) = blocking(move || finalize::locate(held, pieces, &stop)).await?;
            held = looked_at;
            match located? {
                FinalCheck::Wrong(ranges) => wrong = ranges,
                _ => return self.stopped_at_the_end(held).await,
            }
        }
        match wrong.is_empty() {
            // The wrong digest may come from mixing the bytes of different mirrors. The first address of the file, used
            // alone, may still serve the correct bytes.
            true if std::mem::take(&mut self.is_mixed) => Ok(FinishedRun::Torn(held)),
            true => {
                let text = format!("expected {expected}, found {found}");
                self.give_up_on(held, TransferFailure::new(FailureKind::DigestMismatch, text)).await
            }
            false => Ok(FinishedRun::Wrong(held, wrong)),
        }
    }

    /// Returns the Metalink entry of the file. The response head in `held` contains the link to the Metalink.
    ///
    /// Requests the Metalink at most once. The outer value is `None` if the run was stopped during the request. The
    /// inner value is `None` if there is no entry.
    async fn described(&self, held: &PartialState) -> Option<Option<MetalinkFile>> {
        let read = || described(&self.client, &self.spec, &self.meter, &held.record.head, held.have.end());
        self.stop.run_until_cancelled(self.described.get_or_init(read)).await.cloned()
    }

    async fn stopped_at_the_end(&self, held: PartialState) -> Result<FinishedRun, TransferEnd> {
        self.save(held).await?;
        Err(TransferEnd::Stopped)
    }
}
