//! Holds `docs/socket.md` against what is defined: every method with its parameters, every kind of event, every code.

use std::collections::BTreeSet;

use ashore_engine::{EngineEvent, NewRegistration, NewRequest};
use serde::de::DeserializeOwned;

use crate::{MethodCall, message, session::VERSION};

const DOCUMENT: &str = include_str!("../../../../docs/socket.md");
/// Where the engine names the codes of its refusals.
const ERRORS: &str = include_str!("../../../engine/src/model/error.rs");

/// The parts of `text` that stand in backticks.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The names that serde knows, from its complaint about one that it does not: "unknown field `?`, expected one of `a`, `b`".
fn known(complaint: &str) -> BTreeSet<&str> {
    let mut names = quoted(complaint);
    names.remove("?");
    names
}

/// The text under this headline, up to the next one of its level.
fn under(headline: &str) -> &'static str {
    let part = DOCUMENT.split(&format!("\n## {headline}")).nth(1).unwrap_or_default();
    part.split("\n## ").next().unwrap_or_default()
}

/// The row about `name` in the tables under this headline.
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
fn document_has_every_method_with_its_parameters() {
    let own = [message::GREET, message::SUBSCRIBE];
    for method in MethodCall::METHODS.iter().chain(&own) {
        let headline = if own.contains(method) { "Version and owner" } else { "Methods" };
        let row = row(headline, method).unwrap_or_else(|| panic!("{method} is missing"));
        assert_eq!(row.matches('|').count(), 4, "{method} has parameters and an answer");
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"?":0}}}}"#);
        let Err(refused) = message::parse(line.as_bytes()) else { panic!("{method} takes any parameter") };
        // The text names the method first.
        let (_, complaint) = refused.trouble.text.split_once(": ").unwrap();
        let parameters = known(complaint);
        let said = if ["create", "add", "probe"].contains(method) { quoted(DOCUMENT) } else { quoted(row) };
        let missing: Vec<_> = parameters.iter().filter(|name| !said.contains(*name)).collect();
        assert!(missing.is_empty(), "{method}: {missing:?} of {complaint}");
    }
}

#[test]
fn document_has_no_method_that_is_not_there() {
    let named = under("Methods").lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let unknown: Vec<_> = named.filter(|name| !MethodCall::METHODS.contains(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn document_has_every_field_of_what_is_asked_for() {
    let said = quoted(DOCUMENT);
    for complaint in [fields::<NewRegistration>(), fields::<NewRequest>()] {
        let missing: Vec<_> = known(&complaint).into_iter().filter(|name| !said.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

#[test]
fn document_has_every_kind_of_event() {
    let complaint = serde_json::from_str::<EngineEvent>(r#"{"type":"?"}"#).unwrap_err().to_string();
    let kinds = known(&complaint);
    assert!(kinds.len() > 5, "{complaint}");
    for kind in kinds {
        assert!(row("Events", kind).is_some(), "{kind}");
    }
}

#[test]
fn document_has_every_code() {
    let said = quoted(under("Errors"));
    let codes = ERRORS.lines().filter_map(|line| line.trim().split_once(" => \"")?.1.strip_suffix("\","));
    let own = ["parse-error", "invalid-request", "too-long", "unknown-method", "bad-params", "busy"];
    let all: BTreeSet<_> = codes.chain(own).collect();
    assert!(all.len() > 30, "{all:?}");
    let missing: Vec<_> = all.iter().filter(|code| !said.contains(*code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn document_describes_the_version_that_is_spoken() {
    assert!(DOCUMENT.contains(&format!("This page describes **version {VERSION}**")));
}
