//! Writes the log to stderr from a separate thread. Both programs pass [`LogLine::new`] to their subscriber.
//!
//! - Logging never waits, even if stderr is a pipe without a reader or a stopped terminal.
//! - Logging never fails, even if the disk of the log is full or the reader of the pipe has exited. Dropped lines are
//!   counted, and the count is written as soon as writing works again.

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

/// Maximum number of queued lines for a slow reader. Further lines are dropped.
const MOST_WAITING: usize = 1024;

/// Requests to the log thread.
enum LogOrder {
    Line(Vec<u8>),
    /// Request for an answer as soon as all earlier lines are written.
    Flush(SyncSender<()>),
}

/// Queue of the log thread, and the number of dropped lines.
struct Log {
    orders: SyncSender<LogOrder>,
    lost: Arc<AtomicU64>,
}

static LOG: OnceLock<Option<Log>> = OnceLock::new();

/// Writer that sends a log line to the log thread.
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

/// Waits at most `patience` until all earlier lines are written.
///
/// Called at the end of a program.
pub fn flush_log(patience: Duration) {
    let Some(Some(log)) = LOG.get() else { return };
    let (done, written) = sync_channel(1);
    // Do not wait if the queue is full: its reader has exited or is stopped.
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

/// Writes the lines of `queue` until all senders are dropped.
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
            // Ignore the error: the receiver may have stopped waiting.
            LogOrder::Flush(done) => drop(done.send(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs four lines to a disk whose `n`-th write returns `takes(n)`. Returns the written lines.
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
    fn log_resumes_after_full_disk_and_reports_number_of_lost_lines() {
        let full = |tries| if matches!(tries, 2..=3) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) };
        assert_eq!(written(full), ["a\n", "2 lines of the log are missing here: it could not be written.\n", "d\n"]);
    }

    #[test]
    fn log_whose_reader_is_gone_drops_lines_and_does_not_panic() {
        assert_eq!(written(|_| Err(io::ErrorKind::BrokenPipe.into())), [""; 0]);
    }
}
