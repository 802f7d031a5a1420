//! The door through which the engine waits for itself: its locks, its timers, its turns. In a build for people it is
//! tokio's, and nothing else.
//!
//! A test that runs a whole engine under a model (`scheduler/tests/schedules`) has each of these points ordered: before
//! every lock, before and after every commit, before every timer and every order, somebody else may have the word. What
//! comes from outside, an answer of SQLite's thread or of the disk, is waited for where it is asked for.

#[cfg(test)]
pub(crate) use modelled::{
    LockOutcome, Mutex, MutexGuard, RwLock, asleep, begin, deadline, done, given, guid, now, pass, point, rest, turn,
};
#[cfg(not(test))]
pub(crate) use real::{Mutex, MutexGuard, RwLock, asleep, done, now, point, rest, turn};

#[cfg(not(test))]
mod real {
    use std::time::{Duration, Instant};

    pub(crate) use tokio::sync::{Mutex, MutexGuard, RwLock};

    pub(crate) fn now() -> Instant {
        Instant::now()
    }

    /// Nothing happens here.
    pub(crate) async fn point() {}

    /// Whoever waited has the word.
    pub(crate) async fn turn() {
        tokio::task::yield_now().await;
    }

    /// The last thing that somebody waits for who waits for several.
    pub(crate) async fn rest() {
        std::future::pending().await
    }

    pub(crate) async fn asleep(span: Duration) {
        tokio::time::sleep(span).await;
    }

    /// What another part of the engine does.
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

    /// Why somebody has let the word go. Whoever did without saying waits for what is outside.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum LockOutcome {
        /// Somebody else may have a turn.
        Turn,
        /// Only another part of the engine, or time, can make it go on.
        Wait,
    }

    thread_local! {
        /// The clock of a model that runs on this thread: where it began, and what has passed.
        static CLOCK: Cell<Option<(Instant, Duration)>> = const { Cell::new(None) };
        static GIVEN: Cell<Option<LockOutcome>> = const { Cell::new(None) };
        static NAMES: RefCell<Option<StdRng>> = const { RefCell::new(None) };
        static SLEEPERS: RefCell<Vec<(Instant, Waker)>> = const { RefCell::new(Vec::new()) };
    }

    /// From here on, this thread is a model's.
    pub(crate) fn begin(seed: u64) {
        CLOCK.set(Some((Instant::now(), Duration::ZERO)));
        SLEEPERS.take();
        NAMES.set(Some(StdRng::seed_from_u64(seed)));
    }

    /// The next name of something, in a model.
    pub(crate) fn guid() -> Option<Uuid> {
        NAMES.with_borrow_mut(|names| Some(uuid::Builder::from_random_bytes(names.as_mut()?.random()).into_uuid()))
    }

    /// Why the one that was just asked to go on has not.
    pub(crate) fn given() -> Option<LockOutcome> {
        GIVEN.take()
    }

    /// When the first sleeper wants to wake, from now.
    pub(crate) fn deadline() -> Option<Duration> {
        SLEEPERS.with_borrow(|sleepers| Some(sleepers.iter().map(|(at, _)| *at).min()?.saturating_duration_since(now())))
    }

    /// Time passes.
    pub(crate) fn pass(span: Duration) {
        CLOCK.set(CLOCK.get().map(|(begun, passed)| (begun, passed + span)));
        take_woken().into_iter().for_each(Waker::wake);
    }

    /// Those whose time has come.
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

    /// Somebody else may have the word here.
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

    pub(crate) async fn rest() {
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
            // One that nobody waits for any more wakes in vain.
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
