//! Finds partial files on disk by the tag in their names.
//!
//! Also finds files without a journal, and files that were already placed.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs::Metadata,
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{
    disk::{self, entries_of},
    failpoint,
    filename::partial_name::{ASIDE_ENDING, JOURNAL_ENDING, tag_of_partial},
    model::{
        found::{RediscoveredFile, RediscoveryRequest},
        spec::Guid,
    },
    partial::{
        self,
        file_owner::is_ours,
        hard_links::{InodeKey, final_name, inode_of, may_be_finished, second_names},
        journal::{self, JournalRecord},
        part::journal_of,
    },
};

/// Returns the partial files in `folder`. Empty if the folder does not exist.
///
/// Reads the folder once. If any partial file has another hard link, reads the folder a second time.
pub fn survey(folder: &Path) -> io::Result<Vec<RediscoveredFile>> {
    let partials = partials_in(folder)?;
    let names = second_names(folder, &linked(folder, partials.iter().map(|(_, name)| name)))?;
    let of = |inode: InodeKey| Ok(names.get(&inode).cloned().unwrap_or_default());
    let found = partials.into_iter().map(|(tag, name)| Ok(look(tag, folder.join(name), of)?.map(|(found, _)| found)));
    found.filter_map(io::Result::transpose).collect()
}

/// Returns the tags of the partial files in `folder`. Reads only the file names.
pub fn tags_in(folder: &Path) -> io::Result<BTreeSet<String>> {
    Ok(partials_in(folder)?.into_iter().map(|(tag, _)| tag).collect())
}

/// Returns the inodes of those partial files in `names` that have another hard link.
fn linked<'a>(folder: &Path, names: impl Iterator<Item = &'a String>) -> HashSet<InodeKey> {
    let found = names.filter_map(|name| std::fs::symlink_metadata(folder.join(name)).ok());
    found.filter(|found| found.is_file() && found.nlink() > 1).map(|found| inode_of(&found)).collect()
}

/// Examines a single partial file. Returns its description and the record in its journal.
///
/// `names_of` returns the hard links of the partial file. Returns `None` if the path leads to another user's file.
/// Fails if nothing shows whether the file was placed. Otherwise the file could be placed twice.
fn look(
    tag: String,
    path: PathBuf,
    names_of: impl Fn(InodeKey) -> io::Result<Vec<PathBuf>>,
) -> io::Result<Option<(RediscoveredFile, Option<JournalRecord>)>> {
    let folder = partial::part::folder_of(&path);
    let metadata = std::fs::symlink_metadata(&path).ok().filter(Metadata::is_file);
    if metadata.as_ref().is_some_and(|found| !is_ours(found, folder)) {
        tracing::warn!(part = %path.display(), "file with the name of a partial file is owned by another user; ignored");
        return Ok(None);
    }
    let record = journal::read(&journal_of(&path));
    let length = metadata.as_ref().map_or(0, Metadata::len);
    let placed = match (&metadata, record.as_ref().and_then(|record| record.placing.as_ref())) {
        (Some(found), _) if found.nlink() > 1 && may_be_finished(&path, found, record.as_ref()) => {
            final_name(&path, record.as_ref(), names_of(inode_of(found))?)
        }
        (None, Some(placing)) => {
            let renamed = folder.join(&placing.name);
            let found = std::fs::symlink_metadata(&renamed).ok().filter(|found| found.is_file() && is_ours(found, folder));
            // Do not compare inode numbers: some file systems change them at every mount. The run that completes the
            // file compares its bytes.
            let is_it = |found: Metadata| may_be_finished(&renamed, &found, record.as_ref());
            found.is_some_and(is_it).then_some(renamed)
        }
        _ => None,
    };
    let found = RediscoveredFile {
        guid: record.as_ref().map(|record| record.guid),
        bytes: record.as_ref().map_or(0, |record| record.durable.below(length).count()),
        tag,
        part: path,
        placed,
        asked: record.as_ref().map(asked),
    };
    Ok(Some((found, record)))
}

/// Removes the empty file that an interrupted run left under the final name.
///
/// `record` is the record of the partial file at `path`, and contains the final name. On exFAT, a power cut may lose
/// both the old and the new name of the partial file, and keep only the empty file.
///
/// Must run before the journal is removed: only the journal distinguishes this file from an empty file of the user.
pub(crate) fn remove_placeholder(path: &Path, record: &JournalRecord) -> io::Result<()> {
    let folder = partial::part::folder_of(path);
    let Some(name) = record.placeholder().filter(|name| Path::new(name).file_name().is_some_and(|own| own == *name)) else {
        return Ok(());
    };
    let left = folder.join(name);
    let is_it = |found: &Metadata| found.is_file() && found.len() == 0 && found.nlink() == 1 && is_ours(found, folder);
    match std::fs::symlink_metadata(&left) {
        Ok(found) if is_it(&found) => std::fs::remove_file(&left),
        _ => Ok(()),
    }
}

