//! Somebody sets the clock of the machine while the program works: the real one, whose own clock nobody can set.

use std::{fs, io::Write as _, path::{Path, PathBuf}};

use ashore_tests::origin::{Body, Origin};
use rustix::process::Signal;
use serde_json::Value;
use tempfile::NamedTempFile;

use super::program::{Person, Running};

const DAY: i64 = 86_400;

/// The library that tells a program what time it is.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).find(|library| library.exists())
}

/// From now on it is so many seconds later than it is, or earlier. Whole or not at all: it is read at any moment.
fn set(clock: &Path, seconds: i64) {
    let mut file = NamedTempFile::new_in(clock.parent().unwrap()).unwrap();
    writeln!(file, "{seconds:+}").unwrap();
    file.persist(clock).unwrap();
}

fn next_try(shown: &Value) -> Option<i64> {
    shown["records"][0]["next_try"].as_i64()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_ends_no_wait_makes_none_longer_and_disturbs_nothing_that_runs() {
    let Some(library) = library() else {
        eprintln!("skipped: there is no libfaketime here (Debian: faketime)");
        return;
    };
    let (origin, patient, person) = (Origin::start().await, Origin::start().await, Person::new());
    let runs = origin.file("/runs", Body::seeded(1, 3 << 20)).gate_at(2 << 20);
    // As long as the setting says, and as long as the server asks for.
    let short = origin.file("/short", Body::bytes("short")).status(500);
    let long = patient.file("/long", Body::bytes("long")).status(503).header("Retry-After", "600");
    person.settings("retry-after-seconds = 2\nattempts = 100\nstall-seconds = 600\n");
    let clock = person.home().join("clock");
    set(&clock, 0);
    let mut command = person.command(["serve", "--json"]);
    command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", &clock);
    command.env("FAKETIME_NO_CACHE", "1").env("DONT_FAKE_MONOTONIC", "1");
    let mut serving = Running::of(command.spawn().unwrap());
    assert!(serving.line().await.contains("\"ready\":true"));

    let add = async |url: String| person.run(["add", url.as_str()]).await.stdout.trim().to_owned();
    let running = add(origin.url("/runs").into()).await;
    runs.held().await;
    let waiting = add(patient.url("/long").into()).await;
    let mut due = person.shows(&waiting, |shown| next_try(shown).is_some()).await;
    let mut was = 0;
    for seconds in [3600, -DAY, 12 * 365 * DAY, 0] {
        set(&clock, seconds);
        let moved = next_try(&due).unwrap() + (seconds - was) * 1000;
        was = seconds;
        // Whatever happens next lets the loop look at its clocks before the minute is over.
        assert_eq!(person.run(["first", &waiting]).await.code, Some(0));
        due = person.shows(&waiting, |shown| next_try(shown).is_some_and(|next| (next - moved).abs() < 60_000)).await;
        assert_eq!(long.requests().len(), 1, "{seconds}");
    }
    // A wait that is over goes on by itself, also where the clock says that it has hardly begun.
    let id = add(origin.url("/short").into()).await;
    person.shows(&id, |shown| next_try(shown).is_some()).await;
    set(&clock, -1800);
    let tried = short.requests().len();
    person.shows(&id, |shown| shown["records"][0]["attempts"].as_u64() > Some(tried as u64)).await;
    short.honest();
    runs.release();
    for (id, requests) in [(&running, runs.requests()), (&id, Vec::new())] {
        assert_eq!(person.shows(id, |shown| shown["state"] == "settled").await["result"], "success");
        assert!(requests.len() <= 1, "what runs does not notice: {requests:?}");
    }
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
}
