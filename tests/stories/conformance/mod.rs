//! Conformance tests: one test per requirement, with the id of the requirement in its comment.
//!
//! The tests use the public API of the engine against real loopback servers.

mod abort;
mod create;
mod extra;
mod face;
mod ids;
mod kill;
mod matching;
mod ports;
mod upload;
mod window;

use std::fmt::Debug;

use ashore_engine::{Engine, EngineError, ListQuery};
use ashore_testkit::home::Home;

/// Checks that the call failed with this code and a full sentence, and that it added no registration and no file.
pub(crate) async fn assert_refused<Done: Debug>(home: &Home, answer: Result<Done, EngineError>, code: &str) -> EngineError {
    let error = answer.unwrap_err();
    assert_eq!(error.code(), code);
    let sentence = error.to_string();
    assert!(sentence.ends_with('.') && sentence.contains(' ') && !sentence.contains('\n'), "no sentence: {sentence}");
    assert_eq!(registration_count(home).await, 0, "something was written");
    assert_eq!(home.names(), [""; 0]);
    assert_eq!(std::fs::read_dir(home.data().join("bodies")).unwrap().count(), 0);
    error
}

/// Returns the number of registrations in the list.
async fn registration_count(engine: &Engine) -> usize {
    engine.list(ListQuery::default()).await.unwrap().len()
}
