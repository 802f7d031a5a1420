//! JSON-RPC 2.0 messages around a [`MethodCall`]: parses calls and serialises answers. No I/O.
//!
//! There is one message per line, and no batches. A message that is not exactly valid gets a typed error.

use ashore_engine::{EngineError, EngineEvent, UserMessage};
use ashore_messages::message;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{
        DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess,
        value::{MapAccessDeserializer, StrDeserializer},
    },
};
use serde_json::{Value, value::RawValue};

use crate::{
    methods::MethodCall,
    session::{EventSubscription, ServerGreeting, VERSION},
};

/// Method that subscribes to events; not part of [`MethodCall`].
pub(crate) const SUBSCRIBE: &str = "subscribe";
/// Method with which a client greets the program that holds the data folder; not part of [`MethodCall`].
pub(crate) const GREET: &str = "greet";
/// Error code for an unknown method.
pub(crate) const UNKNOWN: &str = "unknown-method";
/// Method of the notifications sent to a subscriber.
pub(crate) const EVENT: &str = "event";

/// Content of a request.
#[derive(Debug)]
pub(crate) enum IncomingLine {
    /// Call to the engine.
    Call(Box<MethodCall>),
    /// Subscription to events.
    Subscribe(EventSubscription),
    /// Greeting with owner and version.
    Greet(ServerGreeting),
}

/// Valid request, and the id for its answer. Without an id, no answer is sent.
#[derive(Debug)]
pub(crate) struct RpcRequest {
    pub id: Option<Value>,
    pub asked: IncomingLine,
}

/// Invalid request.
#[derive(Debug)]
pub(crate) struct MalformedMessage {
    /// Id for the answer; null if it could not be read.
    pub id: Value,
    pub code: i32,
    pub message: Box<UserMessage>,
}

impl MalformedMessage {
    pub(crate) fn too_long(cap: usize) -> Self {
        Self { id: Value::Null, code: -32600, message: message!("too-long.message", most = cap).into() }
    }

