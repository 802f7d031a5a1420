//! Tests the socket of a real `ashore serve`, as other programs use it.
//!
//! Malformed messages are answered with an error, are logged, and have no other effect.

use std::{os::unix::fs::PermissionsExt, path::Path};

use ashore_testkit::origin::{Body, Origin};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
    time::timeout,
};

use crate::cli::program::{Person, Running, SOON};

async fn ask(stream: &mut BufReader<UnixStream>, line: &[u8]) -> Value {
    stream.write_all(line).await.unwrap();
    stream.write_all(b"\n").await.unwrap();
    let mut answer = String::new();
    timeout(SOON, stream.read_line(&mut answer)).await.expect("it answers").unwrap();
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer:?}: {error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_socket_messages_get_typed_error_and_change_nothing() {
    let person = Person::new();
    let (mut serving, ready) = person.serve().await;
    let socket = Path::new(ready["socket"].as_str().unwrap());
    assert_eq!(socket.parent().unwrap(), person.home().join("run/ashore"));
    assert_eq!(socket.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);

    let mut stream = BufReader::new(UnixStream::connect(socket).await.unwrap());
    let cases: &[(&[u8], i64)] = &[
        (b"", -32700),
        (b"\xff\xfe\x00", -32700),
        (b"GET / HTTP/1.1\r", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,", -32700),
        (b"[]", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}", -32601),
        (br#"{"jsonrpc":"2.0","id":1,"method":"remove","params":{"unique_id":"../..","files":true}}"#, -32602),
        (br#"{"jsonrpc":"2.0","id":1,"method":"create","params":{"owner":"x","requests":[{"uri":1}]}}"#, -32602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"create\",\"params\":{\"owner\":\"x\",\"requests\":[]}}", -32000),
    ];
    for (line, code) in cases {
        let answer = ask(&mut stream, line).await;
        let error = &answer["error"];
        assert_eq!(error["code"], *code, "{}: {answer}", String::from_utf8_lossy(line));
        assert!(error["data"]["code"].is_string() && error["data"]["text"].is_string(), "{answer}");
    }
    let answer = ask(&mut stream, br#"{"jsonrpc":"2.0","id":2,"method":"list"}"#).await;
    assert_eq!(answer, json!({ "jsonrpc": "2.0", "id": 2, "result": [] }));
    assert!(serving.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn add_message_without_address_is_refused_permanently_and_logged() {
    let person = Person::new();
    // Start without -v, because the faulty program's author must see the log line without this option.
    let mut serving = person.start(["serve", "--json"]);
    let ready: Value = serde_json::from_str(&serving.line().await).unwrap();
    let mut stream = BufReader::new(UnixStream::connect(ready["socket"].as_str().unwrap()).await.unwrap());
    let seen = br#"{"jsonrpc":"2.0","id":1,"method":"add","params":{"owner":"feed","source":"feed","requests":[{"name":"a"}]}}"#;
    let error = &ask(&mut stream, seen).await["error"];
    assert_eq!(error["data"]["code"], "bad-url", "{error}");
    let unknown = br#"{"jsonrpc":"2.0","id":2,"method":"add","params":{"owner":"feed","seen":[]}}"#;
    assert_eq!(ask(&mut stream, unknown).await["error"]["data"]["code"], "bad-params");
    let list = ask(&mut stream, br#"{"jsonrpc":"2.0","id":3,"method":"list"}"#).await;
    assert_eq!(list["result"], json!([]), "nothing waits to be tried again");
    serving.signal(Signal::TERM);
    let log = serving.end().await.stderr;
    assert!(log.contains("does not fit its schema") && log.contains("unknown field `seen`"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn end_event_that_get_command_has_printed_is_not_pending() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let url = origin.url("/a.txt");
    assert_eq!(person.run(["get", url.as_str()]).await.code, Some(0));
    let (_serving, ready) = person.serve().await;
    let mut stream = BufReader::new(UnixStream::connect(ready["socket"].as_str().unwrap()).await.unwrap());
    let owed = br#"{"jsonrpc":"2.0","id":1,"method":"owed"}"#;
    assert_eq!(ask(&mut stream, owed).await["result"], json!([]));
    // Add a download. No client watches for its end.
    let id = person.run(["add", url.as_str()]).await.stdout.trim().to_owned();
    person.shows(&id, |shown| shown["result"] == "success").await;
    assert_eq!(ask(&mut stream, owed).await["result"][0]["unique_id"], id.as_str());
}

/// Tests a temporary folder where another user has already created an entry with Ashore's file name.
///
/// The other user's entry is a folder, a link or a file. Ashore starts despite this entry and does not use it.
#[tokio::test(flavor = "multi_thread")]
async fn serve_command_ignores_entry_of_other_user_in_temporary_folder() {
    let uid = rustix::process::geteuid();
    let occupations: [fn(&Path); 3] = [
        |place| {
            std::fs::create_dir(place).unwrap();
            // If the owner cannot be changed, at least make the folder open to all users.
            let _ = std::os::unix::fs::chown(place, Some(12345), None);
            std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o777)).unwrap();
        },
        |place| std::os::unix::fs::symlink("/", place).unwrap(),
        |place| std::fs::write(place, "mine").unwrap(),
    ];
    for occupy in occupations {
        let person = Person::new();
        occupy(&person.home().join(format!("ashore-{uid}")));
        let mut serving = Running::from_child(person.command(["serve", "--json"]).env_remove("XDG_RUNTIME_DIR").spawn().unwrap());
        let ready: Value = serde_json::from_str(&serving.line().await).unwrap();
        let socket = Path::new(ready["socket"].as_str().unwrap());
        assert_eq!(socket.parent().unwrap().canonicalize().unwrap(), person.data().canonicalize().unwrap());
        let folder = socket.parent().unwrap().metadata().unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
        // Clients find the socket with and without a runtime folder.
        let without = person.command(["list", "--json"]).env_remove("XDG_RUNTIME_DIR").output().await.unwrap();
        assert!(without.status.success(), "{without:?}");
        assert!(person.list().await.is_empty());
        assert!(serving.is_running());
    }
}

/// Socket paths are limited to about a hundred bytes, but the path of a data folder may be thousands of bytes long.
#[tokio::test(flavor = "multi_thread")]
async fn serve_command_answers_despite_long_data_folder_and_missing_runtime_folder() {
    let person = Person::new();
    let long = person.home().join("d".repeat(150)).join("e".repeat(150));
    let command = |arguments: &[&str]| {
        let mut command = person.command(arguments);
        command.env_remove("XDG_RUNTIME_DIR").env("ASHORE_DATA_DIR", &long);
        command
    };
    let mut serving = Running::from_child(command(&["serve", "--json"]).spawn().unwrap());
    let ready: Value = serde_json::from_str(&serving.line().await).unwrap();
    assert_eq!(ready["ready"], true);
    let listed = command(&["list", "--json"]).output().await.unwrap();
    assert!(listed.status.success(), "{listed:?}");
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
}
