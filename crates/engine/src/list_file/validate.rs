//! Validates the lines of a saved list like manual input of the user. [pure]
//!
//! A file that a line names is neither sent nor deleted. Numbers in a list are bounded, so that their sums cannot
//! overflow.

use std::path::{Component, Path, PathBuf};

use ashore_messages::{UserMessage, message};
use ashore_transfer::{DigestAlgorithm, FileDigest, NotADigest, RateLimit};
use url::Url;

use crate::{
    EngineError,
    api::speed_limits::accept_host,
    intake::{
        file_kind,
        url_error::link_fault,
        validate::{accept_description, accept_request},
    },
    model::{
        FailureReason, FileCategory, RequestSource,
        values::{http_method::accept_method, path_text, retention::RetentionPeriod, shortened::shortened},
    },
    platform::env::EngineEnv,
    store::{
        ImportOutcome, ImportedAnswer, ImportedAttempt, ImportedDone, ImportedEnd, ImportedRegistration, ImportedRequest,
        list_file::format::{
            self, ExportedAttempt, ExportedCaller, ExportedChecksumLink, ExportedCompletion, ExportedFailure, ExportedLimit,
            ExportedQuota, ExportedRegistration, ExportedResponse, ExportedState, LONGEST,
        },
    },
};

/// Maximum size of a file and of all files together, in bytes. JSON represents it exactly.
const MOST: u64 = 1 << 53;
/// Accepted times, from the year 0 to the year 9999, in milliseconds of Unix time.
const TIMES: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;
/// Accepted ranks.
const RANKS: std::ops::RangeInclusive<i64> = -(1 << 52)..=1 << 52;
/// Maximum number of attempts kept for one request.
const REMEMBERED: usize = 20;
/// Owner of an imported registration if its line in the file does not name an owner.
const OWNER: &str = "window";

/// A registration that passed validation.
#[derive(Debug)]
pub(crate) struct CheckedImport {
    pub registration: ImportedRegistration,
    /// Id that the owner gave to the registration.
    pub own_name: Option<String>,
    pub end: ImportedEnd,
}

impl CheckedImport {
    pub fn from_registration(new: ExportedRegistration, env: &EngineEnv) -> Result<Self, EngineError> {
        let created_us = time(new.created)?;
        let folder = path_text::from_text(&new.folder);
        if !folder.is_absolute() || new.folder.contains('\0') {
            return Err(EngineError::Target { path: folder, why: message!("fault-path.relative").into() });
        }
        let owner = if new.owner.is_empty() { OWNER.to_owned() } else { new.owner };
        if owner.len() > 256 {
            return refuse(message!("invalid.owner"));
        }
        if new.developer_id.as_ref().is_some_and(|name| name.is_empty() || name.len() > LONGEST) {
            return refuse(message!("invalid.id"));
        }
        if !RANKS.contains(&new.rank) {
            return refuse(message!("invalid.rank"));
        }
        if let Some(parallel) = new.parallel.filter(|parallel| !(1..=64).contains(parallel)) {
            return refuse(message!("invalid.parallel", value = parallel.to_string()));
        }
        let title = new.title.trim();
        let title = if title.is_empty() { new.id.to_string() } else { title.to_owned() };
        let failure = new.failure.filter(|failure| failure.reason != FailureReason::None);
        let failure = failure.map(|ExportedFailure { reason, code, variant, args, text }| {
            (reason, restored(UserMessage { code, variant, args, text }))
        });
        let registration = ImportedRegistration {
            id: new.id,
            owner,
            developer_id: String::new(),
            title,
            description: accept_description(&new.description)?,
            source: new.source.unwrap_or(RequestSource::Window),
            day: crate::platform::day::day_of(env, created_us),
            folder,
            category: new.kind.unwrap_or(FileCategory::Other),
            created_us,
            rank: new.rank,
            parallel: new.parallel.unwrap_or_default(),
            download_total: bytes(new.download_total)?,
            keep_for: new.keep_for_seconds.map(RetentionPeriod::of_seconds).transpose().map_err(EngineError::Invalid)?,
            takes_files: new.takes_files,
            bytes_per_second: new.bytes_per_second.map(RateLimit::new).transpose()?.map(RateLimit::bytes),
        };
        let end = ImportedEnd { result: new.result, settled_us: new.settled.map(time).transpose()?, failure, content: None };
        Ok(Self { registration, own_name: new.developer_id, end })
    }
}

