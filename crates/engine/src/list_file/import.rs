//! Imports a saved list, whose content is not trusted.
//!
//! `validate` accepts only values that the user could have entered, and no imported download starts automatically.
//!
//! The file is read twice, with only a small part in memory. The first pass checks each line and the whole file without
//! writing anything. The second pass checks everything again and writes in one transaction, so that a crash leaves
//! either the whole import or none of it.

use std::{
    fs::File,
    io::{self, BufReader, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

use ashore_messages::message;

#[cfg(debug_assertions)]
pub(crate) use crate::list_file::validate::saved_list_holds;
use crate::{
    Engine, EngineError, EngineEvent,
    api::engine::apart,
    context::speed,
    intake::{fingerprint::FingerprintContent, validate::usable_folder},
    list_file::validate::{self, CheckedImport, ImportLimits},
    model::{ImportSummary, RegistrationResult, RequestSource, UniqueId, values::path_text},
    platform::{env::EngineEnv, failpoint},
    scheduler::command::SchedulerCommand,
    settings::Settings,
    startup::opening::BODIES,
    store::{
        ImportOutcome, ImportedEnd, ImportedRequest, QuotaLimit,
        ledger::LedgerWriter,
        list_file::format::{
            ExportedCaller, ExportedQuota, ExportedRegistration, ExportedRequest, ImportFingerprint, ImportFingerprinter,
            ListFileFault, ListFileLine, ListFileReader, VERSION,
        },
    },
};

/// Number of requests per write.
const CHUNK: usize = 1000;
/// Number of derived ids to try if an id is taken. After that, a random id is used.
const OTHERS: u32 = 8;

/// Returns the first path in the saved list `file` that `is_allowed` refuses.
///
/// Checks the folders and the paths of complete files, up to the first line that an import refuses. Returns `None` if
/// every checked path is allowed. Blocks while it reads the file.
///
/// Lines are parsed as an import parses them, so a path that is valid for an import cannot escape the check.
pub fn refused_path_in_list(file: &Path, is_allowed: impl Fn(&Path) -> bool) -> io::Result<Option<PathBuf>> {
    let Ok(mut lines) = ListFileReader::open(BufReader::new(File::open(file)?), true) else { return Ok(None) };
    while let Ok(Some((_, line))) = lines.next() {
        let folder = line.registration.map(|registration| registration.folder);
        let complete = line.request.and_then(|request| request.done).and_then(|done| done.path);
        let paths = folder.into_iter().chain(complete).map(|text| path_text::from_text(&text));
        if let Some(path) = paths.into_iter().find(|path| !is_allowed(path)) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

impl Engine {
    /// Imports the saved list in `file` for a caller of the source `caller`. Unfinished registrations are imported
    /// paused.
    ///
    /// Registrations that are already in the list stay unchanged. If `unchecked` is false, the file must not have
    /// changed since it was saved. A registration gets the source `caller` if the file states a source that `caller`
    /// cannot declare.
    ///
    /// Fails with `NotSaved`, `SavedNewer`, `SavedCut`, `SavedChanged`, `SavedLine`, `Invalid` or `Io`. A failed import
    /// imports nothing.
    pub async fn import(&self, file: PathBuf, unchecked: bool, caller: RequestSource) -> Result<ImportSummary, EngineError> {
        let source = Source { path: file, is_checked: !unchecked, caller };
        let first = source.clone();
        let env = self.shared.env;
        let lowest = apart(move || first.check(&env)).await?;
        let imported = self.import_lines(source, lowest).await?;
        speed::hold(&self.shared).await?;
        self.shared.read_quotas().await?;
        // An import makes too many changes to emit an event for each.
        self.shared.speaker.emit(EngineEvent::Lagged);
        self.order(SchedulerCommand::Nudge(None));
        Ok(imported)
    }

    /// Runs the second pass over the file. This pass writes to the ledger.
    async fn import_lines(&self, source: Source, lowest: i64) -> Result<ImportSummary, EngineError> {
        let (opened, path) = (source.clone(), source.path.clone());
        let mut reading = apart(move || Reading::open(&opened)).await?;
        let mut ledger = self.shared.store.begin().await?;
        let mut pass = Pass {
            env: self.shared.env,
            settings: self.shared.settings(),
            bodies: self.shared.data_dir.join(BODIES),
            source,
            behind: ledger.behind_all().await?,
            lowest,
            imported: ImportSummary::default(),
            last_folder: None,
        };
        let mut open: Option<Coming> = None;
        loop {
            let (next, lines) = apart(move || reading.next_lines()).await?;
            reading = next;
            if lines.is_empty() {
                break;
            }
            for Numbered { number, end, line } in lines {
                if line.request.is_none()
                    && let Some(coming) = open.take()
                {
                    pass.finish(&mut ledger, coming).await?;
                }
                let wrong = |why: EngineError| in_line(&path, number, &why);
                if let Some(registration) = line.registration {
                    open = Some(pass.begin(&mut ledger, *registration, end).await.map_err(|error| refined(error, wrong))?);
                } else if let (Some(request), Some(coming)) = (line.request, &mut open) {
                    let Some(reg_id) = coming.reg_id else { continue };
                    coming.add(*request, &pass).map_err(wrong)?;
                    if coming.waiting.len() >= CHUNK {
                        coming.write(&mut ledger, reg_id).await?;
                    }
                } else {
                    pass.bound(&mut ledger, line.limit, line.quota).await.map_err(|error| refined(error, wrong))?;
                }
            }
            failpoint::hit("engine.import-amid");
        }
        if let Some(coming) = open.take() {
            pass.finish(&mut ledger, coming).await?;
        }
        ledger.spread().await?;
        failpoint::hit("engine.import-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.imported");
        Ok(pass.imported)
    }
}

/// Saved list file.
#[derive(Clone, Debug)]
struct Source {
    path: PathBuf,
    /// Whether to compare the file with the counts and the hash in its last line.
    is_checked: bool,
    /// Source of the caller that imports the file.
    caller: RequestSource,
}

impl Source {
    /// Runs the first pass: checks that every line can be imported. Returns the lowest queue rank in the file.
    fn check(&self, env: &EngineEnv) -> Result<i64, EngineError> {
        let mut reading = Reading::open(self)?;
        let mut bounds = ImportLimits::default();
        let mut lowest = i64::MAX;
        while let Some((number, line)) = reading.next()? {
            let wrong = |why: EngineError| in_line(&self.path, number, &why);
            if let Some(registration) = line.registration {
                lowest = lowest.min(registration.rank);
                CheckedImport::from_registration(*registration, env).map_err(wrong)?;
            } else if let Some(request) = line.request {
                let request = validate::request(*request, env, || PathBuf::from("/")).map_err(wrong)?;
                bounds.add(&request).map_err(wrong)?;
            } else {
                validate::limit(line.limit).map_err(wrong)?;
                validate::quota(line.quota).map_err(wrong)?;
            }
        }
        Ok(if lowest == i64::MAX { 0 } else { lowest })
    }
}

/// Reader of a saved list.
struct Reading {
    lines: ListFileReader<BufReader<File>>,
    path: PathBuf,
    is_over: bool,
}

impl Reading {
    fn open(source: &Source) -> Result<Self, EngineError> {
        let path = source.path.clone();
        if !path.is_absolute() {
            return Err(EngineError::Invalid(message!("invalid.file-path", path = &path)));
        }
        let failed = |source| unread(&path, source);
        // Accept only a regular file: a pipe can be read only once, and a device may never end.
        if !std::fs::metadata(&path).map_err(failed)?.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, message!("fault-path.not-file"))));
        }
        let file = File::open(&path).map_err(failed)?;
        let lines =
            ListFileReader::open(BufReader::new(file), source.is_checked).map_err(|fault| error_of_fault(&path, fault))?;
        Ok(Self { lines, path, is_over: false })
    }

    fn next(&mut self) -> Result<Option<(u64, ListFileLine)>, EngineError> {
        self.lines.next().map_err(|fault| error_of_fault(&self.path, fault))
    }

    /// Returns the next lines. The result is empty at the end of the file.
    fn next_lines(mut self) -> Result<(Self, Vec<Numbered>), EngineError> {
        let (mut lines, mut bytes) = (Vec::new(), self.lines.read());
        let most = bytes + crate::store::list_file::format::LONGEST as u64;
        while !self.is_over && lines.len() < CHUNK && bytes < most {
            match self.next()? {
                Some((number, line)) => {
                    bytes = self.lines.read();
                    lines.push(Numbered { number, end: bytes, line });
                }
                None => self.is_over = true,
            }
        }
        Ok((self, lines))
    }
}

