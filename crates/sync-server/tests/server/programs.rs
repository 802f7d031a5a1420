//! Tests the real program.
//!
//! The tests start with an empty folder and end with a server that another machine can reach. They also cover the
//! refusals of the program.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        net::UnixDatagram,
    },
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::Arc,
};

use ashore_sync_server::auth::enrol::{EnrolLink, NO_PIN, WEB_PIN, auth_of};
use ashore_testkit::sync_server::postgres::postgres;
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use serde_json::{Value, json};
use sqlx::{
    ConnectOptions as _,
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};

pub struct Server {
    pub child: Child,
    pub ready: Value,
}

pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ashore-sync-server"));
    command.arg("--data-dir").arg(folder.join("data")).arg("--json").args(arguments);
    for name in ["ASHORE_SYNC_SERVER_DATABASE", "ASHORE_SYNC_SERVER_DATA_DIR", "NOTIFY_SOCKET", "RUST_LOG"] {
        command.env_remove(name);
    }
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Runs a subcommand and returns the last object that it prints.
///
/// Panics unless the exit code is `code`.
pub fn answer(folder: &Path, arguments: &[&str], code: i32) -> Value {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().last().map_or(Value::Null, |line| serde_json::from_str(line).unwrap())
}

fn serve(folder: &Path, arguments: &[&str]) -> Server {
    serve_with(command(folder, &[]).arg("serve").args(arguments))
}

pub fn serve_with(command: &mut Command) -> Server {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    if line.is_empty() {
        let mut why = String::new();
        child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
        panic!("it does not start: {why}");
    }
    Server { ready: serde_json::from_str(&line).unwrap(), child }
}

impl Server {
    /// Returns `host:port` of the first address.
    pub fn address(&self) -> String {
        self.ready["addresses"][0].as_str().unwrap().split_once("://").unwrap().1.to_owned()
    }

    pub fn link(&self) -> EnrolLink {
        EnrolLink::read(self.ready["invite"].as_str().unwrap()).unwrap()
    }

