//! Replaces a damaged or missing ledger with the newest sound copy.
//!
//! - The damaged ledger is renamed, and the user is informed. Nothing is deleted, and a ledger exists at the end of
//!   every recovery.
//! - A ledger whose WAL is missing counts as the newest copy.
//! - A note beside the ledger records progress before each step, so that the next start continues after a kill.
//! - `adopt` then brings the copy up to date from partial files and complete files on disk.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use ashore_messages::{MessageArgument, UserMessage, message};
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use serde::{Deserialize, Serialize};

use crate::{
    EngineError,
    model::{FoundAgain, RecoveryReport},
    platform::{
        atomic_file::{self, SymlinkPolicy},
        failpoint,
    },
    scheduler::damage::{SUSPECT, suspicion, why_damaged},
    store::{
        database::backup_rotation, examine_thoroughly, has_known_shape, has_lost_its_log, is_plausible, known_version,
        ledger::LedgerStore, ledger_file::LEDGER, look_at, refuse_newer_copy, refuse_unsupported, refuse_unsupported_log,
        take_mark_away,
    },
};

/// Name of the file that records which recovery steps are done and which are left.
const NOTE: &str = "recovery.json";

/// Suffixes of the names of the files that SQLite keeps for a single ledger.
const PARTS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RecoveryNote {
    recovery: RecoveryReport,
    stage: Stage,
    /// Copies of the ledger that turned out to be damaged.
    tried: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stage {
    /// The damaged ledger still has to be renamed.
    Begun,
    /// A restored or new ledger is in place; partial files and complete files on disk still have to be read.
    Restored,
    /// A new ledger was damaged before it had any content. This start fails, to avoid endless retries. The next start
    /// creates another ledger.
    Refused,
    /// Nothing is left to do, but the user has not seen the note yet.
    Finished,
}

impl RecoveryNote {
    /// Returns whether the ledger in use is the original ledger without its WAL.
    fn is_of_a_log(&self) -> bool {
        self.recovery.copy_of.is_some() && self.tried.is_empty()
    }
}

/// Opens the ledger in `data_dir`, or its replacement if a start found the ledger damaged.
///
/// If the second value is true, the ledger lacks changes. The caller then updates it from the files on disk and calls
/// [`finish`]. [`RecoveryAttempts`] decides whether to retry after a failure.
///
/// Fails with `LedgerNewer` or `LedgerOlder` if this Ashore cannot open the ledger's version, regardless of other
/// faults of the ledger. In this case nothing was changed.
pub(crate) async fn open(data_dir: &Path, now_us: i64, is_known_good: bool) -> Result<(LedgerStore, bool), EngineError> {
    refuse_unsupported(&data_dir.join(LEDGER))?;
    match read_note(data_dir) {
        Some(note) if note.stage == Stage::Begun => {
            // Another version of Ashore may have written the note.
            leave_unsupported(data_dir).await?;
            restore(data_dir, note).await?;
        }
        Some(mut note) if note.stage == Stage::Refused => {
            leave_unsupported(data_dir).await?;
            note.stage = Stage::Begun;
            note.recovery.kept_as = note.recovery.kept_as.or_else(|| unused_name(data_dir, now_us));
            write_note(data_dir, &note)?;
            restore(data_dir, note).await?;
        }
        _ => {}
    }
    look_for_loss(data_dir, now_us).await?;
    let path = data_dir.join(LEDGER);
    match LedgerStore::open(&path, is_known_good).await {
        Ok(store) => Ok((store, read_note(data_dir).is_some_and(|note| note.stage == Stage::Restored))),
        Err(EngineError::LedgerNewer { found, .. }) if is_only_a_number(data_dir, found).await => {
            Err(EngineError::LedgerDamaged { path, why: message!("fault-ledger.number", found = found.to_string()).into() })
        }
        Err(error) => Err(error),
    }
}

/// Whether this start has already met a failure. SQLite reports a temporary read error of the disk as a damaged file. A
/// failure therefore counts only if the same step fails again.
#[derive(Debug, Default)]
pub(crate) struct RecoveryAttempts(bool);

impl RecoveryAttempts {
    /// Judges a failed step, and returns `Ok` if the step has to be retried. The first retry uses the same ledger, the
    /// second retry uses another ledger.
    ///
    /// Fails if the ledger may be sound. An example is a ledger that failed with a read error but can be read again.
    pub(crate) async fn meet(&mut self, data_dir: &Path, error: EngineError, now_us: i64) -> Result<(), EngineError> {
        if !error.keeps_from_starting() {
            return Err(error);
        }
        if !mem::replace(&mut self.0, true) {
            tracing::warn!(why = %why_damaged(&error), "ledger could not be used; it is looked at again");
            return Ok(());
        }
        self.0 = false;
        leave_unsupported(data_dir).await?;
        match error.is_unread() && is_readable(data_dir) {
            true => Err(error),
            false => begin(data_dir, why_damaged(&error), now_us),
        }
    }
}

/// Returns whether every byte of the ledger and its WAL can be read, regardless of the content.
fn is_readable(data_dir: &Path) -> bool {
    let read = |part: &str| {
        let path = data_dir.join(format!("{LEDGER}{part}"));
        io::copy(&mut atomic_file::open(&path, fs::File::options().read(true), SymlinkPolicy::Followed)?, &mut io::sink())
    };
    let is_read = |read: io::Result<u64>| read.map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |_| true);
    ["", "-wal"].map(read).into_iter().all(is_read)
}