/// A line with its number, counted from 1, and the byte offset of its end.
struct Numbered {
    number: u64,
    end: u64,
    line: ListFileLine,
}

/// State of the second pass.
struct Pass {
    env: EngineEnv,
    settings: Arc<Settings>,
    bodies: PathBuf,
    source: Source,
    /// Queue rank after all registrations that were in the list before the import.
    behind: i64,
    lowest: i64,
    imported: ImportSummary,
    /// Folder that was checked last, and whether it is usable.
    last_folder: Option<(PathBuf, bool)>,
}

/// Registration that is being imported.
struct Coming {
    /// Row of the registration; `None` if it is already in the list and stays unchanged.
    reg_id: Option<i64>,
    id: UniqueId,
    own_name: Option<String>,
    content: FingerprintContent,
    end: ImportedEnd,
    waiting: Vec<ImportedRequest>,
    written: usize,
    without_headers: u64,
}

impl Pass {
    /// Begins the import of the registration whose requests start at byte `at`.
    async fn begin(&mut self, ledger: &mut LedgerWriter<'_>, new: ExportedRegistration, at: u64) -> Result<Coming, EngineError> {
        let mut arrival = CheckedImport::from_registration(new, &self.env)?;
        let (own_name, end) = (arrival.own_name.take(), arrival.end.clone());
        let content = FingerprintContent::for_folder(&arrival.registration.folder);
        let id = arrival.registration.id;
        let mut coming = Coming { reg_id: None, id, own_name, content, end, waiting: Vec::new(), written: 0, without_headers: 0 };
        if ledger.is_taken(id).await? {
            let (source, env) = (self.source.clone(), self.env);
            let mark = apart(move || mark_from(&source, at, &env)).await?;
            let Some(other) = self.other_id(ledger, id, mark).await? else {
                self.imported.known += 1;
                return Ok(coming);
            };
            coming.id = other;
        }
        let new = &mut arrival.registration;
        new.id = coming.id;
        new.source = new.source.limited_to_caller(self.source.caller);
        new.rank = self.behind.saturating_add(new.rank.saturating_sub(self.lowest));
        new.developer_id = coming.own_name.clone().unwrap_or_else(|| coming.id.to_string());
        if arrival.end.result != RegistrationResult::Success && !self.is_usable(&new.folder).await {
            let usual = self.settings.folder_of(new.category);
            if usual != self.settings.download_folder() {
                // Ignore errors: the folder may already exist. Otherwise the registration waits for its folder as
                // usual.
                let _ = std::fs::create_dir(&usual);
            }
            new.folder = usual;
            self.imported.elsewhere += 1;
        }
        coming.content = FingerprintContent::for_folder(&new.folder);
        coming.reg_id = Some(ledger.import_registration(new).await?);
        self.imported.registrations += 1;
        Ok(coming)
    }

