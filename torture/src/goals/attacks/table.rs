//! Table of all attacks: name, action, and expected code. [pure]

use serde_json::{Value, json};

use crate::goals::attacks::{
    list_server::{self, ListServerAttack},
    local::{self, LocalAttack},
};

/// Attack with its expected result.
#[derive(Clone, Debug)]
pub struct AttackCase {
    pub name: String,
    pub means: AttackMeans,
    /// Expected code of the refusal or failure; empty if the attack must be harmless.
    pub code: &'static str,
}

/// Action of an attack.
#[derive(Clone, Debug)]
pub enum AttackMeans {
    /// Line sent on the socket.
    Line(Vec<u8>),
    /// Method call with parameters.
    Call(&'static str, Value),
    /// Client behaviour that needs more than a single line.
    Manners(PeerManners),
    /// Downloads requested by a program. No local server may receive a request. The first address redirects to `to`.
    Fetch { requests: Value, to: Option<String> },
    /// Requested file name. The file must arrive in its folder under a harmless name.
    Name { wanted: String, by_server: bool },
    /// `Link` header to a mirror or Metalink in the local network, which Ashore must not follow.
    Link(String),
    /// Access attempt by another user of this machine.
    Stranger(PeerAttack),
    /// Attack by another user or program, in its own test environment.
    Local(LocalAttack),
    /// Attack by the owner of the sync server, in its own test environment.
    ListServer(ListServerAttack),
}

/// Behaviour of a client on the socket.
#[derive(Clone, Copy, Debug)]
pub enum PeerManners {
    /// Opens all available connections without sending data. The next connection is refused with a reason.
    TakesAll,
    /// Disconnects in the middle of a message, many times.
    BreaksOff,
    /// Sends requests but never reads.
    IsDeaf,
    /// Subscribes to all events, reads none, and stays connected.
    Listens,
    /// Sends an endless message, which exceeds the limit.
    NeverEnds,
}

/// Access attempt by another user of this machine.
#[derive(Clone, Copy, Debug)]
pub enum PeerAttack {
    /// Reads the first file whose path has this ending, in the data folder or the download folder.
    Read(&'static str),
    /// Writes to the first file whose path has this ending, in the data folder or the download folder.
    Write(&'static str),
    /// Sends a request on the socket.
    Ask,
    /// Sends a request after the user has opened the socket folder to all users.
    AskOpened,
}

/// Ids and paths in the target of the attacks.
#[derive(Clone, Debug)]
pub struct AttackPlaces {
    /// Ids of the finished download (`done`) and of the paused download (`paused`).
    pub done: String,
    pub paused: String,
    /// Port of a local server.
    pub port: u16,
    /// Paths of the user's file (`own`) and of the download folder (`target`).
    pub own: String,
    pub target: String,
}

/// Id of a registration that does not exist.
const NOBODY: &str = "6f1d2a5e-3c84-4b5e-9a39-0d6c5b0d7f11";
const LONG: usize = 10 << 20;

/// Returns all attacks.
pub fn all(places: &AttackPlaces) -> Vec<AttackCase> {
    let mut all = lines();
    all.extend(shapes(places));
    all.extend(of_others());
    all.extend(refused(places));
    all.extend(manners());
    all.extend(inside(places));
    all.extend(names());
    all.extend(strangers());
    all.extend(links(places));
    all.extend(local::all().into_iter().map(|(name, local)| attack(&name, AttackMeans::Local(local), "")));
    all.extend(list_server::all().into_iter().map(|(name, means)| attack(&name, AttackMeans::ListServer(means), "")));
    all
}

/// Returns `Link` headers that try to direct requests into the local network.
fn links(places: &AttackPlaces) -> Vec<AttackCase> {
    let port = places.port;
    let inside = format!("http://127.0.0.1:{port}/inside");
    let metalink = "type=\"application/metalink4+xml\"";
    let all = [
        format!("<{inside}>; rel=duplicate"),
        format!("<http://localhost:{port}/inside>; rel=duplicate; pri=1"),
        format!("<{inside}>; rel=describedby; {metalink}"),
        format!("<http://[::ffff:127.0.0.1]:{port}/inside>; rel=describedby; {metalink}"),
        format!("<file:///etc/passwd>; rel=describedby; {metalink}"),
        "<file:///etc/passwd>; rel=duplicate".to_owned(),
        format!("<http://far.test:{port}/bomb>; rel=describedby; {metalink}"),
        format!("<http://far.test:{port}/nested>; rel=describedby; {metalink}"),
        format!("<http://far.test:{port}/lead>; rel=describedby; {metalink}"),
    ];
    all.into_iter().map(|link| attack(&format!("a file with the header Link: {link}"), AttackMeans::Link(link), "done")).collect()
}

/// Returns lines that are invalid messages.
fn lines() -> Vec<AttackCase> {
    let text = |name: &str, line: &str, code| attack(name, AttackMeans::Line(line.as_bytes().to_vec()), code);
    let call = |rest: &str| format!(r#"{{"jsonrpc":"2.0","id":1,{rest}}}"#);
    vec![
        text("an empty line", "", "parse-error"),
        attack("bytes that are not UTF-8", AttackMeans::Line(b"\xff\xfe\x00\x01".to_vec()), "parse-error"),
        attack(
            "text of another encoding",
            AttackMeans::Line(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xe4\"}".to_vec()),
            "parse-error",
        ),
        text("a browser", "POST / HTTP/1.1\r", "parse-error"),
        text("an incomplete object", r#"{"jsonrpc":"2.0","id":1,"#, "parse-error"),
        text("two objects in one line", &format!("{0}{0}", call(r#""method":"totals""#)), "parse-error"),
        text("a byte order mark", &format!("\u{feff}{}", call(r#""method":"totals""#)), "parse-error"),
        text("an array", "[]", "invalid-request"),
        text("a batch", &format!("[{}]", call(r#""method":"totals""#)), "invalid-request"),
        text("a number", "1e5", "invalid-request"),
        text("an empty object", "{}", "invalid-request"),
        text("another version", r#"{"jsonrpc":"1.0","id":1,"method":"totals"}"#, "invalid-request"),
        text("a later version", r#"{"jsonrpc":"3.0","id":1,"method":"totals"}"#, "invalid-request"),
        text("no version", r#"{"id":1,"method":"totals"}"#, "invalid-request"),
        text("an id that is a list", r#"{"jsonrpc":"2.0","id":[1],"method":"totals"}"#, "invalid-request"),
        text("an id that is an object", r#"{"jsonrpc":"2.0","id":{"a":1},"method":"totals"}"#, "invalid-request"),
        text("a method that is a number", &call(r#""method":5"#), "invalid-request"),
        text("two methods", &call(r#""method":"totals","method":"remove""#), "invalid-request"),
        text("an unknown field", &call(r#""method":"totals","owner":"root""#), "invalid-request"),
        text(
            "arrays in arrays, 100,000 deep",
            &call(&format!(r#""method":"list","params":{}"#, "[".repeat(100_000))),
            "parse-error",
        ),
        text(
            "objects in objects, 100,000 deep",
            &call(&format!(r#""method":"list","params":{}"#, r#"{"a":"#.repeat(100_000))),
            "parse-error",
        ),
        text("a control character in a text", &call("\"method\":\"to\u{1}tals\""), "parse-error"),
        text("an unpaired surrogate", &call(r#""method":"\ud800""#), "parse-error"),
        text(
            "a number of 1,001 digits",
            &call(&format!(r#""method":"list","params":{{"limit":1{}}}"#, "0".repeat(1000))),
            "bad-params",
        ),
        text("ten megabytes of spaces", &" ".repeat(LONG), "parse-error"),
        text("ten megabytes of noise", &"ab\u{7f}".repeat(LONG / 3), "parse-error"),
    ]
}

/// Returns calls whose method or parameters have the wrong type.
fn shapes(places: &AttackPlaces) -> Vec<AttackCase> {
    let long = "x".repeat(LONG);
    let methods = ["shutdown", "Create", "create ", "../create", "rpc.discover", "__proto__", "event", "open_file"];
    let unknown = methods.into_iter().map(|method| (method, json!({}), "unknown-method"));
    let done = &places.done;
    let bad = [
        ("show", json!({})),
        ("show", json!({ "unique_id": 5 })),
        ("show", json!({ "unique_id": "../../../etc/passwd" })),
        ("show", json!({ "unique_id": long })),
        ("show", json!([done])),
        ("show", json!({ "unique_id": done, "and": "more" })),
        ("remove", json!({ "unique_id": "*", "files": true })),
        ("remove", json!({ "unique_id": done, "files": "yes" })),
        ("remove", json!({ "unique_id": [done], "files": true })),
        ("list", json!({ "limit": -1 })),
        ("list", json!({ "before": "' OR 1=1 --" })),
        ("records", json!({ "unique_id": done, "from": 4_294_967_296_u64, "limit": 1 })),
        ("details", json!({ "unique_id": done, "index": -1 })),
        ("move", json!({ "unique_id": done, "place": "../" })),
        ("set", json!({ "key": "../ashore", "value": true })),
        ("set", json!({ "key": "parallel", "value": { "a": 1 } })),
        ("create", json!("everything")),
        ("create", json!({ "owner": "a", "requests": "http://a.test/" })),
        ("create", json!({ "owner": "a", "requests": [{ "uri": "http://a.test/" }] })),
        ("create", json!({ "owner": "a", "source": "root", "requests": [{ "url": "http://a.test/" }] })),
        ("create", json!({ "owner": "a", "place": { "before": "../" }, "requests": [{ "url": "http://a.test/" }] })),
        ("adopt", json!({ "partials": "/etc/passwd" })),
        ("let_go", json!({ "probe": "/etc/passwd" })),
        ("sign_in", json!({ "url": "http://a.test/", "sign_in": { "scheme": "none" }, "lasting": true })),
        ("pause", json!({ "unique_id": 0 })),
        ("subscribe", json!({ "to": "everything" })),
        ("limit", json!({ "scope": { "type": "all" }, "bytes_per_second": -5 })),
    ];
    let bad = bad.into_iter().map(|(method, params)| (method, params, "bad-params"));
    unknown.chain(bad).map(|(method, params, code)| call(method, params, code)).collect()
}

/// Returns calls with the id of a registration that does not exist.
fn of_others() -> Vec<AttackCase> {
    let more = [
        ("show", json!({})),
        ("pause", json!({})),
        ("resume", json!({})),
        ("update_ui", json!({ "title": "mine", "icon": null })),
        ("move", json!({ "place": "now" })),
        ("retry", json!({})),
        ("remove", json!({ "files": true })),
        ("relink", json!({ "index": 0, "url": "http://a.test/" })),
    ];
    let with_id = |mut params: Value| {
        params["unique_id"] = NOBODY.into();
        params
    };
    more.into_iter().map(|(method, params)| call(method, with_id(params), "unknown")).collect()
}

/// Returns valid messages that must be refused.
fn refused(places: &AttackPlaces) -> Vec<AttackCase> {
    let all = refused_registrations(places).into_iter().chain(refused_files(places)).chain(refused_settings(places));
    all.map(|(method, params, code)| call(method, params, code)).collect()
}

/// Method, parameters, and code of the refusal.
type RefusedCall = (&'static str, Value, &'static str);

/// Returns registrations with invalid requests, folders or headers.
fn refused_registrations(places: &AttackPlaces) -> Vec<RefusedCall> {
    let one = |request: Value| json!({ "owner": "a", "source": "command-line", "folder": places.target, "requests": [request] });
    let link = |url: &str| one(json!({ "url": url }));
    let with = |name: &str, value: Value| {
        let mut request = json!({ "url": "http://127.0.0.1:4001/a" });
        request[name] = value;
        one(request)
    };
    let to = |folder: &str| json!({ "owner": "a", "folder": folder, "requests": [{ "url": "http://127.0.0.1:4001/a" }] });
    let header = |name: &str, value: &str| with("headers", json!([[name, value]]));
    let many: Vec<String> = (0..65).map(|number| format!("http://127.0.0.1:4001/{number}")).collect();
    let series = json!({ "series": { "url": "http://127.0.0.1:4001/{}", "number": 0, "until": 4_000_000_000_u64 } });
    vec![
        ("create", json!({ "owner": "a", "requests": [] }), "empty"),
        ("create", json!({ "owner": "", "requests": [{ "url": "http://127.0.0.1:4001/a" }] }), "invalid"),
        ("create", json!({ "owner": "o".repeat(300), "requests": [{ "url": "http://127.0.0.1:4001/a" }] }), "invalid"),
        (
            "create",
            json!({ "owner": "a", "developer_id": "x".repeat(LONG), "requests": [{ "url": "http://127.0.0.1:4001/a" }] }),
            "invalid",
        ),
        ("create", json!({ "owner": "a", "parallel": 100_000, "requests": [{ "url": "http://127.0.0.1:4001/a" }] }), "invalid"),
        (
            "create",
            json!({ "owner": "a", "downloadTotal": 1_u64 << 60, "requests": [{ "url": "http://127.0.0.1:4001/a" }] }),
            "quota-exceeded",
        ),
        ("create", link("file:///etc/passwd"), "bad-scheme"),
        ("create", link("ftp://a.test/a"), "bad-scheme"),
        ("create", link("javascript:alert(1)"), "bad-scheme"),
        ("create", link("data:text/html,<script>"), "bad-scheme"),
        ("create", link("tauri://localhost/index.html"), "bad-scheme"),
        ("create", link("../../etc/passwd"), "bad-url"),
        ("create", link("http://"), "bad-url"),
        ("create", json!({ "owner": "a", "requests": [{ "url": "http://ann:secret@a.test/" }] }), "credentials"),
        ("create", link("http://127.0.0.1:25/"), "bad-port"),
        ("create", link("http://127.0.0.1:6000/"), "bad-port"),
        ("create", to("../../tmp"), "target"),
        ("create", to("/etc/passwd"), "target"),
        ("create", to("/nowhere/at/all"), "target"),
        ("create", to("/tmp/\u{0}/a"), "target"),
        ("create", to("/proc/self/mem"), "target"),
        ("create", header("X-A", "a\r\nHost: b"), "invalid"),
        ("create", header("X-A\r\nHost", "b"), "invalid"),
        ("create", header("X A", "b"), "invalid"),
        ("create", header("Host", "inside"), "invalid"),
        ("create", header("Range", "bytes=0-1"), "invalid"),
        ("create", header("Transfer-Encoding", "chunked"), "invalid"),
        ("create", with("method", json!("CONNECT")), "invalid"),
        ("create", with("method", json!("GET / HTTP/1.1\r\nHost: b\r\n\r\n")), "invalid"),
        ("create", with("upload_file", json!("/nowhere/at/all")), "upload-source"),
        ("create", with("upload_file", json!("/dev/zero")), "upload-source"),
        ("create", with("upload_file", json!("/tmp")), "upload-source"),
        ("create", with("mirrors", json!(many)), "invalid"),
        ("create", with("mirrors", json!(["file:///etc/passwd"])), "bad-scheme"),
        ("create", with("checksum", json!("sha-256=../..")), "invalid"),
        ("create", with("pieces", json!({ "algorithm": "sha-256", "length": 0, "digests": [] })), "invalid"),
        ("create", with("next", series), "invalid"),
        ("relink", json!({ "unique_id": places.paused, "index": 0, "url": "file:///etc/passwd" }), "bad-scheme"),
    ]
}

/// Returns calls with files that must not be read or replaced.
fn refused_files(places: &AttackPlaces) -> Vec<RefusedCall> {
    let own = &places.own;
    vec![
        ("adopt", json!({ "partials": ["/etc/passwd"] }), "invalid"),
        ("adopt", json!({ "partials": ["../../../etc/passwd"] }), "invalid"),
        ("adopt", json!({ "partials": [own] }), "invalid"),
        ("export", json!({ "file": own, "replace": false }), "file-there"),
        ("export", json!({ "file": "../../tmp/list", "replace": true }), "invalid"),
        ("export", json!({ "file": "/nowhere/at/all", "replace": false }), "disk"),
        ("import", json!({ "file": own, "unchecked": true }), "not-saved"),
        ("import", json!({ "file": "/dev/zero", "unchecked": true }), "disk"),
        ("import", json!({ "file": "../../etc/passwd", "unchecked": true }), "invalid"),
        ("add_cookies", json!({ "file": own }), "invalid"),
        ("add_cookies", json!({ "file": "/nowhere/at/all" }), "disk"),
        ("add_cookies", json!({ "file": "/dev/zero" }), "disk"),
        ("read_netrc", json!({ "file": "/dev/zero" }), "disk"),
        ("read_netrc", json!({ "file": "/tmp" }), "disk"),
    ]
}

/// Returns invalid values of sign-ins, limits and settings.
fn refused_settings(places: &AttackPlaces) -> Vec<RefusedCall> {
    let sign_in =
        |url: &str, token: &str| json!({ "url": url, "sign_in": { "scheme": "bearer", "token": token }, "lasting": true });
    vec![
        ("give_cookies", json!({ "url": "http://127.0.0.1:4001/", "cookies": "a=b\r\nHost: b", "lasting": true }), "invalid"),
        ("sign_in", sign_in("file:///etc/passwd", "a"), "bad-scheme"),
        ("sign_in", sign_in("http://127.0.0.1:4001/", "a\r\nHost: b"), "invalid"),
        ("limit", json!({ "scope": { "type": "host", "host": "a/../b" }, "bytes_per_second": 5_000 }), "bad-host"),
        ("limit", json!({ "scope": { "type": "all" }, "bytes_per_second": 5 }), "bad-speed"),
        ("set", json!({ "key": "parallel", "value": 100_000 }), "invalid"),
        ("set", json!({ "key": "folder", "value": true }), "invalid"),
        ("set", json!({ "key": "user-agent", "value": "a\r\nHost: b" }), "invalid"),
        ("set", json!({ "key": "proxy", "value": "javascript:alert(1)" }), "invalid"),
        ("set", json!({ "key": "ca-certificate", "value": "/dev/zero" }), "invalid"),
        ("set", json!({ "key": "ca-certificate", "value": places.own }), "invalid"),
        ("set", json!({ "key": "language", "value": "../../en" }), "invalid"),
    ]
}

fn manners() -> Vec<AttackCase> {
    let all = [
        ("a program that takes all connections", PeerManners::TakesAll, "busy"),
        ("a program that disconnects within a message", PeerManners::BreaksOff, ""),
        ("a program that sends requests and never reads", PeerManners::IsDeaf, ""),
        ("a program that subscribes and never reads", PeerManners::Listens, ""),
        ("a message without an end", PeerManners::NeverEnds, "too-long"),
    ];
    all.into_iter().map(|(name, manners, code)| attack(name, AttackMeans::Manners(manners), code)).collect()
}

/// Returns requests by programs for downloads from local servers. `far.test` counts as a public server.
fn inside(places: &AttackPlaces) -> Vec<AttackCase> {
    let port = places.port;
    let hosts = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0x7f000001",
        "0177.0.0.1",
        "127.0.0.1.",
        "0",
        "localhost",
        "LocalHost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::7f00:1]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "[fe80::1]",
        "[fd00::1]",
        "[2002:7f00:1::]",
        "[64:ff9b::7f00:1]",
        "１２７.0.0.1",
        "router.local",
        "nas",
        "a.internal",
    ];
    let asked = |name: String, requests: Value| attack(&name, AttackMeans::Fetch { requests, to: None }, "private-address");
    let straight =
        hosts.iter().map(|host| asked(format!("a link to {host}"), json!([{ "url": format!("http://{host}:{port}/inside") }])));
    let redirected = hosts.iter().map(|host| {
        let requests = json!([{ "url": format!("http://far.test:{port}/away") }]);
        let to = Some(format!("http://{host}:{port}/inside"));
        attack(&format!("a redirect to {host}"), AttackMeans::Fetch { requests, to }, "private-address")
    });
    let inside = format!("http://127.0.0.1:{port}/inside");
    let outside = format!("http://far.test:{port}/outside");
    let chained = [
        asked("a follow-up page".to_owned(), json!([{ "url": outside, "next": { "list": [{ "url": inside }] } }])),
        asked(
            "parts named in a list".to_owned(),
            json!([{ "url": format!("http://far.test:{port}/parts"), "next": { "parts": {} } }]),
        ),
        asked(
            "a series that ends in the local network".to_owned(),
            json!([{ "url": outside, "next": { "series": { "url": format!("http://127.0.0.{{}}:{port}/inside"), "number": 1, "until": 1 } } }]),
        ),
        asked(
            "a mirror in the local network".to_owned(),
            json!([{ "url": format!("http://127.0.0.2:{port}/inside"), "mirrors": [inside] }]),
        ),
    ];
    straight.chain(redirected).chain(chained).collect()
}

/// Returns file names that lead out of the folder, are hidden, deceive the user or look like an option.
fn names() -> Vec<AttackCase> {
    let wanted = [
        "../../evil.txt",
        "/etc/cron.d/evil",
        "..",
        "a/../../evil.txt",
        "..\\..\\evil.txt",
        ".bashrc",
        ".ssh/authorized_keys",
        "-rf",
        "~root",
        "CON",
        "x\u{0}.txt",
        "x\n[Desktop Entry]",
        "\u{202e}gpj.exe",
        "a\u{200b}.txt",
        "$(id)",
        "mine.0123abcd.part",
        "mine.0123abcd.part.ashore",
    ];
    let long = ["x".repeat(400), "\u{e4}".repeat(200)];
    let wanted: Vec<String> = wanted.into_iter().map(str::to_owned).chain(long).collect();
    let named = |by_server: bool| {
        move |wanted: &String| {
            let short: String = wanted.escape_debug().take(30).collect();
            let who = if by_server { "server" } else { "program" };
            attack(&format!("the name {short} of a {who}"), AttackMeans::Name { wanted: wanted.clone(), by_server }, "")
        }
    };
    wanted.iter().map(named(false)).chain(wanted.iter().map(named(true))).collect()
}

fn strangers() -> Vec<AttackCase> {
    let knocks = [
        PeerAttack::Read("ledger.sqlite"),
        PeerAttack::Read("ledger.sqlite-wal"),
        PeerAttack::Read("ashore.toml"),
        PeerAttack::Read("sign-ins.json"),
        PeerAttack::Read(".part"),
        PeerAttack::Read(".part.ashore"),
        PeerAttack::Write("ledger.sqlite"),
        PeerAttack::Write("ashore.toml"),
        PeerAttack::Write("lock"),
        PeerAttack::Write(".part"),
        PeerAttack::Ask,
        PeerAttack::AskOpened,
    ];
    knocks.into_iter().map(|knock| attack(&format!("another user: {knock:?}"), AttackMeans::Stranger(knock), "")).collect()
}

fn call(method: &'static str, params: Value, code: &'static str) -> AttackCase {
    let shown: String = params.to_string().chars().take(90).collect();
    attack(&format!("{method} {shown}"), AttackMeans::Call(method, params), code)
}

fn attack(name: &str, means: AttackMeans, code: &'static str) -> AttackCase {
    AttackCase { name: name.to_owned(), means, code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attack_table_has_expected_length_without_duplicates() {
        let text = || "a".to_owned();
        let all = all(&AttackPlaces { done: text(), paused: text(), port: 80, own: text(), target: text() });
        assert_eq!(all.len() as u64, crate::goals::attacks::RUNS);
        let mut means: Vec<String> = all.iter().map(|attack| format!("{:?}", attack.means)).collect();
        means.sort();
        means.dedup();
        assert_eq!(means.len(), all.len());
    }
}
