//! Benchmarks of the sync client: the first sync of a long list, and the cost of an idle machine.
//!
//! The first sync is measured on the sending and on the receiving machine. Both machines are `ashore serve`, and the
//! server is the shipped program on SQLite. A relay between a machine and the server counts the requests.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{readings, sync_server::place::ServerPlace, tools::built};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::sleep,
};
use uuid::Uuid;

use crate::{
    figure::{BenchFigure, FigureBound},
    queue::serve::{BenchHousehold, ServingHousehold},
};

/// Number of downloads in the list.
const MANY: u64 = 100_000;
/// Time limit of the first sync of one machine.
const PATIENCE: Duration = Duration::from_secs(600);
/// Duration of the measurement of an idle machine. It contains at least one cycle without changes.
const WATCHED: Duration = Duration::from_secs(330);
/// Time for the work of the first sync to finish.
const SETTLED: Duration = Duration::from_secs(20);
/// Path of the ledger, relative to the folder of a `BenchHousehold`.
const LEDGER: &str = "data/ledger.sqlite";
/// Settings of a machine. Secrets are stored in a file, because the machines have no desktop keychain.
const SETTINGS: &str = "keychain = \"file\"\n";

/// Measures one round in the folder `place`. The sending machine gets a copy of the list in the folder `list`. The last
/// round also measures an idle machine.
pub async fn round(place: &Path, list: &Path, is_last: bool) -> Result<Vec<BenchFigure>> {
    let server = ServerPlace { program: built("ashore-sync-server")?, folder: place.join("server"), database: None };
    let running = server.start().await?;
    let counted = Arc::new(AtomicU64::new(0));
    let relay = relay(running.address.clone(), counted.clone()).await?;
    let link = running.set_up_link().context("the server has users already")?.replace(&running.address, &relay);

    let laptop = BenchHousehold::new(&place.join("laptop"), SETTINGS)?;
    fs::copy(list.join(LEDGER), place.join("laptop").join(LEDGER))?;
    let mut sending = laptop.serve()?;
    let begun = Instant::now();
    sending.call("sync", json!({ "verb": "set_up", "link": link, "name": "Laptop" }))?;
    until(&mut sending, |status| downloads(status).is_some_and(|report| report["waiting"] == 0 && report["records"] == MANY))
        .await?;
    let sent = begun.elapsed();
    let peak_of_sender = sending.resident()?.peak;

    let invite = sending.call("sync", json!({ "verb": "invite" }))?;
    let desktop = BenchHousehold::new(&place.join("desktop"), SETTINGS)?;
    let mut receiving = desktop.serve()?;
    let begun = Instant::now();
    receiving.call("sync", json!({ "verb": "join", "link": invite["link"], "name": "Desktop" }))?;
    until(&mut receiving, |status| status["others"] == MANY && !status["synced_ms"].is_null()).await?;
    let received = begun.elapsed();
    let peak_of_receiver = receiving.resident()?.peak;

    let seconds =
        |what: &str, time: Duration| BenchFigure::new(what, MANY, "s", vec![time.as_secs_f64()]).bound(FigureBound::Most(60.0));
    let megabytes =
        |what: &str, bytes: u64| BenchFigure::new(what, MANY, "MB", vec![bytes as f64 / 1e6]).bound(FigureBound::Most(150.0));
    let mut figures = vec![
        seconds("first sync, sending", sent),
        megabytes("peak memory of the sender", peak_of_sender),
        seconds("first sync, receiving", received),
        megabytes("peak memory of the receiver", peak_of_receiver),
    ];
    if is_last {
        receiving.stop()?;
        figures.extend(at_rest(&mut sending, &counted).await?);
    }
    Ok(figures)
}