    /// Returns an unused id for a registration whose id is taken; `None` if the same registration is already in the
    /// list.
    ///
    /// A repeated import of the same registration yields the same id.
    async fn other_id(
        &self,
        ledger: &mut LedgerWriter<'_>,
        id: UniqueId,
        mark: ImportFingerprint,
    ) -> Result<Option<UniqueId>, EngineError> {
        let mut candidate = id;
        for number in 0..OTHERS {
            if ledger.mark_of(candidate).await? == Some(mark) {
                return Ok(None);
            }
            if !ledger.is_taken(candidate).await? {
                return Ok(Some(candidate));
            }
            candidate = other(id, &mark, number);
        }
        Ok(Some(UniqueId(self.env.guid())))
    }

    async fn is_usable(&mut self, folder: &Path) -> bool {
        if let Some((last, is_usable)) = &self.last_folder
            && last == folder
        {
            return *is_usable;
        }
        let looked_at = folder.to_owned();
        let is_usable = apart(move || usable_folder(&looked_at)).await.is_ok();
        self.last_folder = Some((folder.to_owned(), is_usable));
        is_usable
    }

    async fn finish(&mut self, ledger: &mut LedgerWriter<'_>, mut coming: Coming) -> Result<(), EngineError> {
        let Some(reg_id) = coming.reg_id else { return Ok(()) };
        coming.write(ledger, reg_id).await?;
        self.imported.requests += coming.written as u64;
        self.imported.without_headers += coming.without_headers;
        let (id, fresh) = (coming.id.to_string(), self.env.guid().to_string());
        let content = if coming.own_name.is_some() { None } else { coming.content.finish() };
        let names: Vec<&str> = coming.own_name.iter().map(String::as_str).chain([id.as_str(), fresh.as_str()]).collect();
        let end = ImportedEnd { content, ..coming.end };
        ledger.finish_import((reg_id, coming.id), &names, end, self.env.now()).await
    }

