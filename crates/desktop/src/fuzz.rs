//! Properties of foreign text that a desktop shows, and of sentences that contain such text. Used by tests and fuzzers,
//! not in release builds.

use std::sync::LazyLock;

use ashore_engine::{fuzz::FuzzProperty, is_invisible};

use crate::i18n::{catalogue::MessageCatalogue, engine_messages, format};

/// Properties by name.
pub const PROPERTIES: &[(&str, FuzzProperty)] = &[("notification-text", notification_text), ("sentence", sentence)];

/// Maximum number of characters in a notification.
const LONGEST: usize = 100;

static LANGUAGES: LazyLock<Vec<MessageCatalogue>> = LazyLock::new(|| {
    ["en", "de", "es", "fr", "pt-BR", "ru", "ar", "hi", "zh-CN", "ja"].into_iter().map(MessageCatalogue::new).collect()
});

/// Checks that text becomes one short line without invisible characters, and that its escaped form has no markup.
fn notification_text(data: &[u8]) {
    let plain = format::plain(&String::from_utf8_lossy(data));
    assert!(plain.chars().count() <= LONGEST, "{plain:?}");
    assert!(!plain.chars().any(is_invisible), "{plain:?}");
    assert_eq!(plain.trim(), plain);
    assert_eq!(format::plain(&plain), plain, "what is plain stays as it is");
    let escaped = format::escaped(&plain);
    assert!(!escaped.contains(['<', '>', '"', '\'']), "{escaped:?}");
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    let shown = entities.into_iter().fold(escaped, |text, (entity, character)| text.replace(entity, character));
    assert_eq!(shown, plain);
}

/// Checks that every language shows an argument unchanged, and never takes it for a part of the catalogue.
fn sentence(data: &[u8]) {
    let gap = String::from_utf8_lossy(data).into_owned();
    for catalogue in &*LANGUAGES {
        let said = catalogue.say("note-group", &[("owner", gap.clone().into())]);
        assert!(said.contains(&gap), "{}: {said:?}", catalogue.tag());
        let trouble = format!("The server refused with status {gap}. Check the link.");
        let said = engine_messages::translated(catalogue, "bad-status", &trouble);
        assert!(said.contains(&gap), "{}: {said:?}", catalogue.tag());
        assert_eq!(engine_messages::translated(catalogue, "no-such-code", &gap), gap);
        let first = engine_messages::first(&said);
        assert!(said.starts_with(first));
    }
}
