//! A ledger that is damaged, or gone although copies of it are there: it is set aside, the newest copy that is whole takes its
//! place, and people are told. Nothing is deleted, and there is always a ledger in the end.
//!
//! What has been done so far stands in a note beside the ledger, written before each step, so that a start that is killed is
//! gone on with by the next. `adopt` then brings the copy up to date by what lies beside the files.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use serde::{Deserialize, Serialize};

use crate::{
    Error, crashpoint, generations,
    model::{FoundAgain, Recovery},
    startup::LEDGER,
    store::{Store, examine_thoroughly, has_known_shape, look_at},
    whole,
};

/// What was done, and what is still to do.
const NOTE: &str = "recovery.json";
/// Found while it was at work: the next start looks at all of it.
const SUSPECT: &str = "ledger.suspect";
/// What SQLite keeps for one ledger.
const PARTS: [&str; 4] = ["", "-wal", "-shm", "-journal"];

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    recovery: Recovery,
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
    /// Nothing is to do; somebody is to see it.
    Finished,
}

/// Opens the ledger in `data_dir`, and puts a whole one in its place where it is none. The second value: it has to be brought
/// up to date by what lies beside the files, and then [`finish`]ed.
///
/// `LedgerNewer`, `LedgerLocked`, `Io`, `Ledger`: it may be whole, and was not touched.
pub(crate) async fn open(data_dir: &Path, now_us: i64, is_known_good: bool) -> Result<(Store, bool), Error> {
    let path = data_dir.join(LEDGER);
    loop {
        if let Some(note) = read_note(data_dir).filter(|note| note.stage == Stage::Begun) {
            restore(data_dir, note).await?;
        }
        if let Some(why) = why_lost(data_dir).await? {
            begin(data_dir, &why, now_us)?;
            continue;
        }
        match Store::open(&path, is_known_good).await {
            Ok(store) => {
                let is_recovering = read_note(data_dir).is_some_and(|note| note.stage == Stage::Restored);
                return Ok((store, is_recovering));
            }
            Err(Error::LedgerNewer { found, known, .. }) if is_only_a_number(data_dir, known).await => {
                begin(data_dir, &format!("it says that it is of version {found}, and is not"), now_us)?;
            }
            Err(error) if error.keeps_from_starting() => begin(data_dir, &why_damaged(&error), now_us)?,
            Err(error) => return Err(error),
        }
    }
}

/// The ledger in `data_dir` cannot be gone on with. The next [`open`] sets it aside; nothing may have it open.
pub(crate) fn begin(data_dir: &Path, why: &str, now_us: i64) -> Result<(), Error> {
    tracing::error!(why, "the list is damaged; it is set aside, and the newest copy of it is taken");
    let note = match read_note(data_dir).filter(|note| note.stage != Stage::Finished) {
        // Not even a new one: that is no damage any more.
        Some(Note { stage: Stage::Restored, recovery: Recovery { copy_of: None, .. }, .. }) => {
            return Err(Error::LedgerDamaged { path: data_dir.join(LEDGER), why: why.to_owned() });
        }
        // A copy was no better. People hear of the list that was theirs.
        Some(note) => Note { stage: Stage::Begun, ..note },
        None => {
            let name = format!("{LEDGER}.damaged-{}", generations::moment(now_us));
            let kept_as = (0..).map(|number| match number {
                0 => data_dir.join(&name),
                number => data_dir.join(format!("{name}-{number}")),
            });
            let kept_as = kept_as.into_iter().find(|path| path.symlink_metadata().is_err());
            let recovery = Recovery { found: now_us.div_euclid(1000), why: why.to_owned(), kept_as, ..Recovery::default() };
            Note { recovery, stage: Stage::Begun, tried: Vec::new() }
        }
    };
    write_note(data_dir, &note)
}

/// These are about to be in the list again. A start that is killed before they are says them in vain.
pub(crate) fn announce(data_dir: &Path, found_again: &[FoundAgain]) -> Result<Vec<FoundAgain>, Error> {
    let Some(mut note) = read_note(data_dir) else { return Ok(Vec::new()) };
    note.recovery.found_again.extend_from_slice(found_again);
    write_note(data_dir, &note)?;
    Ok(note.recovery.found_again)
}

/// What the copy did not have is in the list again.
pub(crate) fn finish(data_dir: &Path, found_again: Vec<FoundAgain>) -> Result<(), Error> {
    let Some(mut note) = read_note(data_dir) else { return Ok(()) };
    note.recovery.found_again = found_again;
    note.stage = Stage::Finished;
    write_note(data_dir, &note)
}

/// What people are to be told.
pub(crate) fn read(data_dir: &Path) -> Option<Recovery> {
    if let Ok(why) = fs::read_to_string(data_dir.join(SUSPECT)) {
        return Some(Recovery { why, is_ahead: true, ..Recovery::default() });
    }
    read_note(data_dir).map(|note| note.recovery)
}

/// Somebody has seen it.
pub(crate) fn acknowledge(data_dir: &Path) -> Result<(), Error> {
    if read_note(data_dir).is_none_or(|note| note.stage != Stage::Finished) {
        return Ok(());
    }
    remove(&data_dir.join(NOTE))
}

