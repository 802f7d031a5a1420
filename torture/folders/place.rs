//! A download folder that a person's machine takes away: renamed, unmounted, stopped in the middle of an answer, or copied to
//! another device and mounted from there. All mounts are those of this process alone.

#![expect(clippy::disallowed_methods, reason = "folders go and come back: nothing is in their place when one is renamed to it")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;
use tempfile::TempDir;

use crate::tools::run;

/// A folder that is mounted, with the download folder in it. Dropped, it is unmounted and gone.
#[derive(Debug)]
pub(super) struct Place {
    place: TempDir,
    /// How often it was moved: each time the folder that is mounted is another one.
    moves: u32,
}

/// How it is taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Away {
    /// Its name leads nowhere.
    Renamed,
    /// Its mount point is there, and empty.
    Unmounted,
}

impl Place {
    pub fn make() -> Result<Self> {
        let place = Self { place: tempfile::Builder::new().prefix("ashore-folder-").tempdir()?, moves: 0 };
        fs::create_dir(place.real())?;
        fs::create_dir(place.path())?;
        place.mount()?;
        Ok(place)
    }

    /// Where it is mounted.
    pub fn path(&self) -> PathBuf {
        self.place.path().join("disk")
    }

    /// A folder beside it, which stays.
    pub fn beside(&self) -> &Path {
        self.place.path()
    }

    /// It is not where it was.
    pub fn take_away(&self, away: Away) -> Result<()> {
        match away {
            Away::Renamed => Ok(fs::rename(self.path().join("target"), self.path().join("away"))?),
            Away::Unmounted => run(Command::new("umount").arg("--lazy").arg(self.path())),
        }
    }

    /// It is there again.
    pub fn bring_back(&self, away: Away) -> Result<()> {
        match away {
            Away::Renamed => Ok(fs::rename(self.path().join("away"), self.path().join("target"))?),
            Away::Unmounted => self.mount(),
        }
    }

    /// Everything in it is copied to a new device, which is mounted in its place. Nobody may have a file of it open.
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

impl Drop for Place {
    fn drop(&mut self) {
        // What is not mounted need not be unmounted.
        let _ = run(Command::new("umount").arg("--lazy").arg(self.path()));
        let _ = run(Command::new("umount").arg("--lazy").arg(self.real()));
    }
}
