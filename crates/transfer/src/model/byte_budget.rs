//! Tracks byte budgets: for a group of transfers, and for all transfers with the same quota.
//!
//! - Every byte is taken from the budget before it is stored, so that the budget is never exceeded.
//! - The budget of a group is a [`ByteBudget`]. If a run ends without finishing its file, its bytes are given back.
//! - A [`QuotaHold`] reserves the bytes of a transfer in budgets that outlive the transfer. The caller keeps the
//!   `QuotaHold`, and closes it only after counting the result elsewhere. No byte is therefore ever left out of the
//!   count.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicI64, Ordering},
};

use crate::model::{failure::TransferFailure, failure_kind::FailureKind};

/// Budget of body bytes shared by several transfers.
#[derive(Debug)]
pub struct ByteBudget {
    budget: AtomicI64,
    left: AtomicI64,
}

impl ByteBudget {
    /// Creates a budget of `bytes`.
    pub fn new(bytes: u64) -> Self {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        Self { budget: AtomicI64::new(bytes), left: AtomicI64::new(bytes) }
    }

    /// Changes the size of the budget. Taken bytes stay taken.
    ///
    /// Concurrent calls are not allowed.
    pub fn resize(&self, budget: i64) {
        let before = self.budget.swap(budget, Ordering::AcqRel);
        self.left.fetch_add(budget.saturating_sub(before), Ordering::AcqRel);
    }

    /// Returns the number of bytes left.
    ///
    /// Negative if more bytes are taken than the budget contains.
    pub fn left(&self) -> i64 {
        self.left.load(Ordering::Acquire)
    }

    /// Takes all of `bytes`, or nothing. Returns false if fewer bytes are left.
    pub fn take(&self, bytes: u64) -> bool {
        let Ok(bytes) = i64::try_from(bytes) else { return false };
        self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| (left >= bytes).then(|| left - bytes)).is_ok()
    }

    /// Takes `bytes` even if fewer are left, because these bytes already exist.
    fn force(&self, bytes: u64) {
        self.left.fetch_sub(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::AcqRel);
    }

    /// Gives back bytes that were taken and then discarded.
    pub fn release_bytes(&self, bytes: u64) {
        self.left.fetch_add(i64::try_from(bytes).unwrap_or(0), Ordering::AcqRel);
    }
}

/// Bytes that a transfer has reserved in several budgets.
///
/// Reserved bytes are used first. Further bytes are taken as needed.
#[derive(Debug, Default)]
pub struct QuotaHold(Mutex<HeldBytes>);

#[derive(Debug, Default)]
struct HeldBytes {
    budgets: Vec<Arc<ByteBudget>>,
    /// Number of bytes that were taken from each budget.
    taken: u64,
    /// Number of `taken` bytes that are stored.
    used: u64,
    /// Largest total, in bytes, for which a reservation was refused.
    refused: u64,
}

impl QuotaHold {
    /// Creates an empty reservation in `budgets`.
    pub fn on(budgets: Vec<Arc<ByteBudget>>) -> Self {
        Self(Mutex::new(HeldBytes { budgets, ..HeldBytes::default() }))
    }

    /// Changes the reservation to a total of `bytes`, but never below the stored bytes.
    ///
    /// If too few bytes are left, returns false and keeps the reservation unchanged.
    pub fn reserve(&self, bytes: u64) -> bool {
        let mut held = self.held();
        let wanted = bytes.max(held.used);
        if wanted <= held.taken {
            let spare = held.taken - wanted;
            held.release_held(spare);
            return true;
        }
        held.take(wanted)
    }

    /// Reserves a total of `bytes`, even if fewer bytes are left.
    ///
    /// Used for bytes that already exist or were granted earlier.
    pub fn force(&self, bytes: u64) {
        let mut held = self.held();
        let more = bytes.saturating_sub(held.taken);
        held.budgets.iter().for_each(|budget| budget.force(more));
        held.taken += more;
    }

