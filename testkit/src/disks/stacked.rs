//! Disk with any file system, stored as a file on another disk. The power of both disks can be cut.
//!
//! After a power cut, all synced writes are present. Any other write may be missing, regardless of the order of the
//! writes. If the kernel lacks the file system, its FUSE program mounts it. Tests can also kill this program.

use std::{
    ffi::OsStr,
    fs::{self, File},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::Signal;

use crate::{
    disks::volume::{PowerCut, Volume},
    processes::{
        kept_program::KeptProgram,
        tools::{is_installed, run},
    },
    waits::blocking::until_done,
};

/// Size of the disk in bytes. The disk's file is sparse: only written parts take up space.
const SIZE: u64 = 2 << 30;

/// File system to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSystem {
    /// XFS, common on servers.
    Xfs,
    /// Btrfs, common on newer desktops; never overwrites data in place.
    Btrfs,
    /// FAT, common on small devices.
    Vfat,
    /// exFAT, common on cameras and portable drives.
    Exfat,
    /// NTFS, used by Windows.
    Ntfs,
}

impl FileSystem {
    /// List of all file systems that are tested.
    pub const ALL: [Self; 5] = [Self::Xfs, Self::Btrfs, Self::Vfat, Self::Exfat, Self::Ntfs];

    /// Returns the common name of the file system.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xfs => "xfs",
            Self::Btrfs => "btrfs",
            Self::Vfat => "vfat",
            Self::Exfat => "exfat",
            Self::Ntfs => "NTFS",
        }
    }

    /// Returns true if this file system is common for home folders, and false if only portable drives use it.
    pub fn is_of_homes(self) -> bool {
        matches!(self, Self::Xfs | Self::Btrfs)
    }

    /// Returns the command that creates the file system. The caller has to append the path of the disk's file.
    fn maker(self) -> &'static [&'static str] {
        match self {
            Self::Xfs => &["mkfs.xfs", "-q", "-f"],
            Self::Btrfs => &["mkfs.btrfs", "-q", "-f"],
            Self::Vfat => &["mkfs.vfat", "-F", "32"],
            Self::Exfat => &["mkfs.exfat"],
            Self::Ntfs => &["mkfs.ntfs", "-q", "-F", "-f"],
        }
    }

    /// Name that the kernel uses for the file system.
    fn module(self) -> &'static str {
        match self {
            Self::Ntfs => "ntfs3",
            other => other.name(),
        }
    }

    /// Returns the command that mounts the file system with FUSE in the foreground; `None` if no FUSE program supports
    /// it.
    fn fuse(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Exfat => Some(&["mount.exfat-fuse", "-d"]),
            Self::Ntfs => Some(&["ntfs-3g", "-o", "no_detach"]),
            Self::Xfs | Self::Btrfs | Self::Vfat => None,
        }
    }

    /// Returns the command of [`FileSystem::fuse`] if the kernel cannot mount the file system but the FUSE program is
    /// installed.
    fn program(self) -> Option<&'static [&'static str]> {
        let known = fs::read_to_string("/proc/filesystems").unwrap_or_default();
        let is_of_kernel = known.lines().any(|line| line.trim() == self.module());
        self.fuse().filter(|words| !is_of_kernel && words.first().is_some_and(|program| is_installed(program)))
    }
}

/// Mounted disk. Dropping it unmounts and deletes it.
#[derive(Debug)]
pub struct Stacked {
    below: Volume,
    kind: FileSystem,
    at: PathBuf,
    /// Loop device that is attached to the disk's file.
    device: Option<String>,
    /// FUSE program that mounts the disk, if any.
    program: Option<KeptProgram>,
}

