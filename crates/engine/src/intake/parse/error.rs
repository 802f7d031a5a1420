//! Errors that several parsers report. [pure]

use ashore_messages::{UserMessage, message};

pub(crate) fn too_many() -> UserMessage {
    message!("too-many")
}

pub(crate) fn not_a_link() -> UserMessage {
    message!("not-a-link")
}