    pub fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// Stops the server as systemd does; returns the exit code.
    pub fn stop(mut self) -> Option<i32> {
        self.signal("-TERM");
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request over a separate connection.
pub fn ask(
    mut connection: impl std::io::Read + std::io::Write,
    method: &str,
    path: &str,
    token: &str,
    body: &str,
) -> (u16, String) {
    let authorization = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n{authorization}\r\n{body}",
        body.len()
    );
    connection.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    // Ignore the error of a peer that closes the connection without a TLS notification: the response is complete.
    let _ = connection.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no response: {text:?}"));
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

pub fn plain(server: &Server) -> TcpStream {
    TcpStream::connect(server.address()).unwrap()
}

pub fn enrol(connection: impl std::io::Read + std::io::Write, link: &EnrolLink) -> (i64, String) {
    let body =
        json!({ "uid": link.uid, "invite": link.id, "auth": auth_of(&link.secret, link.uid), "name": "Phone" }).to_string();
    let (status, body) = ask(connection, "POST", "/1.0/enrol", "", &body);
    assert_eq!(status, 201, "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    (body["uid"].as_i64().unwrap(), body["token"].as_str().unwrap().to_owned())
}

fn secure(server: &Server, folder: &Path) -> StreamOwned<ClientConnection, TcpStream> {
    let port = server.address().rsplit_once(':').unwrap().1.to_owned();
    secure_over(TcpStream::connect(format!("127.0.0.1:{port}")).unwrap(), &folder.join("data/certificate.pem"))
}

/// Opens a TLS connection to a server that has this certificate.
pub fn secure_over(connection: TcpStream, certificate: &Path) -> StreamOwned<ClientConnection, TcpStream> {
    let certificate = CertificateDer::from_pem_file(certificate).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), connection)
}

#[test]
fn single_command_starts_server_that_is_reachable_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), &["--listen", "0.0.0.0:0"]);
    assert!(server.ready["addresses"][0].as_str().unwrap().starts_with("https://"));
    let link = server.link();
    let certificate = CertificateDer::from_pem_file(folder.path().join("data/certificate.pem")).unwrap();
    assert_eq!(link.pin, ashore_sync_server::http::tls::pin(&certificate), "the link names the certificate");
    assert!(!link.address.starts_with("0.0.0.0"), "another machine needs a name: {}", link.address);
    let (uid, token) = enrol(secure(&server, folder.path()), &link);
    let path = format!("/1.5/{uid}/storage/tabs/a");
    assert_eq!(ask(secure(&server, folder.path()), "PUT", &path, &token, "{\"payload\":\"x\"}").0, 200);
    let (status, body) = ask(secure(&server, folder.path()), "GET", &path, &token, "");
    assert_eq!((status, serde_json::from_str::<Value>(&body).unwrap()["payload"].clone()), (200, json!("x")));
    for name in ["secret", "key.pem", "storage.db"] {
        let mode = fs::metadata(folder.path().join("data").join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    assert_eq!(server.stop(), Some(0));
    let again = serve(folder.path(), &["--listen", "0.0.0.0:0"]);
    assert_eq!(again.ready["invite"], Value::Null, "there is a user");
    assert_eq!(ask(secure(&again, folder.path()), "GET", &path, &token, "").0, 200);
}

/// Enrols a device with only the data of the link: the address, and the certificate if the link pins one.
fn join(link: &EnrolLink, folder: &Path) -> i64 {
    let connection = TcpStream::connect(&link.address).unwrap_or_else(|error| panic!("{}: {error}", link.address));
    if link.pin == NO_PIN {
        return enrol(connection, link).0;
    }
    let secure = secure_over(connection, &folder.join("data/certificate.pem"));
    enrol(secure, link).0
}

#[test]
fn server_can_be_joined_with_link_of_invite_command() {
    for (listen, pin) in [("0.0.0.0:0", None), ("127.0.0.1:0", Some(NO_PIN))] {
        let folder = tempfile::tempdir().unwrap();
        let server = serve(folder.path(), &["--listen", listen]);
        let link = EnrolLink::read(answer(folder.path(), &["invite"], 0)["invite"].as_str().unwrap()).unwrap();
        let first = server.link();
        assert_eq!((&link.address, &link.pin), (&first.address, &first.pin));
        assert!(pin.is_none_or(|pin| pin == link.pin), "{link:?}");
        let port = server.address().rsplit_once(':').unwrap().1.to_owned();
        assert!(link.address.ends_with(&format!(":{port}")) && !link.address.starts_with("0.0.0.0"), "{link:?}");
        assert_ne!(join(&first, folder.path()), join(&link, folder.path()));
    }
}

#[test]
fn invite_link_of_server_behind_proxy_contains_address_of_proxy() {
    let folder = tempfile::tempdir().unwrap();
    let invite = |more: &[&str]| {
        let arguments: Vec<&str> = ["invite"].iter().chain(more).copied().collect();
        let link = EnrolLink::read(answer(folder.path(), &arguments, 0)["invite"].as_str().unwrap()).unwrap();
        (link.address, link.pin)
    };
    let pair = |address: &str, pin: &str| (address.to_owned(), pin.to_owned());
    assert_eq!(answer(folder.path(), &["invite"], 4)["error"]["code"], "unknown-address");
    assert_eq!(invite(&["--address", "https://sync.example"]), pair("sync.example:443", WEB_PIN));
    assert_eq!(answer(folder.path(), &["invite", "--address", "https://sync.example/sync"], 2)["error"]["code"], "usage");
    let proxied = ["--listen", "127.0.0.1:0", "--plain", "--proxy", "127.0.0.1"];
    let server = serve(folder.path(), &[&proxied[..], &["--public-url", "https://sync.example:8443/"]].concat());
    let link = server.link();
    assert_eq!((link.address, link.pin), pair("sync.example:8443", WEB_PIN));
    assert_eq!(invite(&[]), pair("sync.example:8443", WEB_PIN));
    assert_eq!(invite(&["--address", "other.example:99"]), pair("other.example:99", WEB_PIN));
    assert_eq!(invite(&["--address", "localhost:99", "--plain"]), pair("localhost:99", NO_PIN));
    assert_eq!(server.stop(), Some(0));
    let server = serve(folder.path(), &proxied);
    assert_eq!(server.ready["invite"], Value::Null, "no other machine knows the proxy");
    assert_eq!(answer(folder.path(), &["invite"], 4)["error"]["code"], "unknown-address");
}

#[tokio::test(flavor = "multi_thread")]
async fn invite_command_is_refused_if_server_runs_on_another_database() {
    let address = match postgres() {
        Ok(server) => server.database().await,
        Err(reason) => return eprintln!("PostgreSQL was left out, because {reason}."),
    };
    let folder = tempfile::tempdir().unwrap();
    let server = serve_with(command(folder.path(), &["--database", &address]).args(["serve", "--listen", "127.0.0.1:0"]));
    for more in [&["invite"][..], &["invite", "--address", "https://sync.example"]] {
        let refused = answer(folder.path(), more, 4);
        assert_eq!(refused["error"]["code"], "other-database");
        assert!(refused["error"]["text"].as_str().unwrap().contains("--database"), "{refused}");
    }
    assert!(!folder.path().join("data/storage.db").exists(), "no other database was made");
    let invite = answer(folder.path(), &["--database", &address, "invite"], 0);
    join(&EnrolLink::read(invite["invite"].as_str().unwrap()).unwrap(), folder.path());
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn invite_link_contains_pin_of_configured_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let pair = rcgen::KeyPair::generate().unwrap();
    let signed = rcgen::CertificateParams::new(vec!["sync.example".to_owned()]).unwrap().self_signed(&pair).unwrap();
    let (certificate, key) = (folder.path().join("own.pem"), folder.path().join("own.key"));
    fs::write(&certificate, signed.pem()).unwrap();
    fs::write(&key, pair.serialize_pem()).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let (certificate, key) = (certificate.to_str().unwrap(), key.to_str().unwrap());
    let _server = serve(folder.path(), &["--listen", "127.0.0.1:0", "--certificate", certificate, "--key", key]);
    let link = EnrolLink::read(answer(folder.path(), &["invite"], 0)["invite"].as_str().unwrap()).unwrap();
    assert_eq!(link.pin, ashore_sync_server::http::tls::pin(signed.der()));
}

#[test]
fn server_files_and_data_folder_are_private_to_user() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    // Use a permissive umask and no `--data-dir`, so that the default data folder is created.
    let run = |arguments: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("umask 0; exec \"$0\" --json {arguments}"), env!("CARGO_BIN_EXE_ashore-sync-server")]);
        shell.env_clear().env("HOME", &home).env("PATH", std::env::var_os("PATH").unwrap());
        shell
    };
    let data = home.join(".local/share/ashore-sync-server");
    let check = |names: &[&str]| {
        assert_eq!(fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700, "{}", data.display());
        let found: Vec<_> = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap()).collect();
        for entry in &found {
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
        }
        for name in names {
            assert!(data.join(name).exists(), "{name}: {found:?}");
        }
    };
    assert!(run("--database postgres://sync@db/sync install").output().unwrap().status.success());
    check(&["environment"]);
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
    let server = serve_with(&mut run("serve --listen 0.0.0.0:0"));
    check(&["storage.db", "storage.db-wal", "secret", "key.pem", "certificate.pem", "address", "lock"]);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn log_never_contains_the_set_up_link() {
    let folder = tempfile::tempdir().unwrap();
    let (out, complaints) = (folder.path().join("out"), folder.path().join("complaints"));
    let written = || [&out, &complaints].map(|file| fs::read_to_string(file).unwrap()).concat();
    // Stdout and stderr are files. The server treats them as the journal if `is_json` is set, and as a log otherwise.
    for is_json in [false, true] {
        let (stdout, stderr) = (fs::File::create(&out).unwrap(), fs::File::create(&complaints).unwrap());
        let stat = stdout.metadata().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ashore-sync-server"));
        command.arg("--data-dir").arg(folder.path().join("data")).args(is_json.then_some("--json"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("JOURNAL_STREAM", format!("{}:{}", stat.dev(), stat.ino()));
        let child = command.stdout(stdout).stderr(stderr).spawn().unwrap();
        let server = Server { child, ready: Value::Null };
        let file = folder.path().join("data/invite");
        let begun = std::time::Instant::now();
        while !written().contains(file.to_str().unwrap()) {
            assert!(begun.elapsed().as_secs() < 20, "the place of the link is not reported: {}", written());
            std::thread::park_timeout(std::time::Duration::from_millis(10));
        }
        assert!(!written().contains("ashore://"), "{}", written());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let link = EnrolLink::read(fs::read_to_string(&file).unwrap().trim()).unwrap();
        assert_eq!(link.pin, NO_PIN);
        if is_json {
            join(&link, folder.path());
        }
        assert_eq!(server.stop(), Some(0));
    }
    let again = serve(folder.path(), &["--listen", "127.0.0.1:0"]);
    assert_eq!(again.ready["invite"], Value::Null);
    assert!(!folder.path().join("data/invite").exists(), "there is a user, so the file is of no use");
}

#[test]
fn plain_http_requires_loopback_or_named_proxy() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(answer(folder.path(), &["serve", "--listen", "0.0.0.0:0", "--plain"], 2)["error"]["code"], "usage");
    let server = serve(folder.path(), &["--listen", "127.0.0.1:0"]);
    assert!(server.ready["addresses"][0].as_str().unwrap().starts_with("http://127.0.0.1:"));
    assert_eq!(ask(plain(&server), "GET", "/__version__", "", "").0, 200);
    assert_eq!(server.stop(), Some(0));
    let server = serve(folder.path(), &["--listen", "0.0.0.0:0", "--plain", "--proxy", "192.0.2.1"]);
    let port = server.address().rsplit_once(':').unwrap().1.to_owned();
    assert_eq!(ask(TcpStream::connect(format!("127.0.0.1:{port}")).unwrap(), "GET", "/__version__", "", "").0, 200);
}

#[test]
fn second_server_on_same_folder_is_refused_with_name_of_first_server() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve(folder.path(), &["--listen", "127.0.0.1:0"]);
    let refused = answer(folder.path(), &["serve", "--listen", "127.0.0.1:0"], 3);
    assert_eq!(refused["error"]["code"], "held");
    let name = format!("ashore-sync-server serve, process {}", first.child.id());
    assert!(refused["error"]["text"].as_str().unwrap().contains(&name), "{refused}");
    assert_eq!(answer(folder.path(), &["doctor"], 0)["wrong"], json!([]), "other verbs work beside it");
    assert_eq!(ask(plain(&first), "GET", "/__heartbeat__", "", "").0, 200);
}

