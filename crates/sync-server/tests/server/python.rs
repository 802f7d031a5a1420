//! Runs an independent client against the real program: `client.py` shares no code with the server.

use std::process::Command;

use crate::programs::{command, serve_with};

#[test]
fn independent_python_client_can_use_whole_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve_with(command(folder.path(), &["serve", "--listen", "127.0.0.1:0"]).arg("--quiet"));
    let link = server.ready["invite"].as_str().unwrap().to_owned();
    let mut python = Command::new("python3");
    python.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/client.py"));
    // The proxies of the user who runs the tests must not be used.
    python.arg(format!("http://{}", server.address())).arg(link).env("no_proxy", "*");
    let Ok(output) = python.output() else {
        return eprintln!("The client in Python was left out, because python3 is not installed.");
    };
    let (steps, complaints) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "after {steps}: {complaints}");
    assert_eq!(steps.lines().count(), 14, "{steps}");
    assert_eq!(server.stop(), Some(0));
}
