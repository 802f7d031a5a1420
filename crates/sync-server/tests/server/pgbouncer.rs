//! Tests a node behind pgbouncer in transaction mode, with the settings that docs/sync-server.md shows.

use std::{fs, os::unix::net::UnixStream, path::PathBuf, process::Child, thread, time::Duration};

use ashore_testkit::{
    sync_server::{keeper::start_kept, postgres::postgres},
    tools::service,
};
use serde_json::json;

use crate::support::{Home, Setup, objects};

/// Script that starts pgbouncer with the settings in its folder, and keeps it running until standard input ends.
const KEEPER: &str = r#"
dir=$1
trap : INT TERM HUP
echo ready
read -r _
"$BOUNCER" "$dir/pgbouncer.ini" >/dev/null 2>&1 </dev/null &
bouncer=$!
read -r _
kill -INT $bouncer
wait $bouncer
rm -rf "$dir"
"#;

struct Bouncer {
    folder: PathBuf,
    _keeper: Child,
}

impl Bouncer {
    /// Starts pgbouncer; `None` if it is not installed.
    fn start(to: &str) -> Option<Self> {
        let program = service("pgbouncer")?;
        let script = KEEPER.replace("$BOUNCER", &program.display().to_string());
        let (folder, mut keeper) = start_kept(&script, &[]).ok()?;
        let documented = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sync-server.md")).unwrap();
        let (_, settings) = documented.split_once("```ini\n").unwrap();
        let settings = settings.split_once("```").unwrap().0;
        let socket = to.split_once("?host=").unwrap().1;
        let settings = settings.replace("host=db.example", &format!("host={socket} user=ashore"));
        let place = folder.display();
        // Two connections serve many clients, so successive transactions of a client often use different connections.
        let own = format!(
            "unix_socket_dir = {place}\nlisten_addr =\nauth_type = any\ndefault_pool_size = 2\nlogfile = {place}/log\npidfile = {place}/pid\n"
        );
        fs::write(folder.join("pgbouncer.ini"), format!("{settings}\n{own}")).unwrap();
        let mut orders = keeper.stdin.take().unwrap();
        std::io::Write::write_all(&mut orders, b"\n").unwrap();
        keeper.stdin = Some(orders);
        let socket = folder.join(".s.PGSQL.6432");
        let mut tries = 0;
        while UnixStream::connect(&socket).is_err() {
            tries += 1;
            let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(tries < 1000, "pgbouncer does not start: {}", log());
            thread::park_timeout(Duration::from_millis(10));
        }
        Some(Self { folder, _keeper: keeper })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_node_serves_many_users_through_pgbouncer_transaction_mode() {
    let address = match postgres() {
        Ok(server) => server.database().await,
        Err(reason) => return eprintln!("PostgreSQL was left out, because {reason}."),
    };
    let name = address.split_once("localhost/").unwrap().1.split_once('?').unwrap().0;
    let Some(bouncer) = Bouncer::start(&address) else {
        return eprintln!("pgbouncer was left out, because it is not installed.");
    };
    let behind = format!("postgres://ashore@localhost:6432/{name}?host={}&statement-cache-capacity=0", bouncer.folder.display());
    let home = Home::on_address(Setup::default(), behind).await;
    let second = home.open_another_node().await;
    let users = (1..=8).map(|user| {
        let nodes = [home.clone(), second.clone()];
        tokio::spawn(async move {
            for round in 0..20 {
                let home = &nodes[round % 2];
                let reply = home.ask_as(user, "POST", "/storage/one", &[], objects(0..5, "x").to_string()).await;
                reply.expect(200);
                let begun = home
                    .ask_as(user, "POST", "/storage/two?batch=true", &[], objects(0..5, "x").to_string())
                    .await
                    .expect(202)
                    .json();
                let commit = format!("/storage/two?batch={}&commit=true", begun["batch"].as_str().unwrap());
                home.ask_as(user, "POST", &commit, &[], "[]").await.expect(200);
                let rows = home.ask_as(user, "GET", "/storage/two?full=1&sort=index", &[], "").await.expect(200);
                assert_eq!(rows.header("x-weave-records"), "5");
            }
        })
    });
    for user in users.collect::<Vec<_>>() {
        user.await.unwrap();
    }
    home.delete("/storage/one/00").await.expect(200);
    home.app.store.purge(home.now()).await.unwrap();
    assert_eq!(home.get("/info/collection_counts").await.json(), json!({ "one": 4, "two": 5 }));
    home.recount().await;
}
