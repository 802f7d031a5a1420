//! A ledger that is damaged, or gone although copies of it are there: it is set aside, the newest copy that is whole takes its
//! place, and people are told. Nothing is deleted, and there is always a ledger in the end. One whose log is gone is its own
//! newest copy.
//!
//! What has been done so far stands in a note beside the ledger, written before each step, so that a start that is killed is
//! gone on with by the next. `adopt` then brings the copy up to date by what lies beside the files.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

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
    scheduler::damage::{SUSPECT, why_damaged},
    store::{
        database::backup_rotation, examine_thoroughly, has_known_shape, has_lost_its_log, is_plausible, known_version,
        ledger::LedgerStore, ledger_file::LEDGER, look_at, refuse_newer, refuse_newer_log, take_mark_away,
    },
};

/// What was done, and what is still to do.
const NOTE: &str = "recovery.json";

/// What is wrong with a ledger whose log is gone.
const LOST_LOG: &str = "its log is gone, and what was written last with it";
/// What SQLite keeps for one ledger.
const PARTS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RecoveryNote {
    recovery: RecoveryReport,
    stage: Stage,
    /// Copies that turned out to be no better.
    tried: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stage {
    /// The ledger is to be set aside.
    Begun,
    /// A ledger is there; what lies beside the files is still to be looked at.
    Restored,
    /// One that was begun anew was damaged at once, before anything was in it. The start ends with that, since it could go on
    /// so for ever; the next one begins another.
    Refused,
    /// Nothing is to do; somebody is to see it.
    Finished,
}

impl RecoveryNote {
    /// The ledger is the one that was there, without its log.
    fn is_of_a_log(&self) -> bool {
        self.recovery.copy_of.is_some() && self.tried.is_empty()
    }
}

/// Opens the ledger in `data_dir`; where it was found to be none, what takes its place. The second value: it has to be brought up
/// to date by what lies beside the files, and then [`finish`]ed. A failure is for [`Doubt`] to judge.
///
/// `LedgerNewer` where a newer Ashore wrote the ledger, whatever else is wrong with it; then nothing was changed.
pub(crate) async fn open(data_dir: &Path, now_us: i64, is_known_good: bool) -> Result<(LedgerStore, bool), EngineError> {
    refuse_newer(&data_dir.join(LEDGER), &data_dir.join(LEDGER))?;
    match read_note(data_dir) {
        Some(note) if note.stage == Stage::Begun => {
            // A newer Ashore may have begun it.
            leave_to_newer(data_dir).await?;
            restore(data_dir, note).await?;
        }
        Some(mut note) if note.stage == Stage::Refused => {
            leave_to_newer(data_dir).await?;
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
            Err(EngineError::LedgerDamaged { path, why: format!("it says that it is of version {found}, and is not") })
        }
        Err(error) => Err(error),
    }
}

/// What a start has met. A disk that did not read right for a moment looks to SQLite as a file that is damaged: what is met is
/// believed when the same step meets it again.
#[derive(Debug, Default)]
pub(crate) struct RecoveryAttempts(bool);

impl RecoveryAttempts {
    /// A step has failed so, and is to be tried again: with the same ledger, or, the second time, with another one. Fails where
    /// the ledger may be whole: what was not read and can be is so for all that anybody knows.
    pub(crate) async fn meet(&mut self, data_dir: &Path, error: EngineError, now_us: i64) -> Result<(), EngineError> {
        if !error.keeps_from_starting() {
            return Err(error);
        }
        if !mem::replace(&mut self.0, true) {
            tracing::warn!(why = why_damaged(&error), "the list could not be gone on with; it is looked at again");
            return Ok(());
        }
        self.0 = false;
        leave_to_newer(data_dir).await?;
        match error.is_unread() && is_readable(data_dir) {
            true => Err(error),
            false => begin(data_dir, &why_damaged(&error), now_us),
        }
    }
}

/// Whether every byte of the ledger can be read, whatever it says.
fn is_readable(data_dir: &Path) -> bool {
    let read = |part: &str| {
        let path = data_dir.join(format!("{LEDGER}{part}"));
        io::copy(&mut atomic_file::open(&path, fs::File::options().read(true), SymlinkPolicy::Followed)?, &mut io::sink())
    };
    let is_read = |read: io::Result<u64>| read.map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |_| true);
    ["", "-wal"].map(read).into_iter().all(is_read)
}

