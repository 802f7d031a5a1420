//! `ashore healthy`: checks that Ashore is running and ready. Containers and scripts call it.

use std::{io, path::Path, time::Duration};

use ashore_engine::{MessageArgument, ProgressTotals};
use ashore_messages::message;
use ashore_remote::{RemoteOptions, ask_readiness};
use ashore_rpc::{MethodCall, SocketClient};
use ashore_terminal::TerminalOutput;
use serde_json::json;
use tokio::time::timeout;

use crate::output::{
    problem::{CliProblem, ExitStatus},
    words::words,
};

/// Maximum time for the answer to a call.
const PATIENCE: Duration = Duration::from_secs(10);

/// Checks the engine at the socket of `data_dir`, or the server for other devices at `url`. Never opens an engine itself.
///
/// Fails with a usage problem if `url` does not begin with `http://`.
pub async fn healthy(data_dir: &Path, url: Option<&str>, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let (place, answered) = match url {
        Some(text) => {
            let url = RemoteOptions::parse_url(text).filter(|url| url.scheme() == "http");
            let url = url.ok_or_else(|| CliProblem::Usage(message!("remote-listen.plain", url = text)))?;
            (text.to_owned(), ask_readiness(&url).await.map_err(|error| MessageArgument::from(&error)))
        }
        None => (data_dir.display().to_string(), ask_socket(data_dir).await),
    };
    if out.json {
        out.object(&json!({ "healthy": answered.is_ok() }))?;
    }
    match answered {
        Ok(()) => {
            if !out.json {
                out.print_line(words!("cli-healthy"));
            }
            Ok(ExitStatus::Done)
        }
        Err(why) => {
            out.complain(words!("cli-healthy.not", place = place, why = why));
            Ok(ExitStatus::Failed)
        }
    }
}

/// Makes a call on the socket of `data_dir`. Fails with the reason why the call was not answered.
async fn ask_socket(data_dir: &Path) -> Result<(), MessageArgument> {
    let client = SocketClient::connect(data_dir).await.map_err(|error| MessageArgument::from(&error))?;
    let slow = |_| MessageArgument::from(&io::Error::from(io::ErrorKind::TimedOut));
    let answered = timeout(PATIENCE, client.call::<ProgressTotals>(&MethodCall::Totals)).await.map_err(slow)?;
    answered.map(drop).map_err(|failure| MessageArgument::from(failure.message()))
}
