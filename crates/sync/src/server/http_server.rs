//! Implements `SyncServer` over HTTP, for `ashore-sync-server` and any other server of Sync Storage 1.5.
//!
//! Called by the program that owns the data folder. The operations for enrolment, invites and devices work only with
//! `ashore-sync-server`.

use std::{collections::BTreeMap, collections::VecDeque, sync::Arc, time::Duration};

use futures_util::{StreamExt as _, stream};
use reqwest::{Method, Response};
use serde_json::json;
use tokio::{sync::OnceCell, time::timeout};
use url::Url;
use zeroize::Zeroizing;

use super::{
    answer_body::{
        read_counts, read_deleted, read_devices, read_enrolled, read_ids, read_invite, read_limits, read_object, read_objects,
        read_posted, read_quota, read_time, read_times,
    },
    answer_head::{check_type, last_modified},
    batch_plan::{post_body, put_body},
    device_token::DeviceToken,
    event_stream::EventStreamParser,
    http_exchange::{ExchangeAnswer, ExchangeRequest, HttpExchange, JSON, TimeCondition},
    page_check::{ReceivedPage, check_page},
    server_address::ServerAddress,
    server_fault::{ServerAnswer, ServerFailure, ServerFault, ServerHints, ServerResult, UnexpectedAnswer, UnreachableCause},
    server_time::seconds,
    server_types::{
        BatchStep, CollectionListing, CollectionPoll, CreatedInvite, DeviceEnrolled, DeviceEnrolment, InviteRequest,
        ListedDevice, ListedIds, ObjectPage, ObjectPost, OutgoingObject, PageRequest, PostReceipt, ServerChange, ServerLimits,
        SpaceUsage, StoredObject, is_collection_name, is_object_id,
    },
    sync_server::{ChangeStream, SyncServer},
};

/// Maximum length of an answer that is neither a page nor an object, in bytes.
const LONGEST_INFO: usize = 2 << 20;

/// Maximum length of a page or an object, in bytes.
pub const LONGEST_PAGE: usize = 8 << 20;

/// Maximum number of ids in a list.
const MOST_IDS: usize = 100_000;

/// Media type of event streams.
const EVENT_STREAM: &str = "text/event-stream";

/// Maximum time to wait for the next byte of an event stream. The server sends a comment every 50 s.
const EVENT_SILENCE: Duration = Duration::from_secs(110);

/// Client of one server. Clones share their connections.
#[derive(Clone, Debug)]
pub struct HttpServer {
    exchange: Arc<HttpExchange>,
    limits: Arc<OnceCell<ServerLimits>>,
    token: Option<DeviceToken>,
}

impl HttpServer {
    /// Returns a client without a token, which can only enrol. Sends nothing.
    ///
    /// Fails with `Unreachable` if TLS cannot be used on this machine.
    pub fn new(address: ServerAddress) -> Result<Self, ServerFault> {
        Ok(Self { exchange: Arc::new(HttpExchange::new(address)?), limits: Arc::default(), token: None })
    }

    /// Returns the token. Fails with `Unauthorized` if there is none.
    fn token(&self) -> Result<&DeviceToken, ServerFailure> {
        self.token.as_ref().ok_or(ServerFailure::without_answer(ServerFault::Unauthorized))
    }

    /// Returns a request with the token.
    fn request(&self, method: Method, url: Url) -> Result<ExchangeRequest<'_>, ServerFailure> {
        Ok(ExchangeRequest { method, url, accept: JSON, token: Some(self.token()?), condition: None, body: None })
    }

    /// Returns a request to a path below the root URL of the user.
    fn user_request(&self, method: Method, segments: &[&str]) -> Result<ExchangeRequest<'_>, ServerFailure> {
        let uid = self.token()?.uid().to_string();
        self.request(method, self.exchange.url(&[&["1.5", uid.as_str()], segments].concat())?)
    }

    /// Returns a request to a collection or an object. Fails with `Refused` if a name is not valid.
    fn storage_request(&self, method: Method, collection: &str, id: Option<&str>) -> Result<ExchangeRequest<'_>, ServerFailure> {
        if !is_collection_name(collection) || id.is_some_and(|id| !is_object_id(id)) {
            return Err(ServerFailure::without_answer(ServerFault::Refused { status: 400, code: None }));
        }
        let segments: Vec<&str> = ["storage", collection].into_iter().chain(id).collect();
        self.user_request(method, &segments)
    }

    /// Sends a write to the storage. Returns the answer and the time in its header X-Last-Modified.
    async fn write(
        &self,
        mut request: ExchangeRequest<'_>,
        unmodified: Option<i64>,
        body: Option<String>,
    ) -> Result<(ExchangeAnswer, i64), ServerFailure> {
        request.condition = unmodified.map(TimeCondition::Unmodified);
        request.body = body.map(Zeroizing::new);
        let answer = self.exchange.exchange(request, LONGEST_INFO).await?;
        let modified = last_modified(&answer.headers).map_err(|why| answer.fail(why))?;
        Ok((answer, modified))
    }

    /// Sends a request about the account, and returns its answer. Fails with `Status` if the status of the answer is
    /// not `status`.
    async fn account(
        &self,
        mut request: ExchangeRequest<'_>,
        body: Option<Zeroizing<String>>,
        status: u16,
    ) -> Result<ExchangeAnswer, ServerFailure> {
        request.body = body;
        let answer = self.exchange.exchange(request, LONGEST_INFO).await?;
        if answer.status == status { Ok(answer) } else { Err(answer.fail(UnexpectedAnswer::Status)) }
    }
}

