//! Disk whose power can be cut: ext4 in a file.
//!
//! After a power cut, all synced data and file names are present. [`PowerCut`] determines which unsynced writes
//! survive.

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
    disks::apart::Apart,
    processes::tools::{compile, run},
};

/// Size of the disk in bytes. Only written parts take up space.
const SIZE: u64 = 3 << 30;
/// Free memory in bytes that is required to keep the disk in memory.
const ROOM: u64 = 2 << 30;

/// Writes that survive a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerCut {
    /// Every write so far, synced or not.
    Everything,
    /// Writes that are in the file system's journal or in their final place on the disk.
    Log,
    /// Only writes in their final place on the disk.
    Bare,
}

impl PowerCut {
    /// Draws a kind of power cut: [`Self::Bare`] in three of five cases.
    pub fn draw(random: &mut impl Rng) -> Self {
        [Self::Bare, Self::Bare, Self::Bare, Self::Log, Self::Everything][random.random_range(0..5)]
    }
}

/// Disk of a test. Dropping it unmounts and deletes it.
#[derive(Debug)]
pub struct Volume {
    place: TempDir,
    at: PathBuf,
    /// Mount namespace of the disk; `None` for the namespace of this process.
    apart: Option<Arc<Apart>>,
    /// Program that cuts the power.
    cutter: PathBuf,
}

impl Volume {
    /// Creates an empty disk and mounts it in its own folder.
    pub fn make() -> Result<Self> {
        Self::new(None, None, false)
    }

    /// Creates a disk and mounts it at `at`, visible only in `apart`.
    pub fn make_at(at: &Path, apart: &Arc<Apart>) -> Result<Self> {
        Self::new(Some(at.to_owned()), Some(apart.clone()), false)
    }

    /// Creates a disk with a case-insensitive folder and returns both. In this folder, names are equal if they differ
    /// only in case or Unicode composition.
    pub fn make_folding_at(at: &Path, apart: &Arc<Apart>) -> Result<(Self, PathBuf)> {
        let volume = Self::new(Some(at.to_owned()), Some(apart.clone()), true)?;
        let folder = at.join("folding");
        run(volume.command("mkdir").arg(&folder))?;
        run(volume.command("chattr").arg("+F").arg(&folder))?;
        Ok((volume, apart.seen(&folder)))
    }

    /// Creates the disk's file, in memory if enough memory is free. Tests may use memory because they do not measure
    /// the disk's speed.
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

    /// Returns the folder with the files of the disk.
    pub fn path(&self) -> PathBuf {
        self.apart.as_ref().map_or_else(|| self.at.clone(), |apart| apart.seen(&self.at))
    }

    /// Folder that contains the disk's file. It is deleted together with the disk.
    pub(crate) fn beside(&self) -> &Path {
        self.place.path()
    }

    /// Gives other users of this machine access to the disk's files, as far as the file modes permit.
    pub fn share(&self) -> Result<()> {
        Ok(std::fs::set_permissions(self.beside(), Permissions::from_mode(0o711))?)
    }

    /// Syncs the whole disk.
    pub fn sync(&self) -> Result<()> {
        Ok(rustix::fs::syncfs(File::open(self.path())?)?)
    }

    /// Cuts the power: no later write reaches the disk.
    pub fn fail(&self, how: PowerCut) -> Result<()> {
        let how = match how {
            PowerCut::Everything => "0",
            PowerCut::Log => "1",
            PowerCut::Bare => "2",
        };
        run(self.command(&self.cutter).arg(&self.at).arg(how))
    }

    /// Triggers a file system error. The disk is then read-only until the next mount, as on most installations.
    pub fn turn_read_only(&self) -> Result<()> {
        run(self.command("mount").args(["-o", "remount,errors=remount-ro"]).arg(&self.at))?;
        let found = self.command("findmnt").args(["--noheadings", "--output", "SOURCE"]).arg(&self.at).output()?;
        let device = String::from_utf8_lossy(&found.stdout).trim().trim_start_matches("/dev/").to_owned();
        Ok(std::fs::write(format!("/sys/fs/ext4/{device}/trigger_fs_error"), "1")?)
    }

    /// Restores the power. All files of the disk must be closed.
    pub fn restart(&self) -> Result<()> {
        run(self.command("umount").arg(&self.at))?;
        self.mount()
    }

    /// Cuts the power and restores it. All files of the disk must be closed.
    pub fn cut(&self, how: PowerCut) -> Result<()> {
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
        // If the disk cannot be unmounted, the kernel removes it with its mount namespace.
        let _ = run(self.command("umount").arg("--lazy").arg(&self.at));
    }
}
