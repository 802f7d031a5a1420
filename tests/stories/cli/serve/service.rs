//! Tests `ashore serve` as a service: sockets that systemd opened, its notifications, and the units of the packages.

use std::{ffi::OsString, fs, path::PathBuf, process::Stdio};

use ashore_testkit::{free_ports, tools::built, waits::until};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::{
    net::{UnixDatagram, UnixStream},
    process::Command,
    time::timeout,
};

use crate::cli::{
    program::{Person, Ran, Running, SOON, end},
    serve::remote::{ask, exchange, person},
};

/// Maximum exposure that `systemd-analyze security` may compute for the unit. 10 is the exposure of a unit without limits.
const MOST_EXPOSED: f64 = 2.1;

fn unit(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../packaging/systemd")).join(name)
}

/// Runs `systemd-analyze` in the home of a person.
async fn analyze(person: &Person, arguments: &[&str]) -> Ran {
    let mut command = Command::new("systemd-analyze");
    command.args(arguments).current_dir(person.home()).kill_on_drop(true);
    command.env("HOME", person.home()).env("XDG_RUNTIME_DIR", person.home().join("run"));
    end(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()).await
}

/// Starts the server by the first connection to a Unix socket or to a port, as systemd does.
fn activated(person: &Person, socket: &str, port: u16) -> Running {
    let serving = person.command(["serve", "--json"]);
    let mut command = Command::new("systemd-socket-activate");
    command.args(["--listen", socket, "--listen", &format!("127.0.0.1:{port}")]);
    // The program passes only the variables that its options name.
    for (name, value) in serving.as_std().get_envs() {
        let Some(value) = value else { continue };
        command.arg("--setenv").arg([name, value].join(&OsString::from("=")));
    }
    command.arg(serving.as_std().get_program()).args(serving.as_std().get_args());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    Running::from_child(command.spawn().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn first_connection_starts_server_on_inherited_sockets() {
    let person = person();
    let socket = person.home().join("http.sock");
    let [port] = free_ports().unwrap();
    let mut serving = activated(&person, socket.to_str().unwrap(), port);
    let mut stream = until("the socket is open", async || UnixStream::connect(&socket).await.ok()).await;
    let answered = exchange(&mut stream, "GET /healthz", "localhost", &[], b"").await;
    assert_eq!(answered.status, 204, "{answered:?}");
    let ready: Value = serde_json::from_str(&serving.line().await).unwrap();
    assert_eq!(ready["remote"], json!([format!("http://127.0.0.1:{port}/")]));
    assert_eq!(ask(&format!("127.0.0.1:{port}"), "GET /readyz", &[], b"").await.status, 204);
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
    assert!(socket.exists(), "systemd owns the file of the socket");
}

#[tokio::test(flavor = "multi_thread")]
async fn inherited_descriptor_that_is_no_socket_is_refused() {
    let person = person();
    let mut command = person.command(["serve", "--json"]);
    // The file replaces the descriptor 3, which is the first inherited one.
    let shell = "exec 3</dev/null; export LISTEN_FDS=1 LISTEN_PID=$$; exec \"$0\" \"$@\"";
    let mut under_shell = Command::new("sh");
    under_shell.args(["-c", shell]).arg(command.as_std().get_program()).args(command.as_std().get_args());
    let variables: Vec<_> =
        command.as_std().get_envs().map(|(name, value)| (name.to_owned(), value.unwrap().to_owned())).collect();
    command = under_shell;
    command.env_clear().envs(variables).stdout(Stdio::piped()).stderr(Stdio::piped());
    let refused = end(command.spawn().unwrap()).await;
    assert_eq!((refused.code, refused.error_code().as_str()), (Some(1), "remote-listen"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn systemd_receives_readiness_watchdog_and_end() {
    let person = person();
    let path = person.home().join("notify.sock");
    let notified = UnixDatagram::bind(&path).unwrap();
    let next = async || {
        let mut message = [0; 100];
        let length = timeout(SOON, notified.recv(&mut message)).await.expect("a message arrives").unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    };
    let mut command = person.command(["serve", "--json"]);
    command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "100000");
    let serving = Running::from_child(command.spawn().unwrap());
    assert_eq!(next().await, "READY=1\n");
    // A second message shows that the first one is not the only one.
    assert_eq!((next().await, next().await), ("WATCHDOG=1\n".to_owned(), "WATCHDOG=1\n".to_owned()));
    serving.signal(Signal::TERM);
    until("the end is reported", async || (next().await == "STOPPING=1\n").then_some(())).await;
    assert_eq!(serving.end().await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn systemd_accepts_units_and_finds_them_hardened() {
    let person = person();
    let program = built("ashore").unwrap();
    for name in ["ashore.service", "ashore.socket"] {
        let text = fs::read_to_string(unit(name)).unwrap();
        fs::write(person.home().join(name), text.replace("/usr/bin/ashore", program.to_str().unwrap())).unwrap();
    }
    let verified = analyze(&person, &["verify", "--user", "--man=no", "./ashore.service", "./ashore.socket"]).await;
    assert_eq!((verified.code, verified.stderr.as_str()), (Some(0), ""));
    let analyzed = analyze(&person, &["security", "--offline=true", "--no-pager", "./ashore.service"]).await;
    let score = analyzed.stdout.lines().last().unwrap_or_default();
    println!("{score}");
    let exposure = score.split(' ').find_map(|word| word.parse::<f64>().ok()).unwrap_or_else(|| panic!("{analyzed:?}"));
    assert!(exposure <= MOST_EXPOSED, "{}", analyzed.stdout);
}
