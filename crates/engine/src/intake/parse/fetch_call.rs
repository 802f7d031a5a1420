//! Parses `fetch("...", { ... })`, the form in which browsers copy a request for JavaScript. [pure]

use ashore_messages::{UserMessage, message};
use serde_json::Value;

use crate::{
    intake::parse::request_parts::{ParsedFields, accept_method, header},
    model::NewRequest,
};

/// Whether `line` is the beginning of a call.
pub(super) fn begins(line: &str) -> bool {
    arguments(line).is_some()
}

fn arguments(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let text = text.strip_prefix("await ").unwrap_or(text).trim_start();
    text.strip_prefix("fetch(").map(str::trim_start).filter(|rest| rest.starts_with(['"', '\'', '`']))
}

/// Whether the call in `text` is incomplete.
pub(super) fn is_open(text: &str) -> bool {
    let (mut depth, mut quote, mut is_escaped) = (0_i32, None, false);
    for letter in text.chars() {
        match (quote, letter) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth -= 1,
            _ => {}
        }
    }
    depth > 0
}

/// Returns the request of `call`. Fails with a message about the first unsupported part.
pub(super) fn read(call: &str) -> Result<ParsedFields, UserMessage> {
    let unclear = || message!("command.call");
    let text = arguments(call).ok_or_else(unclear)?;
    let quote = text.chars().next().ok_or_else(unclear)?;
    let (url, rest) = text[1..].split_once(quote).ok_or_else(unclear)?;
    let rest = rest.trim_start().trim_start_matches(',').trim_start();
    let options = match rest.starts_with('{') {
        true => serde_json::Deserializer::from_str(rest).into_iter::<Value>().next().and_then(Result::ok).ok_or_else(unclear)?,
        false => Value::Null,
    };
    let method = options.get("method").and_then(Value::as_str).unwrap_or("GET");
    accept_method(method)?;
    let mut request = NewRequest { url: url.replace("\\/", "/").replace("\\u0026", "&"), ..NewRequest::default() };
    let mut sign_in = None;
    for (name, value) in options.get("headers").and_then(Value::as_object).into_iter().flatten() {
        header(&format!("{name}: {}", value.as_str().unwrap_or_default()), &mut request, &mut sign_in)?;
    }
    if let Some(page) = options.get("referrer").and_then(Value::as_str).filter(|page| page.starts_with("http")) {
        request.headers.push(("Referer".to_owned(), page.to_owned()));
    }
    Ok((vec![request], sign_in))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn javascript_fetch_call_is_understood_unless_it_sends_data() {
        let call = "fetch(\"http://a.example/x?a=1&b=2\", {\n  \"headers\": {\n    \"accept\": \"*/*\",\n    \"cookie\": \"s=1\"\n  },\n  \
            \"referrer\": \"http://a.example/\",\n  \"body\": null,\n  \"method\": \"GET\",\n  \"mode\": \"cors\"\n});";
        let (requests, _) = read(call).unwrap();
        assert_eq!(requests[0].url, "http://a.example/x?a=1&b=2");
        let names: Vec<_> = requests[0].headers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["accept", "cookie", "Referer"]);
        assert_eq!(read("await fetch('http://a.example')").unwrap().0[0].url, "http://a.example");
        assert!(read(&call.replace("GET", "POST")).unwrap_err().text.contains("POST"));
        assert!(read("fetch(\"http://a.example\", { headers: x })").unwrap_err().text.contains("as cURL"));
        assert!(is_open("fetch(\"a)\", {") && !is_open("fetch(\"a(\", {})") && !begins("fetch(url)"));
    }
}
