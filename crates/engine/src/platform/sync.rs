//! Provides locks, timers and yield points. The parts of the engine use these to wait for each other.
//!
//! - Outside tests, these are tokio's.
//! - A test that runs a whole engine under a model (`scheduler/tests/schedules`) controls the order at all these
//!   points. Another task may run before every lock, before and after every commit, and before every timer and command.
//! - A task that needs an answer from outside the engine, that is from SQLite's thread or the disk, waits for it
//!   directly.

#[cfg(test)]
pub(crate) use modelled::{
    LockOutcome, Mutex, MutexGuard, RwLock, asleep, begin, deadline, done, given, guid, never, now, pass, point, turn,
};
#[cfg(not(test))]
pub(crate) use real::{Mutex, MutexGuard, RwLock, asleep, done, never, now, point, turn};

#[cfg(not(test))]
mod real {
    use std::time::{Duration, Instant};

    pub(crate) use tokio::sync::{Mutex, MutexGuard, RwLock};

    pub(crate) fn now() -> Instant {
        Instant::now()
    }

    /// Yield point for a model. Does nothing outside tests.
    pub(crate) async fn point() {}

    /// Yields, so that other tasks can run.
    pub(crate) async fn turn() {
        tokio::task::yield_now().await;
    }

    /// Never completes. Used as the last branch of a wait for several events.
    pub(crate) async fn never() {
        std::future::pending().await
    }

    pub(crate) async fn asleep(span: Duration) {
        tokio::time::sleep(span).await;
    }

    /// Awaits `work`, which another part of the engine completes.
    pub(crate) async fn done<T>(work: impl Future<Output = T>) -> T {
        work.await
    }
}

#[cfg(test)]
mod modelled {
    use std::{
        cell::{Cell, RefCell},
        fmt,
        future::poll_fn,
        pin::pin,
        task::{Poll, Waker},
        time::{Duration, Instant},
    };

    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
    pub(crate) use tokio::sync::MutexGuard;
    use tokio::sync::{RwLockReadGuard, RwLockWriteGuard};
    use uuid::Uuid;

    /// Reason why a task yielded.
    ///
    /// A task that yields without giving a reason waits for an answer from outside the engine.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum LockOutcome {
        /// The task yielded and can continue at any time.
        Turn,
        /// The task continues only after another part of the engine has acted, or time has passed.
        Wait,
    }

    thread_local! {
        /// Clock of the model on this thread: the start of the model, and the time that has elapsed since then.
        static CLOCK: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
        static GIVEN: Cell<Option<LockOutcome>> = const { Cell::new(None) };
        static NAMES: RefCell<Option<StdRng>> = const { RefCell::new(None) };
        static SLEEPERS: RefCell<Vec<(Instant, Waker)>> = const { RefCell::new(Vec::new()) };
    }

    /// Lets a model control the locks and timers of this thread.
    pub(crate) fn begin(seed: u64) {
        CLOCK.set(Some((Instant::now(), Duration::ZERO)));
        SLEEPERS.take();
        NAMES.set(Some(StdRng::seed_from_u64(seed)));
    }

    /// Returns the next GUID of the model; `None` outside a model.
    pub(crate) fn guid() -> Option<Uuid> {
        NAMES.with_borrow_mut(|names| Some(uuid::Builder::from_random_bytes(names.as_mut()?.random()).into_uuid()))
    }

    /// Returns and clears the reason why the last polled task yielded.
    pub(crate) fn given() -> Option<LockOutcome> {
        GIVEN.take()
    }

    /// Returns the time until the first sleeper wakes.
    pub(crate) fn deadline() -> Option<Duration> {
        SLEEPERS.with_borrow(|sleepers| Some(sleepers.iter().map(|(at, _)| *at).min()?.saturating_duration_since(now())))
    }

    /// Advances the clock of the model by `span` and wakes the sleepers that are due.
    pub(crate) fn pass(span: Duration) {
        CLOCK.set(CLOCK.get().map(|(begun, passed)| (begun, passed + span)));
        take_woken().into_iter().for_each(Waker::wake);
    }

    /// Removes and returns the wakers of the sleepers that are due.
    fn take_woken() -> Vec<Waker> {
        let now = now();
        let (woken, asleep) = SLEEPERS.take().into_iter().partition(|(at, _)| *at <= now);
        SLEEPERS.set(asleep);
        woken.into_iter().map(|(_, waker): (Instant, Waker)| waker).collect()
    }

    fn give(why: LockOutcome) {
        if GIVEN.get() != Some(LockOutcome::Turn) {
            GIVEN.set(Some(why));
        }
    }

    pub(crate) fn now() -> Instant {
        CLOCK.get().map_or_else(Instant::now, |(begun, passed)| begun + passed)
    }

    /// Within a model, lets another task run first.
    pub(crate) async fn point() {
        let mut was_here = CLOCK.get().is_none();
        poll_fn(|_| {
            if std::mem::replace(&mut was_here, true) {
                return Poll::Ready(());
            }
            give(LockOutcome::Turn);
            Poll::Pending
        })
        .await;
    }

    pub(crate) async fn turn() {
        if CLOCK.get().is_none() {
            return tokio::task::yield_now().await;
        }
        point().await;
    }

    pub(crate) async fn never() {
        poll_fn(|_| {
            give(LockOutcome::Wait);
            Poll::Pending
        })
        .await
    }

    pub(crate) async fn asleep(span: Duration) {
        if CLOCK.get().is_none() {
            return tokio::time::sleep(span).await;
        }
        let until = now() + span;
        poll_fn(|context| {
            if now() >= until {
                return Poll::Ready(());
            }
            // Waking a sleeper that was dropped has no effect.
            SLEEPERS.with_borrow_mut(|sleepers| sleepers.push((until, context.waker().clone())));
            Poll::Pending
        })
        .await;
    }

    pub(crate) async fn done<T>(work: impl Future<Output = T>) -> T {
        point().await;
        let mut work = pin!(work);
        poll_fn(|context| {
            let polled = work.as_mut().poll(context);
            if polled.is_pending() {
                give(LockOutcome::Wait);
            }
            polled
        })
        .await
    }

    #[derive(Default)]
    pub(crate) struct Mutex<T>(tokio::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(tokio::sync::Mutex::new(value))
        }

        pub(crate) async fn lock(&self) -> MutexGuard<'_, T> {
            done(self.0.lock()).await
        }
    }

    impl<T: fmt::Debug> fmt::Debug for Mutex<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }

    #[derive(Default)]
    pub(crate) struct RwLock<T>(tokio::sync::RwLock<T>);

    impl<T> RwLock<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(tokio::sync::RwLock::new(value))
        }

        pub(crate) async fn read(&self) -> RwLockReadGuard<'_, T> {
            done(self.0.read()).await
        }

        pub(crate) async fn write(&self) -> RwLockWriteGuard<'_, T> {
            done(self.0.write()).await
        }
    }

    impl<T: fmt::Debug> fmt::Debug for RwLock<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }
}
