//! Tests `ashore serve` behind real proxies, with the snippets that `docs/service.md` recommends. `scripts/setup long`
//! installs the proxies.

use std::{fs, path::Path, process::Stdio};

use ashore_testkit::{free_ports, waits::until};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
    process::{Child, Command},
    time::timeout,
};
use url::Url;

use crate::cli::{
    program::{Person, SOON},
    serve::{
        aria2::{call_at, secret, web_server},
        remote::{Device, ask, person, serve, token},
    },
};

/// Address of Ashore in the snippets.
const ADDRESS: &str = "127.0.0.1:6800";

/// A proxy that is running. Dropping it ends the process.
struct Proxy {
    _process: Child,
    host: String,
}

/// Returns the recommended snippet `name`, for an Ashore that listens on `address`.
fn snippet(name: &str, address: &str) -> String {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../packaging/proxies")).join(name);
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let directives = lines.join("\n");
    assert!(directives.contains(ADDRESS), "{name}");
    directives.replace(ADDRESS, address)
}

/// Writes the configuration of a proxy that listens on `port`, and starts the proxy with it.
async fn start(person: &Person, port: u16, configuration: &str, command: &[&str]) -> Proxy {
    let path = person.home().join("proxy.conf");
    fs::write(&path, format!("{configuration}\n")).unwrap();
    let mut proxy = Command::new(command[0]);
    proxy.args(&command[1..]).arg(&path).env("HOME", person.home()).stdin(Stdio::null()).stdout(Stdio::null());
    let log = fs::File::create(person.home().join("proxy.log")).unwrap();
    let process = proxy.stderr(log).kill_on_drop(true).spawn();
    let mut process = process.unwrap_or_else(|error| panic!("{}: {error}. Run `scripts/setup long`.", command[0]));
    let host = format!("127.0.0.1:{port}");
    until("the proxy listens", async || {
        let log = || fs::read_to_string(person.home().join("proxy.log")).unwrap_or_default();
        assert_eq!(process.try_wait().unwrap(), None, "the proxy ended: {}", log());
        TcpStream::connect(&host).await.ok()
    })
    .await;
    Proxy { _process: process, host }
}

/// Waits for an event on a response that stays open, and fails if the proxy holds events back.
async fn receive_event(host: &str, secret: &str, change: impl AsyncFnOnce()) {
    let stream = TcpStream::connect(host).await.unwrap();
    let (reader, mut writer) = stream.into_split();
    let head = format!("GET /ashore/api/v1/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n\r\n");
    writer.write_all(head.as_bytes()).await.unwrap();
    let mut lines = BufReader::new(reader).lines();
    let mut next = async || timeout(SOON, lines.next_line()).await.expect("the proxy sends a line").unwrap().expect("a line");
    assert!(next().await.contains(" 200 "));
    while !next().await.is_empty() {}
    change().await;
    while !next().await.starts_with("event: changed") {}
}

/// Checks that a proxy forwards everything that the server offers: the page, a WebSocket, the interface for aria2, and the
/// event stream.
///
/// `configure` starts the proxy. It receives the port of the proxy, and the recommended snippet `name`.
async fn assert_serves(name: &str, configure: impl AsyncFnOnce(&Person, u16, String) -> Proxy) {
    let (origin, person) = (web_server().await, person());
    let [port] = free_ports().unwrap();
    let public = format!("http://127.0.0.1:{port}/ashore");
    let (_serving, address) = serve(&person, &["--public-url", &public]).await;
    let proxy = configure(&person, port, snippet(name, &address)).await;
    let secret = secret(&person, "control").await;

    let page = ask(&proxy.host, "GET /ashore", &[], b"").await;
    let target = page.headers.get("location").unwrap_or_else(|| panic!("{page:?}"));
    assert_eq!(Url::parse(&public).unwrap().join(target).unwrap().path(), "/ashore/");
    let (proxied, direct) = (ask(&proxy.host, "GET /ashore/", &[], b"").await, ask(&address, "GET /ashore/", &[], b"").await);
    assert_eq!((proxied.status, proxied.body), (direct.status, direct.body));

    let device = Device::sign_in_at(&proxy.host, "/ashore", &token(&person).await).await;
    let mut socket = device.socket().await;
    assert_eq!(socket.call("greet", json!({ "version": 1 })).await["version"], 1);

    receive_event(&proxy.host, &secret, async || {
        let added = json!([[origin.url("/ok")]]);
        call_at(&proxy.host, "/ashore/jsonrpc", &secret, "aria2.addUri", added).await;
    })
    .await;
    let foreign = [("Origin", "https://attacker.example")];
    assert_eq!(ask(&proxy.host, "POST /ashore/api/session", &foreign, b"").await.status, 403);
    assert_eq!(socket.call("list", json!({})).await[0]["owner"], "aria2");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the proxies that scripts/setup long installs"]
async fn proxy_nginx_serves_page_sockets_and_events() {
    assert_serves("nginx.conf", async |person, port, snippet| {
        let folder = person.home().join("proxy");
        fs::create_dir(&folder).unwrap();
        let folder = folder.display();
        let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
        let configuration = format!(
            "daemon off; {user} pid {folder}/pid; error_log stderr; events {{}}
             http {{ access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
             uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e; server {{ listen 127.0.0.1:{port};\n{snippet}\n}} }}"
        );
        start(person, port, &configuration, &["/usr/sbin/nginx", "-e", "stderr", "-c"]).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the proxies that scripts/setup long installs"]
async fn proxy_caddy_serves_page_sockets_and_events() {
    assert_serves("Caddyfile", async |person, port, snippet| {
        let configuration = format!("{{\nadmin off\n}}\nhttp://127.0.0.1:{port} {{\n{snippet}\n}}");
        start(person, port, &configuration, &["caddy", "run", "--adapter", "caddyfile", "--config"]).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the proxies that scripts/setup long installs"]
async fn proxy_apache_serves_page_sockets_and_events() {
    assert_serves("apache.conf", async |person, port, snippet| {
        let modules = ["mpm_event", "authz_core", "alias", "proxy", "proxy_http"];
        let modules = modules.map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n")).concat();
        let home = person.home().display();
        let configuration = format!(
            "{modules}ServerRoot {home}\nDefaultRuntimeDir {home}\nPidFile {home}/apache.pid\nErrorLog /dev/stderr\n\
             ServerName 127.0.0.1\nListen 127.0.0.1:{port}\n<VirtualHost *:{port}>\n{snippet}\n</VirtualHost>"
        );
        start(person, port, &configuration, &["/usr/sbin/apache2", "-DFOREGROUND", "-f"]).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the proxies that scripts/setup long installs"]
async fn haproxy_as_proxy_forwards_page_and_sockets_and_events() {
    assert_serves("haproxy.cfg", async |person, port, snippet| {
        let configuration = format!(
            "defaults\n    mode http\n    timeout connect 5s\n    timeout client 1h\n    timeout server 1m\n\
             frontend site\n    bind 127.0.0.1:{port}\n{snippet}"
        );
        start(person, port, &configuration, &["/usr/sbin/haproxy", "-db", "-f"]).await
    })
    .await;
}