/// Writes registrations into the note, before the caller adds them to the list. Returns all registrations in the note.
/// After a kill before the commit, the note may name registrations that do not exist.
pub(crate) fn announce(data_dir: &Path, found_again: &[FoundAgain]) -> Result<Vec<FoundAgain>, EngineError> {
    let Some(mut note) = read_note(data_dir) else { return Ok(Vec::new()) };
    note.recovery.found_again.extend_from_slice(found_again);
    write_note(data_dir, &note)?;
    Ok(note.recovery.found_again)
}

/// Writes into the note that the list again has all registrations that the copy lacked.
pub(crate) fn finish(data_dir: &Path, found_again: Vec<FoundAgain>) -> Result<(), EngineError> {
    let Some(mut note) = read_note(data_dir) else { return Ok(()) };
    note.recovery.found_again = found_again;
    note.stage = Stage::Finished;
    write_note(data_dir, &note)
}

/// Returns the recovery that the user has to be informed of.
pub(crate) fn read(data_dir: &Path) -> Option<RecoveryReport> {
    if let Some(why) = suspicion(data_dir) {
        return Some(RecoveryReport { why, is_ahead: true, ..RecoveryReport::default() });
    }
    read_note(data_dir).map(|note| note.recovery)
}

/// Removes the note after the user has seen it.
pub(crate) fn acknowledge(data_dir: &Path) -> Result<(), EngineError> {
    if read_note(data_dir).is_none_or(|note| note.stage != Stage::Finished) {
        return Ok(());
    }
    remove(&data_dir.join(NOTE))
}

/// Writes a note that the ledger in `data_dir` is damaged. The next [`open`] renames the ledger, so no connection to
/// the ledger may be open.
fn begin(data_dir: &Path, why: UserMessage, now_us: i64) -> Result<(), EngineError> {
    tracing::error!(%why, "ledger is damaged; will be moved aside and restored from the newest backup");
    let note = match read_note(data_dir).filter(|note| note.stage != Stage::Finished && !note.is_of_a_log()) {
        Some(
            note @ RecoveryNote {
                stage: Stage::Restored | Stage::Refused, recovery: RecoveryReport { copy_of: None, .. }, ..
            },
        ) => {
            write_note(data_dir, &RecoveryNote { stage: Stage::Refused, ..note })?;
            return Err(EngineError::LedgerDamaged { path: data_dir.join(LEDGER), why: why.into() });
        }
        // The copy was damaged too. Keep the note, so that the user is informed about the original list.
        Some(note) => RecoveryNote { stage: Stage::Begun, ..note },
        None => {
            let kept_as = unused_name(data_dir, now_us);
            let recovery = RecoveryReport { found: now_us.div_euclid(1000), why, kept_as, ..RecoveryReport::default() };
            RecoveryNote { recovery, stage: Stage::Begun, tried: Vec::new() }
        }
    };
    write_note(data_dir, &note)
}

