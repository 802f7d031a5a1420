//! Header `Idempotency-Key`: the name that a caller gives to a download. A second request with the same key adds nothing.

use ashore_engine::{NewRegistration, Registration};
use axum::http::{HeaderMap, HeaderName};

use crate::{problem::RequestProblem, rest::caller::RestCaller, server::access_control::only};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// Sets `developer_id` of `new` to the key in the headers, if they contain a key. [pure]
///
/// Fails if the header occurs repeatedly or is empty, or if `new` has a different `developer_id`.
pub(super) fn apply(headers: &HeaderMap, new: &mut NewRegistration) -> Result<(), RequestProblem> {
    if !headers.contains_key(HEADER) {
        return Ok(());
    }
    let key = only(headers, &HEADER).map(unquoted).filter(|key| !key.is_empty());
    let key = key.ok_or_else(|| RequestProblem::invalid("`Idempotency-Key` has no valid value"))?;
    match &new.developer_id {
        Some(other) if other != key => Err(RequestProblem::invalid("`Idempotency-Key` and `developer_id` differ")),
        _ => {
            new.developer_id = Some(key.to_owned());
            Ok(())
        }
    }
}

/// Returns the latest download in the list that has the same owner and `developer_id` as `new`; `None` if there is none.
pub(super) async fn earlier(caller: &RestCaller, new: &NewRegistration) -> Result<Option<Registration>, RequestProblem> {
    let Some(name) = &new.developer_id else { return Ok(None) };
    let found = caller.page.service.engine().latest(&new.owner, name).await;
    found.map_err(|error| RequestProblem::of_call(error.message()))
}

/// Removes the quotation marks that the standard for this header prescribes. Many clients omit them.
fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(values: &[&str], name: Option<&str>) -> Result<Option<String>, RequestProblem> {
        let headers = values.iter().map(|value| (HEADER, value.parse().unwrap())).collect();
        let mut new = NewRegistration { developer_id: name.map(str::to_owned), ..NewRegistration::default() };
        apply(&headers, &mut new).map(|()| new.developer_id)
    }

    #[test]
    fn idempotency_key_becomes_developer_id_unless_they_differ() {
        assert_eq!(applied(&["a b"], None), Ok(Some("a b".to_owned())));
        assert_eq!(applied(&["\"a\""], Some("a")), Ok(Some("a".to_owned())));
        assert_eq!((applied(&[], Some("a")), applied(&[], None)), (Ok(Some("a".to_owned())), Ok(None)));
        assert!(applied(&["a"], Some("b")).is_err() && applied(&["a", "a"], None).is_err());
        assert!(applied(&[""], None).is_err() && applied(&["\"\""], None).is_err());
    }
}
