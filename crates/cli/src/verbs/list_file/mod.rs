//! `ashore export` and `ashore import`: save the list to a file and load it.
//!
//! The engine reads and writes only regular files. Data from or to a pipe goes through a temporary file in the data
//! folder. `aria2` does the same with session files of aria2.

mod aria2;

use std::{
    fs::{self, File},
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
};

use ashore_engine::{ExportSummary, ImportSummary, UserMessage};
use ashore_messages::message;
use ashore_rpc::{CallFailure, MethodCall};
use ashore_terminal::TerminalOutput;
use tempfile::TempDir;

use crate::{
    arguments::{ExportArguments, ImportArguments, OtherList},
    output::{
        problem::{CliProblem, ExitStatus},
        words::words,
    },
    signals::TerminationSignals,
    verbs::short,
};

/// Argument that stands for stdin or stdout.
const PIPE: &str = "-";
/// First bytes of every exported list.
const BEGINS: &[u8] = br#"{"ashore":"export""#;
/// Maximum number of bytes read from a pipe; enough for several million downloads.
const MOST_PIPED: u64 = 4 << 30;
/// Prefix of the temporary folder of a piped list. The process id and a random part follow.
const PREFIX: &str = "piped-";

/// Runs `ashore export`.
pub async fn export(data_dir: &Path, wanted: &ExportArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    if let Some(OtherList::Aria2) = wanted.to {
        return aria2::export(data_dir, wanted, out).await;
    }
    let is_piped = wanted.file == Path::new(PIPE);
    short::with(data_dir, "ashore export", async |connection| {
        let beside = is_piped.then(|| PrivateTempDir::new(data_dir)).transpose()?;
        let file = beside.as_ref().map_or_else(|| whole(&wanted.file), |beside| Ok(beside.file()))?;
        let exported: ExportSummary = connection.call(MethodCall::Export { file: file.clone(), replace: wanted.force }).await?;
        if is_piped {
            io::copy(&mut File::open(&file)?, &mut io::stdout().lock())?;
        } else if out.json {
            out.object(&exported)?;
        }
        out.print_line(saved(&exported, (!is_piped).then_some(file.as_path())));
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore import`.
pub async fn import(data_dir: &Path, wanted: &ImportArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    if let Some(OtherList::Aria2) = wanted.from {
        return aria2::import(data_dir, wanted, out).await;
    }
    let is_piped = wanted.file == Path::new(PIPE);
    // Copy a source that is not a regular file first, because it can be read only once.
    let is_plain = !is_piped && fs::metadata(&wanted.file).is_ok_and(|found| found.is_file());
    let mut signals = TerminationSignals::new()?;
    short::with(data_dir, "ashore import", async |connection| {
        let beside = (!is_plain).then(|| PrivateTempDir::new(data_dir)).transpose()?;
        let file = beside.as_ref().map_or_else(|| whole(&wanted.file), |beside| Ok(beside.file()))?;
        if !is_plain {
            let (source, kept) = (wanted.file.clone(), File::create_new(&file)?);
            let copied = tokio::task::spawn_blocking(move || match is_piped {
                true => copy_list(&mut io::stdin().lock(), &kept),
                false => copy_list(&mut opened(&source)?, &kept),
            });
            tokio::select! {
                copied = copied => copied.map_err(io::Error::other)??,
                // The copy is removed together with its folder.
                () = signals.next() => return Ok(ExitStatus::Interrupted),
            }
        }
        let imported: ImportSummary = tokio::select! {
            imported = connection.call(MethodCall::Import { file, unchecked: wanted.unchecked }) => imported?,
            () = signals.next() => return Ok(ExitStatus::Interrupted),
        };
        if out.json {
            out.object(&imported)?;
        } else {
            out.print_line(taken_in(&imported));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Copies an exported list from a pipe or a device.
///
/// Such a source may be endless. Fails if it does not begin like a list, or is longer than [`MOST_PIPED`].
fn copy_list(source: &mut impl Read, mut kept: &File) -> Result<(), CliProblem> {
    let mut beginning = Vec::new();
    source.by_ref().take(BEGINS.len() as u64).read_to_end(&mut beginning)?;
    if !BEGINS.starts_with(&beginning) {
        return Err(refused(message!("not-saved.pipe")));
    }
    kept.write_all(&beginning)?;
    let left = MOST_PIPED - beginning.len() as u64;
    let copied = io::copy(&mut source.by_ref().take(left), &mut kept)?;
    if copied == left && source.read(&mut [0])? > 0 {
        return Err(refused(message!("not-saved.pipe-long")));
    }
    Ok(())
}

/// Returns a refusal with the same exit code as a refusal by the engine.
fn refused(message: UserMessage) -> CliProblem {
    CallFailure::Refused(message).into()
}

/// Temporary folder in the data folder, which no other user can read. Removed when dropped.
struct PrivateTempDir(TempDir);

impl PrivateTempDir {
    fn new(data_dir: &Path) -> Result<Self, CliProblem> {
        remove_left_behind(data_dir);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        Ok(Self(tempfile::Builder::new().prefix(&prefix).tempdir_in(data_dir)?))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("list.ndjson")
    }
}

/// Removes the temporary folders of killed processes. A failed removal is retried at the next call.
fn remove_left_behind(data_dir: &Path) {
    for entry in fs::read_dir(data_dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next()?.parse::<u32>().ok());
        if process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn opened(file: &Path) -> Result<File, CliProblem> {
    File::open(file).map_err(|error| CliProblem::Usage(message!("input.unreadable", path = file, why = &error)))
}

fn whole(file: &Path) -> Result<PathBuf, CliProblem> {
    std::path::absolute(file).map_err(|error| CliProblem::Usage(message!("input.unusable", path = file, why = &error)))
}

fn saved(exported: &ExportSummary, file: Option<&Path>) -> String {
    let ExportSummary { registrations, requests, without_headers, .. } = exported;
    let (downloads, files) = (words!("n-downloads", count = *registrations), words!("n-files", count = *requests));
    let mut sentences = vec![match file {
        Some(file) => words!("cli-exported", downloads = downloads, files = files, path = file),
        None => words!("cli-exported.pipe", downloads = downloads, files = files),
    }];
    if *without_headers > 0 {
        sentences.push(words!("list-saved-without-headers", count = *without_headers));
    }
    sentences.join(" ")
}

fn taken_in(imported: &ImportSummary) -> String {
    let ImportSummary { registrations, requests, known, elsewhere, without_headers } = imported;
    let (downloads, files) = (words!("n-downloads", count = *registrations), words!("n-files", count = *requests));
    let mut sentences = vec![match registrations {
        0 => words!("list-taken-in-nothing"),
        _ => words!("cli-imported", downloads = downloads, files = files),
    }];
    if *known > 0 {
        sentences.push(words!("list-taken-in-known", count = *known));
    }
    if *elsewhere > 0 {
        sentences.push(words!("list-taken-in-elsewhere", count = *elsewhere));
    }
    if *without_headers > 0 {
        sentences.push(words!("list-taken-in-without-headers", count = *without_headers));
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use ashore_messages::text;

    use super::*;

    /// Copies `beginning` followed by `more`. Returns the result and the number of copied bytes.
    fn copied(beginning: &[u8], more: &[u8]) -> (bool, u64) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        let mut source = beginning.chain(more);
        let is_taken = copy_list(&mut source, &File::create_new(&path).unwrap()).is_ok();
        (is_taken, fs::metadata(path).unwrap().len())
    }

    #[test]
    fn piped_data_that_is_not_a_list_is_refused_after_first_bytes() {
        for other in [
            "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "yes\nyes\nyes\nyes\nyes\n",
            "{\"ashore\":\"other\"}\n",
            "\u{feff}{\"ashore\":",
        ] {
            assert_eq!(copied(other.as_bytes(), b"more and more"), (false, 0), "{other:?}");
        }
        assert_eq!(copied(BEGINS, b",...}\n"), (true, BEGINS.len() as u64 + 6));
        assert_eq!(copied(b"", b""), (true, 0), "the engine must report the truncated file");
    }

    #[test]
    fn import_from_endless_device_is_refused() {
        for device in ["/dev/zero", "/dev/urandom"] {
            let folder = tempfile::tempdir().unwrap();
            let kept = File::create_new(folder.path().join("list")).unwrap();
            assert!(copy_list(&mut File::open(device).unwrap(), &kept).is_err(), "{device}");
        }
    }

    #[test]
    fn temporary_folders_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!("{PREFIX}{}-x", std::process::id());
        for name in [own.as_str(), "piped-4294967294-x", "piped-x", "bodies"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        remove_left_behind(folder.path());
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        let mut expected = vec!["bodies".to_owned(), own, "piped-x".to_owned()];
        expected.sort();
        assert_eq!(left, expected);
    }

    #[test]
    fn summaries_of_export_and_import_show_number_of_downloads() {
        let exported = ExportSummary { registrations: 1, requests: 2, without_headers: 1, ..ExportSummary::default() };
        assert_eq!(
            saved(&exported, Some(Path::new("/a"))),
            format!("Exported 1 download with 2 files to /a. {}", text!("list-saved-without-headers", count = 1_u64))
        );
        assert_eq!(
            taken_in(&ImportSummary { known: 2, ..ImportSummary::default() }),
            format!("{} {}", text!("list-taken-in-nothing"), text!("list-taken-in-known", count = 2_u64))
        );
    }
}