    async fn bound(
        &mut self,
        ledger: &mut LedgerWriter<'_>,
        limit: Option<crate::store::list_file::format::ExportedLimit>,
        quota: Option<ExportedQuota>,
    ) -> Result<(), EngineError> {
        if let Some((host, rate)) = validate::limit(limit)? {
            ledger.import_limit(host.as_deref(), rate).await?;
        }
        if let Some((owner, category, bytes, files)) = validate::quota(quota)? {
            let owner = match owner {
                Some(name) => ledger.owner(&name, true).await?,
                None => None,
            };
            ledger.import_quota(&QuotaLimit { owner, category, bytes, files }).await?;
        }
        Ok(())
    }
}

impl Coming {
    fn add(&mut self, request: ExportedCaller, pass: &Pass) -> Result<(), EngineError> {
        let index = self.written + self.waiting.len();
        self.without_headers += u64::from(!request.asked.headers_left_out.is_empty());
        // A saved list has no upload bodies. When the upload is resumed, it reports the missing body.
        let body = || pass.bodies.join(format!("{}.{index}", self.id));
        let request = validate::request(request, &pass.env, body)?;
        self.content.add(&request.accepted);
        if matches!(request.became, ImportOutcome::Failed) && !request.accepted.optional && self.end.failure.is_none() {
            self.end.failure = Some(validate::failure(&request));
        }
        self.waiting.push(request);
        Ok(())
    }

    async fn write(&mut self, ledger: &mut LedgerWriter<'_>, reg_id: i64) -> Result<(), EngineError> {
        let waiting = std::mem::take(&mut self.waiting);
        let (first, count) = (self.written, waiting.len());
        ledger.import_requests(reg_id, first, waiting).await?;
        self.written += count;
        Ok(())
    }
}

/// Returns the fingerprint of a registration, a digest of its requests. The requests start at byte `at`.
fn mark_from(source: &Source, at: u64, env: &EngineEnv) -> Result<ImportFingerprint, EngineError> {
    let failed = |error| unread(&source.path, error);
    let mut file = File::open(&source.path).map_err(failed)?;
    file.seek(SeekFrom::Start(at)).map_err(failed)?;
    // Ignore faults here, because the passes over the whole file report them.
    let mut lines = ListFileReader::amid(BufReader::new(file));
    let mut marking = ImportFingerprinter::default();
    while let Ok(Some((_, ListFileLine { request: Some(request), .. }))) = lines.next() {
        let Ok(request) = validate::request(*request, env, || PathBuf::from("/")) else { break };
        marking.add(ExportedRequest::from_accepted(&request.accepted));
    }
    Ok(marking.finish())
}