impl Stacked {
    /// Creates and mounts an empty disk. Fails if this machine cannot mount such a disk.
    pub fn make(kind: FileSystem) -> Result<Self> {
        let below = Volume::make()?;
        let at = below.beside().join("above");
        fs::create_dir(&at)?;
        let mut stacked = Self { below, kind, at, device: None, program: None };
        File::create(stacked.image())?.set_len(SIZE)?;
        let [maker, words @ ..] = kind.maker() else { bail!("nothing makes {}", kind.name()) };
        run(Command::new(maker).args(words).arg(stacked.image()))?;
        stacked.below.sync()?;
        stacked.mount()?;
        Ok(stacked)
    }

    /// Returns the mount point.
    pub fn path(&self) -> &Path {
        &self.at
    }

    /// Returns a folder on the underlying disk.
    ///
    /// A power cut affects both disks at the same time: this one and the one at [`Stacked::path`].
    pub fn path_below(&self) -> PathBuf {
        self.below.path()
    }

    /// Syncs this disk and the underlying one.
    pub fn sync(&self) -> Result<()> {
        rustix::fs::syncfs(File::open(&self.at)?)?;
        self.below.sync()
    }

    /// Cuts the power: no later write reaches the disk.
    pub fn fail(&self, how: PowerCut) -> Result<()> {
        self.below.fail(how)
    }

    /// Removes the disk while it is in use, as if its cable were pulled. This kills the FUSE program, or cuts the power
    /// if there is no such program.
    pub fn go(&mut self) -> Result<()> {
        match &mut self.program {
            Some(program) => program.kill(),
            None => self.below.fail(PowerCut::Everything),
        }
    }

    /// Stops the FUSE program. Every access to the disk then waits until [`Stacked::resume`]. Fails if the disk is
    /// mounted by the kernel.
    pub fn stop(&self) -> Result<()> {
        self.send(Signal::STOP)
    }

    /// Continues the FUSE program after [`Stacked::stop`].
    pub fn resume(&self) -> Result<()> {
        self.send(Signal::CONT)
    }

    fn send(&self, signal: Signal) -> Result<()> {
        self.program.as_ref().context("no FUSE program mounts it")?.send(signal)
    }

    /// Unmounts the disk if necessary, restores the power, and mounts the disk again. All files of the disk must be
    /// closed.
    pub fn restart(&mut self) -> Result<()> {
        self.unmount()?;
        until_done("the disk below can be let go", || self.below.restart())?;
        self.mount()
    }

    /// Cuts the power of the disk and restores it. All files of the disk must be closed.
    pub fn cut(&mut self, how: PowerCut) -> Result<()> {
        self.fail(how)?;
        self.restart()
    }

    fn mount(&mut self) -> Result<()> {
        let output = Command::new("losetup").args(["--find", "--show"]).arg(self.image()).output().context("losetup")?;
        ensure!(output.status.success(), "losetup: {}", String::from_utf8_lossy(&output.stderr).trim());
        let device = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        self.device = Some(device.clone());
        let Some(words) = self.kind.program() else {
            return run(Command::new("mount").args(["-t", self.kind.module(), &device]).arg(&self.at));
        };
        let before = fs::metadata(&self.at)?.dev();
        let mut command: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        command.extend([OsStr::new(device.as_str()), self.at.as_os_str()]);
        self.program = Some(KeptProgram::start(&command)?);
        until_done(&format!("{} mounts it", words.join(" ")), || {
            ensure!(fs::metadata(&self.at)?.dev() != before, "it has not");
            Ok(())
        })
    }

    /// Unmounts the disk and detaches its device. Continues after a failed step.
    fn unmount(&mut self) -> Result<()> {
        if let Some(mut program) = self.program.take() {
            program.kill()?;
        }
        let unmounted = run(Command::new("umount").arg("--lazy").arg(&self.at));
        let detached = self.device.take().map_or(Ok(()), |device| run(Command::new("losetup").arg("--detach").arg(device)));
        unmounted.and(detached)
    }

    fn image(&self) -> PathBuf {
        self.below.path().join("image")
    }
}

impl Drop for Stacked {
    fn drop(&mut self) {
        // If the disk cannot be unmounted, the kernel removes it with the mount namespace of this process.
        let _ = self.unmount();
    }
}
