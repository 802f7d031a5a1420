//! Tests that the list is never lost.
//!
//! The engine copies the list regularly. After any damage to the list's file, the engine starts and restores the latest
//! copy. It finds downloads that are missing in the copy, keeps the damaged file, and reports the recovery.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_engine::{EngineEnv, ListQuery, RegistrationState, UniqueId};
use ashore_testkit::{
    fault::{Fault, Shim},
    home::{Home, env},
    machine::Machine,
    origin::{Body, Origin, Route, content},
};
use serde_json::json;

/// Number of downloads in the list for the byte-flip test, each with five files.
const ENTRIES: usize = 100;
/// Number of flipped bytes. Only one byte is flipped at a time.
const FLIPS: usize = 60;

/// Way to damage a ledger: a name, and a function that causes the damage.
type Damage = (&'static str, fn(&Path));

const DAMAGES: &[Damage] = &[
    ("another header", |path| change(path, |bytes| bytes[..16].fill(b'x'))),
    ("another version", |path| change(path, |bytes| bytes[60] ^= 0x40)),
    ("another application", |path| change(path, |bytes| bytes[69] ^= 1)),
    ("another write version", |path| change(path, |bytes| bytes[18] = 7)),
    ("half of it", |path| change(path, |bytes| bytes.truncate(bytes.len() / 2))),
    ("pages of something else", |path| change(path, |bytes| bytes[4096..12288].fill(0x5a))),
    ("a letter", |path| change(path, |bytes| *bytes = b"this is a letter, not a list of downloads".to_vec())),
    ("no length", |path| change(path, Vec::clear)),
    ("an index of something else", |path| {
        change(path, |bytes| replace(bytes, b"CREATE INDEX rs_pending", b"CREATE INDEX rs_fending"))
    }),
    ("nothing at all", |path| fs::remove_file(path).unwrap()),
    ("a folder", |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    }),
];

fn change(path: &Path, damage: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    damage(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
    bytes[at..at + to.len()].copy_from_slice(to);
}

fn ledger(home: &Home) -> PathBuf {
    home.data().join("ledger.sqlite")
}

fn copies(home: &Home) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(home.data().join("backups")) else { return Vec::new() };
    let mut copies: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    copies.sort();
    copies
}

/// Opens the test home, waits for a copy of the list, and closes the test home.
async fn copied(home: &mut Home) {
    home.reopen().await;
    home.until_looked("there is a copy of the list", async |_| {
        copies(home).iter().any(|path| path.extension().is_some_and(|kind| kind == "sqlite"))
    })
    .await;
    home.close().await;
}

