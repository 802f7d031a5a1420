//! The runtime that transfers run best on.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// A runtime whose only worker does everything that waits for the network; disks and digests have threads of their own.
/// Fails when the system has no thread to give.
///
/// With two workers, each piece that arrives wakes the other one, and a connection and its reader are torn apart: one file
/// over TLS took 1.4 times as long and 1.4 times the processor time (`make bench ONLY=tls`, two processors). One worker
/// carries more than a line does: 4 GiB over 16 connections in 2.5 s, beside the server on the same two processors.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).thread_name("ashore").enable_all().build()
}
