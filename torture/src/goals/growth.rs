//! Hostile servers: false claims and endless responses must cost almost no memory and disk space.
//!
//! Each server serves one file while the disk is watched. Ashore may not write more bytes than it received, but may
//! reserve more space at first. Then the download is paused, and the reserved space must be released.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::machine::Machine;
use rustix::fs::{SeekFrom, seek};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{
    goal::{GoalVerdict, PeerColumn, RunRequest},
    goals::peers::{self, BusName, HostilePeer},
    tally::{RunTally, lanes},
};

/// Number of servers that are tested in parallel.
const AT_ONCE: usize = 3;
/// Maximum memory growth in bytes. The disk usage may exceed the received bytes by the same amount.
const MOST: u64 = 64 << 20;
/// Bytes of memory that another program needs even with a good server.
const THEMSELVES: u64 = 32 << 20;
/// Duration of the test of each hostile server.
const TOGETHER: Duration = Duration::from_secs(4);
/// Maximum number of bytes that an endless server sends per connection.
const PLENTY: u64 = 256 << 20;

/// Hostile server: data that it sends once at the start, and data that it then repeats.
#[derive(Debug)]
struct Foe {
    name: &'static str,
    first: &'static str,
    again: HostileData,
}

/// Data that a hostile server sends after the start.
#[derive(Clone, Copy, Debug)]
enum HostileData {
    /// This text, repeated at full speed.
    Text(&'static str),
    /// This many zero bytes, and then no more.
    Zeros(u64),
    /// A gzip member with a mebibyte of zeros, repeated.
    Zipped,
}

const FOES: &[Foe] = &[
    Foe {
        name: "one pebibyte",
        first: "HTTP/1.1 200 OK\r\nContent-Length: 1125899906842624\r\n\r\n",
        again: HostileData::Zeros(8 << 20),
    },
    Foe {
        name: "one pebibyte, with ranges and an ETag",
        first: "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\nContent-Length: 1125899906842624\r\n\r\n",
        again: HostileData::Zeros(8 << 20),
    },
    Foe {
        name: "eight gibibytes, with ranges and an ETag",
        first: "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\nContent-Length: 8589934592\r\n\r\n",
        again: HostileData::Zeros(8 << 20),
    },
    Foe {
        name: "a part of one pebibyte",
        first: "HTTP/1.1 206 OK\r\nContent-Range: bytes 0-99999999/1125899906842624\r\nContent-Length: 100000000\r\n\r\n",
        again: HostileData::Zeros(8 << 20),
    },
    Foe {
        name: "headers without an end",
        first: "HTTP/1.1 200 OK\r\n",
        again: HostileData::Text("X-More: and more and more and more and more\r\n"),
    },
    Foe {
        name: "one header without an end",
        first: "HTTP/1.1 200 OK\r\nX-Long: ",
        again: HostileData::Text("and more and more and more and more and more"),
    },
    Foe {
        name: "cookies without an end",
        first: "HTTP/1.1 200 OK\r\n",
        again: HostileData::Text("Set-Cookie: a=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n"),
    },
    Foe {
        name: "a status without an end",
        first: "HTTP/1.1 200 ",
        again: HostileData::Text("all is well, and better than ever, and even better"),
    },
    Foe {
        name: "only early hints",
        first: "",
        again: HostileData::Text("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"),
    },
    Foe {
        name: "a chunk of the maximum size",
        first: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        again: HostileData::Zeros(8 << 20),
    },
    Foe {
        name: "a chunk's size without an end",
        first: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        again: HostileData::Text("0000000000000000"),
    },
    Foe {
        name: "a chunk's extension without an end",
        first: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
        again: HostileData::Text("and=more;"),
    },
    Foe {
        name: "chunks of one byte",
        first: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        again: HostileData::Text("1\r\na\r\n1\r\na\r\n1\r\na\r\n1\r\na\r\n1\r\na\r\n1\r\na\r\n1\r\na\r\n1\r\na\r\n"),
    },
    Foe {
        name: "trailers without an end",
        first: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n",
        again: HostileData::Text("X-More: and more and more and more and more\r\n"),
    },
    Foe { name: "a body without an end", first: "HTTP/1.1 200 OK\r\n\r\n", again: HostileData::Zeros(PLENTY) },
    Foe { name: "an HTTP/1.0 body without an end", first: "HTTP/1.0 200 OK\r\n\r\n", again: HostileData::Zeros(PLENTY) },
    Foe {
        name: "zeros in gzip without an end",
        first: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
        again: HostileData::Zipped,
    },
    Foe { name: "an error page without an end", first: "HTTP/1.1 500 No\r\n\r\n", again: HostileData::Zeros(PLENTY) },
    Foe {
        name: "a redirect with a body without an end",
        first: "HTTP/1.1 302 On\r\nLocation: /on\r\n\r\n",
        again: HostileData::Zeros(PLENTY),
    },
];

/// Number of runs: each hostile server is tested once with one connection and once with several.
pub const RUNS: u64 = 2 * FOES.len() as u64;

/// Tests the requested number of servers.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    lanes(&tally, AT_ONCE, turn)?;
    Ok(tally.verdict_beside(beside))
}