/// Total size of the files and bodies of all requests so far, checked against the maximum.
#[derive(Debug, Default)]
pub(crate) struct ImportLimits {
    bytes: u64,
}

impl ImportLimits {
    pub fn add(&mut self, request: &ImportedRequest) -> Result<(), EngineError> {
        let body = request.accepted.body.as_ref().map_or(0, |(_, size)| *size);
        if let ImportOutcome::Done(done) = &request.became {
            self.bytes = self.bytes.saturating_add(done.size).saturating_add(done.sent);
        }
        self.bytes = self.bytes.saturating_add(body);
        bytes(self.bytes).map(drop)
    }
}

/// Validates a request. `body` returns the path of its upload body.
pub(crate) fn request(
    new: ExportedCaller,
    env: &EngineEnv,
    body: impl FnOnce() -> PathBuf,
) -> Result<ImportedRequest, EngineError> {
    let (method, body_size) = (new.asked.method.clone(), new.asked.body_size);
    let mut accepted = accept_request(new.asked.into_new())?;
    match method.as_deref().map(str::to_ascii_uppercase).as_deref() {
        None | Some("GET") => {}
        Some(method) if accepted.expectation.is_none() => {
            accepted.method = accept_method(Some(method), body_size.is_some())?;
            accepted.body = body_size.map(|size| Ok::<_, EngineError>((body(), bytes(size)?))).transpose()?;
        }
        Some(method) => return refuse(message!("invalid.expectation", method = method)),
    }
    if accepted.name.as_ref().is_some_and(|name| name.contains('\0')) {
        return refuse(message!("invalid.null-name"));
    }
    let category = new.kind.unwrap_or_else(|| file_kind::expected(&accepted.url, accepted.name.as_deref()));
    let became = match (new.state, new.done) {
        (ExportedState::Unfinished, _) => ImportOutcome::Unfinished,
        (ExportedState::Failed, _) => ImportOutcome::Failed,
        (ExportedState::Done, Some(done)) => ImportOutcome::Done(Box::new(there(done, env)?)),
        (ExportedState::Done, None) => return refuse(message!("invalid.no-outcome")),
    };
    let is_unfinished = matches!(became, ImportOutcome::Unfinished);
    let first = new.attempts.len().saturating_sub(REMEMBERED);
    let attempts = new.attempts.into_iter().skip(first).filter(|attempt| (1..=new.tries).contains(&attempt.number));
    let vouchers = new.vouchers.into_iter().filter(|_| is_unfinished).map(voucher);
    Ok(ImportedRequest {
        accepted,
        category,
        became,
        tries: new.tries,
        answer: new.answer.filter(|_| !is_unfinished).map(answer).transpose()?,
        attempts: attempts.map(attempt).collect::<Result<_, _>>()?,
        vouchers: vouchers.collect::<Result<_, _>>()?,
    })
}

/// Derives the failure of a registration from its failed request, if the line of the registration states no failure.
pub(crate) fn failure(request: &ImportedRequest) -> (FailureReason, UserMessage) {
    let last = request.attempts.iter().find(|attempt| attempt.number == request.tries);
    match last {
        Some(last) if last.reason != FailureReason::None => (last.reason, last.trouble.clone()),
        Some(last) => (FailureReason::FetchError, last.trouble.clone()),
        None => (FailureReason::FetchError, message!("internal")),
    }
}