#[test]
fn systemd_is_notified_when_server_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let server = serve_with(command(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).env("NOTIFY_SOCKET", &path));
    let mut text = [0; 64];
    let length = socket.recv(&mut text).unwrap();
    assert_eq!(&text[..length], b"READY=1");
    assert_eq!(server.stop(), Some(0));
    let length = socket.recv(&mut text).unwrap();
    assert_eq!(&text[..length], b"STOPPING=1");
}

#[tokio::test]
async fn server_recovers_after_kill_during_first_write() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(answer(folder.path(), &["doctor"], 0)["users"], 0);
    let data = folder.path().join("data");
    let begun = tempfile::tempdir_in(folder.path()).unwrap();
    // Create a file as a power failure leaves it: a single page is overwritten, and the journal has the old content of
    // that page.
    let file = begun.path().join("storage.db");
    let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true).journal_mode(SqliteJournalMode::Persist);
    let mut connection = options.pragma("cache_size", "1").connect().await.unwrap();
    sqlx::raw_sql("CREATE TABLE a (b BLOB); DROP TABLE a").execute(&mut connection).await.unwrap();
    let spilled = "BEGIN; CREATE TABLE c (d BLOB); \
                   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO c SELECT randomblob(4000) FROM n";
    sqlx::raw_sql(spilled).execute(&mut connection).await.unwrap();
    for name in ["storage.db", "storage.db-journal"] {
        fs::copy(begun.path().join(name), data.join(name)).unwrap();
    }
    for name in ["storage.db-wal", "storage.db-shm"] {
        let _ = fs::remove_file(data.join(name));
    }
    assert_eq!(answer(folder.path(), &["doctor"], 0)["wrong"], json!([]));
}

