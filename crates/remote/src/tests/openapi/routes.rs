//! The routes that `docs/openapi.json` describes.

/// Body of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyShape {
    None,
    /// Exported type.
    Type(&'static str),
    /// Parameters of a method of the local socket, without the named parameters, which the route determines.
    Method(&'static str, &'static [&'static str]),
    /// Parameters of one of several methods.
    OneOf(&'static [(&'static str, &'static [&'static str])]),
    /// Bytes: the export document, or a stored body.
    Bytes,
    /// Message of the local socket.
    Message,
}

/// Content of a successful answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerShape {
    None,
    /// Exported type.
    Type(&'static str),
    /// List of an exported type.
    List(&'static str),
    /// Page of the list of downloads.
    Page,
    /// Number of files that are retried.
    Retried,
    /// Id and size of a stored body.
    Stored,
    /// Answer of the local socket.
    Message,
    /// Content with this media type.
    Text(&'static str),
}

/// Parameter of the query: its name, its type, and its description.
pub(super) type QueryShape = (&'static str, &'static str, &'static str);

/// Description of a route.
#[derive(Clone)]
pub(super) struct RouteShape {
    pub method: &'static str,
    pub path: &'static str,
    /// Name of the operation.
    pub name: &'static str,
    /// Scope of the token; empty if the route needs no sign-in.
    pub scope: &'static str,
    pub summary: &'static str,
    pub query: &'static [QueryShape],
    pub body: BodyShape,
    pub answer: AnswerShape,
}

const ID: &[&str] = &["unique_id"];

const fn route(
    method: &'static str,
    path: &'static str,
    name: &'static str,
    scope: &'static str,
    summary: &'static str,
    body: BodyShape,
    answer: AnswerShape,
) -> RouteShape {
    RouteShape { method, path, name, scope, summary, query: &[], body, answer }
}

impl RouteShape {
    const fn with(self, query: &'static [QueryShape]) -> Self {
        Self { query, ..self }
    }
}

/// Returns all routes.
pub(super) fn routes() -> Vec<RouteShape> {
    [download_routes(), action_routes(), setting_routes(), list_routes(), message_routes(), monitoring_routes()].concat()
}

/// Returns the routes that add, list, change and remove downloads.
fn download_routes() -> Vec<RouteShape> {
    use AnswerShape as Answer;
    use BodyShape::{None, OneOf, Type};
    const DOWNLOADS: &str = "/api/v1/downloads";
    const ONE: &str = "/api/v1/downloads/{id}";
    vec![
        route(
            "post",
            DOWNLOADS,
            "createDownload",
            "add",
            "Adds a download.",
            Type("NewRegistration"),
            Answer::Type("Registration"),
        ),
        route("get", DOWNLOADS, "listDownloads", "read", "Lists downloads in pages, newest first.", None, Answer::Page).with(&[
            ("owner", "string", "Only downloads of this owner."),
            ("search", "string", "Only downloads whose title, addresses or names contain this text."),
            ("active", "boolean", "Only downloads that have not ended (true), or that have ended (false)."),
            ("failed", "boolean", "Only downloads with a file that failed permanently (true), or without such a file (false)."),
            ("before", "string", "Only downloads older than this one: `next` of the previous page."),
            ("limit", "integer", "Maximum number of downloads, 1 to 1,000; 100 by default."),
        ]),
        route("get", ONE, "showDownload", "read", "Returns a download.", None, Answer::Type("Registration")),
        route(
            "patch",
            ONE,
            "changeDownload",
            "control",
            "Changes either the texts, or the folder, or the speed limit of a download.",
            OneOf(&[("update_ui", &["unique_id", "icon", "icons"]), ("put_into", ID), ("limit", &["scope"])]),
            Answer::None,
        ),
        route("delete", ONE, "removeDownload", "control", "Removes a download from the list.", None, Answer::None).with(&[(
            "files",
            "boolean",
            "Whether its files move to the trash.",
        )]),
        route(
            "get",
            "/api/v1/downloads/{id}/records",
            "listRecords",
            "read",
            "Lists the requests of a download.",
            None,
            Answer::List("ResponseRecord"),
        )
        .with(&[
            ("from", "integer", "Index of the first request."),
            ("limit", "integer", "Maximum number of requests, 1 to 1,000; 1,000 by default."),
        ]),
    ]
}

/// Returns the routes that control a download.
fn action_routes() -> Vec<RouteShape> {
    use AnswerShape as Answer;
    use BodyShape::{Method, None};
    vec![
        route("post", "/api/v1/downloads/{id}/pause", "pauseDownload", "control", "Pauses a download.", None, Answer::None),
        route("post", "/api/v1/downloads/{id}/resume", "resumeDownload", "control", "Resumes a download.", None, Answer::None),
        route(
            "post",
            "/api/v1/downloads/{id}/retry",
            "retryDownload",
            "control",
            "Retries the failed files of a download.",
            None,
            Answer::Retried,
        ),
        route(
            "post",
            "/api/v1/downloads/{id}/move",
            "moveDownload",
            "control",
            "Moves a download in the queue.",
            Method("move", ID),
            Answer::None,
        ),
        route(
            "post",
            "/api/v1/downloads/{id}/relink",
            "relinkDownload",
            "control",
            "Replaces the address of a file.",
            Method("relink", ID),
            Answer::None,
        ),
    ]
}

/// Returns the routes of settings, limits and quotas.
fn setting_routes() -> Vec<RouteShape> {
    use AnswerShape as Answer;
    use BodyShape::{Method, None};
    vec![
        route("get", "/api/v1/settings", "readSettings", "read", "Returns all settings.", None, Answer::Type("SettingsReport")),
        route(
            "put",
            "/api/v1/settings/{key}",
            "changeSetting",
            "control",
            "Changes a setting.",
            Method("set", &["key"]),
            Answer::None,
        ),
        route("get", "/api/v1/limits", "readLimits", "read", "Returns the speed limits.", None, Answer::List("SpeedLimit")),
        route(
            "put",
            "/api/v1/limits",
            "changeLimit",
            "control",
            "Sets or removes a speed limit.",
            Method("limit", &[]),
            Answer::None,
        ),
        route("get", "/api/v1/quotas", "readQuotas", "read", "Returns the quotas.", None, Answer::List("OwnerQuota")),
        route(
            "put",
            "/api/v1/quotas",
            "changeQuota",
            "control",
            "Sets or removes a quota.",
            Method("set_quota", &[]),
            Answer::None,
        ),
    ]
}

/// Returns the routes of the whole list.
fn list_routes() -> Vec<RouteShape> {
    use AnswerShape as Answer;
    use BodyShape::{Bytes, Method, None};
    vec![
        route(
            "get",
            "/api/v1/statistics",
            "readStatistics",
            "read",
            "Returns the statistics.",
            None,
            Answer::Type("StatisticsReport"),
        )
        .with(&[("days", "integer", "Number of days that are listed separately; 28 by default.")]),
        route(
            "post",
            "/api/v1/understand",
            "understand",
            "read",
            "Parses pasted text, and explains each line.",
            Method("understand", &[]),
            Answer::List("UnderstoodLine"),
        ),
        route(
            "get",
            "/api/v1/doctor",
            "readReport",
            "control",
            "Returns the report of `ashore doctor`.",
            None,
            Answer::Type("EngineReport"),
        ),
        route(
            "get",
            "/api/v1/export",
            "exportList",
            "control",
            "Returns the export document.",
            None,
            Answer::Text("application/octet-stream"),
        ),
        route(
            "post",
            "/api/v1/import",
            "importList",
            "control",
            "Imports an export document.",
            Bytes,
            Answer::Type("ImportSummary"),
        ),
        route(
            "get",
            "/api/v1/events",
            "readEvents",
            "read",
            "Sends the events of the local socket.",
            None,
            Answer::Text("text/event-stream"),
        ),
    ]
}

/// Returns the routes that store bodies and accept messages.
fn message_routes() -> Vec<RouteShape> {
    use AnswerShape as Answer;
    use BodyShape::{Bytes, Message};
    vec![
        route(
            "put",
            "/api/v1/bodies",
            "storeBody",
            "control",
            "Stores a body, which a new download sends with `upload_file`: `body:` and the id.",
            Bytes,
            Answer::Stored,
        ),
        route(
            "post",
            "/api/rpc",
            "callMethod",
            "read",
            "Carries out one message of docs/socket.md. Without an id, the answer is 204.",
            Message,
            Answer::Message,
        ),
    ]
}

/// Returns the routes for monitoring.
fn monitoring_routes() -> Vec<RouteShape> {
    use AnswerShape as Answer;
    use BodyShape::None;
    vec![
        route("get", "/metrics", "readMetrics", "metrics", "Returns metrics for Prometheus.", None, Answer::Text("text/plain")),
        route("get", "/healthz", "checkHealth", "", "Answers 204 if the server accepts requests.", None, Answer::None),
        route("get", "/readyz", "checkReadiness", "", "Answers 204 if the engine is ready, otherwise 503.", None, Answer::None),
    ]
}
