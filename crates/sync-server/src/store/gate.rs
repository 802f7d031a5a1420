//! Limits the waiting writes of one user, so that some connections of the pool stay free.
//!
//! A write waits here before it takes a connection. Writes of one user run one after the other in any case.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{StoreError, transaction::PATIENCE};

/// Maximum number of running and waiting writes of one user on one node.
const MOST: usize = 64;

/// Queues by user.
#[derive(Debug, Default)]
pub(super) struct WriteGates(Mutex<HashMap<i64, Gate>>);

#[derive(Debug)]
struct Gate {
    /// Number of running and waiting writes.
    inside: usize,
    turn: Arc<Semaphore>,
}

/// Permission for one write. Dropping it admits the next write of the user.
pub(super) struct GateTurn<'a> {
    _permit: OwnedSemaphorePermit,
    _place: Place<'a>,
}

/// Place of a write in its queue; dropping it frees the place.
struct Place<'a> {
    gates: &'a WriteGates,
    user: i64,
}

impl WriteGates {
    /// Waits until a write may run.
    ///
    /// Fails with `Busy` if the queue is full, or after ten seconds.
    pub(super) async fn enter(&self, user: i64) -> Result<GateTurn<'_>, StoreError> {
        let (place, turn) = self.queue(user)?;
        let permit = tokio::time::timeout(PATIENCE, turn.acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or(StoreError::Busy)?;
        Ok(GateTurn { _permit: permit, _place: place })
    }

    fn queue(&self, user: i64) -> Result<(Place<'_>, Arc<Semaphore>), StoreError> {
        let mut gates = self.gates();
        let gate = gates.entry(user).or_insert_with(|| Gate { inside: 0, turn: Arc::new(Semaphore::new(1)) });
        if gate.inside == MOST {
            return Err(StoreError::Busy);
        }
        gate.inside += 1;
        Ok((Place { gates: self, user }, Arc::clone(&gate.turn)))
    }

    fn gates(&self) -> MutexGuard<'_, HashMap<i64, Gate>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut gates = self.gates.gates();
        if let Some(gate) = gates.get_mut(&self.user) {
            gate.inside -= 1;
            if gate.inside == 0 {
                gates.remove(&self.user);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn write_queue_of_each_user_has_a_limit_and_is_removed_when_empty() {
        let gates = WriteGates::default();
        let first = gates.enter(1).await.unwrap();
        let waiting: Vec<_> = (1..MOST).map(|_| gates.queue(1).unwrap()).collect();
        assert!(matches!(gates.enter(1).await, Err(StoreError::Busy)), "the queue is full");
        gates.enter(2).await.unwrap();
        drop(waiting);
        drop(first);
        gates.enter(1).await.unwrap();
        assert!(gates.gates().is_empty());
    }
}
