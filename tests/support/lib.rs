//! Support for the tests: servers, machines, disks and faults.
#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot be set up has failed, and the panic shows the place")]

use std::{
    fmt::Display,
    io::{self, Write as _},
    path::Path,
    thread,
};

use ashore_transfer::{Guid, Transfers};

pub mod apart;
pub mod digest;
pub mod fault;
pub mod generated;
pub mod home;
pub mod kept_program;
mod listening;
pub mod machine;
pub mod nginx;
pub mod origin;
pub mod packed;
pub mod peers;
pub mod proxy;
pub mod race;
pub mod raw;
pub mod silent;
pub mod soak;
pub mod stacked;
pub mod tls;
pub mod tools;
pub mod volume;

/// Settings that put files of every type into the same download folder. Tests may then name files freely.
pub const ONE_FOLDER: &str = "\
    folder-video = \"\"\nfolder-audio = \"\"\nfolder-pictures = \"\"\n\
    folder-documents = \"\"\nfolder-archives = \"\"\nfolder-programs = \"\"\n";

/// Settings that allow programs to fetch from this machine, where all test servers are.
pub const LOCAL: &str = "local-for-programs = true\n";

/// Reports the completion as recorded and waits until no remains of the partial file are left.
pub async fn forget(transfers: &Transfers, guid: Guid, folder: &Path) {
    transfers.forget(vec![(guid, folder.to_owned())]);
    transfers.shut_down().await;
}

/// Prints that a test cannot run on this machine, and why. Writes to stderr directly, because the test runner hides the
/// output of `eprintln!` in tests that pass.
pub fn left_out(why: impl Display) {
    let test = thread::current();
    let _ = writeln!(io::stderr(), "LEFT OUT: {}: {why}", test.name().unwrap_or("a test"));
}

/// Returns the free bytes on the disk of this folder; `None` if unknown.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail * found.f_frsize)
}

/// Returns the source URL recorded in a file's attributes. `None` if there is none, as on file systems without extended
/// attributes.
pub fn mark(path: &Path) -> Option<String> {
    let mut mark = vec![0; 4 << 10];
    let length = rustix::fs::getxattr(path, "user.xdg.origin.url", &mut mark).ok()?;
    Some(String::from_utf8_lossy(&mark[..length]).into_owned())
}
