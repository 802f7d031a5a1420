//! Tests PostgreSQL on a disk that is really full.
//!
//! The disk is a small file system in memory, which a user namespace may mount without privileges.

use std::process::{Command, Stdio};

use ashore_testkit::sync_server::script::Script;
use rand::{Rng as _, SeedableRng as _, distr::Alphanumeric, rngs::StdRng};
use serde_json::json;

use crate::support::{Home, Setup};

/// Script that mounts the disk in separate namespaces, and there runs the script `$3` as a user other than root.
const KEEPER: &str = r#"
dir=$1 bin=$2 script=$3
mkdir "$dir/disk"
unshare --user --map-root-user --mount sh -c '
  mount -t tmpfs -o size=96m,mode=0777 none "$1/disk" || exit 1
  exec unshare --user --map-user=1000 --map-group=1000 sh -c "$3" server "$1" "$2"
' mounts "$dir" "$bin" "$script" 2>>"$dir/log" || exit 1
rm -rf "$dir"
"#;

/// Script that starts PostgreSQL and prints `ready` when the server runs.
///
/// The first input line fills the disk, and the second input line frees the space again.
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

/// Starts the server and blocks until the server runs.
///
/// The server ends when the returned script is dropped. Fails with the reason if such a disk or PostgreSQL is not
/// available.
fn start() -> Result<Script, String> {
    let mut probe = Command::new("unshare");
    probe.args(["--user", "--map-root-user", "--mount", "true"]).stderr(Stdio::null());
    match probe.status().is_ok_and(|status| status.success()) {
        true => Script::start(KEEPER, &[SERVER.as_ref()]),
        false => Err("no user namespace can be made".to_owned()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_with_full_postgres_disk_answers_503_and_loses_no_data() {
    let mut server = match tokio::task::spawn_blocking(start).await.unwrap() {
        Ok(server) => server,
        Err(reason) => return eprintln!("The full disk of PostgreSQL was left out, because {reason}."),
    };
    let address = format!("postgres://ashore@localhost/postgres?host={}", server.folder().display());
    let home = Home::on_address(Setup::default(), address).await;
    home.write("/storage/one/first", json!({ "payload": "x" })).await.expect(200);
    server.run("fill", "full");
    // The first few writes still find free pages on the disk. PostgreSQL compresses payloads, so use random payloads.
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
    assert_eq!(there().await, written, "reads continue, and no write is partial");
    assert_eq!(home.get("/storage/one/first").await.json()["payload"], "x");
    server.run("clear", "free");
    home.write("/storage/one/last", json!({ "payload": payload })).await.expect(200);
    written.push("last".to_owned());
    written.sort();
    assert_eq!(there().await, written);
    home.recount().await;
}
