//! Exports the whole list to a file in the format of `docs/export.md`.
//!
//! - All lines come from one snapshot. Only a small part of the list is in memory at any time.
//! - Only this user can read the file. The file appears only when it is complete.
//! - No secret is exported: the format has no field for a secret.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use ashore_messages::message;
use futures_util::TryStreamExt as _;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use crate::{
    Engine, EngineError,
    api::engine::apart,
    model::{ExportSummary, LimitScope},
    platform::failpoint,
    store::list_file::format::{ExportedLimit, ExportedQuota, ListFileHeader, ListFileLine, ListFileTrailer},
};

/// Number of bytes per write.
const CHUNK: usize = 256 << 10;

impl Engine {
    /// Saves the list in `file`, an absolute path. Replaces an existing file only with `replace`.
    ///
    /// Fails with `Invalid`, `FileThere` or `Io`. After a failure, no new file exists, and an existing file is
    /// unchanged.
    pub async fn export(&self, file: PathBuf, replace: bool) -> Result<ExportSummary, EngineError> {
        if !file.is_absolute() || file.file_name().is_none() {
            return Err(EngineError::Invalid(message!("invalid.file-path", path = &file)));
        }
        let place = file.clone();
        let mut writer = apart(move || Writer::begin(place, replace)).await?;
        writer.line(&ListFileHeader::new(self.shared.env.now()))?;
        self.bounds(&mut writer).await?;
        let mut exported = ExportSummary::default();
        let mut rows = std::pin::pin!(self.shared.store.saved());
        while let Some((registration, request)) = rows.try_next().await? {
            if let Some(registration) = registration {
                exported.registrations += 1;
                writer.write_line(ListFileLine { registration: Some(Box::new(registration)), ..ListFileLine::default() })?;
            }
            exported.requests += 1;
            exported.without_headers += u64::from(!request.asked.headers_left_out.is_empty());
            writer.write_line(ListFileLine { request: Some(Box::new(request)), ..ListFileLine::default() })?;
            writer = writer.flushed(CHUNK).await?;
        }
        let sha256 = Some(hex::encode(writer.hash.clone().finalize()));
        let (registrations, requests) = (Some(exported.registrations), Some(exported.requests));
        writer.write_line(ListFileLine {
            end: Some(ListFileTrailer { registrations, requests, sha256 }),
            ..ListFileLine::default()
        })?;
        writer.flushed(1).await?.place(replace).await?;
        exported.path = file;
        Ok(exported)
    }

    /// Writes speed limits and quotas. A limit of one registration is part of that registration's line.
    async fn bounds(&self, writer: &mut Writer) -> Result<(), EngineError> {
        for limit in self.shared.store.limits().await? {
            let host = match limit.scope {
                LimitScope::All => None,
                LimitScope::Host { host } => Some(host),
                LimitScope::Registration { .. } => continue,
            };
            let limit = ExportedLimit { host, bytes_per_second: limit.bytes_per_second };
            writer.write_line(ListFileLine { limit: Some(limit), ..ListFileLine::default() })?;
        }
        let books = self.shared.store.books().await?;
        for limit in &books.limits {
            let name = |owner: i64| books.owners.iter().find_map(|(id, name)| (*id == owner).then(|| name.clone()));
            let owner = limit.owner.and_then(name);
            if owner.is_none() && limit.owner.is_some() {
                continue;
            }
            let quota = ExportedQuota { owner, kind: limit.category, bytes: limit.bytes, files: limit.files };
            writer.write_line(ListFileLine { quota: Some(quota), ..ListFileLine::default() })?;
        }
        Ok(())
    }
}

/// Export file in progress: a temporary file beside its final place.
struct Writer {
    file: NamedTempFile,
    path: PathBuf,
    hash: Sha256,
    waiting: Vec<u8>,
}

impl Writer {
    /// Creates the temporary file. Fails with `FileThere` if `path` exists and must not be replaced.
    fn begin(path: PathBuf, replace: bool) -> Result<Self, EngineError> {
        if !replace && path.symlink_metadata().is_ok() {
            return Err(EngineError::FileThere(path));
        }
        let made = tempfile::Builder::new().prefix(".ashore-").suffix(".part").tempfile_in(folder(&path));
        let file = made.map_err(|source| failed(&path, source))?;
        Ok(Self { file, path, hash: Sha256::new(), waiting: Vec::new() })
    }

    fn write_line(&mut self, line: ListFileLine) -> Result<(), EngineError> {
        let what = line.request.as_ref().map(|request| request.asked.url.chars().take(80).collect::<String>());
        let text = line
            .written()
            .map_err(|error| failed(&self.path, error.into()))?
            .ok_or_else(|| EngineError::Invalid(message!("invalid.too-long", url = what.unwrap_or_default())))?;
        self.add(&text);
        Ok(())
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), EngineError> {
        let mut text = serde_json::to_vec(value).map_err(|error| failed(&self.path, error.into()))?;
        text.push(b'\n');
        self.add(&text);
        Ok(())
    }

    fn add(&mut self, text: &[u8]) {
        self.hash.update(text);
        self.waiting.extend_from_slice(text);
    }

    /// Writes the buffered bytes if there are at least `enough`.
    async fn flushed(mut self, enough: usize) -> Result<Self, EngineError> {
        if self.waiting.len() < enough {
            return Ok(self);
        }
        apart(move || {
            let written = self.file.write_all(&self.waiting);
            written.map_err(|source| failed(&self.path, source))?;
            self.waiting.clear();
            Ok(self)
        })
        .await
    }

    async fn place(self, replace: bool) -> Result<(), EngineError> {
        apart(move || {
            let Self { file, path, .. } = self;
            file.as_file().sync_all().map_err(|source| failed(&path, source))?;
            failpoint::hit("engine.export-written");
            let placed = if replace { file.persist(&path) } else { file.persist_noclobber(&path) };
            match placed {
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => return Err(EngineError::FileThere(path)),
                Err(error) => return Err(failed(&path, error.error)),
                Ok(_) => {}
            }
            File::open(folder(&path)).and_then(|folder| folder.sync_all()).map_err(|source| failed(&path, source))
        })
        .await
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

fn failed(path: &Path, source: io::Error) -> EngineError {
    EngineError::io(message!("disk.list", path = path, why = &source), source)
}
