//! Folder whose disk does not answer.
//!
//! A FUSE file system that never replies is mounted over the folder. Every access waits until the mount is removed, and
//! then reaches the original folder.

use std::{
    fs::{File, OpenOptions},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use anyhow::{Context, Result, ensure};

use crate::{disks::apart::Apart, processes::tools::run};

/// Folder whose disk does not answer. Dropping this value removes the mount.
#[derive(Debug)]
pub struct Silent {
    at: PathBuf,
    apart: Arc<Apart>,
    fuse: Option<File>,
}

impl Silent {
    /// Makes the folder at `at` unresponsive within the namespace `apart`. Fails if this machine has no FUSE.
    pub fn over(at: &Path, apart: &Arc<Apart>) -> Result<Self> {
        let fuse = OpenOptions::new().read(true).write(true).open("/dev/fuse").context("/dev/fuse")?;
        let mut mount: Command = apart.command("mount");
        // No FUSE program is needed: this process keeps its end of the connection open and never reads from it.
        mount.args(["-i", "-t", "fuse", "-o", "fd=0,rootmode=40000,user_id=0,group_id=0,allow_other", "silent"]).arg(at);
        let output = mount.stdin(fuse.try_clone()?).output().context("mount")?;
        ensure!(output.status.success(), "mount: {}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(Self { at: at.to_owned(), apart: apart.clone(), fuse: Some(fuse) })
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        let _ = run(self.apart.command("umount").arg("--lazy").arg(&self.at));
        // Closing the connection makes all waiting calls fail.
        drop(self.fuse.take());
    }
}
