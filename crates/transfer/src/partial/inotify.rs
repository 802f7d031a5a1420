//! Detects other programs that write to an open partial file.
//!
//! - The system reports when a program closes a file that was open for writing. Ashore keeps a watched partial file
//!   open, so any report concerns another program.
//! - Watching costs nothing while no program writes. A report is only a suspicion: a check of the bytes must follow.
//! - Not detected: writes by a program that still has the file open, and writes by other machines on a shared volume.

use std::{
    collections::HashMap,
    fs::File,
    mem::MaybeUninit,
    os::fd::{AsRawFd, OwnedFd},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::{
    fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags},
    io,
};

/// Inotify watch on an open file.
#[derive(Debug)]
pub(crate) struct FolderWatch {
    watches: &'static Watches,
    number: i32,
    is_touched: Arc<AtomicBool>,
}

impl FolderWatch {
    /// Watches `file` from now on.
    ///
    /// Returns `None` if the system has no watches left, or does not support them.
    pub fn on(file: &File) -> Option<Self> {
        let watches = Watches::of_all()?;
        let mut watched = watches.watched();
        // Watch the open descriptor, because the name may lead to another file.
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let number = inotify::add_watch(&watches.inotify, path, WatchFlags::CLOSE_WRITE).ok()?;
        let one = watched.entry(number).or_default();
        one.watchers += 1;
        Some(Self { watches, number, is_touched: one.is_touched.clone() })
    }

    /// Whether another program may have written to the file since the last call of this function.
    pub fn was_touched(&self) -> bool {
        self.watches.drain_events();
        self.is_touched.swap(false, Ordering::AcqRel)
    }
}

impl Drop for FolderWatch {
    fn drop(&mut self) {
        let mut watched = self.watches.watched();
        if let Some(one) = watched.get_mut(&self.number) {
            one.watchers -= 1;
            if one.watchers == 0 {
                watched.remove(&self.number);
                let _ = inotify::remove_watch(&self.watches.inotify, self.number);
            }
        }
    }
}

/// All watches of the process.
///
/// They share a single inotify instance, because the system limits the number of instances per user.
#[derive(Debug)]
struct Watches {
    inotify: OwnedFd,
    watched: Mutex<HashMap<i32, Watched>>,
}

/// Watch state of a file.
///
/// A file has two watchers for a moment if a run begins before the previous run has closed the file.
#[derive(Debug, Default)]
struct Watched {
    watchers: u32,
    is_touched: Arc<AtomicBool>,
}

impl Watches {
    fn of_all() -> Option<&'static Self> {
        static ALL: OnceLock<Watches> = OnceLock::new();
        if let Some(all) = ALL.get() {
            return Some(all);
        }
        // Retry on each call: missing system resources may become available later.
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        Some(ALL.get_or_init(|| Self { inotify, watched: Mutex::default() }))
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<i32, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads pending events, and marks their files.
    fn drain_events(&self) {
        let watched = self.watched();
        let mut buffer = [MaybeUninit::uninit(); 1024];
        let mut told = Reader::new(&self.inotify, &mut buffer);
        loop {
            match told.next() {
                Ok(event) if event.events().contains(ReadFlags::QUEUE_OVERFLOW) => touch(watched.values()),
                Ok(event) if event.events().contains(ReadFlags::CLOSE_WRITE) => touch(watched.get(&event.wd())),
                Ok(_) | Err(io::Errno::INTR) => {}
                Err(io::Errno::WOULDBLOCK) => break,
                Err(_) => {
                    touch(watched.values());
                    break;
                }
            }
        }
    }
}

fn touch<'a>(watched: impl IntoIterator<Item = &'a Watched>) {
    for one in watched {
        one.is_touched.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Write};

    use super::*;

    #[test]
    fn closing_a_file_is_reported_once_and_only_if_it_was_open_for_writing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part");
        let mut file = File::create(&path).unwrap();
        let watch = FolderWatch::on(&file).unwrap();
        file.write_all(b"ours").unwrap();
        file.set_len(2).unwrap();
        std::fs::read(&path).unwrap();
        std::fs::write(folder.path().join("b.part"), "x").unwrap();
        assert!(!watch.was_touched());
        let other = OpenOptions::new().write(true).open(&path).unwrap();
        other.set_len(1).unwrap();
        assert!(!watch.was_touched(), "it is open still");
        drop(other);
        assert!(watch.was_touched());
        assert!(!watch.was_touched());
    }

    #[test]
    fn renamed_file_stays_watched_but_new_file_at_path_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (path, moved) = (folder.path().join("a.part"), folder.path().join("moved"));
        let file = File::create(&path).unwrap();
        std::fs::hard_link(&path, &moved).unwrap();
        std::fs::remove_file(&path).unwrap();
        let watch = FolderWatch::on(&file).unwrap();
        std::fs::write(&path, "another").unwrap();
        assert!(!watch.was_touched());
        std::fs::write(&moved, "this").unwrap();
        assert!(watch.was_touched());
    }

    #[test]
    fn file_with_two_watches_stays_watched_after_one_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part");
        let file = File::create(&path).unwrap();
        let (one, two) = (FolderWatch::on(&file).unwrap(), FolderWatch::on(&file).unwrap());
        drop(one);
        std::fs::write(&path, "x").unwrap();
        assert!(two.was_touched());
    }
}
