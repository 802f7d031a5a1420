//! Converts pasted text to links: lists, commands, URL patterns and Metalink. [pure]

mod command;
mod curl;
pub(crate) mod error;
mod fetch_call;
mod link;
mod metalink;
mod powershell;
pub(crate) mod request_parts;
mod shell_words;
pub(crate) mod text;
mod url_pattern;
mod wget;
