//! Finds hard links to partial files, which may be final names.
//!
//! A hard link in the folder of a partial file has two possible meanings. It is the final name of a finished file, or a
//! link that the user made to an unfinished file. `scan` calls this module before it treats a file as placed.
//!
//! - The number of links proves nothing. The journal must show that all bytes were present. Without a journal, the file
//!   must be sealed. The run that completes the file then verifies its bytes (`load_partial`).
//! - One pass finds the links of all partial files in a folder. With ten thousand partial files among 100,000 files,
//!   the folder must not be read ten thousand times.

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

/// Device and inode number of a file.
pub(crate) type InodeKey = (u64, u64);

/// Paths by inode.
type Names = HashMap<InodeKey, Vec<PathBuf>>;

/// Returns the inode of `metadata`.
pub(crate) fn inode_of(metadata: &Metadata) -> InodeKey {
    (metadata.dev(), metadata.ino())
}

/// Returns the hard links to the `wanted` partial files in `folder`.
///
/// Excludes the names of partial files. Does not search other folders, where links are backups of the user.
pub(crate) fn second_names(folder: &Path, wanted: &HashSet<InodeKey>) -> io::Result<Names> {
    if wanted.is_empty() {
        return Ok(Names::new());
    }
    let numbers: HashSet<u64> = wanted.iter().map(|(_, number)| *number).collect();
    // The folder lists the inode numbers, so most files need no call of `stat`.
    let (names, partials) = names_of(folder, wanted, |number| numbers.contains(&number))?;
    if partials.len() == wanted.len() {
        return Ok(names);
    }
    // On some file systems, the listed inode numbers differ from those of `stat`. In this case, the partial files
    // themselves were not found, so examine every entry.
    Ok(names_of(folder, wanted, |_| true)?.0)
}

/// Returns the second names of the files with the inodes `wanted`.
///
/// Also returns the inodes for which the name of a partial file was found.
///
/// Examines an entry only if `may_be` returns `true` for its inode number.
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

/// Returns the final name of the partial file at `path`, chosen from `names`.
///
/// `record` is the record in the journal of this partial file.
pub(crate) fn final_name(path: &Path, record: Option<&JournalRecord>, names: Vec<PathBuf>) -> Option<PathBuf> {
    let partial = path.file_name()?.as_encoded_bytes();
    let is_final = |other: &Path| match record {
        Some(record) => other.file_name().is_some_and(|other| is_candidate(other, &record.head.name)),
        None => true,
    };
    // The name of a partial file begins like the final name. Of several links, the one with the longest common prefix
    // is the final name.
    let common = |other: &Path| {
        let other = other.file_name().unwrap_or_default().as_encoded_bytes();
        other.iter().zip(partial).take_while(|(one, two)| one == two).count()
    };
    let candidates = names.into_iter().filter(|other| is_final(other));
    candidates.min_by_key(|other| (std::cmp::Reverse(common(other)), other.as_os_str().len(), other.clone()))
}

/// Whether Ashore may have chosen the name `other` for a file with the intended name `wanted`.
///
/// Possible names are `wanted` and `wanted (1)`, with any number. Both may be shortened on file systems with short
/// names.
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

/// Whether the file at `path` may be finished. Does not read the bytes of the file.
///
/// With a journal, the file must have the recorded length and be completely durable. Without a journal, it must be
/// sealed.
pub(crate) fn may_be_finished(path: &Path, found: &Metadata, record: Option<&JournalRecord>) -> bool {
    match record {
        Some(record) => record.total == Some(found.len()) && record.durable.prefix() >= found.len(),
        // A partial file is private while it is written, and gets an origin mark when it is complete. Without a mark,
        // check the file mode. The mode shows nothing if the umask makes finished files private too.
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
    fn hard_links_of_many_partial_files_are_found_in_one_call() {
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
    fn hard_links_are_found_even_if_directory_lists_wrong_inode_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let (_, one) = linked(folder.path(), "a.bin.0000000a.part", &["a.bin"]);
        let by_wrong_numbers = names_of(folder.path(), &HashSet::from([one]), |_| false).unwrap();
        assert_eq!((by_wrong_numbers.0.len(), by_wrong_numbers.1.len()), (0, 0), "so that all are looked at");
        let all = names_of(folder.path(), &HashSet::from([one]), |_| true).unwrap();
        assert_eq!((all.0.len(), all.1.len()), (1, 1));
    }

    #[test]
    fn hard_link_is_final_name_only_if_ashore_could_have_chosen_that_name() {
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
        assert_eq!(of(None, &["moved.mkv"]).as_deref(), Some("moved.mkv"), "the file was renamed in the meantime");
    }

    #[test]
    fn file_with_journal_counts_as_finished_if_journal_covers_all_bytes() {
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
    fn file_without_journal_counts_as_finished_if_sealed() {
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
