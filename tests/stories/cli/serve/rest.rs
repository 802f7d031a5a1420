//! Tests that an idle engine is never woken, not even by its own timers.

use std::time::Duration;

use ashore_testkit::readings::sleeps;
use tokio::time::{Instant, sleep};

use crate::cli::program::{Person, SOON};

/// Observation time. It is long enough to detect a thread that wakes up by itself.
///
/// The engine ticks once a minute, so a tick rarely falls within this time.
const WATCHED: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread")]
async fn no_thread_wakes_up_while_the_engine_is_paused() {
    let person = Person::new();
    let links: String = (0..100).map(|number| format!("http://127.0.0.1/{number}\n")).collect();
    assert_eq!(person.run_with_input(["add", "-i", "-"], &links).await.code, Some(0));
    person.run(["pause"]).await;
    let (serving, _) = person.serve().await;
    let started = Instant::now();
    loop {
        // Repeat while start-up work is still running. A thread that ends during the observation would hide wake-ups.
        let before = sleeps(serving.id()).unwrap();
        sleep(WATCHED).await;
        let woken = sleeps(serving.id()).unwrap().saturating_sub(before);
        if woken == 0 {
            break;
        }
        assert!(started.elapsed() < SOON, "threads are still woken: {woken} times in {WATCHED:?}");
    }
    serving.signal(rustix::process::Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
}
