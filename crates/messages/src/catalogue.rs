//! Sentences of one language: the Fluent files of `locales/`, compiled in. The window contains all files except
//! `shell.ftl`, `cli.ftl`, `help.ftl` and `extension.ftl`. Only the browser extension contains `extension.ftl`.

use std::sync::{Arc, LazyLock};

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement};
use unic_langid::LanguageIdentifier;

use crate::number_format;

/// Name and value of a placeholder in a sentence.
pub type CatalogueValue<'a> = (&'static str, FluentValue<'a>);

/// Invisible characters that control the direction of a text.
const MARKS: [char; 6] = ['\u{200e}', '\u{200f}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}'];

/// Number of files of each language, not counting the help texts of the command line.
const FILES: usize = 11;

/// Fluent files of one language.
struct LanguageFiles {
    tag: &'static str,
    sentences: [&'static str; FILES],
    /// Help of the command line. Kept in a separate catalogue, because only `--help` needs these long texts.
    help: &'static str,
}

macro_rules! compiled_in {
    ($($tag:literal),*) => {
        &[$(LanguageFiles { tag: $tag, sentences: [
            include_str!(concat!("../../../locales/", $tag, "/common.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/shell.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/list.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/details.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/add.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/settings.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/statistics.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/recovery.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/sync.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/cli.ftl")),
            include_str!(concat!("../../../locales/", $tag, "/messages.ftl")),
        ], help: include_str!(concat!("../../../locales/", $tag, "/help.ftl")) }),*]
    };
}

/// Files of each language, by its tag. English is first and is the fallback for sentences that another language lacks.
const LANGUAGES: &[LanguageFiles] = compiled_in!["en", "de", "es", "fr", "pt-BR", "ru", "ar", "hi", "zh-CN", "ja"];

/// Tags of all languages, English first.
pub const LANGUAGE_TAGS: [&str; LANGUAGES.len()] = {
    let mut tags = [""; LANGUAGES.len()];
    let mut index = 0;
    while index < tags.len() {
        tags[index] = LANGUAGES[index].tag;
        index += 1;
    }
    tags
};

static ENGLISH: LazyLock<Arc<Catalogue>> = LazyLock::new(|| Arc::new(Catalogue::new(LANGUAGE_TAGS[0])));

/// Sentences of one language. The English sentence is used if the language lacks a sentence.
pub struct Catalogue {
    tag: &'static str,
    bundle: FluentBundle<FluentResource>,
    fallback: Option<Arc<Self>>,
}

impl Catalogue {
    /// Returns the catalogue of the language `tag`, which is one of [`LANGUAGE_TAGS`].
    ///
    /// In a right-to-left language, values are surrounded by direction marks, so that a window displays them in the
    /// correct order.
    pub fn new(tag: &'static str) -> Self {
        let is_right_to_left = identifier(tag).character_direction() == unic_langid::CharacterDirection::RTL;
        Self::of_sources(tag, &files(tag).sentences, is_right_to_left, ToOwned::to_owned).or(english_handle)
    }

    /// Returns the catalogue of the language `tag` without direction marks.
    ///
    /// Terminals would show these marks as characters.
    pub fn for_terminal(tag: &'static str) -> Self {
        Self::of_sources(tag, &files(tag).sentences, false, |source| source.replace(MARKS, "")).or(english_handle)
    }

    /// Returns the help of the command line in the language `tag`, without direction marks.
    pub fn help(tag: &'static str) -> Self {
        Self::of_sources(tag, &[files(tag).help], false, |source| source.replace(MARKS, ""))
            .or(|| Arc::new(Self::help(LANGUAGE_TAGS[0])))
    }

    fn of_sources(tag: &'static str, sources: &[&str], isolates: bool, read: fn(&str) -> String) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![identifier(tag)]);
        bundle.set_use_isolating(isolates);
        bundle.set_formatter(Some(number_format::formatter(tag)));
        for source in sources {
            // A test detects files with syntax errors. At run time, use the part of such a file that was parsed.
            let resource = FluentResource::try_new(read(source)).unwrap_or_else(|(resource, _)| resource);
            let _ = bundle.add_resource(resource);
        }
        Self { tag, bundle, fallback: None }
    }

    /// Adds the English catalogue as the fallback for sentences that this language lacks.
    fn or(self, english: impl FnOnce() -> Arc<Self>) -> Self {
        let fallback = (self.tag != LANGUAGE_TAGS[0]).then(english);
        Self { fallback, ..self }
    }

    /// Tag of the language, such as `pt-BR`.
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// Returns whether this language itself, without the English fallback, has the sentence `id`.
    pub fn is_translated(&self, id: &str) -> bool {
        self.pattern(id).is_some()
    }

    /// Returns whether this language or English has the sentence `id`.
    pub fn has(&self, id: &str) -> bool {
        self.pattern(id).is_some() || self.fallback.as_ref().is_some_and(|english| english.has(id))
    }

