//! Runs a PostgreSQL server for the tests, as a user who is not root.
//!
//! The server listens only on a socket in a temporary folder. When the program that started the server ends, the server
//! ends too and its folder is removed. Tables are never analysed, because autovacuum is off.

use std::{
    fs,
    path::PathBuf,
    process::Child,
    str::FromStr as _,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, postgres::PgConnectOptions};

use crate::sync_server::keeper::start_kept;

/// Script that creates the cluster, runs the server until standard input ends, and cleans up.
const KEEPER: &str = r#"
dir=$1 bin=$2
# Ctrl-C ends the tests, and with them the input of this script: the folder goes then.
trap : INT TERM HUP
"$bin/initdb" -D "$dir/data" -A trust --no-sync --locale=C -E UTF8 -U ashore >"$dir/log" 2>&1 || exit 1
# In the file of settings, where ALTER SYSTEM overrides them.
printf '%s\n' fsync=off full_page_writes=off >>"$dir/data/postgresql.conf"
"$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c autovacuum=off -c max_connections=300 \
  >>"$dir/log" 2>&1 </dev/null &
server=$!
read -r _
kill -QUIT $server
wait $server
rm -rf "$dir"
"#;

/// Running PostgreSQL server.
pub struct Postgres {
    folder: PathBuf,
    databases: AtomicU32,
    /// Shell script that runs the server. Its standard input is closed when this program ends.
    _keeper: Child,
}

/// Returns the PostgreSQL server of this program. The first call starts it.
///
/// Fails with the reason if PostgreSQL is not available.
pub fn postgres() -> Result<&'static Postgres, String> {
    static SERVER: OnceLock<Result<Postgres, String>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref().map_err(Clone::clone)
}

fn start() -> Result<Postgres, String> {
    let (folder, keeper) = start_kept(KEEPER, &[])?;
    Ok(Postgres { folder, databases: AtomicU32::new(0), _keeper: keeper })
}

impl Postgres {
    /// Returns the address of the database `name`.
    pub fn address(&self, name: &str) -> String {
        format!("postgres://ashore@localhost/{name}?host={}", self.folder.display())
    }

    /// Creates an empty database and returns its address.
    pub async fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let options = PgConnectOptions::from_str(&self.address("postgres")).unwrap().disable_statement_logging();
        let mut tries = 0;
        let mut connection = loop {
            match options.connect().await {
                Ok(connection) => break connection,
                // Wait for a connection to the socket: only a connection shows that the cluster has been created and
                // the server is ready.
                Err(error) => assert!(tries < 1200, "PostgreSQL does not start: {error}; {}", self.log()),
            }
            tries += 1;
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        sqlx::raw_sql(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        self.address(&name)
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}
