//! Makes foreign text safe for the tray and for notifications. [pure]
//!
//! All foreign text goes through [`plain`] before it is shown.

use ashore_engine::is_invisible;

/// Maximum number of characters of foreign text in a notification.
const LONGEST: usize = 100;

/// Converts foreign text to one line that is safe to show.
///
/// Removes control and format characters, which could reverse the reading direction, and cuts the text to 100
/// characters.
pub fn plain(text: &str) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for character in text.chars() {
        let character = if character.is_whitespace() { ' ' } else { character };
        if is_invisible(character) || (character == ' ' && (shown.is_empty() || shown.ends_with(' '))) {
            continue;
        }
        if length == LONGEST {
            shown.pop();
            shown.push('…');
            break;
        }
        shown.push(character);
        length += 1;
    }
    shown.trim_end().to_owned()
}

/// Escapes `text` for places that interpret markup.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_loses_invisible_characters() {
        assert_eq!(plain("a\u{202E}gpj.exe\u{200B}\n\tb\u{0007}  c "), "agpj.exe b c");
        assert_eq!(plain(&"ä".repeat(100)), "ä".repeat(100));
        let long = plain(&"ä".repeat(101));
        assert_eq!((long.chars().count(), long.chars().last()), (100, Some('…')));
        assert_eq!(plain("\u{202E}\n"), "");
        // Treat characters without a glyph as invisible, even if Unicode calls them letters or marks.
        for blank in ['\u{34f}', '\u{115f}', '\u{17b4}', '\u{180b}', '\u{3164}', '\u{ffa0}', '\u{fff0}', '\u{1d173}', '\u{e0100}']
        {
            assert_eq!(plain(&blank.to_string().repeat(3)), "", "{blank:?}");
        }
    }

    #[test]
    fn markup_in_untrusted_text_is_escaped() {
        assert_eq!(escaped("<b>a & 'b'</b>"), "&lt;b&gt;a &amp; &apos;b&apos;&lt;/b&gt;");
    }
}
