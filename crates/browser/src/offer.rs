//! Opens the Add dialog of the app with the links of a page. Called by `host`.
//!
//! The links go to the standard input of `ashore-desktop --offer -`. This process passes the links to the running app
//! and ends. If no app runs, the process becomes the app. Nothing is downloaded before a person confirms the dialog.

use std::{io, process::Stdio, time::Duration};

use ashore_engine::UserMessage;
use ashore_messages::message;
use serde::Serialize;
use tokio::{
    io::AsyncWriteExt,
    process::Command,
    time::{Instant, timeout_at},
};

use crate::{
    hand_off::EngineAccess,
    protocol::{MOST_LINKS, PageLink},
    wake,
};

/// Maximum time to pass the links to a running app. A process that runs longer is the app itself.
const PATIENCE: Duration = Duration::from_secs(4);

/// Line of the input of `ashore-desktop --offer -`.
#[derive(Serialize)]
struct OfferedLine<'a> {
    url: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
}

/// Opens the Add dialog with `links`. Fails with the reason why it does not open.
pub(crate) async fn offer(access: &EngineAccess, links: &[PageLink]) -> Result<(), UserMessage> {
    let input = lines(links)?;
    // First start the app in its own systemd unit, so that the app does not depend on the browser.
    wake::reach(&access.data_dir, &access.starter, wake::PATIENCE).await?;
    hand_over(access.starter.command(&["--offer", "-"]), &input, PATIENCE).await
}

/// Starts `command` with `input`, and waits at most `patience` for its end.
///
/// Fails if the process cannot be started, if the input does not fit into its pipe in time, or if the process ends with
/// a failure.
async fn hand_over(mut command: Command, input: &[u8], patience: Duration) -> Result<(), UserMessage> {
    let absent = |error: &io::Error| message!("browser-ashore-absent", why = error);
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(|error| absent(&error))?;
    if let Some(mut stdin) = child.stdin.take() {
        match timeout_at(begun + patience, stdin.write_all(input)).await {
            Ok(written) => written.map_err(|error| absent(&error))?,
            Err(_) => {
                // Kill the process before its input ends. Otherwise, the process would offer only a part of the links.
                let _ = child.start_kill();
                return Err(message!("browser-ashore-silent"));
            }
        }
    }
    match timeout_at(begun + patience, child.wait()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(message!("browser-ashore-absent.ended", status = status.to_string())),
        Ok(Err(error)) => Err(absent(&error)),
        // The process has received all links, and runs as the app.
        Err(_) => Ok(()),
    }
}

/// Returns the links as JSON lines. Fails if there are none, or too many. [pure]
fn lines(links: &[PageLink]) -> Result<Vec<u8>, UserMessage> {
    if links.is_empty() {
        return Err(message!("empty"));
    }
    if links.len() > MOST_LINKS {
        return Err(message!("browser-message.links", most = MOST_LINKS));
    }
    let mut lines = Vec::new();
    for PageLink { url, text } in links {
        // Serialization cannot fail, because both values are texts.
        lines.extend(serde_json::to_vec(&OfferedLine { url, text }).unwrap_or_default());
        lines.push(b'\n');
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_offered_link_becomes_one_line_of_json() {
        let link = |url: &str, text: &str| PageLink { url: url.to_owned(), text: text.to_owned() };
        let made = lines(&[link("https://a.example/1", "one\ntwo"), link("https://a.example/2", "")]).unwrap();
        let expected = "{\"url\":\"https://a.example/1\",\"text\":\"one\\ntwo\"}\n{\"url\":\"https://a.example/2\"}\n";
        assert_eq!(String::from_utf8(made).unwrap(), expected);
    }

    /// Passes more bytes to a shell script than fit into a pipe.
    async fn handed_over(script: &str, patience: Duration) -> Result<(), UserMessage> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdout(Stdio::null()).kill_on_drop(true);
        hand_over(command, &vec![b'x'; 3 << 20], patience).await
    }

    #[tokio::test]
    async fn app_that_does_not_read_offered_links_is_reported_as_silent() {
        let why = handed_over("exec sleep 600", Duration::from_millis(200)).await.unwrap_err();
        assert_eq!(why.code, "browser-ashore-silent");
        let why = handed_over("exit 3", Duration::from_secs(60)).await.unwrap_err();
        assert_eq!(why.code, "browser-ashore-absent");
    }

    #[tokio::test]
    async fn links_count_as_handed_over_if_app_reads_all_and_keeps_running() {
        handed_over("wc -c | grep -q 3145728 && exec sleep 600", Duration::from_secs(3)).await.unwrap();
        let why = handed_over("cat > /dev/null; exit 3", Duration::from_secs(60)).await.unwrap_err();
        assert_eq!((why.code.as_str(), why.variant.as_deref()), ("browser-ashore-absent", Some("ended")));
    }

    #[test]
    fn offer_without_links_or_with_too_many_is_declined() {
        assert_eq!(lines(&[]).unwrap_err().code, "empty");
        assert!(lines(&vec![PageLink::default(); MOST_LINKS]).is_ok());
        assert_eq!(lines(&vec![PageLink::default(); MOST_LINKS + 1]).unwrap_err().code, "browser-message");
    }
}