    /// Moves all reserved bytes from the current budgets to `budgets`, even if fewer bytes are left there.
    ///
    /// If this overdraws a budget, the reserved bytes count as refused.
    pub fn join(&self, budgets: Vec<Arc<ByteBudget>>) {
        let mut held = self.held();
        let taken = held.taken;
        // Take first and give back second. Otherwise the bytes would be free for a moment in a budget that is in both
        // lists.
        budgets.iter().for_each(|budget| budget.force(taken));
        held.budgets.iter().for_each(|budget| budget.release_bytes(taken));
        if budgets.iter().any(|budget| budget.left() < 0) {
            held.refused = held.refused.max(taken).max(1);
        }
        held.budgets = budgets;
    }

    /// Gives back all bytes and ends the reservation. Called after the result was counted elsewhere.
    pub fn close(&self) {
        let mut held = self.held();
        let taken = held.taken;
        held.release_held(taken);
        held.budgets.clear();
    }

    /// Returns the largest total for which a reservation was refused, or 0 if none was refused.
    pub fn refused(&self) -> u64 {
        self.held().refused
    }

    /// Returns whether any budget is overdrawn: more bytes were taken from it than it contains.
    pub fn is_overdrawn(&self) -> bool {
        self.held().budgets.iter().any(|budget| budget.left() < 0)
    }

    /// Records that `bytes` further bytes are about to be stored.
    ///
    /// Returns false if too few bytes are left.
    fn store(&self, bytes: u64) -> bool {
        let mut held = self.held();
        let wanted = held.used.saturating_add(bytes);
        let may = wanted <= held.taken || held.take(wanted);
        if may {
            held.used = wanted;
        }
        may
    }

    /// Records that `bytes` of the stored bytes no longer exist.
    fn drop_stored(&self, bytes: u64) {
        let mut held = self.held();
        held.used = held.used.saturating_sub(bytes);
    }

    fn held(&self) -> MutexGuard<'_, HeldBytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldBytes {
    /// Increases the taken bytes to `wanted`. Returns false, and takes nothing, if a budget has too few bytes left.
    fn take(&mut self, wanted: u64) -> bool {
        let more = wanted.saturating_sub(self.taken);
        for (number, budget) in self.budgets.iter().enumerate() {
            if !budget.take(more) {
                self.budgets.iter().take(number).for_each(|budget| budget.release_bytes(more));
                self.refused = self.refused.max(wanted);
                return false;
            }
        }
        self.taken += more;
        true
    }

    fn release_held(&mut self, bytes: u64) {
        self.budgets.iter().for_each(|budget| budget.release_bytes(bytes));
        self.taken -= bytes;
    }
}

impl Drop for QuotaHold {
    fn drop(&mut self) {
        self.close();
    }
}

/// Bytes that a run has taken from the budget of its group, and has stored under its [`QuotaHold`].
///
/// If the run ends without finishing the file, the bytes are given back. The next run then takes the durable bytes
/// again.
#[derive(Debug, Default)]
pub(crate) struct ByteReservation {
    allowance: Option<Arc<ByteBudget>>,
    hold: Option<Arc<QuotaHold>>,
    /// Number of bytes of the file that are stored, or about to be stored.
    taken: u64,
    /// Length of the file in bytes, as the server states it.
    ///
    /// This number of bytes is reserved in the allowance.
    declared: u64,
}

impl ByteReservation {
    /// Creates a reservation in `allowance` and `hold`.
    ///
    /// If both are `None`, any number of bytes may be taken.
    pub fn on(allowance: Option<Arc<ByteBudget>>, hold: Option<Arc<QuotaHold>>) -> Self {
        Self { allowance, hold, taken: 0, declared: 0 }
    }

    /// Reserves `length` bytes of the allowance for one file. Called before the body of the file is received.
    ///
    /// Other files of the group can no longer use these bytes. Fails with `DownloadTotalExceeded` if fewer bytes are
    /// left.
    pub fn declare(&mut self, length: u64) -> Result<(), TransferFailure> {
        let more = length.saturating_sub(self.held());
        if self.allowance.as_ref().is_some_and(|allowance| !allowance.take(more)) {
            let text = format!("{length} bytes are offered, and together with the other files that is more than was declared");
            return Err(TransferFailure::new(FailureKind::DownloadTotalExceeded, text));
        }
        self.hold_only(self.taken, length.max(self.declared));
        Ok(())
    }