fn asked(record: &JournalRecord) -> RediscoveryRequest {
    RediscoveryRequest {
        method: record.method.clone(),
        url: record.url.clone(),
        name: record.head.name.clone(),
        size: record.total,
        may_resume: record.may_resume,
    }
}

/// Returns the tag and name of every partial file in `folder`.
///
/// Includes missing partial files whose journal or set-aside file still exists.
pub(super) fn partials_in(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let entries = match entries_of(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        let Ok(name) = entry?.file_name().into_string() else { continue };
        let name = [JOURNAL_ENDING, ASIDE_ENDING].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        if let Some(tag) = tag_of_partial(name) {
            names.push((tag.to_owned(), name.to_owned()));
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Index of the partial files in the folders that transfers use.
///
/// - Each folder is read only once, even if ten thousand transfers start in it.
/// - If another program removes a partial file, Ashore detects this when it opens the file.
/// - If another program adds a partial file, the index lacks this file until Ashore restarts or the folder is replaced.
/// - Disk accesses hold no lock that callers of other folders need.
#[derive(Debug, Default)]
pub(crate) struct PartialIndex {
    folders: Mutex<Folders>,
    /// Locks by folder. The lock of a folder is held while this folder is read or checked.
    ///
    /// Of thousands of concurrent callers, only the first accesses the disk. The others use its result.
    turns: Mutex<HashMap<PathBuf, Arc<Turn>>>,
}

#[derive(Debug, Default)]
struct Turn {
    reading: Mutex<()>,
    looking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Folders {
    known: HashMap<PathBuf, Partials>,
    /// Partial files that were created, or recorded as foreign, while the folder was being read.
    meanwhile: HashMap<PathBuf, Vec<Change>>,
}

#[derive(Debug)]
enum Change {
    Made { tag: String, name: String },
    Disowned { tag: String, name: String },
}

/// Partial files of one folder.
#[derive(Debug, Default)]
struct Partials {
    by_tag: HashMap<String, Vec<String>>,
    /// Hard links of the partial files, from the last read of the folder.
    second: HashMap<InodeKey, Vec<PathBuf>>,
    /// Inode of the folder at the last read.
    folder: Option<InodeKey>,
    /// Latest time at which the folder is known to have existed.
    seen: Option<Instant>,
}

impl Partials {
    fn apply(&mut self, change: Change) {
        match change {
            Change::Made { tag, name } => {
                let names = self.by_tag.entry(tag).or_default();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            Change::Disowned { tag, name } => {
                if let Some(names) = self.by_tag.get_mut(&tag) {
                    names.retain(|known| *known != name);
                }
            }
        }
    }
}

/// After a check, the folder is assumed to exist for this time.
const SEEN_FOR: Duration = Duration::from_secs(1);

impl PartialIndex {
    /// Returns the partial file of `guid` in `folder`, with its record.
    ///
    /// Skips a partial file whose journal contains another GUID.
    pub fn find(&self, guid: Guid, folder: &Path) -> io::Result<Option<(RediscoveredFile, Option<JournalRecord>)>> {
        for path in self.paths(guid, folder)? {
            let Some((found, record)) = look(guid.tag(), path, |inode| self.names_of(folder, inode))? else { continue };
            if found.guid.is_some_and(|other| other != guid) {
                continue;
            }
            if found.placed.is_some() || record.is_some() || found.part.symlink_metadata().is_ok() {
                return Ok(Some((found, record)));
            }
        }
        Ok(None)
    }

    /// Discards the index. Each folder is read again when its partial files are needed.
    pub fn forget_folders(&self) {
        *self.folders() = Folders::default();
    }

    fn paths(&self, guid: Guid, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.read(folder)?;
        let folders = self.folders();
        let names = folders.known.get(folder).and_then(|partials| partials.by_tag.get(&guid.tag()));
        Ok(names.into_iter().flatten().map(|name| folder.join(name)).collect())
    }

    fn read(&self, folder: &Path) -> io::Result<()> {
        let turn = self.turn(folder);
        let _alone = turn.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let found = std::fs::metadata(folder).ok().map(|found| inode_of(&found));
        {
            let mut folders = self.folders();
            if folders.known.get(folder).is_some_and(|known| known.folder == found) {
                return Ok(());
            }
            folders.meanwhile.insert(folder.to_owned(), Vec::new());
        }
        let read = || {
            let names = partials_in(folder)?;
            let second = second_names(folder, &linked(folder, names.iter().map(|(_, name)| name)))?;
            let mut partials = Partials { second, folder: found, ..Partials::default() };
            names.into_iter().for_each(|(tag, name)| partials.apply(Change::Made { tag, name }));
            Ok(partials)
        };
        let read: io::Result<Partials> = read();
        let mut folders = self.folders();
        let meanwhile = folders.meanwhile.remove(folder).unwrap_or_default();
        let mut partials = read?;
        meanwhile.into_iter().for_each(|change| partials.apply(change));
        folders.known.insert(folder.to_owned(), partials);
        Ok(())
    }

    /// Returns the locks of `folder`.
    fn turn(&self, folder: &Path) -> Arc<Turn> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.entry(folder.to_owned()).or_default().clone()
    }

    /// Returns the hard links of a partial file in `folder`.
    ///
    /// Uses the links from the last read of the folder. If none is valid any longer, reads the folder again.
    fn names_of(&self, folder: &Path, inode: InodeKey) -> io::Result<Vec<PathBuf>> {
        let known = self.folders().known.get(folder).and_then(|partials| partials.second.get(&inode).cloned());
        let is_still = |name: &PathBuf| std::fs::symlink_metadata(name).is_ok_and(|found| inode_of(&found) == inode);
        let mut names = known.unwrap_or_default();
        names.retain(is_still);
        if names.is_empty() {
            names = second_names(folder, &HashSet::from([inode]))?.remove(&inode).unwrap_or_default();
        }
        Ok(names)
    }

    /// Whether `folder` exists and contains no partial file of `guid`.
    ///
    /// Accesses the disk only from time to time, because there may be thousands of calls.
    pub async fn is_free_of(self: &Arc<Self>, guid: Guid, folder: &Path) -> bool {
        if let Some(is_free) = self.was_free_of(guid, folder) {
            return is_free;
        }
        let turn = self.turn(folder);
        let _turn = turn.looking.lock().await;
        if let Some(is_free) = self.was_free_of(guid, folder) {
            return is_free;
        }
        let (index, looked_at) = (self.clone(), folder.to_owned());
        // If the folder cannot be read, the caller gets the error later, when it writes to the folder.
        let _ = disk::spawn(move || index.look(&looked_at)).await;
        self.was_free_of(guid, folder).unwrap_or(false)
    }

    fn was_free_of(&self, guid: Guid, folder: &Path) -> Option<bool> {
        let folders = self.folders();
        let partials = folders.known.get(folder)?;
        let is_fresh = partials.seen.is_some_and(|seen| seen.elapsed() < SEEN_FOR);
        is_fresh.then(|| !partials.by_tag.contains_key(&guid.tag()))
    }

    fn look(&self, folder: &Path) -> io::Result<()> {
        let is_there = std::fs::metadata(folder).is_ok_and(|found| found.is_dir());
        self.read(folder)?;
        if let Some(partials) = self.folders().known.get_mut(folder) {
            partials.seen = is_there.then(Instant::now);
        }
        Ok(())
    }

    fn folders(&self) -> MutexGuard<'_, Folders> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a partial file was created at `path`.
    pub fn add(&self, guid: Guid, path: &Path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        self.change(partial::part::folder_of(path), || Change::Made { tag: guid.tag(), name: name.to_owned() });
    }

    /// Records that the file at `path` does not belong to `guid`, despite its name.
    pub fn disown(&self, guid: Guid, path: &Path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        self.change(partial::part::folder_of(path), || Change::Disowned { tag: guid.tag(), name: name.to_owned() });
    }

    fn change(&self, folder: &Path, change: impl Fn() -> Change) {
        let mut folders = self.folders();
        if let Some(meanwhile) = folders.meanwhile.get_mut(folder) {
            meanwhile.push(change());
        }
        if let Some(partials) = folders.known.get_mut(folder) {
            partials.apply(change());
        }
    }

    /// Removes all partial files of `guid` in `folder`, with their related files.
    ///
    /// Keeps a placed file. Returns whether any partial file was known.
    pub fn remove(&self, guid: Guid, folder: &Path) -> io::Result<bool> {
        failpoint::hit("transfer.before-remove");
        let mut was_known = false;
        for path in self.paths(guid, folder)? {
            let record = journal::read(&journal_of(&path));
            if record.as_ref().is_some_and(|record| record.guid != guid) {
                continue;
            }
            if let Some(record) = &record {
                remove_placeholder(&path, record)?;
            }
            match std::fs::symlink_metadata(&path) {
                // The name of the partial file leads to a file or folder of another user.
                Ok(found) if !is_ours(&found, folder) => partial::part::remove_journal(&path)?,
                _ => partial::part::remove(&path)?,
            }
            was_known = true;
            let mut folders = self.folders();
            if let Some(partials) = folders.known.get_mut(folder)
                && let Some(names) = partials.by_tag.get_mut(&guid.tag())
            {
                names.retain(|name| folder.join(name) != path);
                if names.is_empty() {
                    partials.by_tag.remove(&guid.tag());
                }
            }
        }
        Ok(was_known)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn guid(number: u128) -> Guid {
        Guid(Uuid::from_u128(number << 96))
    }

    #[test]
    fn partial_files_are_found_by_tag_and_other_files_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        for other in ["a.part", "b.bin", "c.ashore", "d.0000000.part"] {
            std::fs::write(folder.path().join(other), "x").unwrap();
        }
        assert_eq!(survey(folder.path()).unwrap(), []);
        let path = folder.path().join(crate::filename::name::partial("a.bin", &guid(7).tag()));
        partial::part::PartialFile::create(path.clone()).unwrap();
        let found = survey(folder.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].tag.as_str(), found[0].bytes, &found[0].part), ("00000007", 0, &path));
        let index = PartialIndex::default();
        assert!(index.find(guid(7), folder.path()).unwrap().is_some());
        assert!(index.find(guid(8), folder.path()).unwrap().is_none());
        index.remove(guid(7), folder.path()).unwrap();
        assert!(index.find(guid(7), folder.path()).unwrap().is_none());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
    }

    #[test]
    fn file_that_was_set_aside_is_found_even_if_its_partial_file_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(crate::filename::name::partial("a.bin", &guid(7).tag()));
        partial::part::PartialFile::create(path.clone()).unwrap().begin_again().unwrap();
        partial::part::remove_begun(&path).unwrap();
        let found = survey(folder.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].tag.as_str(), found[0].guid, found[0].bytes, &found[0].part), ("00000007", None, 0, &path));
        let index = PartialIndex::default();
        assert!(index.find(guid(7), folder.path()).unwrap().is_none(), "no partial file can be resumed");
        index.remove(guid(7), folder.path()).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn sealed_partial_file_with_hard_link_counts_as_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(crate::filename::name::partial("a.bin", &guid(7).tag()));
        let part = partial::part::PartialFile::create(path.clone()).unwrap();
        let elsewhere = tempfile::tempdir_in(folder.path()).unwrap();
        std::fs::hard_link(&path, elsewhere.path().join("backup")).unwrap();
        assert_eq!(survey(folder.path()).unwrap()[0].placed, None);
        std::fs::hard_link(&path, folder.path().join("look.bin")).unwrap();
        assert_eq!(survey(folder.path()).unwrap()[0].placed, None, "nothing proves that the file is complete");
        part.seal(0).unwrap();
        let placed = part.place(&partial::PublishSyscalls::real(), "a.bin", None, |_| Ok(())).unwrap().path;
        assert_eq!(survey(folder.path()).unwrap()[0].placed, Some(placed));
    }

    #[test]
    fn partial_file_of_another_user_is_neither_found_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(crate::filename::name::partial("a.bin", &guid(7).tag()));
        std::fs::write(&path, "planted").unwrap();
        std::fs::hard_link(&path, folder.path().join("a.bin")).unwrap();
        if !rustix::process::geteuid().is_root() {
            return drop(io::Write::write_all(&mut io::stderr(), b"LEFT OUT: only root may give a file away.\n"));
        }
        std::os::unix::fs::chown(&path, Some(65_534), None).unwrap();
        assert_eq!(survey(folder.path()).unwrap(), []);
        let index = PartialIndex::default();
        assert!(index.find(guid(7), folder.path()).unwrap().is_none());
        index.remove(guid(7), folder.path()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"planted");
    }

    #[test]
    fn missing_folder_has_no_partial_files() {
        assert_eq!(survey(Path::new("/nowhere/at/all")).unwrap(), []);
    }
}
