//! Tests that each secret is stored only in its own file and sent only to its own server.
//!
//! The test gives Ashore secrets in every possible way, and runs nearly all features, including simulated defects. Then
//! it searches every place where a secret could remain, including exported lists. Notification texts need no separate
//! search: they are built from the searched socket messages.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use ashore_testkit::{
    origin::{Body, Origin, Request, Route},
    proxy::Proxy,
};
use rustix::process::Signal;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::program::{Person, Running, SOON};

/// Text that occurs in every secret of this test.
const CANARY: &str = "canary";
/// The secrets as they appear in an `Authorization` header.
///
/// The sign-ins are `ann:canary-user`, `ann:canary-netrc`, `ann:canary-curl`, `ann:canary-basic`, the correct and the
/// wrong sign-in of the proxy, and `ann:canary-linked`.
const ENCODED: [&str; 7] = [
    "YW5uOmNhbmFyeS11c2Vy",
    "YW5uOmNhbmFyeS1uZXRyYw==",
    "YW5uOmNhbmFyeS1jdXJs",
    "YW5uOmNhbmFyeS1iYXNpYw==",
    "YW5uOmNhbmFyeS1wcm94eQ==",
    "YW5uOmNhbmFyeS13cm9uZw==",
    "YW5uOmNhbmFyeS1saW5rZWQ=",
];

/// Cookie that a server sets.
const SET: &str = "set=canary-set";

/// A server, and the sign-in that requests to it must contain.
struct Place {
    origin: Origin,
    /// Route whose response ends only after the test releases it.
    held: Route,
    /// Host name that the URLs contain instead of the IP address, for a test with cookies.
    ///
    /// A cookie is valid for a host, regardless of the port.
    host: Option<&'static str>,
    expected: &'static str,
}

impl Place {
    /// Starts a server with the routes of this test.
    ///
    /// One route succeeds, one fails, one is cut off once, one redirects to `elsewhere`, and one sends the rest of its
    /// response only after a release.
    async fn new(host: Option<&'static str>, expected: &'static str, elsewhere: &Origin) -> Self {
        let origin = Origin::start().await;
        origin.file("/done.bin", Body::bytes("done"));
        origin.refuses("/gone.bin", 404);
        origin.file("/cut.bin", Body::seeded(1, 2 << 20)).reset_after(1 << 20).times(1);
        origin.redirects("/away.bin", 302, elsewhere.url("/far.bin?signed=query").as_str());
        let mut held = origin.file("/held.bin", Body::seeded(2, 3 << 20)).gate_at(2 << 20);
        if host.is_some() {
            held = held.header("Set-Cookie", SET);
        }
        Self { origin, held, host, expected }
    }

    fn url(&self, path: &str) -> String {
        let mut url = self.origin.url(path);
        url.set_host(Some(self.host.unwrap_or("127.0.0.1"))).unwrap();
        url.into()
    }

    fn urls(&self) -> Vec<String> {
        ["/done.bin", "/cut.bin", "/away.bin", "/held.bin", "/gone.bin"].map(|path| self.url(path)).to_vec()
    }
}

fn has_secret(text: &str) -> bool {
    [CANARY].iter().chain(&ENCODED).any(|secret| text.contains(secret))
}

/// Returns the files under `folder` that contain a secret in their content or in their origin attribute.
///
/// The content is searched with `grep`, and the files are listed with `find`.
fn with_secrets(folder: &Path) -> Vec<PathBuf> {
    let secrets = [CANARY].into_iter().chain(ENCODED).flat_map(|secret| ["-e", secret]);
    let found = Command::new("grep").args(["-rlaF"]).args(secrets).arg(folder).output().unwrap();
    let all = Command::new("find").arg(folder).args(["-type", "f"]).output().unwrap();
    let paths = |output: Vec<u8>| -> Vec<PathBuf> { String::from_utf8(output).unwrap().lines().map(PathBuf::from).collect() };
    let is_marked = |path: &PathBuf| ashore_testkit::mark(path).is_some_and(|mark| has_secret(&mark));
    let mut found = paths(found.stdout);
    found.extend(paths(all.stdout).into_iter().filter(is_marked));
    found.sort();
    found
}