/// Tests every other program with the same servers, over one connection.
///
/// Limits of memory and file size protect this machine.
fn beside(ask: &RunRequest) -> Result<Vec<PeerColumn>> {
    let foes = &FOES[..usize::try_from(ask.runs / 2)?.clamp(1, FOES.len())];
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let ask = *ask;
        let meet = |peer: HostilePeer| async move {
            let (mut made, mut bad) = (0, 0);
            for foe in foes.iter().take_while(|_| ask.has(TOGETHER)) {
                made += 1;
                bad += u64::from(grows(peer, foe).await?);
            }
            Ok(PeerColumn { name: peer.name().to_owned(), runs: made, bad })
        };
        let mut meeting = tokio::task::JoinSet::new();
        HostilePeer::here().into_iter().for_each(|peer| drop(meeting.spawn(meet(peer))));
        let mut all = meeting.join_all().await.into_iter().collect::<Result<Vec<PeerColumn>>>()?;
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    })
}

/// Returns whether this server makes the program exceed the limit of memory or of disk usage.
async fn grows(peer: HostilePeer, foe: &'static Foe) -> Result<bool> {
    let sent = Arc::new(AtomicU64::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/a.bin", listener.local_addr()?);
    let listening = tokio::spawn(listen(listener, foe, sent.clone()));
    let folder = Machine::new();
    let command = peer.command(&url, &folder.target(), BusName::Given("a.bin"), 1);
    let found = peers::watched(command, TOGETHER, |memory| {
        let is_over = memory == 0;
        let taken = if is_over { used(&folder.target())? } else { written(&folder.target())? };
        let too_much = memory > THEMSELVES + MOST || taken > sent.load(Ordering::Acquire) + MOST;
        Ok(too_much.then_some(()))
    });
    let is_bad = found.await?.is_some();
    listening.abort();
    Ok(is_bad)
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let number = usize::try_from(turn)?;
    let (foe, connections) = (&FOES[number % FOES.len()], if (number / FOES.len()).is_multiple_of(2) { 1 } else { 16 });
    let sent = Arc::new(AtomicU64::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/a.bin", listener.local_addr()?);
    let listening = tokio::spawn(listen(listener, foe, sent.clone()));

    let mut machine = Machine::new();
    machine.settings(&format!("connections = {connections}\nstall-seconds = 2.0\n"));
    ensure!(machine.serve(None).await.is_ok(), "the engine did not start");
    let before = machine.peak_memory();
    let folder = machine.target();
    let new = json!({ "owner": "torture", "developer_id": "a", "folder": folder, "requests": [{ "url": url }] });
    let made = machine.call("create", new).await.map_err(|cut| anyhow::anyhow!("{}: {cut:?}", foe.name))?;
    let begun = Instant::now();
    let what = format!("{}, connections: {connections}", foe.name);
    while begun.elapsed() < TOGETHER {
        // Measure the disk before the received bytes: bytes that arrive in between only relax the check.
        let written = written(&machine.target())?;
        let came = sent.load(Ordering::Acquire);
        ensure!(written <= came + MOST, "{what}: {came} bytes were received and {written} were written");
        tally.most(
            "MiB was the maximum of reserved space beyond written data",
            used(&machine.target())?.saturating_sub(written) >> 20,
        );
        let one = machine.find("a").await.map_err(|died| anyhow::anyhow!("{}: the engine died: {died:?}", foe.name))?;
        if one.is_some_and(|one| one["state"] == "settled") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let grown = machine.peak_memory().saturating_sub(before);
    let _ = machine.call("pause", json!({ "unique_id": made["unique_id"] })).await;
    let received = sent.load(Ordering::Acquire);
    let deadline = Instant::now() + TOGETHER;
    // Wait a moment, because the reserved space is released with a delay.
    let mut taken = used(&machine.target())?;
    while taken > received + MOST && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
        taken = used(&machine.target())?;
    }
    machine.kill().await;
    listening.abort();
    ensure!(grown <= MOST, "{what}: memory grew by {} MiB", grown >> 20);
    ensure!(taken <= received + MOST, "{what}: {received} bytes were received and {taken} are used on the disk");
    tally.most("MiB was the maximum growth of memory", grown >> 20);
    tally.done(1);
    Ok(())
}

/// Returns the disk space in bytes that the files of a folder use.
fn used(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        // A file that has just been deleted uses no space.
        bytes += entry.and_then(|entry| entry.metadata()).map_or(0, |found| found.blocks() * 512);
    }
    Ok(bytes)
}

/// Returns the number of bytes written to the files of a folder. Reserved space is a hole and does not count.
fn written(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        // Skip a file that has just been deleted. If a file has just been truncated, the search for data fails and ends
        // the loop.
        let Some(file) = entry.ok().and_then(|entry| fs::File::open(entry.path()).ok()) else { continue };
        let mut end = 0;
        while let Ok(start) = seek(&file, SeekFrom::Data(end)) {
            let Ok(hole) = seek(&file, SeekFrom::Hole(start)) else { break };
            bytes += hole - start;
            end = hole;
        }
    }
    Ok(bytes)
}

