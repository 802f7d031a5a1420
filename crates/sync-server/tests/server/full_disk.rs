//! PostgreSQL on a disk that is really full: a small one in memory, which a user namespace may mount without any rights.

use std::{
    io::{BufRead as _, BufReader, Lines, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use rand::{Rng as _, SeedableRng as _, distr::Alphanumeric, rngs::StdRng};
use serde_json::json;

use crate::support::{Home, Setup, keeper::keep};

/// Mounts the disk in namespaces of its own and runs the third word there, as a user who is not root.
const KEEPER: &str = r#"
dir=$1 bin=$2 script=$3
mkdir "$dir/disk"
unshare --user --map-root-user --mount sh -c '
  mount -t tmpfs -o size=96m,mode=0777 none "$1/disk" || exit 1
  exec unshare --user --map-user=1000 --map-group=1000 sh -c "$3" server "$1" "$2"
' mounts "$dir" "$bin" "$script" 2>>"$dir/log"
rm -rf "$dir"
"#;

/// Says `ready` when the server runs. A line fills the disk, and the next one makes room again.
const SERVER: &str = r#"
dir=$1 bin=$2
trap : INT TERM HUP
"$bin/initdb" -D "$dir/disk/data" -A trust --no-sync --locale=C -E UTF8 -U ashore >>"$dir/log" 2>&1 || exit 1
"$bin/postgres" -D "$dir/disk/data" -k "$dir" -c listen_addresses= -c fsync=off -c max_wal_size=32MB -c min_wal_size=32MB \
  >>"$dir/log" 2>&1 </dev/null &
server=$!
until "$bin/pg_isready" -q -h "$dir"; do kill -0 $server || exit 1; sleep 0.02; done
echo ready
read -r _ && { cat /dev/zero >"$dir/disk/ballast" 2>/dev/null; echo full; }
read -r _ && { rm "$dir/disk/ballast"; echo free; }
read -r _
kill -QUIT $server
wait $server
"#;

/// The server, which ends when this is dropped.
struct Small {
    orders: ChildStdin,
    words: Lines<BufReader<ChildStdout>>,
    folder: PathBuf,
    _keeper: Child,
}

impl Small {
    /// Fails with the reason where no such disk or no PostgreSQL can be had. Blocks.
    fn start() -> Result<Self, String> {
        let mut probe = Command::new("unshare");
        probe.args(["--user", "--map-root-user", "--mount", "true"]).stderr(Stdio::null());
        if !probe.status().is_ok_and(|status| status.success()) {
            return Err("no user namespace can be made".to_owned());
        }
        let (folder, mut keeper) = keep(KEEPER, &[SERVER.as_ref()])?;
        let (orders, words) = (keeper.stdin.take().unwrap(), BufReader::new(keeper.stdout.take().unwrap()).lines());
        let mut small = Self { orders, words, folder, _keeper: keeper };
        assert!(small.says("ready"), "PostgreSQL does not start on a small disk");
        Ok(small)
    }

    /// Fills the disk, or makes room where it is full.
    fn turn(&mut self, expected: &str) {
        self.orders.write_all(b"turn\n").unwrap();
        assert!(self.says(expected));
    }

    fn says(&mut self, word: &str) -> bool {
        self.words.next().is_some_and(|said| said.unwrap() == word)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn really_full_disk_of_postgres_is_503_and_loses_nothing() {
    let mut small = match tokio::task::spawn_blocking(Small::start).await.unwrap() {
        Ok(small) => small,
        Err(reason) => return eprintln!("The full disk of PostgreSQL was left out, because {reason}."),
    };
    let address = format!("postgres://ashore@localhost/postgres?host={}", small.folder.display());
    let home = Home::on_address(Setup::default(), address).await;
    home.put("/storage/one/first", json!({ "payload": "x" })).await.expect(200);
    small.turn("full");
    // Pages that are free already take the first few.
    // PostgreSQL compresses, so the payload has no pattern.
    let mut random = StdRng::seed_from_u64(1);
    let payload: String = (0..100_000).map(|_| char::from(random.sample(Alphanumeric))).collect();
    let mut written = vec!["first".to_owned()];
    let refused = loop {
        assert!(written.len() < 500, "the disk is never full");
        let id = format!("{:03}", written.len());
        let reply = home
            .post("/storage/one", json!([{ "id": format!("{id}-a"), "payload": payload }, { "id": id, "payload": payload }]))
            .await;
        if reply.status != 200 {
            break reply;
        }
        written.extend([format!("{id}-a"), id]);
    };
    assert_eq!(refused.header("retry-after"), "5");
    refused.refused(503, 0);
    written.sort();
    let there = async || {
        let mut ids = home.ids("/storage/one").await;
        ids.sort();
        ids
    };
    assert_eq!(there().await, written, "reads go on, and nothing is half written");
    assert_eq!(home.get("/storage/one/first").await.json()["payload"], "x");
    small.turn("free");
    home.put("/storage/one/last", json!({ "payload": payload })).await.expect(200);
    written.push("last".to_owned());
    written.sort();
    assert_eq!(there().await, written);
    home.recount().await;
}
