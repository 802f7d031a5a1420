//! Repeats transactions that conflict with others.
//!
//! Every transaction that writes uses [`transact`] or [`TransactionAttempts`]. The only exceptions are migrations: on
//! PostgreSQL, `SyncStore::open` repeats a migration a few times after any error of the database.

use std::{fmt, sync::Arc, time::Duration};

use rand::Rng as _;

use super::StoreError;

/// Maximum number of attempts to run a transaction that conflicts with others.
const ATTEMPTS: u32 = 5;

/// Maximum wait before the second attempt; the maximum doubles with each further attempt.
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// Source of random numbers from 0 to 1. These numbers make the waits of two transactions differ.
///
/// Tests inject fixed numbers.
#[derive(Clone)]
pub struct RetryJitter(Arc<dyn Fn() -> f64 + Send + Sync>);

impl RetryJitter {
    /// Creates a source of random numbers from the function `roll`.
    pub fn new(roll: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(roll))
    }

    /// Returns a source that uses the random numbers of the system.
    pub(super) fn system() -> Self {
        Self::new(|| rand::rng().random())
    }
}

impl fmt::Debug for RetryJitter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Dice")
    }
}

/// Attempts of one transaction.
pub(super) struct TransactionAttempts<'a> {
    dice: &'a RetryJitter,
    made: u32,
}

impl<'a> TransactionAttempts<'a> {
    pub(super) fn new(dice: &'a RetryJitter) -> Self {
        Self { dice, made: 1 }
    }

    /// Waits before another attempt.
    ///
    /// Returns `false` without waiting if `error` is not a conflict, or if the last attempt has been made.
    pub(super) async fn again(&mut self, error: &StoreError) -> bool {
        if !error.is_conflict() || self.made == ATTEMPTS {
            return false;
        }
        tokio::time::sleep(wait(self.made, (self.dice.0)())).await;
        self.made += 1;
        true
    }
}

/// Returns the wait after attempt number `made`.
///
/// The wait is between half of the maximum and the maximum.
fn wait(made: u32, roll: f64) -> Duration {
    (FIRST_WAIT * 2_u32.pow(made - 1)).mul_f64(0.5 + roll.clamp(0.0, 1.0) / 2.0)
}

/// Runs a block of code in a write transaction, and commits the transaction.
///
/// Repeats the block and the commit while they conflict with other transactions.
macro_rules! transact {
    ($store:expr, |$tx:ident| $work:expr) => {{
        let mut attempts = $crate::store::retry::TransactionAttempts::new(&$store.dice);
        loop {
            let outcome = async {
                let mut transaction = $store.begin().await?;
                let $tx = &mut transaction;
                let value = $work;
                transaction.commit().await?;
                Ok::<_, $crate::store::StoreError>(value)
            };
            match outcome.await {
                Err(error) if attempts.again(&error).await => {}
                outcome => break outcome,
            }
        }
    }};
}
pub(super) use transact;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_before_each_retry_grows_up_to_a_bound() {
        assert_eq!((wait(1, 0.0), wait(1, 1.0)), (Duration::from_millis(5), Duration::from_millis(10)));
        assert_eq!((wait(4, 0.0), wait(4, 7.0)), (Duration::from_millis(40), Duration::from_millis(80)));
    }

    #[tokio::test]
    async fn transaction_is_abandoned_after_five_conflicts() {
        let dice = RetryJitter::new(|| 0.5);
        let mut attempts = TransactionAttempts::new(&dice);
        let conflict = StoreError::Unavailable(sqlx::Error::Database(Box::new(crate::store::tests::ConflictCase)));
        for _ in 1..ATTEMPTS {
            assert!(attempts.again(&conflict).await);
        }
        assert!(!attempts.again(&conflict).await);
        assert!(!TransactionAttempts::new(&dice).again(&StoreError::Taken).await);
    }
}
