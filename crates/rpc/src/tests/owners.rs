//! Tests of programs that act for an owner, on real sockets and a real ledger.
//!
//! Covers visibility, permissions, pending end events and held registrations.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_engine::{Engine, EngineEnv, EngineOptions, SettingOverrides};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
    time::timeout,
};

use crate::endpoint::{LIMITS, SocketEndpoint};

/// Timeout that is long enough for a busy machine; reached only when something is broken.
const SOON: Duration = Duration::from_secs(30);

/// Engine on a socket. No server listens at the links of its downloads.
struct ServedEngine {
    engine: Engine,
    endpoint: SocketEndpoint,
    folder: TempDir,
}

impl ServedEngine {
    async fn open() -> Self {
        Self::open_in(TempDir::new().unwrap()).await
    }

    async fn open_in(folder: TempDir) -> Self {
        let (data_dir, overrides) = (folder.path().join("data"), SettingOverrides::default());
        let options = EngineOptions { data_dir, holder: "a test".to_owned(), fetch: true, overrides, env: EngineEnv::default() };
        let engine = Engine::open(options).await.unwrap();
        let endpoint =
            SocketEndpoint::serve_at(engine.clone(), folder.path(), folder.path().join("s/ashore.sock"), LIMITS).unwrap();
        Self { engine, endpoint, folder }
    }

    async fn close(self) -> TempDir {
        let Self { engine, endpoint, folder } = self;
        endpoint.stop().await;
        engine.close().await;
        folder
    }

    async fn restart(self) -> Self {
        Self::open_in(self.close().await).await
    }

    fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Connects a program, which greets with `owner` if one is given.
    async fn program(&self, owner: Option<&str>) -> Program {
        let mut program = Program::connect(self.endpoint.path()).await;
        if let Some(owner) = owner {
            let greeted = program.ask("greet", json!({ "version": 1, "owner": owner })).await;
            assert_eq!((&greeted["version"], &greeted["owner"]), (&json!(1), &json!(owner)));
        }
        program
    }
}

struct Program {
    wire: BufReader<UnixStream>,
    asked: u64,
    /// Events that arrived before an answer.
    events: Vec<Value>,
}

impl Program {
    async fn connect(socket: &Path) -> Self {
        Self { wire: BufReader::new(UnixStream::connect(socket).await.unwrap()), asked: 0, events: Vec::new() }
    }

    async fn line(&mut self) -> Value {
        let mut line = String::new();
        timeout(SOON, self.wire.read_line(&mut line)).await.unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let line = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        self.wire.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        loop {
            let answer = self.line().await;
            if answer["id"] == self.asked {
                return answer;
            }
            self.events.push(answer["params"].clone());
        }
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params).await;
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Returns the code of the refusal of a call.
    async fn refusal(&mut self, method: &str, params: Value) -> String {
        let answer = self.answer(method, params).await;
        answer["error"]["data"]["code"].as_str().unwrap_or_else(|| panic!("{method}: {answer}")).to_owned()
    }

    /// Returns the next event of this kind.
    async fn event(&mut self, kind: &str) -> Value {
        self.event_of(&[kind]).await
    }

    /// Returns the next event of one of these kinds.
    async fn event_of(&mut self, kinds: &[&str]) -> Value {
        loop {
            let event = match self.events.is_empty() {
                true => self.line().await["params"].clone(),
                false => self.events.remove(0),
            };
            if kinds.iter().any(|kind| event["type"] == *kind) {
                return event;
            }
        }
    }

    /// Creates a paused download that belongs to the owner of this program. Returns the id of the download.
    async fn create(&mut self, folder: &Path, developer_id: &str) -> String {
        self.create_for(folder, "", developer_id).await
    }

