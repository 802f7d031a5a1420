//! What has to be on the machine for a goal.

use std::{env, os::unix::process::CommandExt, process::Command};

pub use ashore_tests::tools::{compile, is_there, run};
use ashore_tests::{nginx::Nginx, volume::Volume};

use crate::goals::clocks;

/// Says that the mounts of this process are its own.
const MARK: &str = "ASHORE_TORTURE_OWN_MOUNTS";

/// What a goal cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolNeed {
    /// A disk in a file, mounted where nobody else sees it.
    Mounts,
    /// A C compiler.
    Compiler,
    /// What lets system calls fail.
    Strace,
    /// A real server.
    Server,
    /// What sets the clock of one program alone.
    Clock,
    /// These sources, and what compiles them.
    Sources,
}

impl ToolNeed {
    /// A sentence where it is missing.
    pub fn missing(self) -> Option<String> {
        match self {
            Self::Mounts if !rustix::process::geteuid().is_root() => {
                Some("It mounts disks, which is up to root here.".to_owned())
            }
            Self::Mounts if env::var_os(MARK).is_none() => {
                Some("It mounts disks, and no place apart could be made for that (unshare --mount).".to_owned())
            }
            Self::Mounts => Volume::make().err().map(|error| format!("No disk in a file can be mounted here: {error:#}.")),
            Self::Strace if !is_there("strace") => Some("It needs strace, which is not installed.".to_owned()),
            Self::Strace => {
                let tried = run(Command::new("strace").args(["-qqq", "-o", "/dev/null", "true"]));
                tried.err().map(|error| format!("No program may look at another one's system calls here: {error:#}."))
            }
            Self::Server => Nginx::program().is_none().then(|| "It needs nginx, which is not installed.".to_owned()),
            Self::Clock => clocks::library().is_none().then(|| "It needs libfaketime, which is not installed.".to_owned()),
            Self::Sources => (!is_there("cargo")).then(|| "It needs cargo, which is not installed.".to_owned()),
            Self::Compiler => (!is_there("cc")).then(|| "It needs a C compiler (cc), which is not installed.".to_owned()),
        }
    }
}

/// Starts this program again with mounts of its own, where that is allowed: whatever becomes of it, no disk stays behind.
/// Returns only where it is not, or was done before.
pub fn enter_own_mounts() -> Option<String> {
    if env::var_os(MARK).is_some() || !rustix::process::geteuid().is_root() || !is_there("unshare") {
        return None;
    }
    let own = env::current_exe().ok()?;
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "--"]).arg(own).args(env::args_os().skip(1));
    Some(command.env(MARK, "1").exec().to_string())
}
