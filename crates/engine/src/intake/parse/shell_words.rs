//! Splits a command into words by the rules of the shell for which the command was written. [pure]
//!
//! The shell is a POSIX shell with bash's `$'...'`, Windows' `cmd`, or PowerShell. Variables and patterns are not
//! expanded. The text after the command, such as a pipe or another command, is dropped. Typographic quotes at the start
//! of a word count as quotes.

use std::{iter::Peekable, str::Chars};

/// Shell for which a command was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShellKind {
    Posix,
    /// `^` escapes the next character. Inside quotes, programs read `\"` as a quote.
    Cmd,
    /// A backtick escapes the next character, and a quote inside quotes is doubled.
    PowerShell,
}

/// Words of a command, and the target file of its output.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ShellWords {
    pub words: Vec<String>,
    /// File to which `>` redirects the output.
    pub output: Option<String>,
}

/// Returns the words of `command`; `None` for an unclosed quote.
pub(super) fn words(command: &str, shell: ShellKind) -> Option<ShellWords> {
    let plain = match shell {
        ShellKind::Cmd => without_carets(command),
        _ => command.to_owned(),
    };
    let mut found = ShellWords::default();
    let mut word: Option<String> = None;
    let mut letters = plain.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_start = word.is_none();
        match letter {
            _ if letter.is_whitespace() => found.words.extend(word.take()),
            '|' => break,
            ';' | '&' if is_start || letters.peek().is_none_or(|next| next.is_whitespace() || *next == '&') => break,
            '>' if is_start || word.as_deref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) => {
                let stream = word.take();
                let target = redirected(&mut letters);
                if stream.is_none_or(|stream| stream == "1") {
                    found.output = target;
                }
            }
            '\'' if shell != ShellKind::Cmd => quoted(&mut letters, word.get_or_insert_default(), shell)?,
            '"' => doubly_quoted(&mut letters, word.get_or_insert_default(), shell)?,
            '‘' | '‚' if is_start => turned(&mut letters, word.get_or_insert_default(), &['’', '‘'])?,
            '“' | '„' if is_start => turned(&mut letters, word.get_or_insert_default(), &['”', '“'])?,
            '$' if shell == ShellKind::Posix && letters.next_if_eq(&'\'').is_some() => {
                escaped(&mut letters, word.get_or_insert_default())?
            }
            '\\' if shell == ShellKind::Posix => {
                // A backslash at the end of a line joins this line to the next one.
                if letters.next_if_eq(&'\n').is_none() {
                    word.get_or_insert_default().extend(letters.next());
                }
            }
            '`' if shell == ShellKind::PowerShell => {
                if letters.next_if_eq(&'\n').is_none() {
                    word.get_or_insert_default().extend(letters.next());
                }
            }
            // Word processors replace hyphens with dashes.
            '–' | '—' if is_start => word.get_or_insert_default().push_str(if letter == '–' { "-" } else { "--" }),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    found.words.extend(word);
    Some(found)
}

/// Returns the file after `>` or `>>`; `None` if the target is another stream.
fn redirected(letters: &mut Peekable<Chars<'_>>) -> Option<String> {
    while letters.next_if(|letter| matches!(letter, '>' | ' ')).is_some() {}
    let is_stream = letters.peek() == Some(&'&');
    let mut target = String::new();
    while let Some(letter) = letters.next_if(|letter| !letter.is_whitespace() && !matches!(letter, '|' | ';')) {
        target.push(letter);
    }
    Some(target.trim_matches(['"', '\'']).to_owned()).filter(|target| !is_stream && !target.is_empty())
}

/// Returns `command` in the form in which `cmd` passes it to a program.
///
/// A caret escapes the next character. At the end of a line, a caret joins this line to the next one. Inside quotes a
/// caret is kept, except at the end of a line, where it only results from copying.
fn without_carets(command: &str) -> String {
    let mut plain = String::with_capacity(command.len());
    let mut is_quoted = false;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '^' if letters.peek() == Some(&'\n') => {
                letters.next();
            }
            '^' if !is_quoted => plain.extend(letters.next()),
            '"' => {
                is_quoted = !is_quoted;
                plain.push(letter);
            }
            _ => plain.push(letter),
        }
    }
    plain
}

/// Returns the text of the next quoted string; `None` if the string is not closed.
pub(super) fn quoted_text(letters: &mut Peekable<Chars<'_>>, shell: ShellKind) -> Option<String> {
    let mut text = String::new();
    match letters.next()? {
        '"' => doubly_quoted(letters, &mut text, shell)?,
        '\'' => quoted(letters, &mut text, shell)?,
        '“' => turned(letters, &mut text, &['”', '“'])?,
        _ => turned(letters, &mut text, &['’', '‘'])?,
    }
    Some(text)
}

fn quoted(letters: &mut Peekable<Chars<'_>>, word: &mut String, shell: ShellKind) -> Option<()> {
    loop {
        match letters.next()? {
            '\'' if shell == ShellKind::PowerShell && letters.next_if_eq(&'\'').is_some() => word.push('\''),
            '\'' => return Some(()),
            letter => word.push(letter),
        }
    }
}

