//! Private mount namespace for tests.
//!
//! The namespace exists as long as its keeper process, which ends with the test process. So no mount remains, however
//! the test ends.

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

use crate::processes::tools::is_installed;

/// Mount namespace that a keeper process keeps open.
#[derive(Debug)]
pub struct Apart {
    keeper: Child,
}

impl Apart {
    /// Creates a namespace that starts with the mounts of this process. Fails with an explanation if this machine does
    /// not permit namespaces.
    pub fn make() -> Result<Self> {
        ensure!(rustix::process::geteuid().is_root(), "It mounts disks, which is up to root here.");
        ensure!(
            is_installed("unshare") && is_installed("nsenter"),
            "It mounts disks, and there is no unshare and nsenter for a place apart."
        );
        let mut keeper = Command::new("unshare");
        // The keeper prints a line when it is ready, and ends when this process closes the pipe between them.
        keeper.args(["--mount", "--propagation", "private", "--", "sh", "-c", "echo apart; exec cat"]);
        let mut keeper = keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("unshare")?;
        let mut said = String::new();
        BufReader::new(keeper.stdout.take().context("it has no stdout")?).read_line(&mut said)?;
        let apart = Self { keeper };
        ensure!(said.trim() == "apart", "No place apart could be made for mounts (unshare --mount).");
        Ok(apart)
    }

    /// Creates a namespace for a test that needs one. If this fails, prints the reason and returns `None`.
    pub fn for_a_story() -> Option<Arc<Self>> {
        Self::make().map(Arc::new).map_err(|why| eprintln!("This story is not told here. {why}")).ok()
    }

    /// Returns a command for a program in the namespace.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let [first, others @ ..] = self.words();
        let mut command = Command::new(first);
        command.args(others).arg(program);
        command
    }

    /// Returns the command prefix that runs a command in the namespace.
    pub fn words(&self) -> [String; 3] {
        ["nsenter".to_owned(), format!("--mount=/proc/{}/ns/mnt", self.keeper.id()), "--".to_owned()]
    }

    /// Converts a `path` from inside the namespace to a path that processes outside of it can use.
    pub fn seen(&self, path: &Path) -> PathBuf {
        Path::new(&format!("/proc/{}/root", self.keeper.id())).join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Writes a wrapper into `folder` that runs `program` in the namespace.
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
