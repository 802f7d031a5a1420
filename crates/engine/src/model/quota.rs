//! How much of the list may be whose, and of what kind.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A kind of file, as people sort them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum FileCategory {
    /// Films and clips.
    Video,
    /// Whatever is to be heard.
    Music,
    /// Whatever is to be looked at.
    Picture,
    /// Whatever is to be read.
    Document,
    /// Many files in one.
    Archive,
    /// Programs, packages, images of disks.
    Program,
    /// Everything else.
    Other,
}

impl FileCategory {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Video, Self::Music, Self::Picture, Self::Document, Self::Archive, Self::Program, Self::Other];

    /// The stable word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Music => "music",
            Self::Picture => "picture",
            Self::Document => "document",
            Self::Archive => "archive",
            Self::Program => "program",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for FileCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for FileCategory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = |category: &Self| {
            let word = category.word();
            text.eq_ignore_ascii_case(word) || text.strip_suffix('s').is_some_and(|one| one.eq_ignore_ascii_case(word))
        };
        let all = || Self::ALL.map(Self::word).join(", ");
        Self::ALL.into_iter().find(named).ok_or_else(|| format!("\"{text}\" is no kind of file. There are {}.", all()))
    }
}

/// Whose files of which kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct QuotaScope {
    /// Whose. None: everybody's together.
    pub owner: Option<String>,
    /// Of which kind. None: all kinds together.
    pub category: Option<FileCategory>,
}

/// How much there is in the list, and how much there may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OwnerQuota {
    /// Of what.
    pub scope: QuotaScope,
    /// So many bytes at most; none for as many as there are.
    #[ts(type = "number | null")]
    pub bytes: Option<u64>,
    /// So many files at most; none for as many as there are.
    #[ts(type = "number | null")]
    pub files: Option<u64>,
    /// Bytes that are there, and those that will come of what runs, as far as that is known.
    #[ts(type = "number")]
    pub used_bytes: u64,
    /// Files that are there, begun, or under way.
    #[ts(type = "number")]
    pub used_files: u64,
}

/// Whose, and of which kind; none for all together.
pub(crate) type OwnerScopeKey = (Option<i64>, Option<FileCategory>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_said_in_the_singular_or_the_plural_and_what_is_none_says_which_there_are() {
        for (text, kind) in
            [("video", FileCategory::Video), ("Pictures", FileCategory::Picture), ("ARCHIVE", FileCategory::Archive)]
        {
            assert_eq!(text.parse(), Ok(kind));
        }
        let refused = "film".parse::<FileCategory>().unwrap_err();
        assert!(refused.contains("\"film\"") && refused.contains("video, music"), "{refused}");
    }
}
