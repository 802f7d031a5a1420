//! Tests with a real server: nginx serves one file of 3 GiB and 2,000 small files. The power is cut three times.
//!
//! All files are one registration. The access log of nginx shows how many bytes were fetched again.

use std::{
    fs,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use ashore_testkit::{
    free_bytes,
    machine::{BUSY_DISK, Cut, Machine},
    nginx::{FileServer, SEND_BUFFER},
    origin::content,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const MIB: u64 = 1 << 20;
/// Size of the large file in bytes.
const LARGE: u64 = 3 << 30;
/// Number of small files.
const SMALL: u64 = 2000;
/// Speed of the server for each connection, in bytes per second. It is slow enough for power cuts during the transfer.
const RATE: u64 = 160 * MIB;
/// Maximum number of bytes that one power cut loses: the bytes since the last checkpoint.
///
/// These are the bytes of at most one second, and at most 32 MiB.
const CHECKPOINT: u64 = 32 * MIB;
/// Number of bytes that a resume fetches again and compares.
const OVERLAP: u64 = 64 << 10;
/// Time limit for the whole test.
const PATIENCE: Duration = Duration::from_secs(240);

#[tokio::test(flavor = "multi_thread")]
async fn large_file_and_2000_small_files_survive_power_cuts() {
    let _disk = BUSY_DISK.lock().await;
    let mut machine = Machine::new();
    machine.settings_as_shipped();
    let needed = 2 * LARGE + 1024 * MIB;
    let free = free_bytes(machine.disk()).unwrap();
    assert!(
        free >= needed,
        "This test needs {} MiB free in {}, and there are {}. Free some, or point TMPDIR to a larger disk.",
        needed / MIB,
        std::env::temp_dir().display(),
        free / MIB
    );
    let server = FileServer::start(&machine.disk().join("nginx"), Some(RATE)).await.unwrap();
    let begun = Instant::now();
    let (total, digests) = fill(&server.files());
    println!("{} files, {} MiB, made in {:.1?}", digests.len(), total / MIB, begun.elapsed());

    machine.serve(None).await.unwrap();
    let links = machine.own_file("links", links(&server).as_bytes());
    let arguments = ["add".as_ref(), "--id".as_ref(), "all".as_ref(), "-i".as_ref(), links.as_os_str()];
    let added = machine.run(arguments).await;
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let id = String::from_utf8(added.stdout).unwrap().trim().to_owned();

    let begun = Instant::now();
    let mut durable_before = Vec::new();
    for percent in [20, 50, 80] {
        until(&mut machine, &id, |one| one["downloaded"].as_u64() >= Some(total * percent / 100)).await;
        durable_before.push(durable(&mut machine).await);
        machine.kill().await;
        machine.serve(None).await.unwrap();
    }
    let settled = until(&mut machine, &id, |one| one["state"] == "settled").await;
    println!("fetched in {:.1?}, killed three times; peak memory {} MiB", begun.elapsed(), machine.peak_memory() / MIB);
    assert_eq!(settled["result"], "success", "{settled}");
    assert_eq!((&settled["succeeded"], &settled["downloaded"]), (&json!(SMALL + 1), &json!(total)));
    assert!(ask(&mut machine, "claim", json!({ "unique_id": id })).await == true, "the end is reported");

    let outcome = machine.outcome("http://127.0.0.1", 0).await.unwrap();
    assert_eq!(outcome.leftovers, Vec::<String>::new());
    assert_eq!(outcome.files.len(), digests.len(), "each file once");
    for (name, digest) in &digests {
        assert_eq!(outcome.files.get(name), Some(digest), "{name}");
    }
    let log = server.stop().unwrap();
    check_log(&log, &durable_before);
}

/// Checks that several connections fetched the large file, and that few bytes were sent twice.
fn check_log(log: &str, durable_before: &[u64]) {
    let cuts = durable_before.len() as u64;
    let large: Vec<ListEntry> = log.lines().map(ListEntry::read).filter(|entry| entry.path == "/large.bin").collect();
    assert!(large.len() > durable_before.len() + 1, "several connections fetch it: {large:?}");
    let sent: u64 = large.iter().map(|entry| entry.sent).sum();
    let again = sent - LARGE;
    // Each request fetches up to `OVERLAP` bytes again, for the comparison. Each interrupted request also loses its
    // bytes in flight: those in the buffers of both sockets, and batches on their way to the disk.
    let in_flight = SEND_BUFFER * 2 + receive_buffer() + 5 * MIB;
    let cut_short = large.iter().filter(|entry| entry.is_cut()).count() as u64;
    let requests = large.len() as u64;
    let [mib, each] = [again / MIB, again / MIB / cuts];
    eprintln!("{requests} requests, {cut_short} cut short; {mib} MiB sent again, {each} MiB for each power cut");
    assert!(
        again <= cuts * CHECKPOINT + requests * OVERLAP + cut_short * in_flight,
        "{again} bytes sent again are more than one checkpoint for each power cut"
    );
    let small: Vec<ListEntry> = log.lines().map(ListEntry::read).filter(|entry| entry.path != "/large.bin").collect();
    let at_work = 4 * durable_before.len();
    assert!(small.len() <= SMALL as usize + at_work, "only transfers that a power cut interrupted are requested twice");
}

#[derive(Debug)]
struct ListEntry {
    path: String,
    sent: u64,
    start: u64,
    last: Option<u64>,
}

impl ListEntry {
    fn read(line: &str) -> Self {
        let mut words = line.split(' ');
        let path = words.next().unwrap().to_owned();
        let status = words.next().unwrap();
        assert!(matches!(status, "200" | "206"), "{line}");
        let sent = words.next().unwrap().parse().unwrap();
        let range = words.next().unwrap();
        let (start, last) = range.strip_prefix("bytes=").and_then(|range| range.split_once('-')).unwrap_or(("0", ""));
        let (start, last) = (start.parse().unwrap(), last.parse().ok());
        Self { path, sent, start, last }
    }

    /// Whether the client received fewer bytes than it requested.
    fn is_cut(&self) -> bool {
        self.start + self.sent < self.last.map_or(LARGE, |last| last + 1)
    }
}

async fn until(machine: &mut Machine, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let one = ask(machine, "show", json!({ "unique_id": id })).await;
        if is_so(&one) {
            return one;
        }
        assert!(one["state"] != "settled", "it settled too early: {one}");
        assert!(Instant::now() < deadline, "it takes too long: {one}\n{}", machine.log());
        machine.breath().await.unwrap();
    }
}

/// Returns the durable bytes of the large partial file.
async fn durable(machine: &mut Machine) -> u64 {
    let report = ask(machine, "doctor", json!({})).await;
    let partials = report["partials"].as_array().unwrap();
    partials.iter().filter_map(|partial| partial["bytes"].as_u64()).max().unwrap_or_default()
}

async fn ask(machine: &mut Machine, method: &str, params: Value) -> Value {
    match machine.call(method, params).await {
        Ok(answer) => answer,
        Err(Cut::Refused(code)) => panic!("{method} is refused: {code}"),
        Err(Cut::Died(died)) => panic!("{method} finds the engine dead ({died:?}):\n{}", machine.log()),
    }
}

/// Creates the files; returns their total size, and the name and SHA-256 of each file.
fn fill(folder: &Path) -> (u64, Vec<(String, String)>) {
    let mut digests = Vec::new();
    let mut total = LARGE;
    // Repeat one random block, but write each MiB's number into it, so that no two MiB are equal.
    let mut block = content(1, 16 * MIB);
    let mut file = fs::File::create(folder.join("large.bin")).unwrap();
    let mut hasher = Sha256::new();
    for number in 0..LARGE / block.len() as u64 {
        for (index, piece) in block.chunks_mut(1 << 20).enumerate() {
            piece[..8].copy_from_slice(&(number * 16 + index as u64).to_le_bytes());
        }
        file.write_all(&block).unwrap();
        hasher.update(&block);
    }
    digests.push(("large.bin".to_owned(), hex::encode(hasher.finalize())));
    for number in 0..SMALL {
        // The sizes are between 0 and 96 KiB.
        let bytes = content(1000 + number, number * number * 37 % (96 << 10));
        let name = format!("small-{number:04}.bin");
        fs::write(folder.join(&name), &bytes).unwrap();
        total += bytes.len() as u64;
        digests.push((name, hex::encode(Sha256::digest(&bytes))));
    }
    (total, digests)
}

/// Returns the system's maximum size of a socket's receive buffer, in bytes.
fn receive_buffer() -> u64 {
    let text = fs::read_to_string("/proc/sys/net/ipv4/tcp_rmem").unwrap_or_default();
    text.split_whitespace().nth(2).and_then(|most| most.parse().ok()).unwrap_or(6 * MIB)
}

/// Returns the links: the large file first, then the small ones.
fn links(server: &FileServer) -> String {
    let small = (0..SMALL).map(|number| server.url(&format!("small-{number:04}.bin")));
    std::iter::once(server.url("large.bin")).chain(small).map(|link| link + "\n").collect()
}
