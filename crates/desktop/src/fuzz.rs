//! What must hold of somebody else's text before a desktop shows it, and of sentences that such text stands in. Tests and fuzzers
//! run it; a release build has none of this.

use std::sync::LazyLock;

use ashore_engine::{fuzz::FuzzProperty, is_invisible};

use crate::i18n::{catalogue::MessageCatalogue, engine_messages, format};

/// By their names.
pub const PROPERTIES: &[(&str, FuzzProperty)] = &[("notification-text", notification_text), ("sentence", sentence)];

/// As many characters as a notification shows.
const LONGEST: usize = 100;

static LANGUAGES: LazyLock<Vec<MessageCatalogue>> = LazyLock::new(|| {
    ["en", "de", "es", "fr", "pt-BR", "ru", "ar", "hi", "zh-CN", "ja"].into_iter().map(MessageCatalogue::new).collect()
});

/// One short line without anything invisible, that no reader of markup obeys.
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

/// Whatever stands in a gap, in every language: it is shown, and nothing in it is taken for a part of the catalogue.
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