/// Returns the parsed body. Fails with `Status` for a status other than 200, and with `Malformed` for a body that is
/// not valid.
fn parsed<T>(answer: &ExchangeAnswer, value: Option<T>) -> ServerResult<T> {
    match value {
        _ if !matches!(answer.status, 200..=202) => Err(answer.fail(UnexpectedAnswer::Status)),
        Some(value) => Ok(ServerAnswer { value, hints: answer.hints }),
        None => Err(answer.fail(UnexpectedAnswer::Malformed)),
    }
}

/// Returns the position of the next page, or `None` after the last page.
fn next_offset(answer: &ExchangeAnswer) -> Result<Option<String>, ServerFailure> {
    let header = answer.headers.get("x-weave-next-offset");
    let text = header.map(|value| value.to_str().map(str::to_owned)).transpose();
    text.map_err(|_| answer.fail(UnexpectedAnswer::WrongPage))
}

/// Converts a 404 of the protocol to `None`.
fn unless_missing<T>(result: ServerResult<T>) -> ServerResult<Option<T>> {
    match result {
        Ok(answer) => Ok(answer.map(Some)),
        Err(ServerFailure { fault: ServerFault::Refused { status: 404, .. }, hints }) => Ok(ServerAnswer { value: None, hints }),
        Err(failure) => Err(failure),
    }
}

impl SyncServer for HttpServer {
    fn with_token(&self, token: DeviceToken) -> Self {
        Self { token: Some(token), ..self.clone() }
    }

    async fn limits(&self) -> ServerResult<ServerLimits> {
        let mut hints = ServerHints::default();
        let read = async || {
            let request = self.user_request(Method::GET, &["info", "configuration"])?;
            let answer = self.exchange.exchange(request, LONGEST_INFO).await?;
            hints = answer.hints;
            parsed(&answer, read_limits(&answer.body)).map(|answer| answer.value)
        };
        let value = *self.limits.get_or_try_init(read).await?;
        Ok(ServerAnswer { value, hints })
    }

    async fn info_collections(&self, since_ms: Option<i64>) -> ServerResult<CollectionPoll> {
        let mut request = self.user_request(Method::GET, &["info", "collections"])?;
        request.condition = since_ms.map(TimeCondition::Modified);
        let answer = self.exchange.exchange(request, LONGEST_INFO).await?;
        let last_modified_ms = last_modified(&answer.headers).map_err(|why| answer.fail(why))?;
        if answer.status == 304 && since_ms.is_some() {
            return Ok(ServerAnswer { value: CollectionPoll::Unchanged, hints: answer.hints });
        }
        let server_time_ms = answer.hints.server_time_ms.unwrap_or_default();
        let listed = parsed(&answer, read_times(&answer.body))?;
        Ok(listed.map(|collections| CollectionPoll::Listed(CollectionListing { collections, last_modified_ms, server_time_ms })))
    }

    async fn collection_counts(&self) -> ServerResult<BTreeMap<String, u64>> {
        let request = self.user_request(Method::GET, &["info", "collection_counts"])?;
        let answer = self.exchange.exchange(request, LONGEST_INFO).await?;
        parsed(&answer, read_counts(&answer.body))
    }