/// Creates a test home with a finished file `a` and a partial file of `b`.
///
/// The copy of the list contains `a`. The copy is older than the partial file of `b`.
async fn with_something_newer_than_its_copy(origin: &Origin) -> (Home, UniqueId, Route) {
    let mut home = Home::open().await;
    origin.file("/a", Body::bytes("a"));
    let known = home.fetch([origin.url("/a")]).await;
    home.settled(known).await;
    assert!(copies(&home).is_empty(), "a list that has just been begun needs no copy");
    home.close().await;
    copied(&mut home).await;
    home.reopen().await;
    let file = origin.file("/b", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let newer = home.fetch([origin.url("/b")]).await;
    file.held().await;
    home.until(newer, |now| now.downloaded == 600_000).await;
    home.pause(Some(newer)).await.unwrap();
    home.until(newer, |now| now.active == 0).await;
    home.close().await;
    file.release();
    (home, known, file)
}

#[tokio::test]
async fn download_that_the_backup_lacks_resumes_after_the_damaged_list_is_restored() {
    for (what, damage) in DAMAGES {
        let origin = Origin::start().await;
        let (mut home, known, file) = with_something_newer_than_its_copy(&origin).await;
        damage(&ledger(&home));
        let damaged = fs::read(ledger(&home)).ok();
        home.reopen().await;

        assert_eq!(home.show(known).await.unwrap().succeeded, 1, "{what}: the download is in the copy");
        let recovery = home.recovery().unwrap_or_else(|| panic!("{what}: the recovery is not reported"));
        assert!(recovery.copy_of.is_some() && !recovery.why.text.is_empty() && !recovery.is_ahead, "{what}: {recovery:?}");
        let [again] = &recovery.found_again[..] else { panic!("{what}: {recovery:?}") };
        assert_eq!(again.title, "b", "{what}");
        let done = home.settled(again.unique_id).await;
        assert_eq!((done.succeeded, home.bytes("b")), (1, content(1, 1_000_000)), "{what}");
        // No file exists twice, and no partial file is left.
        home.until_names(&["a", "b"]).await;
        assert!(file.requests().last().unwrap().range_start().is_some(), "{what}: the transfer resumed and did not restart");

        // The damaged file is kept unchanged.
        if let Some(bytes) = damaged {
            let kept = recovery.kept_as.clone().unwrap();
            assert!(kept.to_str().unwrap().contains("ledger.sqlite.damaged-2"), "{what}: {}", kept.display());
            assert!(fs::read(&kept).unwrap() == bytes, "{what}: the damaged list is kept unchanged");
        }

        // The recovery is reported until the user acknowledges it.
        home.close().await;
        home.reopen().await;
        assert_eq!(home.doctor().await.unwrap().recovery.unwrap(), recovery, "{what}");
        home.acknowledge_recovery().unwrap();
        assert_eq!(home.recovery(), None, "{what}");
    }
}

/// Creates a test home with a damaged list. In the copy of the list, `b` is half complete.
///
/// The file `b` was completed after the copy was made.
async fn with_a_file_that_was_finished_since(origin: &Origin) -> (Home, UniqueId, Route) {
    let mut home = Home::open().await;
    origin.file("/a", Body::bytes("a"));
    let known = home.fetch([origin.url("/a")]).await;
    home.settled(known).await;
    let file = origin.file("/b", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/b?token=1")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.close().await;
    copied(&mut home).await;
    file.release();
    home.reopen().await;
    home.settled(id).await;
    home.until_names(&["a", "b"]).await;
    home.close().await;
    fs::write(ledger(&home), "no list at all").unwrap();
    (home, id, file)
}

#[tokio::test]
async fn file_that_was_finished_after_ledger_backup_is_not_fetched_again() {
    let origin = Origin::start().await;
    let (mut home, id, file) = with_a_file_that_was_finished_since(&origin).await;
    let asked = file.requests().len();
    home.reopen().await;
    let done = home.settled(id).await;
    assert_eq!((done.succeeded, home.bytes("b")), (1, content(1, 1_000_000)));
    assert_eq!(home.records(id, 0, 0).await.unwrap()[0].path, Some(home.downloads().join("b")));
    home.until_names(&["a", "b"]).await;
    assert_eq!(file.requests().len(), asked, "no request was sent");
}

#[tokio::test]
async fn file_is_downloaded_again_if_user_has_changed_or_replaced_it() {
    let spoils: [Damage; 2] = [
        ("longer", |path| fs::OpenOptions::new().append(true).open(path).unwrap().set_len(1_000_001).unwrap()),
        ("another file", |path| {
            fs::remove_file(path).unwrap();
            fs::write(path, vec![7; 1_000_000]).unwrap();
        }),
    ];
    for (what, spoil) in spoils {
        let origin = Origin::start().await;
        let (mut home, id, _file) = with_a_file_that_was_finished_since(&origin).await;
        spoil(&home.downloads().join("b"));
        let theirs = home.bytes("b");
        home.reopen().await;
        assert_eq!(home.settled(id).await.succeeded, 1, "{what}");
        home.until_names(&["a", "b", "b (1)"]).await;
        assert!(home.bytes("b (1)") == content(1, 1_000_000) && home.bytes("b") == theirs, "{what}");
    }
}

#[tokio::test]
async fn new_list_contains_the_downloads_of_partial_files_if_the_old_list_has_no_backup() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/b", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/b")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    home.close().await;
    file.release();
    change(&ledger(&home), |bytes| bytes[..100].fill(0));
    home.reopen().await;
    let recovery = home.recovery().unwrap();
    assert_eq!((recovery.copy_of, recovery.found_again.len()), (None, 1));
    home.settled(recovery.found_again[0].unique_id).await;
    home.until_names(&["b"]).await;
    assert_eq!(home.bytes("b"), content(1, 1_000_000));
}

#[tokio::test]
async fn damaged_backup_of_list_is_skipped_and_preserved() {
    let origin = Origin::start().await;
    let (mut home, known, _file) = with_something_newer_than_its_copy(&origin).await;
    let [good] = &copies(&home)[..] else { panic!("one copy") };
    let newer = home.data().join("backups/ledger-20991231T000000Z.sqlite");
    fs::copy(good, &newer).unwrap();
    change(&newer, |bytes| bytes[4096..8192].fill(0x5a));
    change(&ledger(&home), Vec::clear);
    home.reopen().await;
    assert_eq!(home.show(known).await.unwrap().succeeded, 1);
    assert!(newer.exists() && good.exists());
}