/// Validates a speed limit. Returns its host and the bytes per second. The host is `None` for all hosts together.
pub(crate) fn limit(limit: Option<ExportedLimit>) -> Result<Option<(Option<String>, u64)>, EngineError> {
    let Some(ExportedLimit { host, bytes_per_second }) = limit else { return Ok(None) };
    let rate = RateLimit::new(bytes_per_second)?;
    Ok(Some((host.map(accept_host).transpose()?, rate.bytes())))
}

type AcceptedQuota = (Option<String>, Option<FileCategory>, Option<u64>, Option<u64>);

/// Validates a quota. Returns its owner, category, bytes and files.
pub(crate) fn quota(quota: Option<ExportedQuota>) -> Result<Option<AcceptedQuota>, EngineError> {
    let Some(ExportedQuota { owner, kind, bytes, files }) = quota else { return Ok(None) };
    let is_amount = |amount: Option<u64>| amount.is_none_or(|amount| (1..=MOST).contains(&amount));
    let is_name = owner.as_ref().is_none_or(|name| (1..=256).contains(&name.len()));
    if !is_name || !is_amount(bytes) || !is_amount(files) || bytes.is_none() && files.is_none() {
        return refuse(message!("invalid.quota"));
    }
    Ok(Some((owner, kind, bytes, files)))
}

fn there(done: ExportedCompletion, env: &EngineEnv) -> Result<ImportedDone, EngineError> {
    if let Some(path) = &done.path {
        is_place(path)?;
    }
    let digest = done.digest.map(|text| text.parse::<FileDigest>()).transpose();
    Ok(ImportedDone {
        guid: env.guid(),
        path: done.path,
        size: bytes(done.size)?,
        sent: bytes(done.sent)?,
        digest: digest.map_err(|NotADigest(text)| EngineError::Invalid(message!("invalid.checksum", value = text)))?,
        verified: done.verified,
        started_us: done.started.map(time).transpose()?,
        finished_us: time(done.finished)?,
        brought: done.brought.map(bytes).transpose()?,
    })
}

/// Fails if `path` is not absolute, contains `..` or a control character, or has more than 4,096 bytes.
fn is_place(path: &str) -> Result<(), EngineError> {
    let mut parts = Path::new(path).components();
    let is_whole = parts.next() == Some(Component::RootDir) && parts.all(|part| matches!(part, Component::Normal(_)));
    if !is_whole || path.len() > 4096 || path.chars().any(char::is_control) {
        return refuse(message!("invalid.file-path", path = shortened(&path.escape_debug().to_string())));
    }
    Ok(())
}

fn answer(answer: ExportedResponse) -> Result<ImportedAnswer, EngineError> {
    let ExportedResponse { status, status_text, headers, url_chain, total_size, name, .. } = answer;
    Ok(ImportedAnswer {
        status,
        status_text,
        headers,
        url_chain: chain(url_chain)?,
        total_size: total_size.map(bytes).transpose()?,
        name,
    })
}

fn attempt(attempt: ExportedAttempt) -> Result<ImportedAttempt, EngineError> {
    Ok(ImportedAttempt {
        number: attempt.number,
        started_us: attempt.started.map(time).transpose()?,
        ended_us: time(attempt.ended)?,
        reason: attempt.reason,
        trouble: restored(attempt.trouble),
        status: attempt.status,
        bytes: bytes(attempt.bytes)?,
        brought: attempt.brought.map(bytes).transpose()?,
        url_chain: chain(attempt.url_chain)?,
    })
}

fn voucher(voucher: ExportedChecksumLink) -> Result<(u32, String, String), EngineError> {
    let algorithm = DigestAlgorithm::named(&voucher.algorithm);
    let said = voucher.said.map(|text| text.parse::<FileDigest>()).transpose();
    let (Some(algorithm), Ok(said)) = (algorithm, said) else { return refuse(message!("invalid.checksum-link")) };
    if said.as_ref().is_some_and(|said| said.algorithm != algorithm) {
        return refuse(message!("invalid.checksum-link"));
    }
    Ok((voucher.index, algorithm.to_string(), said.map_or_else(String::new, |said| said.to_string())))
}

