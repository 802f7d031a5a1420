//! Tests the aria2 interface of `ashore serve` with plain requests, and with the client programs and libraries that
//! `scripts/setup long` installs.

use std::{path::PathBuf, process::Stdio};

use ashore_testkit::origin::{Body, Origin};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::cli::{
    program::{Person, Ran, end},
    serve::remote::{ask, person, serve},
};

/// Length of the file that the clients download.
const LENGTH: u64 = 300_000;

pub(super) async fn secret(person: &Person, scope: &str) -> String {
    let issued = person.object(&["remote", "token", "--name", scope, "--scope", scope, "--json"]).await;
    issued["token"].as_str().unwrap().to_owned()
}

/// Calls a method, and returns its result or its error.
async fn call(host: &str, secret: &str, method: &str, params: Value) -> Value {
    call_at(host, "/jsonrpc", secret, method, params).await
}

/// Calls a method of the interface at `path`, and returns its result or its error.
pub(super) async fn call_at(host: &str, path: &str, secret: &str, method: &str, params: Value) -> Value {
    let Value::Array(mut params) = params else { panic!("{params}") };
    params.insert(0, json!(format!("token:{secret}")));
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let answered = ask(host, &format!("POST {path}"), &[], call.as_bytes()).await;
    let mut answer: Value = serde_json::from_slice(&answered.body).unwrap_or_else(|error| panic!("{answered:?}: {error}"));
    let key = if answered.status == 200 { "result" } else { "error" };
    answer[key].take()
}

/// Starts a web server with the files that the clients download. The server sends only the first half of `/held`.
pub(super) async fn web_server() -> Origin {
    let origin = Origin::start().await;
    origin.file("/ok", Body::seeded(7, LENGTH));
    origin.file("/held", Body::seeded(8, LENGTH)).gate_at(LENGTH / 2);
    origin
}

/// Returns the path of an installed program. Panics if `scripts/setup long` has not installed it.
pub(super) fn installed(path: &str) -> PathBuf {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/clients")).join(path);
    assert!(path.exists(), "{} is missing. Run `scripts/setup long`.", path.display());
    path
}