    pub(crate) fn busy(connections: usize) -> Self {
        Self { id: Value::Null, code: -32000, message: message!("busy", most = connections).into() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    jsonrpc: String,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Distinguishes a null `id`, which counts as an id, from a missing `id`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Parses one line.
pub(crate) fn parse(line: &[u8]) -> Result<RpcRequest, MalformedMessage> {
    let envelope: Envelope = serde_json::from_slice(line).map_err(|error| {
        let why = error.to_string();
        let (code, message) = match error.is_data() {
            true => (-32600, message!("invalid-request", why = why)),
            false => (-32700, message!("parse-error", why = why)),
        };
        MalformedMessage { id: Value::Null, code, message: message.into() }
    })?;
    let id = envelope.id.clone().unwrap_or_default();
    if !matches!(id, Value::Null | Value::String(_) | Value::Number(_)) {
        return Err(MalformedMessage { id: Value::Null, code: -32600, message: message!("invalid-request.id").into() });
    }
    if envelope.jsonrpc != "2.0" {
        return Err(MalformedMessage { id, code: -32600, message: message!("invalid-request.version").into() });
    }
    // Copy only the id: parameters may be large, and an error must not repeat them.
    let asked = understand(&envelope.method, envelope.params).map_err(|(code, message)| MalformedMessage {
        id,
        code,
        message: message.into(),
    })?;
    Ok(RpcRequest { id: envelope.id, asked })
}

fn understand(method: &str, params: Option<&RawValue>) -> Result<IncomingLine, (i32, UserMessage)> {
    let params = params.filter(|raw| !matches!(raw.get(), "null" | "{}" | "[]"));
    match method {
        SUBSCRIBE => return own(method, params).map(IncomingLine::Subscribe),
        GREET => return own(method, params).map(IncomingLine::Greet),
        _ => {}
    }
    if !MethodCall::METHODS.contains(&method) {
        return Err((-32601, message!("unknown-method", method = method.chars().take(100).collect::<String>())));
    }
    if params.is_some_and(|raw| raw.get().starts_with('[')) {
        return Err((-32602, message!("bad-params.position")));
    }
    let call = match params {
        Some(raw) => call(method, Some(raw)),
        // Parameters may be missing if the method has none, or if all of them are optional.
        None => call(method, None).or_else(|_| {
            let empty: &RawValue = serde_json::from_str("{}")?;
            call(method, Some(empty))
        }),
    };
    call.map(|call| IncomingLine::Call(Box::new(call))).map_err(|error| bad_params(method, &error))
}

/// Parses the parameters of a method that is not part of [`MethodCall`]. All these parameters are optional.
fn own<T: DeserializeOwned + Default>(method: &str, params: Option<&RawValue>) -> Result<T, (i32, UserMessage)> {
    let Some(raw) = params else { return Ok(T::default()) };
    if raw.get().starts_with('[') {
        return Err((-32602, message!("bad-params.position")));
    }
    serde_json::from_str(raw.get()).map_err(|error| bad_params(method, &error))
}

fn bad_params(method: &str, error: &serde_json::Error) -> (i32, UserMessage) {
    (-32602, message!("bad-params", method = method, why = error.to_string()))
}

fn call(method: &str, params: Option<&RawValue>) -> Result<MethodCall, serde_json::Error> {
    MethodCall::deserialize(MapAccessDeserializer::new(MessageParts { method: Some(method), params }))
}

/// Map that [`MethodCall`] is deserialised from: the method, and the parameters as unparsed text.
struct MessageParts<'a> {
    method: Option<&'a str>,
    params: Option<&'a RawValue>,
}

impl<'de> MapAccess<'de> for MessageParts<'de> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Self::Error> {
        let key: StrDeserializer<'_, Self::Error> = match (self.method, self.params) {
            (Some(_), _) => "method".into_deserializer(),
            (None, Some(_)) => "params".into_deserializer(),
            (None, None) => return Ok(None),
        };
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Self::Error> {
        if let Some(method) = self.method.take() {
            let method: StrDeserializer<'_, Self::Error> = method.into_deserializer();
            return seed.deserialize(method);
        }
        match self.params.take() {
            Some(params) => seed.deserialize(params),
            None => Err(serde::de::Error::custom("there is no value left")),
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'static str,
    id: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject>,
}

#[derive(Serialize, Deserialize)]
struct ErrorObject {
    code: i32,
    message: String,
    data: UserMessage,
}

/// Returns the line that answers `id` with `value`.
pub(crate) fn result(id: &Value, value: &Value) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&Answer { jsonrpc: "2.0", id, result: Some(value), error: None })
}

/// Returns the line that answers `id` with a refusal of the engine.
pub(crate) fn refusal(id: &Value, error: &EngineError) -> Result<Vec<u8>, serde_json::Error> {
    refused(id, error.message())
}

/// Returns the line that answers `id` with a refusal for the reason `why`.
pub(crate) fn refused(id: &Value, why: UserMessage) -> Result<Vec<u8>, serde_json::Error> {
    failed(id, -32000, why)
}

/// Returns the line that answers an invalid request.
pub(crate) fn misshapen(misshapen: MalformedMessage) -> Result<Vec<u8>, serde_json::Error> {
    failed(&misshapen.id, misshapen.code, *misshapen.message)
}

fn failed(id: &Value, code: i32, data: UserMessage) -> Result<Vec<u8>, serde_json::Error> {
    let error = Some(ErrorObject { code, message: data.text.clone(), data });
    serde_json::to_vec(&Answer { jsonrpc: "2.0", id, result: None, error })
}

/// Returns the line with an event for a subscriber.
pub(crate) fn notification(event: &EngineEvent) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Notification<'a> {
        jsonrpc: &'static str,
        method: &'static str,
        params: &'a EngineEvent,
    }
    serde_json::to_vec(&Notification { jsonrpc: "2.0", method: EVENT, params: event })
}

