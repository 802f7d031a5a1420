//! Shortens and cleans the text of messages and of other programs, for the tray and for notifications.

pub(crate) mod first_sentence;
pub(crate) mod plain_text;
