//! `/api/folders`: the folders that a device may choose.

use std::{path::PathBuf, sync::Arc};

use ashore_messages::message;
use axum::{
    Extension, Router,
    extract::{RawQuery, State},
    http::HeaderMap,
    routing::get,
};
use tokio::task::spawn_blocking;

use crate::{
    page::{PageInterface, call_check::root_folders, request::parameter},
    problem::{JsonAnswer, RequestProblem},
    roots::{FolderList, FolderRoots},
    server::RemotePeer,
    token_scope::TokenScope,
};

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/folders", get(list))
}

async fn list(
    State(page): State<Arc<PageInterface>>,
    Extension(peer): Extension<RemotePeer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<JsonAnswer<FolderList>, RequestProblem> {
    page.sender(&headers, &peer, TokenScope::Add).await?;
    let wanted = parameter(query.as_deref(), "path").map(PathBuf::from);
    let (folders, path) = (root_folders(&page.service, &page.roots), wanted.clone().unwrap_or_default());
    let read = move || {
        let roots = FolderRoots::new(folders);
        wanted.map_or_else(|| Ok(Some(roots.list_roots())), |wanted| roots.list(&wanted))
    };
    let read = spawn_blocking(read).await.map_err(std::io::Error::other).flatten();
    let list = read.map_err(|error| RequestProblem::refused(message!("disk.unread", path = &path, why = &error)))?;
    list.map(JsonAnswer).ok_or_else(|| RequestProblem::refused(message!("remote-folder", path = &path)))
}
