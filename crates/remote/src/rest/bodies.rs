//! `/api/v1/bodies`: stores a file, which a new download then sends to another server.
//!
//! A request of the download names the file by its `upload_file`: `body:` and the id. A path of this machine is never
//! accepted.

use std::{path::PathBuf, sync::Arc, time::Duration};

use ashore_engine::NewRegistration;
use ashore_messages::message;
use axum::{
    Router,
    body::Body,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::put,
};
use serde::Serialize;

use crate::{
    body_store::{KEPT_FOR, StoredBody},
    page::PageInterface,
    problem::{JsonAnswer, RequestProblem},
    rest::caller::RestCaller,
    sessions::new_secret,
    token_scope::TokenScope,
};

/// Maximum size of a body in bytes.
const LONGEST_BODY: u64 = 1024 * 1024 * 1024;
/// Beginning of an `upload_file` that names a stored body. The id follows.
const SCHEME: &str = "body:";
/// Methods that send a body.
const METHODS: [&str; 3] = ["PUT", "POST", "PATCH"];

/// Answer to a stored body.
#[derive(Serialize)]
struct StoredAnswer {
    id: String,
    /// Size in bytes.
    size: u64,
}

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/v1/bodies", put(store))
}

/// Answers 201 with the id of the stored body.
async fn store(caller: RestCaller, body: Body) -> Result<Response, RequestProblem> {
    caller.require(TokenScope::Control)?;
    let RestCaller { page, owner, .. } = &caller;
    let busy = || RequestProblem::new(StatusCode::TOO_MANY_REQUESTS, message!("stored-body.busy"));
    let place = page.bodies.place((page.now)()).ok_or_else(busy)?;
    let (file, size) = page.received(body, LONGEST_BODY).await?;
    let id = new_secret(&mut rand::rng());
    place.fill(id.clone(), file, owner.id.clone(), (page.now)());
    let weak = Arc::downgrade(page);
    // The task ends with the server, and does not keep its bodies.
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(KEPT_FOR)).await;
        if let Some(page) = weak.upgrade() {
            page.bodies.remove_expired((page.now)());
        }
    });
    let mut response = JsonAnswer(StoredAnswer { id, size }).into_response();
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

/// Parts of a new download that send stored bodies. They are taken out of the download while its other parts are checked
/// by the rules of the page, which sends no files.
#[derive(Debug, Default)]
pub(super) struct BodyUploads(Vec<BodyUpload>);

#[derive(Debug)]
struct BodyUpload {
    /// Index of the request in the download.
    request: usize,
    id: String,
    /// Method of the request.
    method: Option<String>,
}

/// Stored bodies of a download that is being added. Unless they are used, they can be put back.
#[derive(Debug, Default)]
pub(super) struct TakenBodies(Vec<(String, StoredBody)>);

impl BodyUploads {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the uploads of stored bodies out of `new`. [pure]
    pub(super) fn take_out(new: &mut NewRegistration) -> Self {
        let id = |path: &PathBuf| path.to_str()?.strip_prefix(SCHEME).map(str::to_owned);
        let mut uploads = Vec::new();
        for (request, one) in new.requests.iter_mut().enumerate() {
            if let Some(id) = one.upload_file.as_ref().and_then(id) {
                one.upload_file = None;
                uploads.push(BodyUpload { request, id, method: one.method.take() });
            }
        }
        Self(uploads)
    }

    /// Puts the uploads into `new` again, with the files of the stored bodies.
    ///
    /// Fails if the sender has no control, because an upload changes something at a server. Fails if a body does not exist,
    /// or if the method of its request is not PUT, POST or PATCH.
    pub(super) fn put_into(self, new: &mut NewRegistration, caller: &RestCaller) -> Result<TakenBodies, RequestProblem> {
        let page = &caller.page;
        if !self.0.is_empty() {
            caller.require(TokenScope::Control)?;
        }
        let sends = |method: &str| METHODS.iter().any(|known| known.eq_ignore_ascii_case(method));
        if !self.0.iter().all(|upload| upload.method.as_deref().is_none_or(sends)) {
            return Err(RequestProblem::invalid("a stored body is sent with PUT, POST or PATCH"));
        }
        let mut taken = TakenBodies::default();
        for BodyUpload { request, id, method } in self.0 {
            let Some(body) = page.bodies.take(&id, &caller.owner.id, (page.now)()) else {
                taken.put_back(page);
                return Err(RequestProblem::of_call(message!("stored-body")));
            };
            if let Some(one) = new.requests.get_mut(request) {
                one.upload_file = Some(body.path().to_owned());
                one.method = method;
            }
            taken.0.push((id, body));
        }
        Ok(taken)
    }
}

impl TakenBodies {
    /// Stores the bodies again, because the download was not added.
    pub(super) fn put_back(self, page: &PageInterface) {
        self.0.into_iter().for_each(|(id, body)| page.bodies.put_back(id, body));
    }
}

#[cfg(test)]
mod tests {
    use ashore_engine::NewRequest;

    use super::*;

    #[test]
    fn only_stored_bodies_are_taken_out_of_new_download() {
        let request = |file: Option<&str>| NewRequest {
            method: Some("POST".to_owned()),
            upload_file: file.map(PathBuf::from),
            ..NewRequest::default()
        };
        let requests = vec![request(None), request(Some("body:a")), request(Some("/etc/passwd"))];
        let mut new = NewRegistration { requests, ..NewRegistration::default() };
        let BodyUploads(taken) = BodyUploads::take_out(&mut new);
        let [BodyUpload { request: 1, id, method: Some(method) }] = &taken[..] else { panic!("{taken:?}") };
        assert_eq!((id.as_str(), method.as_str()), ("a", "POST"));
        assert_eq!((new.requests[1].upload_file.as_ref(), new.requests[1].method.as_ref()), (None, None));
        assert!(new.requests[2].upload_file.is_some() && new.requests[0].method.is_some());
    }
}
