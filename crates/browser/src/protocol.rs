//! Messages between the extension and this host. [pure]
//!
//! `host` reads and writes them. The types of the extension are generated from these types.
//!
//! - Every message is a JSON object with a `type`. Unknown fields are ignored on both sides.
//! - The extension treats every answer except `taken` and `already` as a decline, so that the browser keeps its download.

use std::collections::BTreeMap;

use ashore_engine::UniqueId;
use ashore_messages::{MessageArgument, UserMessage};
use serde::{Deserialize, Deserializer, Serialize};
use ts_rs::TS;

use crate::rules::{BrowserRules, RuleChange};

/// Version of the messages. New messages and fields do not change it.
pub(crate) const VERSION: u32 = 1;
/// Oldest version of an extension that this host understands.
pub(crate) const OLDEST: u32 = 1;
/// Maximum length of the id of an `ask` message, in bytes.
pub(crate) const LONGEST_ASK: usize = 200;
/// Maximum length of an address in bytes.
pub(crate) const LONGEST_ADDRESS: usize = 64 << 10;
/// Maximum number of links in an offer.
pub(crate) const MOST_LINKS: usize = 20_000;

/// Message from the extension.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) enum ExtensionMessage {
    /// Requests a `greeting`. Does not start Ashore.
    Greet {
        /// Version of the messages that the extension uses.
        version: u32,
        /// Version of the extension.
        #[serde(default)]
        extension: String,
    },
    /// Asks Ashore to take over a download. The answer is `taken`, `already` or `declined`.
    Ask {
        /// Version of the messages that the extension uses.
        version: u32,
        /// Browser instance and download, as `UUID/NUMBER`; at most 200 bytes.
        ask: String,
        /// Download of the browser.
        download: Box<BrowserDownload>,
        /// Rules by which the extension decided to send this message. Null if the extension has changes that Ashore
        /// does not know, or never received the rules of Ashore. If the rules of Ashore differ, the answer is `rules`.
        #[serde(default)]
        rules: Option<Box<BrowserRules>>,
    },
    /// Changes rules of Ashore and requests the resulting rules. The answer is `rules`, or `failed` if Ashore does not
    /// run. Does not start Ashore.
    Rules {
        /// Version of the messages that the extension uses.
        version: u32,
        /// Rule changes that a person made in the extension.
        #[serde(default)]
        change: Box<RuleChange>,
    },
    /// Reports that the browser has finished the file itself. The answer is `released`.
    LetGo {
        /// Version of the messages that the extension uses.
        version: u32,
        /// Id of the earlier `ask` message.
        ask: String,
    },
    /// Opens the Add dialog with these links. The answer is `offered` or `declined`. Nothing is downloaded before a person
    /// confirms the dialog.
    Offer {
        /// Version of the messages that the extension uses.
        version: u32,
        /// Links on a page; at most 20,000.
        links: Vec<PageLink>,
    },
    /// Requests `downloads` messages until the port closes. Does not start Ashore.
    Follow {
        /// Version of the messages that the extension uses.
        version: u32,
    },
    /// Message of an unknown type, from a newer extension.
    #[serde(other)]
    #[ts(skip)]
    Unknown,
}

/// Download as the browser knows it. A field is null if the browser does not know its value.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
#[serde(default)]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) struct BrowserDownload {
    /// Address that sent the file.
    pub url: String,
    /// Address before any redirect.
    pub first_url: Option<String>,
    /// Name of the file, without folders.
    pub name: Option<String>,
    /// Value of `Content-Type`.
    pub content_type: Option<String>,
    /// Size of the file in bytes. A negative or impossible number counts as null.
    #[serde(deserialize_with = "size_if_possible")]
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Value of `ETag`.
    pub etag: Option<String>,
    /// Value of `Last-Modified`.
    pub last_modified: Option<String>,
    /// Value of `Content-Encoding`.
    pub content_encoding: Option<String>,
    /// Value of `Referer`.
    pub referrer: Option<String>,
    /// Value of `User-Agent`.
    pub user_agent: Option<String>,
    /// Value of `Cookie`, as `a=b; c=d`.
    pub cookies: Option<String>,
    /// Title of the page that contains the link.
    pub title: Option<String>,
    /// Address of the page that contains the link.
    pub page: Option<String>,
    /// Whether a person chose the link in a menu of the extension. If true, every address is allowed, and the responses
    /// are not compared.
    pub was_clicked: bool,
}

/// Link on a page.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
#[serde(default)]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) struct PageLink {
    /// Address.
    pub url: String,
    /// Text of the link on the page.
    pub text: String,
}