/// Renames the damaged ledger and replaces it with the newest sound copy. If there is no copy, no ledger remains.
async fn restore(data_dir: &Path, mut note: RecoveryNote) -> Result<(), EngineError> {
    let path = data_dir.join(LEDGER);
    quarantine(data_dir, &mut note.recovery, !note.tried.is_empty())?;
    failpoint::hit("engine.damaged-set-aside");
    note.recovery.copy_of = None;
    for generation in backup_rotation::list(data_dir) {
        if note.tried.contains(&generation.path) {
            continue;
        }
        note.tried.push(generation.path.clone());
        if let Err(why) = look_at(&generation.path).await {
            tracing::warn!(path = %generation.path.display(), %why, "backup of the ledger is damaged too; skipped");
            continue;
        }
        place(&generation.path, &path)
            .map_err(|source| EngineError::io(message!("disk.copy-unused", path = &generation.path, why = &source), source))?;
        note.recovery.copy_of = Some(generation.taken_us.div_euclid(1000));
        break;
    }
    failpoint::hit("engine.copy-restored");
    remove(&data_dir.join(SUSPECT))?;
    note.stage = Stage::Restored;
    write_note(data_dir, &note)
}

/// Renames the ledger with all its files. If the new name of a file is taken, an earlier start renamed the damaged file
/// and was then killed. The file under the old name is then only a restored copy.
fn quarantine(data_dir: &Path, recovery: &mut RecoveryReport, is_copy: bool) -> Result<(), EngineError> {
    let Some(kept_as) = recovery.kept_as.clone() else { return Ok(()) };
    let io = |source| EngineError::io(message!("disk.quarantine", path = &kept_as, why = &source), source);
    let name = |path: &Path, part: &str| path.with_file_name(format!("{}{part}", path.file_name().unwrap_or_default().display()));
    for part in PARTS {
        let from = name(&data_dir.join(LEDGER), part);
        if is_copy {
            // The file was restored from a backup that still exists.
            remove(&from)?;
            continue;
        }
        match renameat_with(CWD, &from, CWD, name(&kept_as, part), RenameFlags::NOREPLACE) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::EXIST) => remove(&from)?,
            Err(error) => return Err(io(error.into())),
        }
    }
    take_mark_away(&data_dir.join(LEDGER)).map_err(io)?;
    sync(data_dir).map_err(io)?;
    if PARTS.iter().all(|part| name(&kept_as, part).symlink_metadata().is_err()) {
        recovery.kept_as = None;
    }
    Ok(())
}

/// Returns an unused name for the damaged ledger.
fn unused_name(data_dir: &Path, now_us: i64) -> Option<PathBuf> {
    let name = format!("{LEDGER}.damaged-{}", backup_rotation::moment(now_us));
    let names = (0..).map(|number| match number {
        0 => data_dir.join(&name),
        number => data_dir.join(format!("{name}-{number}")),
    });
    names.into_iter().find(|path| path.symlink_metadata().is_err())
}

#[expect(clippy::disallowed_methods, reason = "both names belong to Ashore, and the second one is free")]
fn place(generation: &Path, ledger: &Path) -> io::Result<()> {
    let unfinished = ledger.with_extension("new");
    fs::copy(generation, &unfinished)?;
    fs::File::open(&unfinished)?.sync_all()?;
    fs::rename(&unfinished, ledger)?;
    sync(ledger.parent().unwrap_or(Path::new(".")))
}

