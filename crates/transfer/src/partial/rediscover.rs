//! Recognises a finished file that the caller does not know.
//!
//! This happens if the ledger was restored from a backup that is older than the file. Name, length, modification time,
//! origin mark and digests must match. The file then gets a hard link that is named like a partial file. A file whose
//! completion was not recorded has such a link too. When the transfer starts, it therefore finds the placed file, as it
//! would after a kill.

use std::{
    fs::OpenOptions,
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::SystemTime,
};

use rustix::fs::OFlags;
use url::Url;

use crate::{
    model::spec::{ExpectedContent, Guid},
    partial::{self, MOST_NAMES, origin_xattr, part::PartialFile, stream_hasher::StreamHasher},
};

/// Transfer in the restored ledger, which may have been completed after the backup.
#[derive(Clone, Debug)]
pub struct RediscoveryQuery {
    /// GUID that the caller gave to the transfer.
    pub guid: Guid,
    /// Target folder.
    pub folder: PathBuf,
    /// Target name.
    pub name: String,
    /// Expected number of bytes.
    pub size: u64,
    /// Source address.
    pub url: Url,
    /// Expected size and digests.
    pub expected: ExpectedContent,
    /// Time of the backup. The caller knows nothing about later events.
    pub since: SystemTime,
}

impl RediscoveryQuery {
    /// Recognises the finished file of this transfer. Returns its path, or `None` if no file matches.
    ///
    /// Blocks. Reads the whole file if a digest is expected. Fails if the hard link cannot be created.
    pub fn recognise(&self) -> io::Result<Option<PathBuf>> {
        for number in 0..MOST_NAMES {
            let path = self.folder.join(partial::candidate(&self.name, number));
            if path.symlink_metadata().is_err() {
                return Ok(None);
            }
            // Skip unreadable files.
            if let Ok(Some(inode)) = self.look(&path) {
                return self.name_again(&path, inode).map(|is_named| is_named.then_some(path));
            }
        }
        Ok(None)
    }

