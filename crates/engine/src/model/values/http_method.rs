//! The methods of requests: which are sent, which take a body, and which may be sent again by themselves. [pure]
//!
//! `validate` and `import` call this for what is asked for, the scheduler and the start for what is under way.

use crate::{EngineError, model::values::shortened::shortened};

/// Methods that are sent. The Fetch standard (section 2.2.1) forbids CONNECT, TRACE and TRACK.
const SENT: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// The method that is meant by `named`, in capital letters: GET where nothing is said, or PUT where the request `has_body`.
///
/// Refuses with `Invalid`: another method, or a body with GET or HEAD (Fetch standard, section 5.4).
pub(crate) fn accept_method(named: Option<&str>, has_body: bool) -> Result<String, EngineError> {
    let method = match named {
        None => if has_body { "PUT" } else { "GET" }.to_owned(),
        Some(named) => named.to_ascii_uppercase(),
    };
    if !SENT.contains(&method.as_str()) {
        let text = format!("Ashore does not use the method {}: use GET, HEAD, POST, PUT, PATCH or DELETE.", shortened(&method));
        return Err(EngineError::Invalid(text));
    }
    if has_body && is_safe(&method) {
        return Err(EngineError::Invalid(format!("{method} sends no file: use PUT, POST or PATCH to upload one.")));
    }
    Ok(method)
}

/// Whether it only reads, and so may be sent again by itself (RFC 9110, section 9.2.1). What else a server did for a request,
/// with a body or without one, only a person may ask for again.
pub(crate) fn is_safe(method: &str) -> bool {
    matches!(method, "GET" | "HEAD")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_and_bodies_go_together() {
        let accepted = |named: Option<&str>, has_body| accept_method(named, has_body).unwrap();
        assert_eq!((accepted(None, false), accepted(None, true)), ("GET".to_owned(), "PUT".to_owned()));
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
            assert_eq!(accepted(Some(&method.to_ascii_lowercase()), false), method);
            assert_eq!(accept_method(Some(method), true).is_ok(), !is_safe(method), "{method} with a body");
        }
        for method in ["", "CONNECT", "TRACE", "TRACK", "OPTIONS", "G\u{cb}T", "GET "] {
            for has_body in [false, true] {
                assert_eq!(accept_method(Some(method), has_body).unwrap_err().code(), "invalid", "{method}");
            }
        }
    }
}
