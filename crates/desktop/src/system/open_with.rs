//! Opens a file, a folder or a web address with the desktop's default program, which keeps running independently of Ashore.

use std::{ffi::OsStr, io, process::Stdio, time::Duration};

use ashore_messages::{MessageArgument, message};
use tokio::{process::Command, time::timeout};

/// Time after which the opener counts as successful if it has not failed.
const PATIENCE: Duration = Duration::from_millis(250);

/// Opens `target`, a path or an address, with the first opener of the desktop that exists and does not fail
/// immediately.
///
/// Do not use the function of the `open` crate for this: it blocks, and its waiting thread has a stack of 64 KiB, which
/// is too small for this program. Ashore crashed occasionally because of this.
pub async fn open(target: impl AsRef<OsStr>) -> io::Result<()> {
    let mut failed = None;
    let mut missing = io::ErrorKind::NotFound.into();
    for command in open::commands(target) {
        let mut command = Command::from(command);
        // Use a separate process group, so that terminal signals to Ashore do not reach the opener.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        match command.spawn() {
            Ok(mut opener) => match timeout(PATIENCE, opener.wait()).await {
                Ok(Ok(ended)) if !ended.success() => {
                    let name = command.as_std().get_program().to_string_lossy().into_owned();
                    failed.get_or_insert_with(|| {
                        io::Error::other(message!("fault-opener.failed", name = name, value = MessageArgument::display(ended)))
                    });
                }
                Ok(_) | Err(_) => return Ok(()),
            },
            Err(error) => missing = error,
        }
    }
    // If an opener failed, report its failure, even if other openers are missing.
    Err(failed.unwrap_or(missing))
}
