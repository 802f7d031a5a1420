//! `ashore export --to aria2` and `ashore import --from aria2`: write and read session files of aria2.
//!
//! An imported download belongs to the owner `aria2`, with its GID, so that programs made for aria2 can control it.

use std::{
    collections::HashSet,
    fs,
    io::{self, Read, Write as _},
    path::Path,
};

use ashore_engine::{ARIA2, LimitScope, ListQuery, Registration, RegistrationDetails, ResponseRecord, UserMessage};
use ashore_messages::message;
use ashore_remote::{Aria2SessionEntry, SessionDownload, read_session, session_entry, write_session};
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_terminal::TerminalOutput;
use serde_json::json;
use tempfile::NamedTempFile;

use crate::{
    arguments::{ExportArguments, ImportArguments},
    limited_input::read_text,
    output::{
        problem::{CliProblem, ExitStatus},
        words::words,
    },
    verbs::{
        list_file::{PIPE, opened, refused, whole},
        short,
    },
};

/// Maximum size of a session file in bytes; enough for 100,000 downloads.
const MOST_READ: u64 = 64 << 20;
/// Number of records that one call reads.
const RECORDS: u32 = 1000;
/// Codes of refusals that concern only one entry of a session file.
const OF_ENTRY: [&str; 7] = ["bad-url", "bad-scheme", "bad-port", "bad-speed", "credentials", "invalid", "target"];

/// Runs `ashore export --to aria2`.
pub(super) async fn export(data_dir: &Path, wanted: &ExportArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let is_piped = wanted.file == Path::new(PIPE);
    let (entries, downloads) = short::with(data_dir, "ashore export", async |connection| entries(connection).await).await?;
    let text = write_session(&entries);
    let (some_downloads, some_files) = (words!("n-downloads", count = downloads), words!("n-files", count = entries.len()));
    if is_piped {
        io::stdout().lock().write_all(text.as_bytes())?;
        out.print_line(words!("cli-exported.pipe", downloads = some_downloads, files = some_files));
        return Ok(ExitStatus::Done);
    }
    let path = whole(&wanted.file)?;
    write(&path, &text, wanted.force)?;
    if out.json {
        out.object(&json!({ "path": path, "registrations": downloads, "requests": entries.len() }))?;
    }
    out.print_line(words!("cli-exported", downloads = some_downloads, files = some_files, path = &path));
    Ok(ExitStatus::Done)
}

/// Runs `ashore import --from aria2`.
pub(super) async fn import(data_dir: &Path, wanted: &ImportArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let source = wanted.file.clone();
    let is_piped = source == Path::new(PIPE);
    let read = tokio::task::spawn_blocking(move || {
        let input: Box<dyn Read> = if is_piped { Box::new(io::stdin().lock()) } else { Box::new(opened(&source)?) };
        read_text(input, MOST_READ).map_err(|error| CliProblem::Usage(message!("input.unreadable", path = &source, why = &error)))
    });
    let text = read.await.map_err(io::Error::other)??;
    let session = read_session(&text);
    let mut counts = ImportCounts { skipped: session.skipped, ..ImportCounts::default() };
    short::with(data_dir, "ashore import", async |connection| {
        let ended = ended_gids(connection).await?;
        for download in session.downloads {
            counts.add(imported(connection, download, &ended).await?);
        }
        Ok(())
    })
    .await?;
    if out.json {
        let ImportCounts { imported, known, skipped } = counts;
        out.object(&json!({ "registrations": imported, "requests": imported, "known": known, "skipped": skipped }))?;
    } else {
        out.print_line(counts.text());
    }
    Ok(ExitStatus::Done)
}

/// Returns the entries of all downloads that failed or have not ended, in the order of the queue, and the number of these
/// downloads.
async fn entries(connection: &PeerStream) -> Result<(Vec<Aria2SessionEntry>, usize), CliProblem> {
    let mut downloads = Vec::new();
    for mut query in [
        ListQuery { active: Some(true), ..ListQuery::default() },
        ListQuery { active: Some(false), failed: Some(true), ..ListQuery::default() },
    ] {
        let first = downloads.len();
        loop {
            let page = short::next_page(connection, &mut query, short::PAGE).await?;
            if page.is_empty() {
                break;
            }
            downloads.extend(page);
        }
        // The list begins with the newest download, so reverse it before the stable sort.
        downloads[first..].reverse();
        downloads[first..].sort_by_key(|download| (!download.urgent, download.rank));
    }
    let (mut entries, mut count) = (Vec::new(), 0);
    for download in &downloads {
        let of_download = entries_of(connection, download).await?;
        count += usize::from(!of_download.is_empty());
        entries.extend(of_download);
    }
    Ok((entries, count))
}

/// Returns the GIDs of the ended downloads that programs made for aria2 still see. A new download cannot have such a GID.
async fn ended_gids(connection: &PeerStream) -> Result<HashSet<String>, CliProblem> {
    let mut query = ListQuery { owner: Some(ARIA2.to_owned()), active: Some(false), ..ListQuery::default() };
    let mut gids = HashSet::new();
    loop {
        let page = short::next_page(connection, &mut query, short::PAGE).await?;
        if page.is_empty() {
            return Ok(gids);
        }
        gids.extend(page.into_iter().filter(|ended| ended.records_available).map(|ended| ended.developer_id));
    }
}