/// These are about to be in the list again. A start that is killed before they are says them in vain.
pub(crate) fn announce(data_dir: &Path, found_again: &[FoundAgain]) -> Result<Vec<FoundAgain>, EngineError> {
    let Some(mut note) = read_note(data_dir) else { return Ok(Vec::new()) };
    note.recovery.found_again.extend_from_slice(found_again);
    write_note(data_dir, &note)?;
    Ok(note.recovery.found_again)
}

/// What the copy did not have is in the list again.
pub(crate) fn finish(data_dir: &Path, found_again: Vec<FoundAgain>) -> Result<(), EngineError> {
    let Some(mut note) = read_note(data_dir) else { return Ok(()) };
    note.recovery.found_again = found_again;
    note.stage = Stage::Finished;
    write_note(data_dir, &note)
}

/// What people are to be told.
pub(crate) fn read(data_dir: &Path) -> Option<RecoveryReport> {
    if let Ok(why) = atomic_file::read(&data_dir.join(SUSPECT), SymlinkPolicy::Refused) {
        return Some(RecoveryReport { why, is_ahead: true, ..RecoveryReport::default() });
    }
    read_note(data_dir).map(|note| note.recovery)
}

/// Somebody has seen it.
pub(crate) fn acknowledge(data_dir: &Path) -> Result<(), EngineError> {
    if read_note(data_dir).is_none_or(|note| note.stage != Stage::Finished) {
        return Ok(());
    }
    remove(&data_dir.join(NOTE))
}

/// The ledger in `data_dir` cannot be gone on with. The next [`open`] sets it aside; nothing may have it open.
fn begin(data_dir: &Path, why: &str, now_us: i64) -> Result<(), EngineError> {
    tracing::error!(why, "the list is damaged; it is set aside, and the newest copy of it is taken");
    let note = match read_note(data_dir).filter(|note| note.stage != Stage::Finished && !note.is_of_a_log()) {
        Some(
            note @ RecoveryNote {
                stage: Stage::Restored | Stage::Refused, recovery: RecoveryReport { copy_of: None, .. }, ..
            },
        ) => {
            write_note(data_dir, &RecoveryNote { stage: Stage::Refused, ..note })?;
            return Err(EngineError::LedgerDamaged { path: data_dir.join(LEDGER), why: why.to_owned() });
        }
        // A copy was no better. People hear of the list that was theirs.
        Some(note) => RecoveryNote { stage: Stage::Begun, ..note },
        None => {
            let kept_as = unused_name(data_dir, now_us);
            let recovery =
                RecoveryReport { found: now_us.div_euclid(1000), why: why.to_owned(), kept_as, ..RecoveryReport::default() };
            RecoveryNote { recovery, stage: Stage::Begun, tried: Vec::new() }
        }
    };
    write_note(data_dir, &note)
}

/// A whole ledger where the damaged one was, or none.
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
            tracing::warn!(path = %generation.path.display(), why, "this copy of the list is damaged too");
            continue;
        }
        place(&generation.path, &path).map_err(|source| EngineError::Io {
            what: format!("The copy {} cannot be used", generation.path.display()),
            source,
        })?;
        note.recovery.copy_of = Some(generation.taken_us.div_euclid(1000));
        break;
    }
    failpoint::hit("engine.copy-restored");
    remove(&data_dir.join(SUSPECT))?;
    note.stage = Stage::Restored;
    write_note(data_dir, &note)
}

