//! Budgets of body bytes: how much a group of transfers may store, and how much all that share a quota. Every byte is taken
//! before it is stored, so that the byte too many never is.
//!
//! A group's budget is an [`Allowance`] and nothing else: what a run took comes back when it ends without finishing. What
//! a transfer has of budgets that outlive it is a [`Hold`], which its caller keeps: it is given back when the caller has
//! counted elsewhere what became of it, so no byte is ever in nobody's count.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicI64, Ordering},
};

use crate::model::outcome::{FailureKind, TransferFailure};

/// A budget of body bytes shared by several transfers.
#[derive(Debug)]
pub struct ByteBudget {
    budget: AtomicI64,
    left: AtomicI64,
}

impl ByteBudget {
    /// A budget of `bytes`.
    pub fn new(bytes: u64) -> Self {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        Self { budget: AtomicI64::new(bytes), left: AtomicI64::new(bytes) }
    }

    /// From now on it is this budget; what was taken of it stays taken. Callers take turns.
    pub fn resize(&self, budget: i64) {
        let before = self.budget.swap(budget, Ordering::AcqRel);
        self.left.fetch_add(budget.saturating_sub(before), Ordering::AcqRel);
    }

    /// How much is left; less than nothing where more was taken than there is by now.
    pub fn left(&self) -> i64 {
        self.left.load(Ordering::Acquire)
    }

    /// Takes `bytes`, all or nothing; false when fewer are left.
    pub fn take(&self, bytes: u64) -> bool {
        let Ok(bytes) = i64::try_from(bytes) else { return false };
        self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| (left >= bytes).then(|| left - bytes)).is_ok()
    }

    /// Takes `bytes`, whatever is left: they are there already.
    fn force(&self, bytes: u64) {
        self.left.fetch_sub(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::AcqRel);
    }

    /// Gives back what was taken for bytes that were thrown away.
    pub fn release_bytes(&self, bytes: u64) {
        self.left.fetch_add(i64::try_from(bytes).unwrap_or(0), Ordering::AcqRel);
    }
}

/// What one transfer has of several budgets at once. What was set aside for it is used first; beyond that it takes as it
/// goes.
#[derive(Debug, Default)]
pub struct QuotaHold(Mutex<HeldBytes>);

#[derive(Debug, Default)]
struct HeldBytes {
    budgets: Vec<Arc<ByteBudget>>,
    /// Taken of each of them...
    taken: u64,
    /// ...of which so much is stored.
    used: u64,
    /// The most it ever wanted and did not get.
    refused: u64,
}

impl QuotaHold {
    /// Nothing of `budgets` as yet.
    pub fn on(budgets: Vec<Arc<ByteBudget>>) -> Self {
        Self(Mutex::new(HeldBytes { budgets, ..HeldBytes::default() }))
    }

    /// Sets aside enough for `bytes` in all, and no more; all or nothing. False: there is too little.
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

    /// The same, whatever there is: that much is there already, or was promised.
    pub fn force(&self, bytes: u64) {
        let mut held = self.held();
        let more = bytes.saturating_sub(held.taken);
        held.budgets.iter().for_each(|budget| budget.force(more));
        held.taken += more;
    }

    /// These budgets count from now on, and what is held of the others is held of these, whatever there is. Where that is
    /// too little, it was refused.
    pub fn join(&self, budgets: Vec<Arc<ByteBudget>>) {
        let mut held = self.held();
        let taken = held.taken;
        // In this order: of a budget that is in both, nothing is free in between.
        budgets.iter().for_each(|budget| budget.force(taken));
        held.budgets.iter().for_each(|budget| budget.release_bytes(taken));
        if budgets.iter().any(|budget| budget.left() < 0) {
            held.refused = held.refused.max(taken).max(1);
        }
        held.budgets = budgets;
    }

    /// Somebody else counts what became of it: everything goes back, and nothing more is held.
    pub fn close(&self) {
        let mut held = self.held();
        let taken = held.taken;
        held.release_held(taken);
        held.budgets.clear();
    }

    /// The most it ever wanted and did not get, in all; 0 where nothing was refused.
    pub fn refused(&self) -> u64 {
        self.held().refused
    }

    /// Of one of its budgets more was taken than there is.
    pub fn is_overdrawn(&self) -> bool {
        self.held().budgets.iter().any(|budget| budget.left() < 0)
    }

    /// `bytes` more are about to be stored.
    fn store(&self, bytes: u64) -> bool {
        let mut held = self.held();
        let wanted = held.used.saturating_add(bytes);
        let may = wanted <= held.taken || held.take(wanted);
        if may {
            held.used = wanted;
        }
        may
    }

    /// `bytes` of those that were stored are not there any more.
    fn drop_stored(&self, bytes: u64) {
        let mut held = self.held();
        held.used = held.used.saturating_sub(bytes);
    }

