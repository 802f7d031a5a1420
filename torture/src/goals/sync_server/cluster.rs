//! PostgreSQL cluster on a separate disk whose power can be cut. Each power cut kills and restarts the server. The
//! server syncs its data as in production.

use std::{fs, process::Command};

use anyhow::Result;
use ashore_testkit::{sync_server::script::Script, tools::run, volume::Volume};

/// Script that creates the cluster in folder `$3`. Prints `ready` whenever the PostgreSQL server is ready. The input
/// `kill` kills the server, and `start` restarts it. The log and the socket are in another folder, because an open file
/// would keep the disk mounted.
const KEEPER: &str = r#"
dir=$1 bin=$2 data=$3
trap : INT TERM HUP
"$bin/initdb" -D "$data" -A trust --locale=C -E UTF8 -U ashore >"$dir/log" 2>&1 || exit 1
while :; do
  "$bin/postgres" -D "$data" -k "$dir" -c listen_addresses= >>"$dir/log" 2>&1 </dev/null &
  server=$!
  until "$bin/pg_isready" -q -h "$dir"; do kill -0 $server || exit 1; sleep 0.02; done
  echo ready
  read -r order
  kill -KILL $server
  wait $server
  [ "$order" = kill ] || break
  echo killed
  read -r order && [ "$order" = start ] || break
done
rm -rf "$dir"
"#;

/// Running cluster. Dropping it kills the server and removes its folder.
pub struct PostgresCluster(Script);

impl PostgresCluster {
    /// Creates a cluster on `volume` and starts its server. Blocks for seconds.
    ///
    /// Fails with the reason if PostgreSQL is not available.
    pub fn make(volume: &Volume) -> Result<Self> {
        let data = volume.path().join("cluster");
        volume.share()?;
        fs::create_dir(&data)?;
        // Only root can mount disks, but PostgreSQL refuses to run as root.
        run(Command::new("chown").arg("postgres").arg(&data))?;
        Script::start(KEEPER, &[data.as_os_str()]).map(Self).map_err(anyhow::Error::msg)
    }

    /// Returns the address of the database.
    pub fn address(&self) -> String {
        format!("postgres://ashore@localhost/postgres?host={}", self.0.folder().display())
    }

    /// Kills the server. Its child processes may outlive this call briefly, so unmounting may need to be retried.
    pub fn kill(&mut self) {
        self.0.run("kill", "killed");
    }

    /// Restarts the server and waits until it has recovered.
    pub fn start(&mut self) {
        self.0.run("start", "ready");
    }
}