/// Measures the requests and the wake-ups of an idle machine.
async fn at_rest(serving: &mut ServingHousehold, counted: &AtomicU64) -> Result<Vec<BenchFigure>> {
    // Wait first, because the other machine has just stopped. The server counts this stop as a change, although the
    // list stays the same.
    sleep(SETTLED).await;
    let before = counted.load(Relaxed);
    serving.call("sync", json!({ "verb": "now" }))?;
    let of_cycle = counted.load(Relaxed) - before;
    ensure!(of_cycle > 0, "the relay has seen no request");
    eprintln!("  idle for {} s", WATCHED.as_secs());
    sleep(SETTLED).await;
    let (asleep, before) = (readings::sleeps(serving.id())?, counted.load(Relaxed));
    sleep(WATCHED).await;
    let wakes = (readings::sleeps(serving.id())? - asleep) as f64 / WATCHED.as_secs_f64();
    let requests = (counted.load(Relaxed) - before) as f64;
    let figure = |what: &str, unit: &str, value: f64, most: f64| {
        BenchFigure::new(what, MANY, unit, vec![value]).bound(FigureBound::Most(most))
    };
    Ok(vec![
        figure("requests of a cycle without changes", "", of_cycle as f64, 1.0),
        figure("requests in five and a half minutes at rest", "", requests, 2.0),
        figure("wake-ups, sync on", "a second", wakes, 0.1),
    ])
}

/// Waits until `is_expected` is true for the sync status.
async fn until(serving: &mut ServingHousehold, is_expected: impl Fn(&Value) -> bool) -> Result<()> {
    let begun = Instant::now();
    loop {
        let status = serving.call("sync", json!({ "verb": "status" }))?;
        if is_expected(&status) {
            return Ok(());
        }
        ensure!(begun.elapsed() < PATIENCE, "the first sync did not end: {status}");
        sleep(Duration::from_millis(200)).await;
    }
}

/// Returns the part of the sync status that describes the downloads.
fn downloads(status: &Value) -> Option<&Value> {
    status["collections"].as_array()?.iter().find(|report| report["collection"] == "dl-items")
}

/// Starts a relay that forwards connections to `server` and counts the requests in them. Returns the address of the
/// relay.
async fn relay(server: String, counted: Arc<AtomicU64>) -> Result<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?.to_string();
    tokio::spawn(async move {
        while let Ok((machine, _)) = listener.accept().await {
            let Ok(stream) = TcpStream::connect(&server).await else { continue };
            let (counted, (from_machine, to_machine)) = (counted.clone(), machine.into_split());
            let (from_server, to_server) = stream.into_split();
            tokio::spawn(forward(from_machine, to_server, Some(counted)));
            tokio::spawn(forward(from_server, to_machine, None));
        }
    });
    Ok(address)
}

/// Copies bytes until the stream ends. Counts a request when its first line is complete.
async fn forward(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, counted: Option<Arc<AtomicU64>>) {
    const END_OF_FIRST_LINE: &[u8] = b" HTTP/1.1\r\n";
    let (mut buffer, mut matched) = (vec![0; 64 << 10], 0);
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if let Some(counted) = &counted {
            for byte in &buffer[..length] {
                matched = match END_OF_FIRST_LINE[matched] == *byte {
                    true => matched + 1,
                    false => usize::from(*byte == END_OF_FIRST_LINE[0]),
                };
                if matched == END_OF_FIRST_LINE.len() {
                    matched = 0;
                    counted.fetch_add(1, Relaxed);
                }
            }
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}

/// Creates the list in the folder `place`. The downloads are paused, so that no program fetches them.
pub fn create_list(place: &Path) -> Result<()> {
    let household = BenchHousehold::new(place, SETTINGS)?;
    let mut text = "{\"ashore\":\"export\",\"version\":1,\"made_at\":1,\"by\":\"bench\"}\n".to_owned();
    for number in 0..MANY {
        let (id, name) = (Uuid::from_u128(u128::from(number) + 1), format!("file-{number:06}.bin"));
        let registration = json!({ "id": id, "owner": "command-line", "source": "command-line", "title": name, "folder": place,
            "kind": "program", "created": 1_700_000_000_000_i64, "result": "", "paused": true, "rank": number });
        let request = json!({ "asked": { "url": format!("https://files.test/a/folder/{name}") }, "kind": "program",
            "state": "unfinished" });
        writeln!(text, "{}\n{}", json!({ "registration": registration }), json!({ "request": request }))?;
    }
    let digest = hex::encode(Sha256::digest(&text));
    let end = json!({ "registrations": MANY, "requests": MANY, "sha256": digest });
    writeln!(text, "{}", json!({ "end": end }))?;
    let path = place.join("list.json");
    fs::write(&path, text)?;
    let path = path.to_str().context("a path is not valid Unicode")?;
    let output = household.command(&["import", path])?.output()?;
    ensure!(output.status.success(), "ashore import: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
