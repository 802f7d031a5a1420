//! Breaks the lines of languages without spaces between words, such as Japanese.
//!
//! Called for each text of the help, because clap breaks lines only at spaces.

use std::env;

use ashore_terminal::wrapped;

/// Maximum width of the help in columns.
pub const MAX_COLUMNS: usize = 120;
/// Width of the help in columns if there is no terminal. Clap uses the same value.
const DEFAULT_COLUMNS: usize = 100;
/// Minimum width of a text in columns. A narrower terminal wraps the lines itself.
const MIN_COLUMNS: usize = 20;

/// Returns the number of columns that clap uses for the help.
pub fn columns() -> usize {
    let of_terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let of_environment = || env::var("COLUMNS").ok()?.parse().ok();
    of_terminal.or_else(of_environment).unwrap_or(DEFAULT_COLUMNS).min(MAX_COLUMNS)
}

/// Returns `text` with lines of at most `columns` columns. Indented lines, which are examples, are unchanged.
pub fn broken(text: &str, columns: usize) -> String {
    let columns = columns.max(MIN_COLUMNS);
    let lines = text.split('\n').map(|line| if line.starts_with("  ") { line.to_owned() } else { wrapped(line, columns) });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_keeps_each_option_and_each_example_on_one_line() {
        assert_eq!(broken("詳しくは文書にある --takes-files を参照", 30), "詳しくは文書にある\n--takes-files を参照");
        let example = "  ashore get URL URL.sha256                隣のチェックサムファイルで検査する";
        assert_eq!(broken(&format!("例:\n{example}"), 20), format!("例:\n{example}"));
    }
}