    /// Takes all of `bytes`, or nothing if fewer bytes are left.
    ///
    /// Fails with `DownloadTotalExceeded` or `QuotaReached` if nothing was taken.
    pub fn take(&mut self, bytes: u64) -> Result<(), TransferFailure> {
        let wanted = self.taken.saturating_add(bytes);
        let more = wanted.saturating_sub(self.held());
        if self.allowance.as_ref().is_some_and(|allowance| !allowance.take(more)) {
            return Err(TransferFailure::new(FailureKind::DownloadTotalExceeded, "more came than was declared"));
        }
        if self.hold.as_ref().is_some_and(|hold| !hold.store(bytes)) {
            if let Some(allowance) = &self.allowance {
                allowance.release_bytes(more);
            }
            return Err(TransferFailure::new(FailureKind::QuotaReached, "a quota has no room for more"));
        }
        self.taken = wanted;
        Ok(())
    }

    /// Gives back `bytes` wrong bytes, which will be received again.
    pub fn give_back_part(&mut self, bytes: u64) {
        let bytes = bytes.min(self.taken);
        if let Some(hold) = &self.hold {
            hold.drop_stored(bytes);
        }
        self.shrink(self.taken - bytes, self.declared);
    }

    /// Gives back everything, because the bytes were discarded.
    pub fn release(&mut self) {
        self.give_back_part(self.taken);
        self.shrink(0, 0);
    }

    /// Marks the file as finished. Its stored bytes are then never given back.
    pub fn commit(&mut self) {
        self.shrink(self.taken, 0);
        self.hold_only(0, 0);
    }

    /// Returns the number of bytes that this reservation occupies in the allowance.
    fn held(&self) -> u64 {
        self.taken.max(self.declared)
    }

    /// Reduces the reservation, and gives back the unneeded bytes.
    fn shrink(&mut self, taken: u64, declared: u64) {
        let before = self.held();
        self.hold_only(taken, declared);
        if let Some(allowance) = &self.allowance {
            allowance.release_bytes(before - self.held());
        }
    }

    fn hold_only(&mut self, taken: u64, declared: u64) {
        (self.taken, self.declared) = (taken, declared);
    }
}

impl Drop for ByteReservation {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_further_bytes_are_allowed_when_the_byte_allowance_is_used_up() {
        let allowance = ByteBudget::new(10);
        assert!(allowance.take(10));
        assert!(!allowance.take(1));
        allowance.release_bytes(4);
        assert!(!allowance.take(5));
        assert!(allowance.take(4));
    }

    #[test]
    fn dropped_byte_reservation_is_given_back_unless_file_is_finished() {
        let allowance = Arc::new(ByteBudget::new(10));
        let mut claim = ByteReservation::on(Some(allowance.clone()), None);
        assert!(claim.take(8).is_ok() && claim.take(3).is_err());
        drop(claim);
        let mut claim = ByteReservation::on(Some(allowance.clone()), None);
        assert!(claim.take(10).is_ok());
        claim.commit();
        drop(claim);
        assert!(!allowance.take(1));
    }

    #[test]
    fn declared_length_is_reserved_before_body_arrives() {
        let allowance = Arc::new(ByteBudget::new(10));
        let mut claim = ByteReservation::on(Some(allowance.clone()), None);
        claim.declare(6).unwrap();
        assert_eq!(allowance.left(), 4);
        let mut other = ByteReservation::on(Some(allowance.clone()), None);
        assert_eq!(other.declare(5).unwrap_err().kind, FailureKind::DownloadTotalExceeded);
        assert!(other.take(4).is_ok() && other.take(1).is_err());
        claim.take(5).unwrap();
        claim.give_back_part(2);
        claim.take(3).unwrap();
        assert_eq!(allowance.left(), 0, "bytes that come again are not counted twice");
        assert!(claim.take(1).is_err(), "a byte beyond the declared length counts like any other byte");
        drop(other);
        claim.take(1).unwrap();
        claim.commit();
        drop(claim);
        assert_eq!(allowance.left(), 3);
    }

