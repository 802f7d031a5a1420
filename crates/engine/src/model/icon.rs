//! Icons of a registration, in the form of Background Fetch's `ImageResource`. [pure]
//!
//! `icons` checks icons, the ledger stores them, and [`best_icon`] chooses an icon for a place on the screen.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Maximum side length, in pixels, of an icon in a notification or in a row of the list.
pub(crate) const SHOWN_SIDE: u32 = 128;

/// Image of a registration. All fields except `src` are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export, optional_fields)]
pub struct ImageResource {
    /// Image file, as an absolute local path.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub src: PathBuf,
    /// Sizes in pixels, such as `48x48 96x96`, or `any`. If empty, the sizes are read from the file, provided that its
    /// format states them.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[ts(as = "Option<String>", optional)]
    pub sizes: String,
    /// Media type, such as `image/png`. If empty, the type is determined from the file.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    #[ts(as = "Option<String>", optional)]
    pub media_type: String,
    /// Text for people who cannot see the image.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[ts(as = "Option<String>", optional)]
    pub label: String,
}

/// New title, description and icons of a registration. A field that is `None` keeps the present value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotificationIcon {
    /// The title.
    pub title: Option<String>,
    /// Text that describes the download, beside its title.
    pub description: Option<String>,
    /// Complete list of icons, which replaces the previous list. An empty list removes all icons.
    pub icons: Option<Vec<ImageResource>>,
}

impl ImageResource {
    /// Returns an icon with only the file `src`.
    pub fn from_source(src: impl Into<PathBuf>) -> Self {
        Self { src: src.into(), ..Self::default() }
    }

    /// Returns the shorter side of each size in pixels. `any` counts as the largest size.
    ///
    /// Skips words that are not sizes, as in the `sizes` attribute of HTML.
    fn sides(&self) -> impl Iterator<Item = u32> {
        self.sizes.split_ascii_whitespace().filter_map(|size| {
            if size.eq_ignore_ascii_case("any") {
                return Some(u32::MAX);
            }
            let (width, height) = size.split_once(['x', 'X'])?;
            Some(width.parse::<u32>().ok()?.min(height.parse().ok()?))
        })
    }

    /// Returns the score of the image for a place of `side` pixels. Higher is better.
    fn fitness(&self, side: u32) -> (u8, u32) {
        let fitness = |own: u32| match own {
            // The image can be scaled to any size.
            u32::MAX => (3, 1),
            // Of images that are too large, the smallest one looks sharpest after it is scaled down.
            own if own >= side => (3, u32::MAX - own),
            own => (1, own),
        };
        self.sides().map(fitness).max().unwrap_or((2, 0))
    }
}

/// Returns the best icon for a place of `side` pixels; `None` for an empty list.
///
/// Prefers the smallest icon that is large enough, then an icon of unknown size, then the largest icon. Of equally good
/// icons, the first one wins.
pub fn best_icon(icons: &[ImageResource], side: u32) -> Option<&ImageResource> {
    // `max_by_key` returns the last of equal elements.
    icons.iter().rev().max_by_key(|icon| icon.fitness(side))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn icon(src: &str, sizes: &str) -> ImageResource {
        ImageResource { sizes: sizes.to_owned(), ..ImageResource::from_source(src) }
    }

    #[test]
    fn best_icon_is_smallest_of_sufficient_size() {
        let icons = [icon("16", "16x16"), icon("512", "512x512"), icon("128", "128x128 48X48"), icon("64", "64x64")];
        let best = |side| best_icon(&icons, side).unwrap().src.to_str().unwrap().to_owned();
        assert_eq!([1, 17, 65, 128, 129, 600].map(best), ["16", "128", "128", "128", "512", "512"]);
        assert_eq!(best_icon(&[], 128), None);
    }

    #[test]
    fn icon_of_unknown_size_is_ranked_between_small_and_large_icons() {
        let vector = icon("vector", "any");
        let unknown = icon("unknown", "");
        let junk = icon("junk", "large 9 x9 axb");
        let (small, large) = (icon("small", "8x8"), icon("large", "256x256"));
        let best = |icons: &[&ImageResource]| {
            let icons: Vec<ImageResource> = icons.iter().map(|icon| (*icon).clone()).collect();
            best_icon(&icons, 128).unwrap().src.to_str().unwrap().to_owned()
        };
        assert_eq!(best(&[&small, &vector]), "vector");
        assert_eq!(best(&[&small, &unknown]), "unknown");
        assert_eq!(best(&[&unknown, &large]), "large");
        assert_eq!((best(&[&unknown, &junk]), best(&[&junk, &unknown])), ("unknown".to_owned(), "junk".to_owned()));
    }
}
