//! The token that a person enters to sign a device in. It is stored in a file of the data folder.
//!
//! - The file is the only place with a secret in clear text, so that `ashore remote token` can print it. Only the user
//!   who owns the file may read it.
//! - A new token signs out all devices. One lock protects this file and the session file; `session_file` holds the
//!   lock.

use std::{
    fs::OpenOptions,
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use ashore_engine::{
    UserMessage,
    atomic_file::{self, SymlinkPolicy},
};
use ashore_messages::message;
use rand::Rng;

use crate::sessions::new_secret;

/// File name in the data folder.
const FILE: &str = "remote-token";
/// Minimum length in bytes of a token that a person wrote into the file.
const SHORTEST: usize = 32;
/// Permissions of the group and of other users.
const OTHERS: u32 = 0o077;

/// File that contains the token of a data folder. Methods of this type block for a moment.
#[derive(Clone, Debug)]
pub(crate) struct TokenFile(PathBuf);

impl TokenFile {
    /// Returns the file of `data_dir`. Does not read it.
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self(data_dir.join(FILE))
    }

    /// Returns the token; `None` if there is no file.
    ///
    /// Fails if other users can read the file, if it cannot be read, or if its token is too short.
    pub(crate) fn read(&self) -> Result<Option<String>, UserMessage> {
        let opened = atomic_file::open(&self.0, OpenOptions::new().read(true), SymlinkPolicy::Refused);
        let mode = match opened.and_then(|file| file.metadata()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found.map_err(|error| self.fault(&error))?.permissions().mode(),
        };
        if mode & OTHERS != 0 {
            return Err(message!("remote-token.readable", path = &self.0));
        }
        let text = atomic_file::read(&self.0, SymlinkPolicy::Refused).map_err(|error| self.fault(&error))?;
        match text.trim() {
            token if token.len() < SHORTEST => Err(message!("remote-token.short", path = &self.0)),
            token => Ok(Some(token.to_owned())),
        }
    }

    /// Replaces the token, and returns the new one. Fails if the file cannot be written.
    pub(crate) fn renew(&self, random: &mut impl Rng) -> Result<String, UserMessage> {
        let token = new_secret(random);
        // The new file is private, because it is created as a temporary file.
        atomic_file::replace(&self.0, format!("{token}\n").as_bytes()).map_err(|error| self.fault(&error))?;
        Ok(token)
    }

    fn fault(&self, error: &io::Error) -> UserMessage {
        message!("disk.unread", path = &self.0, why = error)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;

    #[test]
    fn token_is_private_and_replaced_by_renewal() {
        let folder = tempfile::tempdir().unwrap();
        let (file, mut random) = (TokenFile::new(folder.path()), StdRng::seed_from_u64(1));
        assert_eq!(file.read(), Ok(None));
        let first = file.renew(&mut random).unwrap();
        assert_eq!((first.len(), file.read()), (64, Ok(Some(first.clone()))));
        assert_eq!(fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
        assert_ne!(file.renew(&mut random).unwrap(), first);
    }

    #[test]
    fn token_that_others_can_read_or_guess_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (file, path) = (TokenFile::new(folder.path()), folder.path().join(FILE));
        fs::write(&path, "x".repeat(SHORTEST)).unwrap();
        for mode in [0o640, 0o604, 0o620] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let why = file.read().unwrap_err();
            assert_eq!(why.variant.as_deref(), Some("readable"), "{mode:o}");
        }
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(file.read(), Ok(Some("x".repeat(SHORTEST))));
        fs::write(&path, "secret").unwrap();
        assert_eq!(file.read().unwrap_err().variant.as_deref(), Some("short"));
    }
}