/// Derives another id from `id`, the fingerprint and a number.
fn other(id: UniqueId, mark: &ImportFingerprint, number: u32) -> UniqueId {
    let name: Vec<u8> = id.0.as_bytes().iter().chain(mark).chain(&number.to_be_bytes()).copied().collect();
    let digest: ImportFingerprint = <sha2::Sha256 as sha2::Digest>::digest(&name).into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    UniqueId(uuid::Builder::from_random_bytes(bytes).into_uuid())
}

/// Adds the line number to an error in a line. Returns errors of disk and ledger unchanged.
fn refined(error: EngineError, wrong: impl FnOnce(EngineError) -> EngineError) -> EngineError {
    match error {
        EngineError::Ledger(_) | EngineError::Io { .. } | EngineError::Closed | EngineError::SavedLine { .. } => error,
        error => wrong(error),
    }
}

fn in_line(path: &Path, line: u64, error: &EngineError) -> EngineError {
    EngineError::SavedLine { path: path.to_owned(), line, why: error.message().into() }
}

fn unread(path: &Path, source: io::Error) -> EngineError {
    EngineError::io(message!("disk.read", path = path, why = &source), source)
}

fn error_of_fault(path: &Path, fault: ListFileFault) -> EngineError {
    let path = path.to_owned();
    match fault {
        ListFileFault::Io(source) => unread(&path, source),
        ListFileFault::Other => EngineError::NotSaved { path },
        ListFileFault::Newer(found) => EngineError::SavedNewer { path, found, known: VERSION },
        ListFileFault::Cut => EngineError::SavedCut { path },
        ListFileFault::Changed => EngineError::SavedChanged { path },
        ListFileFault::Line(line, why) => EngineError::SavedLine { path, line, why: why.into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"ashore":"export","version":1}"#;
    const ID: &str = "018f3a54-7b5e-7c1d-9a39-1d2f0c9be001";

    /// Returns the refused path of a document with these lines, if only paths below `/root` are allowed.
    fn refused(lines: &[&str]) -> Option<PathBuf> {
        let document = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(document.path(), [&[HEADER], lines, &[""]].concat().join("\n")).unwrap();
        refused_path_in_list(document.path(), |path| path.starts_with("/root")).unwrap()
    }

    #[test]
    fn path_in_saved_list_is_checked_in_every_form_that_import_accepts() {
        let registration = |folder: &str| format!(r#"{{"registration":{{"id":"{ID}","folder":"{folder}"}}}}"#);
        let inside = registration("/root/a");
        let request = r#"{"request":{"url":"https://a.example/a"}}"#;
        assert_eq!(refused(&[&inside, request]), None);
        let outside = registration("/etc");
        assert_eq!(refused(&[&inside, request, &outside]), Some("/etc".into()));
        // Serde also accepts a structure as an array of values in order. In ignored fields, it skips values that it
        // cannot represent.
        let positional = format!(r#"{{"registration":["{ID}","window",null,null,"t","","/etc"]}}"#);
        let with_ignored = format!(r#"{{"x":1e999,"registration":{{"id":"{ID}","folder":"/etc"}}}}"#);
        for line in [positional, with_ignored] {
            let is_readable = serde_json::from_str::<ListFileLine>(&line).is_ok();
            assert_eq!(refused(&[&line]).is_some(), is_readable, "{line}");
        }
        let complete = r#"{"request":{"url":"https://a.example/a","done":{"path":"/etc/passwd","size":1}}}"#;
        assert_eq!(refused(&[&inside, complete]), Some("/etc/passwd".into()));
    }
}
