//! Tests the connection between a browser and Ashore as a browser would use it. Called by `ashore browsers doctor`.

use std::{
    ffi::OsString,
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use ashore_messages::{UserMessage, message};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::Command,
    time::timeout,
};

use crate::{
    caller,
    extension_ids::ids,
    framing::{self, FrameBuffer},
    install::{self, ManifestState},
    manifest_paths::{BrowserFamily, BrowserPlace, UserFolders},
    protocol::VERSION,
};

/// Maximum time for the host to answer and to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// Reason why a connection does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestFault {
    /// Either the user does not have this browser, or the user has never started it and no package connects it.
    NoBrowser,
    /// The browser has no manifest.
    NotConnected,
    /// The connection is broken for this reason.
    Broken(UserMessage),
}

/// Tests the connection of a browser: the manifest, the program named in the manifest, and an exchange of messages with
/// this program.
///
/// Returns whether an engine runs.
pub async fn examine(browser: &BrowserPlace, folders: &UserFolders) -> Result<bool, ManifestFault> {
    let (manifest, program) = match install::state(browser, folders) {
        ManifestState::NoBrowser => return Err(ManifestFault::NoBrowser),
        ManifestState::NotConnected => return Err(ManifestFault::NotConnected),
        ManifestState::Foreign { manifest } => {
            return Err(ManifestFault::Broken(message!("browser-manifest.foreign", path = &manifest)));
        }
        ManifestState::Connected { manifest, program } => (manifest, program),
    };
    if !is_executable(&program) {
        return Err(ManifestFault::Broken(message!("browser-manifest.program", path = &program)));
    }
    let silent = |why: &io::Error| ManifestFault::Broken(message!("browser-manifest.silent", path = &program, why = why));
    let exchanged = timeout(PATIENCE, greet(&program, arguments(browser.family, &manifest))).await;
    let answer = exchanged.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())).map_err(|error| silent(&error))?;
    match (&answer["type"], answer["is_running"].as_bool()) {
        (kind, Some(is_running)) if kind == "greeting" => Ok(is_running),
        _ => Err(silent(&io::ErrorKind::InvalidData.into())),
    }
}

fn is_executable(program: &Path) -> bool {
    program.is_absolute() && program.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Returns the arguments that a browser passes when it starts the host. [pure]
fn arguments(family: BrowserFamily, manifest: &Path) -> Vec<OsString> {
    match family {
        BrowserFamily::Chromium => vec![caller::origin(ids()).into()],
        BrowserFamily::Gecko => vec![PathBuf::from(manifest).into(), (&ids().gecko).into()],
    }
}

/// Starts the host, sends a greeting, and returns its answer.
async fn greet(program: &Path, arguments: Vec<OsString>) -> io::Result<Value> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let (Some(mut stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let greeting = json!({ "type": "greet", "version": VERSION, "extension": env!("CARGO_PKG_VERSION") });
    stdin.write_all(&framing::frame(&greeting).map_err(io::Error::other)?).await?;
    let mut frames = FrameBuffer::default();
    let mut piece = [0; 4096];
    loop {
        let count = stdout.read(&mut piece).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        frames.push(&piece[..count]);
        if let Some(text) = frames.next().map_err(io::Error::other)? {
            drop(stdin);
            child.wait().await?;
            return Ok(serde_json::from_slice(&text)?);
        }
    }
}
