//! Injects a fault into a system call of a program.
//!
//! A preloaded library intercepts the calls to the C library and counts them over all threads.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::processes::tools::compile;

/// Fault to inject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A write fails with `EIO` or `ENOSPC`. With "short", the disk becomes full after half of the data is written.
    /// With "slow", every later write takes five milliseconds longer.
    Write(&'static str),
    /// A read at an offset of a file fails with `EIO`.
    Read,
    /// Syncing a partial file fails with `EIO`. With "slow", every later sync takes 0.1 s longer.
    Sync(&'static str),
    /// Syncing the download folder fails, so the names of new files are not durable.
    Name,
    /// Reading the metadata of an open partial file fails.
    Look,
    /// Locking a byte range of a file fails with `EIO` or `ENOLCK`. SQLite takes such a lock before each access to the
    /// list.
    Lock(&'static str),
    /// Creating a thread fails.
    Thread,
}

/// Path of the compiled library that injects faults.
#[derive(Clone, Debug)]
pub struct Shim(PathBuf);

impl Shim {
    /// Compiles the library in `folder`. Fails if there is no C compiler.
    pub fn make(folder: &Path) -> Result<Self> {
        compile(folder, "fault.so", include_str!("fault.c"), &["-shared", "-fPIC"]).map(Self)
    }

    /// Returns the command prefix that makes the call with the number `at` fail. When the fault has occurred, the file
    /// `says` is created.
    pub fn words(&self, fault: Fault, at: u32, says: &Path) -> Vec<String> {
        let (of, how) = match fault {
            Fault::Write(how) => ("write", how),
            Fault::Read => ("read", "EIO"),
            Fault::Sync(how) => ("sync", how),
            Fault::Name => ("name", "EIO"),
            Fault::Look => ("look", "EIO"),
            Fault::Lock(how) => ("lock", how),
            Fault::Thread => ("thread", "EAGAIN"),
        };
        vec![
            "env".to_owned(),
            format!("LD_PRELOAD={}", self.0.display()),
            format!("FAULT_OF={of}"),
            format!("FAULT_AT={at}"),
            format!("FAULT_HOW={how}"),
            format!("FAULT_SAYS={}", says.display()),
        ]
    }
}
