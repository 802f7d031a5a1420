//! A PostgreSQL whose data are on a disk of its own, so that its power can be cut. The server is killed and started again with every
//! cut, and syncs as people's servers do.

use std::{fs, process::Command};

use anyhow::Result;
use ashore_tests::{tools::run, volume::Volume};

use crate::goals::sync_server::script::Script;

/// Makes the cluster in the folder `$3`. Prints `ready` whenever the server runs; `kill` kills it, and `start` starts it again. Log
/// and socket are elsewhere, because an open file would keep the disk mounted.
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

/// The server. Dropping it kills it and removes its folder.
pub struct PostgresCluster(Script);

impl PostgresCluster {
    /// Makes a cluster on `volume` and starts its server, which takes seconds and blocks. Fails with the reason why there is no
    /// PostgreSQL here.
    pub fn make(volume: &Volume) -> Result<Self> {
        let data = volume.path().join("cluster");
        volume.share()?;
        fs::create_dir(&data)?;
        // Only root mounts disks, and PostgreSQL does not run as root.
        run(Command::new("chown").arg("postgres").arg(&data))?;
        Script::start(KEEPER, &[data.as_os_str()]).map(Self).map_err(anyhow::Error::msg)
    }

    /// Address of the database.
    pub fn address(&self) -> String {
        format!("postgres://ashore@localhost/postgres?host={}", self.0.folder().display())
    }

    /// Kills the server. Its child processes may outlive this call for a moment, so unmounting their disk may have to be repeated.
    pub fn kill(&mut self) {
        self.0.run("kill", "killed");
    }

    /// Starts the server again, and waits until it has recovered.
    pub fn start(&mut self) {
        self.0.run("start", "ready");
    }
}
