//! Hears of others who write to a partial while it is open here.
//!
//! The system tells when a file is closed that was open for writing. A partial stays open here for as long as it is watched,
//! so whoever closed it is somebody else. That costs nothing while nobody does, and it is a suspicion, no evidence: the bytes
//! have to say whether anything happened to them. Not heard are those who have it open still, and other machines where the
//! volume is theirs too.

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

/// A file that is watched.
#[derive(Debug)]
pub(crate) struct FolderWatch {
    watches: &'static Watches,
    number: i32,
    is_touched: Arc<AtomicBool>,
}

impl FolderWatch {
    /// Watches `file` from now on; none where the system has no more watches to give, or has none at all.
    pub fn on(file: &File) -> Option<Self> {
        let watches = Watches::of_all()?;
        let mut watched = watches.watched();
        // By what is open, since its name may lead elsewhere by now.
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let number = inotify::add_watch(&watches.inotify, path, WatchFlags::CLOSE_WRITE).ok()?;
        let one = watched.entry(number).or_default();
        one.watchers += 1;
        Some(Self { watches, number, is_touched: one.is_touched.clone() })
    }

    /// Whether anybody else may have written since this was asked last.
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

/// All that is watched. One for the whole process: a user may have few of them, and other programs want theirs.
#[derive(Debug)]
struct Watches {
    inotify: OwnedFd,
    watched: Mutex<HashMap<i32, Watched>>,
}

/// One file may be open twice for a moment, where a run follows on another.
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
        // Tried again each time: what is missing now may be there later.
        let inotify = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        Some(ALL.get_or_init(|| Self { inotify, watched: Mutex::default() }))
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<i32, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what the system has to tell.
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
    fn others_who_write_are_heard_once_and_those_who_read_or_write_elsewhere_are_not() {
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
    fn who_has_another_name_by_now_is_watched_still_and_who_took_its_name_is_not() {
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
    fn a_file_that_is_watched_twice_stays_watched_when_one_has_enough() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.part");
        let file = File::create(&path).unwrap();
        let (one, two) = (FolderWatch::on(&file).unwrap(), FolderWatch::on(&file).unwrap());
        drop(one);
        std::fs::write(&path, "x").unwrap();
        assert!(two.was_touched());
    }
}
