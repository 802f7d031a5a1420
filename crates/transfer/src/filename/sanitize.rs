//! Removes the unsafe parts of a name. [pure]
//!
//! Every name must obey the rules of all operating systems, because files move between systems.

use unicode_normalization::UnicodeNormalization;

use crate::filename::partial_name::{ASIDE_ENDING, JOURNAL_ENDING, tag_of_partial};

/// Maximum length of a name in bytes of UTF-8.
///
/// File systems accept 255 bytes. The difference leaves room for a number.
pub(super) const LONGEST: usize = 240;
/// Maximum length of an extension.
///
/// A longer suffix counts as part of the stem.
const LONGEST_EXTENSION: usize = 32;

/// Returns `name` without its unsafe parts, so that it stays in its folder on every system; `None` if nothing is left.
pub fn safe(name: &str) -> Option<String> {
    let visible = without_invisible(name).into_iter().map(|character| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        space if space.is_whitespace() => ' ',
        other => other,
    });
    let name: String = visible.nfc().collect();
    let name = name.trim_start_matches(['.', ' ', '-', '~']).trim_end_matches(AT_END);
    let mut name = shorten(name);
    if is_device(&name) {
        name.insert(0, '_');
    }
    if is_ours(&name) {
        name.push('_');
    }
    (!name.is_empty()).then(|| shorten(&name))
}

/// Characters to remove from the end of a name, including joiners, which have no effect there.
const AT_END: [char; 4] = ['.', ' ', JOINER, NON_JOINER];

pub(crate) const NON_JOINER: char = '\u{200c}';
pub(crate) const JOINER: char = '\u{200d}';

/// Removes invisible characters, except joiners that change the text.
///
/// Without joiners, Persian and Indic words are misspelt and family emoji are split.
fn without_invisible(name: &str) -> Vec<char> {
    let is_joiner = |character: char| matches!(character, JOINER | NON_JOINER);
    let mut kept: Vec<char> = Vec::with_capacity(name.len());
    let mut characters = name.chars().filter(|character| is_joiner(*character) || !is_invisible(*character)).peekable();
    while let Some(character) = characters.next() {
        let is_of_use = match (kept.last(), characters.peek()) {
            (Some(before), Some(after)) => joins(character, *before, *after),
            _ => false,
        };
        if !is_joiner(character) || is_of_use {
            kept.push(character);
        }
    }
    kept
}

/// Whether `joiner` has an effect between these two characters, by RFC 5892, appendix A.1 and A.2, and UTS #51.
fn joins(joiner: char, before: char, after: char) -> bool {
    let is_written_joined = |letter: char| {
        matches!(letter,
            '\u{620}'..='\u{65f}' | '\u{66e}'..='\u{6d5}' | '\u{6fa}'..='\u{6ff}' | '\u{710}'..='\u{74f}' | '\u{750}'..='\u{77f}'
            | '\u{7ca}'..='\u{7f5}' | '\u{8a0}'..='\u{8e1}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17b3}'
            | '\u{17b6}'..='\u{17d3}' | '\u{1820}'..='\u{18aa}')
    };
    let is_picture = |letter: char| matches!(letter, '\u{2300}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}');
    let is_pictures = || joiner == JOINER && (is_picture(before) || before == '\u{fe0f}') && is_picture(after);
    is_written_joined(before) && is_written_joined(after) || is_pictures()
}

/// Whether a character is a control or format character, or is invisible.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether Windows would open a device for this name, with or without an extension.
pub(super) fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    if matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return true;
    }
    let digit = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    digit.is_some_and(|digit| {
        let mut characters = digit.chars();
        matches!((characters.next(), characters.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    })
}

/// Whether this name looks like a file of this program: a partial file, a journal, or an old partial file that a
/// restart set aside.
pub(super) fn is_ours(name: &str) -> bool {
    [JOURNAL_ENDING, ASIDE_ENDING, ""]
        .into_iter()
        .any(|ending| name.strip_suffix(ending).is_some_and(|stem| tag_of_partial(stem).is_some()))
}

/// Shortens `name` to at most [`LONGEST`] bytes, without shortening the extension.
fn shorten(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let (stem, extension) = split(name);
    let stem = cut(stem, LONGEST - extension.len()).trim_end_matches(AT_END);
    format!("{stem}{extension}").trim_end_matches(AT_END).to_owned()
}

/// Splits a name into stem and extension.
///
/// The extension includes its dot. `.tar.gz` and similar endings count as a single extension.
pub(super) fn split(name: &str) -> (&str, &str) {
    let Some(dot) = name.rfind('.').filter(|dot| *dot > 0 && name.len() - dot <= LONGEST_EXTENSION) else {
        return (name, "");
    };
    let dot = match name[..dot].rfind('.') {
        Some(inner) if inner > 0 && name[inner..dot].eq_ignore_ascii_case(".tar") => inner,
        _ => dot,
    };
    name.split_at(dot)
}

/// Cuts `text` to at most `bytes` bytes, at a character boundary.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filename::safety_check::assert_is_safe;

    #[test]
    fn long_names_keep_their_extension() {
        let long = "ä".repeat(300);
        for extension in [".iso", ".tar.gz", ""] {
            let name = safe(&format!("{long}{extension}")).unwrap();
            assert!(name.len() <= LONGEST && name.len() > LONGEST - 4 && name.ends_with(extension), "{name}");
        }
    }

    #[test]
    fn joiners_are_kept_only_where_script_or_emoji_needs_them() {
        for name in [
            "می\u{200c}خواهم.zip",
            "👨\u{200d}👩\u{200d}👧.zip",
            "❤\u{fe0f}\u{200d}🔥.zip",
            "श्री\u{200d}मान.zip",
            "🇩🇪1\u{fe0f}\u{20e3}.zip",
        ] {
            assert_eq!(safe(name).as_deref(), Some(name), "{name:?}");
        }
        for (name, expected) in [
            ("a\u{200d}b\u{200c}c.zip", "abc.zip"),
            ("👨\u{200d}.exe", "👨.exe"),
            ("م\u{200c}\u{200c}", "م"),
            ("م\u{200c}\u{202e}ن", "م\u{200c}ن"),
            ("\u{200d}👨", "👨"),
            ("👨\u{200c}👩", "👨👩"),
        ] {
            assert_eq!(safe(name).as_deref(), Some(expected), "{name:?}");
        }
        let long = "می\u{200c}".repeat(100);
        assert_is_safe(&safe(&format!("{long}خ.zip")).unwrap());
    }

    #[test]
    fn name_without_usable_characters_is_rejected() {
        for nothing in ["", ".", "..", "...", " ", "-", "--", "~", "\u{202e}", ". -~", "\0", "\u{feff}"] {
            assert_eq!(safe(nothing), None, "{nothing:?}");
        }
        assert_eq!(safe(".zip").as_deref(), Some("zip"));
    }
}
