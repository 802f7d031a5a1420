//! User messages as data: a code, a variant and arguments. Every sentence is defined once, in the Fluent files of
//! `locales/`.
//!
//! - The program that detects a failure creates a [`UserMessage`] with [`message!`]. The message is sent to other
//!   programs as data.
//! - The program that shows the message renders it in the language of the user: the window, the desktop program, the
//!   command line.
//! - A text that a program shows itself, such as a button or a line of output, is rendered immediately with [`text!`].
//! - A message also contains its English text, for logs, for scripts, and for a program whose catalogue is older.

mod catalogue;
mod format;
mod language;
mod localized;
mod message;
mod number_format;

pub use catalogue::{Catalogue, CatalogueValue, LANGUAGE_TAGS, sentences};
pub use language::{current, set_language, set_terminal_language};
pub use localized::localized_text;
pub use message::{MessageArgument, UserMessage};
