//! A folder whose disk does not answer: a FUSE whose program never says a word is mounted over it. Whoever asks it anything waits
//! until it goes, and then sees the folder that was there before.

use std::{
    fs::{File, OpenOptions},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use anyhow::{Context, Result, ensure};

use crate::{apart::Apart, tools::run};

/// One such folder. Dropped, it answers again.
#[derive(Debug)]
pub struct Silent {
    at: PathBuf,
    apart: Arc<Apart>,
    fuse: Option<File>,
}

impl Silent {
    /// The folder at `at` answers nobody from now on who is `apart`. Fails where this machine has no FUSE.
    pub fn over(at: &Path, apart: &Arc<Apart>) -> Result<Self> {
        let fuse = OpenOptions::new().read(true).write(true).open("/dev/fuse").context("/dev/fuse")?;
        let mut mount: Command = apart.command("mount");
        // No helper: the other end of the connection is the file that this process has open, and it reads nothing from it.
        mount.args(["-i", "-t", "fuse", "-o", "fd=0,rootmode=40000,user_id=0,group_id=0,allow_other", "silent"]).arg(at);
        let output = mount.stdin(fuse.try_clone()?).output().context("mount")?;
        ensure!(output.status.success(), "mount: {}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(Self { at: at.to_owned(), apart: apart.clone(), fuse: Some(fuse) })
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        let _ = run(self.apart.command("umount").arg("--lazy").arg(&self.at));
        // Closing the connection fails the calls that still wait.
        drop(self.fuse.take());
    }
}