#[tokio::test]
async fn request_that_began_after_ledger_backup_resumes_from_received_bytes() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/b", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let mut new = Home::ask([origin.url("/b")]);
    new.paused = true;
    let id = home.create(new).await.unwrap().unique_id;
    home.close().await;
    copied(&mut home).await;
    home.reopen().await;
    home.resume(Some(id)).await.unwrap();
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.close().await;
    file.release();
    change(&ledger(&home), Vec::clear);
    home.reopen().await;
    assert_eq!(home.recovery().unwrap().found_again, []);
    home.resume(Some(id)).await.unwrap();
    assert_eq!(home.settled(id).await.state, RegistrationState::Settled);
    home.until_names(&["b"]).await;
    assert!(file.requests().last().unwrap().range_start().is_some(), "it went on");
}

#[tokio::test]
async fn download_that_was_retried_after_ledger_backup_resumes_despite_abort() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/b", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/b")]).await;
    file.held().await;
    assert!(home.abort(id).await.unwrap());
    home.until_names(&[]).await;
    file.left().await;
    home.close().await;
    copied(&mut home).await;
    home.reopen().await;
    assert_eq!(home.retry(id).await.unwrap(), 1);
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.close().await;
    file.release();
    change(&ledger(&home), Vec::clear);
    home.reopen().await;
    assert_eq!(home.recovery().unwrap().found_again, [], "it is in the copy");
    assert_eq!(home.settled(id).await.succeeded, 1);
    assert_eq!(home.bytes("b"), content(1, 1_000_000));
    assert!(file.requests().last().unwrap().range_start().is_some(), "it went on");
}

#[tokio::test]
async fn partial_file_waits_for_adoption_while_another_program_locks_it() {
    let origin = Origin::start().await;
    let (mut home, ..) = with_something_newer_than_its_copy(&origin).await;
    let part = home.names().into_iter().find(|name| name.ends_with(".part")).unwrap();
    let held = fs::File::open(home.downloads().join(&part)).unwrap();
    held.lock().unwrap();
    // This partial file has no information about its download, and may belong to the user.
    fs::write(home.downloads().join("c.01234567.part"), "c").unwrap();
    change(&ledger(&home), Vec::clear);
    home.reopen().await;
    assert_eq!(home.recovery().unwrap().found_again, []);
    held.unlock().unwrap();
    let adopted = home.adopt(Vec::new()).await.unwrap();
    let [one] = &adopted[..] else { panic!("{adopted:?}") };
    assert_eq!(home.settled(one.unique_id).await.succeeded, 1);
    home.until_names(&["a", "b", "c.01234567.part"]).await;
}

#[tokio::test]
async fn list_is_backed_up_once_a_day_after_changes() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    home.settled(id).await;
    home.close().await;
    copied(&mut home).await;
    let first = copies(&home);
    assert_eq!(first.len(), 1);
    home.reopen().await;
    home.close().await;
    assert_eq!(copies(&home), first, "it is of this day");
    // A day later, another copy is made. The copies of three earlier days are kept too.
    for days in 1..=3 {
        let shifted = |path: &PathBuf| path.with_file_name(format!("ledger-2020010{days}T000000Z.sqlite"));
        fs::copy(&first[0], shifted(&first[0])).unwrap();
    }
    fs::remove_file(&first[0]).unwrap();
    copied(&mut home).await;
    home.reopen().await;
    home.close().await;
    let names: Vec<String> = copies(&home).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
}

