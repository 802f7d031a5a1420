//! A PostgreSQL of the tests' own: on a socket in a temporary folder, without TCP, as a user who is not root.
//!
//! The server ends with the program that started it, and removes its folder. No table is ever analysed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    str::FromStr as _,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, postgres::PgConnectOptions};

/// Makes the cluster, runs the server until standard input ends, and cleans up.
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

/// A running server.
pub struct Postgres {
    folder: PathBuf,
    databases: AtomicU32,
    /// Its standard input ends with this program.
    _keeper: Child,
}

/// The server of this program, started when first asked for. Fails with the reason why there is none here.
pub fn postgres() -> Result<&'static Postgres, String> {
    static SERVER: OnceLock<Result<Postgres, String>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref().map_err(Clone::clone)
}

/// Starts a shell script as a user who is not root, with a new folder and the folder of PostgreSQL's programs. Its standard
/// input ends with this program.
pub fn keep(script: &str) -> Result<(PathBuf, Child), String> {
    let bin = newest().ok_or("PostgreSQL is not installed; scripts/setup test installs it")?;
    let folder = tempfile::Builder::new().prefix("ashore-pg-").tempdir().map_err(|error| error.to_string())?.keep();
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let mut command = match is_root {
        false => Command::new("sh"),
        true => {
            let given = Command::new("chown").arg("postgres").arg(&folder).status();
            if !given.is_ok_and(|status| status.success()) {
                return Err("there is no user postgres, and PostgreSQL does not run as root".to_owned());
            }
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", "sh"]);
            command
        }
    };
    command.args(["-c", script, "keeper"]).arg(&folder).arg(bin).stdin(Stdio::piped()).stdout(Stdio::piped()).current_dir("/");
    let keeper = command.spawn().map_err(|error| format!("PostgreSQL could not be started: {error}"))?;
    Ok((folder, keeper))
}

fn start() -> Result<Postgres, String> {
    let (folder, keeper) = keep(KEEPER)?;
    Ok(Postgres { folder, databases: AtomicU32::new(0), _keeper: keeper })
}

/// The programs of the newest version that is there.
fn newest() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path());
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let found = versions.filter(|path| path.join("bin/initdb").exists()).max_by_key(|path| version(path));
    Some(found?.join("bin"))
}

impl Postgres {
    /// The address of a database with this name.
    pub fn address(&self, name: &str) -> String {
        format!("postgres://ashore@localhost/{name}?host={}", self.folder.display())
    }

    /// The address of a new, empty database.
    pub async fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let options = PgConnectOptions::from_str(&self.address("postgres")).unwrap().disable_statement_logging();
        let mut tries = 0;
        let mut connection = loop {
            match options.connect().await {
                Ok(connection) => break connection,
                // The cluster is being made: only its socket shows when it is ready.
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
