//! `/api/tickets`, and `/files/ID/INDEX`: a finished file as a download.
//!
//! - A file is never shown as a page: it is an attachment without a type, in a sandbox.
//! - The engine checks that the file is still the one that the engine published.

use std::{
    fs::{File, OpenOptions},
    io::{self, SeekFrom},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use ashore_engine::{
    UniqueId,
    atomic_file::{self, SymlinkPolicy},
};
use ashore_messages::message;
use axum::{
    Extension, Router,
    body::{Body, Bytes},
    extract::{Path as AddressPath, RawQuery, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
    routing::{get, post},
};
use futures_util::stream::try_unfold;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncSeekExt as _},
    task::spawn_blocking,
};

use crate::{
    page::{PageInterface, byte_range::ByteRange, request::parameter, tickets::TicketTarget},
    problem::{JsonAnswer, RequestProblem},
    server::RemotePeer,
    server::access_control::only,
    token_scope::TokenScope,
};

/// Number of bytes that are read at a time.
const CHUNK: u64 = 64 * 1024;
/// Characters of a name that need no encoding (RFC 8187, section 3.2.1).
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Request for a ticket that permits one download: of a file, or of the export document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TicketRequest {
    unique_id: Option<UniqueId>,
    index: Option<u32>,
    #[serde(default)]
    export: bool,
}

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    let file = get(send_file).head(refuse_head);
    Router::new().route("/api/tickets", post(issue_ticket)).route("/files/{id}/{index}", file)
}

/// Refuses HEAD. axum would otherwise answer it as GET, and use up the ticket without sending the file.
pub(super) async fn refuse_head() -> StatusCode {
    StatusCode::METHOD_NOT_ALLOWED
}

async fn issue_ticket(
    State(page): State<Arc<PageInterface>>,
    Extension(peer): Extension<RemotePeer>,
    headers: HeaderMap,
    request: Request,
) -> Result<JsonAnswer<Value>, RequestProblem> {
    let owner = page.sender(&headers, &peer, TokenScope::Read).await?;
    let wanted: TicketRequest = page.json(request.into_body()).await?;
    let (target, path) = match wanted {
        TicketRequest { unique_id: Some(unique_id), index: Some(index), export: false } => {
            (TicketTarget::File { unique_id, index }, format!("files/{unique_id}/{index}"))
        }
        TicketRequest { unique_id: None, index: None, export: true } => (TicketTarget::Export, "api/export".to_owned()),
        _ => return Err(RequestProblem::invalid("`unique_id` and `index`, or `export`, are required")),
    };
    if target == TicketTarget::Export && !owner.scope.includes(TokenScope::Control) {
        return Err(RequestProblem::of_scope(owner.kind));
    }
    let ticket = page.tickets().issue(target, owner.id, (page.now)(), &mut rand::rng());
    let busy = || RequestProblem::new(StatusCode::SERVICE_UNAVAILABLE, message!("remote-file.busy"));
    Ok(JsonAnswer(json!({ "path": format!("{path}?ticket={}", ticket.ok_or_else(busy)?) })))
}

async fn send_file(
    State(page): State<Arc<PageInterface>>,
    AddressPath((id, index)): AddressPath<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, RequestProblem> {
    let id: Option<UniqueId> = serde_json::from_value(Value::String(id)).ok();
    let (Some(unique_id), Ok(index)) = (id, index.parse()) else { return Err(no_ticket()) };
    page.redeem(query.as_deref(), TicketTarget::File { unique_id, index }).await?;
    let path = page.service.engine().file(unique_id, index).await.map_err(|error| RequestProblem::refused(error.message()))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = open(path).await?;
    attachment(file, &name, &headers).await
}

impl PageInterface {
    /// Uses up the ticket in the query of a request. Fails if the ticket is not valid for `target`, or if its device is
    /// no longer signed in.
    pub(super) async fn redeem(&self, query: Option<&str>, target: TicketTarget) -> Result<(), RequestProblem> {
        let ticket = parameter(query, "ticket").ok_or_else(no_ticket)?;
        let owner = self.tickets().redeem(&ticket, target, (self.now)()).ok_or_else(no_ticket)?;
        if self.sessions.is_signed_in(&owner).await { Ok(()) } else { Err(no_ticket()) }
    }
}

fn no_ticket() -> RequestProblem {
    RequestProblem::new(StatusCode::NOT_FOUND, message!("remote-file"))
}

/// Opens a file for reading. Refuses a symbolic link.
pub(super) async fn open(path: PathBuf) -> Result<File, RequestProblem> {
    let opened = path.clone();
    let open = move || atomic_file::open(&opened, OpenOptions::new().read(true), SymlinkPolicy::Refused);
    let opened = spawn_blocking(open).await.map_err(io::Error::other).flatten();
    opened.map_err(|error| unread(&path, &error))
}

fn unread(path: &Path, error: &io::Error) -> RequestProblem {
    RequestProblem::refused(message!("disk.unread", path = path, why = error))
}

/// Returns a response with a file, or with the part of it that the request asks for.
pub(super) async fn attachment(file: File, name: &str, headers: &HeaderMap) -> Result<Response, RequestProblem> {
    let of_name = |error: &io::Error| unread(Path::new(name), error);
    let metadata = file.metadata().map_err(|error| of_name(&error))?;
    let size = metadata.len();
    let tag = format!("\"{:x}-{:x}-{:x}.{:x}\"", metadata.ino(), size, metadata.mtime(), metadata.mtime_nsec());
    // Send a part of the file only if the client has the rest of the same version.
    let is_same = only(headers, &header::IF_RANGE).is_none_or(|known| known == tag);
    let range = ByteRange::from_header(only(headers, &header::RANGE).filter(|_| is_same), size);
    let (status, first, length) = match range {
        ByteRange::Whole => (StatusCode::OK, 0, size),
        ByteRange::Part { first, last } => (StatusCode::PARTIAL_CONTENT, first, last - first + 1),
        ByteRange::Unsatisfiable => (StatusCode::RANGE_NOT_SATISFIABLE, 0, 0),
    };
    let mut file = tokio::fs::File::from_std(file);
    file.seek(SeekFrom::Start(first)).await.map_err(|error| of_name(&error))?;
    let mut response = Response::new(Body::from_stream(try_unfold((file, length), next_bytes)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"),
        (header::CACHE_CONTROL, "no-store"),
        (header::ACCEPT_RANGES, "bytes"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_LENGTH, length.into());
    let range = match range {
        ByteRange::Whole => None,
        ByteRange::Part { first, last } => Some(format!("bytes {first}-{last}/{size}")),
        ByteRange::Unsatisfiable => Some(format!("bytes */{size}")),
    };
    let disposition = Some(format!("attachment; filename*=UTF-8''{}", utf8_percent_encode(name, PLAIN)));
    for (name, value) in [(header::CONTENT_RANGE, range), (header::CONTENT_DISPOSITION, disposition), (header::ETAG, Some(tag))] {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(name, value);
        }
    }
    Ok(response)
}

/// Returns the next bytes of a file. `rest` is the number of bytes that are still to be sent. Fails if the file has
/// become shorter.
async fn next_bytes((mut file, rest): (tokio::fs::File, u64)) -> io::Result<Option<(Bytes, (tokio::fs::File, u64))>> {
    if rest == 0 {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read = (&mut file).take(rest.min(CHUNK)).read_to_end(&mut bytes).await?;
    match read {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        read => Ok(Some((bytes.into(), (file, rest - read as u64)))),
    }
}
