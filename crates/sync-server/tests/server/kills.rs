//! Kills the program while clients write.
//!
//! Acknowledged writes must exist, batches must be visible as a whole or not at all, and counters must be correct.

use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    sync::mpsc,
    thread,
};

use ashore_sync_server::auth::enrol::EnrolLink;
use ashore_testkit::sync_server::postgres::postgres;
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use serde_json::{Value, json};

use crate::programs::{answer, ask, command, enrol, plain, serve_with};

/// Returns the number of kills per run. A run with ASHORE_KILLS=500 takes minutes.
fn kills() -> u64 {
    std::env::var("ASHORE_KILLS").map_or(6, |count| count.parse().expect("ASHORE_KILLS is a number"))
}

/// Number of objects in one batch.
const BATCH: u64 = 7;

/// Names of acknowledged writes.
#[derive(Default)]
struct AcknowledgedWrites {
    objects: BTreeSet<String>,
    batches: BTreeSet<String>,
}

/// Sends a request to a server that may have been killed.
///
/// Returns `None` if there is no response; whether the write was stored is then unknown.
fn try_to_ask(address: &str, method: &str, path: &str, token: &str, body: &str) -> Option<(u16, String)> {
    let mut connection = TcpStream::connect(address).ok()?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\nAuthorization: Bearer {token}\r\n\r\n{body}",
        body.len()
    );
    connection.write_all(head.as_bytes()).ok()?;
    let mut text = String::new();
    connection.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

/// Sends writes until the server has been killed.
///
/// Reports every acknowledged write to `acknowledged`. Panics if the server refuses a write.
fn write(address: &str, uid: i64, token: &str, name: &str, acknowledged: &mpsc::Sender<(bool, String)>) {
    for number in 0u64.. {
        let name = format!("{name}-{number}");
        let is_batch = number % 4 == 3;
        let done = match is_batch {
            false => {
                try_to_ask(address, "PUT", &format!("/1.5/{uid}/storage/tabs/{name}"), token, "{\"payload\":\"xxxxxxxxxx\"}")
            }
            true => batch(address, uid, token, &name),
        };
        let Some((status, body)) = done else { return };
        assert_eq!(status, 200, "{body}");
        acknowledged.send((is_batch, name)).unwrap();
    }
}

fn batch(address: &str, uid: i64, token: &str, name: &str) -> Option<(u16, String)> {
    let objects = |ids: std::ops::Range<u64>| {
        ids.map(|id| json!({ "id": format!("{name}-{id}"), "payload": "y" })).collect::<Value>().to_string()
    };
    let path = format!("/1.5/{uid}/storage/history?batch=");
    let (status, body) = try_to_ask(address, "POST", &format!("{path}true"), token, &objects(0..3))?;
    assert_eq!(status, 202, "{body}");
    let begun: Value = serde_json::from_str(&body).unwrap();
    let batch = begun["batch"].as_str().unwrap();
    try_to_ask(address, "POST", &format!("{path}{batch}&commit=true"), token, &objects(3..BATCH))
}

fn story(folder: &Path, database: &[&str]) {
    let mut dice = StdRng::seed_from_u64(7);
    let mut left = kills();
    while left > 0 {
        // Create a new user after ten kills: each kill may leave open batches, and a user may have at most 64 of them.
        let some = left.min(10);
        left -= some;
        kill_server_repeatedly(folder, database, some, &mut dice);
    }
    let doctor: Vec<&str> = database.iter().copied().chain(["doctor"]).collect();
    assert_eq!(answer(folder, &doctor, 0)["wrong"], json!([]));
}

/// Creates a user, kills the server several times, and checks the remaining data.
fn kill_server_repeatedly(folder: &Path, database: &[&str], kills: u64, dice: &mut StdRng) {
    let serve = || serve_with(command(folder, database).args(["serve", "--listen", "127.0.0.1:0"]));
    let server = serve();
    let invite: Vec<&str> = database.iter().copied().chain(["invite", "--plain"]).collect();
    let link = EnrolLink::read(answer(folder, &invite, 0)["invite"].as_str().unwrap()).unwrap();
    let (uid, token) = enrol(plain(&server), &link);
    assert_eq!(server.stop(), Some(0));
    let mut told = AcknowledgedWrites::default();
    for kill in 0..kills {
        let mut server = serve();
        let (sender, acknowledged) = mpsc::channel();
        let writers: Vec<_> = (0..3)
            .map(|writer| {
                let (address, token, sender) = (server.address(), token.clone(), sender.clone());
                thread::spawn(move || write(&address, uid, &token, &format!("{kill}-{writer}"), &sender))
            })
            .collect();
        drop(sender);
        // Kill at a random write, and thus at a random point of the concurrent writes.
        let mut before = dice.random_range(1..60);
        for (is_batch, name) in acknowledged {
            before -= 1;
            if before == 0 {
                server.child.kill().unwrap();
            }
            let names = if is_batch { &mut told.batches } else { &mut told.objects };
            names.insert(name);
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        server.child.wait().unwrap();
    }
    let server = serve();
    let ids = |collection: &str| -> BTreeSet<String> {
        let (status, body) = ask(plain(&server), "GET", &format!("/1.5/{uid}/storage/{collection}"), &token, "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    };
    let (objects, batches) = (ids("tabs"), ids("history"));
    let lost: Vec<_> = told.objects.difference(&objects).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    let names: BTreeSet<_> = batches.iter().map(|id| id.rsplit_once('-').unwrap().0.to_owned()).collect();
    let lost: Vec<_> = told.batches.difference(&names).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    for name in names {
        let seen = (0..BATCH).filter(|id| batches.contains(&format!("{name}-{id}"))).count() as u64;
        assert_eq!(seen, BATCH, "half of batch {name} is visible");
    }
    assert!(told.objects.len() > 5, "nothing was written, so nothing was tried");
}

#[test]
fn killed_server_on_sqlite_keeps_acknowledged_writes() {
    let folder = tempfile::tempdir().unwrap();
    story(folder.path(), &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_server_on_postgres_keeps_acknowledged_writes() {
    let address = match postgres() {
        Ok(server) => server.database().await,
        Err(reason) => return eprintln!("PostgreSQL was left out, because {reason}."),
    };
    let folder = tempfile::tempdir().unwrap();
    tokio::task::spawn_blocking(move || story(folder.path(), &["--database", &address])).await.unwrap();
}
