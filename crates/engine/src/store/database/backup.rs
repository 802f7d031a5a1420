//! Copies the ledger, and checks whether a file is a usable ledger.
//!
//! - Each copy is complete, checked and durable before it gets its name.
//! - The copy uses its own connection, so that neither writer nor readers wait, however large the ledger is.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use ashore_messages::{MessageArgument, message};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::{
    EngineError,
    platform::failpoint,
    store::{
        columns::text,
        database::{
            checks,
            migrations::{MIGRATIONS, supported_versions},
            schema,
            wal_marker::{WalFiles, with_suffix},
        },
        statement::statements,
    },
};

/// Maximum size in bytes of a copy whose indexes are checked too. For larger copies, this check would take seconds.
const LOOKED_UP: u64 = 64 << 20;

statements! {
    COPY: Listing = "VACUUM INTO ?1";
}

/// Copies the ledger to `target`, in the state that `source` reads. An existing file at `target` is replaced.
#[expect(clippy::disallowed_methods, reason = "the copy belongs to Ashore, and replaces an older copy of the same name")]
pub(in crate::store) async fn copy(source: &mut SqliteConnection, target: &Path) -> Result<(), EngineError> {
    let unfinished = with_suffix(target, ".new");
    let failed = |source| EngineError::io(message!("disk.copy", path = target, why = &source), source);
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    sqlx::query(COPY).bind(text(&checks::in_unicode(&unfinished))).execute(source).await?;
    failpoint::hit("engine.copy-written");
    if let Err(why) = look_at(&unfinished).await {
        let _ = fs::remove_file(&unfinished);
        let source = io::Error::other(why.to_string());
        return Err(EngineError::io(message!("disk.copy", path = target, why = why), source));
    }
    File::open(&unfinished).and_then(|file| file.sync_all()).map_err(failed)?;
    fs::rename(&unfinished, target).map_err(failed)?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    failpoint::hit("engine.copy-named");
    Ok(())
}

/// Checks that the file at `path` is a sound ledger of a known version. No program may write to the file. Returns the
/// reason if the check fails. Leaves the file and its folder unchanged.
pub(crate) async fn look_at(path: &Path) -> Result<(), MessageArgument> {
    let options = checks::options(path).read_only(true).immutable(true);
    let mut connection = options.connect().await.map_err(|error| error.to_string())?;
    let looked = async {
        let version = checks::version(&mut connection).await?;
        let supported = supported_versions(MIGRATIONS);
        if !supported.contains(&version) {
            let known = supported.end();
            return Ok(Some(message!("fault-ledger.version", found = version.to_string(), known = known.to_string()).into()));
        }
        let said = match fs::metadata(path).is_ok_and(|found| found.len() < LOOKED_UP) {
            true => checks::check_thoroughly(&mut connection).await?,
            false => checks::check(&mut connection).await?,
        };
        if said != checks::SOUND {
            return Ok(Some(said.into()));
        }
        Ok(schema::what_is_missing(&mut connection, MIGRATIONS, version).await?.map(MessageArgument::from))
    };
    let looked: Result<Option<MessageArgument>, sqlx::Error> = looked.await;
    let _ = connection.close().await;
    match looked {
        Ok(None) => Ok(()),
        Ok(Some(wrong)) => Err(wrong),
        Err(error) => Err(error.to_string().into()),
    }
}

/// Checks a ledger that is not open, including every index entry. Returns the first fault, or `None`.
pub(crate) async fn examine_thoroughly(path: &Path) -> Result<Option<String>, EngineError> {
    let said = looking(path, async |connection| checks::check_thoroughly(connection).await).await?;
    Ok((said != checks::SOUND).then_some(said))
}

/// Returns whether the ledger at `path` has exactly the schema of this version, regardless of its version number.
pub(crate) async fn has_known_shape(path: &Path) -> Result<bool, EngineError> {
    let known = *supported_versions(MIGRATIONS).end();
    Ok(looking(path, async |connection| schema::is_exactly(connection, MIGRATIONS, known).await).await?)
}

/// Opens the ledger with its WAL for `look`, and leaves the folder as it was.
async fn looking<Seen>(
    path: &Path,
    look: impl AsyncFnOnce(&mut SqliteConnection) -> Result<Seen, sqlx::Error>,
) -> Result<Seen, sqlx::Error> {
    let beside = WalFiles::for_ledger(path);
    let mut connection = checks::options(path).read_only(true).connect().await?;
    let seen = look(&mut connection).await;
    let _ = connection.close().await;
    beside.remove_what_was_not_there();
    seen
}
