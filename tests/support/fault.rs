//! What a program asks of the system goes wrong once: by a library that is loaded into it, which takes the calls before the C
//! library does, and counts them in all threads together.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::tools::compile;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A write fails: `EIO`, `ENOSPC`, or "short", half of it and then no room. Or "slow", five milliseconds each time from then
    /// on.
    Write(&'static str),
    /// A read at a place of a file fails with EIO.
    Read,
    /// What was written to a partial is not made durable: `EIO`, or "slow", a tenth of a second each time from then on.
    Sync(&'static str),
    /// The names in the download folder are not made durable.
    Name,
    /// What a partial is cannot be learnt once it is open.
    Look,
    /// A part of a file cannot be locked: `EIO`, or `ENOLCK`. SQLite does that before each look at a list.
    Lock(&'static str),
    /// No thread is to be had.
    Thread,
}

/// The library.
#[derive(Clone, Debug)]
pub struct Shim(PathBuf);

impl Shim {
    /// Makes it in `folder`. Fails where there is no C compiler.
    pub fn make(folder: &Path) -> Result<Self> {
        compile(folder, "fault.so", include_str!("fault.c"), &["-shared", "-fPIC"]).map(Self)
    }

    /// The words to start a program under, so that number `at` of this goes wrong. `says` is made when it has.
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