/// Message to the extension.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) enum HostMessage {
    /// Answer to `greet`.
    Greeting {
        /// Version of the messages that this host uses.
        version: u32,
        /// Version of Ashore.
        program: &'static str,
        /// Whether Ashore runs.
        is_running: bool,
    },
    /// The registration is committed, so the browser can drop its download.
    Taken {
        /// Id of the `ask` message.
        ask: String,
        /// Id of the registration.
        #[ts(type = "string")]
        unique_id: UniqueId,
    },
    /// An earlier message with the same id registered the file.
    Already {
        /// Id of the `ask` message.
        ask: String,
        /// Id of the registration.
        #[ts(type = "string")]
        unique_id: UniqueId,
    },
    /// Ashore does not take over the file, so the browser keeps its download.
    Declined {
        /// Id of the `ask` message; null for an offer.
        ask: Option<String>,
        /// Identifier of the reason.
        code: String,
        /// Values for the placeholders of the sentence.
        #[ts(type = "Record<string, unknown>")]
        args: BTreeMap<String, MessageArgument>,
        /// Sentence in the language of the desktop.
        text: String,
    },
    /// Rules of Ashore.
    Rules {
        /// Id of an `ask` message that was refused because the rules of the extension differ from those of Ashore. Null
        /// in the answer to `rules`.
        ask: Option<String>,
        /// Rules.
        rules: BrowserRules,
    },
    /// Ashore no longer has a download for this `ask` message.
    Released {
        /// Id of the `ask` message.
        ask: String,
    },
    /// The Add dialog opens.
    Offered,
    /// Downloads of the browser: first the active ones, then the most recently ended ones.
    Downloads {
        /// Whether Ashore runs.
        is_running: bool,
        /// At most 20 downloads.
        downloads: Vec<DownloadLine>,
    },
    /// The message was not understood.
    Failed {
        /// Identifier of the reason.
        code: String,
        /// Sentence in the language of the desktop.
        text: String,
    },
}

/// Download in a `downloads` message.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) struct DownloadLine {
    /// Id of the registration.
    #[ts(type = "string")]
    pub unique_id: UniqueId,
    /// Title, at most 200 characters.
    pub title: String,
    /// Current state.
    pub state: LineState,
    /// Bytes received.
    #[ts(type = "number")]
    pub downloaded: u64,
    /// Size in bytes; 0 if it is not known.
    #[ts(type = "number")]
    pub expected_total: u64,
    /// Bytes a second.
    #[ts(type = "number")]
    pub speed: u64,
    /// Reason why the download waits or failed, in the language of the desktop.
    pub trouble: Option<String>,
}

/// State of a download in a `downloads` message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) enum LineState {
    /// A transfer is running.
    Running,
    /// The download waits and continues automatically.
    Waiting,
    /// The download waits until a person resumes it.
    Paused,
    /// The file is complete.
    Complete,
    /// The download failed or was cancelled.
    Failed,
}

impl HostMessage {
    /// Returns the answer to an `ask` message that Ashore declines.
    pub(crate) fn declined(ask: Option<String>, why: &UserMessage) -> Self {
        Self::Declined { ask, code: why.code.clone(), args: why.args.clone(), text: why.localized() }
    }

    /// Returns the answer to a message that was not understood.
    pub(crate) fn failed(code: &str, why: &UserMessage) -> Self {
        Self::Failed { code: code.to_owned(), text: why.localized() }
    }
}

fn size_if_possible<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(Option::<serde_json::Number>::deserialize(deserializer)?.and_then(|number| number.as_u64()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: serde_json::Value) -> Result<ExtensionMessage, serde_json::Error> {
        serde_json::from_value(value)
    }

    #[test]
    fn unknown_type_is_distinguished_from_missing_fields() {
        assert_eq!(read(json!({ "type": "later", "version": 1 })).unwrap(), ExtensionMessage::Unknown);
        assert!(read(json!({ "type": "ask", "version": 1 })).is_err());
        assert!(read(json!({ "version": 1 })).is_err());
        assert!(read(json!([])).is_err());
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let message = json!({ "type": "let_go", "version": 1, "ask": "a/1", "later": {} });
        assert_eq!(read(message).unwrap(), ExtensionMessage::LetGo { version: 1, ask: "a/1".to_owned() });
    }

    #[test]
    fn impossible_size_of_download_counts_as_unknown() {
        for (size, expected) in [
            (json!(-1), None),
            (json!(1.5), None),
            (json!(1e300), None),
            (json!(null), None),
            (json!(0), Some(0)),
            (json!(9_223_372_036_854_775_808_u64), Some(1 << 63)),
        ] {
            let download: BrowserDownload = serde_json::from_value(json!({ "url": "https://a.example/", "size": size })).unwrap();
            assert_eq!(download.size, expected, "{size}");
        }
        assert!(serde_json::from_value::<BrowserDownload>(json!({ "size": "large" })).is_err());
    }

    #[test]
    fn declined_message_contains_reason_as_code_and_values_and_sentence() {
        let why = ashore_messages::message!("bad-status.status", status = 418_u16);
        let sent = serde_json::to_value(HostMessage::declined(Some("a/1".to_owned()), &why)).unwrap();
        let expected = json!({
            "type": "declined", "ask": "a/1", "code": "bad-status", "args": { "status": "418" }, "text": why.localized()
        });
        assert_eq!(sent, expected);
    }
}
