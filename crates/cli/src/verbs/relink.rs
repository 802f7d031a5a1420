//! `ashore relink`: replaces the link of a file that is not complete. The bytes that the file already has are kept.

use std::{path::Path, slice};

use ashore_engine::UniqueId;
use ashore_messages::message;
use ashore_rpc::{MethodCall, PeerStream};
use ashore_terminal::TerminalOutput;
use serde_json::json;

use crate::{
    arguments::RelinkArguments,
    output::{
        problem::{CliProblem, ExitStatus},
        text::{self, ShownState},
        words::words,
    },
    verbs::{
        short::{each, say_why_idle},
        show::each_record,
    },
};

/// Runs `ashore relink`.
pub async fn relink(data_dir: &Path, wanted: &RelinkArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let idle = each(data_dir, "ashore relink", slice::from_ref(&wanted.id), async |connection, unique_id| {
        let index = match wanted.file {
            Some(index) => index,
            None => only_unfinished(connection, unique_id).await?,
        };
        let url = wanted.url.clone();
        connection.call::<()>(MethodCall::Relink { unique_id, index, url, headers: None }).await?;
        if out.json {
            out.object(&json!({ "unique_id": unique_id, "index": index }))?;
        } else {
            out.print_line(words!("cli-relinked"));
        }
        Ok(())
    })
    .await?;
    say_why_idle(idle, out);
    Ok(ExitStatus::Done)
}

/// Returns the index of the only file that is not complete. Returns 0 if all files are complete, so that the engine
/// refuses the call.
///
/// Fails with a usage problem if several files are not complete.
async fn only_unfinished(connection: &PeerStream, unique_id: UniqueId) -> Result<u32, CliProblem> {
    let mut unfinished = Vec::new();
    each_record(connection, unique_id, async |record| {
        if text::record_state(record) != ShownState::Done {
            unfinished.push(record.index);
        }
        Ok(())
    })
    .await?;
    match unfinished.as_slice() {
        [] => Ok(0),
        [index] => Ok(*index),
        several => Err(CliProblem::Usage(message!("relink", count = several.len()))),
    }
}