    async fn read_page(&self, request: &PageRequest) -> ServerResult<ObjectPage> {
        let mut http = self.storage_request(Method::GET, &request.collection, None)?;
        http.condition = request.if_unmodified_since_ms.map(TimeCondition::Unmodified);
        http.url
            .query_pairs_mut()
            .append_pair("full", "1")
            .append_pair("newer", &seconds(request.newer_ms))
            .append_pair("sort", "oldest")
            .append_pair("limit", &request.limit.to_string());
        if let Some(offset) = &request.offset {
            http.url.query_pairs_mut().append_pair("offset", &offset.text);
        }
        let answer = self.exchange.exchange(http, LONGEST_PAGE).await?;
        let objects = parsed(&answer, read_objects(&answer.body))?.value;
        let next_offset = next_offset(&answer)?;
        let received = ReceivedPage {
            objects,
            next_offset,
            last_modified_ms: last_modified(&answer.headers).map_err(|why| answer.fail(why))?,
            server_time_ms: answer.hints.server_time_ms.unwrap_or_default(),
        };
        let value = check_page(request, received).map_err(|why| answer.fail(why))?;
        Ok(ServerAnswer { value, hints: answer.hints })
    }

    async fn list_ids(&self, collection: &str, older_ms: Option<i64>) -> ServerResult<ListedIds> {
        let (mut ids, mut known_ms, mut offset): (Vec<String>, Option<i64>, Option<String>) = (Vec::new(), None, None);
        loop {
            let mut http = self.storage_request(Method::GET, collection, None)?;
            // Without this condition, an object that is written between the requests for two successive pages could be
            // missing in both pages.
            http.condition = known_ms.map(TimeCondition::Unmodified);
            http.url.query_pairs_mut().append_pair("sort", "oldest");
            let older = older_ms.map(|ms| ("older", seconds(ms)));
            let begin = offset.take().map(|offset| ("offset", offset));
            http.url.query_pairs_mut().extend_pairs(older.into_iter().chain(begin));
            let answer = self.exchange.exchange(http, LONGEST_INFO).await?;
            let last_modified_ms = last_modified(&answer.headers).map_err(|why| answer.fail(why))?;
            let page = parsed(&answer, read_ids(&answer.body))?.value;
            offset = next_offset(&answer)?;
            // An empty page with an offset could repeat forever.
            if (page.is_empty() && offset.is_some()) || ids.len() + page.len() > MOST_IDS {
                return Err(answer.fail(UnexpectedAnswer::WrongPage));
            }
            ids.extend(page);
            known_ms = Some(last_modified_ms);
            if offset.is_none() {
                return Ok(ServerAnswer { value: ListedIds { ids, last_modified_ms }, hints: answer.hints });
            }
        }
    }

    async fn read_object(&self, collection: &str, id: &str) -> ServerResult<Option<StoredObject>> {
        let request = self.storage_request(Method::GET, collection, Some(id))?;
        let read = async {
            let answer = self.exchange.exchange(request, LONGEST_PAGE).await?;
            last_modified(&answer.headers).map_err(|why| answer.fail(why))?;
            parsed(&answer, read_object(&answer.body, id))
        };
        unless_missing(read.await)
    }

    async fn put_object(
        &self,
        collection: &str,
        object: &OutgoingObject,
        if_unmodified_since_ms: Option<i64>,
    ) -> ServerResult<i64> {
        let request = self.storage_request(Method::PUT, collection, Some(&object.id))?;
        let body = put_body(&object.payload, object.ttl_s);
        let (answer, _) = self.write(request, if_unmodified_since_ms, Some(body)).await?;
        parsed(&answer, read_time(&answer.body))
    }

    async fn post_objects(&self, post: ObjectPost<'_>) -> ServerResult<PostReceipt> {
        let mut request = self.storage_request(Method::POST, post.collection, None)?;
        let (batch, is_open) = match post.step {
            BatchStep::Whole => ("true", false),
            BatchStep::Begin => ("true", true),
            BatchStep::Append(batch) => (batch.as_str(), true),
            BatchStep::Commit(batch) => (batch.as_str(), false),
        };
        request.url.query_pairs_mut().append_pair("batch", batch);
        if !is_open {
            request.url.query_pairs_mut().append_pair("commit", "true");
        }
        let (answer, modified_ms) = self.write(request, post.if_unmodified_since_ms, Some(post_body(post.objects))).await?;
        parsed(&answer, read_posted(&answer.body, post.objects, is_open, modified_ms))
    }

    async fn delete_listed(&self, collection: &str, ids: &[&str], if_unmodified_since_ms: Option<i64>) -> ServerResult<i64> {
        let mut request = self.storage_request(Method::DELETE, collection, None)?;
        request.url.query_pairs_mut().append_pair("ids", &ids.join(","));
        let (answer, _) = self.write(request, if_unmodified_since_ms, None).await?;
        parsed(&answer, read_deleted(&answer.body))
    }