/// The ledger with all that belongs to it gets another name. One that is there already is from a start that was killed, and
/// what stands in its old place since is only a copy.
fn quarantine(data_dir: &Path, recovery: &mut RecoveryReport, is_copy: bool) -> Result<(), EngineError> {
    let Some(kept_as) = recovery.kept_as.clone() else { return Ok(()) };
    let io = |source| EngineError::Io { what: "The damaged list cannot be set aside".to_owned(), source };
    let name = |path: &Path, part: &str| path.with_file_name(format!("{}{part}", path.file_name().unwrap_or_default().display()));
    for part in PARTS {
        let from = name(&data_dir.join(LEDGER), part);
        if is_copy {
            // It was taken from a copy that is still there.
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

/// What a ledger that is damaged is called from now on.
fn unused_name(data_dir: &Path, now_us: i64) -> Option<PathBuf> {
    let name = format!("{LEDGER}.damaged-{}", backup_rotation::moment(now_us));
    let names = (0..).map(|number| match number {
        0 => data_dir.join(&name),
        number => data_dir.join(format!("{name}-{number}")),
    });
    names.into_iter().find(|path| path.symlink_metadata().is_err())
}

#[expect(clippy::disallowed_methods, reason = "both names are ours, and nothing is at the second one")]
fn place(generation: &Path, ledger: &Path) -> io::Result<()> {
    let unfinished = ledger.with_extension("new");
    fs::copy(generation, &unfinished)?;
    fs::File::open(&unfinished)?.sync_all()?;
    fs::rename(&unfinished, ledger)?;
    sync(ledger.parent().unwrap_or(Path::new(".")))
}

/// `LedgerDamaged` for what SQLite would take for a new ledger, or for none, and is neither; and for what was found to be wrong at
/// work, and still is. Where the log is gone, what is left is noted to be brought up to date.
async fn look_for_loss(data_dir: &Path, now_us: i64) -> Result<(), EngineError> {
    let path = data_dir.join(LEDGER);
    let lost = |why: &str| Err(EngineError::LedgerDamaged { path: path.clone(), why: why.to_owned() });
    let has_log = fs::metadata(path.with_file_name(format!("{LEDGER}-wal"))).is_ok_and(|log| log.len() > 0);
    if fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return lost("something that is no file is in its place");
    }
    let is_new = || read_note(data_dir).is_some_and(|note| note.stage == Stage::Restored);
    let is_cut = has_lost_its_log(&path);
    let had_one = has_log || is_cut || !backup_rotation::list(data_dir).is_empty() && !is_new();
    let changed = match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => return lost("a folder is in its place"),
        Ok(found) if found.is_file() && found.len() == 0 && had_one => return lost("it is empty"),
        Err(error) if error.kind() == io::ErrorKind::NotFound && had_one => return lost("it is gone"),
        Err(_) => return Ok(()),
        Ok(found) => micros(found.modified().ok()),
    };
    if is_cut {
        // It may have been folded in long ago, and copied since.
        let newest = backup_rotation::list(data_dir).first().map_or(i64::MIN, |newest| newest.taken_us);
        return match examine_thoroughly(&path).await? {
            None if newest <= changed => go_on_without_log(data_dir, changed, now_us),
            None => lost(LOST_LOG),
            Some(why) => lost(&why),
        };
    }
    let suspect = data_dir.join(SUSPECT);
    let Ok(why) = atomic_file::read(&suspect, SymlinkPolicy::Refused) else { return Ok(()) };
    match examine_thoroughly(&path).await? {
        Some(why) => lost(&why),
        None => {
            tracing::info!(why, "the list was taken to be damaged, and is not");
            remove(&suspect)
        }
    }
}

/// The ledger is as it was when its log was last folded in, at `changed`: what it lacks, partials and files may say.
fn go_on_without_log(data_dir: &Path, changed: i64, now_us: i64) -> Result<(), EngineError> {
    tracing::error!("the list's log is gone, and what was written last with it");
    // Also where a copy was taken, and not brought up to date yet: that is to be done all the same.
    if read_note(data_dir).is_none_or(|note| note.stage == Stage::Finished) {
        let (found, copy_of) = (now_us.div_euclid(1000), Some(changed.div_euclid(1000)));
        let recovery = RecoveryReport { found, why: LOST_LOG.to_owned(), copy_of, ..RecoveryReport::default() };
        write_note(data_dir, &RecoveryNote { recovery, stage: Stage::Restored, tried: Vec::new() })?;
    }
    let path = data_dir.join(LEDGER);
    let failed = |source| EngineError::Io { what: format!("Could not remove the mark beside {}", path.display()), source };
    take_mark_away(&path).map_err(failed)
}

/// µs of Unix time; a file that does not say is as old as can be.
fn micros(moment: Option<SystemTime>) -> i64 {
    let since = moment.and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_micros()).ok()).unwrap_or_default()
}

