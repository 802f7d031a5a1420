//! A PostgreSQL whose data are on a disk of its own, so that its power can be cut. The server is killed and started again with every
//! cut, and syncs as people's servers do.

use std::{
    fs,
    io::{BufRead as _, BufReader, Lines, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command},
};

use anyhow::{Context, Result, ensure};
use ashore_tests::{tools::run, volume::Volume};

use super::keeper::keep;

/// Makes the cluster in the third word. Says `ready` whenever the server runs; a line kills it, and the next one starts it again.
/// Log and socket are not on the disk, which nobody may hold while its power is cut.
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
pub struct Cluster {
    orders: ChildStdin,
    words: Lines<BufReader<ChildStdout>>,
    folder: PathBuf,
    _keeper: Child,
}

impl Cluster {
    /// Makes a cluster on `volume` and starts its server, which takes seconds and blocks. Fails with the reason why there is no
    /// PostgreSQL here.
    pub fn make(volume: &Volume) -> Result<Self> {
        let data = volume.path().join("cluster");
        volume.share()?;
        fs::create_dir(&data)?;
        // Only root mounts disks, and PostgreSQL does not run as root.
        run(Command::new("chown").arg("postgres").arg(&data))?;
        let (folder, mut keeper) = keep(KEEPER, &[data.as_os_str()]).map_err(anyhow::Error::msg)?;
        let (orders, words) = (keeper.stdin.take().context("piped")?, keeper.stdout.take().context("piped")?);
        let mut cluster = Self { orders, words: BufReader::new(words).lines(), folder, _keeper: keeper };
        cluster.expect("ready")?;
        Ok(cluster)
    }

    /// Address of the database.
    pub fn address(&self) -> String {
        format!("postgres://ashore@localhost/postgres?host={}", self.folder.display())
    }

    /// Kills the server. Its processes end soon after it.
    pub fn kill(&mut self) -> Result<()> {
        self.orders.write_all(b"kill\n")?;
        self.expect("killed")
    }

    /// Starts the server again, and waits until it has recovered.
    pub fn start(&mut self) -> Result<()> {
        self.orders.write_all(b"start\n")?;
        self.expect("ready")
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        let said = self.words.next().transpose()?;
        let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        ensure!(said.as_deref() == Some(word), "PostgreSQL does not start or end: {}", log());
        Ok(())
    }
}
