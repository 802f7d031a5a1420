//! Maps file extensions to kinds of content, and content types to extensions. [pure]

use crate::filename::sanitize::split;

/// Returns the last extension of a name in lower case, without its dot.
pub(crate) fn extension(name: &str) -> Option<String> {
    let (_, ending) = split(name);
    let (_, extension) = ending.rsplit_once('.')?;
    (!extension.is_empty()).then(|| extension.to_ascii_lowercase())
}

/// Whether files with this extension (in lower case) are web pages.
pub(crate) fn is_of_a_page(extension: &str) -> bool {
    matches!(extension, "html" | "htm" | "xhtml" | "xht" | "shtml" | "mhtml" | "mht" | "hta")
}

/// Whether files with this extension (in lower case) are certainly not web pages.
///
/// These files are archives, disk images, packages, documents, audio, pictures and the like. Text and source files are
/// excluded. Extensions that can also end the name of a page are excluded too (`Node.js`, `Booking.com`, `index.php`).
pub(crate) fn is_of_no_page(extension: &str) -> bool {
    ARCHIVES.contains(&extension)
        || PROGRAMS.contains(&extension)
        || DOCUMENTS.contains(&extension)
        || MEDIA.contains(&extension)
        || DATA.contains(&extension)
}

const ARCHIVES: [&str; 20] = [
    "zip", "7z", "rar", "tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "tzst", "lz", "lz4", "lzma", "cab", "arj", "lzh",
    "cpio", "zipx",
];
const PROGRAMS: [&str; 27] = [
    "exe", "msi", "msix", "appx", "msu", "dmg", "pkg", "deb", "rpm", "apk", "aab", "ipa", "appimage", "flatpak", "snap", "jar",
    "war", "xpi", "crx", "vsix", "whl", "iso", "img", "vhd", "vhdx", "vmdk", "qcow2",
];
const DOCUMENTS: [&str; 16] =
    ["pdf", "epub", "mobi", "azw3", "djvu", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "rtf", "cbz"];
const MEDIA: [&str; 37] = [
    "mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav", "wma", "mp4", "m4v", "mkv", "webm", "avi", "mov", "wmv", "flv",
    "mpg", "mpeg", "m2ts", "ogv", "3gp", "png", "jpg", "jpeg", "gif", "webp", "avif", "heic", "tif", "tiff", "bmp", "psd", "ttf",
    "otf", "woff", "woff2",
];
const DATA: [&str; 14] =
    ["bin", "torrent", "sqlite", "parquet", "safetensors", "gguf", "onnx", "npz", "hdf5", "h5", "nc", "pkl", "dat", "ova"];

/// Returns the extension for a `Content-Type` if there is only one plausible extension.
pub(super) fn of_type(content_type: &str) -> Option<&'static str> {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    Some(match essence.as_str() {
        "text/html" | "application/xhtml+xml" => "html",
        "text/plain" => "txt",
        "text/css" => "css",
        "text/csv" => "csv",
        "text/xml" | "application/xml" => "xml",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        "application/gzip" | "application/x-gzip" => "gz",
        "application/x-tar" => "tar",
        "application/x-7z-compressed" => "7z",
        "application/epub+zip" => "epub",
        "application/x-bittorrent" => "torrent",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "audio/mpeg" => "mp3",
        "audio/ogg" => "ogg",
        "audio/flac" => "flac",
        "video/mp4" => "mp4",
        "video/webm" => "webm",
        "video/x-matroska" => "mkv",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_extension_is_returned_in_lower_case() {
        for (name, known) in [
            ("a.ZIP", Some("zip")),
            ("a.tar.gz", Some("gz")),
            ("a.b.html", Some("html")),
            ("noext", None),
            (".zip", None),
            ("a.", None),
            ("", None),
        ] {
            assert_eq!(extension(name).as_deref(), known, "{name}");
        }
    }

    #[test]
    fn file_extension_never_counts_both_as_web_page_and_as_other_file() {
        for known in [&ARCHIVES[..], &PROGRAMS, &DOCUMENTS, &MEDIA, &DATA].concat() {
            assert!(is_of_no_page(known) && !is_of_a_page(known), "{known}");
        }
        for either in ["html", "htm", "php", "js", "com", "net", "txt", "md", "json", "aspx", "2", ""] {
            assert!(!is_of_no_page(either), "{either}");
        }
    }
}
