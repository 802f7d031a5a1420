//! A disk of any kind in a file on a disk whose power can be cut. What the file system asked to be made durable is there after a
//! cut, and of the rest anything may be missing, in any order. File systems that the kernel lacks are mounted by their FUSE
//! programs, which can be killed as well.

use std::{
    fs::{self, File},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    tools::{is_there, run},
    volume::{Cut, Volume},
};

/// Its size; only what is written to it takes room.
const SIZE: u64 = 2 << 30;
/// No disk takes longer to be mounted, or to be let go.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A kind of file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of servers.
    Xfs,
    /// Of newer desktops; it writes nothing in its place.
    Btrfs,
    /// Of small devices.
    Vfat,
    /// Of cameras and of what people carry.
    Exfat,
    /// Of Windows.
    Ntfs,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Xfs, Self::Btrfs, Self::Vfat, Self::Exfat, Self::Ntfs];

    /// The name by which people know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xfs => "xfs",
            Self::Btrfs => "btrfs",
            Self::Vfat => "vfat",
            Self::Exfat => "exfat",
            Self::Ntfs => "NTFS",
        }
    }

    /// Whether people have their home on it, and not only what they carry about.
    pub fn is_of_homes(self) -> bool {
        matches!(self, Self::Xfs | Self::Btrfs)
    }

    /// What makes one, before the name of its file.
    fn maker(self) -> &'static [&'static str] {
        match self {
            Self::Xfs => &["mkfs.xfs", "-q", "-f"],
            Self::Btrfs => &["mkfs.btrfs", "-q", "-f"],
            Self::Vfat => &["mkfs.vfat", "-F", "32"],
            Self::Exfat => &["mkfs.exfat"],
            Self::Ntfs => &["mkfs.ntfs", "-q", "-F", "-f"],
        }
    }

    /// What the kernel calls it.
    fn module(self) -> &'static str {
        match self {
            Self::Ntfs => "ntfs3",
            other => other.name(),
        }
    }

    /// The program that mounts it where the kernel does not, with the words that keep it in front.
    fn fuse(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Exfat => Some(&["mount.exfat-fuse", "-d"]),
            Self::Ntfs => Some(&["ntfs-3g", "-o", "no_detach"]),
            Self::Xfs | Self::Btrfs | Self::Vfat => None,
        }
    }

    /// The same where it is needed and there.
    fn program(self) -> Option<&'static [&'static str]> {
        let known = fs::read_to_string("/proc/filesystems").unwrap_or_default();
        let is_of_kernel = known.lines().any(|line| line.trim() == self.module());
        self.fuse().filter(|words| !is_of_kernel && words.first().is_some_and(|program| is_there(program)))
    }
}

/// One disk. Dropped, it is unmounted and gone.
#[derive(Debug)]
pub struct Stacked {
    below: Volume,
    kind: Kind,
    /// Where it is mounted.
    at: PathBuf,
    /// The device that its file is.
    device: Option<String>,
    /// The FUSE program, where it is mounted by one.
    program: Option<Child>,
}

impl Stacked {
    /// A new one, mounted and empty. Fails where this machine cannot make or mount it.
    pub fn make(kind: Kind) -> Result<Self> {
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

    /// Where its files are.
    pub fn path(&self) -> &Path {
        &self.at
    }

    /// A folder of the disk below, whose power is cut with it.
    pub fn path_below(&self) -> PathBuf {
        self.below.path()
    }

    /// Everything on it and below it is durable.
    pub fn sync(&self) -> Result<()> {
        rustix::fs::syncfs(File::open(&self.at)?)?;
        self.below.sync()
    }

    /// Its power goes: nothing reaches it any more.
    pub fn fail(&self, how: Cut) -> Result<()> {
        self.below.fail(how)
    }

    /// It goes from under everybody who uses it, as when its plug is pulled: its FUSE program is killed, or its power goes.
    pub fn go(&mut self) -> Result<()> {
        match &mut self.program {
            Some(program) => Ok(program.kill()?),
            None => self.below.fail(Cut::Everything),
        }
    }

    /// It answers nobody from now on, until it is told to go on. Fails where no FUSE program mounts it, which could be stopped.
    pub fn stop(&self) -> Result<()> {
        self.tell(Signal::STOP)
    }

    /// It answers again.
    pub fn go_on(&self) -> Result<()> {
        self.tell(Signal::CONT)
    }

    fn tell(&self, signal: Signal) -> Result<()> {
        let program = self.program.as_ref().context("no FUSE program mounts it")?;
        Ok(kill_process(Pid::from_child(program), signal)?)
    }

    /// It is back, after whatever became of it. Nobody may have a file of it open.
    pub fn restart(&mut self) -> Result<()> {
        self.unmount()?;
        until("the disk below can be let go", || self.below.restart())?;
        self.mount()
    }

    /// Cuts its power and gives it back. Nobody may have a file of it open.
    pub fn cut(&mut self, how: Cut) -> Result<()> {
        self.fail(how)?;
        self.restart()
    }

    fn mount(&mut self) -> Result<()> {
        let output = Command::new("losetup").args(["--find", "--show"]).arg(self.image()).output().context("losetup")?;
        ensure!(output.status.success(), "losetup: {}", String::from_utf8_lossy(&output.stderr).trim());
        let device = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        self.device = Some(device.clone());
        let Some([program, words @ ..]) = self.kind.program() else {
            return run(Command::new("mount").args(["-t", self.kind.module(), &device]).arg(&self.at));
        };
        let before = fs::metadata(&self.at)?.dev();
        let mut command = Command::new(program);
        command.args(words).arg(&device).arg(&self.at).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.program = Some(command.spawn().with_context(|| (*program).to_owned())?);
        until(&format!("{program} mounts it"), || {
            ensure!(fs::metadata(&self.at)?.dev() != before, "it has not");
            Ok(())
        })
    }

    /// Takes away what there is of it; a step that fails keeps none of the others from being made.
    fn unmount(&mut self) -> Result<()> {
        if let Some(mut program) = self.program.take() {
            let _ = program.kill();
            program.wait()?;
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
        // What cannot be unmounted goes with the mounts it is one of.
        let _ = self.unmount();
    }
}

/// Tries again until it works, and says what did not in time.
#[expect(clippy::disallowed_methods, reason = "a mount tells nobody, and whoever asks a disk has a thread that may wait")]
fn until(what: &str, mut tried: impl FnMut() -> Result<()>) -> Result<()> {
    let begun = Instant::now();
    loop {
        match tried() {
            Ok(()) => return Ok(()),
            Err(error) if begun.elapsed() > PATIENCE => return Err(error.context(format!("not in time: {what}"))),
            Err(_) => std::thread::sleep(LOOK_EVERY),
        }
    }
}
