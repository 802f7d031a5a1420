//! Messages to people, as data: a code, a variant and arguments. Every sentence stands once, in the Fluent files of `locales/`.
//!
//! - The program that detects a failure makes a [`UserMessage`] with [`message!`]. The message crosses borders as data.
//! - The program that shows it renders it in the language of the person: the window, the desktop program, the command line.
//! - A text that does not cross a border, such as a button or a line of output, is rendered at once with [`text!`].
//! - A message carries its English text as well, for logs, for scripts, and for a reader whose catalogue is older.

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