async fn listen(listener: TcpListener, foe: &'static Foe, sent: Arc<AtomicU64>) -> Result<()> {
    let mut connections = tokio::task::JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await.context("the listener failed")?;
        connections.spawn(serve(stream, foe, sent.clone()));
    }
}

/// Sends data until the client disconnects.
async fn serve(mut stream: TcpStream, foe: &'static Foe, sent: Arc<AtomicU64>) -> std::io::Result<()> {
    let mut asked = [0; 4096];
    let _ = stream.read(&mut asked).await?;
    stream.write_all(foe.first.as_bytes()).await?;
    let (piece, most) = match foe.again {
        HostileData::Text(text) => (text.repeat(500).into_bytes(), PLENTY),
        HostileData::Zeros(most) => (vec![0; 64 << 10], most),
        HostileData::Zipped => (ZIPPED.repeat(64), PLENTY),
    };
    let mut gone = 0;
    while gone < most {
        stream.write_all(&piece).await?;
        gone += piece.len() as u64;
        sent.fetch_add(piece.len() as u64, Ordering::AcqRel);
    }
    let _ = stream.read(&mut asked).await?;
    Ok(())
}

/// A gzip member with a mebibyte of zeros. Members may be concatenated.
const ZIPPED: &[u8] = include_bytes!("zeros.gz");
