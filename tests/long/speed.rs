//! Tests speed limits in real time: within 3 % over any ten seconds, at most 125 % in any one second.
//!
//! The rate is measured from the first byte on, after an idle time, and with several transfers and connections. The
//! server is never the bottleneck, because loopback is faster than every tested limit.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    time::{Duration, Instant},
};

use ashore_transfer::{FlowScope, Guid, RateLimit, TransferConfig, TransferEvent, TransferSpec, Transfers};
use tokio::sync::mpsc;
use url::Url;
use uuid::Uuid;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
/// Duration of each measurement, in seconds.
const WATCHED: u64 = 12;
/// Size of the file that is used to measure the speed without a limit, in bytes.
const MOST: u64 = 4 << 30;
/// Maximum number of attempts, because an attempt may fail on a busy machine.
const TRIES: usize = 5;

#[test]
fn transfer_runs_at_its_speed_limit_of_64_kib_per_second() {
    assert_limit_is_met(64 * KIB, 1);
    assert_limit_is_met(64 * KIB, 3);
}

#[test]
fn transfer_runs_at_its_speed_limit_of_10_mib_per_second() {
    assert_limit_is_met(10 * MIB, 1);
    assert_limit_is_met(10 * MIB, 3);
}

#[test]
fn transfer_runs_at_its_speed_limit_of_500_mib_per_second() {
    assert_limit_is_met(500 * MIB, 1);
    assert_limit_is_met(500 * MIB, 2);
}

/// Checks that the speed of `count` transfers is close to the limit, in two measurements with an idle time in between.
///
/// The test fails if the transfers are faster than the limit. Slower transfers are tolerated in two cases. A busy
/// machine gets further measurements, up to [`TRIES`]. A machine that does not reach 150 % of `rate` without a limit
/// may always be slower.
fn assert_limit_is_met(rate: u64, count: usize) {
    // Serve a file that is too large to complete during the measurement.
    let address = serve_zeros(rate * (WATCHED + 4) / count as u64 + 64 * MIB);
    let runtime = ashore_transfer::runtime().unwrap();
    runtime.block_on(async {
        // Use a folder in memory, because a disk may be slower than the fastest rate.
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let (sender, mut events) = mpsc::unbounded_channel();
        // Disable preallocation, which would clear gigabytes of memory during the measurement.
        let config = TransferConfig { checksums: false, reserve_after: u64::MAX, ..TransferConfig::default() };
        let transfers = Transfers::new(config, sender).unwrap();
        tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                if let TransferEvent::Head { stored, .. } = event {
                    let _ = stored.send(());
                }
            }
        });
        let unlimited = without_a_limit(&transfers, spec(serve_zeros(MOST), folder.path(), TRIES * 10)).await;
        let can_be_seen = unlimited >= rate + rate / 2;
        if !can_be_seen {
            print_line(&format!(
                "This machine brings {unlimited} bytes a second: whether a limit of {rate} is kept up with cannot be seen."
            ));
        }
        transfers.limit(FlowScope::All, Some(RateLimit::new(rate).unwrap()));
        let mut kept_up = 0;
        for turn in 0..TRIES {
            let specs: Vec<TransferSpec> = (0..count).map(|index| spec(address, folder.path(), turn * 10 + index)).collect();
            specs.iter().for_each(|spec| transfers.start(spec.clone()));
            kept_up += usize::from(keeps_up(&watch(&transfers).await, rate, count) || !can_be_seen);
            for spec in &specs {
                transfers.discard(spec.guid, folder.path()).await;
            }
            if kept_up == 2 {
                return;
            }
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        panic!("only {kept_up} of {TRIES} brought what the limit lets through");
    });
}

/// Returns the speed without a limit, in bytes per second. It is measured with a file of [`MOST`] bytes.
async fn without_a_limit(transfers: &Transfers, spec: TransferSpec) -> u64 {
    let (guid, folder) = (spec.guid, spec.folder.clone());
    transfers.start(spec);
    let (mut begun, mut came) = (None, 0);
    let bytes = loop {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let now: u64 = transfers.progress().iter().map(|(_, progress)| progress.downloaded).sum();
        if now > 0 {
            begun.get_or_insert((Instant::now(), now));
        }
        match begun {
            // The transfer no longer reports progress, so it has ended and all bytes have arrived.
            Some((_, had)) if now < came => break MOST - had,
            Some((since, had)) if since.elapsed() >= Duration::from_secs(3) => break now - had,
            _ => came = now,
        }
    };
    let (since, _) = begun.unwrap();
    let speed = bytes as f64 / since.elapsed().as_secs_f64();
    transfers.discard(guid, &folder).await;
    speed as u64
}

