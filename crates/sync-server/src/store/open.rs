//! Opens the database.
//!
//! Checks three things: the program that created the database, the version of the database, and whether another program
//! uses it.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read as _, Seek as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    str::FromStr as _,
    sync::Arc,
};

use sqlx::{
    ConnectOptions as _,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{
    OpenError, RetryJitter, SyncStore,
    collections::CollectionNames,
    gate::WriteGates,
    schema,
    transaction::{PATIENCE, Pools},
};
use tokio::sync::Semaphore;

use crate::protocol::ProtocolLimits;

/// Maximum number of connections that read a SQLite file.
///
/// More connections would only wait for the same disk.
const READERS: u32 = 4;

/// Maximum number of connections of one node to PostgreSQL.
const CONNECTIONS: u32 = 16;

/// Maximum number of attempts to create the tables.
///
/// If several nodes start at the same time, only one succeeds, and the others must retry.
const TRIES: u32 = 5;

/// Location of the data.
#[derive(Clone, Debug)]
pub enum DatabasePool {
    /// A folder with one SQLite file.
    Folder(PathBuf),
    /// `postgres://…`
    Postgres(String),
}

impl DatabasePool {
    /// Returns `SQLite` or `PostgreSQL`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Folder(_) => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }
}

impl SyncStore {
    /// Opens the database as `holder`, and creates or migrates its tables.
    ///
    /// Fails with `Held` if another program uses the folder.
    pub async fn open(database: &DatabasePool, limits: ProtocolLimits, holder: &str, now: i64) -> Result<Self, OpenError> {
        Self::open_with(database, limits, Some(holder), now).await
    }

    /// Opens the database even if another program, such as the server, has it open.
    ///
    /// If a database in a folder needs a migration, it is opened only if no other program uses the folder.
    pub async fn open_beside(database: &DatabasePool, limits: ProtocolLimits, holder: &str, now: i64) -> Result<Self, OpenError> {
        if let DatabasePool::Folder(folder) = database {
            let store = Self::new(sqlite(folder, None, limits).await?, limits);
            if store.check().await? == schema::VERSION {
                return Ok(store);
            }
            store.close().await;
        }
        Self::open_with(database, limits, Some(holder), now).await
    }

    fn new(pools: Pools, limits: ProtocolLimits) -> Self {
        // Half of the connections stay free for short requests.
        let long = match pools {
            Pools::Sqlite { .. } => READERS / 2,
            Pools::Postgres { .. } => CONNECTIONS / 2,
        };
        Self {
            pools,
            names: CollectionNames::default(),
            limits,
            gates: WriteGates::default(),
            long_listings: Arc::new(Semaphore::new(long as usize)),
            dice: RetryJitter::system(),
        }
    }

    async fn open_with(
        database: &DatabasePool,
        limits: ProtocolLimits,
        holder: Option<&str>,
        now: i64,
    ) -> Result<Self, OpenError> {
        let pools = match database {
            DatabasePool::Folder(folder) => sqlite(folder, holder, limits).await?,
            DatabasePool::Postgres(address) => postgres(address)?,
        };
        let store = Self::new(pools, limits);
        store.check().await?;
        let mut tries = 1;
        while let Err(error) = store.migrate(now).await {
            if tries == TRIES || !matches!(error, OpenError::Database(_)) || matches!(store.pools, Pools::Sqlite { .. }) {
                return Err(error);
            }
            tries += 1;
        }
        Ok(store)
    }

    /// Checks the version without writing, so that a refused database stays unchanged.
    async fn check(&self) -> Result<i64, OpenError> {
        // The reading connections cannot create the file, so use the writing connection. Nothing is written here.
        let mut transaction = match self.pools {
            Pools::Sqlite { .. } => self.begin().await?,
            Pools::Postgres { .. } => self.snapshot().await?,
        };
        schema::found(&mut transaction).await
    }

    /// Checks a SQLite file through a read-only connection.
    ///
    /// If the writer was killed during the first write, the file must be recovered before it can be read. A recovery
    /// needs a writing connection. Such a file therefore passes this check, and is checked again after it is opened for
    /// writing.
    async fn check_unopened(&self) -> Result<(), OpenError> {
        let found = async {
            let mut transaction = self.snapshot().await?;
            schema::found(&mut transaction).await
        };
        match found.await {
            Err(OpenError::Database(error)) if has_hot_journal(&error) => Ok(()),
            found => found.map(|_| ()),
        }
    }

    async fn migrate(&self, now: i64) -> Result<(), OpenError> {
        let mut transaction = self.begin().await?;
        if schema::found(&mut transaction).await? == schema::VERSION {
            return Ok(());
        }
        schema::migrate(&mut transaction, now).await?;
        Ok(transaction.commit().await?)
    }
}

async fn sqlite(folder: &Path, holder: Option<&str>, limits: ProtocolLimits) -> Result<Pools, OpenError> {
    let io = |what: &Path| {
        let what = what.display().to_string();
        move |source| OpenError::Io { what, source }
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(io(folder))?;
    let lock = holder.map(|holder| lock(folder, holder)).transpose()?;
    let file = folder.join("storage.db");
    // Set the mode before the file has content; SQLite's other files get the same mode.
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&file).map_err(io(&file))?;
    let options = SqliteConnectOptions::new()
        .filename(&file)
        .foreign_keys(true)
        .pragma("temp_store", "memory")
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(PATIENCE)
        .statement_cache_capacity(300)
        .disable_statement_logging();
    let pool =
        || SqlitePoolOptions::new().idle_timeout(None).max_lifetime(None).test_before_acquire(false).acquire_timeout(PATIENCE);
    // Setting the journal mode writes to the file, so a file of another program must be refused first.
    let to_check = || pool().max_connections(1).connect_lazy_with(options.clone().read_only(true));
    let unopened = SyncStore::new(Pools::Sqlite { writer: to_check(), readers: to_check(), _lock: None }, limits);
    let checked = unopened.check_unopened().await;
    unopened.close().await;
    checked?;
    let to_write = options.clone().journal_mode(SqliteJournalMode::Wal);
    Ok(Pools::Sqlite {
        writer: pool().max_connections(1).connect_lazy_with(to_write),
        readers: pool().max_connections(READERS).connect_lazy_with(options.pragma("query_only", "ON")),
        _lock: lock,
    })
}

/// Whether SQLite refuses to read because a journal must be rolled back first.
///
/// The error is SQLITE_READONLY_ROLLBACK.
fn has_hot_journal(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == "776")
}

