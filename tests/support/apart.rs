//! Mounts that nobody else sees. They are there for as long as their keeper lives, which ends with whoever made it: whatever
//! becomes of a story, no disk stays behind.

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use anyhow::{Context, Result, ensure};

use crate::tools::is_there;

/// A place with mounts of its own.
#[derive(Debug)]
pub struct Apart {
    keeper: Child,
}

impl Apart {
    /// A new one, in which everything is mounted as it is outside. A sentence says why there is none.
    pub fn make() -> Result<Self> {
        ensure!(rustix::process::geteuid().is_root(), "It mounts disks, which is up to root here.");
        ensure!(
            is_there("unshare") && is_there("nsenter"),
            "It mounts disks, and there is no unshare and nsenter for a place apart."
        );
        let mut keeper = Command::new("unshare");
        // It says that it is there, and ends when nobody holds the other end any more.
        keeper.args(["--mount", "--propagation", "private", "--", "sh", "-c", "echo apart; exec cat"]);
        let mut keeper = keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("unshare")?;
        let mut said = String::new();
        BufReader::new(keeper.stdout.take().context("it has no stdout")?).read_line(&mut said)?;
        let apart = Self { keeper };
        ensure!(said.trim() == "apart", "No place apart could be made for mounts (unshare --mount).");
        Ok(apart)
    }

    /// The same for a story that cannot be told without. Where there is none, why is said.
    pub fn for_a_story() -> Option<Arc<Self>> {
        Self::make().map(Arc::new).map_err(|why| eprintln!("This story is not told here. {why}")).ok()
    }

    /// A program that runs in there.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let [first, others @ ..] = self.words();
        let mut command = Command::new(first);
        command.args(others).arg(program);
        command
    }

    /// The words before those of a program, so that it runs in there.
    pub fn words(&self) -> [String; 3] {
        ["nsenter".to_owned(), format!("--mount=/proc/{}/ns/mnt", self.keeper.id()), "--".to_owned()]
    }

    /// Where what is at `path` in there is seen from outside.
    pub fn seen(&self, path: &Path) -> PathBuf {
        Path::new(&format!("/proc/{}/root", self.keeper.id())).join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Writes a program into `folder` which is `program`, and runs in there.
    pub fn wrap(&self, program: &Path, folder: &Path) -> Result<PathBuf> {
        let name = program.file_name().context("a program has a name")?;
        let wrapped = folder.join(name);
        let own = format!("/proc/{}/ns/mnt", self.keeper.id());
        fs::write(&wrapped, format!("#!/bin/sh\nexec nsenter --mount={own} -- '{}' \"$@\"\n", program.display()))?;
        fs::set_permissions(&wrapped, fs::Permissions::from_mode(0o700))?;
        Ok(wrapped)
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}
