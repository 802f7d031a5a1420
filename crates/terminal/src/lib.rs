//! Output of command-line programs, and their output options. Used by `ashore` and `ashore-sync-server`.
//!
//! - Results go to stdout. Messages for users go to stderr. JSON is one object per line.
//! - If stdout no longer has a reader, the caller gets an error. The program never panics.
//! - Text from a server or a client passes through [`clean`] before it reaches the terminal.
//! - Messages on a terminal are broken between words, because the terminal itself would also break them inside words.

mod lines;

use std::{
    fmt::Display,
    io::{self, Write},
};

use clap::{ArgAction, Args};
use serde::Serialize;

pub use lines::{clipped, hanging, packed, wrapped};

/// Output options of every subcommand.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct OutputOptions {
    /// Print JSON on stdout, one object per line
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Log to stderr; repeat for more. RUST_LOG takes precedence
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,
}

/// Destination of results and messages, as chosen by the options.
#[derive(Clone, Copy, Debug)]
pub struct TerminalOutput {
    /// Name of the program, as a prefix of error messages.
    pub program: &'static str,
    /// Whether results are printed as JSON.
    pub json: bool,
    /// Whether only errors are printed.
    pub quiet: bool,
    /// Whether progress bars are drawn on stderr.
    pub draws: bool,
}

impl TerminalOutput {
    /// Returns the output of `program`, without progress bars.
    pub fn new(program: &'static str, options: OutputOptions) -> Self {
        Self { program, json: options.json, quiet: options.quiet, draws: false }
    }

    /// Returns an output that prints only errors, for work after the result was printed.
    #[must_use]
    pub fn silent(self) -> Self {
        Self { json: false, quiet: true, draws: false, ..self }
    }

    /// Prints a line of results. Fails if stdout cannot be written or no longer has a reader.
    pub fn line(self, text: impl Display) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{text}")?;
        stdout.flush()
    }

    /// Prints lines of results. Fails in the same cases as [`TerminalOutput::line`].
    pub fn lines(self, lines: impl IntoIterator<Item: Display>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.line(line))
    }

    /// Prints a line of results for people. On a terminal, breaks it between words, and indents its other lines by
    /// `indent` columns. Fails in the same cases as [`TerminalOutput::line`].
    pub fn text(self, text: impl Display, indent: usize) -> io::Result<()> {
        match stdout_columns() {
            Some(columns) => self.line(hanging(&text.to_string(), indent, columns)),
            None => self.line(text),
        }
    }

    /// Prints a result as JSON. Fails in the same cases as [`TerminalOutput::line`].
    pub fn object(self, value: &impl Serialize) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer(&mut stdout, value)?;
        stdout.write_all(b"\n")?;
        stdout.flush()
    }

    /// Prints a part of a result without a line break. Fails in the same cases as [`TerminalOutput::line`].
    pub fn part(self, text: &str) -> io::Result<()> {
        io::stdout().lock().write_all(text.as_bytes())
    }

    /// Prints a message for users, unless `--quiet` is set.
    pub fn print_line(self, text: impl Display) {
        if !self.quiet {
            self.complain(text);
        }
    }

    /// Prints a message for users, even if `--quiet` is set.
    pub fn complain(self, text: impl Display) {
        let text = match stderr_columns() {
            Some(columns) => wrapped(&text.to_string(), columns),
            None => text.to_string(),
        };
        // Ignore the failure: without a reader of stderr, there is nowhere to report it.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Prints why a subcommand failed: `text` for users. With `--json`, also prints `code` and `text` as JSON.
    pub fn error(self, code: &str, text: &str) {
        self.complain(format_args!("{}: {}", self.program, clean(text)));
        if self.json {
            let _ = self.object(&serde_json::json!({ "error": { "code": code, "text": text } }));
        }
    }
}

/// Returns the width of the terminal that stdout is, in columns; `None` if stdout is not a terminal.
pub fn stdout_columns() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(columns, _)| usize::from(columns.0))
}

/// Returns the width of the terminal that stderr is, in columns; `None` if stderr is not a terminal.
pub fn stderr_columns() -> Option<usize> {
    terminal_size::terminal_size_of(io::stderr()).map(|(columns, _)| usize::from(columns.0))
}

/// Returns `text` without characters that a terminal interprets.
///
/// Replaces control characters, and characters that change the text direction.
pub fn clean(text: &str) -> String {
    let is_shown = |letter: char| {
        let is_turning = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        !letter.is_control() && !is_turning
    };
    text.chars().map(|letter| if is_shown(letter) { letter } else { '\u{fffd}' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_are_replaced_for_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\r\n\u{202e}gpj.exe"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}\u{fffd}gpj.exe");
        assert_eq!(clean("größe 漢字 (1).pdf"), "größe 漢字 (1).pdf");
    }
}
