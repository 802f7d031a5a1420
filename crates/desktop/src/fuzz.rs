//! Properties of foreign text in notifications and in sentences. Used by tests and fuzzers, not in release builds.

use std::sync::LazyLock;

use ashore_engine::{fuzz::FuzzProperty, is_invisible};
use ashore_messages::{Catalogue, LANGUAGE_TAGS, UserMessage, message};

use crate::i18n::{first_sentence::first, plain_text};

/// Fuzz properties with their names.
pub const PROPERTIES: &[(&str, FuzzProperty)] = &[("notification-text", notification_text), ("sentence", sentence)];

/// Maximum number of characters in a notification.
const LONGEST: usize = 100;

static LANGUAGES: LazyLock<[Catalogue; LANGUAGE_TAGS.len()]> = LazyLock::new(|| LANGUAGE_TAGS.map(Catalogue::new));

/// Checks that any text becomes one short line without invisible characters, and that its escaped form has no markup.
fn notification_text(data: &[u8]) {
    let plain = plain_text::plain(&String::from_utf8_lossy(data));
    assert!(plain.chars().count() <= LONGEST, "{plain:?}");
    assert!(!plain.chars().any(is_invisible), "{plain:?}");
    assert_eq!(plain.trim(), plain);
    assert_eq!(plain_text::plain(&plain), plain, "plain text is unchanged");
    let escaped = plain_text::escaped(&plain);
    assert!(!escaped.contains(['<', '>', '"', '\'']), "{escaped:?}");
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    let shown = entities.into_iter().fold(escaped, |text, (entity, character)| text.replace(entity, character));
    assert_eq!(shown, plain);
}

/// Checks that every language shows an argument of a sentence unchanged.
///
/// An argument may contain catalogue syntax, which must not be interpreted.
fn sentence(data: &[u8]) {
    let gap = String::from_utf8_lossy(data).into_owned();
    let refused = message!("bad-status.status", status = &gap);
    let unknown = UserMessage { code: "no-such-code".to_owned(), text: gap.clone(), ..refused.clone() };
    for catalogue in &*LANGUAGES {
        let said = catalogue.text("note-group", &[("owner", gap.clone().into())]);
        assert!(said.contains(&gap), "{}: {said:?}", catalogue.tag());
        let said = refused.render(catalogue);
        assert!(said.contains(&gap), "{}: {said:?}", catalogue.tag());
        assert_eq!(unknown.render(catalogue), gap);
        assert!(said.starts_with(first(&said)));
    }
}
