//! Tests of endpoint and client, on real sockets and a real ledger in a temporary folder.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};

use ashore_engine::{
    Engine, EngineEnv, EngineEvent, EngineOptions, ListQuery, NewRegistration, NewRequest, ProgressTotals, QueuePlace,
    Registration, SettingOverrides, UniqueId,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
    time::timeout,
};

use crate::{
    CallFailure, MethodCall, PeerStream, SocketClient,
    connection::{connect, hold},
    endpoint::{EndpointLimits, LIMITS, SocketEndpoint},
};

/// Timeout that is long enough for a busy machine; reached only when something is broken.
const SOON: Duration = Duration::from_secs(30);

async fn engine(folder: &Path) -> Engine {
    let data_dir = folder.join("data");
    let overrides = SettingOverrides::default();
    let options = EngineOptions { data_dir, holder: "a test".to_owned(), fetch: false, overrides, env: EngineEnv::default() };
    Engine::open(options).await.unwrap()
}

fn registration(folder: &Path, urls: &[&str]) -> NewRegistration {
    let requests = urls.iter().map(|&url| NewRequest { url: url.to_owned(), ..NewRequest::default() }).collect();
    let folder = Some(folder.to_owned());
    NewRegistration { owner: "test".to_owned(), folder, requests, ..NewRegistration::default() }
}

/// Foreign program that only writes and reads lines.
struct RawClient(BufReader<UnixStream>);

impl RawClient {
    async fn connect(socket: &Path) -> Self {
        Self(BufReader::new(UnixStream::connect(socket).await.unwrap()))
    }

    async fn send_line(&mut self, line: &str) {
        self.0.write_all(line.as_bytes()).await.unwrap();
        self.0.write_all(b"\n").await.unwrap();
    }

    /// Returns the next line; `None` if the connection is closed.
    async fn next_line(&mut self) -> Option<Value> {
        let mut line = String::new();
        match timeout(SOON, self.0.read_line(&mut line)).await.unwrap() {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(serde_json::from_str(&line).unwrap()),
        }
    }

    async fn ask(&mut self, line: &str) -> Value {
        self.send_line(line).await;
        self.next_line().await.unwrap()
    }
}

