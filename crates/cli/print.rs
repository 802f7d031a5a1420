//! The only file that writes to stdout and stderr: results to stdout, words for people to stderr, JSON one object a
//! line. A reader who has gone away is an error to pass on, never a panic.

use std::{
    fmt::Display,
    io::{self, Write},
};

use ashore_engine::Trouble;
use serde::Serialize;

/// Where words go.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    /// Programs read stdout.
    pub json: bool,
    /// People want to hear of errors only.
    pub quiet: bool,
    /// A bar may be drawn on stderr.
    pub draws: bool,
}

impl Out {
    /// The same for work of which the result was printed already.
    pub fn silent(self) -> Self {
        Self { json: false, quiet: true, draws: false }
    }

    /// A line of results.
    pub fn line(self, text: impl Display) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{text}")?;
        stdout.flush()
    }

    /// A result for programs.
    pub fn object(self, value: &impl Serialize) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer(&mut stdout, value)?;
        stdout.write_all(b"\n")?;
        stdout.flush()
    }

    /// A part of a result; whoever prints parts ends the line.
    pub fn part(self, text: &str) -> io::Result<()> {
        io::stdout().lock().write_all(text.as_bytes())
    }

    /// A sentence for people beside the result.
    pub fn say(self, text: impl Display) {
        if !self.quiet {
            self.complain(text);
        }
    }

    /// A sentence that people hear even when they asked for quiet.
    pub fn complain(self, text: impl Display) {
        // Nobody is there to be told that nobody is there.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Why nothing came of it: to people, and with `--json` to programs as well.
    pub fn error(self, trouble: &Trouble) {
        self.complain(format_args!("ashore: {}", clean(&trouble.text)));
        if self.json {
            let _ = self.object(&serde_json::json!({ "error": trouble }));
        }
    }
}

/// `text` without anything that a terminal would obey or that turns the direction of what follows. Titles, names and
/// addresses come from servers.
pub fn clean(text: &str) -> String {
    let is_meant = |letter: char| {
        let is_turning = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        !letter.is_control() && !is_turning
    };
    text.chars().map(|letter| if is_meant(letter) { letter } else { '\u{fffd}' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_not_given_orders() {
        assert_eq!(clean("a\u{1b}[2Jb\r\n\u{202e}gpj.exe"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}\u{fffd}gpj.exe");
        assert_eq!(clean("größe 漢字 (1).pdf"), "größe 漢字 (1).pdf");
    }
}
