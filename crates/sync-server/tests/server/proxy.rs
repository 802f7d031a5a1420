//! Tests two nodes behind nginx, with the settings that docs/sync-server.md shows, on one PostgreSQL.

use std::{
    fs,
    io::Read as _,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use ashore_testkit::{nginx::Nginx, sync_server::postgres::postgres};
use serde_json::{Value, json};

use crate::programs::{answer, ask, command, enrol, plain, serve_with};

struct Front {
    _nginx: Nginx,
    socket: PathBuf,
}

impl Front {
    /// Starts nginx in front of the nodes; `None` if it is not installed.
    fn start(folder: &Path, nodes: &[String]) -> Option<Self> {
        Nginx::program()?;
        let socket = folder.join("front");
        let documented = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sync-server.md")).unwrap();
        let (_, location) = documented.split_once("```nginx\n").unwrap();
        let location = location.split_once("```").unwrap().0.replace("http://127.0.0.1:5350", "http://nodes");
        let servers: String = nodes.iter().map(|node| format!("server {node};")).collect();
        let directives =
            format!("access_log off;\nupstream nodes {{ {servers} }}\nserver {{ listen unix:{}; {location} }}", socket.display());
        let mut nginx = Nginx::start(folder, &directives).unwrap();
        // Only a connection to the socket shows that nginx is ready.
        while UnixStream::connect(&socket).is_err() {
            assert!(nginx.is_running().unwrap(), "nginx does not start");
            thread::park_timeout(Duration::from_millis(10));
        }
        Some(Self { _nginx: nginx, socket })
    }

    fn connect(&self) -> UnixStream {
        UnixStream::connect(&self.socket).unwrap()
    }
}

fn story(folder: &Path, address: &str) {
    let secret = folder.join("secret of both");
    fs::write(&secret, "a secret that both nodes have").unwrap();
    Command::new("chmod").arg("600").arg(&secret).status().unwrap();
    let nodes = ["one", "two"].map(|name| {
        let data = folder.join(name);
        let options = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--plain",
            "--proxy",
            "127.0.0.1",
            "--public-url",
            "https://sync.example",
            "--secret",
        ];
        let mut command = command(&data, &["--database", address]);
        serve_with(command.args(options).arg(&secret))
    });
    let nginx = Front::start(folder, &nodes.each_ref().map(|node| node.address()));
    let Some(nginx) = nginx else { return eprintln!("nginx was left out, because it is not installed.") };
    let link = nodes[0].link();
    let (uid, token) = enrol(nginx.connect(), &link);
    let path = |rest: &str| format!("/1.5/{uid}/{rest}");
    // nginx alternates: successive requests go to different nodes.
    for round in 0..20 {
        let racing = |_| {
            let (connection, token, path) = (nginx.connect(), token.clone(), path(&format!("storage/c{round}/a")));
            thread::spawn(move || create(connection, &path, &token))
        };
        let statuses: Vec<u16> = [0, 1].map(racing).into_iter().map(|racing| racing.join().unwrap()).collect();
        assert!(statuses == [200, 412] || statuses == [412, 200], "round {round}: {statuses:?}");
        let (status, body) = ask(nginx.connect(), "GET", &path(&format!("storage/c{round}/a")), &token, "");
        assert_eq!(status, 200, "{body}");
    }
    for node in &nodes {
        let (status, body) = ask(plain(node), "GET", &path("info/collections"), &token, "");
        assert_eq!((status, serde_json::from_str::<Value>(&body).unwrap().as_object().unwrap().len()), (200, 20));
    }
    let (status, body) = ask(nginx.connect(), "GET", "/1.0/sync/1.5", &token, "");
    let endpoint = serde_json::from_str::<Value>(&body).unwrap()["api_endpoint"].clone();
    assert_eq!((status, endpoint), (200, json!(format!("https://sync.example/1.5/{uid}"))));
    drop(nginx);
    drop(nodes);
    assert_eq!(answer(&folder.join("one"), &["--database", address, "doctor"], 0)["wrong"], json!([]));
}

/// Sends a write that is refused if the object already exists.
fn create(mut connection: UnixStream, path: &str, token: &str) -> u16 {
    use std::io::Write as _;
    let request = format!(
        "PUT {path} HTTP/1.1\r\nHost: sync.example\r\nConnection: close\r\nContent-Length: 2\r\nX-If-Unmodified-Since: 0\r\n\
         Authorization: Bearer {token}\r\n\r\n{{}}"
    );
    connection.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap();
    text.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_behind_nginx_act_as_one_server() {
    let address = match postgres() {
        Ok(server) => server.database().await,
        Err(reason) => return eprintln!("PostgreSQL was left out, because {reason}."),
    };
    let folder = tempfile::tempdir().unwrap();
    tokio::task::spawn_blocking(move || story(folder.path(), &address)).await.unwrap();
}
