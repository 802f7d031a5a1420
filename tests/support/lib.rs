//! What the stories stand on.
#![expect(clippy::expect_used, clippy::panic, reason = "a story that cannot be set up has failed, and says where")]

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

/// Settings with which files of every kind go to the one download folder, so that a story may call them what it likes.
pub const ONE_FOLDER: &str = "\
    folder-video = \"\"\nfolder-audio = \"\"\nfolder-pictures = \"\"\n\
    folder-documents = \"\"\nfolder-archives = \"\"\nfolder-programs = \"\"\n";

/// Settings with which programs may ask for what is on this machine: all servers of stories are.
pub const LOCAL: &str = "local-for-programs = true\n";

/// It is written down that this one completed; returns when nothing of its partial is left.
pub async fn forget(transfers: &Transfers, guid: Guid, folder: &Path) {
    transfers.forget(vec![(guid, folder.to_owned())]);
    transfers.shut_down().await;
}

/// Says what cannot be tried on this machine, and why, where it is seen: what `eprintln!` says in a test that passes is kept from
/// whoever ran it.
pub fn left_out(why: impl Display) {
    let test = thread::current();
    let _ = writeln!(io::stderr(), "LEFT OUT: {}: {why}", test.name().unwrap_or("a test"));
}

/// Bytes that are free where this folder is; none where that cannot be asked.
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail * found.f_frsize)
}

/// Where a file says that it came from; none where it does not say, as on file systems that keep no such thing.
pub fn mark(path: &Path) -> Option<String> {
    let mut mark = vec![0; 4 << 10];
    let length = rustix::fs::getxattr(path, "user.xdg.origin.url", &mut mark).ok()?;
    Some(String::from_utf8_lossy(&mark[..length]).into_owned())
}
