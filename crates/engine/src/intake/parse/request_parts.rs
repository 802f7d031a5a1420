//! Parts of a request that all commands share: headers, methods, names and refusals. [pure]

use ashore_messages::{UserMessage, message};

use crate::model::{NewRequest, SignIn};

/// Requests of a command, and the sign-in of the command if it has one.
pub(crate) type ParsedFields = (Vec<NewRequest>, Option<SignIn>);

/// Adds a header line to `request`, except for fields that Ashore sets itself. A sign-in goes to `sign_in` instead.
pub(crate) fn header(line: &str, request: &mut NewRequest, sign_in: &mut Option<SignIn>) -> Result<(), UserMessage> {
    // cURL treats `Name;` as the header `Name` with an empty value.
    let bare = line.trim().strip_suffix(';').filter(|name| !name.contains(':')).map(|name| (name, ""));
    let Some((name, value)) = line.trim().strip_prefix(':').map(|_| ("", "")).or(bare).or_else(|| line.split_once(':')) else {
        return Err(message!("command.header", line = line));
    };
    let (name, value) = (name.trim(), value.trim());
    match name.to_ascii_lowercase().as_str() {
        // Ashore sets these fields itself. HTTP/2 sends some of them as pseudo-header fields (RFC 9113, section 8.3.1).
        "range" | "if-range" | "accept-encoding" | "host" | "connection" | "content-length" | "authority" | "" => {}
        // An empty value makes cURL omit one of its default headers. Ashore ignores such a line.
        _ if value.is_empty() => {}
        "authorization" => match SignIn::of_header(value) {
            Some(said) => *sign_in = Some(said),
            None => return Err(message!("command.sign-in")),
        },
        _ => request.headers.push((name.to_owned(), value.to_owned())),
    }
    Ok(())
}

/// Parses a sign-in of the form `user:password`.
pub(crate) fn basic(text: &str) -> SignIn {
    let (user, password) = text.split_once(':').unwrap_or((text, ""));
    SignIn::Basic { user: user.to_owned(), password: password.to_owned() }
}

/// Returns the file name in the output path of a command; `None` for standard output and for a folder.
pub(crate) fn named_by(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    Some(name).filter(|name| !matches!(*name, "" | "-" | "." | ".." | "null" | "NUL")).map(str::to_owned)
}

/// Fails if `method` is not GET.
pub(crate) fn accept_method(method: &str) -> Result<(), UserMessage> {
    match method.eq_ignore_ascii_case("get") {
        true => Ok(()),
        false => Err(message!("command.method", method = method)),
    }
}

/// Returns copies of `request`, one for each address in `urls`.
///
/// Keeps the file name of `request` only if there is a single address. Fails if there are `unknown` options or no
/// address.
pub(crate) fn requests(request: &NewRequest, urls: Vec<String>, unknown: &[String]) -> Result<Vec<NewRequest>, UserMessage> {
    if !unknown.is_empty() {
        return Err(message!("command.option", option = unknown.join(", ")));
    }
    if urls.is_empty() {
        return Err(message!("command.no-link"));
    }
    let name = request.name.clone().filter(|_| urls.len() == 1);
    Ok(urls.into_iter().map(|url| NewRequest { url: with_scheme(url), name: name.clone(), ..request.clone() }).collect())
}

pub(crate) fn without_value(option: &str) -> UserMessage {
    message!("command.value", option = option)
}

pub(crate) fn form() -> UserMessage {
    message!("command.form")
}

pub(crate) fn cookie_file() -> UserMessage {
    message!("command.cookies")
}

pub(crate) fn proxy() -> UserMessage {
    message!("command.proxy")
}

/// Adds `http://` to an address without a scheme, as cURL and Wget do.
fn with_scheme(url: String) -> String {
    if url.contains("://") { url } else { format!("http://{url}") }
}