    #[test]
    fn unused_part_of_declared_length_is_given_back() {
        let allowance = Arc::new(ByteBudget::new(10));
        let mut claim = ByteReservation::on(Some(allowance.clone()), None);
        claim.declare(9).unwrap();
        claim.take(4).unwrap();
        claim.commit();
        drop(claim);
        assert_eq!(allowance.left(), 6, "the file ended earlier");
        let mut claim = ByteReservation::on(Some(allowance.clone()), None);
        claim.declare(6).unwrap();
        claim.release();
        claim.declare(5).unwrap();
        drop(claim);
        assert_eq!(allowance.left(), 6, "the file restarted with another length, and failed");
    }

    #[test]
    fn reserved_bytes_are_used_up_before_more_are_reserved() {
        let (own, all) = (Arc::new(ByteBudget::new(10)), Arc::new(ByteBudget::new(100)));
        let hold = Arc::new(QuotaHold::on(vec![own.clone(), all.clone()]));
        assert!(hold.reserve(6));
        assert_eq!((own.left(), all.left()), (4, 94));
        let mut claim = ByteReservation::on(None, Some(hold.clone()));
        claim.take(5).unwrap();
        assert_eq!(own.left(), 4);
        claim.take(4).unwrap();
        assert_eq!((own.left(), all.left()), (1, 91));
        assert_eq!(claim.take(2).unwrap_err().kind, FailureKind::QuotaReached);
        assert_eq!((own.left(), all.left(), hold.refused()), (1, 91, 11), "all or nothing");
        // The bytes that the run has stored may still exist after the run. They stay reserved until the caller has
        // counted them.
        drop(claim);
        assert_eq!(own.left(), 1);
        hold.close();
        assert_eq!((own.left(), all.left()), (10, 100));
        drop(hold);
        assert_eq!(own.left(), 10, "and not twice");
    }

    #[test]
    fn reservation_stays_within_budget_unless_forced() {
        let own = Arc::new(ByteBudget::new(10));
        let hold = QuotaHold::on(vec![own.clone()]);
        assert!(hold.reserve(8) && hold.reserve(3));
        assert_eq!(own.left(), 7);
        assert!(!hold.reserve(11));
        assert_eq!((own.left(), hold.refused()), (7, 11));
        hold.force(12);
        assert_eq!((own.left(), hold.is_overdrawn()), (-2, true));
    }

    #[test]
    fn reduced_budget_refuses_reservation_until_bytes_are_given_back() {
        let own = Arc::new(ByteBudget::new(10));
        let hold = QuotaHold::on(vec![own.clone()]);
        assert!(hold.reserve(8));
        own.resize(5);
        assert_eq!((own.left(), hold.is_overdrawn(), hold.reserve(9)), (-3, true, false));
        hold.close();
        assert_eq!(own.left(), 5);
    }

    #[test]
    fn byte_reservation_moves_from_old_to_new_budgets() {
        let (before, both, after) = (Arc::new(ByteBudget::new(10)), Arc::new(ByteBudget::new(10)), Arc::new(ByteBudget::new(5)));
        let hold = QuotaHold::on(vec![before.clone(), both.clone()]);
        assert!(hold.reserve(6));
        hold.join(vec![both.clone(), after.clone()]);
        assert_eq!((before.left(), both.left(), after.left(), hold.is_overdrawn(), hold.refused()), (10, 4, -1, true, 6));
    }

    #[test]
    fn bytes_that_quota_refuses_are_not_deducted_from_allowance() {
        let allowance = Arc::new(ByteBudget::new(10));
        let hold = Arc::new(QuotaHold::on(vec![Arc::new(ByteBudget::new(3))]));
        let mut claim = ByteReservation::on(Some(allowance.clone()), Some(hold));
        assert_eq!(claim.take(4).unwrap_err().kind, FailureKind::QuotaReached);
        assert_eq!(allowance.left(), 10);
        assert_eq!(claim.take(11).unwrap_err().kind, FailureKind::DownloadTotalExceeded);
    }
}
