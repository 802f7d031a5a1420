//! `/api/export` and `/api/import`: the export document of `docs/export.md`. It is sent as a download, and received as
//! the body of a request.
//!
//! - The engine writes and reads the same files as for window and command line. Here they are temporary files in the
//!   data folder, which only its user can read.
//! - An imported document names folders and files. A device may name only those in the roots.

use std::{
    io::{self, Write as _},
    sync::Arc,
};

use ashore_engine::{ImportSummary, RequestSource, refused_path_in_list};
use ashore_messages::message;
use axum::{
    Extension, Router,
    body::{Body, Bytes},
    extract::{RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
    routing::{get, post},
};
use futures_util::{Stream, StreamExt as _};
use tempfile::{NamedTempFile, TempDir, TempPath};
use tokio::{task::spawn_blocking, time::timeout};

use crate::{
    body_store::PREFIX,
    page::{PageInterface, call_check::root_folders, file_routes, tickets::TicketTarget},
    problem::{JsonAnswer, RequestProblem},
    roots::FolderRoots,
    server::RemotePeer,
    token_scope::TokenScope,
};

/// Maximum size of an imported document in bytes.
const LONGEST_DOCUMENT: u64 = 1024 * 1024 * 1024;
/// Name of the exported document.
const NAME: &str = "ashore-list.jsonl";

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/export", get(export).head(file_routes::refuse_head)).route("/api/import", post(import))
}

async fn export(
    State(page): State<Arc<PageInterface>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, RequestProblem> {
    page.redeem(query.as_deref(), TicketTarget::Export).await?;
    page.export_document(&headers).await
}

async fn import(
    State(page): State<Arc<PageInterface>>,
    Extension(peer): Extension<RemotePeer>,
    headers: HeaderMap,
    request: Request,
) -> Result<JsonAnswer<ImportSummary>, RequestProblem> {
    let owner = page.sender(&headers, &peer, TokenScope::Control).await?;
    page.import_document(request.into_body(), owner.source()).await
}

impl PageInterface {
    /// Returns a response with the export document. The caller has checked the scope.
    pub(crate) async fn export_document(&self, headers: &HeaderMap) -> Result<Response, RequestProblem> {
        let data_dir = self.data_dir.clone();
        let made = spawn_blocking(move || tempfile::Builder::new().prefix(PREFIX).tempdir_in(data_dir)).await;
        let folder: TempDir = made.map_err(io::Error::other).flatten().map_err(|error| self.unwritten(&error))?;
        let path = folder.path().join(NAME);
        self.service.engine().export(path.clone(), false).await.map_err(|error| RequestProblem::refused(error.message()))?;
        // The open file stays readable after its folder has been removed.
        let file = file_routes::open(path).await?;
        drop(folder);
        file_routes::attachment(file, NAME, headers).await
    }

    /// Imports the document in a body, which was sent by a caller of the source `caller`. The scope was checked before.
    ///
    /// Refuses a document that names a folder outside of the roots.
    pub(crate) async fn import_document(
        &self,
        body: Body,
        caller: RequestSource,
    ) -> Result<JsonAnswer<ImportSummary>, RequestProblem> {
        let (document, _) = self.received(body, LONGEST_DOCUMENT).await?;
        let (path, folders) = (document.to_path_buf(), root_folders(&self.service, &self.roots));
        let outside = spawn_blocking(move || {
            let roots = FolderRoots::new(folders);
            refused_path_in_list(&path, |path| roots.resolve(path).is_some())
        });
        let outside = outside.await;
        if let Some(path) = outside.map_err(io::Error::other).flatten().map_err(|error| self.unwritten(&error))? {
            return Err(RequestProblem::refused(message!("remote-folder", path = &path)));
        }
        let imported = self.service.engine().import(document.to_path_buf(), false, caller).await;
        imported.map(JsonAnswer).map_err(|error| RequestProblem::refused(error.message()))
    }

    /// Stores a body of at most `most` bytes in a temporary file. Returns the file and its size in bytes.
    pub(crate) async fn received(&self, body: Body, most: u64) -> Result<(TempPath, u64), RequestProblem> {
        let data_dir = self.data_dir.clone();
        let made = spawn_blocking(move || tempfile::Builder::new().prefix(PREFIX).tempfile_in(data_dir)).await;
        let (mut file, path) =
            made.map_err(io::Error::other).flatten().map(NamedTempFile::into_parts).map_err(|error| self.unwritten(&error))?;
        let (mut parts, mut size) = (body.into_data_stream(), 0);
        while let Some(part) = self.next_part(&mut parts).await? {
            size += part.len() as u64;
            if size > most {
                return Err(RequestProblem::too_large(most));
            }
            let written = spawn_blocking(move || file.write_all(&part).map(|()| file)).await.map_err(io::Error::other);
            file = written.flatten().map_err(|error| self.unwritten(&error))?;
        }
        Ok((path, size))
    }

    async fn next_part(
        &self,
        parts: &mut (impl Stream<Item = Result<Bytes, axum::Error>> + Unpin),
    ) -> Result<Option<Bytes>, RequestProblem> {
        let next = timeout(self.limits.body, parts.next()).await.map_err(|_| RequestProblem::slow())?;
        next.transpose().map_err(RequestProblem::invalid)
    }

    fn unwritten(&self, error: &io::Error) -> RequestProblem {
        RequestProblem::internal(message!("disk.unread", path = &self.data_dir, why = error))
    }
}
