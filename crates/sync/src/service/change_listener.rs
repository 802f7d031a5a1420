//! Keeps the event stream of the server open, and announces each change. Called by the background task.
//!
//! - A stream that ends is opened again soon. After the server refuses a stream, the next attempt is half a minute
//!   later.
//! - Both pauses are longer if the server requested a longer wait.
//! - If a refusal by the server requests a wait, this wait also delays the cycles.

use std::{
    pin::pin,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures_util::StreamExt as _;
use tokio::{sync::Notify, time::Instant};

use crate::{
    cycle::SyncEnv,
    merge::SyncBackoff,
    records::{SendRecord, SyncRecord as _},
    server::{ChangeStream, ServerChange, ServerFault, ServerHints, SyncServer},
    service::sync_service::LatestCycle,
};

/// Pause before the event stream is opened again.
const REOPEN: Duration = Duration::from_secs(30);
/// Maximum random pause before the event stream is opened again after it ended. Such a short pause is used at most once
/// in each period of [`REOPEN`].
///
/// The server ends the stream of a removed device. The device learns of its removal when the server refuses the next
/// stream.
const REOPEN_ENDED: Duration = Duration::from_secs(2);

/// Changes that the server announced.
#[derive(Debug, Default)]
pub(super) struct AnnouncedChanges {
    /// Notified of changes in any collection other than the sends.
    pub any: Notify,
    /// Signals that the collection of sent downloads changed. This collection is read even over a metered connection.
    pub sends: Notify,
}

impl AnnouncedChanges {
    fn note(&self, change: &ServerChange) {
        match change.collection.as_deref() {
            Some(SendRecord::COLLECTION) => self.sends.notify_one(),
            _ => self.any.notify_one(),
        }
    }

    /// Announces changes of every kind, because it is not known which collections changed.
    fn note_all(&self) {
        self.any.notify_one();
        self.sends.notify_one();
    }
}

/// Listens to the event stream of the account's server.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeListener<'a> {
    pub env: &'a SyncEnv,
    pub latest: &'a Mutex<LatestCycle>,
    /// Notified when sync is turned on or off.
    pub account_changed: &'a Notify,
    pub announced: &'a AnnouncedChanges,
}

