//! Defines the order of a listing, and encodes the position of its next page. [pure]
//!
//! Clients must not interpret the encoded position.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::is_id;

/// Order of a listing. Rows with equal keys are sorted by id in the same direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    /// Newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
    /// Highest sort index first; objects without a sort index last.
    Index,
}

/// Last row of the previous page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListOffset {
    /// Sort key of the row: time in milliseconds, or the sort index.
    pub key: i64,
    /// Id of the row. It determines the order of rows with equal keys.
    pub id: String,
}

impl ListOffset {
    /// Returns the offset as text for a header and a query.
    pub fn write(&self, sort: SortOrder) -> String {
        URL_SAFE_NO_PAD.encode(format!("{}{}:{}", letter(sort), self.key, self.id))
    }

    /// Parses an offset.
    ///
    /// Returns `None` for text that this server never issues for a listing in this order.
    pub fn read(text: &str, sort: SortOrder) -> Option<Self> {
        let decoded = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let (key, id) = decoded.strip_prefix(letter(sort))?.split_once(':')?;
        let key: i64 = key.parse().ok()?;
        let offset = Self { key, id: id.to_owned() };
        // Accept only the canonical text, because a number can be written in several ways.
        (is_id(id) && offset.write(sort) == text).then_some(offset)
    }
}

fn letter(sort: SortOrder) -> char {
    match sort {
        SortOrder::Newest => 'n',
        SortOrder::Oldest => 'o',
        SortOrder::Index => 'i',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offset_survives_round_trip_but_forged_offset_is_rejected() {
        let offset = ListOffset { key: -5, id: "a:b ~".to_owned() };
        for sort in [SortOrder::Newest, SortOrder::Oldest, SortOrder::Index] {
            assert_eq!(ListOffset::read(&offset.write(sort), sort), Some(offset.clone()));
        }
        assert_eq!(ListOffset::read(&offset.write(SortOrder::Newest), SortOrder::Oldest), None);
        for forged in ["", "2", "n5:a", "!!!!", &URL_SAFE_NO_PAD.encode("n+5:a"), &URL_SAFE_NO_PAD.encode("n5:")] {
            assert_eq!(ListOffset::read(forged, SortOrder::Newest), None, "{forged}");
        }
    }
}
