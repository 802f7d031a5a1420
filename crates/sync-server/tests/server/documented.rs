//! Tests that run the commands of docs/sync-server.md as written there.
//!
//! The user who runs the commands has an empty home folder.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::TcpStream,
    os::unix::{fs::PermissionsExt as _, fs::symlink, process::CommandExt as _},
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use ashore_sync_server::auth::enrol::EnrolLink;
use ashore_testkit::free_ports;

use crate::programs::{ask, enrol, secure_over};

/// Port that every documented command uses.
const PORT: &str = "5350";

/// Script that replaces `systemctl`, because tests must not change services of the machine.
///
/// The script starts the command of the unit, and ends when the server is ready.
const SYSTEMCTL: &str = r#"#!/bin/sh
[ "$*" = "--user enable --now ashore-sync-server" ] || exit 2
start=$(sed -n 's/^ExecStart=//p' "$HOME/.config/systemd/user/ashore-sync-server.service")
[ -n "$start" ] || exit 3
sh -c "exec $start" >"$HOME/journal" 2>&1 &
echo $! >"$HOME/pid"
while ! grep -q "is ready" "$HOME/journal"; do
  kill -0 $! || exit 4
  sleep 0.05
done
"#;

/// User with a home folder, a folder of programs, and a free port.
struct Person {
    folder: tempfile::TempDir,
    port: u16,
}

impl Person {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_ashore-sync-server"), folder.path().join("bin/ashore-sync-server")).unwrap();
        // Replace the documented port by a free one, because another program may use the documented port.
        let [port] = free_ports().unwrap();
        Self { folder, port }
    }

    fn with_systemctl(self) -> Self {
        let program = self.folder.path().join("bin/systemctl");
        fs::write(&program, SYSTEMCTL).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// Returns a documented line as a shell command, with the free port in it.
    fn command(&self, line: &str, path: &str) -> Command {
        let mut shell = Command::new("/bin/sh");
        let bin = self.folder.path().join("bin");
        shell.args(["-c", &line.replace(PORT, &self.port.to_string())]).env_clear().env("HOME", self.folder.path());
        shell.env("PATH", format!("{}{path}", bin.display())).stdin(Stdio::null());
        shell
    }

    fn run(&self, line: &str, path: &str) -> Output {
        let output = self.command(line, path).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        output
    }

    /// Starts a server in the foreground; returns the server and its first line of output.
    fn start(&self, line: &str, path: &str) -> (Running, String) {
        let mut command = self.command(&format!("exec {line}"), path);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0).spawn().unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
        (Running(child), ready)
    }

    fn certificate(&self) -> PathBuf {
        self.folder.path().join(".local/share/ashore-sync-server/certificate.pem")
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }
}

/// Server that is killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Server that the replacement of `systemctl` started; killed at the end of the test.
struct Unit(String);

impl Drop for Unit {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.trim()).status();
    }
}

/// Returns the lines of the first block of shell commands below a heading.
fn documented(heading: &str) -> Vec<String> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sync-server.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section {heading}"));
    let (_, block) = section.split_once("```sh\n").unwrap();
    block.split_once("```").unwrap().0.lines().map(str::to_owned).collect()
}

#[test]
fn three_documented_commands_start_server_that_serves_a_phone_over_tls() {
    let person = Person::new().with_systemctl();
    let lines = documented("At home");
    assert_eq!(lines.len(), 3, "three commands: {lines:?}");
    let usual = ":/usr/bin:/bin";
    let installed = person.run(&lines[0], usual);
    assert!(String::from_utf8_lossy(&installed.stderr).contains("systemctl --user enable --now"), "{installed:?}");
    person.run(&lines[1], usual);
    let _unit = Unit(fs::read_to_string(person.folder.path().join("pid")).unwrap());
    let link = String::from_utf8(person.run(&lines[2], usual).stdout).unwrap();
    let link = EnrolLink::read(link.trim()).unwrap();
    assert!(link.address.ends_with(&format!(":{}", person.port)), "{link:?}");
    let reached = TcpStream::connect(&link.address).unwrap_or_else(|error| panic!("{}: {error}", link.address));
    let (status, _) = ask(secure_over(reached, &person.certificate()), "GET", "/__heartbeat__", "", "");
    assert_eq!(status, 200);
    let (uid, token) = enrol(secure_over(person.connect(), &person.certificate()), &link);
    let path = format!("/1.5/{uid}/storage/tabs/a");
    assert_eq!(ask(secure_over(person.connect(), &person.certificate()), "PUT", &path, &token, "{}").0, 200);
    assert!(!fs::read_to_string(person.folder.path().join("journal")).unwrap().contains("ashore://"));
}

#[test]
fn install_command_prints_working_command_if_systemctl_is_missing() {
    let person = Person::new();
    let install = &documented("At home")[0];
    let output = person.run(install, "");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("systemctl is not installed here"), "{told}");
    let command = told.lines().last().unwrap().trim().to_owned();
    let (_server, ready) = person.start(&command, "");
    assert!(ready.contains("is ready: https://0.0.0.0:"), "{command}: {ready}");
    assert_eq!(ask(secure_over(person.connect(), &person.certificate()), "GET", "/__version__", "", "").0, 200);
}

#[test]
fn documented_command_starts_server_behind_a_proxy() {
    let person = Person::new();
    let lines = documented("Behind nginx or Caddy");
    let (_server, ready) = person.start(&lines[0], "");
    assert!(ready.contains("is ready: http://127.0.0.1:"), "{ready}");
    assert_eq!(ask(person.connect(), "GET", "/__version__", "", "").0, 200);
    let link = EnrolLink::read(String::from_utf8(person.run("ashore-sync-server invite", "").stdout).unwrap().trim()).unwrap();
    assert_eq!((link.address.as_str(), link.pin.as_str()), ("sync.example:443", "tls"));
}
