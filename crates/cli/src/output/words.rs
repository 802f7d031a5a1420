//! Texts in the language of the user, and columns of such texts. Used by every subcommand that prints.

use ashore_messages::UserMessage;
use ashore_terminal::clean;
use unicode_width::UnicodeWidthStr as _;

/// Returns a text of the catalogues in the language of the user, safe to print on a terminal: `words!("cli-next-try",
/// why = why, time = time)`.
///
/// Values have the same types as in `message!`. Debug builds panic if the English catalogue lacks the text, or if the
/// values do not match its placeholders.
macro_rules! words {
    ($($given:tt)*) => { ashore_terminal::clean(&ashore_messages::text!($($given)*)) };
}
pub(crate) use words;

/// Returns the sentence of `message` in the language of the user, safe to print on a terminal.
pub fn sentence(message: &UserMessage) -> String {
    clean(&message.localized())
}

/// Returns the number of columns of the widest text, but at least `least`.
pub fn width<'a>(texts: impl IntoIterator<Item = &'a str>, least: usize) -> usize {
    texts.into_iter().map(|text| text.width()).fold(least, usize::max)
}

/// Returns `text` padded with spaces on the right to `width` columns. Chinese and Japanese letters take two columns.
pub fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Returns `text` padded with spaces on the left to `width` columns.
pub fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use ashore_messages::{Catalogue, LANGUAGE_TAGS};

    use super::*;

    #[test]
    fn columns_stay_aligned_with_double_width_letters() {
        assert_eq!((left("ab", 4), right("ab", 4), left("abcde", 4)), ("ab  ".to_owned(), "  ab".to_owned(), "abcde".to_owned()));
        assert_eq!((left("完了", 6), right("完了", 6)), ("完了  ".to_owned(), "  完了".to_owned()));
        assert_eq!((width(["a", "完了"], 2), width(["a"], 8)), (4, 8));
    }

    /// Collects the ids of all catalogue texts that are used in the sources below `folder`.
    fn collect_ids(folder: &Path, ids: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect_ids(&path, ids);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let source = source.split("#[cfg(test)]").next().unwrap_or_default();
            let literals = source.split('"').skip(1).step_by(2);
            ids.extend(literals.filter(|text| text.starts_with("cli-") && !text.contains(' ')).map(str::to_owned));
            for call in source.split("words!(").skip(1) {
                ids.extend(call.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()).map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_language_has_same_texts_and_placeholders() {
        let mut ids = BTreeSet::new();
        collect_ids(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut ids);
        assert!(ids.len() > 150, "{}", ids.len());
        let english = Catalogue::new("en");
        for catalogue in LANGUAGE_TAGS.map(Catalogue::new) {
            for id in &ids {
                assert!(catalogue.is_translated(id), "{} lacks {id}", catalogue.tag());
                assert_eq!(catalogue.gaps(id), english.gaps(id), "{id} in {}", catalogue.tag());
            }
        }
    }
}
