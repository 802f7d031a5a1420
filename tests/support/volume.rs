//! A disk whose power can be cut: ext4 in a file. After a cut, only what was asked to be made durable is there, names and all.

use std::{
    ffi::OsStr,
    fs::{File, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use anyhow::Result;
use rand::Rng;
use tempfile::TempDir;

use crate::{
    apart::Apart,
    tools::{compile, run},
};

/// Its size; only what is written to it takes room.
const SIZE: u64 = 3 << 30;
/// Bytes that are to be free in memory for it.
const ROOM: u64 = 2 << 30;

/// What a power cut leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Everything that was written so far, synced or not.
    Everything,
    /// What the file system's log has, also where that is not on the disk yet.
    Log,
    /// Only what is on the disk.
    Bare,
}

impl Cut {
    /// A random cut; three of five leave only what is on the disk.
    pub fn draw(random: &mut impl Rng) -> Self {
        [Self::Bare, Self::Bare, Self::Bare, Self::Log, Self::Everything][random.random_range(0..5)]
    }
}

/// One disk. Dropped, it is unmounted and gone.
#[derive(Debug)]
pub struct Volume {
    place: TempDir,
    /// Where it is mounted.
    at: PathBuf,
    /// Whose mounts it is one of; this process's own where there is none.
    apart: Option<Arc<Apart>>,
    /// The program that cuts.
    cutter: PathBuf,
}

impl Volume {
    /// A new one, mounted and empty, in a folder of its own.
    pub fn make() -> Result<Self> {
        Self::new(None, None, false)
    }

    /// The same at `at`, seen by those alone who are `apart`.
    pub fn make_at(at: &Path, apart: &Arc<Apart>) -> Result<Self> {
        Self::new(Some(at.to_owned()), Some(apart.clone()), false)
    }

    /// The same with a folder on it in which names are one that differ in nothing but their case, or in how their letters are put
    /// together.
    pub fn make_folding_at(at: &Path, apart: &Arc<Apart>) -> Result<(Self, PathBuf)> {
        let volume = Self::new(Some(at.to_owned()), Some(apart.clone()), true)?;
        let folder = at.join("folding");
        run(volume.command("mkdir").arg(&folder))?;
        run(volume.command("chattr").arg("+F").arg(&folder))?;
        Ok((volume, apart.seen(&folder)))
    }

    /// A file in memory where there is room: what a disk costs is not what this is about.
    fn new(at: Option<PathBuf>, apart: Option<Arc<Apart>>, folds: bool) -> Result<Self> {
        let memory = Path::new("/dev/shm");
        let free = rustix::fs::statvfs(memory).map_or(0, |found| found.f_bavail.saturating_mul(found.f_frsize));
        let mut builder = tempfile::Builder::new();
        builder.prefix("ashore-volume-");
        let place = if free >= ROOM { builder.tempdir_in(memory)? } else { builder.tempdir()? };
        let cutter = compile(place.path(), "cut", include_str!("cut.c"), &[])?;
        let at = at.unwrap_or_else(|| place.path().join("disk"));
        let volume = Self { place, at, apart, cutter };
        File::create(volume.image())?.set_len(SIZE)?;
        std::fs::create_dir_all(&volume.at)?;
        let lazy = "lazy_itable_init=1,lazy_journal_init=1";
        let mut make = Command::new("mkfs.ext4");
        make.args(["-q", "-F", "-E", lazy, "-J", "size=16"]).args(folds.then_some(["-O", "casefold"]).iter().flatten());
        run(make.arg(volume.image()))?;
        volume.mount()?;
        Ok(volume)
    }

    /// Where its files are.
    pub fn path(&self) -> PathBuf {
        self.apart.as_ref().map_or_else(|| self.at.clone(), |apart| apart.seen(&self.at))
    }

    /// The folder with its file in it, which is gone with it.
    pub(crate) fn beside(&self) -> &Path {
        self.place.path()
    }

    /// Lets other users of this machine reach its files, as far as the modes of those allow it.
    pub fn share(&self) -> Result<()> {
        Ok(std::fs::set_permissions(self.beside(), Permissions::from_mode(0o711))?)
    }

    /// Everything on it is durable.
    pub fn sync(&self) -> Result<()> {
        Ok(rustix::fs::syncfs(File::open(self.path())?)?)
    }

    /// Its power goes: nothing reaches it any more.
    pub fn fail(&self, how: Cut) -> Result<()> {
        let how = match how {
            Cut::Everything => "0",
            Cut::Log => "1",
            Cut::Bare => "2",
        };
        run(self.command(&self.cutter).arg(&self.at).arg(how))
    }

    /// Its file system finds an error on it and takes no write any more, as on most people's disks, until it is mounted anew.
    pub fn turn_read_only(&self) -> Result<()> {
        run(self.command("mount").args(["-o", "remount,errors=remount-ro"]).arg(&self.at))?;
        let found = self.command("findmnt").args(["--noheadings", "--output", "SOURCE"]).arg(&self.at).output()?;
        let device = String::from_utf8_lossy(&found.stdout).trim().trim_start_matches("/dev/").to_owned();
        Ok(std::fs::write(format!("/sys/fs/ext4/{device}/trigger_fs_error"), "1")?)
    }

    /// Its power is back. Nobody may have a file of it open.
    pub fn restart(&self) -> Result<()> {
        run(self.command("umount").arg(&self.at))?;
        self.mount()
    }

    /// Cuts its power and gives it back. Nobody may have a file of it open.
    pub fn cut(&self, how: Cut) -> Result<()> {
        self.fail(how)?;
        self.restart()
    }

    fn mount(&self) -> Result<()> {
        run(self.command("mount").args(["-o", "loop", "-t", "ext4"]).arg(self.image()).arg(&self.at))
    }

    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        self.apart.as_ref().map_or_else(|| Command::new(program.as_ref()), |apart| apart.command(program.as_ref()))
    }

    fn image(&self) -> PathBuf {
        self.place.path().join("image")
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        // What cannot be unmounted goes with the mounts it is one of.
        let _ = run(self.command("umount").arg("--lazy").arg(&self.at));
    }
}
