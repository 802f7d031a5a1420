//! What the disk knows: partials, by the tag in their names, with or without a journal, placed or not.

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

/// The partials in `folder`. Reads the folder once, and once more where partials have second names. A folder that is gone
/// gives an empty list.
pub fn survey(folder: &Path) -> io::Result<Vec<RediscoveredFile>> {
    let partials = partials_in(folder)?;
    let names = second_names(folder, &linked(folder, partials.iter().map(|(_, name)| name)))?;
    let of = |inode: InodeKey| Ok(names.get(&inode).cloned().unwrap_or_default());
    let found = partials.into_iter().map(|(tag, name)| Ok(look(tag, folder.join(name), of)?.map(|(found, _)| found)));
    found.filter_map(io::Result::transpose).collect()
}

/// The tags of the partials in `folder`, of which nothing else is looked at.
pub fn tags_in(folder: &Path) -> io::Result<BTreeSet<String>> {
    Ok(partials_in(folder)?.into_iter().map(|(tag, _)| tag).collect())
}

/// The inodes of those partials in `folder`, called `names`, that have a second name somewhere.
fn linked<'a>(folder: &Path, names: impl Iterator<Item = &'a String>) -> HashSet<InodeKey> {
    let found = names.filter_map(|name| std::fs::symlink_metadata(folder.join(name)).ok());
    found.filter(|found| found.is_file() && found.nlink() > 1).map(|found| inode_of(&found)).collect()
}

/// Looks at one partial: what is told of it, and its journal's record. Its second names come from `names_of`. None where another
/// user's file has its name. Fails where nobody can say whether it was placed: it would be placed once more.
fn look(
    tag: String,
    path: PathBuf,
    names_of: impl Fn(InodeKey) -> io::Result<Vec<PathBuf>>,
) -> io::Result<Option<(RediscoveredFile, Option<JournalRecord>)>> {
    let folder = partial::part::folder_of(&path);
    let metadata = std::fs::symlink_metadata(&path).ok().filter(Metadata::is_file);
    if metadata.as_ref().is_some_and(|found| !is_ours(found, folder)) {
        tracing::warn!(part = %path.display(), "a partial's name has a file of another user, which is left alone");
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
            // Not by its number: some file systems give other ones at every mount. The run that completes it compares its bytes.
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

/// Removes the empty file that a cut-off run left under the final name which `record`, the journal of the partial at `path`,
/// announces. On exFAT, a power cut may keep neither the partial's old name nor its new one, and the empty file.
///
/// Must come before the journal is removed: nothing else tells this file from a person's own.
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

/// Tag and name of every partial in `folder`, and of every journal, or what was set aside, whose partial is gone.
fn partials_in(folder: &Path) -> io::Result<Vec<(String, String)>> {
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

/// The partials of the folders that transfers use, read once each: ten thousand starts in one folder must not read it
/// ten thousand times. What others remove is noticed on opening; what others add, at the next start of the program, or when
/// another folder is found in its place. No lock is held while a disk is asked that others could wait for.
#[derive(Debug, Default)]
pub(crate) struct PartialIndex {
    folders: Mutex<Folders>,
    /// For each folder, taken while it is read or looked at, so that of thousands who want to know one asks and the others hear.
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
    /// Partials that were made or disowned in a folder while it was being read.
    meanwhile: HashMap<PathBuf, Vec<Change>>,
}

#[derive(Debug)]
enum Change {
    Made { tag: String, name: String },
    Disowned { tag: String, name: String },
}

/// The partials of a folder.
#[derive(Debug, Default)]
struct Partials {
    by_tag: HashMap<String, Vec<String>>,
    /// Second names that partials had when the folder was read.
    second: HashMap<InodeKey, Vec<PathBuf>>,
    /// Which folder it was.
    folder: Option<InodeKey>,
    /// When the folder was last seen to be there.
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

/// For so long a folder that was there is taken to be there still.
const SEEN_FOR: Duration = Duration::from_secs(1);

impl PartialIndex {
    /// The partial of `guid` in `folder`, with its record. One that a journal gives to another GUID is not ours.
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

    /// Forgets what was read: the folders are read anew.
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

    /// The turns of those who want to know of `folder`.
    fn turn(&self, folder: &Path) -> Arc<Turn> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.entry(folder.to_owned()).or_default().clone()
    }

    /// The second names of a partial in `folder`: those that it had when the folder was read and still has, else what the folder
    /// says now.
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

    /// Whether `folder` is there and has nothing of `guid`. Asks the disk now and then, and not for each of thousands.
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
        // Where it cannot be looked at, whoever wants to write there finds out why.
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

    /// A partial was made.
    pub fn add(&self, guid: Guid, path: &Path) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
        self.change(partial::part::folder_of(path), || Change::Made { tag: guid.tag(), name: name.to_owned() });
    }

    /// What is at `path` now is not ours, whatever it is called.
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

    /// Removes every partial of `guid` in `folder` with all that belongs to it; a file already placed stays. Returns whether
    /// any was known.
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
                // Another user's file, or folder, took its name.
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
    fn partials_are_found_by_their_tag_and_nothing_else_is() {
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
    fn what_was_set_aside_is_found_without_its_partial_and_goes_with_everything_else_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(crate::filename::name::partial("a.bin", &guid(7).tag()));
        partial::part::PartialFile::create(path.clone()).unwrap().begin_again().unwrap();
        partial::part::remove_begun(&path).unwrap();
        let found = survey(folder.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].tag.as_str(), found[0].guid, found[0].bytes, &found[0].part), ("00000007", None, 0, &path));
        let index = PartialIndex::default();
        assert!(index.find(guid(7), folder.path()).unwrap().is_none(), "nothing to go on from");
        index.remove(guid(7), folder.path()).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_second_name_in_the_folder_says_that_it_was_placed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(crate::filename::name::partial("a.bin", &guid(7).tag()));
        let part = partial::part::PartialFile::create(path.clone()).unwrap();
        let elsewhere = tempfile::tempdir_in(folder.path()).unwrap();
        std::fs::hard_link(&path, elsewhere.path().join("backup")).unwrap();
        assert_eq!(survey(folder.path()).unwrap()[0].placed, None);
        std::fs::hard_link(&path, folder.path().join("look.bin")).unwrap();
        assert_eq!(survey(folder.path()).unwrap()[0].placed, None, "nothing says that all of it is there");
        part.seal(0).unwrap();
        let placed = part.place(&partial::PublishSyscalls::real(), "a.bin", None, |_| Ok(())).unwrap().path;
        assert_eq!(survey(folder.path()).unwrap()[0].placed, Some(placed));
    }

    #[test]
    fn partial_of_another_user_is_neither_found_nor_removed() {
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
    fn a_folder_that_is_gone_is_empty() {
        assert_eq!(survey(Path::new("/nowhere/at/all")).unwrap(), []);
    }
}
