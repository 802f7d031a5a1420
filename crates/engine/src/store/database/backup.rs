//! Copies of the ledger: each whole, checked and durable before it has its name. And the same question the other way round:
//! is a file of that kind one that could be gone on with?
//!
//! Copying reads on a connection of its own, so that neither writer nor readers wait for it, however much there is.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::{
    EngineError,
    platform::failpoint,
    store::{
        columns::text,
        database::{
            checks, schema,
            wal_marker::{WalFiles, with_suffix},
        },
        statement::statements,
    },
};

/// Of a smaller copy every index is looked up as well; of a larger one that takes seconds.
const LOOKED_UP: u64 = 64 << 20;

statements! {
    COPY: Listing = "VACUUM INTO ?1";
}

/// What `source` sees, at `target`, which is replaced.
#[expect(clippy::disallowed_methods, reason = "the copy is ours, and an older one of the same name may go")]
pub(in crate::store) async fn copy(source: &mut SqliteConnection, target: &Path) -> Result<(), EngineError> {
    let unfinished = with_suffix(target, ".new");
    let failed = |source| EngineError::Io { what: format!("The list could not be copied to {}", target.display()), source };
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
        return Err(failed(io::Error::other(why)));
    }
    File::open(&unfinished).and_then(|file| file.sync_all()).map_err(failed)?;
    fs::rename(&unfinished, target).map_err(failed)?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    failpoint::hit("engine.copy-named");
    Ok(())
}

/// Whether the file at `path`, which nobody writes to, is a whole ledger of a version that is known here; else why not. It
/// and its folder stay as they are.
pub(crate) async fn look_at(path: &Path) -> Result<(), String> {
    let options = checks::options(path).read_only(true).immutable(true);
    let mut connection = options.connect().await.map_err(|error| error.to_string())?;
    let looked = async {
        let version = checks::version(&mut connection).await?;
        let known = i64::try_from(checks::MIGRATIONS.len()).unwrap_or(i64::MAX);
        if !(1..=known).contains(&version) {
            return Ok(Some(format!("it is of version {version}, and this Ashore knows {known}")));
        }
        let said = match fs::metadata(path).is_ok_and(|found| found.len() < LOOKED_UP) {
            true => checks::check_thoroughly(&mut connection).await?,
            false => checks::check(&mut connection).await?,
        };
        if said != checks::SOUND {
            return Ok(Some(said));
        }
        schema::what_is_missing(&mut connection, checks::MIGRATIONS, version).await
    };
    let looked: Result<Option<String>, sqlx::Error> = looked.await;
    let _ = connection.close().await;
    match looked {
        Ok(None) => Ok(()),
        Ok(Some(wrong)) => Err(wrong),
        Err(error) => Err(error.to_string()),
    }
}

/// The same for the ledger itself, which is not open, and to the last entry of every index: none where nothing is wrong.
pub(crate) async fn examine_thoroughly(path: &Path) -> Result<Option<String>, EngineError> {
    let said = looking(path, async |connection| checks::check_thoroughly(connection).await).await?;
    Ok((said != checks::SOUND).then_some(said))
}

/// Whether the ledger at `path` looks in every way as one of this version does, whatever number it bears.
pub(crate) async fn has_known_shape(path: &Path) -> Result<bool, EngineError> {
    let known = i64::try_from(checks::MIGRATIONS.len()).unwrap_or(i64::MAX);
    Ok(looking(path, async |connection| schema::is_exactly(connection, checks::MIGRATIONS, known).await).await?)
}

/// Looks at the ledger with what is in its log, and leaves the folder as it was.
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
