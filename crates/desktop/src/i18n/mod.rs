//! Text of messages and of other programs, shortened and cleaned for tray and notifications.

pub(crate) mod first_sentence;
pub(crate) mod plain_text;
