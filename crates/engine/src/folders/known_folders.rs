//! Remembers every folder ever used for downloads, with the identity of its volume. Called by `folders`, `adopt` and
//! `doctor`.
//!
//! - The folders are in a file beside the ledger. The file outlives the downloads and the ledger.
//! - The file has one JSON object per line. If several lines describe the same folder, the last one applies. The line of
//!   a folder is durable before a download starts there.
//! - Unreadable lines are skipped. The line of a folder is written again at its next use.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::unix::{
        ffi::{OsStrExt as _, OsStringExt as _},
        fs::OpenOptionsExt as _,
    },
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::{
    folders::VolumeState,
    platform::atomic_file::{self, SymlinkPolicy},
};

/// Name of the file with the folders, in the data folder.
const NAME: &str = "folders.jsonl";

/// Folders that were ever used for downloads.
#[derive(Debug)]
pub(crate) struct FolderMemory {
    path: PathBuf,
    known: Mutex<KnownFolderRow>,
}

#[derive(Debug, Default)]
struct KnownFolderRow {
    folders: BTreeMap<PathBuf, Option<VolumeState>>,
    /// Folders whose latest state is not yet written to the file at `path`.
    unwritten: Vec<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// Path as text; `None` if it is not UTF-8. In that case, `bytes` has the path in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    #[serde(default)]
    volume: Option<VolumeState>,
}

impl FolderMemory {
    /// Loads the folders from `data_dir`. Rewrites the file if it has many more lines than folders.
    pub(crate) fn open(data_dir: &Path) -> Self {
        let path = data_dir.join(NAME);
        let text = atomic_file::read(&path, SymlinkPolicy::Refused).unwrap_or_default();
        let mut folders = BTreeMap::new();
        for line in text.lines() {
            if let Some((folder, volume)) = serde_json::from_str(line).ok().and_then(Line::read) {
                folders.insert(folder, volume);
            }
        }
        let is_grown = text.lines().count() > folders.len().saturating_mul(2).saturating_add(64);
        let memory = Self { path, known: Mutex::new(KnownFolderRow { folders, unwritten: Vec::new() }) };
        if is_grown && let Err(error) = memory.rewrite() {
            tracing::warn!(%error, "file of used folders could not be compacted");
        }
        memory
    }

    /// Returns all folders, sorted.
    pub(crate) fn all(&self) -> Vec<PathBuf> {
        self.known().folders.keys().cloned().collect()
    }

    /// Returns the volume of `folder` at its last use; `None` if the volume is unknown.
    pub(crate) fn volume(&self, folder: &Path) -> Option<VolumeState> {
        self.known().folders.get(folder).copied().flatten()
    }

    /// Records that a download starts in `folder`, which is on `volume`.
    ///
    /// The record is durable after the next [`Self::write`].
    pub(crate) fn note(&self, folder: &Path, volume: VolumeState) {
        let mut known = self.known();
        if known.folders.get(folder) != Some(&Some(volume)) {
            known.folders.insert(folder.to_owned(), Some(volume));
            known.unwritten.push(folder.to_owned());
        }
    }

    /// Records that a download will use `folder`. The record is durable after the next [`Self::write`].
    pub(crate) fn add(&self, folder: &Path) {
        let mut known = self.known();
        if !known.folders.contains_key(folder) {
            known.folders.insert(folder.to_owned(), None);
            known.unwritten.push(folder.to_owned());
        }
    }

    /// Writes each new or changed folder durably to the file.
    ///
    /// If this fails, the failure is logged, and the next call tries again.
    pub(crate) fn write(&self) {
        let mut known = self.known();
        if known.unwritten.is_empty() {
            return;
        }
        let lines: Vec<Line> = known
            .unwritten
            .iter()
            .map(|folder| Line::from_folder(folder, known.folders.get(folder).copied().flatten()))
            .collect();
        match append(&self.path, &lines) {
            Ok(()) => known.unwritten.clear(),
            Err(error) => tracing::warn!(%error, "used folder could not be recorded; will retry"),
        }
    }