    async fn delete_collection(&self, collection: &str, if_unmodified_since_ms: Option<i64>) -> ServerResult<i64> {
        let request = self.storage_request(Method::DELETE, collection, None)?;
        let (answer, _) = self.write(request, if_unmodified_since_ms, None).await?;
        parsed(&answer, read_deleted(&answer.body))
    }

    async fn enrol(&self, enrolment: &DeviceEnrolment) -> ServerResult<DeviceEnrolled> {
        let DeviceEnrolment { uid, invite, auth, name } = enrolment;
        let body = Zeroizing::new(json!({ "uid": uid, "invite": invite, "auth": auth.as_str(), "name": name }).to_string());
        let url = self.exchange.url(&["1.0", "enrol"])?;
        let request = ExchangeRequest { method: Method::POST, url, accept: JSON, token: None, condition: None, body: None };
        let answer = self.account(request, Some(body), 201).await?;
        parsed(&answer, read_enrolled(&answer.body))
    }

    async fn create_invite(&self, invite: &InviteRequest) -> ServerResult<CreatedInvite> {
        let request = self.request(Method::POST, self.exchange.url(&["1.0", "invites"])?)?;
        let body = json!({ "auth_hash": invite.auth_hash, "wrapped": invite.wrapped }).to_string();
        let answer = self.account(request, Some(Zeroizing::new(body)), 201).await?;
        parsed(&answer, read_invite(&answer.body))
    }

    async fn devices(&self) -> ServerResult<Vec<ListedDevice>> {
        let request = self.request(Method::GET, self.exchange.url(&["1.0", "devices"])?)?;
        let answer = self.account(request, None, 200).await?;
        parsed(&answer, read_devices(&answer.body))
    }

    async fn remove_device(&self, device: &str) -> ServerResult<bool> {
        let request = self.request(Method::DELETE, self.exchange.url(&["1.0", "devices", device])?)?;
        let removed =
            async { self.account(request, None, 200).await.map(|answer| ServerAnswer { value: (), hints: answer.hints }) };
        Ok(unless_missing(removed.await)?.map(|removed| removed.is_some()))
    }

    async fn change_auth(&self, auth_hash: &str) -> ServerResult<()> {
        let request = self.request(Method::PUT, self.exchange.url(&["1.0", "account", "auth"])?)?;
        let body = Zeroizing::new(json!({ "auth_hash": auth_hash }).to_string());
        let answer = self.account(request, Some(body), 200).await?;
        Ok(ServerAnswer { value: (), hints: answer.hints })
    }

    async fn quota(&self) -> ServerResult<SpaceUsage> {
        let request = self.user_request(Method::GET, &["info", "quota"])?;
        let answer = self.exchange.exchange(request, LONGEST_INFO).await?;
        parsed(&answer, read_quota(&answer.body))
    }

    async fn events(&self) -> ServerResult<ChangeStream> {
        let mut request = self.user_request(Method::GET, &["events"])?;
        request.accept = EVENT_STREAM;
        let (response, hints) = self.exchange.begin(request).await?;
        let wrong = |why| ServerFailure { fault: ServerFault::NotSyncServer(why), hints };
        if response.status().as_u16() != 200 {
            return Err(wrong(UnexpectedAnswer::Status));
        }
        check_type(response.headers(), EVENT_STREAM).map_err(wrong)?;
        let open = OpenStream { response, parser: EventStreamParser::default(), changes: VecDeque::new() };
        Ok(ServerAnswer { value: stream::unfold(Some(open), next_change).boxed(), hints })
    }
}

/// Event stream, and the received changes that have not been returned yet.
struct OpenStream {
    response: Response,
    parser: EventStreamParser,
    changes: VecDeque<ServerChange>,
}

/// Returns the next change with the rest of the stream.
async fn next_change(open: Option<OpenStream>) -> Option<(Result<ServerChange, ServerFailure>, Option<OpenStream>)> {
    let mut open = open?;
    let fault = loop {
        if let Some(change) = open.changes.pop_front() {
            return Some((Ok(change), Some(open)));
        }
        match timeout(EVENT_SILENCE, open.response.chunk()).await {
            Ok(Ok(Some(bytes))) => match open.parser.feed(&bytes) {
                Ok(changes) => open.changes.extend(changes),
                Err(why) => break ServerFault::NotSyncServer(why),
            },
            Ok(Ok(None)) => return None,
            Ok(Err(_)) => break ServerFault::Unreachable(UnreachableCause::ConnectionLost),
            Err(_) => break ServerFault::TimedOut,
        }
    };
    Some((Err(ServerFailure::without_answer(fault)), None))
}