/// Runs a client until it exits, and returns its output. Panics if the client fails.
pub(super) async fn client(mut command: Command, person: &Person) -> Ran {
    command.env("HOME", person.home()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let ran = end(command.spawn().unwrap()).await;
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    ran
}

pub(super) fn script(name: &str) -> String {
    format!("{}/clients/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[tokio::test(flavor = "multi_thread")]
async fn program_with_token_downloads_file_through_aria2_interface() {
    let (origin, person) = (web_server().await, person());
    let (_serving, host) = serve(&person, &[]).await;
    let secret = secret(&person, "add").await;
    let gid = call(&host, &secret, "aria2.addUri", json!([[origin.url("/ok")], { "out": "a.bin" }])).await;
    let shown = person.until(&["list", "--json"], |listed| listed["state"] == "settled").await;
    assert_eq!((&shown["owner"], &shown["developer_id"], &shown["result"]), (&json!("aria2"), &gid, &json!("success")));
    let status = call(&host, &secret, "aria2.tellStatus", json!([gid, ["status"]])).await;
    assert_eq!((status, person.file("a.bin").len() as u64), (json!({ "status": "complete" }), LENGTH));
    person.run(["remote", "sign-out", "add"]).await;
    let refused = json!({ "code": 1, "message": "Unauthorized" });
    assert_eq!(call(&host, &secret, "aria2.getVersion", json!([])).await, refused);
}

#[tokio::test(flavor = "multi_thread")]
async fn aria2_interface_can_be_closed_or_opened_for_all_downloads() {
    let (origin, person) = (web_server().await, person());
    let (serving, host) = serve(&person, &["--aria2", "off"]).await;
    assert_eq!(ask(&host, "POST /jsonrpc", &[], b"{}").await.status, 405);
    drop(serving);
    let (_serving, host) = serve(&person, &["--aria2", "all"]).await;
    let secret = secret(&person, "control").await;
    person.run(["add", origin.url("/held").as_str()]).await;
    let added = person.until(&["list", "--json"], |listed| listed["state"] == "running").await;
    let gid = added["unique_id"].as_str().unwrap().replace('-', "")[..16].to_owned();
    assert_eq!(call(&host, &secret, "aria2.tellActive", json!([["gid"]])).await, json!([{ "gid": gid }]));
    assert_eq!(call(&host, &secret, "aria2.pause", json!([gid])).await, gid);
}

#[tokio::test(flavor = "multi_thread")]
async fn aria2_client_stops_serve_command_only_if_it_is_permitted() {
    let person = person();
    let (serving, host) = serve(&person, &[]).await;
    let secret = secret(&person, "control").await;
    assert_eq!(call(&host, &secret, "aria2.shutdown", json!([])).await["code"], 1);
    drop(serving);
    let (serving, host) = serve(&person, &["--aria2-may-stop"]).await;
    assert_eq!(call(&host, &secret, "aria2.shutdown", json!([])).await, "OK");
    assert_eq!(serving.end().await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn xml_rpc_library_of_python_downloads_file_through_aria2_interface() {
    let (origin, person) = (web_server().await, person());
    let (_serving, host) = serve(&person, &[]).await;
    let secret = secret(&person, "control").await;
    let (_, port) = host.split_once(':').unwrap();
    let mut command = Command::new("python3");
    command.args([&script("xml_rpc.py"), port, &secret, origin.url("/ok").as_str()]);
    client(command, &person).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the clients that scripts/setup long installs"]
async fn aria2_client_in_python_controls_downloads() {
    let (origin, person) = (web_server().await, person());
    let (_serving, host) = serve(&person, &[]).await;
    let secret = secret(&person, "control").await;
    let (_, port) = host.split_once(':').unwrap();
    let mut command = Command::new(installed("python/bin/python"));
    let web = origin.url("");
    command.args([&script("aria2p_library.py"), port, &secret, web.as_str().trim_end_matches('/')]).arg(person.downloads());
    client(command, &person).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the clients that scripts/setup long installs"]
async fn aria2_client_on_command_line_controls_downloads() {
    let (origin, person) = (web_server().await, person());
    let (_serving, host) = serve(&person, &[]).await;
    let secret = secret(&person, "control").await;
    let (_, port) = host.split_once(':').unwrap();
    let run = async |arguments: &[&str]| {
        let mut command = Command::new(installed("python/bin/aria2p"));
        command.args(["--host", "http://127.0.0.1", "--port", port, "--secret", &secret]).args(arguments);
        client(command, &person).await.stdout
    };
    let added = run(&["add", origin.url("/held").as_str()]).await;
    let gid = added.trim().strip_prefix("Created download ").unwrap_or_else(|| panic!("{added}")).to_owned();
    person.until(&["list", "--json"], |listed| listed["state"] == "running").await;
    assert!(run(&["show"]).await.contains(&gid[..16]));
    run(&["pause", &gid]).await;
    person.until(&["list", "--json"], |listed| listed["state"] == "paused").await;
    run(&["resume", &gid]).await;
    person.until(&["list", "--json"], |listed| listed["state"] == "running").await;
    let status = run(&["call", "tellStatus", "-P", &gid]).await;
    assert_eq!(serde_json::from_str::<Value>(&status).unwrap()["status"], "active");
    run(&["remove", &gid]).await;
    assert!(!run(&["show"]).await.contains(&gid));
    run(&["purge"]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the clients that scripts/setup long installs"]
async fn aria2_client_in_javascript_downloads_file() {
    let (origin, person) = (web_server().await, person());
    let (_serving, host) = serve(&person, &[]).await;
    let secret = secret(&person, "control").await;
    let (_, port) = host.split_once(':').unwrap();
    let mut command = Command::new("node");
    let web = origin.url("");
    command.args([&script("npm_client.js"), port, &secret, web.as_str().trim_end_matches('/')]);
    command.env("NODE_PATH", installed("npm/node_modules"));
    client(command, &person).await;
}
