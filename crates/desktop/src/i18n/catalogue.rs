//! Sentences of the desktop program in the chosen language.
//!
//! The Fluent files of `locales/` are compiled in and shared with the page. A process has one language, as it has one
//! locale.

use std::sync::{Arc, PoisonError, RwLock};

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle, types::FluentNumber};
use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use unic_langid::LanguageIdentifier;

/// Argument of a sentence.
pub type MessageValue<'a> = (&'static str, FluentValue<'a>);

macro_rules! compiled_in {
    ($($tag:literal),*) => {
        &[$(($tag, [
            include_str!(concat!("../../../../locales/", $tag, "/common.ftl")),
            include_str!(concat!("../../../../locales/", $tag, "/shell.ftl")),
            include_str!(concat!("../../../../locales/", $tag, "/messages.ftl")),
        ])),*]
    };
}

/// Languages by tag. The first one is the default, and the fallback for missing sentences.
const LANGUAGES: &[(&str, [&str; 3])] = compiled_in!["en", "de", "es", "fr", "pt-BR", "ru", "ar", "hi", "zh-CN", "ja"];

static CURRENT: RwLock<Option<Arc<MessageCatalogue>>> = RwLock::new(None);

/// Sentences of one language.
pub struct MessageCatalogue {
    tag: &'static str,
    bundle: FluentBundle<FluentResource>,
    below: Option<Arc<Self>>,
}

/// Sets the language from a setting: `auto`, or a language tag. Returns whether the language changed.
pub fn speak(setting: &str) -> bool {
    let asked = wanted(|name| std::env::var(name).ok());
    let tag = tag_of(setting, &asked);
    let mut current = CURRENT.write().unwrap_or_else(PoisonError::into_inner);
    let is_other = current.as_ref().map_or(LANGUAGES[0].0, |current| current.tag) != tag;
    if is_other || current.is_none() {
        *current = Some(Arc::new(MessageCatalogue::new(tag)));
    }
    is_other
}

/// Returns the catalogue of the current language.
pub fn current() -> Arc<MessageCatalogue> {
    if let Some(current) = &*CURRENT.read().unwrap_or_else(PoisonError::into_inner) {
        return Arc::clone(current);
    }
    let english = Arc::new(MessageCatalogue::new(LANGUAGES[0].0));
    Arc::clone(CURRENT.write().unwrap_or_else(PoisonError::into_inner).get_or_insert(english))
}

/// Returns the sentence `id` in the current language; `message.attribute` selects an attribute.
pub fn say(id: &str, values: &[MessageValue<'_>]) -> String {
    current().say(id, values)
}

impl MessageCatalogue {
    /// Returns the catalogue of a language in [`LANGUAGES`].
    pub fn new(tag: &'static str) -> Self {
        let language = identifier(tag);
        let is_turned = language.character_direction() == unic_langid::CharacterDirection::RTL;
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        bundle.set_use_isolating(is_turned);
        bundle.set_formatter(Some(formatter(tag)));
        let sources = LANGUAGES.iter().find(|(known, _)| *known == tag).map_or(&[] as &[&str], |(_, sources)| sources);
        for source in sources {
            // Keep the rest of a file with errors; a test finds such errors.
            let resource = FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(resource, _)| resource);
            let _ = bundle.add_resource(resource);
        }
        let below = (tag != LANGUAGES[0].0).then(|| Arc::new(Self::new(LANGUAGES[0].0)));
        Self { tag, bundle, below }
    }

    /// Returns the language tag.
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// Returns the sentence `id`, or the id itself if no language has the sentence.
    pub fn say(&self, id: &str, values: &[MessageValue<'_>]) -> String {
        let (message, attribute) = id.split_once('.').map_or((id, None), |(message, attribute)| (message, Some(attribute)));
        let found = self.bundle.get_message(message);
        let pattern = found.and_then(|found| match attribute {
            None => found.value(),
            Some(attribute) => found.get_attribute(attribute).map(|found| found.value()),
        });
        let Some(pattern) = pattern else {
            return self.below.as_ref().map_or_else(|| id.to_owned(), |below| below.say(id, values));
        };
        let mut given = FluentArgs::with_capacity(values.len());
        for (name, value) in values {
            given.set(*name, value.clone());
        }
        // Ignore errors: a sentence with a missing argument is better than none.
        self.bundle.format_pattern(pattern, Some(&given), &mut Vec::new()).into_owned()
    }
}

/// Formats `number` for the current language, with `digits` decimal places.
pub fn decimal(number: f64, digits: usize) -> String {
    let plain = format!("{number:.digits$}");
    match current().tag {
        "de" | "es" | "fr" | "pt-BR" | "ru" => plain.replace('.', ","),
        _ => plain,
    }
}

/// Returns the languages that the environment asks for, the preferred first. `C` and `POSIX` ask for none.
fn wanted(variable: impl Fn(&str) -> Option<String>) -> Vec<LanguageIdentifier> {
    let variable = |name| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(variable);
    let Some(locale) = locale.filter(|locale| !matches!(bare(locale), "C" | "POSIX")) else { return Vec::new() };
    let languages = variable("LANGUAGE").unwrap_or_default();
    languages.split(':').chain([locale.as_str()]).filter_map(|one| bare(one).replace('_', "-").parse().ok()).collect()
}

/// Returns `de_AT` for `de_AT.UTF-8@euro`.
fn bare(locale: &str) -> &str {
    locale.split(['.', '@']).next().unwrap_or(locale)
}

fn tag_of(setting: &str, wanted: &[LanguageIdentifier]) -> &'static str {
    if let Some((tag, _)) = LANGUAGES.iter().find(|(tag, _)| *tag == setting) {
        return tag;
    }
    let known: Vec<_> = LANGUAGES.iter().map(|(tag, _)| identifier(tag)).collect();
    let found = negotiate_languages(wanted, &known, known.first(), NegotiationStrategy::Lookup);
    let place = found.first().and_then(|best| known.iter().position(|one| one == *best)).unwrap_or(0);
    LANGUAGES[place].0
}