/// Returns the line that requests `call` with the id `id`.
pub(crate) fn request(id: u64, call: &MethodCall) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Question<'a> {
        jsonrpc: &'static str,
        id: u64,
        #[serde(flatten)]
        call: &'a MethodCall,
    }
    serde_json::to_vec(&Question { jsonrpc: "2.0", id, call })
}

/// Returns the line that requests events with the id `id`.
pub(crate) fn subscription(id: u64) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{SUBSCRIBE}"}}"#).into_bytes()
}

/// Returns the line with the id `id` that contains the greeting. The greeting is meant for the program that holds the
/// data folder, and names `owner` if an owner is given.
///
/// Without an owner, the greeting has no parameters, so that an earlier version understands it too.
pub(crate) fn greeting(id: u64, owner: Option<&str>) -> Result<Vec<u8>, serde_json::Error> {
    let greeting = owner.map(|owner| ServerGreeting { version: Some(VERSION), owner: Some(owner.to_owned()) });
    #[derive(Serialize)]
    struct Question {
        jsonrpc: &'static str,
        id: u64,
        method: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        params: Option<ServerGreeting>,
    }
    serde_json::to_vec(&Question { jsonrpc: "2.0", id, method: GREET, params: greeting })
}

/// Parses the answer to the request `id`; leaves the value of the answer as text.
pub(crate) fn answer(line: &[u8], id: u64) -> Result<Result<&RawValue, UserMessage>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Reply<'a> {
        id: Option<u64>,
        #[serde(borrow)]
        result: Option<&'a RawValue>,
        error: Option<ErrorObject>,
    }
    let reply: Reply = serde_json::from_slice(line)?;
    match reply {
        Reply { error: Some(error), .. } => Ok(Err(error.data)),
        Reply { result: Some(result), id: Some(answered), .. } if answered == id => Ok(Ok(result)),
        // Serde deserialises a result of null as `None`.
        Reply { result: None, id: Some(answered), .. } if answered == id => serde_json::from_str("null").map(Ok),
        Reply { .. } => Err(serde::de::Error::custom("it answers another question")),
    }
}