/// Checks whether the ledger is lost, or was found damaged while in use.
///
/// Fails with `LedgerDamaged` in these cases:
///
/// - The ledger does not exist; SQLite would create an empty one.
/// - The path of the ledger is not a file.
/// - Earlier damage has not been repaired.
///
/// If the WAL is missing, records in the recovery note that the ledger must be brought up to date.
async fn look_for_loss(data_dir: &Path, now_us: i64) -> Result<(), EngineError> {
    let path = data_dir.join(LEDGER);
    let lost = |why: MessageArgument| Err(EngineError::LedgerDamaged { path: path.clone(), why });
    let has_log = fs::metadata(path.with_file_name(format!("{LEDGER}-wal"))).is_ok_and(|log| log.len() > 0);
    if fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return lost(message!("fault-ledger.special").into());
    }
    let is_new = || read_note(data_dir).is_some_and(|note| note.stage == Stage::Restored);
    let is_cut = has_lost_its_log(&path);
    let had_one = has_log || is_cut || !backup_rotation::list(data_dir).is_empty() && !is_new();
    let changed = match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => return lost(message!("fault-ledger.folder").into()),
        Ok(found) if found.is_file() && found.len() == 0 && had_one => return lost(message!("fault-ledger.empty").into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound && had_one => return lost(message!("fault-ledger.gone").into()),
        Err(_) => return Ok(()),
        Ok(found) => micros(found.modified().ok()),
    };
    if is_cut {
        // The last checkpoint may be old. A copy that was made after the checkpoint is newer than the ledger.
        let newest = backup_rotation::list(data_dir).first().map_or(i64::MIN, |newest| newest.taken_us);
        return match examine_thoroughly(&path).await? {
            None if newest <= changed => go_on_without_log(data_dir, changed, now_us),
            None => lost(lost_log().into()),
            Some(why) => lost(why.into()),
        };
    }
    let Some(why) = suspicion(data_dir) else { return Ok(()) };
    match examine_thoroughly(&path).await? {
        Some(why) => lost(why.into()),
        None => {
            tracing::info!(%why, "ledger was suspected of damage but is intact");
            remove(&data_dir.join(SUSPECT))
        }
    }
}

/// Continues with the ledger as of its last checkpoint, made at the time `changed`. Partial files and complete files on
/// disk may show the changes that the ledger lacks.
fn go_on_without_log(data_dir: &Path, changed: i64, now_us: i64) -> Result<(), EngineError> {
    tracing::error!("ledger WAL is missing; the latest writes are lost");
    // Keep an unfinished note, since its copy still has to be brought up to date.
    if read_note(data_dir).is_none_or(|note| note.stage == Stage::Finished) {
        let (found, copy_of) = (now_us.div_euclid(1000), Some(changed.div_euclid(1000)));
        let recovery = RecoveryReport { found, why: lost_log(), copy_of, ..RecoveryReport::default() };
        write_note(data_dir, &RecoveryNote { recovery, stage: Stage::Restored, tried: Vec::new() })?;
    }
    let path = data_dir.join(LEDGER);
    take_mark_away(&path).map_err(|source| EngineError::io(message!("disk.mark", path = &path, why = &source), source))
}

/// Reason that is shown for a ledger whose WAL is missing.
fn lost_log() -> UserMessage {
    message!("fault-ledger.log")
}

/// Converts to microseconds of Unix time. Returns 0, the oldest time, if the time is unknown.
fn micros(moment: Option<SystemTime>) -> i64 {
    let since = moment.and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_micros()).ok()).unwrap_or_default()
}

/// Returns whether only the version number is damaged. This is the case if no Ashore writes the version `found`,
/// but the schema is exactly the schema of this Ashore.
async fn is_only_a_number(data_dir: &Path, found: i64) -> bool {
    !is_plausible(found) && has_known_shape(&data_dir.join(LEDGER)).await.unwrap_or(false)
}

/// Fails with `LedgerNewer` or `LedgerOlder` if another version of Ashore wrote the ledger. Fails with `LedgerNewer` if
/// a newer version wrote the newest copy.
///
/// Only that version can read the copy and repair the damage. A copy made before an update contains the older version,
/// so the version in the name of the copy is checked as well.
async fn leave_unsupported(data_dir: &Path) -> Result<(), EngineError> {
    let path = data_dir.join(LEDGER);
    refuse_unsupported(&path)?;
    refuse_unsupported_log(&path).await?;
    let Some(newest) = backup_rotation::list(data_dir).into_iter().next() else { return Ok(()) };
    match newest.before_version.filter(|before| *before > known_version() && is_plausible(*before)) {
        Some(found) => Err(EngineError::LedgerNewer { path, found, known: known_version() }),
        None => refuse_newer_copy(&path, &newest.path),
    }
}

