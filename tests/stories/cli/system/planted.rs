//! Tests unwanted pipes, folders and links at the paths where Ashore stores its own files.
//!
//! The engine starts and works, or it prints a sentence with the reason why it cannot start. A start never blocks.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

/// Files that the engine reads at its start, but creates only when it needs them.
const RARE: [&str; 8] = [
    "ashore.sock.path",
    "ashore.toml",
    "cookies.txt",
    "ledger.sqlite-shm",
    "ledger.sqlite-wal",
    "ledger.suspect",
    "recovery.json",
    "sign-ins.json",
];

/// Function that creates an unwanted entry at a path.
type Place = fn(&Path);

#[tokio::test(flavor = "multi_thread")]
async fn start_never_blocks_on_unexpected_file_types() {
    let origin = Origin::start().await;
    origin.file("/file", Body::seeded(1, 1 << 10));
    let mut machine = Machine::new();
    download_file(&mut machine, &origin, "before").await;
    machine.kill().await;
    let mut names = files_in(&machine.data());
    names.extend(RARE.map(PathBuf::from));
    assert!(names.contains(Path::new("ledger.sqlite")) && names.contains(Path::new("lock")), "{names:?}");

    let kinds: [(&str, Place); 3] = [
        ("a pipe", |path| mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o666), 0).unwrap()),
        ("a folder", |path| fs::create_dir(path).unwrap()),
        ("a link to a device without an end", |path| symlink("/dev/zero", path).unwrap()),
    ];
    let mut refusals = 0;
    for (kind, place) in kinds {
        for name in &names {
            let what = format!("{kind} in the place of {}", name.display());
            let mut other = Machine::new();
            copy(&machine.data(), &other.data());
            let path = other.data().join(name);
            match fs::symlink_metadata(&path) {
                Ok(_) => fs::remove_file(&path).unwrap(),
                Err(_) => fs::create_dir_all(path.parent().unwrap()).unwrap(),
            }
            place(&path);
            match other.serve(None).await {
                Ok(()) => download_file(&mut other, &origin, "after").await,
                Err(died) => {
                    let log = other.log();
                    let has_sentence = log.trim_end().ends_with('.') || log.contains(" cannot be used: ");
                    let is_refusal = died.signal.is_none() && has_sentence && !log.contains("panicked at");
                    assert!(is_refusal, "{what}: {died:?}: {log}");
                    refusals += 1;
                }
            }
        }
    }
    // Limit the number of refused starts: the test must fail if the program never starts.
    assert!(refusals < 2 * names.len(), "{refusals} of {} starts were refused", 3 * names.len());
}

/// Downloads a file. First starts the engine if it is not running.
async fn download_file(machine: &mut Machine, origin: &Origin, name: &str) {
    if !machine.is_running() {
        machine.serve(None).await.unwrap();
    }
    let requests = [json!({ "url": origin.url("/file"), "name": name })];
    let new = json!({ "owner": "planted", "developer_id": name, "folder": machine.target(), "requests": requests });
    machine.call("create", new).await.unwrap();
    let settled = machine.until(name, "settled", |one| one["state"] == "settled").await.unwrap();
    assert_eq!(settled["result"], "success", "{settled}\n{}", machine.log());
}

/// Returns the paths of all files below `folder`, relative to `folder`. Omits sockets.
fn files_in(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.insert(entry.path().strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    for name in files_in(from) {
        let path = to.join(&name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(from.join(&name), path).unwrap();
    }
}
