//! Server with its own database, and one device of its first user.

use std::{
    path::Path,
    str::FromStr as _,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use ashore_sync_server::{
    clock::ServerClock,
    protocol::ProtocolLimits,
    store::{DatabasePool, SyncStore},
};
use ashore_testkit::{
    sync_server::{
        place::{PATIENCE, RunningServer, ServerPlace},
        postgres,
        wire::SyncWire,
    },
    tools::built,
};
use rand::{Rng as _, distr::Alphanumeric, rngs::SmallRng};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions, sqlite::SqliteConnectOptions};
use tempfile::TempDir;
use tokio::process::Command;

/// Length in bytes of a download's object after the client has padded it.
pub const LETTERS: usize = 772;
/// Objects per POST: the maximum that the server accepts.
pub const LIST: u32 = 100;

/// Kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    Sqlite,
    Postgres,
}

impl DatabaseKind {
    /// Returns the display name of the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// Returns the databases that are available on this machine, and a sentence about them.
pub async fn choose() -> Result<(Vec<DatabaseKind>, String)> {
    let server = match postgres::postgres() {
        Ok(server) => server,
        Err(reason) => {
            let about = format!("SQLite; PostgreSQL was skipped, because {reason}");
            eprintln!("  {about}.");
            return Ok((vec![DatabaseKind::Sqlite], about));
        }
    };
    let address = server.database().await;
    let mut connection = connect(&address).await?;
    // The PostgreSQL server of the tests starts with these settings off. Turn them on, as on a production server.
    for setting in ["fsync", "full_page_writes"] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("ALTER SYSTEM SET {setting} = on"))).execute(&mut connection).await?;
    }
    sqlx::query("SELECT pg_reload_conf()").execute(&mut connection).await?;
    let begun = Instant::now();
    loop {
        let is_durable: bool =
            sqlx::query_scalar("SELECT bool_and(setting = 'on') FROM pg_settings WHERE name IN ('fsync', 'full_page_writes')")
                .fetch_one(&mut connection)
                .await?;
        if is_durable {
            break;
        }
        ensure!(begun.elapsed() < PATIENCE, "PostgreSQL did not apply its settings");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut connection).await?;
    connection.close().await?;
    let version = version.split_whitespace().next().unwrap_or_default();
    Ok((
        vec![DatabaseKind::Sqlite, DatabaseKind::Postgres],
        format!("SQLite, and PostgreSQL {version} with default settings except for the automatic ANALYZE"),
    ))
}

async fn connect(address: &str) -> Result<PgConnection> {
    Ok(PgConnectOptions::from_str(address)?.disable_statement_logging().connect().await?)
}

/// Running server with its database and one enrolled device.
pub struct SyncNode {
    place: ServerPlace,
    server: RunningServer,
    token: String,
    wire: SyncWire,
    _folder: TempDir,
}

impl SyncNode {
    /// Starts a server on a new database and enrols a device. The folder of the server is in `disk`.
    pub async fn start(kind: DatabaseKind, disk: &Path) -> Result<Self> {
        let folder = tempfile::tempdir_in(disk)?;
        let database = match kind {
            DatabaseKind::Sqlite => None,
            DatabaseKind::Postgres => Some(postgres::postgres().map_err(anyhow::Error::msg)?.database().await),
        };
        let place = ServerPlace { program: built("ashore-sync-server")?, folder: folder.path().join("data"), database };
        let server = place.start().await?;
        let token = server.enrol().await?;
        let wire = SyncWire::new(&server.address, &token)?;
        Ok(Self { place, server, token, wire, _folder: folder })
    }

    /// Restarts the server on the same database.
    pub async fn restart(&mut self) -> Result<()> {
        self.server.child.kill().await?;
        self.server = self.place.start().await?;
        self.wire = SyncWire::new(&self.server.address, &self.token)?;
        Ok(())
    }

    /// Returns the user id.
    pub fn user(&self) -> Result<i64> {
        Ok(self.token.split('.').next().unwrap_or_default().parse()?)
    }

    /// Returns the process id of the server.
    pub fn id(&self) -> Result<u32> {
        self.server.child.id().context("the server has ended")
    }

