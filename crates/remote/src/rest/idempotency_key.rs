//! Header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the name that a caller gives to a download. A
//! repeated request adds nothing. Called by `downloads` and `rpc`, and by `caller` for the other routes.
//!
//! - The key is the `developer_id`, so the ledger refuses a second download with this key, also if two requests arrive
//!   at the same time.
//! - The data of the download's owner contain a fingerprint of the request. A request with the same key and another
//!   fingerprint is refused with 422, as section 2.7 of the draft demands.
//! - The fingerprint ignores sign-ins and cookies, because passwords could be guessed from it.

use ashore_engine::{Engine, NewRegistration, Registration, link_without_sign_in};
use ashore_messages::message;
use axum::http::{HeaderMap, HeaderName, Method, request::Parts};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{page::call_scope::is_secret_header, problem::RequestProblem, secret_hash::hash, server::access_control::only};

/// Path of the only route that accepts a key.
pub(super) const PATH: &str = "/api/v1/downloads";
const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// Data that this interface keeps with a download that has a key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyedDownload {
    /// Fingerprint of the request that added the download.
    fingerprint: String,
    /// `owner_data` of this request.
    data: Option<String>,
}

/// Sets `developer_id` of `new` to the key in the headers, if they contain a key. Stores the fingerprint of the request in
/// `new`, if the request has a key. [pure]
///
/// Fails if the header occurs repeatedly or is empty, or if `new` has a different `developer_id`.
pub(super) fn apply(headers: &HeaderMap, new: &mut NewRegistration) -> Result<(), RequestProblem> {
    if let Some(key) = sent(headers)? {
        if new.developer_id.as_ref().is_some_and(|name| name != key) {
            return Err(RequestProblem::invalid("`Idempotency-Key` and `developer_id` differ"));
        }
        new.developer_id = Some(key.to_owned());
    }
    if new.developer_id.is_some() {
        let keyed = KeyedDownload { fingerprint: fingerprint(new)?, data: new.owner_data.take() };
        new.owner_data = Some(serde_json::to_string(&keyed).map_err(RequestProblem::invalid)?);
    }
    Ok(())
}

/// Returns the latest download in the list that has the same owner and `developer_id` as `new`; `None` if there is none.
///
/// Fails if another request added this download. A download of an earlier version of Ashore has no fingerprint, so it
/// counts as added by the same request.
pub(super) async fn earlier(engine: &Engine, new: &NewRegistration) -> Result<Option<Registration>, RequestProblem> {
    let Some(name) = &new.developer_id else { return Ok(None) };
    let Some(found) = latest(engine, &new.owner, name).await? else { return Ok(None) };
    let choices = engine.owner_choices(found.unique_id).await;
    let kept = choices.map_err(|error| RequestProblem::of_call(error.message()))?.data;
    if is_of_other_request(&kept, new.owner_data.as_deref().unwrap_or_default()) {
        return Err(RequestProblem::of_call(message!("idempotency-key")));
    }
    Ok(Some(found))
}

/// Fails if a request has a key that belongs to a download of `owner`, although the request does not add a download.
pub(super) async fn refuse_elsewhere(engine: &Engine, owner: &str, request: &Parts) -> Result<(), RequestProblem> {
    let may_add = request.method == Method::POST && request.uri.path().ends_with(PATH);
    if request.method.is_safe() || may_add {
        return Ok(());
    }
    let Some(key) = sent(&request.headers)? else { return Ok(()) };
    match latest(engine, owner, key).await? {
        Some(_) => Err(RequestProblem::of_call(message!("idempotency-key"))),
        None => Ok(()),
    }
}

async fn latest(engine: &Engine, owner: &str, name: &str) -> Result<Option<Registration>, RequestProblem> {
    engine.latest(owner, name).await.map_err(|error| RequestProblem::of_call(error.message()))
}

