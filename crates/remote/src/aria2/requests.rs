//! Answers requests in JSON, with one call or several. Called by `http` for POST, and by `socket`.

use serde_json::Value;

use crate::aria2::{
    methods::{Aria2Caller, Aria2Methods},
    wire::{Aria2Failure, Aria2Refusal, Aria2Request, answer, parse},
};

/// Returns the HTTP status and the answer to a request.
pub(super) async fn answer_request(methods: &Aria2Methods, body: &[u8], caller: &mut Aria2Caller) -> (u16, Value) {
    match parse(body) {
        Aria2Request::Single(Ok(call)) => {
            let id = call.id.clone();
            let result = methods.call(call, caller).await;
            let status = result.as_ref().err().map_or(200, Aria2Failure::status);
            (status, answer(&id, result))
        }
        Aria2Request::Single(Err(Aria2Refusal { id, failure })) => (failure.status(), answer(&id, Err(failure))),
        Aria2Request::Batch(calls) => {
            let mut answers = Vec::with_capacity(calls.len());
            for call in calls {
                answers.push(match call {
                    Ok(call) => {
                        let id = call.id.clone();
                        answer(&id, methods.call(call, caller).await)
                    }
                    Err(Aria2Refusal { id, failure }) => answer(&id, Err(failure)),
                });
            }
            (200, Value::Array(answers))
        }
    }
}
