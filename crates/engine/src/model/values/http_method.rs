//! Decides which HTTP methods are allowed, which take a body, and which may be repeated automatically. [pure]
//!
//! Called by `validate` and `import` for new requests. Also called by the scheduler, and at the start of the engine,
//! for requests that are already running.

use ashore_messages::message;

use crate::{EngineError, model::values::shortened::shortened};

/// Allowed methods. The Fetch standard (section 2.2.1) forbids CONNECT, TRACE and TRACK.
const SENT: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// Returns the name `named` of a method in capital letters.
///
/// The default is PUT for a request with a body, and otherwise GET. Fails with `Invalid` for any other method, and for
/// a body with GET or HEAD (Fetch standard, section 5.4).
pub(crate) fn accept_method(named: Option<&str>, has_body: bool) -> Result<String, EngineError> {
    let method = match named {
        None => if has_body { "PUT" } else { "GET" }.to_owned(),
        Some(named) => named.to_ascii_uppercase(),
    };
    if !SENT.contains(&method.as_str()) {
        return Err(EngineError::Invalid(message!("invalid.method", method = shortened(&method))));
    }
    if has_body && is_safe(&method) {
        return Err(EngineError::Invalid(message!("invalid.upload-method", method = method)));
    }
    Ok(method)
}

/// Whether the method is safe and may be repeated automatically (RFC 9110, section 9.2.1).
///
/// Other methods may change something at the server, even without a body, so only a person may repeat them.
pub(crate) fn is_safe(method: &str) -> bool {
    matches!(method, "GET" | "HEAD")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_method_decides_whether_body_is_accepted() {
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