/// Validates the addresses of a redirect chain. Accepts only `http` and `https`, because the user sees the addresses.
pub(crate) fn chain(urls: Vec<String>) -> Result<Vec<String>, EngineError> {
    for url in &urls {
        let parsed =
            Url::parse(url).map_err(|error| EngineError::BadUrl { url: shortened(url), why: link_fault(error).into() })?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(EngineError::BadScheme(shortened(url)));
        }
    }
    Ok(urls.iter().map(|url| format::without_sign_in(url)).collect())
}

fn bytes(number: u64) -> Result<u64, EngineError> {
    if number > MOST { refuse(message!("invalid.large")) } else { Ok(number) }
}

/// Converts a time from milliseconds to microseconds.
fn time(milliseconds: i64) -> Result<i64, EngineError> {
    if TIMES.contains(&milliseconds) { Ok(milliseconds * 1000) } else { refuse(message!("invalid.date")) }
}

fn refuse<T>(message: UserMessage) -> Result<T, EngineError> {
    Err(EngineError::Invalid(message))
}

/// Renders an imported message again. If the catalogue lacks the message, for example because a newer Ashore wrote it,
/// the imported text is used.
fn restored(UserMessage { code, variant, args, text }: UserMessage) -> UserMessage {
    UserMessage::restore(&code, variant, args, Some(text))
}

