//! The only file that writes to stdout and stderr: results to stdout, words for people to stderr.

use std::{
    fmt::Display,
    io::{self, Write},
};

use serde::Serialize;

use crate::problem::Problem;

/// Where words go.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    /// Programs read stdout.
    pub json: bool,
    /// People want to hear of errors only.
    pub quiet: bool,
}

impl Out {
    /// A line of results.
    pub fn line(self, text: impl Display) -> Result<(), Problem> {
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "{text}").and_then(|()| stdout.flush()).map_err(Problem::Output)
    }

    /// A result for programs.
    pub fn object(self, value: &impl Serialize) -> Result<(), Problem> {
        self.line(serde_json::to_string(value).map_err(|error| Problem::Output(error.into()))?)
    }

    /// A sentence for people beside the result.
    pub fn say(self, text: impl Display) {
        if !self.quiet {
            self.complain(text);
        }
    }

    /// Why nothing came of it: to people, and with `--json` to programs as well.
    pub fn error(self, problem: &Problem) {
        let Some((code, text)) = problem.trouble() else { return };
        self.complain(format_args!("ashore-sync-server: {text}"));
        if self.json {
            // Nobody is there to be told that nobody is there.
            let _ = self.object(&serde_json::json!({ "error": { "code": code, "text": text } }));
        }
    }

    fn complain(self, text: impl Display) {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// `text` without anything that a terminal would obey. Names of devices come from clients.
pub fn clean(text: &str) -> String {
    let is_turning = |letter| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|letter| if letter.is_control() || is_turning(letter) { '\u{fffd}' } else { letter }).collect()
}

/// A time for people.
pub fn moment(milliseconds: i64) -> String {
    match jiff::Timestamp::from_millisecond(milliseconds) {
        Ok(time) if milliseconds > 0 => time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        _ => "never".to_owned(),
    }
}

/// Bytes for people.
pub fn size(bytes: i64) -> String {
    match bytes {
        ..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}