fn turned(letters: &mut Peekable<Chars<'_>>, word: &mut String, close: &[char]) -> Option<()> {
    loop {
        match letters.next()? {
            letter if close.contains(&letter) => return Some(()),
            letter => word.push(letter),
        }
    }
}

fn doubly_quoted(letters: &mut Peekable<Chars<'_>>, word: &mut String, shell: ShellKind) -> Option<()> {
    loop {
        match letters.next()? {
            '"' if shell != ShellKind::Posix && letters.next_if_eq(&'"').is_some() => word.push('"'),
            '"' => return Some(()),
            '\\' if shell == ShellKind::Posix => match letters.next()? {
                letter @ ('"' | '\\' | '$' | '`') => word.push(letter),
                '\n' => {}
                letter => word.extend(['\\', letter]),
            },
            '\\' if shell == ShellKind::Cmd => match letters.next_if(|next| matches!(next, '"' | '\\')) {
                Some(letter) => word.push(letter),
                None => word.push('\\'),
            },
            '`' if shell == ShellKind::PowerShell => match letters.next()? {
                'n' => word.push('\n'),
                'r' => word.push('\r'),
                't' => word.push('\t'),
                '0' => word.push('\0'),
                letter => word.push(letter),
            },
            letter => word.push(letter),
        }
    }
}

fn escaped(letters: &mut Peekable<Chars<'_>>, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '\'' => return Some(()),
            '\\' => match letters.next()? {
                'n' => word.push('\n'),
                'r' => word.push('\r'),
                't' => word.push('\t'),
                'u' => word.push(numbered(letters, 4)?),
                'x' => word.push(numbered(letters, 2)?),
                letter => word.push(letter),
            },
            letter => word.push(letter),
        }
    }
}

fn numbered(letters: &mut Peekable<Chars<'_>>, most: usize) -> Option<char> {
    let mut number = 0;
    for _ in 0..most {
        let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(16)) else { break };
        number = number * 16 + digit;
        letters.next();
    }
    char::from_u32(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(command: &str, shell: ShellKind) -> Vec<String> {
        words(command, shell).unwrap().words
    }

    #[test]
    fn posix_quotes_and_backslashes_are_resolved() {
        for (command, expected) in [
            ("a  b\tc", vec!["a", "b", "c"]),
            ("'a b' \"c d\" e\\ f", vec!["a b", "c d", "e f"]),
            ("a'b'\"c\" ''", vec!["abc", ""]),
            (r#""a\"b\\c\d""#, vec![r#"a"b\c\d"#]),
            (r"$'a\'b\u0021\x41\n' $x", vec!["a'b!A\n", "$x"]),
            ("a \\\n b\\\nc", vec!["a", "bc"]),
            ("a\u{a0}'b'\u{2003}c", vec!["a", "b", "c"]),
            ("‘a b’ “c d” it’s –H —header", vec!["a b", "c d", "it’s", "-H", "--header"]),
            ("", vec![]),
        ] {
            assert_eq!(split(command, ShellKind::Posix), expected, "{command}");
        }
        for open in ["'a", "\"a", "$'a", "\"a\\", "$'\\ud800'", "“a"] {
            assert_eq!(words(open, ShellKind::Posix), None, "{open}");
        }
    }

    #[test]
    fn windows_commands_are_split_by_rules_of_their_shell() {
        for (command, expected) in [
            ("a ^\"b^&c^\" ^\n d", vec!["a", "b&c", "d"]),
            ("^\"50^%^20x ^\\^\"q^\\^\"^\"", vec!["50%20x \"q\""]),
            ("\"a^b\" \"c\"\"d\" \"e\"%\"f\" 'g h'", vec!["a^b", "c\"d", "e%f", "'g", "h'"]),
            (r#""C:\x\y" "a\"b""#, vec![r"C:\x\y", "a\"b"]),
        ] {
            assert_eq!(split(command, ShellKind::Cmd), expected, "{command}");
        }
        for (command, expected) in
            [("a `\n -b \"c`\"d\"\"e`$f\" 'g''h'", vec!["a", "-b", "c\"d\"e$f", "g'h"]), (r#""C:\x\" b"#, vec![r"C:\x\", "b"])]
        {
            assert_eq!(split(command, ShellKind::PowerShell), expected, "{command}");
        }
    }

    #[test]
    fn shell_command_ends_at_operator_and_takes_output_name_from_redirect() {
        let all = |command: &str| words(command, ShellKind::Posix).unwrap();
        for after in [" | tar xz", " && echo done", "; ls", " &", " 2>/dev/null", " 2>&1 | less", " >&2"] {
            assert_eq!(
                all(&format!("a 'b|c'{after}")),
                ShellWords { words: vec!["a".to_owned(), "b|c".to_owned()], output: None },
                "{after}"
            );
        }
        assert_eq!(all("a > 'x.zip'").output.as_deref(), Some("x.zip"));
        assert_eq!(all("a 1>>x.zip -b").words, ["a", "-b"]);
        assert_eq!(all("a http://a.example/?a=1&b=2;c").words, ["a", "http://a.example/?a=1&b=2;c"]);
    }
}
