//! Makes and restores backups.
//!
//! A backup contains all data that must outlive a database, as one JSON object per line.
//!
//! - A backup is one snapshot, and has the same format for SQLite and PostgreSQL.
//! - Open batches and invites are not included, since they expire after two hours at most.
//! - A restore requires a database without users. All data is restored, or none at all, and the counters are compared
//!   with the rows.

use std::{
    collections::HashMap,
    io::{self, BufRead, Write},
};

use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};

use super::{
    StoreError, SyncStore, accounts,
    retry::TransactionAttempts,
    statement::statements,
    transaction::{DatabaseTransaction, on},
};

/// Version of the file format.
const FORMAT: u32 = 1;

/// Maximum length of a line in bytes, enough for a payload in which every letter is escaped.
const LONGEST_LINE: u64 = 32 << 20;

statements! {
    USERS = "SELECT user_id, modified, quota_bytes, auth_hash, created FROM users ORDER BY user_id";
    DEVICES = "SELECT user_id, device_id, name, secret_hash, created, last_seen FROM devices ORDER BY user_id, device_id";
    COLLECTIONS = "SELECT uc.user_id, c.name, uc.modified, uc.count, uc.total_bytes FROM user_collections uc \
                   JOIN collections c ON c.collection_id = uc.collection_id WHERE uc.modified > 0 ORDER BY uc.user_id, uc.collection_id";
    OBJECTS = "SELECT b.user_id, c.name, b.bso_id, b.sortindex, b.payload, b.modified, b.expiry FROM bsos b \
               JOIN collections c ON c.collection_id = b.collection_id ORDER BY b.user_id, b.collection_id, b.bso_id";
    ADD_USER = "INSERT INTO users (user_id, modified, quota_bytes, auth_hash, created) VALUES ($1, $2, $3, $4, $5)";
    ADD_DEVICE = "INSERT INTO devices (user_id, device_id, name, secret_hash, created, last_seen) VALUES ($1, $2, $3, $4, $5, $6)";
    ADD_COLLECTION = "INSERT INTO user_collections (user_id, collection_id, modified, count, total_bytes) VALUES ($1, $2, $3, $4, $5)";
    ADD_OBJECT = "INSERT INTO bsos (user_id, collection_id, bso_id, sortindex, payload, modified, expiry, payload_bytes, \
                  replaced_bytes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, -1)";
}

/// Number of rows of each kind that were copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedRows {
    /// Number of users.
    pub users: u64,
    /// Number of devices.
    pub devices: u64,
    /// Number of collections of users.
    pub collections: u64,
    /// Number of objects.
    pub objects: u64,
}

