//! Writes the log to stderr from a separate thread. Both programs give [`LogLine::new`] to their subscriber.
//!
//! - Logging never waits: stderr may be a pipe without a reader, or a terminal that is stopped.
//! - Logging never fails: the disk of the log may be full, or the reader of the pipe may be gone. Lost lines are
//!   counted, and the count is written as soon as a line can be written again.

use std::{
    io::{self, Write},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

/// Maximum number of lines that wait for a slow reader; further lines are lost.
const MOST_WAITING: usize = 1024;

/// Requests to the log thread.
enum LogOrder {
    Line(Vec<u8>),
    /// Send the answer when all earlier lines have been written.
    Flush(SyncSender<()>),
}

/// Queue of the log thread, and the number of lost lines.
struct Log {
    orders: SyncSender<LogOrder>,
    lost: Arc<AtomicU64>,
}

static LOG: OnceLock<Option<Log>> = OnceLock::new();

/// Writer that sends a log line to the log thread, which writes the line to stderr.
#[derive(Debug, Default)]
pub struct LogLine(());

impl LogLine {
    /// Returns a writer for one line.
    pub fn new() -> Self {
        Self(())
    }
}

impl Write for LogLine {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let Some(log) = LOG.get_or_init(start) else { return io::stderr().write(line) };
        if log.orders.try_send(LogOrder::Line(line.to_vec())).is_err() {
            log.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until all earlier lines are written, but at most `patience`.
///
/// Called at the end of a program.
pub fn flush_log(patience: Duration) {
    let Some(Some(log)) = LOG.get() else { return };
    let (done, written) = sync_channel(1);
    // A full queue means that the reader is gone or stopped, so waiting is pointless.
    if log.orders.try_send(LogOrder::Flush(done)).is_ok() {
        let _ = written.recv_timeout(patience);
    }
}

/// Starts the thread; `None` if the system cannot create one.
fn start() -> Option<Log> {
    let (orders, queue) = sync_channel(MOST_WAITING);
    let lost = Arc::new(AtomicU64::new(0));
    let counted = lost.clone();
    let work = move || write_all(&queue, &counted, |bytes| io::stderr().write_all(bytes));
    thread::Builder::new().name("ashore-log".to_owned()).spawn(work).ok()?;
    Some(Log { orders, lost })
}

/// Writes everything that `queue` delivers, until all senders are gone.
fn write_all(queue: &Receiver<LogOrder>, lost: &AtomicU64, mut write: impl FnMut(&[u8]) -> io::Result<()>) {
    for order in queue {
        match order {
            LogOrder::Line(line) => {
                let missing = lost.swap(0, Ordering::Relaxed);
                let is_said = missing == 0
                    || write(format!("{missing} lines of the log are missing here: it could not be written.\n").as_bytes())
                        .is_ok();
                if !is_said {
                    lost.fetch_add(missing, Ordering::Relaxed);
                }
                if !is_said || write(&line).is_err() {
                    lost.fetch_add(1, Ordering::Relaxed);
                }
            }
            // The receiver may have stopped waiting, which is not an error.
            LogOrder::Flush(done) => drop(done.send(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs four lines to a disk that answers its `n`-th write with `takes(n)`.
    ///
    /// Returns the written lines.
    fn written(takes: impl Fn(usize) -> io::Result<()>) -> Vec<String> {
        let (orders, queue) = sync_channel(8);
        for line in ["a\n", "b\n", "c\n", "d\n"] {
            orders.send(LogOrder::Line(line.into())).unwrap();
        }
        drop(orders);
        let (mut tries, mut lines) = (0, Vec::new());
        write_all(&queue, &AtomicU64::new(0), |bytes| {
            tries += 1;
            takes(tries)?;
            lines.push(String::from_utf8(bytes.to_vec()).unwrap());
            Ok(())
        });
        lines
    }

    #[test]
    fn log_writes_every_line_if_disk_has_space() {
        assert_eq!(written(|_| Ok(())), ["a\n", "b\n", "c\n", "d\n"]);
    }

    #[test]
    fn log_resumes_after_full_disk_and_states_number_of_lost_lines() {
        let full = |tries| if matches!(tries, 2..=3) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) };
        assert_eq!(written(full), ["a\n", "2 lines of the log are missing here: it could not be written.\n", "d\n"]);
    }

    #[test]
    fn log_without_reader_drops_lines_without_panic() {
        assert_eq!(written(|_| Err(io::ErrorKind::BrokenPipe.into())), [""; 0]);
    }
}