    /// Formats the sentence `id`; `message.attribute` names an attribute of a message.
    ///
    /// Returns the id itself if no language has the sentence.
    pub fn text(&self, id: &str, values: &[CatalogueValue<'_>]) -> String {
        self.say_with(id, values.iter().map(|(name, value)| (*name, value.clone())))
    }

    pub(crate) fn say_with<'a>(&self, id: &str, values: impl IntoIterator<Item = (&'a str, FluentValue<'a>)>) -> String {
        let Some(pattern) = self.pattern(id) else {
            return self.fallback.as_ref().map_or_else(|| id.to_owned(), |english| english.say_with(id, values));
        };
        let given: FluentArgs<'_> = values.into_iter().collect();
        // A sentence with a missing value is still better than no sentence.
        self.bundle.format_pattern(pattern, Some(&given), &mut Vec::new()).into_owned()
    }

    /// Returns the sorted names of the placeholders of the sentence `id`.
    ///
    /// Returns `None` if neither this language nor English has the sentence.
    pub fn gaps(&self, id: &str) -> Option<Vec<String>> {
        let Some(pattern) = self.pattern(id) else { return self.fallback.as_ref()?.gaps(id) };
        let mut names = Vec::new();
        self.collect_gaps(pattern, &mut names);
        names.sort_unstable();
        names.dedup();
        Some(names)
    }

    /// Returns the names of the attributes of a message in this language.
    pub(crate) fn attributes(&self, message: &str) -> Vec<&str> {
        let found = self.bundle.get_message(message);
        found.map(|found| found.attributes().map(|attribute| attribute.id()).collect()).unwrap_or_default()
    }

    fn collect_gaps(&self, pattern: &Pattern<&str>, names: &mut Vec<String>) {
        for element in &pattern.elements {
            let PatternElement::Placeable { expression } = element else { continue };
            match expression {
                Expression::Inline(inline) => self.collect_inline(inline, names),
                Expression::Select { selector, variants } => {
                    self.collect_inline(selector, names);
                    variants.iter().for_each(|variant| self.collect_gaps(&variant.value, names));
                }
            }
        }
    }

    /// Collects placeholder names; a reference to another message contributes the placeholders of that message.
    fn collect_inline(&self, expression: &InlineExpression<&str>, names: &mut Vec<String>) {
        match expression {
            InlineExpression::VariableReference { id } => names.push(id.name.to_owned()),
            InlineExpression::MessageReference { id, attribute } => {
                let id =
                    attribute.as_ref().map_or_else(|| id.name.to_owned(), |attribute| format!("{}.{}", id.name, attribute.name));
                if let Some(pattern) = self.pattern(&id) {
                    self.collect_gaps(pattern, names);
                }
            }
            _ => {}
        }
    }

    fn pattern(&self, id: &str) -> Option<&Pattern<&str>> {
        let (message, attribute) = id.split_once('.').map_or((id, None), |(message, attribute)| (message, Some(attribute)));
        let found = self.bundle.get_message(message)?;
        match attribute {
            None => found.value(),
            Some(attribute) => found.get_attribute(attribute).map(|found| found.value()),
        }
    }
}

/// Returns the Fluent source of the messages of the language `tag`.
///
/// Returns the English source for an unknown tag.
pub fn sentences(tag: &str) -> &'static str {
    let [.., messages] = files(tag).sentences;
    messages
}

/// Returns the English catalogue, which is used for logs and scripts.
pub(crate) fn english() -> &'static Catalogue {
    &ENGLISH
}

pub(crate) fn english_handle() -> Arc<Catalogue> {
    Arc::clone(&ENGLISH)
}

/// Returns the files of the language `tag`; those of English for an unknown tag.
fn files(tag: &str) -> &'static LanguageFiles {
    LANGUAGES.iter().find(|language| language.tag == tag).unwrap_or(&LANGUAGES[0])
}

pub(crate) fn identifier(tag: &str) -> LanguageIdentifier {
    tag.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_uses_its_plural_forms_for_counts() {
        let files = |tag, count: u32| Catalogue::new(tag).text("n-files", &[("count", count.into())]);
        assert_eq!([1, 2, 5, 21].map(|count| files("ru", count)), ["1 файл", "2 файла", "5 файлов", "21 файл"]);
        let arabic = [0, 1, 2, 3, 11, 100].map(|count| files("ar", count).replace(['\u{2068}', '\u{2069}'], ""));
        assert_eq!(arabic, ["لا ملفات", "ملف واحد", "ملفان", "3 ملفات", "11 ملفًا", "100 ملف"]);
        assert_eq!(files("fr", 0), "0 fichier");
    }

    #[test]
    fn files_of_every_language_parse_without_errors() {
        for LanguageFiles { tag, sentences, help } in LANGUAGES {
            for source in sentences.iter().chain([help]) {
                let read = FluentResource::try_new((*source).to_owned());
                assert!(read.is_ok(), "{tag}: {:?}", read.err().map(|(_, errors)| errors));
            }
        }
    }

    #[test]
    fn unknown_language_uses_english_sentences() {
        assert!(sentences("de").contains("message-dns = ") && sentences("de") != sentences("en"));
        assert_eq!(sentences("tlh"), sentences("en"));
    }

    #[test]
    fn terminal_catalogue_contains_no_direction_marks() {
        let percent = |catalogue: Catalogue| catalogue.text("percent", &[("percent", 7.into())]);
        assert!(percent(Catalogue::new("ar")).contains(MARKS));
        assert_eq!(percent(Catalogue::for_terminal("ar")).replace('٪', "%"), "7%");
    }

    #[test]
    fn unknown_message_id_is_returned_unchanged() {
        assert_eq!(Catalogue::new("en").text("no-such.thing", &[]), "no-such.thing");
    }
}
