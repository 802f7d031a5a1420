//! The conformance list: one test for each line of the promise, named by its id, through the façade, against real
//! loopback servers.

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
use ashore_tests::home::Home;

/// Refused with this code and a sentence, and nothing of it is anywhere.
pub(crate) async fn assert_refused<Done: Debug>(home: &Home, answer: Result<Done, EngineError>, code: &str) -> EngineError {
    let error = answer.unwrap_err();
    assert_eq!(error.code(), code);
    let sentence = error.to_string();
    assert!(sentence.ends_with('.') && sentence.contains(' ') && !sentence.contains('\n'), "no sentence: {sentence}");
    assert_eq!(everything(home).await, 0, "something was written");
    assert_eq!(home.names(), [""; 0]);
    assert_eq!(std::fs::read_dir(home.data().join("bodies")).unwrap().count(), 0);
    error
}

/// How many registrations there are.
async fn everything(engine: &Engine) -> usize {
    engine.list(ListQuery::default()).await.unwrap().len()
}
