//! Defines the names of partial files and journals. [pure]

/// Suffix of a journal, after the name of its partial file.
pub(crate) const JOURNAL_ENDING: &str = ".ashore";

/// Suffix of an old partial file that a restart keeps until the download is complete.
pub(crate) const ASIDE_ENDING: &str = ".old";

/// Returns the tag in the name of a partial file of this program.
pub(crate) fn tag_of_partial(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".part")?;
    let (_, tag) = stem.rsplit_once('.')?;
    let is_tag = tag.len() == 8 && tag.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_tag.then_some(tag)
}
