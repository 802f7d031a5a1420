//! Programs, libraries and permissions that goals need on the machine.

use std::{env, fs, os::unix::process::CommandExt, path::PathBuf, process::Command};

use ashore_testkit::{
    nginx::Nginx,
    tools::{is_installed, run},
    volume::Volume,
};

/// Environment variable that is set if this process has private mounts.
const MARK: &str = "ASHORE_TORTURE_OWN_MOUNTS";

/// Requirement of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolNeed {
    /// Disk image that can be mounted privately.
    Mounts,
    /// A C compiler.
    Compiler,
    /// Tool that makes system calls fail.
    Strace,
    /// Real web server.
    Server,
    /// Library that sets the clock of one program.
    Clock,
    /// Source tree and its compiler.
    Sources,
    /// Chromium and Firefox, and the program that runs their tests.
    Browsers,
}

impl ToolNeed {
    /// Returns a sentence about the requirement if this machine does not meet it.
    pub fn missing(self) -> Option<String> {
        match self {
            Self::Mounts if !rustix::process::geteuid().is_root() => Some("Mounting disks needs root.".to_owned()),
            Self::Mounts if env::var_os(MARK).is_none() => {
                Some("Mounting disks needs a mount namespace, which could not be created (unshare --mount).".to_owned())
            }
            Self::Mounts => Volume::make().err().map(|error| format!("Disk images cannot be mounted here: {error:#}.")),
            Self::Strace if !is_installed("strace") => Some("strace is not installed.".to_owned()),
            Self::Strace => {
                let tried = run(Command::new("strace").args(["-qqq", "-o", "/dev/null", "true"]));
                tried.err().map(|error| format!("Programs may not trace system calls of other programs here: {error:#}."))
            }
            Self::Server => Nginx::program().is_none().then(|| "nginx is not installed.".to_owned()),
            Self::Clock => clock_library().is_none().then(|| "libfaketime is not installed.".to_owned()),
            Self::Sources => (!is_installed("cargo")).then(|| "cargo is not installed.".to_owned()),
            Self::Browsers => {
                let absent = ["node", "npm", "openssl", "chromium", "firefox-esr"].into_iter().find(|name| !is_installed(name));
                absent.map(|name| format!("{name} is not installed."))
            }
            Self::Compiler => (!is_installed("cc")).then(|| "No C compiler (cc) is installed.".to_owned()),
        }
    }
}

/// Returns the path of the library that changes the time.
pub fn clock_library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).find(|library| library.exists())
}

/// Restarts this program with private mounts, so that no disk stays mounted.
///
/// Returns only if the restart is impossible or has already happened.
pub fn enter_own_mounts() -> Option<String> {
    if env::var_os(MARK).is_some() || !rustix::process::geteuid().is_root() || !is_installed("unshare") {
        return None;
    }
    let own = env::current_exe().ok()?;
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "--"]).arg(own).args(env::args_os().skip(1));
    Some(command.env(MARK, "1").exec().to_string())
}