/// Samples the number of received bytes, starting with the first byte.
async fn watch(transfers: &Transfers) -> Vec<(Instant, u64)> {
    let mut samples: Vec<(Instant, u64)> = Vec::new();
    while samples.first().is_none_or(|(begun, _)| begun.elapsed() < Duration::from_secs(WATCHED)) {
        let bytes = transfers.progress().iter().map(|(_, progress)| progress.downloaded).sum();
        if bytes > 0 || !samples.is_empty() {
            samples.push((Instant::now(), bytes));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    samples
}

/// Returns false if the transfers were slower than the limit. Panics if they were faster.
fn keeps_up(samples: &[(Instant, u64)], rate: u64, count: usize) -> bool {
    let (mut most_in_one, mut least_in_ten, mut most_in_ten) = (0.0, f64::MAX, 0.0);
    for (index, (began, had)) in samples.iter().enumerate() {
        // Returns the rate over the first time window of at least this length, divided by `rate`.
        let over = |seconds| {
            let (ended, has) = samples[index..].iter().find(|(ended, _)| *ended - *began >= Duration::from_secs(seconds))?;
            Some((has - had) as f64 / (*ended - *began).as_secs_f64() / rate as f64)
        };
        most_in_one = over(1).unwrap_or(0.0).max(most_in_one);
        most_in_ten = over(10).unwrap_or(0.0).max(most_in_ten);
        least_in_ten = over(10).unwrap_or(f64::MAX).min(least_in_ten);
    }
    let said = format!(
        "{count} at {rate} bytes a second: {:.1} % to {:.1} % over ten seconds, at most {:.1} % in one",
        least_in_ten * 100.0,
        most_in_ten * 100.0,
        most_in_one * 100.0
    );
    print_line(&said);
    assert!(most_in_ten <= 1.03 && most_in_one <= 1.25, "{said}");
    least_in_ten >= 0.97
}

#[expect(clippy::print_stdout, reason = "printing the figures is the purpose of the test")]
fn print_line(text: &str) {
    println!("{text}");
}

fn spec(address: SocketAddr, folder: &Path, number: usize) -> TransferSpec {
    let guid = Guid(Uuid::from_u128(((number as u128 + 1) << 96) | 7));
    TransferSpec::download(guid, Url::parse(&format!("http://{address}/{number}")).unwrap(), folder.to_owned())
}

/// Serves files of `length` zeros, including ranges. Uses one thread per connection, with no work per byte.
fn serve_zeros(length: u64) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Each connection thread ends when its client disconnects.
            std::thread::spawn(move || drop(send_zeros(stream, length)));
        }
    });
    address
}

fn send_zeros(mut stream: TcpStream, length: u64) -> std::io::Result<()> {
    let zeroes = vec![0; 1 << 20];
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    loop {
        let mut range = None;
        loop {
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line?.to_ascii_lowercase();
            if let Some(asked) = line.strip_prefix("range: bytes=") {
                let (first, last) = asked.split_once('-').unwrap();
                range = Some((first.parse::<u64>().unwrap(), last.parse::<u64>().unwrap_or(length - 1)));
            }
            if line.is_empty() {
                break;
            }
        }
        let (first, last) = range.unwrap_or((0, length - 1));
        let status = if range.is_some() { "206 Partial Content" } else { "200 OK" };
        let mut left = last + 1 - first;
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {left}\r\nContent-Range: bytes {first}-{last}/{length}\r\nETag: \"0\"\r\n\
             Accept-Ranges: bytes\r\n\r\n"
        )?;
        while left > 0 {
            let count = left.min(zeroes.len() as u64);
            stream.write_all(&zeroes[..count as usize])?;
            left -= count;
        }
    }
}