/// Found to be damaged while it is open: nothing is changed now, and the next start looks at all of it.
pub(crate) fn suspect(data_dir: &Path, why: &str) {
    let path = data_dir.join(SUSPECT);
    if path.exists() {
        return;
    }
    tracing::error!(why, "the list is damaged; it is mended at the next start");
    if let Err(error) = whole::replace(&path, why.as_bytes()) {
        tracing::warn!(%error, "that the list is damaged could not be written down");
    }
}

/// A whole ledger where the damaged one was, or none.
async fn restore(data_dir: &Path, mut note: Note) -> Result<(), Error> {
    let path = data_dir.join(LEDGER);
    set_aside(data_dir, &mut note.recovery, !note.tried.is_empty())?;
    crashpoint::hit("engine.damaged-set-aside");
    note.recovery.copy_of = None;
    for generation in generations::list(data_dir) {
        if note.tried.contains(&generation.path) {
            continue;
        }
        note.tried.push(generation.path.clone());
        if let Err(why) = look_at(&generation.path).await {
            tracing::warn!(path = %generation.path.display(), why, "this copy of the list is damaged too");
            continue;
        }
        place(&generation.path, &path)
            .map_err(|source| Error::Io { what: format!("The copy {} cannot be used", generation.path.display()), source })?;
        note.recovery.copy_of = Some(generation.taken_us.div_euclid(1000));
        break;
    }
    crashpoint::hit("engine.copy-restored");
    remove(&data_dir.join(SUSPECT))?;
    note.stage = Stage::Restored;
    write_note(data_dir, &note)
}

/// The ledger with all that belongs to it gets another name. One that is there already is from a start that was killed, and
/// what stands in its old place since is only a copy.
fn set_aside(data_dir: &Path, recovery: &mut Recovery, is_copy: bool) -> Result<(), Error> {
    let Some(kept_as) = recovery.kept_as.clone() else { return Ok(()) };
    let io = |source| Error::Io { what: "The damaged list cannot be set aside".to_owned(), source };
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
    sync(data_dir).map_err(io)?;
    if PARTS.iter().all(|part| name(&kept_as, part).symlink_metadata().is_err()) {
        recovery.kept_as = None;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "both names are ours, and nothing is at the second one")]
fn place(generation: &Path, ledger: &Path) -> io::Result<()> {
    let unfinished = ledger.with_extension("new");
    fs::copy(generation, &unfinished)?;
    fs::File::open(&unfinished)?.sync_all()?;
    fs::rename(&unfinished, ledger)?;
    sync(ledger.parent().unwrap_or(Path::new(".")))
}

/// What SQLite would take for a new ledger, or for none, and is neither; and what was found to be wrong at work.
async fn why_lost(data_dir: &Path) -> Result<Option<String>, Error> {
    let path = data_dir.join(LEDGER);
    let has_log = fs::metadata(path.with_file_name(format!("{LEDGER}-wal"))).is_ok_and(|log| log.len() > 0);
    let is_new = || read_note(data_dir).is_some_and(|note| note.stage == Stage::Restored);
    let had_one = has_log || !generations::list(data_dir).is_empty() && !is_new();
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => return Ok(Some("a folder is in its place".to_owned())),
        Ok(found) if found.is_file() && found.len() == 0 && had_one => return Ok(Some("it is empty".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound && had_one => return Ok(Some("it is gone".to_owned())),
        Err(_) => return Ok(None),
        Ok(_) => {}
    }
    let suspect = data_dir.join(SUSPECT);
    let Ok(why) = fs::read_to_string(&suspect) else { return Ok(None) };
    match examine_thoroughly(&path).await {
        Ok(None) => {
            tracing::info!(why, "the list was taken to be damaged, and is not");
            remove(&suspect)?;
            Ok(None)
        }
        Ok(wrong) => Ok(wrong),
        Err(error) if error.keeps_from_starting() => Ok(Some(why_damaged(&error))),
        Err(error) => Err(error),
    }
}

/// It says that it is newer than `known`, but nothing else does: no update to such a version ever copied it first, and it is in
/// every way what this one makes.
async fn is_only_a_number(data_dir: &Path, known: i64) -> bool {
    let was_updated = generations::list(data_dir).iter().any(|one| one.before_version > Some(known));
    !was_updated && has_known_shape(&data_dir.join(LEDGER)).await.unwrap_or(false)
}

/// Only what is wrong: the sentence that people read is made around it, and once.
pub(crate) fn why_damaged(error: &Error) -> String {
    match error {
        Error::LedgerDamaged { why, .. } => why.clone(),
        Error::Ledger(error) => error.as_database_error().map_or_else(|| error.to_string(), |database| database.message().to_owned()),
        other => other.to_string(),
    }
}

fn read_note(data_dir: &Path) -> Option<Note> {
    serde_json::from_slice(&fs::read(data_dir.join(NOTE)).ok()?).ok()
}

fn write_note(data_dir: &Path, note: &Note) -> Result<(), Error> {
    let failed = |source| Error::Io { what: "What became of the damaged list could not be written down".to_owned(), source };
    let text = serde_json::to_vec(note).map_err(|error| failed(error.into()))?;
    whole::replace(&data_dir.join(NOTE), &text).map_err(failed)
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(Error::Io { what: format!("Could not remove {}", path.display()), source })
        }
        _ => Ok(()),
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}