impl ChangeListener<'_> {
    /// Keeps the event stream open while sync is on, and announces each change.
    ///
    /// Returns when the account changes while a stream is open. `server` returns the server of the account, or `None`
    /// while sync is off.
    pub async fn run<S: SyncServer, F: Future<Output = Option<S>>>(self, server: impl Fn() -> F) {
        let (mut was_refused, mut ended) = (false, None::<Instant>);
        loop {
            let opened = match server().await {
                Some(server) => Some(self.open(&server).await),
                None => None,
            };
            let is_refused = matches!(opened, Some(Err(ServerFault::Unauthorized)));
            if is_refused && !was_refused {
                // The server refused the stream, so request a cycle. The cycle checks whether this device was removed,
                // and reports the removal even over a metered connection.
                self.announced.note_all();
            }
            was_refused = is_refused;
            let mut pause = REOPEN;
            if let Some(Ok(changes)) = opened {
                // Changes before the stream was open are not announced, so request a cycle.
                self.announced.note_all();
                let mut changes = pin!(changes);
                loop {
                    tokio::select! {
                        change = changes.next() => match change {
                            Some(Ok(change)) => self.announced.note(&change),
                            Some(Err(_)) | None => break,
                        },
                        // The stream may belong to a list that this machine has left in the meantime.
                        () = self.account_changed.notified() => return,
                    }
                }
                if ended.is_none_or(|ended| ended.elapsed() >= REOPEN) {
                    (pause, ended) = (self.env.time_up_to(REOPEN_ENDED), Some(Instant::now()));
                }
            }
            tokio::select! {
                () = (self.env.pause)(pause.max(self.asked_wait())) => {}
                () = self.account_changed.notified() => {}
            }
        }
    }

    /// Opens the event stream, and stores the waits that the answer requests.
    async fn open<S: SyncServer>(&self, server: &S) -> Result<ChangeStream, ServerFault> {
        let (opened, ServerHints { retry_after_s, backoff_s, .. }) = match server.events().await {
            Ok(answer) => (Ok(answer.value), answer.hints),
            Err(failure) => (Err(failure.fault), failure.hints),
        };
        let now_ms = (self.env.now_ms)();
        self.backoff(|backoff| backoff.on_response(now_ms, retry_after_s, backoff_s));
        opened
    }

    /// Returns the rest of the wait that the server requested.
    fn asked_wait(&self) -> Duration {
        let now_ms = (self.env.now_ms)();
        let until_ms = self.backoff(|backoff| backoff.asked_until(now_ms));
        Duration::from_millis(u64::try_from(until_ms - now_ms).unwrap_or_default())
    }

    fn backoff<T>(&self, change: impl FnOnce(&mut SyncBackoff) -> T) -> T {
        change(&mut self.latest.lock().unwrap_or_else(PoisonError::into_inner).backoff)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::FutureExt as _;

    use super::*;
    use crate::server::{InjectedFault, OperationKind, OutgoingObject, SimulatedServer};

    const START_MS: i64 = 1_700_000_000_000;
    const RETRY_AFTER_S: u64 = 90;
    /// Time limit of a listener in tests. A listener never ends by itself.
    const END: Duration = Duration::from_secs(3600);

    /// Listener that uses the clock of the async runtime. Its random values are always 0.
    struct Scene {
        server: SimulatedServer,
        env: SyncEnv,
        latest: Mutex<LatestCycle>,
        account_changed: Notify,
        announced: AnnouncedChanges,
        /// Times of the requests for a stream, in seconds from the beginning.
        requests: Arc<Mutex<Vec<u64>>>,
    }

    impl Scene {
        /// Returns a scene in which the first stream requests fail with these faults.
        fn new(faults: Vec<InjectedFault>) -> Self {
            let (server, began) = (SimulatedServer::with_user(START_MS, "Laptop"), Instant::now());
            let now_ms = move || START_MS + i64::try_from(began.elapsed().as_millis()).unwrap();
            let env = SyncEnv { now_ms: Arc::new(now_ms), random: Arc::new(|bytes| bytes.fill(0)), ..SyncEnv::default() };
            let (requests, mut faults) = (Arc::<Mutex<Vec<u64>>>::default(), faults.into_iter());
            let noted = Arc::clone(&requests);
            server.set_faults(Box::new(move |operation| {
                assert_eq!(operation.kind, OperationKind::Events);
                noted.lock().unwrap().push(began.elapsed().as_secs());
                faults.next()
            }));
            let (latest, account_changed, announced) = Default::default();
            Self { server, env, latest, account_changed, announced, requests }
        }

        /// Runs the listener until the account changes or the test ends.
        async fn listen(&self) {
            let Self { env, latest, account_changed, announced, .. } = self;
            let listener = ChangeListener { env, latest, account_changed, announced };
            let _ = tokio::time::timeout(END, listener.run(|| async { Some(self.server.clone()) })).await;
        }

        fn requests(&self) -> Vec<u64> {
            self.requests.lock().unwrap().clone()
        }
    }

    fn busy(retry_after_s: u64) -> InjectedFault {
        InjectedFault::Busy { retry_after_s }
    }

    #[tokio::test(start_paused = true)]
    async fn refused_event_stream_is_opened_again_after_time_in_retry_after_header() {
        let scene = Scene::new(vec![busy(RETRY_AFTER_S), busy(2 * RETRY_AFTER_S)]);
        scene.listen().await;
        assert_eq!(scene.requests(), [0, RETRY_AFTER_S, 3 * RETRY_AFTER_S]);
        assert!(scene.announced.any.notified().now_or_never().is_some(), "the last stream is open");
    }

    #[tokio::test(start_paused = true)]
    async fn refused_event_stream_is_opened_again_after_at_least_half_a_minute() {
        let scene = Scene::new(vec![busy(1), InjectedFault::CutConnection, InjectedFault::HtmlAnswer]);
        scene.listen().await;
        assert_eq!(scene.requests(), [0, 30, 60, 90]);
    }

    #[tokio::test(start_paused = true)]
    async fn retry_after_header_of_event_stream_delays_cycle_and_user_command() {
        let scene = Scene::new(vec![busy(RETRY_AFTER_S)]);
        assert!(tokio::time::timeout(Duration::from_secs(1), scene.listen()).await.is_err());
        let (now_ms, backoff) = ((scene.env.now_ms)(), scene.latest.lock().unwrap().backoff);
        let until_ms = START_MS + i64::try_from(RETRY_AFTER_S).unwrap() * 1000;
        assert_eq!((backoff.next_attempt(now_ms, false), backoff.next_attempt(now_ms, true)), (until_ms, until_ms));
        assert!(scene.announced.any.notified().now_or_never().is_none(), "no stream is open");
    }

    #[tokio::test(start_paused = true)]
    async fn event_stream_waits_for_server_backoff_but_not_for_failure_backoff() {
        let scene = Scene::new(vec![InjectedFault::CutConnection, InjectedFault::CutConnection]);
        scene.latest.lock().unwrap().backoff.failures = u32::MAX;
        scene.latest.lock().unwrap().backoff.on_failure(START_MS, u64::MAX);
        scene.latest.lock().unwrap().backoff.on_response(START_MS, None, Some(RETRY_AFTER_S));
        scene.listen().await;
        assert_eq!(scene.requests(), [0, RETRY_AFTER_S, RETRY_AFTER_S + 30]);
    }

    #[tokio::test(start_paused = true)]
    async fn change_of_account_opens_event_stream_again_without_waiting() {
        let scene = Scene::new(vec![busy(RETRY_AFTER_S)]);
        let change = async {
            tokio::time::sleep(Duration::from_secs(7)).await;
            scene.account_changed.notify_one();
        };
        tokio::join!(scene.listen(), change);
        assert_eq!(scene.requests(), [0, 7]);
    }

    #[tokio::test(start_paused = true)]
    async fn changes_of_sent_downloads_are_announced_separately() {
        let scene = Scene::new(Vec::new());
        let change = async {
            for notify in [&scene.announced.any, &scene.announced.sends] {
                notify.notified().await;
            }
            scene.server.clear_faults();
            let object = OutgoingObject { id: "a".to_owned(), payload: "x".to_owned(), ttl_s: None };
            scene.server.put_object(SendRecord::COLLECTION, &object, None).await.unwrap();
            scene.announced.sends.notified().await;
            assert!(scene.announced.any.notified().now_or_never().is_none());
            scene.server.put_object("dl-items", &object, None).await.unwrap();
            scene.announced.any.notified().await;
            assert!(scene.announced.sends.notified().now_or_never().is_none());
            scene.account_changed.notify_one();
        };
        tokio::join!(scene.listen(), change);
    }
}
