//! Translates the engine's sentences. [pure]
//!
//! The sentences are in English and have a code. The English catalogue determines which sentence of the code it is, and
//! its arguments. Unknown sentences are shown unchanged.

use ashore_engine::{GateReport, UserMessage};
use fluent_bundle::FluentValue;

use crate::i18n::catalogue::{MessageCatalogue, current};

const ENGLISH: &str = include_str!("../../../../locales/en/messages.ftl");

/// Returns the translated sentences, with the cure.
pub fn sentence(trouble: &UserMessage) -> String {
    translated(&current(), &trouble.code, &trouble.text)
}

/// Returns the first sentence about a gate, without its full stop, because a menu has little space.
pub fn brief(gate: &GateReport) -> String {
    first(&translated(&current(), gate.code.word(), &gate.text)).to_owned()
}

/// Returns the first sentence, without its full stop.
pub fn first(text: &str) -> &str {
    let end = text.char_indices().find(|(at, character)| match character {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' | '؟' | '।' => text[at + character.len_utf8()..].chars().next().is_none_or(char::is_whitespace),
        _ => false,
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// Translates `text` if it is one of the sentences of `code`; otherwise returns it unchanged.
pub fn translated(catalogue: &MessageCatalogue, code: &str, text: &str) -> String {
    if catalogue.tag() == "en" {
        return text.to_owned();
    }
    let found = known(code).find_map(|(id, shape)| Some((id, gaps(&shape, text)?)));
    found.map_or_else(
        || text.to_owned(),
        |(id, gaps)| {
            let gaps: Vec<_> = gaps.into_iter().map(|(name, text)| (name, in_words(catalogue, text))).collect();
            catalogue.say(&id, &gaps)
        },
    )
}

/// Returns the ids of a code's sentences with their English text. The file has each on one line.
fn known(code: &str) -> impl Iterator<Item = (String, String)> {
    let message = format!("trouble-{code}");
    let begins = format!("{message} = ");
    let mut lines = ENGLISH.lines().skip_while(move |line| !line.starts_with(&begins));
    let first = lines.next().and_then(|line| line.split_once(" = "));
    let value = first.map(|(_, text)| (message.clone(), text.to_owned()));
    let attributes = lines.map_while(|line| line.strip_prefix("    .")?.split_once(" = "));
    let attributes = attributes.map(move |(name, text)| (format!("{message}.{name}"), text.to_owned()));
    value.into_iter().chain(attributes).map(|(id, text)| (id, text.replace("{ -ashore }", "Ashore")))
}

/// Returns the arguments that `text` has in the places of `shape`; `None` if it is another sentence.
fn gaps<'a>(shape: &str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut pieces = shape.split("{ $");
    let mut left = text.strip_prefix(pieces.next()?)?;
    let mut found = Vec::new();
    for piece in pieces {
        let (name, after) = piece.split_once(" }")?;
        let end = if after.is_empty() { left.len() } else { left.find(after).filter(|end| *end > 0)? };
        found.push((NAMES.iter().copied().find(|known| *known == name)?, &left[..end]));
        left = &left[end + after.len()..];
    }
    left.is_empty().then_some(found)
}

/// Names of all arguments.
const NAMES: &[&str] = &[
    "amount", "folder", "found", "free", "holder", "host", "id", "inside", "known", "least", "limit", "line", "meant", "method",
    "most", "name", "needed", "option", "path", "percent", "port", "scheme", "status", "until", "url", "used", "value", "whose",
    "why",
];

/// Translates a weekday at the beginning of an argument; all other arguments are names, addresses or numbers.
fn in_words(catalogue: &MessageCatalogue, gap: &str) -> FluentValue<'static> {
    let day = gap.split_once(' ').filter(|(day, _)| day.ends_with("day"));
    match day {
        Some((day, time)) => format!("{} {time}", catalogue.say(&format!("day-{}", day.to_lowercase()), &[])).into(),
        None => gap.to_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_sentence_matches_shape_and_yields_arguments() {
        let shape = "The folder { $path } cannot be used: { $why }. Choose another folder.";
        let text = "The folder /a b cannot be used: it is read-only. Choose another folder.";
        assert_eq!(gaps(shape, text), Some(vec![("path", "/a b"), ("why", "it is read-only")]));
        assert_eq!(gaps(shape, "The folder /a."), None);
        assert_eq!(gaps("It was cancelled.", "It was cancelled."), Some(Vec::new()));
        assert_eq!(gaps("It was cancelled.", "It was cancelled. Really."), None);
    }

    #[test]
    fn engine_sentence_is_translated_with_its_arguments() {
        let german = MessageCatalogue::new("de");
        let said = |code, text| translated(&german, code, text);
        let gone = "The server no longer has this file. Look for a new link.";
        assert_eq!(said("bad-status", gone), "Der Server hat diese Datei nicht mehr. Suchen Sie einen neuen Link.");
        let refused = "The server refused with status 418. Check the link.";
        assert_eq!(said("bad-status", refused), "Der Server hat mit Status 418 abgelehnt. Prüfen Sie den Link.");
        let hours = "Outside the allowed hours until Monday 08:00. It goes on then by itself.";
        assert_eq!(first(&said("hours", hours)), "Außerhalb der erlaubten Stunden, bis Montag 08:00");
        assert_eq!(said("bad-status", "Something new."), "Something new.");
        assert_eq!(translated(&MessageCatalogue::new("en"), "bad-status", gone), gone);
    }

    #[test]
    fn every_catalogue_argument_is_listed_in_names() {
        for name in ENGLISH.split("{ $").skip(1).filter_map(|rest| rest.split_once(" }")) {
            assert!(NAMES.contains(&name.0), "{}", name.0);
        }
    }

    #[test]
    fn code_yields_only_its_own_sentences() {
        let ids = |code| known(code).map(|(id, _)| id).collect::<Vec<_>>();
        assert_eq!(ids("disk"), ["trouble-disk", "trouble-disk.short", "trouble-disk.list", "trouble-disk.read"]);
        assert_eq!(ids("disk-full"), ["trouble-disk-full"]);
        assert!(ids("no-such-code").is_empty());
    }

    #[test]
    fn first_sentence_ends_at_full_stop_of_language() {
        assert_eq!(first("It is at a.example. Wait."), "It is at a.example");
        assert_eq!(first("これは文です。次も。"), "これは文です");
        assert_eq!(first("यह वाक्य है। दूसरा।"), "यह वाक्य है");
        assert_eq!(first("No end"), "No end");
    }
}
