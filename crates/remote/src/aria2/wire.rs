//! Parses requests of the aria2 interface and composes its answers. [pure]
//!
//! - aria2's messages deviate from JSON-RPC 2.0: `jsonrpc` is optional, an id may be any JSON value, and a request without an
//!   id is an error instead of a notification.
//! - Statuses and messages are those of aria2 1.36, because programs compare them.

use serde_json::{Map, Value, json};

/// Maximum length of a request in bytes.
pub(crate) const LONGEST_REQUEST: usize = 2 << 20;
/// Maximum number of calls in a batch.
const LONGEST_BATCH: usize = 1000;
/// Maximum length of the answers to a request in bytes, as [`length`] estimates it.
pub(crate) const LONGEST_ANSWER: usize = 32 << 20;
/// Maximum number of values in a request.
pub(crate) const MOST_VALUES: usize = 50_000;
/// Maximum depth of nested arrays and objects in a request.
const MOST_NESTED: usize = 64;

/// Error code for a request that is not valid JSON.
const PARSE_ERROR: i32 = -32700;
/// Error code for a request without an id or a method.
const INVALID_REQUEST: i32 = -32600;
/// Error code for parameters that are not a list.
const INVALID_PARAMS: i32 = -32602;
/// Error code for every failure of a method.
const FAILED: i32 = 1;

/// Content of a request.
#[derive(Debug, PartialEq)]
pub(crate) enum Aria2Request {
    /// One call.
    Single(Result<Aria2Call, Aria2Refusal>),
    /// List of calls. Entries that are not objects are left out.
    Batch(Vec<Result<Aria2Call, Aria2Refusal>>),
}

/// Call of a method.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Aria2Call {
    /// Id of the call. The answer repeats it.
    pub id: Value,
    /// Name of the method.
    pub method: String,
    /// Parameters, with the token if there is one.
    pub params: Vec<Value>,
}

/// Call that is not valid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Aria2Refusal {
    /// Id of the call; null if it could not be read.
    pub id: Value,
    /// Reason.
    pub failure: Aria2Failure,
}

/// Failure of a call, with aria2's code and message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Aria2Failure {
    pub code: i32,
    pub message: String,
}

impl Aria2Failure {
    /// Returns the failure of a method.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { code: FAILED, message: message.into() }
    }

    /// Returns the failure of a request that is too long, or is not valid JSON.
    pub(crate) fn unreadable() -> Self {
        Self { code: PARSE_ERROR, message: "Parse error.".to_owned() }
    }

    /// Returns the failure of a call whose answer would be too long.
    pub(crate) fn too_long() -> Self {
        Self::new("The answer is too long. Ask for fewer downloads or keys.")
    }

    fn invalid() -> Self {
        Self { code: INVALID_REQUEST, message: "Invalid Request.".to_owned() }
    }

    /// Returns the HTTP status of an answer that contains only this failure.
    pub(crate) fn status(&self) -> u16 {
        match self.code {
            PARSE_ERROR | INVALID_PARAMS => 500,
            _ => 400,
        }
    }

    /// Returns the failure in the form that an answer of `system.multicall` contains.
    pub(crate) fn into_value(self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}

/// Returns the approximate length of a value in JSON, in bytes.
pub(crate) fn length(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len() + 3,
        Value::Array(values) => values.iter().map(length).sum::<usize>() + 2,
        Value::Object(entries) => entries.iter().map(|(name, value)| name.len() + 4 + length(value)).sum::<usize>() + 2,
    }
}

/// Parses the body of a request, or a message of a WebSocket.
pub(crate) fn parse(body: &[u8]) -> Aria2Request {
    let refused = |failure| Aria2Request::Single(Err(Aria2Refusal { id: Value::Null, failure }));
    if body.len() > LONGEST_REQUEST || is_too_complex(body) {
        return refused(Aria2Failure::unreadable());
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(call)) => Aria2Request::Single(read_call(call)),
        Ok(Value::Array(calls)) if calls.len() > LONGEST_BATCH => refused(Aria2Failure::invalid()),
        Ok(Value::Array(calls)) => {
            let objects = calls.into_iter().filter_map(|call| if let Value::Object(call) = call { Some(call) } else { None });
            Aria2Request::Batch(objects.map(read_call).collect())
        }
        Ok(_) => refused(Aria2Failure::invalid()),
        Err(_) => refused(Aria2Failure::unreadable()),
    }
}

