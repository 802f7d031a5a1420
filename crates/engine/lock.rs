//! One engine per data folder. The operating system's file lock decides, and dies with its process; the file's text only
//! tells people who holds it.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read as _, Seek as _, Write as _},
    path::Path,
};

use crate::Error;

/// The held lock; dropping it lets the folder go.
#[derive(Debug)]
pub(crate) struct Lock(File);

impl Lock {
    /// Takes `data_dir` for `holder`, or says who has it.
    pub(crate) fn take(data_dir: &Path, holder: &str) -> Result<Self, Error> {
        let path = data_dir.join("lock");
        let io = |what: &str| {
            let what = format!("{what} {}", path.display());
            move |source| Error::Io { what, source }
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io("Could not open the lock"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                let holder = if text.trim().is_empty() { "another program".to_owned() } else { text.trim().to_owned() };
                return Err(Error::Held { path: data_dir.to_owned(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(io("Could not lock")(source)),
        }
        let mut write = || {
            file.rewind()?;
            file.set_len(0)?;
            write!(file, "{holder}, process {}", std::process::id())
        };
        write().map_err(io("Could not write the lock"))?;
        Ok(Self(file))
    }

    /// Lets the folder go. The text stays: it is read only while somebody holds the lock.
    pub(crate) fn release(self) {
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_was_first() {
        let folder = tempfile::tempdir().unwrap();
        let first = Lock::take(folder.path(), "the Ashore window").unwrap();
        let Err(Error::Held { holder, .. }) = Lock::take(folder.path(), "ashore serve") else { panic!("taken twice") };
        assert!(holder.starts_with("the Ashore window, process "), "{holder}");
        first.release();
        assert!(Lock::take(folder.path(), "ashore serve").is_ok());
    }
}
