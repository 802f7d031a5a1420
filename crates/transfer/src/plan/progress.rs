//! Counts the progress of one running transfer.
//!
//! Only the run of the transfer writes the counters. All other code only reads them.

use std::sync::{
    Arc, Mutex, PoisonError, Weak,
    atomic::{AtomicU64, Ordering},
};

use crate::plan::{segment_map::SegmentMap, segment_plan::SegmentPlan};

/// Progress of a running transfer, for display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferProgress {
    /// Number of body bytes that are present, even if they are not durable yet.
    pub downloaded: u64,
    /// Number of body bytes that this run has received from the server. Unlike `downloaded`, it excludes the bytes that
    /// an earlier run left in the partial file. It does not decrease if the file is fetched again from its start.
    pub received: u64,
    /// Number of body bytes that were sent to the server.
    pub uploaded: u64,
    /// Complete size; `None` until it is known.
    pub total: Option<u64>,
}

/// Counters of one run. Other threads can read them without sending a message to the run.
#[derive(Debug, Default)]
pub(crate) struct ByteCounters {
    pub downloaded: AtomicU64,
    /// Number of bytes of the file that this run has received.
    received: AtomicU64,
    pub uploaded: AtomicU64,
    /// Number of bytes that another run can use to resume.
    pub durable: AtomicU64,
    /// Number of contiguous bytes at the start of the file, even if they are not durable yet.
    pub prefix: AtomicU64,
    /// Complete size plus one. Zero while the size is unknown.
    total: AtomicU64,
    /// Plan of the file's segments. Set while the segments are fetched.
    pub(crate) plan: Mutex<Weak<Mutex<SegmentPlan>>>,
}

impl ByteCounters {
    /// Sets the number of present bytes and the complete size.
    pub fn hold(&self, downloaded: u64, total: Option<u64>) {
        self.downloaded.store(downloaded, Ordering::Release);
        self.set_total(total);
    }

    /// Counts `bytes` bytes of the file that the server has just sent.
    pub fn receive(&self, bytes: u64) {
        self.received.fetch_add(bytes, Ordering::AcqRel);
        self.downloaded.fetch_add(bytes, Ordering::AcqRel);
    }

    /// Sets the complete size.
    pub fn set_total(&self, total: Option<u64>) {
        self.total.store(total.map_or(0, |total| total.saturating_add(1)), Ordering::Release);
    }

    /// Sets the segment plan that the run uses to fetch the file.
    pub fn show(&self, plan: &Arc<Mutex<SegmentPlan>>) {
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(plan);
    }

    /// Returns the map of segments.
    ///
    /// Returns `None` if no bytes are being fetched, or if the size is unknown.
    pub(crate) fn map(&self, parts: usize) -> Option<SegmentMap> {
        let total = self.progress().total?;
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner).upgrade()?;
        let plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
        Some(plan.map(total, parts))
    }

    pub(crate) fn progress(&self) -> TransferProgress {
        TransferProgress {
            downloaded: self.downloaded.load(Ordering::Acquire),
            received: self.received.load(Ordering::Acquire),
            uploaded: self.uploaded.load(Ordering::Acquire),
            total: self.total.load(Ordering::Acquire).checked_sub(1),
        }
    }
}