    fn rewrite(&self) -> io::Result<()> {
        let known = self.known();
        let lines: Vec<Line> = known.folders.iter().map(|(folder, volume)| Line::from_folder(folder, *volume)).collect();
        atomic_file::replace(&self.path, text(&lines)?.as_bytes())
    }

    fn known(&self) -> MutexGuard<'_, KnownFolderRow> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn from_folder(folder: &Path, volume: Option<VolumeState>) -> Self {
        match folder.to_str() {
            Some(folder) => Self { folder: Some(folder.to_owned()), bytes: None, volume },
            None => Self { folder: None, bytes: Some(hex::encode(folder.as_os_str().as_bytes())), volume },
        }
    }

    fn read(self) -> Option<(PathBuf, Option<VolumeState>)> {
        let folder = match (self.folder, self.bytes) {
            (Some(folder), _) => PathBuf::from(folder),
            (None, Some(bytes)) => PathBuf::from(OsString::from_vec(hex::decode(bytes).ok()?)),
            (None, None) => return None,
        };
        folder.is_absolute().then_some((folder, self.volume))
    }
}

fn text(lines: &[Line]) -> io::Result<String> {
    let mut text = String::new();
    for line in lines {
        text.push_str(&serde_json::to_string(line)?);
        text.push('\n');
    }
    Ok(text)
}

fn append(path: &Path, lines: &[Line]) -> io::Result<()> {
    let is_new = !path.exists();
    let mut file = atomic_file::open(path, OpenOptions::new().create(true).append(true).mode(0o600), SymlinkPolicy::Refused)?;
    // Begin with a line break, to separate the new lines from a line that a power failure cut off.
    let text = format!("{}{}", if is_new { "" } else { "\n" }, text(lines)?);
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    if is_new {
        File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: VolumeState = VolumeState { device: 1, inode: 2, born: None, kind: None };

    #[test]
    fn known_folders_keep_latest_volume_after_reopening() {
        let data = tempfile::tempdir().unwrap();
        let odd = PathBuf::from(OsString::from_vec(b"/odd/\xff\n".to_vec()));
        let memory = FolderMemory::open(data.path());
        memory.add(Path::new("/films"));
        memory.note(Path::new("/films"), VolumeState { device: 9, inode: 9, born: None, kind: None });
        memory.note(Path::new("/films"), ONE);
        memory.note(&odd, ONE);
        memory.add(Path::new("/books"));
        memory.write();
        let again = FolderMemory::open(data.path());
        assert_eq!(again.all(), [PathBuf::from("/books"), "/films".into(), odd.clone()]);
        assert_eq!((again.volume(Path::new("/films")), again.volume(&odd)), (Some(ONE), Some(ONE)));
        assert_eq!(again.volume(Path::new("/books")), None);
    }

    #[test]
    fn damaged_line_of_known_folders_does_not_affect_other_lines() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join(NAME);
        std::fs::write(&path, "{\"folder\":\"/a\",\"volume\":null}\n\0\0{]\n{\"folder\":\"relative\"}\n{\"folder\":\"/b\",\"vol")
            .unwrap();
        let memory = FolderMemory::open(data.path());
        assert_eq!(memory.all(), [PathBuf::from("/a")]);
        memory.note(Path::new("/c"), ONE);
        memory.write();
        assert_eq!(FolderMemory::open(data.path()).all(), [PathBuf::from("/a"), "/c".into()]);
    }

    #[test]
    fn file_of_known_folders_is_rewritten_without_outdated_lines() {
        let data = tempfile::tempdir().unwrap();
        let memory = FolderMemory::open(data.path());
        for inode in 0..100 {
            memory.note(Path::new("/a"), VolumeState { device: 1, inode, born: None, kind: None });
            memory.write();
        }
        assert_eq!(
            FolderMemory::open(data.path()).volume(Path::new("/a")),
            Some(VolumeState { device: 1, inode: 99, born: None, kind: None })
        );
        let text = std::fs::read_to_string(data.path().join(NAME)).unwrap();
        assert_eq!(text.lines().count(), 1);
    }
}
