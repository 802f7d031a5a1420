//! Checks that each icon is a local file that begins with the bytes of an image.
//!
//! Called by `validate` and `update_ui` before anything is written. Ignores the file name and the stated type, because
//! they prove nothing.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use ashore_messages::{MessageArgument, message};

use crate::{EngineError, model::ImageResource};

/// Maximum number of icons per registration.
const MOST: usize = 32;
/// Maximum length of each text about an icon, in bytes.
const LONGEST: usize = 1024;
/// Number of bytes to read from a file. This is enough for the comments before an SVG element.
const HEAD: u64 = 4096;

/// Checks `icon` or `icons`, and returns the icons. Reads missing sizes from the files.
///
/// Fails with `Invalid` if both are given, there are too many icons, or a text is too long. Fails with `Icon` if a file
/// cannot be used.
pub(crate) fn accept_icons(icon: Option<&Path>, icons: Vec<ImageResource>) -> Result<Vec<ImageResource>, EngineError> {
    let icons = match icon {
        Some(_) if !icons.is_empty() => return Err(EngineError::Invalid(message!("invalid.icons-both"))),
        Some(icon) => vec![ImageResource::from_source(icon)],
        None => icons,
    };
    if icons.len() > MOST {
        return Err(EngineError::Invalid(message!("invalid.icons", most = MOST)));
    }
    icons.into_iter().map(accept_icon).collect()
}

fn accept_icon(icon: ImageResource) -> Result<ImageResource, EngineError> {
    let refuse = |why: MessageArgument| EngineError::Icon { path: icon.src.clone(), why };
    if [&icon.sizes, &icon.media_type, &icon.label].iter().any(|text| text.len() > LONGEST) {
        return Err(EngineError::Invalid(message!("invalid.icon-text", most = LONGEST)));
    }
    if !icon.src.is_absolute() {
        return Err(refuse(message!("fault-path.relative").into()));
    }
    // Check the kind of file first, because opening a pipe blocks until another program writes to it.
    let found = fs::metadata(&icon.src).map_err(|error| refuse((&error).into()))?;
    if !found.is_file() {
        return Err(refuse(message!("fault-path.not-file").into()));
    }
    let mut head = Vec::new();
    let read = File::open(&icon.src).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.map_err(|error| refuse((&error).into()))?;
    let size = image(&head).ok_or_else(|| refuse(message!("fault-path.not-image").into()))?;
    let sizes = if icon.sizes.trim().is_empty() { size } else { icon.sizes };
    Ok(ImageResource { sizes, ..icon })
}

/// Returns the sizes of the image that begins with `head`, as text; `None` if `head` is not an image. [pure]
///
/// Returns an empty text if `head` does not contain the sizes. The formats are those of the MIME Sniffing standard,
/// section 6.1, without BMP, plus SVG.
fn image(head: &[u8]) -> Option<String> {
    let le = |at: usize| Some(u32::from(u16::from_le_bytes(head.get(at..at + 2)?.try_into().ok()?)));
    let be = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
    let size = |width: Option<u32>, height: Option<u32>| {
        let size = width.zip(height).filter(|(width, height)| *width > 0 && *height > 0);
        size.map_or_else(String::new, |(width, height)| format!("{width}x{height}"))
    };
    match head {
        _ if head.starts_with(b"\x89PNG\r\n\x1a\n") => Some(size(be(16), be(20))),
        _ if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") => Some(size(le(6), le(8))),
        _ if head.starts_with(b"\xff\xd8\xff") => Some(String::new()),
        _ if head.starts_with(b"RIFF") && head.get(8..14) == Some(b"WEBPVP") => Some(String::new()),
        _ if head.starts_with(b"\0\0\x01\0") && le(4).is_some_and(|count| count > 0) => Some(String::new()),
        _ if is_svg(head) => Some("any".to_owned()),
        _ => None,
    }
}

/// Whether the first XML element is `svg`, after any declarations and comments.
fn is_svg(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!DOCTYPE") => ">",
            _ => break,
        };
        let Some(at) = rest.find(end) else { return false };
        rest = rest[at + end.len()..].trim_start();
    }
    let after = rest.strip_prefix("<svg");
    after.is_some_and(|after| after.starts_with(|letter: char| letter.is_ascii_whitespace() || letter == '>' || letter == '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icon_format_and_size_are_recognised_by_first_bytes() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x30\0\0\0\x60";
        for (head, sizes) in [
            (&png[..], Some("48x96")),
            (&png[..8], Some("")),
            (b"GIF89a\x10\0\x20\0", Some("16x32")),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", Some("")),
            (b"RIFF\x24\0\0\0WEBPVP8 ", Some("")),
            (b"\0\0\x01\0\x02\0", Some("")),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", Some("any")),
            (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <html> --><!DOCTYPE svg>\n<svg>", Some("any")),
            (b"", None),
            (b"icon", None),
            (b"<html><svg>", None),
            (b"<svgz>", None),
            (b"<!-- <svg>", None),
            (b"RIFF\x24\0\0\0WAVEfmt ", None),
            (b"\0\0\x01\0\0\0", None),
            (b"\x89PNG", None),
            (b"%PDF-1.7", None),
        ] {
            assert_eq!(image(head).as_deref(), sizes, "{head:?}");
        }
    }
}
