//! The names of partial files and journals. [pure]

/// Suffix of a journal's name after the name of its partial.
pub(crate) const JOURNAL_ENDING: &str = ".ashore";

/// Suffix of the name of a partial that was set aside.
pub(crate) const ASIDE_ENDING: &str = ".old";

/// The tag in the name of a partial; none when it is no partial of ours.
pub(crate) fn tag_of_partial(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".part")?;
    let (_, tag) = stem.rsplit_once('.')?;
    let is_tag = tag.len() == 8 && tag.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_tag.then_some(tag)
}
