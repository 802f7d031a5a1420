//! Paths as text, for the ledger and for what crosses the border of the program. [pure]
//!
//! - A path in UTF-8 is its own text, so that every tool can read it.
//! - Any other is a URL (RFC 8089) with its bytes percent-encoded: `file:///home/kim/Ger%E4t`. Nothing is lost, and text that
//!   looks so and stands for UTF-8 is a path of that name.

use std::{
    borrow::Cow,
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::{Deserialize, Deserializer, Serializer};

const START: &str = "file://";
/// Bytes beyond ASCII are encoded as well.
const ENCODED: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#').add(b' ');

/// The text that stands for `path`.
pub fn to_text(path: &Path) -> Cow<'_, str> {
    match path.to_str() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(format!("{START}{}", percent_encode(path.as_os_str().as_bytes(), ENCODED))),
    }
}

/// The path that `text` stands for.
pub fn from_text(text: &str) -> PathBuf {
    let encoded = text.strip_prefix(START).filter(|rest| rest.starts_with('/'));
    let bytes = encoded.map(|rest| percent_decode_str(rest).collect::<Vec<u8>>());
    match bytes.filter(|bytes| std::str::from_utf8(bytes).is_err()) {
        Some(bytes) => PathBuf::from(OsString::from_vec(bytes)),
        None => PathBuf::from(text),
    }
}

/// For `#[serde(with)]`: a path as its text.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_text(path))
}

/// For `#[serde(with)]`: the path of a text.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(from_text(&Cow::<'de, str>::deserialize(deserializer)?))
}

/// The same for a path that may be missing.
pub mod option {
    use super::*;

    /// A path as its text.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => serializer.serialize_some(&to_text(path)),
            None => serializer.serialize_none(),
        }
    }

    /// The path of a text.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<String>::deserialize(deserializer)?.map(|text| from_text(&text)))
    }
}

/// The same for several.
pub mod list {
    use super::*;

    /// Paths as their texts.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| to_text(path)))
    }

    /// The paths of texts.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.iter().map(|text| from_text(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(bytes: &[u8]) -> PathBuf {
        PathBuf::from(OsString::from_vec(bytes.to_vec()))
    }

    #[test]
    fn path_in_utf_8_is_its_own_text_and_any_other_is_encoded() {
        for same in ["/home/kim/Gerät", "relative", "/a%20b", "file:///home/kim", "file:///home/%C3%A4", "/new\nline"] {
            assert_eq!((to_text(Path::new(same)).as_ref(), from_text(same)), (same, PathBuf::from(same)));
        }
        assert_eq!(to_text(&path(b"/home/Ger\xe4t/a b%")), "file:///home/Ger%E4t/a%20b%25");
        assert_eq!(from_text("file:///home/Ger%E4t/a%20b%25"), path(b"/home/Ger\xe4t/a b%"));
    }

    proptest! {
        #[test]
        fn every_absolute_path_comes_back(bytes in prop::collection::vec(1..=255_u8, 0..40)) {
            let original = path(&[b"/", bytes.as_slice()].concat());
            prop_assert_eq!(from_text(&to_text(&original)), original);
        }
    }
}