#[test]
fn server_stops_when_its_stdin_ends() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--until-stdin-ends"]);
    let mut server = serve_with(command.stdin(Stdio::piped()));
    assert!(server.child.try_wait().unwrap().is_none());
    drop(server.child.stdin.take());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn secret_file_is_refused_if_other_users_can_read_it() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(serve(folder.path(), &["--listen", "127.0.0.1:0"]).stop(), Some(0));
    let secret = folder.path().join("data/secret");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644)).unwrap();
    let refused = answer(folder.path(), &["serve", "--listen", "127.0.0.1:0"], 4);
    assert!(refused["error"]["text"].as_str().unwrap().contains("chmod 600"), "{refused}");
    assert_eq!(answer(folder.path(), &["doctor"], 1)["wrong"].as_array().unwrap().len(), 1);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&secret, "short").unwrap();
    assert_eq!(answer(folder.path(), &["serve", "--listen", "127.0.0.1:0"], 4)["error"]["code"], "secret");
}

#[test]
fn expired_certificate_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pair = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(vec!["sync.example".to_owned()]).unwrap();
    (params.not_before, params.not_after) = (rcgen::date_time_ymd(2020, 1, 1), rcgen::date_time_ymd(2021, 1, 1));
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    fs::write(&certificate, params.self_signed(&pair).unwrap().pem()).unwrap();
    fs::write(&key, pair.serialize_pem()).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let (certificate, key) = (certificate.to_str().unwrap(), key.to_str().unwrap());
    let refused = answer(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--certificate", certificate, "--key", key], 4);
    assert!(refused["error"]["text"].as_str().unwrap().contains("Renew it"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_transfers_all_data_between_sqlite_and_postgres() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), &["--listen", "127.0.0.1:0"]);
    let (uid, token) = enrol(plain(&server), &server.link());
    for collection in ["tabs", "custom"] {
        let body = json!([{ "id": "a", "payload": "ä\n\u{2028}" }, { "id": "b", "sortindex": -3, "ttl": 99999 }]).to_string();
        assert_eq!(ask(plain(&server), "POST", &format!("/1.5/{uid}/storage/{collection}"), &token, &body).0, 200);
    }
    let read = |server: &Server| {
        let paths = ["storage/tabs?full=1", "storage/custom?full=1", "info/collections", "info/quota"];
        paths.map(|path| ask(plain(server), "GET", &format!("/1.5/{uid}/{path}"), &token, ""))
    };
    let before = read(&server);
    let file = folder.path().join("sync.backup");
    let file = file.to_str().unwrap();
    let saved = answer(folder.path(), &["backup", file], 0);
    assert_eq!((saved["users"].clone(), saved["objects"].clone()), (json!(1), json!(4)));
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    answer(folder.path(), &["backup", file], 1);
    assert_eq!(server.stop(), Some(0));
    assert_eq!(answer(folder.path(), &["restore", file], 4)["error"]["code"], "not-empty");

    let cut = folder.path().join("cut.backup");
    let whole = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    for broken in [
        whole[..whole.len() - 20].to_owned(),
        lines[1..].join("\n"),
        [&lines[..lines.len() - 2], &lines[lines.len() - 1..]].concat().join("\n") + "\n",
    ] {
        let other = tempfile::tempdir().unwrap();
        fs::write(&cut, broken).unwrap();
        assert_eq!(answer(other.path(), &["restore", cut.to_str().unwrap()], 4)["error"]["code"], "bad-backup");
        assert_eq!(answer(other.path(), &["doctor"], 0)["users"], 0, "no data was restored");
    }

    let other = tempfile::tempdir().unwrap();
    let database = match postgres() {
        Ok(server) => vec!["--database".to_owned(), server.database().await],
        Err(reason) => {
            eprintln!("PostgreSQL was left out, because {reason}.");
            Vec::new()
        }
    };
    let on_database = |arguments: &[&str]| {
        let all: Vec<&str> = database.iter().map(String::as_str).chain(arguments.iter().copied()).collect();
        all.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let with =
        |arguments: &[&str]| answer(other.path(), &on_database(arguments).iter().map(String::as_str).collect::<Vec<_>>(), 0);
    assert_eq!(with(&["restore", file]), saved);
    assert_eq!(with(&["doctor"])["wrong"], json!([]));
    let moved = on_database(&["serve", "--listen", "127.0.0.1:0"]);
    let server = serve_with(command(other.path(), &[]).args(&moved));
    assert_eq!(read(&server), before, "times, payloads, counters and the token are the same");
    assert_eq!(server.stop(), Some(0));
    let back = folder.path().join("back.backup");
    with(&["backup", back.to_str().unwrap()]);
    let without_head = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without_head(&fs::read_to_string(back).unwrap()), without_head(&whole));
}