fn identifier(tag: &str) -> LanguageIdentifier {
    tag.parse().unwrap_or_default()
}

type Formatter<Memoizer> = fn(&FluentValue<'_>, &Memoizer) -> Option<String>;

/// Returns the function that formats whole numbers in a language. The bundle requires a function that captures nothing.
fn formatter<Memoizer>(tag: &str) -> Formatter<Memoizer> {
    match tag {
        "de" | "pt-BR" => |value, _| whole(value).map(|digits| grouped(&digits, ".", 3)),
        "es" => |value, _| whole(value).map(|digits| if digits.len() > 4 { grouped(&digits, ".", 3) } else { digits }),
        "fr" => |value, _| whole(value).map(|digits| grouped(&digits, "\u{202F}", 3)),
        "ru" => |value, _| whole(value).map(|digits| grouped(&digits, "\u{A0}", 3)),
        "hi" => |value, _| whole(value).map(|digits| grouped(&digits, ",", 2)),
        _ => |value, _| whole(value).map(|digits| grouped(&digits, ",", 3)),
    }
}

fn whole(value: &FluentValue<'_>) -> Option<String> {
    match value {
        FluentValue::Number(FluentNumber { value, .. }) if value.fract() == 0.0 && *value >= 0.0 => Some(format!("{value:.0}")),
        _ => None,
    }
}

/// Groups digits: the last three form one group, those before them groups of `size`.
fn grouped(digits: &str, sign: &str, size: usize) -> String {
    let Some(first) = digits.len().checked_sub(3).filter(|first| *first > 0) else { return digits.to_owned() };
    let (head, tail) = digits.split_at(first);
    let head: Vec<&str> = head.as_bytes().rchunks(size).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    format!("{}{sign}{tail}", head.join(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_comes_from_setting_else_environment() {
        let of = |variables: &[(&str, &str)]| {
            let found = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            wanted(found).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of(&[("LANG", "de_AT.UTF-8@euro")]), ["de-AT"]);
        assert_eq!(of(&[("LANGUAGE", "pt_BR:fr"), ("LANG", "en_GB.UTF-8")]), ["pt-BR", "fr", "en-GB"]);
        assert_eq!(of(&[("LC_ALL", ""), ("LC_MESSAGES", "ja_JP.UTF-8"), ("LANG", "de_DE.UTF-8")]), ["ja-JP"]);
        assert!(of(&[("LANGUAGE", "de"), ("LANG", "C.UTF-8")]).is_empty() && of(&[]).is_empty());
        let asked = |tag: &str| tag_of("auto", &[identifier("xx"), identifier(tag)]);
        assert_eq!(["de-AT", "pt-PT", "zh-Hans-SG", "ar-EG", "eo"].map(asked), ["de", "pt-BR", "zh-CN", "ar", "en"]);
        assert_eq!((tag_of("ja", &[identifier("de")]), tag_of("xx", &[])), ("ja", "en"));
    }

    #[test]
    fn numbers_are_grouped_as_in_each_language() {
        let shown = ["7", "999", "1000", "1234567"].map(|digits| grouped(digits, ",", 3));
        assert_eq!(shown, ["7", "999", "1,000", "1,234,567"]);
        assert_eq!(
            ["1000", "1234567", "123456789"].map(|digits| grouped(digits, ",", 2)),
            ["1,000", "12,34,567", "12,34,56,789"]
        );
        let waiting = |tag| MessageCatalogue::new(tag).say("totals-waiting", &[("count", 12_345.into())]);
        assert_eq!(
            (waiting("en"), waiting("de"), waiting("ru")),
            ("12,345 waiting".to_owned(), "12.345 warten".to_owned(), "в ожидании: 12\u{A0}345".to_owned())
        );
        assert_eq!(MessageCatalogue::new("es").say("totals-waiting", &[("count", 1234.into())]), "1234 en espera");
    }

    #[test]
    fn plural_form_follows_rules_of_language() {
        let files = |tag, count: u32| MessageCatalogue::new(tag).say("n-files", &[("count", count.into())]);
        assert_eq!([1, 2, 5, 21].map(|count| files("ru", count)), ["1 файл", "2 файла", "5 файлов", "21 файл"]);
        let arabic = [0, 1, 2, 3, 11, 100].map(|count| files("ar", count).replace(['\u{2068}', '\u{2069}'], ""));
        assert_eq!(arabic, ["لا ملفات", "ملف واحد", "ملفان", "3 ملفات", "11 ملفًا", "100 ملف"]);
        assert_eq!(files("fr", 0), "0 fichier");
    }

    #[test]
    fn every_locale_file_parses_without_errors() {
        for (tag, sources) in LANGUAGES {
            for source in sources {
                let read = FluentResource::try_new((*source).to_owned());
                assert!(read.is_ok(), "{tag}: {:?}", read.err().map(|(_, errors)| errors));
            }
        }
    }

    #[test]
    fn missing_sentence_is_shown_as_its_id() {
        assert_eq!(MessageCatalogue::new("en").say("no-such.thing", &[]), "no-such.thing");
    }
}
