//! Determines the kind of a file from its extension, or else from the media type in the response. [pure]

use std::{collections::HashMap, sync::LazyLock};

use ashore_transfer::ResponseSummary;
use url::Url;

use crate::model::FileCategory;

/// Extensions that determine the kind of a file, regardless of its media type.
const ENDINGS: [(FileCategory, &str); 6] = [
    (FileCategory::Video, "3gp avi flv m2ts m4v mkv mov mp4 mpeg mpg ogv ts vob webm wmv"),
    (FileCategory::Music, "aac aif aiff alac ape flac m4a m4b mid mka mp3 oga ogg opus wav wma"),
    (FileCategory::Picture, "avif bmp cr2 gif heic heif ico jpeg jpg jxl nef png psd raw svg tif tiff webp"),
    (
        FileCategory::Document,
        "azw3 csv djvu doc docx epub htm html json md mobi odp ods odt pdf ppt pptx ps rtf tex txt xls xlsx xml",
    ),
    (FileCategory::Archive, "7z br bz2 cab gz lz lz4 lzma rar tar tbz2 tgz txz xz zip zst"),
    (FileCategory::Program, "apk appimage bin deb dmg exe flatpak img iso jar msi msix pkg qcow2 rpm snap vmdk"),
];

/// Media types that determine the kind of a file. Each entry is a whole media type or the beginning of one.
const TYPES: [(FileCategory, &[&str]); 6] = [
    (FileCategory::Video, &["video/"]),
    (FileCategory::Music, &["audio/"]),
    (FileCategory::Picture, &["image/"]),
    (
        FileCategory::Document,
        &[
            "text/",
            "application/pdf",
            "application/epub+zip",
            "application/msword",
            "application/rtf",
            "application/json",
            "application/vnd.oasis.",
            "application/vnd.openxmlformats-",
            "application/vnd.ms-",
        ],
    ),
    (
        FileCategory::Archive,
        &[
            "application/zip",
            "application/gzip",
            "application/x-gzip",
            "application/x-tar",
            "application/x-7z-",
            "application/x-xz",
            "application/x-bzip",
            "application/zstd",
            "application/vnd.rar",
        ],
    ),
    (
        FileCategory::Program,
        &[
            "application/vnd.debian.",
            "application/x-rpm",
            "application/vnd.android.",
            "application/x-iso9660-image",
            "application/x-apple-diskimage",
            "application/x-msdownload",
            "application/java-archive",
        ],
    ),
];

/// Returns the kind of a file from its name and, if known, its media type.
pub(crate) fn category_of(name: &str, media_type: Option<&str>) -> FileCategory {
    by_ending(name).or_else(|| by_type(media_type?)).unwrap_or(FileCategory::Other)
}

/// Returns the expected kind of the file at `url` before any request. Uses the extension of `name`, or else of the
/// address.
pub(crate) fn expected(url: &Url, name: Option<&str>) -> FileCategory {
    let last = || url.path_segments().and_then(|mut segments| segments.next_back());
    name.or_else(last).map_or(FileCategory::Other, |name| category_of(name, None))
}

/// Returns the most frequent of `kinds`.
///
/// Among equally frequent kinds, returns the first in the order of [`FileCategory::ALL`].
pub(crate) fn of_most(kinds: impl Iterator<Item = FileCategory>) -> FileCategory {
    let mut counts = [0_usize; FileCategory::ALL.len()];
    for kind in kinds {
        counts[kind as usize] += 1;
    }
    let there = FileCategory::ALL.into_iter().rev().filter(|kind| counts[*kind as usize] > 0);
    there.max_by_key(|kind| counts[*kind as usize]).unwrap_or(FileCategory::Other)
}

/// Returns the kind of the file in this response.
pub(crate) fn category_of_response(head: &ResponseSummary) -> FileCategory {
    let is_type = |name: &str| name.eq_ignore_ascii_case("content-type");
    let media_type = head.headers.iter().find(|(name, _)| is_type(name)).map(|(_, value)| value.as_str());
    category_of(&head.name, media_type)
}

fn by_ending(name: &str) -> Option<FileCategory> {
    /// Kind of each extension. The map is built only once, because a registration may have thousands of files.
    static KNOWN: LazyLock<HashMap<&str, FileCategory>> = LazyLock::new(|| {
        ENDINGS.iter().flat_map(|&(category, endings)| endings.split(' ').map(move |ending| (ending, category))).collect()
    });
    let (_, ending) = name.rsplit_once('.')?;
    KNOWN.get(ending.to_ascii_lowercase().as_str()).copied()
}

fn by_type(media_type: &str) -> Option<FileCategory> {
    let bare = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_one = |types: &[&str]| types.iter().any(|known| bare.starts_with(known));
    TYPES.iter().find(|(_, types)| is_one(types)).map(|(category, _)| *category)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_kind_follows_extension_before_media_type() {
        for (name, media_type, category) in [
            ("film.MKV", None, FileCategory::Video),
            ("song.flac", Some("application/octet-stream"), FileCategory::Music),
            ("photo.jpeg", Some("text/html"), FileCategory::Picture),
            ("book.pdf", None, FileCategory::Document),
            ("source.tar.zst", None, FileCategory::Archive),
            ("debian.iso", None, FileCategory::Program),
            ("watch", Some("Video/MP4; codecs=avc1"), FileCategory::Video),
            ("download.php", Some("application/zip"), FileCategory::Archive),
            ("notes", Some("text/plain; charset=utf-8"), FileCategory::Document),
            ("data", Some("application/octet-stream"), FileCategory::Other),
            ("mkv", None, FileCategory::Other),
            ("", None, FileCategory::Other),
            (".", Some(""), FileCategory::Other),
        ] {
            assert_eq!(category_of(name, media_type), category, "{name} {media_type:?}");
        }
    }

    #[test]
    fn expected_file_kind_prefers_given_name_over_last_url_segment() {
        let url = Url::parse("https://example.org/films/a.mkv?as=b.mp3").unwrap();
        assert_eq!(expected(&url, None), FileCategory::Video);
        assert_eq!(expected(&url, Some("a.txt")), FileCategory::Document);
        assert_eq!(expected(&Url::parse("https://example.org/").unwrap(), None), FileCategory::Other);
    }

    #[test]
    fn kind_of_several_files_is_most_frequent_kind() {
        let set = |names: &[&str]| of_most(names.iter().map(|name| category_of(name, None)));
        assert_eq!(set(&["a.mkv", "b.srt", "c.mkv", "d.jpg"]), FileCategory::Video);
        assert_eq!(set(&["a.jpg", "b.pdf", "c.pdf"]), FileCategory::Document);
        assert_eq!(set(&["a.pdf", "b.jpg"]), FileCategory::Picture, "of as many, the one that is sorted first");
        assert_eq!(set(&["a", "b.flac"]), FileCategory::Music, "a name without extension has the lowest priority");
        assert_eq!(set(&["a", "b", "c.flac"]), FileCategory::Other);
        assert_eq!(set(&[]), FileCategory::Other);
    }

    #[test]
    fn each_extension_belongs_to_exactly_one_kind() {
        let all: Vec<&str> = ENDINGS.iter().flat_map(|(_, endings)| endings.split(' ')).collect();
        let unique: std::collections::BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), unique.len());
    }
}
