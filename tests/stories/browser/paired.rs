//! Tests the paired channel: browsers that cannot start the host connect to the engine's program.

use std::net::Ipv4Addr;

use ashore_testkit::{
    LOCAL,
    origin::{Body, Origin},
    waits::until,
};
use futures_util::{SinkExt as _, StreamExt as _};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    process::Command,
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest as _},
};

use super::port::{LENGTH, SEED, ask, assert_complete, caller, person, seen, settings, with};
use crate::cli::program::{Person, Running, SOON};

/// Setting for any free port. Stories that run at the same time cannot share the usual ports.
const ANY_PORT: &str = "0";
const ON: &str = "browser-channel = true\n";

/// Connection of a paired browser.
struct Channel(WebSocketStream<TcpStream>);

impl Channel {
    async fn open(port: u16) -> Self {
        let mut request = format!("ws://127.0.0.1:{port}/browser").into_client_request().unwrap();
        request.headers_mut().insert("origin", caller().trim_end_matches('/').parse().unwrap());
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
        Self(client_async(request, stream).await.unwrap().0)
    }

    /// Opens a connection, and signs in.
    async fn signed_in(port: u16, paired: &Value) -> Self {
        let mut channel = Self::open(port).await;
        let answer = channel.exchange(&sign_in(paired)).await;
        assert_eq!(answer, json!({ "type": "signed_in" }));
        channel
    }

    async fn exchange(&mut self, message: &Value) -> Value {
        self.0.send(Message::text(message.to_string())).await.unwrap();
        self.next().await.expect("the channel answers")
    }

    /// Returns the next message; `None` after the end of the connection.
    async fn next(&mut self) -> Option<Value> {
        match timeout(SOON, self.0.next()).await.expect("the channel answers in time")?.ok()? {
            Message::Text(text) => Some(serde_json::from_str(&text).unwrap()),
            _ => None,
        }
    }
}

fn sign_in(paired: &Value) -> Value {
    json!({ "type": "sign_in", "id": paired["id"], "token": paired["token"] })
}

/// Starts `ashore serve` with these ports for browsers and this log filter.
async fn serve(person: &Person, ports: &str, log: &str) -> Running {
    let mut command = person.command(["serve", "--json"]);
    command.env("ASHORE_BROWSER_PORTS", ports).env("RUST_LOG", log);
    let mut serving = Running::from_child(command.spawn().unwrap());
    assert!(serving.line().await.contains("ready"));
    serving
}

/// Returns the port on which the program listens.
async fn port(person: &Person) -> u16 {
    until("a port is open", async || {
        let state = std::fs::read_to_string(person.data().join("remote-listener.json")).ok()?;
        let state: Value = serde_json::from_str(&state).ok()?;
        u16::try_from(state["port"]["port"].as_u64()?).ok()
    })
    .await
}

/// Pairs a browser with the code that the command line shows.
async fn pair(person: &Person, browser: &str) -> Value {
    let shown = person.object(&["browsers", "pair", "--json"]).await;
    let message = json!({ "type": "pair", "code": shown["code"], "browser": browser });
    let paired = Channel::open(port(person).await).await.exchange(&message).await;
    assert_eq!(paired["type"], "paired", "{paired}");
    paired
}

fn with_channel() -> Person {
    let person = person();
    settings(&person, &format!("{LOCAL}{ON}"));
    person
}

