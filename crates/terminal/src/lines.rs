//! Breaks and shortens lines of text, so that they fit the terminal. [pure]
//!
//! - Words, numbers with their units, and commands in backquotes are kept whole.
//! - In languages without spaces between words, such as Japanese, a line can also be broken between two letters.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Letters that never begin a line.
const CLOSING: &str = "、。，．：；！？）」』】〉》”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ";
/// Letters that never end a line.
const OPENING: &str = "（「『【〈《“‘";
/// Replaces the middle of a shortened text.
const GAP: &str = "…";

/// Returns `text` with lines of at most `columns` columns. A longer word is kept whole, on a line of its own.
///
/// Text with terminal codes is returned unchanged.
pub fn wrapped(text: &str, columns: usize) -> String {
    if text.contains('\u{1b}') {
        return text.to_owned();
    }
    text.split('\n').map(|line| wrapped_line(line, columns)).collect::<Vec<_>>().join("\n")
}

fn wrapped_line(line: &str, columns: usize) -> String {
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

/// Returns `text` with lines of at most `columns` columns. All lines except the first one are indented.
///
/// If `indent` is more than half of `columns`, these lines are indented by two columns instead.
pub fn hanging(text: &str, indent: usize, columns: usize) -> String {
    let indent = if indent * 2 > columns { 2 } else { indent };
    let broken = wrapped(text, columns);
    let Some((first, _)) = broken.split_once('\n') else { return broken };
    let rest = text.get(first.len()..).unwrap_or_default().trim_start();
    let rest = wrapped(rest, columns.saturating_sub(indent));
    rest.lines().fold(first.to_owned(), |all, line| format!("{all}\n{}{line}", " ".repeat(indent)))
}

/// Splits a line into pieces. A line break is allowed between two pieces.
fn pieces(line: &str) -> Vec<&str> {
    let is_wide = |letter: char| letter.width() == Some(2);
    let mut found = Vec::new();
    let mut begin = 0;
    let mut is_command = false;
    for ((_, before), (at, after)) in line.char_indices().zip(line.char_indices().skip(1)) {
        is_command ^= before == '`';
        // Do not break inside an amount such as "8.1 MB" or "41 %".
        let is_amount =
            line[begin..at].trim_end().ends_with(|letter: char| letter.is_ascii_digit()) && line[at..].starts_with(is_unit);
        let is_between_words = before == ' ' && after != ' ';
        let is_between_letters = (is_wide(before) || is_wide(after)) && after != ' ';
        let is_allowed = is_between_letters && !OPENING.contains(before) && !CLOSING.contains(after);
        if !is_command && !is_amount && (is_between_words || is_allowed) {
            found.push(&line[begin..at]);
            begin = at;
        }
    }
    found.push(&line[begin..]);
    found
}

/// Whether a unit can begin with this letter: a percent sign, or the first letter of a word.
fn is_unit(letter: char) -> bool {
    letter == '%' || letter.is_alphabetic()
}

/// Returns `text` with at most `columns` columns. The middle of a longer text is replaced by an ellipsis, so that the
/// extension of a file name stays visible.
pub fn clipped(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(GAP.width());
    let end: String = {
        let tail = fitting(text.chars().rev(), room / 3);
        tail.chars().rev().collect()
    };
    let start = fitting(text.chars(), room - end.width());
    format!("{}{GAP}{}", start.trim_end(), end.trim_start())
}

/// Returns the longest beginning of `letters` that fits into `columns` columns.
fn fitting(letters: impl Iterator<Item = char>, columns: usize) -> String {
    let mut used = 0;
    letters
        .take_while(|letter| {
            used += letter.width().unwrap_or_default();
            used <= columns
        })
        .collect()
}

/// Joins `parts` to lines of at most `columns` columns, with `separator` between two parts of a line. A part is never
/// broken, even if it is wider than `columns`.
pub fn packed(parts: &[String], separator: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut().filter(|line| line.width() + separator.width() + part.width() <= columns) {
            Some(line) => line.extend([separator, part]),
            None => lines.push(part.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_line_is_broken_between_words_but_not_inside_amounts_and_commands() {
        assert_eq!(wrapped("The folder needs 8.1 MB more free space.", 22), "The folder needs\n8.1 MB more free\nspace.");
        assert_eq!(wrapped("Stopped at 41 % of it.", 13), "Stopped at\n41 % of it.");
        assert_eq!(wrapped("To continue, run `ashore serve`.", 20), "To continue, run\n`ashore serve`.");
        assert_eq!(wrapped("short\nlines", 20), "short\nlines");
        assert_eq!(wrapped("https://example.org/long", 10), "https://example.org/long");
        assert_eq!(wrapped("\u{1b}[31mred and more\u{1b}[0m", 4), "\u{1b}[31mred and more\u{1b}[0m");
    }

    #[test]
    fn long_line_is_broken_between_wide_letters_but_not_before_punctuation() {
        let text = "リンクを 1 行に 1 つずつ、stdin から読み取ります。";
        assert!(wrapped(text, 24).lines().all(|line| line.width() <= 24), "{}", wrapped(text, 24));
        assert_eq!(wrapped("文件夹必须存在（例如当前的文件夹）。", 20), "文件夹必须存在（例如\n当前的文件夹）。");
        assert_eq!(wrapped("あいうえおかきくけ「こ」", 20), "あいうえおかきくけ\n「こ」");
    }

    #[test]
    fn lines_after_the_first_one_are_indented() {
        assert_eq!(hanging("state      waiting for a disk", 11, 24), "state      waiting for a\n           disk");
        assert_eq!(hanging("state      waiting", 11, 20), "state      waiting");
        assert_eq!(hanging("  state      waiting for you", 13, 20), "  state      waiting\n  for you");
    }

    #[test]
    fn clipped_text_keeps_beginning_and_ending() {
        assert_eq!(clipped("short", 8), "short");
        assert_eq!(clipped("ocean-currents-2026.tar.gz", 16), "ocean-curr…ar.gz");
        assert_eq!(clipped("漢字漢字漢字漢字", 9), "漢字漢…字");
        assert_eq!(clipped("abc", 1), "…");
    }

    #[test]
    fn packed_parts_share_lines_and_are_never_broken() {
        let parts = ["3.1 of 4.2 GB", "11.4 MB/s", "2 min left"].map(str::to_owned);
        assert_eq!(packed(&parts, " - ", 38), ["3.1 of 4.2 GB - 11.4 MB/s - 2 min left"]);
        assert_eq!(packed(&parts, " - ", 37), ["3.1 of 4.2 GB - 11.4 MB/s", "2 min left"]);
        assert_eq!(packed(&parts, " - ", 5), parts);
    }
}