/// Returns the entries of the files of one download. A file that is complete has no entry.
async fn entries_of(connection: &PeerStream, download: &Registration) -> Result<Vec<Aria2SessionEntry>, CliProblem> {
    let (unique_id, mut entries, mut from) = (download.unique_id, Vec::new(), 0);
    loop {
        let records: Vec<ResponseRecord> = connection.call(MethodCall::Records { unique_id, from, limit: RECORDS }).await?;
        let Some(last) = records.last() else { return Ok(entries) };
        from = last.index + 1;
        for record in &records {
            let details: RegistrationDetails = connection.call(MethodCall::Details { unique_id, index: record.index }).await?;
            entries.extend(session_entry(download, record, &details));
        }
    }
}

/// Writes the file, which only its user can read. Fails if the file exists, unless `replaces` is true.
fn write(path: &Path, text: &str, replaces: bool) -> Result<(), CliProblem> {
    let mut file = NamedTempFile::new_in(path.parent().unwrap_or(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let written = if replaces { file.persist(path) } else { file.persist_noclobber(path) };
    match written {
        Err(failure) if failure.error.kind() == io::ErrorKind::AlreadyExists => Err(refused(message!("file-there", path = path))),
        written => written.map(drop).map_err(|failure| failure.error.into()),
    }
}

/// Effect of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryEffect {
    Imported,
    /// The download is in the list already.
    Known,
    /// The entry cannot be downloaded.
    Skipped,
}

async fn imported(
    connection: &PeerStream,
    download: SessionDownload,
    ended: &HashSet<String>,
) -> Result<EntryEffect, CallFailure> {
    let SessionDownload { mut registration, speed_limit } = download;
    if registration.developer_id.as_ref().is_some_and(|gid| ended.contains(gid)) {
        return Ok(EntryEffect::Known);
    }
    if let Some(folder) = &mut registration.folder {
        *folder = std::path::absolute(&*folder).unwrap_or_default();
        // The engine needs an existing folder. If the folder cannot be created, the engine refuses the entry.
        let _ = fs::create_dir_all(&*folder);
    }
    let created: Registration = match connection.call(MethodCall::Create(registration)).await {
        Ok(created) => created,
        Err(CallFailure::Refused(why)) => return effect_of(why),
        Err(failure) => return Err(failure),
    };
    if let Some(limit) = speed_limit {
        let scope = LimitScope::Registration { unique_id: created.unique_id };
        connection.call::<()>(MethodCall::Limit { scope, bytes_per_second: Some(limit) }).await?;
    }
    Ok(EntryEffect::Imported)
}

/// Returns the effect of an entry that the engine refused. Fails if the refusal concerns the whole list. [pure]
fn effect_of(why: UserMessage) -> Result<EntryEffect, CallFailure> {
    match why.code.as_str() {
        "id-taken" => Ok(EntryEffect::Known),
        code if OF_ENTRY.contains(&code) => Ok(EntryEffect::Skipped),
        _ => Err(CallFailure::Refused(why)),
    }
}

/// Numbers of entries of a session file, by their effect.
#[derive(Clone, Copy, Debug, Default)]
struct ImportCounts {
    imported: u64,
    known: u64,
    skipped: u64,
}

impl ImportCounts {
    fn add(&mut self, effect: EntryEffect) {
        match effect {
            EntryEffect::Imported => self.imported += 1,
            EntryEffect::Known => self.known += 1,
            EntryEffect::Skipped => self.skipped += 1,
        }
    }

    fn text(self) -> String {
        let Self { imported, known, skipped } = self;
        let (downloads, files) = (words!("n-downloads", count = imported), words!("n-files", count = imported));
        let mut sentences = vec![match imported {
            0 => words!("list-taken-in-nothing"),
            _ => words!("cli-imported", downloads = downloads, files = files),
        }];
        if known > 0 {
            sentences.push(words!("list-taken-in-known", count = known));
        }
        if skipped > 0 {
            sentences.push(words!("cli-import-skipped", count = skipped));
        }
        sentences.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use ashore_messages::text;

    use super::*;

    #[test]
    fn refusal_of_one_entry_does_not_end_the_import() {
        assert_eq!(effect_of(message!("id-taken", id = "a")).unwrap(), EntryEffect::Known);
        assert_eq!(effect_of(message!("empty")).unwrap_err().message().code, "empty");
        let target = message!("target.hidden", path = Path::new("/.a"));
        assert_eq!(effect_of(target).unwrap(), EntryEffect::Skipped);
    }

    #[test]
    fn summary_of_import_counts_entries_by_effect() {
        let counts = ImportCounts { imported: 1, known: 0, skipped: 2 };
        let skipped = text!("cli-import-skipped", count = 2_u64);
        assert!(counts.text().starts_with("Imported 1 download with 1 file.") && counts.text().ends_with(&skipped));
        let known = text!("list-taken-in-known", count = 2_u64);
        assert_eq!(
            ImportCounts { known: 2, ..ImportCounts::default() }.text(),
            format!("{} {known}", text!("list-taken-in-nothing"))
        );
    }

    #[test]
    fn existing_file_is_replaced_only_if_requested() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, "one", false).unwrap();
        assert!(write(&path, "two", false).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write(&path, "two", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    }
}