    fn held(&self) -> MutexGuard<'_, HeldBytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldBytes {
    /// Until `wanted` is taken in all.
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

/// What one run has taken from its group's budget, and stored of its hold. Given back when the run ends without finishing: what is durable then
/// is taken again when it goes on.
#[derive(Debug, Default)]
pub(crate) struct ByteReservation {
    allowance: Option<Arc<ByteBudget>>,
    hold: Option<Arc<QuotaHold>>,
    /// Of the bytes of the file, so many are stored, or about to be.
    taken: u64,
    /// The length that the server states for the file; that much of the allowance is held from then on.
    declared: u64,
}

impl ByteReservation {
    /// A claim on `allowance` and `hold`; without them, everything may be taken.
    pub fn on(allowance: Option<Arc<ByteBudget>>, hold: Option<Arc<QuotaHold>>) -> Self {
        Self { allowance, hold, taken: 0, declared: 0 }
    }

    /// Holds enough of the allowance for a file of `length` bytes before its body is read, so that the other files of the group
    /// find that much less. `DownloadTotalExceeded`: there is less.
    pub fn declare(&mut self, length: u64) -> Result<(), TransferFailure> {
        let more = length.saturating_sub(self.held());
        if self.allowance.as_ref().is_some_and(|allowance| !allowance.take(more)) {
            let text = format!("{length} bytes are offered, and together with the other files that is more than was declared");
            return Err(TransferFailure::new(FailureKind::DownloadTotalExceeded, text));
        }
        self.hold_only(self.taken, length.max(self.declared));
        Ok(())
    }

    /// Takes `bytes` more, all or nothing. `DownloadTotalExceeded` or `QuotaReached`: there are fewer.
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

    /// Gives `bytes` of it back: they were wrong and come again.
    pub fn give_back_part(&mut self, bytes: u64) {
        let bytes = bytes.min(self.taken);
        if let Some(hold) = &self.hold {
            hold.drop_stored(bytes);
        }
        self.shrink(self.taken - bytes, self.declared);
    }

    /// Gives everything back: the bytes were thrown away.
    pub fn release(&mut self) {
        self.give_back_part(self.taken);
        self.shrink(0, 0);
    }

    /// Leaves what is stored taken: the file is finished.
    pub fn commit(&mut self) {
        self.shrink(self.taken, 0);
        self.hold_only(0, 0);
    }

    /// Bytes of the allowance that are this file's.
    fn held(&self) -> u64 {
        self.taken.max(self.declared)
    }

    /// The same file, with less of it: what is no longer needed goes back.
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
    fn an_allowance_gives_the_last_byte_and_no_more() {
        let allowance = ByteBudget::new(10);
        assert!(allowance.take(10));
        assert!(!allowance.take(1));
        allowance.release_bytes(4);
        assert!(!allowance.take(5));
        assert!(allowance.take(4));
    }

    #[test]
    fn a_claim_comes_back_unless_the_file_was_finished() {
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
    fn declared_length_is_held_before_its_bytes_come() {
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
        assert!(claim.take(1).is_err(), "and what comes beyond the declared length is taken like any other byte");
        drop(other);
        claim.take(1).unwrap();
        claim.commit();
        drop(claim);
        assert_eq!(allowance.left(), 3);
    }

    #[test]
    fn declared_length_that_never_came_goes_back() {
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
        assert_eq!(allowance.left(), 6, "it began anew with another length, and failed");
    }

    #[test]
    fn what_is_set_aside_is_used_first_and_the_rest_is_taken_as_it_goes() {
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
        // The run ends: what it stored may be there still, so it is held until somebody else counts it.
        drop(claim);
        assert_eq!(own.left(), 1);
        hold.close();
        assert_eq!((own.left(), all.left()), (10, 100));
        drop(hold);
        assert_eq!(own.left(), 10, "and not twice");
    }

    #[test]
    fn a_size_that_is_told_later_sets_aside_more_or_less() {
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
    fn a_budget_that_shrinks_below_what_is_taken_gives_nothing_more_until_it_is_back() {
        let own = Arc::new(ByteBudget::new(10));
        let hold = QuotaHold::on(vec![own.clone()]);
        assert!(hold.reserve(8));
        own.resize(5);
        assert_eq!((own.left(), hold.is_overdrawn(), hold.reserve(9)), (-3, true, false));
        hold.close();
        assert_eq!(own.left(), 5);
    }

    #[test]
    fn what_turns_out_to_be_something_else_is_held_of_other_budgets() {
        let (before, both, after) = (Arc::new(ByteBudget::new(10)), Arc::new(ByteBudget::new(10)), Arc::new(ByteBudget::new(5)));
        let hold = QuotaHold::on(vec![before.clone(), both.clone()]);
        assert!(hold.reserve(6));
        hold.join(vec![both.clone(), after.clone()]);
        assert_eq!((before.left(), both.left(), after.left(), hold.is_overdrawn(), hold.refused()), (10, 4, -1, true, 6));
    }

    #[test]
    fn what_a_quota_refuses_is_not_taken_from_the_declared_total() {
        let allowance = Arc::new(ByteBudget::new(10));
        let hold = Arc::new(QuotaHold::on(vec![Arc::new(ByteBudget::new(3))]));
        let mut claim = ByteReservation::on(Some(allowance.clone()), Some(hold));
        assert_eq!(claim.take(4).unwrap_err().kind, FailureKind::QuotaReached);
        assert_eq!(allowance.left(), 10);
        assert_eq!(claim.take(11).unwrap_err().kind, FailureKind::DownloadTotalExceeded);
    }
}