/// Starts `ashore serve` and writes its complete log to the file `log`.
///
/// `panic_at` is the failpoint at which the engine must panic, if any.
async fn serve(person: &Person, log: &str, panic_at: Option<&str>) -> Running {
    let log = fs::File::create(person.home().join(log)).unwrap();
    let mut command = person.command(["serve", "--json"]);
    command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full");
    command.envs(panic_at.map(|point| ("ASHORE_PANIC_AT", point)));
    let mut serving = Running::from_child(command.stderr(log).spawn().unwrap());
    assert!(serving.line().await.contains("\"ready\":true"));
    serving
}

/// Index of one server in `places`: its sign-in is stored with the command `sign-in` before the links are added.
const KEPT: usize = 6;

/// Servers of the test, one for each way of giving Ashore a secret.
struct Servers {
    /// Target of the redirects of all other servers. It must receive no secret.
    elsewhere: Origin,
    proxy: Proxy,
    /// Servers in the order of the commands in `commands`.
    places: [Place; 11],
}

impl Servers {
    async fn start() -> Self {
        let (elsewhere, proxy) = (Origin::start().await, Proxy::http_for("ann", "canary-proxy").await);
        elsewhere.file("/far.bin", Body::bytes("far"));
        let place = async |host, expected| Place::new(host, expected, &elsewhere).await;
        let places = [
            place(None, ENCODED[0]).await,
            place(None, ENCODED[1]).await,
            place(None, ENCODED[2]).await,
            place(None, ENCODED[3]).await,
            place(None, "Bearer canary-bearer").await,
            place(None, "token canary-other").await,
            place(None, "Bearer canary-kept").await,
            place(None, ENCODED[6]).await,
            place(None, "id=canary-cookie").await,
            place(None, "id=canary-pasted").await,
            place(Some("jar.test"), "given=canary-given").await,
        ];
        // The netrc sign-in is sent only if the server asks for a sign-in.
        let route = places[1].origin.file("/done.bin", Body::bytes("done"));
        route.header("WWW-Authenticate", "Basic realm=\"x\"").status(401).times(1);
        Self { elsewhere, proxy, places }
    }

    /// Returns the arguments of `add` for each server. They contain the server's secret.
    fn commands(&self) -> [Vec<String>; 11] {
        let own = |options: &[&str], place: &Place| {
            options.iter().map(|&option| option.to_owned()).chain(place.urls()).collect::<Vec<String>>()
        };
        let [user, netrc, curl, basic, bearer, other, kept, linked, cookie, pasted, jar] = &self.places;
        [
            own(&["-u", "ann:canary-user", "-e", "http://ann:canary-page@page.test/x"], user),
            own(&["--netrc"], netrc),
            vec!["--curl".to_owned(), format!("curl -u ann:canary-curl {}", curl.urls().join(" "))],
            own(&["-H", &format!("Authorization: Basic {}", ENCODED[3])], basic),
            own(&["-H", "authorization: bearer canary-bearer"], bearer),
            own(&["-H", "Authorization: token canary-other"], other),
            own(&[], kept),
            linked.urls().iter().map(|url| url.replacen("://", "://ann:canary%2Dlinked@", 1)).collect(),
            own(&["-H", "cookie: id=canary-cookie"], cookie),
            vec!["--curl".to_owned(), format!("curl -b id=canary-pasted {}", pasted.urls().join(" "))],
            own(&["--cookies", "../browser.txt"], jar),
        ]
    }

    /// Asserts that each server received its own sign-in and no other secret.
    ///
    /// Includes the requests after the kill.
    fn assert_each_got_only_its_own(&self) {
        for place in &self.places {
            let requests = place.origin.requests();
            assert!(
                requests.iter().any(|request| request.path == "/held.bin" && request.range_start() > Some(0)),
                "{requests:?}"
            );
            let is_told = |request: &Request| format!("{:?}", request.headers).contains(place.expected);
            assert!(requests.iter().any(is_told), "{}: {requests:?}", place.expected);
            if !place.expected.starts_with(ENCODED[1]) {
                assert!(requests.iter().all(is_told), "{}: {requests:?}", place.expected);
            }
            let mut rest = format!("{requests:?}").replace(place.expected, "");
            if place.host.is_some() {
                rest = rest.replace(SET, "");
            }
            assert!(!has_secret(&rest), "{}: {rest}", place.expected);
        }
        assert!(self.elsewhere.requests().len() >= self.places.len());
        let far = format!("{:?}", self.elsewhere.requests());
        assert!(!has_secret(&far), "{far}");
    }
}

