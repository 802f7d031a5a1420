//! Second names of partials: a hard link to a partial in its own folder may be the final name of a finished file, or a link
//! that somebody made to a file that is still being fetched. `scan` asks here before it calls a file placed.
//!
//! - An inode with two names is no evidence by itself: what the journal claims, or where there is none, what sealing leaves on
//!   a file, has to say that all of it was there. The run that completes the file then compares its bytes (`found`).
//! - All partials of a folder are looked up in one pass over it: ten thousand of them among 100,000 files must not read the
//!   folder ten thousand times.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs::Metadata,
    io,
    os::unix::fs::{DirEntryExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use crate::{
    disk::entries_of,
    filename::{
        name::{numbered, numbered_short},
        partial_name::tag_of_partial,
    },
    partial::{journal::JournalRecord, origin_xattr, part::PRIVATE},
};

/// A file on a volume: its device and its number there.
pub(crate) type InodeKey = (u64, u64);

/// Paths by the inode that they lead to.
type Names = HashMap<InodeKey, Vec<PathBuf>>;

/// The inode that `metadata` is of.
pub(crate) fn inode_of(metadata: &Metadata) -> InodeKey {
    (metadata.dev(), metadata.ino())
}

/// Names in `folder`, partials' names excepted, that lead to one of `wanted`, which are inodes of partials there.
///
/// A name elsewhere is somebody's backup and is not looked for.
pub(crate) fn second_names(folder: &Path, wanted: &HashSet<InodeKey>) -> io::Result<Names> {
    if wanted.is_empty() {
        return Ok(Names::new());
    }
    let numbers: HashSet<u64> = wanted.iter().map(|(_, number)| *number).collect();
    // The folder itself says the number of each file, which spares a look at every one of them...
    let (names, partials) = names_of(folder, wanted, |number| numbers.contains(&number))?;
    if partials.len() == wanted.len() {
        return Ok(names);
    }
    // ...but some file systems say other numbers there, by which not even the partials are found.
    Ok(names_of(folder, wanted, |_| true)?.0)
}

/// The names that lead to `wanted`, and which of `wanted` have a partial's name, among entries whose number `may_be` one.
fn names_of(folder: &Path, wanted: &HashSet<InodeKey>, may_be: impl Fn(u64) -> bool) -> io::Result<(Names, HashSet<InodeKey>)> {
    let (mut names, mut partials) = (Names::new(), HashSet::new());
    for entry in entries_of(folder)? {
        let entry = entry?;
        if !may_be(entry.ino()) {
            continue;
        }
        let path = entry.path();
        let Ok(found) = std::fs::symlink_metadata(&path) else { continue };
        let inode = inode_of(&found);
        if !wanted.contains(&inode) {
            continue;
        }
        if entry.file_name().to_str().is_some_and(|name| tag_of_partial(name).is_some()) {
            partials.insert(inode);
        } else {
            names.entry(inode).or_default().push(path);
        }
    }
    Ok((names, partials))
}

/// Which of `names` is the final name of the partial at `path`, with `record` as its journal's; none where none is.
pub(crate) fn final_name(path: &Path, record: Option<&JournalRecord>, names: Vec<PathBuf>) -> Option<PathBuf> {
    let partial = path.file_name()?.as_encoded_bytes();
    let is_final = |other: &Path| match record {
        Some(record) => other.file_name().is_some_and(|other| is_candidate(other, &record.head.name)),
        None => true,
    };
    // A partial is called like the file that it becomes: of several, a name that begins as it does was given by Ashore.
    let common = |other: &Path| {
        let other = other.file_name().unwrap_or_default().as_encoded_bytes();
        other.iter().zip(partial).take_while(|(one, two)| one == two).count()
    };
    let candidates = names.into_iter().filter(|other| is_final(other));
    candidates.min_by_key(|other| (std::cmp::Reverse(common(other)), other.as_os_str().len(), other.clone()))
}

/// Whether a file that is to be called `wanted` may have got the name `other`: that, or the next `wanted (1)` that was free, or
/// what of either a file system takes that has short names only.
fn is_candidate(other: &OsStr, wanted: &str) -> bool {
    let Some(other) = other.to_str() else { return false };
    if other == wanted || numbered_short(wanted, 0) == other {
        return true;
    }
    let numbers = other.rmatch_indices(" (").filter_map(|(at, _)| other.get(at + 2..)?.split_once(')')?.0.parse().ok());
    numbers.into_iter().any(|number: u32| {
        number > 0 && [numbered(wanted, number), numbered_short(wanted, number)].iter().any(|name| name == other)
    })
}

/// Whether the file at `path` may be finished, by all that is known without reading it: with a journal, it is as long as that
/// says, and all of it was durable; without one, it was sealed.
pub(crate) fn may_be_finished(path: &Path, found: &Metadata, record: Option<&JournalRecord>) -> bool {
    match record {
        Some(record) => record.total == Some(found.len()) && record.durable.prefix() >= found.len(),
        // A partial is private while it is written, and marked when all of it is there. Where nothing can be marked, its mode
        // has to do, as far as the mask lets a finished file have another one.
        None => origin_xattr::is_on(path) || found.permissions().mode() & 0o777 != PRIVATE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        partial::{state::PartialState, stream_hasher::StreamHasher},
        plan::byte_ranges::ByteRanges,
    };

    fn record(name: &str, total: Option<u64>, durable: u64) -> JournalRecord {
        let folder = tempfile::tempdir().unwrap();
        let part = crate::partial::part::PartialFile::create(folder.path().join("a.part")).unwrap();
        let mut record = PartialState::of_nothing(part, total, StreamHasher::new(&[], None), true).record;
        (record.head.name, record.durable) = (name.to_owned(), ByteRanges::first(durable));
        record
    }

    fn linked(folder: &Path, partial: &str, others: &[&str]) -> (PathBuf, InodeKey) {
        let path = folder.join(partial);
        std::fs::write(&path, "0123456789").unwrap();
        for other in others {
            std::fs::hard_link(&path, folder.join(other)).unwrap();
        }
        let inode = inode_of(&path.symlink_metadata().unwrap());
        (path, inode)
    }

    #[test]
    fn second_names_of_many_partials_are_found_together() {
        let folder = tempfile::tempdir().unwrap();
        let (_, one) = linked(folder.path(), "a.bin.0000000a.part", &["a.bin", "b.bin.0000000b.part"]);
        let (_, two) = linked(folder.path(), "c.bin.0000000c.part", &["c.bin", "look"]);
        let (_, three) = linked(folder.path(), "d.bin.0000000d.part", &[]);
        std::fs::write(folder.path().join("e.bin"), "theirs").unwrap();
        let mut found = second_names(folder.path(), &HashSet::from([one, two, three])).unwrap();
        found.values_mut().for_each(|names| names.sort());
        let at = |name: &str| folder.path().join(name);
        assert_eq!(found, HashMap::from([(one, vec![at("a.bin")]), (two, vec![at("c.bin"), at("look")])]));
        assert_eq!(second_names(Path::new("/nowhere/at/all"), &HashSet::new()).unwrap(), HashMap::new());
    }

    #[test]
    fn second_names_are_found_where_the_folder_says_other_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let (_, one) = linked(folder.path(), "a.bin.0000000a.part", &["a.bin"]);
        let by_wrong_numbers = names_of(folder.path(), &HashSet::from([one]), |_| false).unwrap();
        assert_eq!((by_wrong_numbers.0.len(), by_wrong_numbers.1.len()), (0, 0), "so that all are looked at");
        let all = names_of(folder.path(), &HashSet::from([one]), |_| true).unwrap();
        assert_eq!((all.0.len(), all.1.len()), (1, 1));
    }

    #[test]
    fn final_name_is_one_that_ashore_gives() {
        let path = Path::new("/d/film.mkv.0123abcd.part");
        let of = |record: Option<&JournalRecord>, names: &[&str]| {
            final_name(path, record, names.iter().map(|name| Path::new("/d").join(name)).collect())
                .map(|name| name.file_name().unwrap().to_str().unwrap().to_owned())
        };
        let record = record("film.mkv", Some(10), 10);
        for (names, expected) in [
            (&["look.mkv", "film.mkv"][..], Some("film.mkv")),
            (&["look.mkv", "film (12).mkv"], Some("film (12).mkv")),
            (&["look.mkv"], None),
            (&["film (0).mkv", "film (x).mkv", "film.mkv (1)"], None),
            (&[], None),
        ] {
            assert_eq!(of(Some(&record), names).as_deref(), expected, "{names:?}");
        }
        assert_eq!(of(None, &["backup", "film (1).mkv"]).as_deref(), Some("film (1).mkv"));
        assert_eq!(of(None, &["moved.mkv"]).as_deref(), Some("moved.mkv"), "somebody renamed it meanwhile");
    }

    #[test]
    fn file_is_not_finished_before_its_journal_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = linked(folder.path(), "a.bin.0000000a.part", &[]);
        let found = path.symlink_metadata().unwrap();
        for (total, durable, expected) in
            [(Some(10), 10, true), (Some(10), 9, false), (Some(11), 10, false), (Some(9), 9, false), (None, 10, false)]
        {
            assert_eq!(may_be_finished(&path, &found, Some(&record("a", total, durable))), expected, "{total:?} {durable}");
        }
    }

    #[test]
    fn file_without_journal_is_not_finished_before_it_is_sealed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin.0000000a.part");
        let part = crate::partial::part::PartialFile::create(path.clone()).unwrap();
        part.write(&[bytes::Bytes::from_static(b"0123456789")], 0).unwrap();
        let is_finished = || may_be_finished(&path, &path.symlink_metadata().unwrap(), None);
        assert!(!is_finished());
        part.seal(10).unwrap();
        assert!(is_finished());
    }
}
