//! Hands a file or a folder to the program that the desktop has for it, which goes on by itself.

use std::{io, path::Path, process::Stdio, time::Duration};

use tokio::{process::Command, time::timeout};

/// Who has not failed after this has taken it.
const PATIENCE: Duration = Duration::from_millis(250);

/// Gives `path` to the first of the desktop's openers that is there and does not fail at once.
///
/// The library's own way to start them waits in place, and lets a thread with a stack of 64 KiB wait on: too small a one for
/// ours, which now and then ended all of Ashore.
pub async fn open(path: &Path) -> io::Result<()> {
    let mut failed = None;
    let mut missing = io::ErrorKind::NotFound.into();
    for command in open::commands(path) {
        let mut command = Command::from(command);
        // In a group of its own: what a terminal says to Ashore is not meant for it.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        match command.spawn() {
            Ok(mut opener) => match timeout(PATIENCE, opener.wait()).await {
                Ok(Ok(ended)) if !ended.success() => {
                    let name = command.as_std().get_program().to_string_lossy().into_owned();
                    failed.get_or_insert_with(|| io::Error::other(format!("{name} ended with {ended}")));
                }
                Ok(_) | Err(_) => return Ok(()),
            },
            Err(error) => missing = error,
        }
    }
    // That others are missing says less than why one that is there did not do it.
    Err(failed.unwrap_or(missing))
}