/// Writes the settings, the netrc file and a browser's cookies.
fn prepare_home(person: &Person) {
    person.settings("retry-after-seconds = 0.05\ncheckpoint-seconds = 0.05\nproxy-loopback = true\nconnections = 1\nparallel = 32\nstall-seconds = 600\n");
    fs::write(person.home().join(".netrc"), "default login ann password canary-netrc\n").unwrap();
    let cookies = "# Netscape HTTP Cookie File\njar.test\tFALSE\t/\tFALSE\t0\tgiven\tcanary-given\n";
    fs::write(person.home().join("browser.txt"), cookies).unwrap();
}

/// Runs a command that must succeed. Returns its complete output.
async fn succeeds(person: &Person, arguments: &[&str]) -> String {
    let ran = person.run(arguments).await;
    assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
    format!("{ran:?}")
}

/// Adds the links of all servers. Returns the ids, and the output of the commands.
async fn add_all_links(person: &Person, servers: &Servers) -> (Vec<String>, Vec<String>) {
    let (mut ids, mut said) = (Vec::new(), Vec::new());
    for arguments in servers.commands() {
        let ran = person.run(["add".to_owned()].into_iter().chain(arguments)).await;
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ids.push(ran.stdout.trim().to_owned());
        said.push(format!("{ran:?}"));
    }
    (ids, said)
}

/// Tries to add links whose sign-in has an unsupported form.
///
/// Returns the output of the commands.
async fn add_refused_links(person: &Person) -> Vec<String> {
    let mut said = Vec::new();
    for link in ["http://ann:canary@a.test/", "ftp://ann:canary@a.test/x", "http://ann:can/canary@a.test/", "ann:canary@a.test/x"]
    {
        for verb in ["add", "get", "sign-in", "sign-out"] {
            // Skip these commands, which accept a sign-in in such a link.
            if link.starts_with("http://ann:canary@") && verb != "sign-in" && verb != "sign-out" {
                continue;
            }
            let user = ["--user", "ann:x"];
            let ran = person.run([verb, link].iter().chain(if verb == "sign-in" { &user[..] } else { &[] })).await;
            assert_ne!(ran.code, Some(0), "{ran:?}");
            said.push(format!("{ran:?}"));
        }
    }
    said
}

/// Waits until all downloads are complete, except the one whose server holds back the rest of the file.
///
/// Some bytes of this file must be on disk.
async fn wait_until_all_are_held(person: &Person, ids: &[String]) {
    let is_held = |shown: &Value| {
        let records = shown["records"].as_array().unwrap();
        let outcomes: Vec<Option<&str>> = records.iter().map(|record| record["outcome"].as_str()).collect();
        let success = Some("success");
        outcomes == [success, success, success, None, Some("failure")] && records[3]["downloaded"].as_u64() > Some(0)
    };
    for id in ids {
        person.shows(id, is_held).await;
    }
    let journals = || person.files().iter().filter(|name| name.ends_with(".part.ashore")).count();
    until(|| journals() == ids.len()).await;
}

