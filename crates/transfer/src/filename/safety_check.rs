//! Asserts the rules of safe file names, for tests and fuzzers.

use unicode_normalization::UnicodeNormalization as _;

use crate::filename::{
    partial_name::{JOURNAL_ENDING, tag_of_partial},
    sanitize::{JOINER, LONGEST, NON_JOINER, is_device, is_invisible, is_ours, safe},
};

/// Asserts that a chosen name follows the rules of safe file names.
#[cfg(debug_assertions)]
pub(crate) fn assert_is_safe(name: &str) {
    use std::path::{Component, Path};

    let mut components = Path::new(name).components();
    let is_inside = matches!((components.next(), components.next()), (Some(Component::Normal(one)), None) if one == name);
    assert!(is_inside, "{name:?} leaves its folder");
    assert!(name.len() <= LONGEST, "{} bytes", name.len());
    assert!(!name.contains(['/', '\\', '\0', ':', '*', '?', '"', '<', '>', '|']), "{name:?}");
    assert!(!name.starts_with(['.', '-', ' ', '~']) && !name.ends_with(['.', ' ']), "{name:?}");
    let is_joiner = |letter: char| matches!(letter, JOINER | NON_JOINER);
    assert!(!name.chars().any(|letter| is_invisible(letter) && !is_joiner(letter)), "{name:?}");
    assert!(!name.ends_with(is_joiner) && !name.starts_with(is_joiner), "{name:?}");
    assert!(!is_device(name) && !is_ours(name), "{name:?}");
    assert!(name.nfc().eq(name.chars()), "{name:?} is not composed");
    assert_eq!(safe(name).as_deref(), Some(name), "safe twice is safe once");
    for made in [crate::filename::name::numbered(name, 1), crate::filename::name::numbered(name, 99_999)] {
        assert!(made.len() <= 255 && !is_ours(&made), "{made:?}");
    }
    let made = crate::filename::name::partial(name, "0123abcd");
    assert!(made.len() + JOURNAL_ENDING.len() <= 255, "{made:?}");
    assert_eq!(tag_of_partial(&made), Some("0123abcd"));
}
