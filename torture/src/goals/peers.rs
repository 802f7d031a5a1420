//! Runs other download programs for comparison. Each program faces the same faults as Ashore, and gets the options that a
//! user would choose to download one file.

use std::{
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::Result;
use ashore_testkit::{readings, tools::is_installed};
use tokio::process::{Child, Command};

/// Time limit for each run of a program.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Polling interval for a running program.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Shell command that limits a program: memory in kibibytes, and file size in units of 512 bytes.
const BOUNDS: &str = "ulimit -v 2097152; ulimit -f 1048576; exec \"$@\"";

/// Download program that Ashore is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostilePeer {
    Aria2,
    Curl,
    Wget,
}

/// File name that a program uses for the download.
#[derive(Clone, Copy, Debug)]
pub enum BusName<'a> {
    /// Name chosen by the user.
    Given(&'a str),
    /// Name chosen by the server.
    FromServer,
}

impl HostilePeer {
    /// Returns the programs installed on this machine.
    pub fn here() -> Vec<Self> {
        [Self::Aria2, Self::Curl, Self::Wget].into_iter().filter(|peer| is_installed(peer.name())).collect()
    }

    /// Returns the program's name, which is also the name of its executable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aria2 => "aria2c",
            Self::Curl => "curl",
            Self::Wget => "wget",
        }
    }

    /// Fetches `url` to `folder/name`. Returns whether the program reported success.
    ///
    /// If the program supports it, resumes an existing file and uses `connections` connections.
    pub async fn fetch(self, url: &str, folder: &Path, name: &str, connections: u32) -> bool {
        is_done(self.command(url, folder, BusName::Given(name), connections)).await
    }

    /// Returns the command that fetches `url`.
    pub fn command(self, url: &str, folder: &Path, name: BusName<'_>, connections: u32) -> Command {
        self.command_under(&[], url, folder, name, connections)
    }

    /// Returns the command that fetches `url`, run by the prefix command `words`.
    ///
    /// The prefix command must replace itself with the program (exec).
    pub fn command_under(self, words: &[String], url: &str, folder: &Path, name: BusName<'_>, connections: u32) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", BOUNDS, "sh"]).args(words).arg(self.name());
        match self {
            Self::Aria2 => {
                let connections = connections.to_string();
                command.args(["--quiet", "--no-conf", "--continue=true", "--allow-overwrite=true", "--auto-file-renaming=false"]);
                command.args(["--timeout=5", "--connect-timeout=5", "--max-tries=3", "--retry-wait=0", "--min-split-size=1M"]);
                command.args(["--max-connection-per-server", &connections, "--split", &connections]);
                command.arg("--dir").arg(folder);
                if let BusName::Given(name) = name {
                    command.args(["--out", name]);
                }
            }
            Self::Curl => {
                command.args(["--silent", "--fail", "--location", "--max-time", "15", "--retry", "2", "--retry-delay", "0"]);
                match name {
                    BusName::Given(name) => command.args(["--continue-at", "-", "--output"]).arg(folder.join(name)),
                    BusName::FromServer => command.args(["--remote-name", "--remote-header-name"]),
                };
            }
            Self::Wget => {
                command.args(["--quiet", "--no-config", "--timeout=5", "--tries=3", "--waitretry=0"]);
                match name {
                    BusName::Given(name) => command.args(["--continue", "--output-document"]).arg(folder.join(name)),
                    BusName::FromServer => command.arg("--content-disposition"),
                };
            }
        }
        command.arg(url).env("HOME", folder).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(proxy);
        }
        command
    }
}

/// Runs a command up to the time limit. Returns whether it reported success.
pub async fn is_done(mut command: Command) -> bool {
    let ended = tokio::time::timeout(PATIENCE, command.kill_on_drop(true).status()).await;
    matches!(ended, Ok(Ok(status)) if status.success())
}

/// Kills a command after `moment`, unless it has ended.
pub async fn killed_after(mut command: Command, moment: Duration) -> Result<()> {
    let mut child = command.kill_on_drop(true).spawn()?;
    if tokio::time::timeout(moment, child.wait()).await.is_err() {
        child.kill().await?;
    }
    Ok(())
}

/// Runs a command for `moment`. Repeatedly calls `look` with its memory usage.
///
/// Returns the first result of `look`. After the end of the command, calls `look` a last time with 0.
pub async fn watched<Said>(
    mut command: Command,
    moment: Duration,
    mut look: impl FnMut(u64) -> Result<Option<Said>>,
) -> Result<Option<Said>> {
    let mut child = command.kill_on_drop(true).spawn()?;
    let begun = Instant::now();
    while begun.elapsed() < moment && child.try_wait()?.is_none() {
        if let Some(said) = look(memory(&child))? {
            child.kill().await?;
            return Ok(Some(said));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let _ = child.kill().await;
    look(0)
}

fn memory(child: &Child) -> u64 {
    child.id().and_then(|id| readings::resident(id).ok()).map_or(0, |memory| memory.peak)
}