/// Returns the key in the headers; `None` without a key. Fails if the header occurs repeatedly or is empty. [pure]
fn sent(headers: &HeaderMap) -> Result<Option<&str>, RequestProblem> {
    if !headers.contains_key(HEADER) {
        return Ok(None);
    }
    let key = only(headers, &HEADER).map(unquoted).filter(|key| !key.is_empty());
    key.map(Some).ok_or_else(|| RequestProblem::invalid("`Idempotency-Key` has no valid value"))
}

/// Whether two texts of [`KeyedDownload`] have different fingerprints. [pure]
fn is_of_other_request(kept: &str, new: &str) -> bool {
    let fingerprint = |text| serde_json::from_str(text).ok().map(|keyed: KeyedDownload| keyed.fingerprint);
    matches!((fingerprint(kept), fingerprint(new)), (Some(kept), Some(new)) if kept != new)
}

/// Returns the fingerprint of a request. The order of fields and spaces in its body have no effect. [pure]
fn fingerprint(new: &NewRegistration) -> Result<String, RequestProblem> {
    let body = serde_json::to_value(new).map_err(RequestProblem::invalid)?;
    Ok(hash("idempotent request", &without_secrets(body).to_string()))
}

/// Removes sign-ins from all links, and values from all header fields that contain secrets. [pure]
fn without_secrets(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(link_without_sign_in(&text)),
        Value::Array(list) => match &list[..] {
            [Value::String(name), Value::String(_)] if is_secret_header(name) => Value::String(name.clone()),
            _ => list.into_iter().map(without_secrets).collect(),
        },
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, without_secrets(value))).collect(),
        value => value,
    }
}

/// Removes the quotation marks that the standard for this header prescribes. Many clients omit them.
fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn applied(values: &[&str], name: Option<&str>) -> Result<Option<String>, RequestProblem> {
        let headers = values.iter().map(|value| (HEADER, value.parse().unwrap())).collect();
        let mut new = NewRegistration { developer_id: name.map(str::to_owned), ..NewRegistration::default() };
        apply(&headers, &mut new).map(|()| new.developer_id)
    }

    /// Returns the data of a download with a key. `request` is its only request, in JSON.
    fn kept(request: Value) -> String {
        let body = json!({ "developer_id": "7", "owner_data": "own", "requests": [request] });
        let mut new: NewRegistration = serde_json::from_value(body).unwrap();
        apply(&HeaderMap::new(), &mut new).unwrap();
        new.owner_data.unwrap()
    }

    #[test]
    fn idempotency_key_becomes_developer_id_unless_they_differ() {
        assert_eq!(applied(&["a b"], None), Ok(Some("a b".to_owned())));
        assert_eq!(applied(&["\"a\""], Some("a")), Ok(Some("a".to_owned())));
        assert_eq!((applied(&[], Some("a")), applied(&[], None)), (Ok(Some("a".to_owned())), Ok(None)));
        assert!(applied(&["a"], Some("b")).is_err() && applied(&["a", "a"], None).is_err());
        assert!(applied(&[""], None).is_err() && applied(&["\"\""], None).is_err());
    }

    #[test]
    fn fingerprint_differs_for_another_request_but_not_for_another_password() {
        let request = |url: &str, header: &str| json!({ "url": url, "headers": [["Cookie", header], ["X-A", "b"]] });
        let one = kept(request("http://u:p@a.test/x", "a=b"));
        assert!(!is_of_other_request(&one, &kept(request("http://u:q@a.test/x", "a=c"))));
        assert!(is_of_other_request(&one, &kept(request("http://a.test/y", "a=b"))));
        assert!(is_of_other_request(&one, &kept(json!({ "url": "http://a.test/x" }))));
        assert!(is_of_other_request(&one, &kept(json!({ "url": "http://a.test/x", "headers": [["X-A", "b"]] }))));
        assert!(["", "own", "{}"].iter().all(|data| !is_of_other_request(data, &one)));
        assert!(one.contains("own") && kept(json!({ "url": "http://a.test/" })).len() < 200);
    }
}