#[tokio::test(flavor = "multi_thread")]
async fn paired_browser_hands_download_over() {
    let (origin, person) = (Origin::start().await, with_channel());
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let _serving = serve(&person, ANY_PORT, "warn").await;
    let paired = pair(&person, "Firefox").await;
    let mut channel = Channel::signed_in(port(&person).await, &paired).await;
    let greeting = channel.exchange(&json!({ "type": "greet", "version": 1 })).await;
    assert_eq!((&greeting["type"], &greeting["is_running"]), (&json!("greeting"), &json!(true)));
    let taken = channel.exchange(&ask(1, &seen(origin.url("/disk.iso")))).await;
    assert_eq!(taken["type"], "taken", "{taken}");
    person.shows(taken["unique_id"].as_str().unwrap(), |shown| shown["state"] == "settled").await;
    assert_complete(&person).await;
    let listed = person.run(["browsers", "--json"]).await.objects().pop().unwrap();
    assert_eq!((&listed["name"], &listed["state"]), (&json!("Firefox"), &json!("paired")));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_paired_browsers_hand_downloads_over_simultaneously() {
    let (origin, person) = (Origin::start().await, with_channel());
    let _serving = serve(&person, ANY_PORT, "warn").await;
    let mut types = Vec::new();
    let mut asks = Vec::new();
    for (number, browser) in [(1, "Firefox"), (2, "Chromium")] {
        let path = format!("/{number}.iso");
        origin.file(&path, Body::seeded(SEED, LENGTH));
        let paired = pair(&person, browser).await;
        let channel = Channel::signed_in(port(&person).await, &paired).await;
        asks.push((channel, ask(number, &with(seen(origin.url(&path)), json!({ "name": format!("{number}.iso") })))));
    }
    let [(mut one, first), (mut other, second)] = asks.try_into().ok().unwrap();
    let (first, second) = tokio::join!(one.exchange(&first), other.exchange(&second));
    types.extend([first["type"].clone(), second["type"].clone()]);
    assert_eq!(types, ["taken", "taken"], "{first} {second}");
}

#[tokio::test(flavor = "multi_thread")]
async fn setting_opens_and_closes_channel_without_restart() {
    let person = person();
    let _serving = serve(&person, ANY_PORT, "warn").await;
    let refused = person.run(["browsers", "pair", "--json"]).await;
    assert_eq!((refused.code, refused.error_code().as_str()), (Some(4), "browser-pairing"));
    assert!(!person.data().join("remote-listener.json").exists());

    assert_eq!(person.run(["settings", "browser-channel", "true"]).await.code, Some(0));
    let paired = pair(&person, "Firefox").await;
    let open = port(&person).await;
    let mut channel = Channel::signed_in(open, &paired).await;

    assert_eq!(person.run(["settings", "browser-channel", "false"]).await.code, Some(0));
    assert_eq!(channel.next().await, None);
    until("the port is closed", async || TcpStream::connect((Ipv4Addr::LOCALHOST, open)).await.is_err().then_some(())).await;

    // The pairing still exists after the setting was turned off.
    assert_eq!(person.run(["settings", "browser-channel", "true"]).await.code, Some(0));
    until("the browser is signed in again", async || {
        let state: Value =
            serde_json::from_str(&std::fs::read_to_string(person.data().join("remote-listener.json")).ok()?).ok()?;
        let open = u16::try_from(state["port"]["port"].as_u64()?).ok()?;
        TcpStream::connect((Ipv4Addr::LOCALHOST, open)).await.ok()?;
        Channel::signed_in(open, &paired).await;
        Some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_browser_receives_the_reason_for_its_removal() {
    let person = with_channel();
    let serving = serve(&person, ANY_PORT, "warn").await;
    let paired = pair(&person, "Firefox").await;
    let open = port(&person).await;
    let mut channel = Channel::signed_in(open, &paired).await;
    assert_eq!(person.run(["browsers", "unpair", "Firefox"]).await.code, Some(0));
    assert_eq!(person.run(["browsers", "unpair", "Firefox"]).await.code, Some(1));
    let refused = channel.next().await.unwrap();
    assert_eq!((&refused["type"], &refused["code"]), (&json!("refused"), &json!("browser-pairing.removed")));
    let refused = Channel::open(open).await.exchange(&sign_in(&paired)).await;
    assert_eq!((&refused["type"], &refused["code"]), (&json!("refused"), &json!("browser-pairing.removed")));
    let listed = person.run(["browsers", "--json"]).await.stdout;
    assert!(!listed.contains("paired"), "{listed}");
    // The end of a connection must not be logged.
    let mut other = Channel::open(open).await;
    other.0.close(None).await.unwrap();
    assert_eq!(other.next().await, None);
    serving.signal(Signal::TERM);
    let log = serving.end().await.stderr;
    assert!(!log.contains("DEBUG") && !log.contains("WARN"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pairing_code_works_once_and_is_invalid_after_five_wrong_attempts() {
    let person = with_channel();
    let _serving = serve(&person, ANY_PORT, "warn").await;
    let used = person.object(&["browsers", "pair", "--json"]).await;
    let open = port(&person).await;
    let message = |code: &Value| json!({ "type": "pair", "code": code, "browser": "A" });
    assert_eq!(Channel::open(open).await.exchange(&message(&used["code"])).await["type"], "paired");
    assert_eq!(Channel::open(open).await.exchange(&message(&used["code"])).await["code"], "browser-pairing");
    let shown = person.object(&["browsers", "pair", "--json"]).await;
    for _ in 0..5 {
        let refused = Channel::open(open).await.exchange(&message(&json!("2222-2222"))).await;
        assert_eq!(refused["type"], "refused", "{refused}");
    }
    assert_eq!(Channel::open(open).await.exchange(&message(&shown["code"])).await["type"], "refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_cannot_connect_even_with_dns_rebinding() {
    let person = with_channel();
    let _serving = serve(&person, ANY_PORT, "warn").await;
    let open = port(&person).await;
    let (own, local) = (caller(), format!("127.0.0.1:{open}"));
    let own = own.trim_end_matches('/');
    for (host, origin, status) in [
        (local.as_str(), "Origin: https://a.example\r\n", 403),
        (&local, "Origin: null\r\n", 403),
        (&local, "", 403),
        (&format!("attacker.example:{open}"), &format!("Origin: {own}\r\n"), 421),
        (&local, &format!("Origin: {own}\r\n"), 101),
    ] {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, open)).await.unwrap();
        let key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
        let upgrade = format!("Connection: Upgrade\r\nUpgrade: websocket\r\n{key}");
        let head = format!("GET /browser HTTP/1.1\r\nHost: {host}\r\n{origin}{upgrade}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&answer), format!("HTTP/1.1 {status}"), "{host} {origin}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ports_that_other_programs_use_are_reported() {
    let person = with_channel();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let number = taken.local_addr().unwrap().port().to_string();
    let _serving = serve(&person, &number, "warn").await;
    let refused = person.run(["browsers", "pair"]).await;
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(refused.stderr.contains(&format!("other programs use the ports {number}.")), "{refused:?}");
    let listed = person.run(["browsers"]).await;
    assert!(listed.stderr.contains(&number), "{listed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_cannot_be_paired_while_ashore_does_not_run() {
    let person = with_channel();
    let serving = serve(&person, ANY_PORT, "warn").await;
    port(&person).await;
    // After a kill, the file that contains the port is left over.
    serving.signal(Signal::KILL);
    serving.end().await;
    let refused = person.run(["browsers", "pair"]).await;
    assert_eq!(refused.code, Some(4), "{refused:?}");
    assert!(refused.stderr.contains("is closed"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn token_and_pairing_code_appear_in_no_file_or_log_or_list() {
    let (origin, person) = (Origin::start().await, with_channel());
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let serving = serve(&person, ANY_PORT, "warn,tungstenite=trace,ashore_remote=trace,ashore_browser=trace").await;
    let shown = person.object(&["browsers", "pair", "--json"]).await;
    let message = json!({ "type": "pair", "code": shown["code"], "browser": "Firefox" });
    let paired = Channel::open(port(&person).await).await.exchange(&message).await;
    let mut channel = Channel::signed_in(port(&person).await, &paired).await;
    let taken = channel.exchange(&ask(1, &seen(origin.url("/disk.iso")))).await;
    assert_eq!(taken["type"], "taken", "{taken}");
    let exported = person.home().join("list.json");
    assert_eq!(person.run(["export", exported.to_str().unwrap()]).await.code, Some(0));
    let mut printed = std::fs::read_to_string(&exported).unwrap();
    for arguments in [&["list", "--json"][..], &["browsers", "--json"], &["settings", "--json"], &["doctor", "--json"]] {
        printed += &person.run(arguments).await.stdout;
    }
    serving.signal(Signal::TERM);
    printed += &serving.end().await.stderr;
    let plain = shown["code"].as_str().unwrap().replace('-', "");
    let secrets = [paired["token"].as_str().unwrap(), shown["code"].as_str().unwrap(), &plain];
    for secret in secrets {
        assert!(!printed.contains(secret));
        let found = Command::new("grep").args(["-rlaF", secret]).arg(person.home()).output().await.unwrap();
        assert_eq!(String::from_utf8_lossy(&found.stdout), "");
    }
}