/// No Ashore ever writes the version `found`, and the ledger is in every way what this Ashore makes: a damaged number.
async fn is_only_a_number(data_dir: &Path, found: i64) -> bool {
    !is_plausible(found) && has_known_shape(&data_dir.join(LEDGER)).await.unwrap_or(false)
}

/// `LedgerNewer` where a newer Ashore wrote the ledger, or its newest copy: the damage is for that Ashore to mend, which can
/// read the copy. A copy from before an update has the version that the update found.
async fn leave_to_newer(data_dir: &Path) -> Result<(), EngineError> {
    let path = data_dir.join(LEDGER);
    refuse_newer(&path, &path)?;
    refuse_newer_log(&path).await?;
    let Some(newest) = backup_rotation::list(data_dir).into_iter().next() else { return Ok(()) };
    match newest.before_version.filter(|before| *before > known_version() && is_plausible(*before)) {
        Some(found) => Err(EngineError::LedgerNewer { path, found, known: known_version() }),
        None => refuse_newer(&path, &newest.path),
    }
}

fn read_note(data_dir: &Path) -> Option<RecoveryNote> {
    serde_json::from_str(&atomic_file::read(&data_dir.join(NOTE), SymlinkPolicy::Refused).ok()?).ok()
}

fn write_note(data_dir: &Path, note: &RecoveryNote) -> Result<(), EngineError> {
    let failed =
        |source| EngineError::Io { what: "What became of the damaged list could not be written down".to_owned(), source };
    let text = serde_json::to_vec(note).map_err(|error| failed(error.into()))?;
    atomic_file::replace(&data_dir.join(NOTE), &text).map_err(failed)
}

fn remove(path: &Path) -> Result<(), EngineError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(EngineError::Io { what: format!("Could not remove {}", path.display()), source })
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

    /// Opens the ledger as a start does, which comes back to it with what it was refused for.
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
    async fn what_is_met_once_may_have_been_the_disk_s_for_a_moment_and_what_is_met_again_is_the_file_s() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!start(folder.path()).await.unwrap());
        let whole = fs::read(folder.path().join(LEDGER)).unwrap();
        let damage = || EngineError::LedgerDamaged { path: folder.path().join(LEDGER), why: "malformed".to_owned() };
        let unread = || EngineError::LedgerDamaged { path: folder.path().join(LEDGER), why: "page 3: error code=266".to_owned() };
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
        let full = EngineError::Io { what: "no".to_owned(), source: io::ErrorKind::StorageFull.into() };
        assert_eq!(doubt.meet(folder.path(), full, 0).await.unwrap_err().code(), "disk", "the machine is as it is");
    }

    #[tokio::test]
    async fn a_new_list_that_is_damaged_before_anything_is_in_it_ends_one_start_and_not_every_one() {
        for was_there in [Some("what was there before"), None] {
            let folder = tempfile::tempdir().unwrap();
            let ledger = folder.path().join(LEDGER);
            match was_there {
                Some(text) => fs::write(&ledger, text).unwrap(),
                None => begin(folder.path(), "it is gone", 0).unwrap(),
            }
            assert!(start(folder.path()).await.unwrap());
            assert!(read(folder.path()).unwrap().copy_of.is_none(), "there was no copy");
            for _ in 0..3 {
                // The start was killed before it was through.
                fs::write(&ledger, "new, and damaged").unwrap();
                assert_eq!(start(folder.path()).await.unwrap_err().code(), "ledger-damaged");
                assert!(start(folder.path()).await.unwrap(), "what lies beside the files is still to be looked at");
            }
            let kept = read(folder.path()).unwrap().kept_as.map(|path| fs::read_to_string(path).unwrap());
            assert_eq!(kept.as_deref(), was_there.or(Some("new, and damaged")), "the list that was theirs");
        }
    }
}
