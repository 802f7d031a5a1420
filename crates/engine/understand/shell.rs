//! A command's words, as a POSIX shell and bash's `$'…'` take them apart. Nothing is expanded. [pure]

use std::{iter::Peekable, str::Chars};

/// The words; none where a quote has no end.
pub(super) fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => quoted(&mut letters, word.get_or_insert_default())?,
            '"' => doubly_quoted(&mut letters, word.get_or_insert_default())?,
            '$' if letters.next_if_eq(&'\'').is_some() => escaped(&mut letters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Some(words)
}

fn quoted(letters: &mut Peekable<Chars<'_>>, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '\'' => return Some(()),
            letter => word.push(letter),
        }
    }
}

fn doubly_quoted(letters: &mut Peekable<Chars<'_>>, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            '"' => return Some(()),
            '\\' => match letters.next()? {
                letter @ ('"' | '\\' | '$' | '`') => word.push(letter),
                '\n' => {}
                letter => word.extend(['\\', letter]),
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

    #[test]
    fn quotes_and_backslashes_are_taken_as_a_shell_takes_them() {
        for (command, expected) in [
            ("a  b\tc", vec!["a", "b", "c"]),
            ("'a b' \"c d\" e\\ f", vec!["a b", "c d", "e f"]),
            ("a'b'\"c\" ''", vec!["abc", ""]),
            (r#""a\"b\\c\d""#, vec![r#"a"b\c\d"#]),
            (r"$'a\'b\u0021\x41\n' $x", vec!["a'b!A\n", "$x"]),
            ("", vec![]),
        ] {
            assert_eq!(words(command).unwrap(), expected, "{command}");
        }
        for open in ["'a", "\"a", "$'a", "\"a\\", "$'\\ud800'"] {
            assert_eq!(words(open), None, "{open}");
        }
    }
}