#[tokio::test]
async fn users_can_be_listed_and_limited_and_removed_by_commands() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), &["--listen", "127.0.0.1:0"]);
    let (uid, token) = enrol(plain(&server), &server.link());
    let user = uid.to_string();
    let invite = answer(folder.path(), &["invite", "--address", &server.address(), "--plain"], 0);
    let (second, _) = enrol(plain(&server), &EnrolLink::read(invite["invite"].as_str().unwrap()).unwrap());
    assert_ne!(uid, second);
    assert_eq!(String::from_utf8(run(folder.path(), &["users"]).stdout).unwrap().lines().count(), 2);
    assert_eq!(answer(folder.path(), &["quota", &user, "1K"], 0)["quota"], 1024);
    let path = format!("/1.5/{uid}/storage/tabs/a");
    let big = json!({ "payload": "x".repeat(2000) }).to_string();
    assert_eq!(ask(plain(&server), "PUT", &path, &token, &big).0, 403, "it holds at once");
    answer(folder.path(), &["quota", &user, "default"], 0);
    assert_eq!(ask(plain(&server), "PUT", &path, &token, &big).0, 200);
    assert_eq!(answer(folder.path(), &["quota", &user], 0)["bytes"], 2000);
    assert_eq!(answer(folder.path(), &["quota", "1", "1K"], 4)["error"]["code"], "unknown-user");
    let device = answer(folder.path(), &["devices", &user], 0)["id"].as_str().unwrap().to_owned();
    answer(folder.path(), &["devices", &user, "--remove", &device], 0);
    assert_eq!(ask(plain(&server), "GET", &path, &token, "").0, 401, "its token is of no use at once");
    answer(folder.path(), &["devices", &user, "--remove", &device], 4);
    answer(folder.path(), &["devices", &user, "--remove", "-Mbk0yiDnYt1"], 4);
    answer(folder.path(), &["users", "--remove", &user], 0);
    answer(folder.path(), &["users", "--remove", &user], 4);
    assert_eq!(answer(folder.path(), &["purge"], 0)["objects"], 0);
    let mut connection = SqliteConnectOptions::new().filename(folder.path().join("data/storage.db")).connect().await.unwrap();
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM bsos").fetch_one(&mut connection).await.unwrap();
    assert_eq!(left, 0, "a user goes with everything");
    sqlx::raw_sql("INSERT INTO user_collections SELECT user_id, 1, 10, 5, 5 FROM users").execute(&mut connection).await.unwrap();
    assert_eq!(answer(folder.path(), &["doctor"], 1)["wrong"].as_array().unwrap().len(), 1, "a wrong counter is found");
}