    /// Returns the inode of the file if it matches this query.
    fn look(&self, path: &Path) -> io::Result<Option<u64>> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
        let found = file.metadata()?;
        // A file with another hard link may belong to another transfer.
        let is_alone = found.is_file() && found.nlink() == 1;
        let fits = is_alone && found.len() == self.size && self.expected.size.is_none_or(|size| size == self.size);
        let is_its = fits && found.modified()? >= self.since && origin_xattr::says(&file, &self.url);
        Ok((is_its && self.is_right(path)?).then_some(found.ino()))
    }

    fn is_right(&self, path: &Path) -> io::Result<bool> {
        let ExpectedContent { digests, pieces, .. } = &self.expected;
        if !self.expected.says_all() {
            return Ok(true);
        }
        let algorithms: Vec<_> = digests.iter().map(|digest| digest.algorithm).collect();
        let mut follower = StreamHasher::new(&algorithms, pieces.clone());
        follower.catch_up(&PartialFile::open_placed(path.to_owned())?, self.size, || true)?;
        let (found, wrong) = follower.finish();
        Ok(wrong.is_empty() && digests.iter().all(|digest| found.contains(digest)))
    }

    fn name_again(&self, path: &Path, inode: u64) -> io::Result<bool> {
        let part = self.folder.join(crate::filename::name::partial(&self.name, &self.guid.tag()));
        rustix::fs::link(path, &part)?;
        let is_named = part.symlink_metadata().is_ok_and(|found| found.ino() == inode);
        if !is_named {
            // Another file has replaced the checked one in the meantime, so remove the new link.
            std::fs::remove_file(&part)?;
        }
        partial::part::sync_folder(&self.folder)?;
        Ok(is_named)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs::File,
        time::{Duration, UNIX_EPOCH},
    };

    use uuid::Uuid;

    use super::*;
    use crate::partial::scan::survey;

    const BYTES: &[u8] = b"all of it";

    /// Changes one property, so that the query no longer matches.
    type Spoil = fn(&mut RediscoveryQuery);

    /// Creates a folder with the finished file `a.bin`, and the query that matches it.
    fn placed() -> (tempfile::TempDir, RediscoveryQuery) {
        let folder = tempfile::tempdir().unwrap();
        let url: Url = "https://example.org/a.bin?token=1".parse().unwrap();
        place(&folder.path().join("a.bin"), &url);
        let unaware = RediscoveryQuery {
            guid: Guid(Uuid::from_u128(7 << 96)),
            folder: folder.path().to_owned(),
            name: "a.bin".to_owned(),
            size: BYTES.len() as u64,
            url,
            expected: ExpectedContent::default(),
            since: UNIX_EPOCH + Duration::from_secs(1),
        };
        (folder, unaware)
    }

    fn place(path: &Path, url: &Url) {
        std::fs::write(path, BYTES).unwrap();
        origin_xattr::mark(File::open(path).unwrap(), url);
    }

    #[test]
    fn matching_file_is_recognised_as_the_downloaded_file() {
        let (folder, unaware) = placed();
        let path = folder.path().join("a.bin");
        assert_eq!(unaware.recognise().unwrap(), Some(path.clone()));
        let [found] = &survey(folder.path()).unwrap()[..] else { panic!("there is one") };
        assert_eq!((found.tag.as_str(), found.placed.as_ref()), (unaware.guid.tag().as_str(), Some(&path)));
        // The file already belongs to another transfer. This transfer of the same link must get a file of its own.
        let other = RediscoveryQuery { guid: Guid(Uuid::from_u128(8 << 96)), ..unaware };
        assert_eq!(other.recognise().unwrap(), None);
        let second = folder.path().join("a (1).bin");
        place(&second, &other.url);
        assert_eq!(other.recognise().unwrap(), Some(second));
    }

    #[test]
    fn downloaded_file_is_not_recognised_if_one_property_differs() {
        let spoils: [(&str, Spoil); 6] = [
            ("another name", |it| it.name = "b.bin".to_owned()),
            ("another size", |it| it.size += 1),
            ("another size expected", |it| it.expected.size = Some(1)),
            ("another link", |it| it.url.set_path("/b.bin")),
            ("older", |it| it.since = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40)),
            ("another folder", |it| it.folder.push("gone")),
        ];
        for (what, spoil) in spoils {
            let (folder, mut unaware) = placed();
            spoil(&mut unaware);
            assert_eq!(unaware.recognise().unwrap(), None, "{what}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{what}");
        }
        let (_folder, mut unaware) = placed();
        unaware.expected.digests = vec![format!("sha-256={}", "00".repeat(32)).parse().unwrap()];
        assert_eq!(unaware.recognise().unwrap(), None, "another digest");
        let (folder, unaware) = placed();
        rustix::fs::fremovexattr(File::open(folder.path().join("a.bin")).unwrap(), "user.xdg.origin.url").unwrap();
        assert_eq!(unaware.recognise().unwrap(), None, "no mark");
        let (folder, unaware) = placed();
        place(&folder.path().join("c.bin"), &unaware.url);
        std::fs::remove_file(folder.path().join("a.bin")).unwrap();
        std::os::unix::fs::symlink("c.bin", folder.path().join("a.bin")).unwrap();
        assert_eq!(unaware.recognise().unwrap(), None, "a link");
    }

    #[test]
    fn file_with_expected_digest_is_recognised() {
        let (_folder, mut unaware) = placed();
        let mut follower = StreamHasher::new(&[crate::DigestAlgorithm::Sha256], None);
        follower.catch_up(&PartialFile::open(unaware.folder.join("a.bin")).unwrap(), unaware.size, || true).unwrap();
        unaware.expected.digests = follower.finish().0;
        assert!(unaware.recognise().unwrap().is_some());
    }
}
