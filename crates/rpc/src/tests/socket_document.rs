//! Checks that `docs/socket.md` is complete: every method with its parameters, every kind of event, every code.

use std::collections::BTreeSet;

use ashore_engine::{EngineEvent, NewRegistration, NewRequest};
use serde::de::DeserializeOwned;

use crate::{MethodCall, message, session::VERSION};

const DOCUMENT: &str = include_str!("../../../../docs/socket.md");
/// Source file that defines the codes of refusals.
const ERRORS: &str = include_str!("../../../engine/src/model/error.rs");

/// Returns the parts of `text` in backticks.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the names in serde's message about an unknown name: "unknown field `?`, expected one of `a`, `b`".
fn known(complaint: &str) -> BTreeSet<&str> {
    let mut names = quoted(complaint);
    names.remove("?");
    names
}

/// Returns the text under a heading, up to the next heading of its level.
fn under(headline: &str) -> &'static str {
    let part = DOCUMENT.split(&format!("\n## {headline}")).nth(1).unwrap_or_default();
    part.split("\n## ").next().unwrap_or_default()
}

/// Returns the row of `name` in the tables under a heading.
fn row(headline: &str, name: &str) -> Option<&'static str> {
    under(headline).lines().find(|line| line.starts_with(&format!("| `{name}` |")))
}

fn fields<T: DeserializeOwned>() -> String {
    match serde_json::from_str::<T>(r#"{"?":0}"#) {
        Ok(_) => panic!("it takes any field"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn document_describes_every_method_with_parameters() {
    let own = [message::GREET, message::SUBSCRIBE];
    for method in MethodCall::METHODS.iter().chain(&own) {
        let headline = if own.contains(method) { "Version and owner" } else { "Methods" };
        let row = row(headline, method).unwrap_or_else(|| panic!("{method} is missing"));
        assert_eq!(row.matches('|').count(), 4, "{method} has parameters and an answer");
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"?":0}}}}"#);
        let Err(refused) = message::parse(line.as_bytes()) else { panic!("{method} takes any parameter") };
        // In the text of the refusal, the name of the method comes before the first colon.
        let (_, complaint) = refused.message.text.split_once(": ").unwrap();
        let parameters = known(complaint);
        let said = if ["create", "add", "take_link", "probe"].contains(method) { quoted(DOCUMENT) } else { quoted(row) };
        let missing: Vec<_> = parameters.iter().filter(|name| !said.contains(*name)).collect();
        assert!(missing.is_empty(), "{method}: {missing:?} of {complaint}");
    }
}

#[test]
fn document_describes_only_existing_methods() {
    let named = under("Methods").lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let unknown: Vec<_> = named.filter(|name| !MethodCall::METHODS.contains(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn document_describes_every_request_field() {
    let said = quoted(DOCUMENT);
    for complaint in [fields::<NewRegistration>(), fields::<NewRequest>()] {
        let missing: Vec<_> = known(&complaint).into_iter().filter(|name| !said.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

#[test]
fn document_describes_every_event_kind() {
    let complaint = serde_json::from_str::<EngineEvent>(r#"{"type":"?"}"#).unwrap_err().to_string();
    let kinds = known(&complaint);
    assert!(kinds.len() > 5, "{complaint}");
    for kind in kinds {
        assert!(row("Events", kind).is_some(), "{kind}");
    }
}

#[test]
fn document_describes_every_error_code() {
    let said = quoted(under("Errors"));
    let codes = ERRORS.lines().filter_map(|line| line.trim().split_once(" => \"")?.1.strip_suffix("\","));
    let own = ["parse-error", "invalid-request", "too-long", "unknown-method", "bad-params", "busy"];
    let all: BTreeSet<_> = codes.chain(own).collect();
    assert!(all.len() > 30, "{all:?}");
    let missing: Vec<_> = all.iter().filter(|code| !said.contains(*code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn document_names_current_protocol_version() {
    assert!(DOCUMENT.contains(&format!("This page describes **version {VERSION}**")));
}
