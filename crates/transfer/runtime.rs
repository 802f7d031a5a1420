//! The runtime that transfers run best on.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// A runtime whose only worker does everything that waits for the network; disks and digests have threads of their own.
/// Fails when the system has no thread to give.
///
/// With two workers, a piece that arrives may wake the other one, and a connection and its reader are torn apart. Over
/// plain HTTP a second one neither gains nor costs anything that stands out (4 GiB in 2.6 s with two and 2.8 s with one, each
/// within 2.4 to 3.2: `make bench ONLY=alone`), and one carries more than a line does: 4 GiB over 16 connections in 2.4 s,
/// beside the server on the same two processors (`ONLY=split`).
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).thread_name("ashore").enable_all().build()
}
