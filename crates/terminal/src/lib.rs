//! Output of command-line programs, and the options that choose it. `ashore` and `ashore-sync-server` use it.
//!
//! - Results go to stdout, and sentences for people to stderr. JSON is one object a line.
//! - A reader of stdout that has gone away is an error for the caller, never a panic.
//! - No text of a server or a client reaches the terminal without [`clean`].

use std::{
    fmt::Display,
    io::{self, Write},
};

use clap::{ArgAction, Args};
use serde::Serialize;

/// Options of every verb that choose its output.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct OutputOptions {
    /// JSON on stdout, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Log to stderr; twice for more. RUST_LOG has the last word
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,
}

/// Destination of results and sentences, as the options chose it.
#[derive(Clone, Copy, Debug)]
pub struct TerminalOutput {
    /// Name of the program, which begins each error.
    pub program: &'static str,
    /// Whether programs read stdout.
    pub json: bool,
    /// Whether people want to read errors only.
    pub quiet: bool,
    /// Whether a progress bar may be drawn on stderr.
    pub draws: bool,
}

impl TerminalOutput {
    /// The destination for `program` without a progress bar.
    pub fn new(program: &'static str, options: OutputOptions) -> Self {
        Self { program, json: options.json, quiet: options.quiet, draws: false }
    }

    /// A destination for work whose result was printed already: only errors are printed.
    #[must_use]
    pub fn silent(self) -> Self {
        Self { json: false, quiet: true, draws: false, ..self }
    }

    /// Prints a line of results. Fails where stdout cannot be written, or nobody reads it any more.
    pub fn line(self, text: impl Display) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{text}")?;
        stdout.flush()
    }

    /// Prints a result for programs. Fails as [`Out::line`] does.
    pub fn object(self, value: &impl Serialize) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer(&mut stdout, value)?;
        stdout.write_all(b"\n")?;
        stdout.flush()
    }

    /// Prints a part of a result; the caller ends the line. Fails as [`Out::line`] does.
    pub fn part(self, text: &str) -> io::Result<()> {
        io::stdout().lock().write_all(text.as_bytes())
    }

    /// Prints a sentence for people beside the result, unless they asked for quiet.
    pub fn print_line(self, text: impl Display) {
        if !self.quiet {
            self.complain(text);
        }
    }

    /// Prints a sentence for people, even where they asked for quiet.
    pub fn complain(self, text: impl Display) {
        // Where stderr has no reader, no other place is left to report that.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Prints why a verb failed: the sentence `text` for people, and with `--json` also `code` and `text` for programs.
    pub fn error(self, code: &str, text: &str) {
        self.complain(format_args!("{}: {}", self.program, clean(text)));
        if self.json {
            let _ = self.object(&serde_json::json!({ "error": { "code": code, "text": text } }));
        }
    }
}

/// `text` without control characters, which a terminal would obey, and without characters that turn the direction of the text
/// behind them.
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
    fn clean_replaces_all_that_a_terminal_obeys() {
        assert_eq!(clean("a\u{1b}[2Jb\r\n\u{202e}gpj.exe"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}\u{fffd}gpj.exe");
        assert_eq!(clean("größe 漢字 (1).pdf"), "größe 漢字 (1).pdf");
    }
}