/// Asserts the invariants of saved lists from any source.
///
/// A line is either refused or can do no more than a link that the user adds. Writing and reading a line again does not
/// change it.
#[cfg(debug_assertions)]
pub(crate) fn saved_list_holds(data: &[u8]) {
    use crate::store::list_file::format::{ExportedRequest, ListFileLine, ListFileReader};

    let env = EngineEnv::default();
    let Ok(mut lines) = ListFileReader::open(data, false) else { return };
    while let Ok(Some((_, line))) = lines.next() {
        let written = line.clone().written().ok().flatten();
        let again = written.and_then(|text| serde_json::from_slice::<ListFileLine>(&text).ok());
        assert_eq!(again.as_ref(), Some(&line));
        if let Some(Ok(arrival)) = line.registration.map(|new| CheckedImport::from_registration(*new, &env)) {
            assert!(arrival.registration.folder.is_absolute() && (1..=256).contains(&arrival.registration.owner.len()));
        }
        if let Some(Ok(request)) = line.request.map(|new| request(*new, &env, || PathBuf::from("/kept"))) {
            let url = &request.accepted.url;
            assert!(matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none());
            assert!(request.accepted.body.as_ref().is_none_or(|(path, _)| path == Path::new("/kept")));
            assert_eq!(request.accepted.guid, None, "the GUID belongs to a partial file");
            if let ImportOutcome::Done(done) = &request.became {
                assert!(done.path.as_ref().is_none_or(|path| path.starts_with('/') && !path.contains("/../")));
            }
            let asked = ExportedRequest::from_accepted(&request.accepted);
            let (headers, left_out) = format::leaves(asked.headers.clone());
            assert!(headers == asked.headers && left_out.is_empty(), "a secret would leave");
        }
    }
    assert!(lines.counts().0 <= lines.counts().1 + 1);
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;
    use crate::UniqueId;

    /// Returns a copy of `line` with these fields replaced.
    fn with<T: DeserializeOwned>(mut line: Value, fields: Value) -> T {
        let Value::Object(fields) = fields else { panic!("fields are an object") };
        line.as_object_mut().unwrap().extend(fields);
        serde_json::from_value(line).unwrap()
    }

    fn arrival(fields: Value) -> Result<CheckedImport, EngineError> {
        CheckedImport::from_registration(
            with(json!({ "id": UniqueId(uuid::Uuid::nil()), "folder": "/f" }), fields),
            &EngineEnv::default(),
        )
    }

    fn arrived(fields: Value) -> Result<ImportedRequest, EngineError> {
        request(with(json!({ "asked": { "url": "https://a.test/" } }), fields), &EngineEnv::default(), || PathBuf::from("/kept"))
    }

    #[test]
    fn imported_registration_with_values_that_no_user_can_enter_is_refused() {
        for bad in [
            json!({ "folder": "f" }),
            json!({ "folder": "/a\0b" }),
            json!({ "owner": "o".repeat(257) }),
            json!({ "developer_id": "" }),
            json!({ "developer_id": "o".repeat(LONGEST + 1) }),
            json!({ "rank": (1_i64 << 52) + 1 }),
            json!({ "parallel": 0 }),
            json!({ "parallel": 65 }),
            json!({ "created": i64::MAX }),
            json!({ "settled": i64::MIN }),
            json!({ "download_total": u64::MAX }),
            json!({ "bytes_per_second": 0 }),
        ] {
            assert!(arrival(bad.clone()).is_err(), "{bad}");
        }
        let plain = arrival(json!({ "title": " " })).unwrap().registration;
        assert_eq!((plain.owner.as_str(), plain.title), (OWNER, UniqueId(uuid::Uuid::nil()).to_string()));
        let given =
            arrival(json!({ "owner": "me", "title": " a ", "parallel": 64, "rank": -(1_i64 << 52) })).unwrap().registration;
        assert_eq!((given.owner.as_str(), given.title.as_str(), given.parallel), ("me", "a", 64));
    }

    #[test]
    fn imported_request_with_values_that_no_user_can_enter_is_refused() {
        let done = |fields: Value| json!({ "state": "done", "done": with::<Value>(json!({ "size": 1 }), fields) });
        let voucher =
            |fields: Value| json!({ "vouchers": [with::<Value>(json!({ "index": 0, "algorithm": "sha-256" }), fields)] });
        let attempt = |fields: Value| {
            let attempt = json!({ "number": 1, "ended": 0, "reason": "", "code": "reset", "text": "It ended." });
            json!({ "tries": 1, "attempts": [with::<Value>(attempt, fields)] })
        };
        let answer = |fields: Value| json!({ "state": "failed", "answer": fields });
        let asked = |fields: Value| json!({ "asked": with::<Value>(json!({ "url": "https://a.test/" }), fields) });
        let sha = format!("sha-256={}", "0".repeat(64));
        for bad in [
            asked(json!({ "method": "TRACE" })),
            asked(json!({ "method": "HEAD", "body_size": 5 })),
            asked(json!({ "method": "POST", "mirrors": ["https://b.test/"] })),
            asked(json!({ "method": "PUT", "body_size": u64::MAX })),
            asked(json!({ "name": "a\0b" })),
            json!({ "state": "done" }),
            done(json!({ "path": "a" })),
            done(json!({ "path": "/a/../b" })),
            done(json!({ "path": format!("/{}", "a".repeat(4096)) })),
            done(json!({ "path": "/a\u{202e}b\u{7}" })),
            done(json!({ "digest": "sha-256=no" })),
            done(json!({ "size": u64::MAX })),
            done(json!({ "finished": i64::MAX })),
            attempt(json!({ "url_chain": ["no address"] })),
            attempt(json!({ "url_chain": ["file:///etc/passwd"] })),
            attempt(json!({ "bytes": u64::MAX })),
            answer(json!({ "url_chain": ["ftp://a.test/"] })),
            answer(json!({ "total_size": u64::MAX })),
            voucher(json!({ "algorithm": "crc" })),
            voucher(json!({ "said": "no digest" })),
            voucher(json!({ "algorithm": "md5", "said": sha })),
        ] {
            assert!(arrived(bad.clone()).is_err(), "{bad}");
        }
        let sent = arrived(asked(json!({ "method": "put", "body_size": 5 }))).unwrap().accepted;
        assert_eq!((sent.method.as_str(), sent.body), ("PUT", Some((PathBuf::from("/kept"), 5))));
        let vouched = arrived(voucher(json!({ "said": sha }))).unwrap().vouchers;
        assert_eq!(vouched, [(0, "sha-256".to_owned(), sha)]);
        assert!(matches!(arrived(done(json!({ "path": "/a/b" }))).unwrap().became, ImportOutcome::Done(_)));
        assert_eq!(arrived(attempt(json!({ "number": 2 }))).unwrap().attempts.len(), 0, "there was no second try");
    }

    #[test]
    fn imported_registration_takes_failure_from_last_attempt_of_its_request() {
        let failed = |attempts: Value| arrived(json!({ "state": "failed", "tries": 2, "attempts": attempts })).unwrap();
        let attempt = |reason: &str| json!({ "number": 2, "ended": 0, "reason": reason, "code": "reset", "text": "It ended." });
        let why = |attempts: Value| {
            let (reason, trouble) = failure(&failed(attempts));
            (reason, trouble.code)
        };
        assert_eq!(why(json!([attempt("bad-status")])), (FailureReason::BadStatus, "reset".to_owned()));
        assert_eq!(why(json!([attempt("")])), (FailureReason::FetchError, "reset".to_owned()));
        assert_eq!(why(json!([])), (FailureReason::FetchError, "internal".to_owned()));
    }

    #[test]
    fn imported_failure_text_is_regenerated_unless_its_code_is_unknown() {
        let read = |failure: Value| arrival(json!({ "failure": failure })).unwrap().end.failure.unwrap().1;
        let gone = message!("bad-status.gone");
        let named = json!({ "reason": "bad-status", "code": "bad-status", "variant": "gone", "text": "Another sentence." });
        assert_eq!(read(named), gone);
        let short = message!("disk.short", amount = ashore_messages::MessageArgument::size(7), folder = "/d");
        let given = json!({ "reason": "quota-exceeded", "code": "disk", "variant": "short", "args": short.args });
        assert_eq!(read(given), short, "a file without the text");
        let newer = json!({ "reason": "fetch-error", "code": "not-known-here", "text": "It has a reason." });
        assert_eq!(read(newer).text, "It has a reason.");
        let attempt = json!({ "number": 1, "ended": 0, "reason": "", "code": "bad-status", "variant": "gone", "text": "" });
        assert_eq!(arrived(json!({ "tries": 1, "attempts": [attempt] })).unwrap().attempts[0].trouble, gone);
    }

    #[test]
    fn zero_or_invalid_limits_and_quotas_are_refused_at_import() {
        let given = |fields: Value| quota(Some(serde_json::from_value(fields).unwrap()));
        for bad in [
            json!({ "owner": "", "bytes": 1 }),
            json!({ "owner": "o".repeat(257), "bytes": 1 }),
            json!({ "bytes": 0 }),
            json!({ "bytes": 1, "files": 0 }),
            json!({ "files": u64::MAX }),
            json!({ "owner": "me" }),
        ] {
            assert!(given(bad.clone()).is_err(), "{bad}");
        }
        let limited = |fields: Value| limit(Some(serde_json::from_value(fields).unwrap()));
        assert_eq!(given(json!({ "files": 3 })).unwrap(), Some((None, None, None, Some(3))));
        assert!(
            limited(json!({ "bytes_per_second": 0 })).is_err()
                && limited(json!({ "host": "a b", "bytes_per_second": 9_999 })).is_err()
        );
        assert_eq!(limited(json!({ "bytes_per_second": 1 << 20 })).unwrap(), Some((None, 1 << 20)));
        assert_eq!((quota(None).unwrap(), limit(None).unwrap()), (None, None));
    }
}