/// At its start, the engine does not read a large list completely.
///
/// So some damage is found only later: by the next copy, or by a background check of the remaining pages if no copy is
/// due.
#[tokio::test]
async fn ledger_damage_found_by_running_engine_is_repaired_at_next_start() {
    for is_copy_due in [true, false] {
        let (origin, mut home) = (Origin::start().await, Home::open().await);
        let mut new = Home::ask((0..5000).map(|file| origin.url(&format!("/{file}"))));
        new.paused = true;
        let id = home.create(new).await.unwrap().unique_id;
        home.close().await;
        copied(&mut home).await;
        let today = copies(&home).remove(0);
        if is_copy_due {
            fs::copy(&today, home.data().join("backups/ledger-20200101T000000Z.sqlite")).unwrap();
            fs::remove_file(&today).unwrap();
        } else {
            // If no copy is due, the first tick reads the remaining pages. So let the tick come soon.
            home = home.env(EngineEnv { tick: Duration::from_millis(100), ..env() });
        }
        change(&ledger(&home), |bytes| {
            let middle = bytes.len() / 2 / 4096 * 4096;
            bytes[middle..middle + 8192].fill(0xa5);
            // Unused bytes after the last page make the file large.
            bytes.resize(17 << 20, 0);
        });
        home.reopen().await;
        home.until_looked("the damage is found", async |engine| engine.recovery().is_some_and(|recovery| recovery.is_ahead))
            .await;
        home.acknowledge_recovery().unwrap();
        assert!(home.recovery().is_some(), "the pending recovery stays");
        home.close().await;
        let sound = copies(&home).iter().filter(|path| path.extension().is_some_and(|kind| kind == "sqlite")).count();
        assert_eq!(sound, 1, "no sound copy was removed, and no damaged one was added");
        home.reopen().await;
        let recovery = home.recovery().unwrap();
        assert!(recovery.copy_of.is_some() && !recovery.is_ahead, "{recovery:?}");
        assert_eq!(home.show(id).await.unwrap().requests, 5000);
        home.close().await;
    }
}

/// Flips one byte at a time, in all parts of the file.
///
/// The positions are the same in every run.
#[tokio::test]
async fn ledger_with_flipped_byte_loses_few_entries_and_no_partial_file() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    for number in 0..ENTRIES {
        let mut new = Home::ask((0..5).map(|file| origin.url(&format!("/{number}/{file}"))));
        new.paused = true;
        home.create(new).await.unwrap();
    }
    let file = origin.file("/b", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/b")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.pause(None).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    home.close().await;
    copied(&mut home).await;
    let whole = fs::read(ledger(&home)).unwrap();
    let (mut listed, mut restored) = (0, 0);
    for flip in 0..FLIPS {
        let mut bytes = whole.clone();
        let at = (flip * bytes.len() / FLIPS + flip * 97 % 512).min(bytes.len() - 1);
        bytes[at] ^= 1 << (flip % 8);
        fs::write(ledger(&home), bytes).unwrap();
        home.reopen().await;
        let list = home.list(ListQuery { limit: 1000, ..ListQuery::default() }).await;
        let list = list.unwrap_or_else(|error| panic!("byte {at}: {error}"));
        listed += list.len();
        restored += usize::from(home.recovery().is_some());
        assert!(home.names().iter().any(|name| name.ends_with(".part")), "byte {at}: the partial is kept");
        home.close().await;
        for part in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{part}", ledger(&home).display()));
        }
        let _ = fs::remove_file(home.data().join("recovery.json"));
    }
    assert!(restored > 0, "none of it was noticed");
    let expected = FLIPS * (ENTRIES + 1);
    assert!(listed * 100 >= expected * 99, "{listed} of {expected} entries");
    println!("{FLIPS} bytes flipped: {listed} of {expected} entries, {restored} times restored from the copy");
}

#[tokio::test(flavor = "multi_thread")]
async fn list_is_not_discarded_after_temporary_read_failure() {
    let mut machine = Machine::new();
    machine.serve(None).await.unwrap();
    let requests = json!([{ "url": "http://127.0.0.1:60999/nobody" }]);
    let new = json!({ "owner": "story", "developer_id": "kept", "folder": machine.target(), "requests": requests });
    assert!(machine.call("create", new).await.unwrap().is_object());
    machine.kill().await;
    let shim = Shim::make(machine.disk()).unwrap();
    let says = machine.disk().join("fault");
    let mut failed = 0;
    for which in 1..=24 {
        machine.start_under(shim.words(Fault::Read, which, &says).into_iter().chain(["RUST_LOG=warn".to_owned()]));
        assert!(machine.serve(None).await.is_ok(), "read {which}: {}", machine.log());
        assert!(machine.find("kept").await.unwrap().is_some(), "read {which}: {}", machine.log());
        machine.kill().await;
        failed += usize::from(fs::remove_file(&says).is_ok());
    }
    assert!(failed > 10 && machine.log().contains("it is looked at again"), "{failed}: {}", machine.log());
    let is_damaged = |name: &str| name.contains("damaged");
    assert!(!fs::read_dir(machine.data()).unwrap().any(|entry| is_damaged(&entry.unwrap().file_name().to_string_lossy())));
}
