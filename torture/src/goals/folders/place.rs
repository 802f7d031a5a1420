//! Download folder that can be taken away: renamed, unmounted, stopped during a response, or copied to another device
//! that replaces it. All mounts are private to this process.

#![expect(clippy::disallowed_methods, reason = "folders disappear and come back, and nothing is at the target of the rename")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;
use ashore_testkit::tools::run;
use tempfile::TempDir;

/// Mounted folder that contains the download folder.
///
/// Dropping this value unmounts and deletes the mounted folder.
#[derive(Debug)]
pub(super) struct TortureFolder {
    place: TempDir,
    /// Number of moves so far. Each move mounts a different folder.
    moves: u32,
}

/// Way to take the download folder away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FolderAbsence {
    /// The download folder is renamed, so that its path does not exist.
    Renamed,
    /// The folder is unmounted, so that its mount point is empty.
    Unmounted,
}

impl TortureFolder {
    pub fn make() -> Result<Self> {
        let place = Self { place: tempfile::Builder::new().prefix("ashore-folder-").tempdir()?, moves: 0 };
        fs::create_dir(place.real())?;
        fs::create_dir(place.path())?;
        place.mount()?;
        Ok(place)
    }

    /// Returns the mount point.
    pub fn path(&self) -> PathBuf {
        self.place.path().join("disk")
    }

    /// Returns a folder beside the mount point. This folder always stays available.
    pub fn beside(&self) -> &Path {
        self.place.path()
    }

    /// Takes the download folder away.
    pub fn take_away(&self, away: FolderAbsence) -> Result<()> {
        match away {
            FolderAbsence::Renamed => Ok(fs::rename(self.path().join("target"), self.path().join("away"))?),
            FolderAbsence::Unmounted => run(Command::new("umount").arg("--lazy").arg(self.path())),
        }
    }

    /// Brings the download folder back.
    pub fn bring_back(&self, away: FolderAbsence) -> Result<()> {
        match away {
            FolderAbsence::Renamed => Ok(fs::rename(self.path().join("away"), self.path().join("target"))?),
            FolderAbsence::Unmounted => self.mount(),
        }
    }

    /// Copies the folder to a new device, and mounts this device in place of the folder. All files in the folder must
    /// be closed.
    pub fn move_to_another_device(&mut self) -> Result<()> {
        let before = self.real();
        self.moves += 1;
        fs::create_dir(self.real())?;
        run(Command::new("mount").args(["-t", "tmpfs", "-o", "size=2g", "ashore-torture"]).arg(self.real()))?;
        run(Command::new("cp").arg("--archive").arg(before.join(".")).arg(self.real()))?;
        run(Command::new("umount").arg(self.path()))?;
        if self.moves > 1 {
            run(Command::new("umount").arg(before))?;
        }
        self.mount()
    }

    fn real(&self) -> PathBuf {
        self.place.path().join(format!("real-{}", self.moves))
    }

    fn mount(&self) -> Result<()> {
        run(Command::new("mount").arg("--bind").arg(self.real()).arg(self.path()))
    }
}

impl Drop for TortureFolder {
    fn drop(&mut self) {
        // Ignore an error, because the folder may not be mounted at the moment.
        let _ = run(Command::new("umount").arg("--lazy").arg(self.path()));
        let _ = run(Command::new("umount").arg("--lazy").arg(self.real()));
    }
}
