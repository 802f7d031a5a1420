//! Opens the Add dialog of the app with the links of a page. Called by `host`.
//!
//! The links go to the standard input of `ashore-desktop --offer -`. This process passes the links to the running app
//! and ends. If no app runs, the process becomes the app. Nothing is downloaded before a person confirms the dialog.

use std::{process::Stdio, time::Duration};

use ashore_engine::UserMessage;
use ashore_messages::message;
use serde::Serialize;
use tokio::{io::AsyncWriteExt, time::timeout};

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
    let absent = |error: &std::io::Error| message!("browser-ashore-absent", why = error);
    let mut command = access.starter.command(&["--offer", "-"]);
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(|error| absent(&error))?;
    let input_of_child = child.stdin.take();
    let handing_over = async {
        if let Some(mut stdin) = input_of_child {
            stdin.write_all(&input).await?;
            drop(stdin);
        }
        child.wait().await
    };
    match timeout(PATIENCE, handing_over).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(message!("browser-ashore-absent.ended", status = status.to_string())),
        Ok(Err(error)) => Err(absent(&error)),
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
    fn links_become_one_line_each() {
        let link = |url: &str, text: &str| PageLink { url: url.to_owned(), text: text.to_owned() };
        let made = lines(&[link("https://a.example/1", "one\ntwo"), link("https://a.example/2", "")]).unwrap();
        let expected = "{\"url\":\"https://a.example/1\",\"text\":\"one\\ntwo\"}\n{\"url\":\"https://a.example/2\"}\n";
        assert_eq!(String::from_utf8(made).unwrap(), expected);
    }

    #[test]
    fn offer_without_links_or_with_too_many_is_declined() {
        assert_eq!(lines(&[]).unwrap_err().code, "empty");
        assert!(lines(&vec![PageLink::default(); MOST_LINKS]).is_ok());
        assert_eq!(lines(&vec![PageLink::default(); MOST_LINKS + 1]).unwrap_err().code, "browser-message");
    }
}