/// Whether `body` contains too many values, or arrays and objects that are nested too deeply.
///
/// The limits are needed because a parsed value uses much more memory than its text. Brackets and commas in strings do
/// not count.
fn is_too_complex(body: &[u8]) -> bool {
    let mut values = 0_usize;
    let (mut depth, mut is_string, mut is_escaped) = (0_usize, false, false);
    for byte in body {
        values += usize::from(!is_string && matches!(byte, b',' | b'[' | b'{'));
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b'[' | b'{' if !is_string => depth += 1,
            b']' | b'}' if !is_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_NESTED || values > MOST_VALUES {
            return true;
        }
    }
    false
}

fn read_call(mut call: Map<String, Value>) -> Result<Aria2Call, Aria2Refusal> {
    let Some(id) = call.remove("id") else {
        return Err(Aria2Refusal { id: Value::Null, failure: Aria2Failure::invalid() });
    };
    let Some(Value::String(method)) = call.remove("method") else {
        return Err(Aria2Refusal { id, failure: Aria2Failure::invalid() });
    };
    match call.remove("params") {
        None => Ok(Aria2Call { id, method, params: Vec::new() }),
        Some(Value::Array(params)) => Ok(Aria2Call { id, method, params }),
        Some(_) => {
            let failure = Aria2Failure { code: INVALID_PARAMS, message: "Invalid params.".to_owned() };
            Err(Aria2Refusal { id, failure })
        }
    }
}

/// Returns the answer to the call with this `id`.
pub(crate) fn answer(id: &Value, result: Result<Value, Aria2Failure>) -> Value {
    match result {
        Ok(result) => json!({ "id": id, "jsonrpc": "2.0", "result": result }),
        Err(failure) => json!({ "id": id, "jsonrpc": "2.0", "error": failure.into_value() }),
    }
}

/// Returns the notification `method` about the download with this GID.
pub(crate) fn notification(method: &str, gid: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": [{ "gid": gid }] })
}

/// Call in a `system.multicall`.
#[derive(Debug, PartialEq)]
pub(crate) struct InnerCall {
    pub method: String,
    pub params: Vec<Value>,
}