    async fn create_for(&mut self, folder: &Path, owner: &str, developer_id: &str) -> String {
        let requests = json!([{ "url": "http://127.0.0.1:9001/a" }]);
        let new = json!({
            "owner": owner, "developer_id": developer_id, "folder": folder, "paused": true, "requests": requests,
        });
        self.ask("create", new).await["unique_id"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn owner_sees_only_its_own_registrations() {
    let served = ServedEngine::open().await;
    let (mut feeds, mut person) = (served.program(Some("feeds")).await, served.program(None).await);
    let own = feeds.create(&served.path(), "a").await;
    let other = person.create_for(&served.path(), "window", "b").await;
    let list = async |program: &mut Program, params| {
        let list = program.ask("list", params).await;
        list.as_array().unwrap().iter().map(|one| one["unique_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(list(&mut feeds, json!({})).await, std::slice::from_ref(&own));
    assert_eq!(list(&mut person, json!({})).await, [other.clone(), own.clone()]);
    assert_eq!(list(&mut person, json!({ "owner": "feeds" })).await, std::slice::from_ref(&own));
    assert_eq!(feeds.ask("ids", json!({})).await, json!(["a"]));
    assert_eq!(feeds.ask("find", json!({ "developer_id": "a" })).await["unique_id"], own.as_str());
    assert_eq!(feeds.ask("show", json!({ "unique_id": own })).await["owner"], "feeds");
    assert_eq!(feeds.refusal("show", json!({ "unique_id": other })).await, "not-yours");
    assert_eq!(feeds.refusal("list", json!({ "owner": "window" })).await, "not-yours");
    served.close().await;
}

#[tokio::test]
async fn owner_cannot_change_registration_of_another_owner() {
    let served = ServedEngine::open().await;
    let (mut feeds, mut other) = (served.program(Some("feeds")).await, served.program(Some("others")).await);
    let id = feeds.create(&served.path(), "a").await;
    let one = json!({ "unique_id": id });
    let changes = [
        ("abort", one.clone()),
        ("remove", json!({ "unique_id": id, "files": true })),
        ("pause", one.clone()),
        ("resume", one.clone()),
        ("retry", one.clone()),
        ("update_ui", json!({ "unique_id": id, "title": "Mine", "icon": null })),
        ("move", json!({ "unique_id": id, "place": "top" })),
        ("relink", json!({ "unique_id": id, "index": 0, "url": "http://127.0.0.1:9001/b", "headers": null })),
        ("await_link", one.clone()),
        ("put_into", json!({ "unique_id": id, "folder": served.path() })),
        ("claim", one.clone()),
        ("acknowledge", json!({ "unique_id": id, "event_number": 1 })),
        ("hold", one.clone()),
        ("limit", json!({ "scope": { "type": "registration", "unique_id": id }, "bytes_per_second": 2048 })),
    ];
    for (method, params) in changes {
        assert_eq!(other.refusal(method, params).await, "not-yours", "{method}");
    }
    for (method, params) in [("pause", json!({})), ("resume", json!({})), ("sign_ins", json!({})), ("orphans", json!({}))] {
        assert_eq!(other.refusal(method, params).await, "not-yours", "{method}");
    }
    for method in ["clear", "reset", "remove_owner"] {
        assert_eq!(other.refusal(method, json!({ "owner": "feeds" })).await, "not-yours", "{method}");
    }
    let shown = feeds.ask("show", one.clone()).await;
    assert_eq!((&shown["state"], &shown["title"]), (&json!("paused"), &json!("a")));
    let mut person = served.program(None).await;
    assert_eq!(person.ask("abort", one).await, true);
    served.close().await;
}

#[tokio::test]
async fn notification_click_reaches_only_subscribers_of_owner() {
    let served = ServedEngine::open().await;
    let (mut feeds, mut other) = (served.program(Some("feeds")).await, served.program(Some("others")).await);
    let (mut person, mut listening) = (served.program(None).await, served.program(None).await);
    let id = feeds.create(&served.path(), "a").await;
    let one = json!({ "unique_id": id });
    person.ask("click", one.clone()).await;
    feeds.ask("subscribe", json!({})).await;
    other.ask("subscribe", json!({})).await;
    listening.ask("subscribe", json!({})).await;
    person.ask("click", one.clone()).await;
    let heard = feeds.event("clicked").await;
    assert_eq!((&heard["registration"]["unique_id"], &heard["registration"]["owner"]), (&json!(id), &json!("feeds")));
    // The next event must be the change of the title. The click before the subscription was not stored, and the second
    // click was delivered only once.
    person.ask("update_ui", json!({ "unique_id": id, "title": "New", "description": "More", "icon": null })).await;
    for program in [&mut feeds, &mut listening] {
        loop {
            let event = program.event_of(&["clicked", "changed"]).await;
            assert_eq!(event["type"], "changed");
            if event["registration"]["title"] == "New" {
                assert_eq!(event["registration"]["description"], "More");
                break;
            }
        }
    }
    let own = other.create(&served.path(), "b").await;
    let event = other.event_of(&["clicked", "changed"]).await;
    assert_eq!((&event["type"], &event["registration"]["unique_id"]), (&json!("changed"), &json!(own)));
    for program in [&mut feeds, &mut other] {
        assert_eq!(program.refusal("click", one.clone()).await, "not-yours", "a program clicks on nothing");
    }
    let gone = json!({ "unique_id": "6a2ab1c0-1111-4222-8333-444455556666" });
    assert_eq!(person.refusal("click", gone).await, "unknown");
    served.close().await;
}

#[tokio::test]
async fn connection_cannot_change_its_owner() {
    let served = ServedEngine::open().await;
    let mut feeds = served.program(Some("feeds")).await;
    assert_eq!(feeds.refusal("greet", json!({ "owner": "others" })).await, "not-yours");
    assert_eq!(feeds.ask("greet", json!({})).await["owner"], "feeds", "to say nothing changes nothing");
    assert_eq!(feeds.refusal("create", json!({ "owner": "others", "requests": [] })).await, "not-yours");
    let mut person = served.program(None).await;
    assert_eq!(person.refusal("greet", json!({ "owner": "" })).await, "invalid");
    assert_eq!(person.refusal("reset", json!({})).await, "invalid");
    served.close().await;
}

#[tokio::test]
async fn probe_requested_by_program_cannot_reach_this_machine() {
    let server = ServedEngine::open().await;
    // This socket reserves a port but does not listen on it.
    let reserved = tokio::net::TcpSocket::new_v4().unwrap();
    reserved.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = reserved.local_addr().unwrap().port();
    let probe = async |owner| {
        let url = format!("http://127.0.0.1:{port}/a");
        let probed = server.program(owner).await.ask("probe", json!({ "url": url })).await;
        probed["trouble"]["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(probe(Some("feeds")).await, "private-address");
    for user in [None, Some("window"), Some("command-line")] {
        assert_eq!(probe(user).await, "connect", "{user:?}");
    }
}

#[tokio::test]
async fn greeting_selects_lower_of_both_protocol_versions() {
    let served = ServedEngine::open().await;
    let mut program = served.program(None).await;
    for (said, spoken) in [(json!({}), 1), (json!({ "version": 1 }), 1), (json!({ "version": 99 }), 1)] {
        let greeted = program.ask("greet", said).await;
        assert_eq!((&greeted["version"], &greeted["owner"]), (&json!(spoken), &Value::Null));
        assert!(greeted["program"].is_string());
    }
    assert_eq!(program.refusal("greet", json!({ "version": 0 })).await, "invalid");
    assert_eq!(program.refusal("greet", json!({ "colour": "red" })).await, "bad-params");
    served.close().await;
}

#[tokio::test]
async fn message_catalogue_is_readable_with_and_without_owner() {
    let served = ServedEngine::open().await;
    let (mut feeds, mut person) = (served.program(Some("feeds")).await, served.program(None).await);
    for program in [&mut feeds, &mut person] {
        let german = program.ask("sentences", json!({ "language": "de" })).await;
        assert!(german.as_str().unwrap().contains("message-unknown = "), "{german}");
        let unknown = program.ask("sentences", json!({ "language": "tlh" })).await;
        assert_eq!(unknown, ashore_messages::sentences("en"));
    }
    served.close().await;
}

#[tokio::test]
async fn end_event_is_repeated_until_acknowledged() {
    let served = ServedEngine::open().await;
    let mut feeds = served.program(Some("feeds")).await;
    feeds.ask("subscribe", json!({})).await;
    let id = feeds.create(&served.path(), "a").await;
    let mut person = served.program(None).await;
    let other = person.create_for(&served.path(), "others", "b").await;
    for id in [&other, &id] {
        person.ask("abort", json!({ "unique_id": id })).await;
    }
    // Claiming the notification of the user must not acknowledge the end event of the owner.
    assert_eq!(person.ask("claim", json!({ "unique_id": id })).await, true);
    let ended = feeds.event("ended").await["registration"].clone();
    assert_eq!((&ended["unique_id"], &ended["event_number"]), (&json!(id), &json!(1)), "no other owner's");
    drop(feeds);

    let served = served.restart().await;
    let mut feeds = served.program(Some("feeds")).await;
    feeds.ask("subscribe", json!({})).await;
    assert_eq!(feeds.event("ended").await["registration"], ended);
    let acknowledge = json!({ "unique_id": id, "event_number": 1 });
    assert_eq!(feeds.ask("acknowledge", acknowledge.clone()).await, true);
    assert_eq!(feeds.ask("acknowledge", acknowledge).await, false);
    assert_eq!(feeds.ask("show", json!({ "unique_id": id })).await["recordsAvailable"], false);

    let served = served.restart().await;
    let mut feeds = served.program(Some("feeds")).await;
    assert_eq!(feeds.ask("owed", json!({})).await, json!([]));
    let mut person = served.program(None).await;
    assert_eq!(person.ask("owed", json!({ "owner": "others" })).await[0]["unique_id"], other.as_str());
    assert_eq!(person.ask("owed", json!({})).await[0]["unique_id"], other.as_str(), "the user was not notified of that download");
    served.close().await;
}

#[tokio::test]
async fn subscriber_for_owner_gets_no_events_of_other_owners() {
    let served = ServedEngine::open().await;
    let (mut bound, mut named) = (served.program(Some("feeds")).await, served.program(None).await);
    bound.ask("subscribe", json!({})).await;
    named.ask("subscribe", json!({ "owner": "feeds" })).await;
    let mut person = served.program(None).await;
    let other = person.create_for(&served.path(), "others", "b").await;
    person.ask("remove", json!({ "unique_id": other, "files": false })).await;
    let own = person.create_for(&served.path(), "feeds", "a").await;
    person.ask("remove", json!({ "unique_id": own, "files": false })).await;
    for program in [&mut bound, &mut named] {
        let changed = program.event("changed").await;
        assert_eq!(changed["registration"]["unique_id"], own.as_str());
        assert_eq!(program.event("ended").await["registration"]["failureReason"], "aborted");
        assert_eq!(program.event("removed").await, json!({ "type": "removed", "unique_id": own, "owner": "feeds" }));
    }
    served.close().await;
}

#[tokio::test]
async fn removed_download_keeps_end_event_until_owner_is_removed() {
    let served = ServedEngine::open().await;
    let mut feeds = served.program(Some("feeds")).await;
    feeds.ask("subscribe", json!({})).await;
    let (removed, dropped) = (feeds.create(&served.path(), "a").await, feeds.create(&served.path(), "b").await);
    let mut person = served.program(None).await;
    for id in [&removed, &dropped] {
        person.ask("remove", json!({ "unique_id": id, "files": true })).await;
    }
    let served = served.restart().await;
    let mut feeds = served.program(Some("feeds")).await;
    assert_eq!(feeds.ask("list", json!({})).await, json!([]));
    let owed = feeds.ask("owed", json!({})).await;
    assert_eq!((&owed[0]["unique_id"], &owed[1]["unique_id"]), (&json!(removed), &json!(dropped)));
    assert_eq!(feeds.ask("acknowledge", json!({ "unique_id": removed, "event_number": 1 })).await, true);
    feeds.ask("remove_owner", json!({})).await;
    assert_eq!(feeds.ask("owed", json!({})).await, json!([]));
    assert_eq!(feeds.ask("acknowledge", json!({ "unique_id": dropped, "event_number": 1 })).await, false);
    wait_until_removed(&served, &removed).await;
    wait_until_removed(&served, &dropped).await;
    served.close().await;
}

#[tokio::test]
async fn removed_registration_stays_readable_for_a_client_until_the_client_releases_it() {
    let served = ServedEngine::open().await;
    let (mut feeds, mut person) = (served.program(Some("feeds")).await, served.program(None).await);
    for end in ["release", "disconnect", "restart"] {
        let mut reader = served.program(Some("feeds")).await;
        let id = feeds.create(&served.path(), end).await;
        let one = json!({ "unique_id": id });
        assert_eq!(reader.ask("hold", one.clone()).await["unique_id"], id.as_str());
        person.ask("remove", json!({ "unique_id": id, "files": true })).await;
        assert_eq!(person.refusal("show", one.clone()).await, "unknown");
        assert_eq!(feeds.refusal("show", one.clone()).await, "unknown", "another connection does not hold it");
        assert_eq!(reader.ask("show", one.clone()).await["failureReason"], "aborted");
        let page = json!({ "unique_id": id, "from": 0, "limit": 0 });
        assert_eq!(reader.ask("records", page).await[0]["url"], "http://127.0.0.1:9001/a");
        let matching = json!({ "unique_id": id, "url": "http://127.0.0.1:9001/a" });
        assert_eq!(reader.ask("match", matching.clone()).await["index"], 0);
        assert_eq!(reader.ask("match_all", matching).await[0]["index"], 0);
        assert_eq!(reader.ask("abort", one.clone()).await, false, "an old handle ends nothing");
        match end {
            "release" => {
                assert_eq!(reader.ask("release", one.clone()).await, true);
                assert_eq!(reader.ask("release", one.clone()).await, false);
                assert_eq!(reader.refusal("show", one).await, "unknown");
                wait_until_removed(&served, &id).await;
            }
            "disconnect" => {
                drop(reader);
                wait_until_removed(&served, &id).await;
            }
            _ => {
                let served = served.restart().await;
                wait_until_removed(&served, &id).await;
                served.close().await;
                return;
            }
        }
    }
}

#[tokio::test]
async fn registration_that_two_clients_read_stays_until_both_have_released_it() {
    let served = ServedEngine::open().await;
    let mut person = served.program(None).await;
    let id = person.create_for(&served.path(), "window", "a").await;
    let one = json!({ "unique_id": id });
    let (mut first, mut second) = (served.program(None).await, served.program(None).await);
    first.ask("hold", one.clone()).await;
    second.ask("hold", one.clone()).await;
    second.ask("hold", one.clone()).await;
    person.ask("remove", json!({ "unique_id": id, "files": false })).await;
    first.ask("release", one.clone()).await;
    assert_eq!(second.ask("show", one.clone()).await["unique_id"], id.as_str());
    second.ask("release", one.clone()).await;
    wait_until_removed(&served, &id).await;
    assert_eq!(second.refusal("hold", one.clone()).await, "unknown");
    assert_eq!(second.ask("abort", one).await, false);
    served.close().await;
}

#[tokio::test]
async fn clear_and_reset_and_stats_calls_affect_only_one_owner() {
    let served = ServedEngine::open().await;
    let mut feeds = served.program(Some("feeds")).await;
    let mut person = served.program(None).await;
    person.create_for(&served.path(), "others", "a").await;
    for name in ["a", "b"] {
        feeds.create(&served.path(), name).await;
    }
    assert_eq!(feeds.ask("queue_stats", json!({})).await, json!({ "total": 2, "successes": 0, "failures": 0 }));
    assert_eq!(person.ask("queue_stats", json!({})).await["total"], 3);
    assert_eq!(feeds.ask("reset", json!({})).await, 2);
    let listed = feeds.ask("list", json!({})).await;
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["failureReason"]), (2, &json!("aborted")));
    assert_eq!(feeds.ask("ids", json!({})).await, json!([]));
    assert_eq!(feeds.ask("clear", json!({})).await, 2);
    assert_eq!(feeds.ask("clear", json!({})).await, 0);
    assert_eq!(feeds.ask("list", json!({})).await, json!([]));
    assert_eq!(person.ask("list", json!({})).await.as_array().unwrap().len(), 1);
    assert_eq!(feeds.ask("queue_stats", json!({})).await["total"], 2);
    served.close().await;
}

/// Waits until the registration is no longer in the ledger.
async fn wait_until_removed(served: &ServedEngine, id: &str) {
    let id = id.parse().unwrap();
    timeout(SOON, async {
        while served.engine.owner_of(id).await.unwrap().is_some() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
}
