//! The counters of one running transfer. The run writes them, and everyone else reads them without asking the run.

use std::sync::{
    Arc, Mutex, PoisonError, Weak,
    atomic::{AtomicU64, Ordering},
};

use crate::plan::{segment_map::SegmentMap, segment_plan::SegmentPlan};

/// Where one running transfer is, for people to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransferProgress {
    /// Body bytes of the file that are there, durable or not.
    pub downloaded: u64,
    /// Body bytes sent.
    pub uploaded: u64,
    /// The complete size, once known.
    pub total: Option<u64>,
}

/// The numbers of one run, read by whoever wants to know, without asking the run.
#[derive(Debug, Default)]
pub(crate) struct ByteCounters {
    pub downloaded: AtomicU64,
    pub uploaded: AtomicU64,
    /// Bytes that another run can go on from.
    pub durable: AtomicU64,
    /// Bytes in one piece at the start of the file that are written, durable or not.
    pub prefix: AtomicU64,
    /// One more than the complete size; zero while it is not known.
    total: AtomicU64,
    /// Plan of its segments, while they are fetched.
    pub(crate) plan: Mutex<Weak<Mutex<SegmentPlan>>>,
}

impl ByteCounters {
    /// So much is there now, of so much.
    pub fn hold(&self, downloaded: u64, total: Option<u64>) {
        self.downloaded.store(downloaded, Ordering::Release);
        self.set_total(total);
    }

    /// The complete size is known now.
    pub fn set_total(&self, total: Option<u64>) {
        self.total.store(total.map_or(0, |total| total.saturating_add(1)), Ordering::Release);
    }

    /// This is how it is being fetched now.
    pub fn show(&self, plan: &Arc<Mutex<SegmentPlan>>) {
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(plan);
    }

    /// None while nothing is being fetched, or nobody knows how much that will be.
    pub(crate) fn map(&self, parts: usize) -> Option<SegmentMap> {
        let total = self.progress().total?;
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner).upgrade()?;
        let plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
        Some(plan.map(total, parts))
    }

    pub(crate) fn progress(&self) -> TransferProgress {
        TransferProgress {
            downloaded: self.downloaded.load(Ordering::Acquire),
            uploaded: self.uploaded.load(Ordering::Acquire),
            total: self.total.load(Ordering::Acquire).checked_sub(1),
        }
    }
}