/// Locks the folder for one program.
///
/// A second program would have a separate cache of names and separate locks.
fn lock(folder: &Path, holder: &str) -> Result<File, OpenError> {
    let path = folder.join("lock");
    let io = |source| OpenError::Io { what: path.display().to_string(), source };
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let _ = file.read_to_string(&mut text);
            let holder = text.lines().next().filter(|line| !line.is_empty()).unwrap_or("another program").to_owned();
            return Err(OpenError::Held { path: folder.to_owned(), holder });
        }
        Err(TryLockError::Error(source)) => return Err(io(source)),
    }
    let mut write = || {
        file.rewind()?;
        file.set_len(0)?;
        write!(file, "{holder}, process {}", std::process::id())
    };
    write().map_err(io)?;
    Ok(file)
}

fn postgres(address: &str) -> Result<Pools, OpenError> {
    let options = PgConnectOptions::from_str(address).map_err(OpenError::Address)?.disable_statement_logging();
    let options = match options.get_application_name() {
        Some(_) => options,
        None => options.application_name("ashore-sync-server"),
    };
    let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
    Ok(Pools::Postgres { pool: pool.connect_lazy_with(options), has_names: !is_pooled(address) })
}

/// Whether the address requests unnamed statements. A pooler in transaction mode needs them.
fn is_pooled(address: &str) -> bool {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| pair == "statement-cache-capacity=0")
}