fn read_note(data_dir: &Path) -> Option<RecoveryNote> {
    serde_json::from_str(&atomic_file::read(&data_dir.join(NOTE), SymlinkPolicy::Refused).ok()?).ok()
}

fn write_note(data_dir: &Path, note: &RecoveryNote) -> Result<(), EngineError> {
    let path = data_dir.join(NOTE);
    let failed = |source| EngineError::io(message!("disk.unwritten", path = &path, why = &source), source);
    let text = serde_json::to_vec(note).map_err(|error| failed(error.into()))?;
    atomic_file::replace(&path, &text).map_err(failed)
}

fn remove(path: &Path) -> Result<(), EngineError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(EngineError::io(message!("disk.undeleted", path = path, why = &source), source))
        }
        _ => Ok(()),
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens the ledger as a start does, retrying after failures that [`RecoveryAttempts`] accepts.
    async fn start(data_dir: &Path) -> Result<bool, EngineError> {
        let mut doubt = RecoveryAttempts::default();
        loop {
            match open(data_dir, 0, false).await {
                Ok((store, is_recovering)) => {
                    store.close().await;
                    return Ok(is_recovering);
                }
                Err(error) => doubt.meet(data_dir, error, 0).await?,
            }
        }
    }

    #[tokio::test]
    async fn ledger_counts_as_damaged_only_after_startup_step_fails_twice() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!start(folder.path()).await.unwrap());
        let whole = fs::read(folder.path().join(LEDGER)).unwrap();
        let damage = || EngineError::LedgerDamaged { path: folder.path().join(LEDGER), why: "malformed".into() };
        let unread = || EngineError::LedgerDamaged { path: folder.path().join(LEDGER), why: "page 3: error code=266".into() };
        let mut doubt = RecoveryAttempts::default();
        doubt.meet(folder.path(), damage(), 0).await.unwrap();
        assert!(read_note(folder.path()).is_none(), "it is looked at again");
        assert_eq!(doubt.meet(folder.path(), unread(), 0).await.unwrap_err().code(), "ledger-damaged");
        assert!(!start(folder.path()).await.unwrap(), "the next start has it");
        assert_eq!(fs::read(folder.path().join(LEDGER)).unwrap(), whole);
        for _ in 0..2 {
            doubt.meet(folder.path(), damage(), 0).await.unwrap();
        }
        assert!(start(folder.path()).await.unwrap(), "it was met twice");
        let full = EngineError::io(message!("disk"), io::ErrorKind::StorageFull.into());
        assert_eq!(doubt.meet(folder.path(), full, 0).await.unwrap_err().code(), "disk", "the machine is as it is");
    }

    #[tokio::test]
    async fn start_fails_on_damaged_new_ledger_but_next_start_recovers() {
        for was_there in [Some("what was there before"), None] {
            let folder = tempfile::tempdir().unwrap();
            let ledger = folder.path().join(LEDGER);
            match was_there {
                Some(text) => fs::write(&ledger, text).unwrap(),
                None => begin(folder.path(), message!("fault-ledger.gone"), 0).unwrap(),
            }
            assert!(start(folder.path()).await.unwrap());
            assert!(read(folder.path()).unwrap().copy_of.is_none(), "there was no copy");
            for _ in 0..3 {
                // The earlier start was killed while it created the new ledger, and left it damaged.
                fs::write(&ledger, "new, and damaged").unwrap();
                assert_eq!(start(folder.path()).await.unwrap_err().code(), "ledger-damaged");
                assert!(start(folder.path()).await.unwrap(), "the files beside the ledger still have to be examined");
            }
            let kept = read(folder.path()).unwrap().kept_as.map(|path| fs::read_to_string(path).unwrap());
            assert_eq!(kept.as_deref(), was_there.or(Some("new, and damaged")), "the list that was theirs");
        }
    }
}
