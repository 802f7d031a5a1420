//! `ashore open`: opens a downloaded file, or the folder of a download, with the default program of the desktop.

use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use ashore_engine::{Registration, path_text};
use ashore_messages::{MessageArgument, message};
use ashore_rpc::{CallFailure, MethodCall};
use ashore_terminal::TerminalOutput;
use serde_json::json;
use tokio::{process::Command, time::timeout};

use crate::{
    arguments::OpenArguments,
    output::problem::{CliProblem, ExitStatus},
    verbs::short::{resolve, with},
};

/// Time after which the opener counts as successful if it has not failed. Some openers run until the file is closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs `ashore open`.
///
/// If the download has several files, opens its folder.
pub async fn open(data_dir: &Path, wanted: &OpenArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let (unique_id, path) = with(data_dir, "ashore open", async |connection| {
        let unique_id = resolve(connection, &wanted.id).await?;
        let found: Registration = connection.call(MethodCall::Show { unique_id }).await?;
        let path: PathBuf = match wanted.folder || found.requests > 1 {
            true => found.folder,
            false => connection.call(MethodCall::File { unique_id, index: 0 }).await?,
        };
        Ok((unique_id, path))
    })
    .await?;
    if let Err(error) = open_with_desktop(&path).await {
        return Err(CallFailure::Refused(message!("not-opened", path = &path, why = &error)).into());
    }
    match out.json {
        true => out.object(&json!({ "unique_id": unique_id, "path": path_text::to_text(&path) }))?,
        false => out.line(ashore_terminal::clean(&path.display().to_string()))?,
    }
    Ok(ExitStatus::Done)
}

/// Runs the openers of the desktop one after the other, until one succeeds. An opener may run longer than this program.
async fn open_with_desktop(path: &Path) -> io::Result<()> {
    let mut failed = io::Error::other(message!("fault-opener.missing"));
    for command in open::commands(path) {
        let mut command = Command::from(command);
        // Use a separate process group, so that Ctrl-C in this terminal does not end the opened program.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        // Try the next opener if this one is not installed.
        let Ok(mut opener) = command.spawn() else { continue };
        match timeout(PATIENCE, opener.wait()).await {
            Ok(Ok(ended)) if !ended.success() => {
                let name = command.as_std().get_program().to_string_lossy().into_owned();
                failed = io::Error::other(message!("fault-opener.failed", name = name, value = MessageArgument::display(ended)));
            }
            Ok(_) | Err(_) => return Ok(()),
        }
    }
    Err(failed)
}