#[tokio::test]
async fn third_party_client_gets_answers_and_typed_errors() {
    let place = tempfile::tempdir().unwrap();
    let engine = engine(place.path()).await;
    let endpoint = SocketEndpoint::serve_at(engine.clone(), place.path(), place.path().join("s/ashore.sock"), LIMITS).unwrap();
    let mut stranger = RawClient::connect(endpoint.path()).await;

    let answer = stranger.ask(r#"{"jsonrpc":"2.0","id":"a","method":"list","params":{}}"#).await;
    assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": "a", "result": [] }));

    let cases = [
        ("no json", -32700, "parse-error"),
        ("\u{0}\u{1}", -32700, "parse-error"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"drop_tables"}"#, -32601, "unknown-method"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"show","params":{"unique_id":7}}"#, -32602, "bad-params"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"create","params":{"requests":[]}}"#, -32000, "empty"),
    ];
    for (line, code, word) in cases {
        let answer = stranger.ask(line).await;
        let error = &answer["error"];
        let found = (error["code"].as_i64(), error["data"]["code"].as_str());
        assert_eq!(found, (Some(code), Some(word)), "{line}: {answer}");
        assert_eq!(error["message"], error["data"]["text"]);
    }

    // A request without an id gets no answer, so the next line answers the next request.
    stranger.send_line(r#"{"jsonrpc":"2.0","method":"pause"}"#).await;
    let answer = stranger.ask(r#"{"jsonrpc":"2.0","id":2,"method":"totals"}"#).await;
    assert_eq!((&answer["id"], &answer["result"]["paused"]), (&json!(2), &json!(true)));
    endpoint.stop().await;
    engine.close().await;
}

#[tokio::test]
async fn too_long_line_closes_only_its_own_connection() {
    let place = tempfile::tempdir().unwrap();
    let engine = engine(place.path()).await;
    let limits = EndpointLimits { message: 1000, ..LIMITS };
    let endpoint = SocketEndpoint::serve_at(engine.clone(), place.path(), place.path().join("s/ashore.sock"), limits).unwrap();
    let mut stranger = RawClient::connect(endpoint.path()).await;
    let mut other = RawClient::connect(endpoint.path()).await;

    // Writing the rest may fail, because the connection may be closed already.
    let _ = stranger.0.write_all(&[b'x'; 1001]).await;
    assert_eq!(stranger.next_line().await.unwrap()["error"]["data"]["code"], "too-long");
    assert_eq!(stranger.next_line().await, None);
    assert!(other.ask(r#"{"jsonrpc":"2.0","id":1,"method":"totals"}"#).await["result"].is_object());
    endpoint.stop().await;
    engine.close().await;
}

#[tokio::test]
async fn connection_above_limit_is_refused_as_busy() {
    let place = tempfile::tempdir().unwrap();
    let engine = engine(place.path()).await;
    let limits = EndpointLimits { connections: 2, ..LIMITS };
    let endpoint = SocketEndpoint::serve_at(engine.clone(), place.path(), place.path().join("s/ashore.sock"), limits).unwrap();
    let ask = r#"{"jsonrpc":"2.0","id":1,"method":"totals"}"#;
    let mut first = RawClient::connect(endpoint.path()).await;
    let mut second = RawClient::connect(endpoint.path()).await;
    first.ask(ask).await;
    second.ask(ask).await;
    let mut third = RawClient::connect(endpoint.path()).await;
    assert_eq!(third.next_line().await.unwrap()["error"]["data"]["code"], "busy");
    assert_eq!(third.next_line().await, None);
    drop(second);
    // The endpoint accepts another connection as soon as it has noticed the disconnect.
    timeout(SOON, async {
        loop {
            let mut next = RawClient::connect(endpoint.path()).await;
            // Writing may fail on a closed connection; only the answer counts.
            let _ = next.0.write_all(format!("{ask}\n").as_bytes()).await;
            if next.next_line().await.is_some_and(|answer| answer["result"].is_object()) {
                break;
            }
        }
    })
    .await
    .unwrap();
    endpoint.stop().await;
    engine.close().await;
}

#[tokio::test]
async fn socket_is_private_and_removed_when_serving_stops() {
    let place = tempfile::tempdir().unwrap();
    let engine = engine(place.path()).await;
    let socket = place.path().join("s/ashore.sock");
    // Leave a socket behind, as a dead program does.
    fs::create_dir(place.path().join("s")).unwrap();
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let endpoint = SocketEndpoint::serve_at(engine.clone(), place.path(), socket.clone(), LIMITS).unwrap();
    assert_eq!(fs::metadata(place.path().join("s")).unwrap().permissions().mode() & 0o777, 0o700);
    let mut stranger = RawClient::connect(&socket).await;
    stranger.ask(r#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#).await;
    endpoint.stop().await;
    assert!(!socket.exists());
    assert_eq!(stranger.next_line().await, None);
    engine.close().await;
}

#[tokio::test]
async fn slow_reader_gets_lagged_event_without_blocking_writers() {
    // Use memory if possible, because the test makes thousands of durable writes and does not test the disk.
    let place = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let engine = engine(place.path()).await;
    let endpoint = SocketEndpoint::serve_at(engine.clone(), place.path(), place.path().join("s/ashore.sock"), LIMITS).unwrap();
    let made = engine.create(registration(place.path(), &["http://127.0.0.1/a"])).await.unwrap();
    let mut slow = RawClient::connect(endpoint.path()).await;
    slow.ask(r#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#).await;
    // Emit more events than fit into all queues together. The queue of the engine alone holds 4,096.
    for _ in 0..5000 {
        engine.move_to(made.unique_id, QueuePlace::Top).await.unwrap();
    }
    let mut heard = 0;
    loop {
        let event = slow.next_line().await.unwrap();
        heard += 1;
        if event["params"]["type"] == "lagged" {
            break;
        }
        assert!(heard < 5000, "nothing was lost, so nothing was measured");
    }
    endpoint.stop().await;
    engine.close().await;
}

#[tokio::test]
async fn second_program_on_same_folder_becomes_client_of_first() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("data");
    let first = connect(&folder, "the first", true).await.unwrap();
    let PeerStream::Own(own) = &first else { panic!("{first:?}") };
    let socket = own.socket().unwrap().to_owned();
    first.call::<()>(MethodCall::Pause { unique_id: None }).await.unwrap();

    let second = connect(&folder, "the second", true).await.unwrap();
    assert!(!second.is_own());
    let mut events = second.events().await.unwrap();
    let new = registration(place.path(), &["http://127.0.0.1/a", "http://127.0.0.1/b"]);
    let made: Registration = second.call(MethodCall::Create(new)).await.unwrap();
    let seen: Registration = first.call(MethodCall::Show { unique_id: made.unique_id }).await.unwrap();
    assert_eq!(seen, made);
    let told = timeout(SOON, async {
        loop {
            if let EngineEvent::Changed { registration } = events.next().await.unwrap() {
                break registration.unique_id;
            }
        }
    });
    assert_eq!(told.await.unwrap(), made.unique_id);
    let totals: ProgressTotals = second.call(MethodCall::Totals).await.unwrap();
    assert!(totals.paused);

    let unknown = UniqueId("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed".parse().unwrap());
    match second.call::<Registration>(MethodCall::Show { unique_id: unknown }).await {
        Err(CallFailure::Refused(message)) => assert_eq!(message.code, "unknown"),
        other => panic!("{other:?}"),
    }
    match hold(&folder, "the third", SettingOverrides::default()).await {
        Err(CallFailure::Closed(message)) => {
            assert_eq!(message.code, "held");
            assert!(message.text.contains("the first"), "{}", message.text);
        }
        other => panic!("{other:?}"),
    }

    first.close().await;
    assert!(!socket.exists());
    timeout(SOON, async { while events.next().await.is_some() {} }).await.unwrap();
    assert!(second.call::<ProgressTotals>(MethodCall::Totals).await.unwrap_err().lost());
    let heir = connect(&folder, "the heir", true).await.unwrap();
    assert!(heir.is_own());
    let list: Vec<Registration> = heir.call(MethodCall::List(ListQuery::default())).await.unwrap();
    assert_eq!(list.iter().map(|one| one.unique_id).collect::<Vec<_>>(), [made.unique_id]);
    heir.close().await;
}

#[tokio::test]
async fn engine_start_waits_while_another_program_briefly_uses_the_ledger() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("data");
    let brief = connect(&folder, "a short verb", false).await.unwrap();
    assert!(SocketClient::connect(&folder).await.is_err());
    let (held, ()) = tokio::join!(hold(&folder, "ashore serve", SettingOverrides::default()), async {
        tokio::task::yield_now().await;
        brief.close().await;
    });
    held.unwrap().close().await;
}

#[tokio::test]
async fn answers_of_simultaneous_calls_are_not_mixed_up() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("data");
    let first = connect(&folder, "the first", true).await.unwrap();
    let client = SocketClient::connect(&folder).await.unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..100u128 {
        let client = client.clone();
        calls.spawn(async move {
            let unique_id = UniqueId(format!("{number:032x}").parse().unwrap());
            let answer = client.call::<Registration>(&MethodCall::Show { unique_id }).await;
            assert!(answer.unwrap_err().to_string().contains(&unique_id.to_string()));
        });
    }
    while let Some(done) = calls.join_next().await {
        done.unwrap();
    }
    // A later call must not receive the answer of a cancelled call.
    for _ in 0..20 {
        let _ = timeout(Duration::ZERO, client.call::<Vec<Registration>>(&MethodCall::Owed { owner: None })).await;
        assert!(!client.call::<ProgressTotals>(&MethodCall::Totals).await.unwrap().paused);
    }
    first.close().await;
}

#[test]
fn futures_of_the_functions_connect_and_hold_can_move_between_threads() {
    fn require_send(_: impl Send) {}
    require_send(connect(Path::new("/d"), "test", true));
    require_send(hold(Path::new("/d"), "test", SettingOverrides::default()));
}

#[tokio::test]
async fn connection_fails_as_closed_if_data_folder_is_a_file() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("data");
    fs::write(&file, "this is a file").unwrap();
    assert!(matches!(connect(&file, "test", false).await, Err(CallFailure::Closed(_))));
}
