//! Converts paths to text, for the ledger and for other programs. [pure]
//!
//! - A UTF-8 path is stored unchanged, so that every tool can read it.
//! - Any other path becomes a URL (RFC 8089) with percent-encoded bytes, such as `file:///home/kim/Ger%E4t`, so that
//!   nothing is lost. A text that looks like such a URL but decodes to UTF-8 is an unchanged path.

use std::{
    borrow::Cow,
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::{Deserialize, Deserializer, Serializer};

const START: &str = "file://";
/// Characters that are encoded, in addition to all bytes beyond ASCII.
const ENCODED: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#').add(b' ');

/// Returns the text form of `path`.
pub fn to_text(path: &Path) -> Cow<'_, str> {
    match path.to_str() {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(format!("{START}{}", percent_encode(path.as_os_str().as_bytes(), ENCODED))),
    }
}

/// Returns the path whose text form is `text`.
pub fn from_text(text: &str) -> PathBuf {
    let encoded = text.strip_prefix(START).filter(|rest| rest.starts_with('/'));
    let bytes = encoded.map(|rest| percent_decode_str(rest).collect::<Vec<u8>>());
    match bytes.filter(|bytes| std::str::from_utf8(bytes).is_err()) {
        Some(bytes) => PathBuf::from(OsString::from_vec(bytes)),
        None => PathBuf::from(text),
    }
}

/// For `#[serde(with)]`: writes a path as text.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_text(path))
}

/// For `#[serde(with)]`: reads a path from text.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(from_text(&Cow::<'de, str>::deserialize(deserializer)?))
}

/// Conversion of an optional path to and from text.
pub mod option {
    use super::*;

    /// Writes an optional path as text.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => serializer.serialize_some(&to_text(path)),
            None => serializer.serialize_none(),
        }
    }

    /// Reads an optional path from text.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<String>::deserialize(deserializer)?.map(|text| from_text(&text)))
    }
}

/// Conversion of a list of paths to and from text.
pub mod list {
    use super::*;

    /// Writes paths as texts.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| to_text(path)))
    }

    /// Reads paths from texts.
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
    fn utf_8_path_is_written_unchanged_and_any_other_path_is_encoded() {
        for same in ["/home/kim/Gerät", "relative", "/a%20b", "file:///home/kim", "file:///home/%C3%A4", "/new\nline"] {
            assert_eq!((to_text(Path::new(same)).as_ref(), from_text(same)), (same, PathBuf::from(same)));
        }
        assert_eq!(to_text(&path(b"/home/Ger\xe4t/a b%")), "file:///home/Ger%E4t/a%20b%25");
        assert_eq!(from_text("file:///home/Ger%E4t/a%20b%25"), path(b"/home/Ger\xe4t/a b%"));
    }

    proptest! {
        #[test]
        fn absolute_path_survives_round_trip(bytes in prop::collection::vec(1..=255_u8, 0..40)) {
            let original = path(&[b"/", bytes.as_slice()].concat());
            prop_assert_eq!(from_text(&to_text(&original)), original);
        }
    }
}