/// Reads a call in a `system.multicall`. Parameters that are not a list count as missing.
pub(crate) fn inner_call(call: Value) -> Result<InnerCall, Aria2Failure> {
    let Value::Object(mut call) = call else { return Err(Aria2Failure::new("system.multicall expected struct.")) };
    let Some(Value::String(method)) = call.remove("methodName") else {
        return Err(Aria2Failure::new("Missing methodName."));
    };
    if method == "system.multicall" {
        return Err(Aria2Failure::new("Recursive system.multicall forbidden."));
    }
    let params = if let Some(Value::Array(params)) = call.remove("params") { params } else { Vec::new() };
    Ok(InnerCall { method, params })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the status, id and message with which `body` is refused.
    fn refused(body: &[u8]) -> (u16, Value, String) {
        match parse(body) {
            Aria2Request::Single(Err(Aria2Refusal { id, failure })) => (failure.status(), id, failure.message),
            other => panic!("{other:?}"),
        }
    }

    fn call(body: &str) -> Aria2Call {
        match parse(body.as_bytes()) {
            Aria2Request::Single(Ok(call)) => call,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn request_that_is_not_json_gets_parse_error_without_id() {
        let deep = ["[".repeat(65), "]".repeat(65)].concat();
        let long = format!(r#"{{"id":1,"method":"{}"}}"#, "a".repeat(LONGEST_REQUEST));
        for body in [
            &b""[..],
            b"{",
            b"{\"id\":1 \"method\":\"a\"}",
            b"{\"id\":\"\xff\",\"method\":\"a\"}",
            deep.as_bytes(),
            long.as_bytes(),
        ] {
            assert_eq!(refused(body), (500, Value::Null, "Parse error.".to_owned()));
        }
    }

    #[test]
    fn nesting_is_limited_outside_strings() {
        let nested = format!(r#"{{"id":1,"method":"a","params":{}{}}}"#, "[".repeat(63), "]".repeat(63));
        assert_eq!(call(&nested).method, "a");
        let in_string = format!(r#"{{"id":"\"{}","method":"a"}}"#, "[".repeat(100));
        assert_eq!(call(&in_string).method, "a");
        assert!(is_too_complex("[{".repeat(33).as_bytes()));
    }

    #[test]
    fn number_of_values_is_limited_outside_strings() {
        let request = |id: String| format!(r#"{{"id":{id},"method":"a"}}"#);
        let maps = request(format!("[{}0]", r#"{"":0},"#.repeat(MOST_VALUES / 2)));
        assert_eq!(refused(maps.as_bytes()), (500, Value::Null, "Parse error.".to_owned()));
        assert_eq!(call(&request(format!("\"{}\"", ",".repeat(MOST_VALUES)))).method, "a");
        assert_eq!(call(&request(format!("[{}0]", "0,".repeat(MOST_VALUES - 4)))).method, "a");
    }

    #[test]
    fn request_without_id_or_method_is_invalid() {
        for (body, id) in [
            ("null", Value::Null),
            (r#""x""#, Value::Null),
            ("{}", Value::Null),
            (r#"{"method":"a"}"#, Value::Null),
            (r#"{"id":7}"#, json!(7)),
            (r#"{"id":7,"method":5}"#, json!(7)),
        ] {
            assert_eq!(refused(body.as_bytes()), (400, id, "Invalid Request.".to_owned()), "{body}");
        }
    }

    #[test]
    fn parameters_that_are_no_list_are_invalid() {
        for params in ["{}", "5", "null"] {
            let body = format!(r#"{{"id":7,"method":"a","params":{params}}}"#);
            assert_eq!(refused(body.as_bytes()), (500, json!(7), "Invalid params.".to_owned()), "{params}");
        }
        assert_eq!(call(r#"{"id":7,"method":"a"}"#).params, Vec::<Value>::new());
    }

    #[test]
    fn every_json_value_is_accepted_as_request_id() {
        for id in [json!(null), json!(true), json!(1.5), json!("a/é"), json!({ "a": [1] }), json!([])] {
            let read = call(&json!({ "id": id, "method": "x" }).to_string());
            assert_eq!(answer(&read.id, Ok(json!("OK")))["id"], id);
        }
    }

    #[test]
    fn batch_ignores_entries_that_are_not_objects() {
        assert_eq!(parse(b"[]"), Aria2Request::Batch(Vec::new()));
        let Aria2Request::Batch(calls) = parse(br#"[1,[],{"id":1,"method":"a"},{}]"#) else { panic!() };
        assert_eq!(calls.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false]);
        let calls = vec![json!({ "id": 1, "method": "a" }); LONGEST_BATCH];
        assert!(matches!(parse(json!(calls).to_string().as_bytes()), Aria2Request::Batch(calls) if calls.len() == LONGEST_BATCH));
        let calls = vec![json!(1); LONGEST_BATCH + 1];
        assert_eq!(refused(json!(calls).to_string().as_bytes()).0, 400);
    }

    #[test]
    fn failure_of_method_has_code_1_and_status_400() {
        let failure = Aria2Failure::new("No such method: x");
        assert_eq!(failure.status(), 400);
        let expected = json!({ "id": 1, "jsonrpc": "2.0", "error": { "code": 1, "message": "No such method: x" } });
        assert_eq!(answer(&json!(1), Err(failure)), expected);
    }

    #[test]
    fn multicall_refuses_nested_multicall_and_inner_calls_without_method_name() {
        let refusal = |call| inner_call(call).unwrap_err().message;
        assert_eq!(refusal(json!(5)), "system.multicall expected struct.");
        assert_eq!(refusal(json!({})), "Missing methodName.");
        assert_eq!(refusal(json!({ "methodName": "system.multicall" })), "Recursive system.multicall forbidden.");
        let params = |params: Value| inner_call(json!({ "methodName": "a", "params": params })).unwrap().params;
        assert_eq!(params(json!([1])), [json!(1)]);
        assert_eq!((params(json!(5)), params(json!({}))), (vec![], vec![]));
    }

    #[test]
    fn random_bytes_never_panic() {
        use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
        let mut random = StdRng::seed_from_u64(1);
        let valid = br#"[{"id":1,"method":"system.multicall","params":[[{"methodName":"a","params":["\"]"]}]]},{}]"#;
        for _ in 0..20_000 {
            let mut body = valid.to_vec();
            for _ in 0..random.random_range(1..6) {
                let at = random.random_range(0..body.len());
                body[at] = random.random();
            }
            body.truncate(random.random_range(0..=valid.len()));
            drop(parse(&body));
        }
    }
}