/// Reason why nothing was copied. The messages are shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The database failed.
    #[error("The database failed: {0}.")]
    Store(#[from] StoreError),
    /// The file cannot be read or written.
    #[error("The file failed: {0}.")]
    File(#[from] io::Error),
    /// The database has users already.
    #[error("The database has users already. Restore into an empty one; nothing was changed.")]
    NotEmpty,
    /// The file is not a backup, or is incomplete.
    #[error("Line {line} of the file cannot be restored: {why}. Nothing was changed.")]
    Line {
        /// Line number, counted from 1.
        line: u64,
        /// Reason.
        why: String,
    },
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Backup { format: u32, created: i64 },
    User(i64, i64, Option<i64>, Option<String>, i64),
    Device(i64, String, String, String, i64, i64),
    Collection(i64, String, i64, i64, i64),
    Object(i64, String, String, Option<i64>, String, i64, Option<i64>),
    End(CopiedRows),
}

impl SyncStore {
    /// Writes one snapshot of all data.
    pub async fn backup(&self, file: &mut (impl Write + Send), now: i64) -> Result<CopiedRows, CopyError> {
        let mut put = |line: &Line| -> Result<(), CopyError> {
            serde_json::to_writer(&mut *file, line).map_err(io::Error::from)?;
            Ok(file.write_all(b"\n")?)
        };
        put(&Line::Backup { format: FORMAT, created: now })?;
        let mut copied = CopiedRows::default();
        let mut tx = self.snapshot().await?;
        on!(&mut tx, |connection| {
            let mut rows = sqlx::query_as(USERS).fetch(&mut *connection);
            while let Some((user, modified, quota, auth, created)) = rows.try_next().await? {
                put(&Line::User(user, modified, quota, auth, created))?;
                copied.users += 1;
            }
            drop(rows);
            let mut rows = sqlx::query_as(DEVICES).fetch(&mut *connection);
            while let Some((user, device, name, hash, created, seen)) = rows.try_next().await? {
                put(&Line::Device(user, device, name, hash, created, seen))?;
                copied.devices += 1;
            }
            drop(rows);
            let mut rows = sqlx::query_as(COLLECTIONS).fetch(&mut *connection);
            while let Some((user, name, modified, count, bytes)) = rows.try_next().await? {
                put(&Line::Collection(user, name, modified, count, bytes))?;
                copied.collections += 1;
            }
            drop(rows);
            let mut rows = sqlx::query_as(OBJECTS).fetch(&mut *connection);
            while let Some((user, name, id, sortindex, payload, modified, expiry)) = rows.try_next().await? {
                put(&Line::Object(user, name, id, sortindex, payload, modified, expiry))?;
                copied.objects += 1;
            }
            Ok::<_, CopyError>(())
        })?;
        put(&Line::End(copied))?;
        Ok(copied)
    }

    /// Restores a backup into a database without users.
    ///
    /// An attempt that conflicts with another transaction is repeated. For each attempt, `open` opens the file at its
    /// start.
    pub async fn restore<File: BufRead + Send>(&self, open: impl Fn() -> io::Result<File>) -> Result<CopiedRows, CopyError> {
        let mut attempts = TransactionAttempts::new(&self.dice);
        let mut restored = self.try_restore(open()?).await;
        while let Err(CopyError::Store(error)) = &restored
            && attempts.again(error).await
        {
            // A pipe cannot be read a second time, so there is no further attempt.
            let Ok(file) = open() else { break };
            restored = self.try_restore(file).await;
        }
        restored
    }

    async fn try_restore(&self, mut file: impl BufRead + Send) -> Result<CopiedRows, CopyError> {
        let mut transaction = self.begin().await?;
        let tx = &mut transaction;
        let any: Option<i64> =
            on!(&mut *tx, |connection| sqlx::query_scalar(accounts::ANY_USER).fetch_optional(connection).await)?;
        if any.is_some() {
            return Err(CopyError::NotEmpty);
        }
        let mut restored = RestoredRows::default();
        let mut text = String::new();
        for line in 1u64.. {
            let wrong = |why: &str| CopyError::Line { line, why: why.to_owned() };
            text.clear();
            io::Read::take(&mut file, LONGEST_LINE).read_line(&mut text)?;
            if !text.ends_with('\n') {
                return Err(wrong("the file ends too early"));
            }
            let read: Line = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
            if line == 1 {
                match read {
                    Line::Backup { format: FORMAT, .. } => continue,
                    Line::Backup { .. } => return Err(wrong("a newer program wrote it")),
                    _ => return Err(wrong("this is no backup of a sync server")),
                }
            }
            match read {
                Line::Backup { .. } => return Err(wrong("a second beginning")),
                Line::End(whole) if restored.is_whole(whole) => {
                    transaction.commit().await?;
                    return Ok(whole);
                }
                Line::End(_) => return Err(wrong("rows are missing, or counted wrongly")),
                Line::Collection(_, ref name, ..) if !restored.numbers.contains_key(name) => {
                    let number = self.names.give_number(&mut *tx, name).await?;
                    restored.numbers.insert(name.clone(), number);
                    restored.add(&mut *tx, read, wrong).await?;
                }
                row => restored.add(&mut *tx, row, wrong).await?,
            }
        }
        Ok(restored.copied)
    }
}

/// Rows restored so far, and the counters that must agree with them.
#[derive(Default)]
struct RestoredRows {
    copied: CopiedRows,
    /// Numbers of the collections by their names.
    numbers: HashMap<String, i32>,
    /// Counters of each collection of a user, as stated in the backup: objects and bytes.
    stated: HashMap<(i64, i32), (i64, i64)>,
    /// Counters of each collection of a user, computed from the restored objects: objects and bytes.
    counted: HashMap<(i64, i32), (i64, i64)>,
}

impl RestoredRows {
    /// Adds a user, a device, a collection or an object to the database.
    async fn add(&mut self, tx: &mut DatabaseTransaction, row: Line, wrong: impl Fn(&str) -> CopyError) -> Result<(), CopyError> {
        let number = |numbers: &HashMap<String, i32>, name: &str| {
            numbers.get(name).copied().ok_or_else(|| wrong("its collection is not known"))
        };
        match row {
            Line::User(user, modified, quota, auth, created) => {
                on!(&mut *tx, |connection| {
                    let query = sqlx::query(ADD_USER).bind(user).bind(modified).bind(quota).bind(auth).bind(created);
                    query.execute(connection).await.map(|_| ())
                })?;
                self.copied.users += 1;
            }
            Line::Device(user, device, name, hash, created, seen) => {
                on!(&mut *tx, |connection| {
                    let query = sqlx::query(ADD_DEVICE).bind(user).bind(device).bind(name).bind(hash).bind(created).bind(seen);
                    query.execute(connection).await.map(|_| ())
                })?;
                self.copied.devices += 1;
            }
            Line::Collection(user, name, modified, count, bytes) => {
                let number = number(&self.numbers, &name)?;
                on!(&mut *tx, |connection| {
                    let query = sqlx::query(ADD_COLLECTION).bind(user).bind(number).bind(modified).bind(count).bind(bytes);
                    query.execute(connection).await.map(|_| ())
                })?;
                self.stated.insert((user, number), (count, bytes));
                self.copied.collections += 1;
            }
            Line::Object(user, name, id, sortindex, payload, modified, expiry) => {
                let number = number(&self.numbers, &name)?;
                let bytes = payload.len() as i64;
                on!(&mut *tx, |connection| {
                    let query = sqlx::query(ADD_OBJECT).bind(user).bind(number).bind(id).bind(sortindex).bind(payload);
                    query.bind(modified).bind(expiry).bind(bytes).execute(connection).await.map(|_| ())
                })?;
                let counted = self.counted.entry((user, number)).or_default();
                *counted = (counted.0 + 1, counted.1 + bytes);
                self.copied.objects += 1;
            }
            Line::Backup { .. } | Line::End(_) => {}
        }
        Ok(())
    }

    /// Whether all rows of the backup are restored, and the counters in the backup agree with these rows.
    fn is_whole(&mut self, whole: CopiedRows) -> bool {
        self.stated.retain(|_, counters| *counters != (0, 0));
        whole == self.copied && self.stated == self.counted
    }
}
