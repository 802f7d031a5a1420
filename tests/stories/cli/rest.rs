//! An engine that has nothing to do is left alone by everything, itself included.

use std::{fs, time::Duration};

use tokio::time::{Instant, sleep};

use super::program::{Person, SOON};

/// Something that wakes by itself does so within this time; the engine's own tick, once a minute, hardly ever falls into it.
const WATCHED: Duration = Duration::from_secs(4);

/// How often each of a process's threads went to sleep by itself so far. One that went on in between was woken.
fn sleeps(pid: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let statuses = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok());
    let counts = statuses.filter_map(|status| {
        status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok())
    });
    counts.sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_wakes_an_engine_whose_links_all_wait() {
    let person = Person::new();
    let links: String = (0..100).map(|number| format!("http://127.0.0.1/{number}\n")).collect();
    assert_eq!(person.run_with_input(["add", "-i", "-"], &links).await.code, Some(0));
    person.run(["pause"]).await;
    let (serving, _) = person.serve().await;
    let started = Instant::now();
    loop {
        // What it started with has to come to rest first. A thread that ends takes its count along.
        let before = sleeps(serving.id());
        sleep(WATCHED).await;
        let woken = sleeps(serving.id()).saturating_sub(before);
        if woken == 0 {
            break;
        }
        assert!(started.elapsed() < SOON, "threads are still woken: {woken} times in {WATCHED:?}");
    }
    serving.signal(rustix::process::Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
}
