//! Messages to people, as data: a code, a variant and arguments. Every sentence stands once, in the Fluent files of `locales/`.
//!
//! - The program that detects a failure makes a [`UserMessage`] with [`message!`]. The message crosses borders as data.
//! - The program that shows it renders it in the language of the person: the window, the desktop program, the command line.
//! - A message carries its English text as well, for logs, for scripts, and for a reader whose catalogue is older.

mod catalogue;
mod format;
mod language;
mod message;
mod number_format;

pub use catalogue::{Catalogue, CatalogueValue, LANGUAGE_TAGS, sentences};
pub use language::{current, say, set_language};
pub use message::{MessageArgument, UserMessage};
