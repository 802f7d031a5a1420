//! The same done with other programs, as people would ask them for one file.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::process::Command;

use crate::tools;

/// Nothing that is asked of one takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Aria2,
    Curl,
    Wget,
}

impl Peer {
    /// Those that are on this machine.
    pub fn here() -> Vec<Self> {
        [Self::Aria2, Self::Curl, Self::Wget].into_iter().filter(|peer| tools::is_there(peer.name())).collect()
    }

    /// What it is called, and its program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aria2 => "aria2c",
            Self::Curl => "curl",
            Self::Wget => "wget",
        }
    }

    /// Fetches `url` to `folder/name`, going on with what is there, over so many connections where it can. Whether it said
    /// that it was done.
    pub async fn fetch(self, url: &str, folder: &Path, name: &str, connections: u32) -> bool {
        let mut command = Command::new(self.name());
        match self {
            Self::Aria2 => {
                let connections = connections.to_string();
                command.args(["--quiet", "--no-conf", "--continue=true", "--allow-overwrite=true", "--auto-file-renaming=false"]);
                command.args(["--timeout=5", "--connect-timeout=5", "--max-tries=3", "--retry-wait=0", "--min-split-size=1M"]);
                command.args(["--max-connection-per-server", &connections, "--split", &connections]);
                command.arg("--dir").arg(folder).args(["--out", name]);
            }
            Self::Curl => {
                command.args(["--silent", "--fail", "--location", "--max-time", "15", "--retry", "2", "--retry-delay", "0"]);
                command.args(["--continue-at", "-", "--output"]).arg(folder.join(name));
            }
            Self::Wget => {
                command.args(["--quiet", "--no-config", "--timeout=5", "--tries=3", "--waitretry=0", "--continue"]);
                command.arg("--output-document").arg(folder.join(name));
            }
        }
        command.arg(url).env("HOME", folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(proxy);
        }
        let ended = tokio::time::timeout(PATIENCE, command.kill_on_drop(true).status()).await;
        matches!(ended, Ok(Ok(status)) if status.success())
    }
}