#[test]
fn systemd_unit_is_written_for_this_user() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--database", "postgres://sync:canary@db/sync", "install", "--listen", "0.0.0.0:5350", "--quota", "1G"];
    let output = command(folder.path(), &arguments).env("XDG_CONFIG_HOME", folder.path().join("config")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let unit = fs::read_to_string(folder.path().join("config/systemd/user/ashore-sync-server.service")).unwrap();
    assert!(unit.contains("Type=notify\n") && unit.contains("\"--listen\" \"0.0.0.0:5350\""), "{unit}");
    assert!(!unit.contains("canary"), "others may read units");
    let environment = folder.path().join("data/environment");
    assert!(fs::read_to_string(&environment).unwrap().contains("canary"));
    assert_eq!(fs::metadata(environment).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn pending_requests_are_answered_before_shutdown() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = serve(folder.path(), &["--listen", "127.0.0.1:0"]);
    let (uid, token) = enrol(plain(&server), &server.link());
    let mut connection = plain(&server);
    let body = "{\"payload\":\"x\"}";
    let head = format!(
        "PUT /1.5/{uid}/storage/tabs/a HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).unwrap();
    // The server has requested the body, so the request is in progress.
    let mut word = [0; 25];
    connection.read_exact(&mut word).unwrap();
    assert!(word.starts_with(b"HTTP/1.1 100 Continue"));
    server.signal("-TERM");
    connection.write_all(body.as_bytes()).unwrap();
    let mut text = String::new();
    connection.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}
