//! Quotas by owner and kind of file.

use std::{fmt, str::FromStr};

use ashore_messages::{UserMessage, message};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum FileCategory {
    /// Films and clips.
    Video,
    /// Music and speech.
    Music,
    /// Images.
    Picture,
    /// Documents to read.
    Document,
    /// Archives of files.
    Archive,
    /// Programs, packages and disk images.
    Program,
    /// All other files.
    Other,
}

impl FileCategory {
    /// All kinds, in the order in which they are displayed.
    pub const ALL: [Self; 7] =
        [Self::Video, Self::Music, Self::Picture, Self::Document, Self::Archive, Self::Program, Self::Other];

    /// Stable identifier of the kind, for use by programs.
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
    type Err = UserMessage;

    fn from_str(text: &str) -> Result<Self, UserMessage> {
        let named = |category: &Self| {
            let word = category.word();
            text.eq_ignore_ascii_case(word) || text.strip_suffix('s').is_some_and(|one| one.eq_ignore_ascii_case(word))
        };
        let refused = || message!("invalid.category", value = text, meant = Self::ALL.map(Self::word).join(", "));
        Self::ALL.into_iter().find(named).ok_or_else(refused)
    }
}

/// Owner and kind of file to which a quota applies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct QuotaScope {
    /// Owner of the counted files; `None` for all owners together.
    pub owner: Option<String>,
    /// Kind of the counted files; `None` for all kinds together.
    pub category: Option<FileCategory>,
}

/// Usage and limits of a scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OwnerQuota {
    /// Scope of the quota.
    pub scope: QuotaScope,
    /// Maximum number of bytes; `None` for no maximum.
    #[ts(type = "number | null")]
    pub bytes: Option<u64>,
    /// Maximum number of files; `None` for no maximum.
    #[ts(type = "number | null")]
    pub files: Option<u64>,
    /// Bytes on disk, plus the bytes that running transfers are known to need.
    #[ts(type = "number")]
    pub used_bytes: u64,
    /// Number of files that are complete, partial or being transferred.
    #[ts(type = "number")]
    pub used_files: u64,
}

/// Owner and kind of the counted files. `None` stands for all owners, or all kinds, together.
pub(crate) type OwnerScopeKey = (Option<i64>, Option<FileCategory>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_kind_is_parsed_in_singular_or_plural() {
        for (text, kind) in
            [("video", FileCategory::Video), ("Pictures", FileCategory::Picture), ("ARCHIVE", FileCategory::Archive)]
        {
            assert_eq!(text.parse(), Ok(kind));
        }
        let refused = "film".parse::<FileCategory>().unwrap_err().text;
        assert!(refused.contains("\"film\"") && refused.contains("video, music"), "{refused}");
    }
}
