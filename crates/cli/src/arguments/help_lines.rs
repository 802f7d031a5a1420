//! Breaks the lines of languages without spaces between words, such as Japanese.
//!
//! Called for each text of the help, because clap breaks lines only at spaces.

use std::env;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Maximum width of the help in columns.
pub const MAX_COLUMNS: usize = 120;
/// Width of the help in columns if there is no terminal. Clap uses the same value.
const DEFAULT_COLUMNS: usize = 100;
/// Minimum width of a text in columns. A narrower terminal wraps the lines itself.
const MIN_COLUMNS: usize = 20;
/// Letters that never begin a line.
const CLOSING: &str = "、。，．：；！？）」』】〉》”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ";
/// Letters that never end a line.
const OPENING: &str = "（「『【〈《“‘";

/// Returns the number of columns that clap uses for the help.
pub fn columns() -> usize {
    let of_terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let of_environment = || env::var("COLUMNS").ok()?.parse().ok();
    of_terminal.or_else(of_environment).unwrap_or(DEFAULT_COLUMNS).min(MAX_COLUMNS)
}

/// Returns `text` with lines of at most `columns` columns. Indented lines, which are examples, are unchanged.
pub fn broken(text: &str, columns: usize) -> String {
    let columns = columns.max(MIN_COLUMNS);
    let lines = text.split('\n').map(|line| if line.starts_with("  ") { line.to_owned() } else { broken_line(line, columns) });
    lines.collect::<Vec<_>>().join("\n")
}

fn broken_line(line: &str, columns: usize) -> String {
    let mut lines = vec![String::new()];
    for piece in pieces(line) {
        let used = lines.last().map_or(0, |last| last.width());
        if used > 0 && used + piece.trim_end().width() > columns {
            lines.push(String::new());
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(piece);
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Splits a line into pieces. A line break is allowed between two pieces.
fn pieces(line: &str) -> Vec<&str> {
    let is_wide = |letter: char| letter.width() == Some(2);
    let mut found = Vec::new();
    let mut begin = 0;
    for ((_, before), (at, after)) in line.char_indices().zip(line.char_indices().skip(1)) {
        let is_between_words = before == ' ' && after != ' ';
        let is_between_letters = (is_wide(before) || is_wide(after)) && after != ' ';
        if is_between_words || (is_between_letters && !OPENING.contains(before) && !CLOSING.contains(after)) {
            found.push(&line[begin..at]);
            begin = at;
        }
    }
    found.push(&line[begin..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_line_is_broken_between_wide_letters_but_not_before_punctuation() {
        let text = "リンクを 1 行に 1 つずつ、stdin から読み取ります。";
        assert_eq!(broken(text, 24), "リンクを 1 行に 1 つず\nつ、stdin から読み取りま\nす。");
        assert_eq!(broken("文件夹必须存在（例如当前的文件夹）。", 20), "文件夹必须存在（例如\n当前的文件夹）。");
        assert_eq!(broken("あいうえおかきくけ「こ」", 20), "あいうえおかきくけ\n「こ」");
    }

    #[test]
    fn help_keeps_each_option_and_each_example_on_one_line() {
        assert_eq!(broken("詳しくは文書にある --takes-files を参照", 30), "詳しくは文書にある\n--takes-files を参照");
        let example = "  ashore get URL URL.sha256                隣のチェックサムファイルで検査する";
        assert_eq!(broken(&format!("例:\n{example}"), 20), format!("例:\n{example}"));
    }
}
