//! Errors of the parser: unreadable text, with the reason. [pure]

use crate::model::UserMessage;

pub(crate) fn trouble(code: &str, text: &str) -> UserMessage {
    UserMessage { code: code.to_owned(), text: text.to_owned() }
}

pub(crate) fn too_many() -> UserMessage {
    trouble("too-many", "These are more than 100,000 links. Add the rest as a list: ashore add -i FILE.")
}

pub(crate) fn not_a_link() -> UserMessage {
    trouble("not-a-link", "Not a link. A link begins with https:// or http://.")
}