    /// Opens the store of the server on the same database.
    pub async fn store(&self) -> Result<SyncStore> {
        let database = match &self.place.database {
            Some(address) => DatabasePool::Postgres(address.clone()),
            None => DatabasePool::Folder(self.place.folder.clone()),
        };
        Ok(SyncStore::open_beside(&database, ProtocolLimits::default(), "the bench", ServerClock::system().now()).await?)
    }

    /// Collects the planner statistics of the database.
    pub async fn analyse(&self) -> Result<()> {
        match &self.place.database {
            Some(address) => {
                let mut connection = connect(address).await?;
                sqlx::raw_sql("ANALYZE").execute(&mut connection).await?;
                connection.close().await?;
            }
            None => {
                let options = SqliteConnectOptions::new().filename(self.place.folder.join("storage.db"));
                let mut connection = options.disable_statement_logging().connect().await?;
                sqlx::raw_sql("ANALYZE").execute(&mut connection).await?;
                connection.close().await?;
            }
        }
        Ok(())
    }

    /// Sends a request and returns its duration in milliseconds. Fails if the status is not 200.
    pub async fn timed(&self, method: Method, path: &str, body: &str) -> Result<f64> {
        let begun = Instant::now();
        let answer = self.wire.ask(method.clone(), path, None, body).await.with_context(|| format!("{method} {path}"))?;
        let milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
        ensure!(answer.status == 200 && answer.modified > 0, "{method} {path}: {} {}", answer.status, answer.body);
        Ok(milliseconds)
    }

    /// Returns another client for the same device. This client has its own connections.
    pub fn another_device(&self) -> Result<SyncWire> {
        Ok(SyncWire::new(&self.server.address, &self.token)?)
    }

    /// Returns a command that downloads the whole response for a path of the user. The command prints the length of the
    /// response in bytes.
    ///
    /// A separate process with little work per byte keeps the measured threads free.
    pub fn reader(&self, path: &str) -> Command {
        let user = self.token.split('.').next().unwrap_or_default();
        let mut command = Command::new("curl");
        command.args(["--silent", "--noproxy", "*", "--output", "/dev/null", "--write-out", "%{size_download}", "--header"]);
        command.arg(format!("Authorization: Bearer {}", self.token));
        command.arg(format!("http://{}/1.5/{user}{path}", self.server.address)).kill_on_drop(true);
        command
    }

    /// Fills a new collection with `count` objects, in requests of [`LIST`] objects.
    pub async fn fill(&self, collection: &str, count: u32, letters: usize, random: &mut SmallRng) -> Result<()> {
        let path = format!("/storage/{collection}");
        for first in (0..count).step_by(LIST as usize) {
            self.timed(Method::POST, &path, &list(first..first + LIST, letters, random)).await?;
        }
        Ok(())
    }

    /// Stages a batch of `count` objects. Returns the path of the request that commits the batch.
    pub async fn stage(&self, collection: &str, count: u32, random: &mut SmallRng) -> Result<String> {
        let mut batch = "true".to_owned();
        for first in (0..count).step_by(LIST as usize) {
            let path = format!("/storage/{collection}?batch={batch}");
            let answer = self.wire.ask(Method::POST, &path, None, &list(first..first + LIST, LETTERS, random)).await?;
            ensure!(answer.status == 202, "{path}: {} {}", answer.status, answer.body);
            let told: Value = serde_json::from_str(&answer.body)?;
            batch = told["batch"].as_str().context("the response has no batch")?.to_owned();
        }
        Ok(format!("/storage/{collection}?batch={batch}&commit=true"))
    }

    /// Ends the server. Fails if the counters in the database differ from a recount.
    pub async fn end(mut self) -> Result<()> {
        self.server.child.kill().await?;
        self.place.recount().await
    }
}

/// Returns a request body with these objects.
pub fn list(ids: impl IntoIterator<Item = u32>, letters: usize, random: &mut SmallRng) -> String {
    let one = |id| json!({ "id": name(id), "payload": payload(letters, random) });
    ids.into_iter().map(one).collect::<Value>().to_string()
}

/// Returns an object id of the same length as the ids of the client.
pub fn name(id: u32) -> String {
    format!("object-{id:015}")
}

/// Returns text that, like encrypted text, hardly compresses.
pub fn payload(letters: usize, random: &mut SmallRng) -> String {
    (0..letters).map(|_| char::from(random.sample(Alphanumeric))).collect()
}
