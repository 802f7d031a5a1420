//! Language of this process. Each process has exactly one language.

use std::sync::{Arc, PoisonError, RwLock};

use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use unic_langid::LanguageIdentifier;

use crate::catalogue::{Catalogue, LANGUAGE_TAGS, english_handle, identifier};

static CURRENT: RwLock<Option<Arc<Catalogue>>> = RwLock::new(None);

/// Sets the language of this process: a tag, or `auto` for the language of the environment.
///
/// Returns true if the language changed.
pub fn set_language(setting: &str) -> bool {
    set(language_of(setting), Catalogue::new)
}

/// Sets the language of this process to the language of the environment. Sentences have no direction marks, because a
/// terminal would show these marks as characters.
pub fn set_terminal_language() {
    set(language_of("auto"), Catalogue::for_terminal);
}

fn language_of(setting: &str) -> &'static str {
    resolve(setting, &preferred_languages(|name| std::env::var(name).ok()))
}

fn set(tag: &'static str, catalogue: fn(&'static str) -> Catalogue) -> bool {
    let mut current = CURRENT.write().unwrap_or_else(PoisonError::into_inner);
    let has_changed = current.as_ref().map_or(LANGUAGE_TAGS[0], |current| current.tag()) != tag;
    if has_changed || current.is_none() {
        *current = Some(if tag == LANGUAGE_TAGS[0] { english_handle() } else { Arc::new(catalogue(tag)) });
    }
    has_changed
}

/// Returns the catalogue of the language of this process; English until a language is set.
pub fn current() -> Arc<Catalogue> {
    let current = CURRENT.read().unwrap_or_else(PoisonError::into_inner);
    current.as_ref().map_or_else(english_handle, Arc::clone)
}

/// Returns the languages that the environment requests, most preferred first.
///
/// The locale `C` requests no language.
fn preferred_languages(variable: impl Fn(&str) -> Option<String>) -> Vec<LanguageIdentifier> {
    let variable = |name| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(variable);
    let Some(locale) = locale.filter(|locale| !matches!(bare(locale), "C" | "POSIX")) else { return Vec::new() };
    let languages = variable("LANGUAGE").unwrap_or_default();
    languages.split(':').chain([locale.as_str()]).filter_map(|one| bare(one).replace('_', "-").parse().ok()).collect()
}

/// Removes encoding and modifier from a locale: `de_AT.UTF-8@euro` becomes `de_AT`.
fn bare(locale: &str) -> &str {
    locale.split(['.', '@']).next().unwrap_or(locale)
}

fn resolve(setting: &str, preferred: &[LanguageIdentifier]) -> &'static str {
    if let Some(tag) = LANGUAGE_TAGS.iter().find(|tag| **tag == setting) {
        return tag;
    }
    let known = LANGUAGE_TAGS.map(identifier);
    let found = negotiate_languages(preferred, &known, known.first(), NegotiationStrategy::Lookup);
    let index = found.first().and_then(|best| known.iter().position(|one| one == *best)).unwrap_or(0);
    LANGUAGE_TAGS[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_setting_takes_precedence_over_environment() {
        let of = |variables: &[(&str, &str)]| {
            let found = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            preferred_languages(found).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(of(&[("LANG", "de_AT.UTF-8@euro")]), ["de-AT"]);
        assert_eq!(of(&[("LANGUAGE", "pt_BR:fr"), ("LANG", "en_GB.UTF-8")]), ["pt-BR", "fr", "en-GB"]);
        assert_eq!(of(&[("LC_ALL", ""), ("LC_MESSAGES", "ja_JP.UTF-8"), ("LANG", "de_DE.UTF-8")]), ["ja-JP"]);
        assert!(of(&[("LANGUAGE", "de"), ("LANG", "C.UTF-8")]).is_empty() && of(&[]).is_empty());
        let asked = |tag: &str| resolve("auto", &[identifier("xx"), identifier(tag)]);
        assert_eq!(["de-AT", "pt-PT", "zh-Hans-SG", "ar-EG", "eo"].map(asked), ["de", "pt-BR", "zh-CN", "ar", "en"]);
        assert_eq!((resolve("ja", &[identifier("de")]), resolve("xx", &[])), ("ja", "en"));
    }
}
