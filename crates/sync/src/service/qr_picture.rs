//! Draws a link as a QR code for the camera of another machine. [pure]

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Width of the light margin in modules, from ISO/IEC 18004, section 9.1.
const MARGIN: usize = 4;

/// QR code as SVG path data. The unit of the coordinates is one module.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QrPicture {
    /// Side length in modules, including the light margin.
    pub size: u16,
    /// Path of the dark modules, for the attribute `d`.
    pub path: String,
}

impl std::fmt::Debug for QrPicture {
    /// Omits the picture, because its link may be a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QrPicture").field("size", &self.size).finish_non_exhaustive()
    }
}

impl QrPicture {
    /// Returns a text as a QR code, or `None` if the text is too long for one.
    pub fn from_text(text: &str) -> Option<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
        let width = code.width();
        let mut path = String::new();
        for (y, row) in code.to_colors().chunks(width).enumerate() {
            let mut x = 0;
            for run in row.chunk_by(|one, next| one == next) {
                if run.first() == Some(&Color::Dark) {
                    // Writing to a string cannot fail.
                    let _ = write!(path, "M{} {}h{}v1h-{}z", x + MARGIN, y + MARGIN, run.len(), run.len());
                }
                x += run.len();
            }
        }
        Some(Self { size: u16::try_from(width + 2 * MARGIN).ok()?, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_picture_covers_each_dark_module_once() {
        let text = "ashore://join/laptop.local:5350/1234567890/0123456789#secret.pin";
        let picture = QrPicture::from_text(text).unwrap();
        let code = QrCode::with_error_correction_level(text, EcLevel::M).unwrap();
        assert_eq!(usize::from(picture.size), code.width() + 8);
        let mut drawn = Vec::new();
        for run in picture.path.split_terminator('z') {
            let (place, shape) = run[1..].split_once('h').unwrap();
            let (x, y) = place.split_once(' ').unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            let length: usize = shape.split_once('v').unwrap().0.parse().unwrap();
            drawn.extend((x..x + length).map(|x| (x - MARGIN, y - MARGIN)));
        }
        let all = (0..code.width()).flat_map(|y| (0..code.width()).map(move |x| (x, y)));
        let dark: Vec<_> = all.filter(|place| code[*place] == Color::Dark).collect();
        assert_eq!(drawn, dark);
    }

    #[test]
    fn text_that_is_too_long_for_a_qr_code_gives_no_picture() {
        assert_eq!(QrPicture::from_text(&"x".repeat(4000)), None);
    }
}