/// Parses an event.
pub(crate) fn event(line: &[u8]) -> Result<EngineEvent, serde_json::Error> {
    #[derive(Deserialize)]
    struct OutgoingTold {
        method: String,
        params: EngineEvent,
    }
    let told: OutgoingTold = serde_json::from_slice(line)?;
    if told.method == EVENT { Ok(told.params) } else { Err(serde::de::Error::custom("it is no event")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> (i32, String, Value) {
        let misshapen = parse(line.as_bytes()).expect_err(line);
        assert!(misshapen.message.text.ends_with('.'), "{} is no sentence", misshapen.message.text);
        (misshapen.code, misshapen.message.code, misshapen.id)
    }

    #[test]
    fn call_parameters_are_parsed_from_line() {
        let line = r#"{"jsonrpc":"2.0","id":7,"method":"list","params":{"search":"debian","limit":3}}"#;
        let request = parse(line.as_bytes()).unwrap();
        assert_eq!(request.id, Some(Value::from(7)));
        let IncomingLine::Call(call) = request.asked else { panic!("{request:?}") };
        let MethodCall::List(query) = *call else { panic!("{call:?}") };
        assert_eq!((query.search.as_deref(), query.limit), (Some("debian"), 3));
    }

    #[test]
    fn client_messages_are_parsed_by_endpoint() {
        let calls = [
            MethodCall::Totals,
            MethodCall::Ids { owner: "window".to_owned() },
            MethodCall::Pause { unique_id: None },
            MethodCall::Create(ashore_engine::NewRegistration { owner: "o".to_owned(), ..Default::default() }),
        ];
        for call in calls {
            let line = request(1, &call).unwrap();
            let IncomingLine::Call(read) = parse(&line).unwrap().asked else { panic!("{call:?}") };
            assert_eq!(format!("{read:?}"), format!("{call:?}"));
        }
        assert!(
            matches!(parse(&subscription(1)).unwrap().asked, IncomingLine::Subscribe(wanted) if wanted == EventSubscription::default())
        );
        let said = |owner| match parse(&greeting(1, owner).unwrap()).unwrap().asked {
            IncomingLine::Greet(greeting) => greeting,
            other => panic!("{other:?}"),
        };
        assert_eq!(said(None), ServerGreeting::default());
        assert_eq!(said(Some("feeds")), ServerGreeting { version: Some(VERSION), owner: Some("feeds".to_owned()) });
    }

    #[test]
    fn parameters_are_optional_if_all_have_defaults() {
        for params in ["", r#","params":{}"#, r#","params":[]"#, r#","params":null"#] {
            for method in ["owed", "totals", "doctor", "list", "pause", "subscribe"] {
                let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"{params}}}"#);
                assert!(parse(line.as_bytes()).is_ok(), "{line}");
            }
        }
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":1,"method":"show"}"#).0, -32602);
    }

    #[test]
    fn invalid_message_gets_code_of_specification() {
        let cases = [
            ("", -32700, "parse-error"),
            ("hello", -32700, "parse-error"),
            ("{", -32700, "parse-error"),
            ("GET / HTTP/1.1", -32700, "parse-error"),
            ("[]", -32600, "invalid-request"),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"owed"}]"#, -32600, "invalid-request"),
            ("42", -32600, "invalid-request"),
            ("{}", -32600, "invalid-request"),
            (r#"{"jsonrpc":"1.0","id":1,"method":"owed"}"#, -32600, "invalid-request"),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"owed"}"#, -32600, "invalid-request"),
            (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600, "invalid-request"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"owed","extra":1}"#, -32600, "invalid-request"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"format_disk"}"#, -32601, "unknown-method"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"Create"}"#, -32601, "unknown-method"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"x":1}}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"owed","params":{"x":1}}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"show","params":{"unique_id":"x"}}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ids","params":{"owner":"a","x":1}}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"list","params":{"limit":-1}}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"create","params":{"urls":[]}}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"create","params":"all"}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ids","params":["window"]}"#, -32602, "bad-params"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"list","params":["debian"]}"#, -32602, "bad-params"),
        ];
        for (line, code, word) in cases {
            let found = refused(line);
            assert_eq!((found.0, found.1.as_str()), (code, word), "{line}");
        }
    }

    #[test]
    fn error_is_returned_with_id_of_request() {
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":"a","method":"nope"}"#).2, Value::from("a"));
        assert_eq!(refused(r#"{"jsonrpc":"1.0","id":9,"method":"owed"}"#).2, Value::from(9));
        assert_eq!(refused("{").2, Value::Null);
    }

    #[test]
    fn deep_nesting_is_a_parse_error() {
        let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"list","params":{}}}"#, "[".repeat(100_000));
        assert_eq!(refused(&deep).0, -32700);
    }

    #[test]
    fn missing_message_id_is_distinguished_from_null_id() {
        assert_eq!(parse(br#"{"jsonrpc":"2.0","method":"owed"}"#).unwrap().id, None);
        assert_eq!(parse(br#"{"jsonrpc":"2.0","id":null,"method":"owed"}"#).unwrap().id, Some(Value::Null));
    }

    #[test]
    fn answers_and_events_are_parsed_by_client() {
        let line = result(&Value::from(3), &Value::Null).unwrap();
        assert_eq!(answer(&line, 3).unwrap().unwrap().get(), "null");
        let line = result(&Value::from(3), &Value::from(true)).unwrap();
        assert_eq!(answer(&line, 3).unwrap().unwrap().get(), "true");
        assert!(answer(&line, 4).is_err());
        let line = refusal(&Value::from(3), &EngineError::Empty).unwrap();
        assert_eq!(answer(&line, 3).unwrap().unwrap_err(), EngineError::Empty.message());
        let line = notification(&EngineEvent::Lagged).unwrap();
        assert_eq!(event(&line).unwrap(), EngineEvent::Lagged);
        assert!(event(&refusal(&Value::Null, &EngineError::Empty).unwrap()).is_err());
    }
}