/// Waits until all downloads are settled, and runs every command that prints information.
///
/// Returns the output of the commands.
async fn run_printing_commands(person: &Person, servers: &Servers, ids: &[String]) -> Vec<String> {
    let mut said = Vec::new();
    for id in ids {
        person.shows(id, |shown| shown["state"] == "settled").await;
        said.push(format!("{:?}", person.run(["show", id, "--attempts"]).await));
        said.push(format!("{:?}", person.run(["show", id, "--attempts", "--json"]).await));
    }
    // The proxy refuses this sign-in, and the output must explain the refusal.
    succeeds(person, &["settings", "proxy", &servers.proxy.url_for("ann", "canary-wrong")]).await;
    let ran = person.run(["get", servers.elsewhere.url("/new.bin").as_str()]).await;
    assert!(ran.code == Some(1) && ran.stderr.contains("proxy"), "{ran:?}");
    said.push(format!("{ran:?}"));
    for verb in [
        &["list"][..],
        &["list", "--json"],
        &["doctor"],
        &["doctor", "--json"],
        &["sign-in"],
        &["statistics", "--json"],
        &["quota"],
    ] {
        said.push(succeeds(person, verb).await);
    }
    said.push(export_list(person, "after-all-of-it.ashore").await);
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn secret_is_stored_only_in_its_files_and_sent_only_to_its_server() {
    let (servers, person) = (Servers::start().await, Person::new());
    prepare_home(&person);
    succeeds(&person, &["settings", "proxy", &servers.proxy.url_for("ann", "canary-proxy")]).await;

    let serving = serve(&person, "log-1", None).await;
    let events = fs::File::create(person.home().join("events")).unwrap();
    let _listening = person.command(["events"]).stdout(events).spawn().unwrap();
    let kept = servers.places[KEPT].url("/");
    let ran = person.run_with_input(["sign-in", &kept, "--token"], "canary-kept\n").await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut said = vec![format!("{ran:?}")];
    let (ids, added) = add_all_links(&person, &servers).await;
    said.extend(added);
    said.extend(add_refused_links(&person).await);

    wait_until_all_are_held(&person, &ids).await;
    let kept_in = [".netrc", "browser.txt", "data/ashore.toml", "data/cookies.txt", "data/sign-ins.json"];
    let kept_in = kept_in.map(|path| person.home().join(path));
    said.push(export_list(&person, "while-it-runs.ashore").await);
    assert_eq!(with_secrets(person.home()), kept_in, "while it runs");
    serving.signal(Signal::KILL);
    serving.end().await;
    assert_eq!(with_secrets(person.home()), kept_in, "after a kill");

    let serving = serve(&person, "log-2", None).await;
    servers.places.iter().for_each(|place| place.held.release());
    said.extend(run_printing_commands(&person, &servers, &ids).await);
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
    assert_eq!(with_secrets(person.home()), kept_in, "after all of it");
    for path in &kept_in[2..] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600, "{path:?}");
    }
    for text in said {
        assert!(!has_secret(&text), "{text}");
    }
    for log in ["log-1", "log-2"] {
        assert!(fs::read_to_string(person.home().join(log)).unwrap().contains("TRACE"), "all there is to log was logged");
    }
    assert!(fs::metadata(person.home().join("events")).unwrap().len() > 0);
    servers.assert_each_got_only_its_own();
}

/// Failpoints that are reached while the memory of a transfer contains its sign-in.
const DEFECTS: [&str; 5] =
    ["transfer.started", "transfer.request-sent", "transfer.head-received", "transfer.first-bytes", "transfer.before-place"];

#[tokio::test(flavor = "multi_thread")]
async fn defect_report_contains_no_secret() {
    let (elsewhere, person) = (Origin::start().await, Person::new());
    person.settings("retry-after-seconds = 0.05\nattempts = 1\n");
    let mut said: Vec<String> = Vec::new();
    for (number, point) in DEFECTS.into_iter().enumerate() {
        let log = format!("log-{number}");
        let serving = serve(&person, &log, Some(point)).await;
        let place = Place::new(None, "", &elsewhere).await;
        place.held.release();
        for sign_in in
            [["-u", "ann:canary-user"], ["-H", "Authorization: token canary-other"], ["-H", "Cookie: id=canary-cookie"]]
        {
            let files = ["/done.bin", "/held.bin"].map(|path| place.url(path));
            let ran = person.run(["add"].into_iter().chain(sign_in).chain(files.iter().map(String::as_str))).await;
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let id = ran.stdout.trim().to_owned();
            person.shows(&id, |shown| shown["state"] == "settled").await;
            said.push(format!("{:?}", person.run(["show", &id, "--attempts", "--json"]).await));
            said.push(format!("{ran:?}"));
        }
        said.push(export_list(&person, &format!("list-{number}.ashore")).await);
        serving.signal(Signal::TERM);
        assert_eq!(serving.end().await.code, Some(0));
        let logged = fs::read_to_string(person.home().join(log)).unwrap();
        assert!(logged.contains("panicked at") && logged.contains("a test requested a panic"), "nothing went wrong at {point}");
    }
    assert_eq!(with_secrets(person.home()), [person.data().join("sign-ins.json")]);
    assert!(said.iter().all(|text| !has_secret(text)), "{said:?}");
}

/// Exports the list to a user's file. Returns the output of the export command.
async fn export_list(person: &Person, name: &str) -> String {
    let file = person.home().join(name);
    let ran = person.run(["export", file.to_str().unwrap()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(fs::read_to_string(file).unwrap().contains("\"request\""), "there is something in it");
    format!("{ran:?}")
}

/// Polls until `is_so` returns true. Used for conditions that change without an event.
async fn until(is_so: impl Fn() -> bool) {
    let looked = async {
        while !is_so() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(SOON, looked).await.expect("the state is reached in time");
}
