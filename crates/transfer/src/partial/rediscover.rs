//! A finished file of which nobody knows any more that it is there, because its caller's list was put back to an earlier day.
//! What it is called, how long it is, when it was written and what its mark and its digests say has to fit, and then it gets
//! again what it had as long as its caller did not know: a partial's name beside its own. Whoever starts the transfer finds it
//! placed, by the same evidence as after a kill.

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

/// What is known of a transfer that had begun then, and may have been completed since.
#[derive(Clone, Debug)]
pub struct RediscoveryQuery {
    /// Its caller's name for it.
    pub guid: Guid,
    /// Where its file was to go.
    pub folder: PathBuf,
    /// What it was to be called.
    pub name: String,
    /// How many bytes it was to have.
    pub size: u64,
    /// Where it was to come from.
    pub url: Url,
    /// What it had to be.
    pub expected: ExpectedContent,
    /// What its caller knows ends here.
    pub since: SystemTime,
}

impl RediscoveryQuery {
    /// Recognises the file, and says where it is; none where there is none, or something does not fit. Blocks, and reads all of
    /// it where a digest is expected. Fails where it cannot be given another name.
    pub fn recognise(&self) -> io::Result<Option<PathBuf>> {
        for number in 0..MOST_NAMES {
            let path = self.folder.join(partial::candidate(&self.name, number));
            if path.symlink_metadata().is_err() {
                return Ok(None);
            }
            // What cannot be looked at is not recognised.
            if let Ok(Some(inode)) = self.look(&path) {
                return self.name_again(&path, inode).map(|is_named| is_named.then_some(path));
            }
        }
        Ok(None)
    }

    /// Its inode, where it is the one.
    fn look(&self, path: &Path) -> io::Result<Option<u64>> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
        let found = file.metadata()?;
        // With a second name it may be another transfer's.
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
        follower.catch_up(&PartialFile::open(path.to_owned())?, self.size, || true)?;
        let (found, wrong) = follower.finish();
        Ok(wrong.is_empty() && digests.iter().all(|digest| found.contains(digest)))
    }

    fn name_again(&self, path: &Path, inode: u64) -> io::Result<bool> {
        let part = self.folder.join(crate::filename::name::partial(&self.name, &self.guid.tag()));
        rustix::fs::link(path, &part)?;
        let is_named = part.symlink_metadata().is_ok_and(|found| found.ino() == inode);
        if !is_named {
            // Somebody put another one in its place meanwhile.
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

    /// What does not fit.
    type Spoil = fn(&mut RediscoveryQuery);

    /// A folder with `a.bin` as it was placed, and what its caller knows of it.
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
    fn what_fits_in_every_way_is_found_placed_by_whoever_starts_it() {
        let (folder, unaware) = placed();
        let path = folder.path().join("a.bin");
        assert_eq!(unaware.recognise().unwrap(), Some(path.clone()));
        let [found] = &survey(folder.path()).unwrap()[..] else { panic!("there is one") };
        assert_eq!((found.tag.as_str(), found.placed.as_ref()), (unaware.guid.tag().as_str(), Some(&path)));
        // It is taken: another transfer of the same link has to have a file of its own.
        let other = RediscoveryQuery { guid: Guid(Uuid::from_u128(8 << 96)), ..unaware };
        assert_eq!(other.recognise().unwrap(), None);
        let second = folder.path().join("a (1).bin");
        place(&second, &other.url);
        assert_eq!(other.recognise().unwrap(), Some(second));
    }

    #[test]
    fn what_does_not_fit_in_one_way_is_not_recognised_and_left_as_it_is() {
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
    fn a_digest_that_is_known_has_to_be_that_of_the_file() {
        let (_folder, mut unaware) = placed();
        let mut follower = StreamHasher::new(&[crate::DigestAlgorithm::Sha256], None);
        follower.catch_up(&PartialFile::open(unaware.folder.join("a.bin")).unwrap(), unaware.size, || true).unwrap();
        unaware.expected.digests = follower.finish().0;
        assert!(unaware.recognise().unwrap().is_some());
    }
}
