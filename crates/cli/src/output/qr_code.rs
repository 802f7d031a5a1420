//! Draws a link as a QR code in the terminal. [pure]

use qrcode::{Color, EcLevel, QrCode};

/// Width of the light margin in modules, from ISO/IEC 18004, section 9.1.
const MARGIN: usize = 4;
/// Dark on light in any theme of the terminal: a scanner may not read an inverted code.
const START: &str = "\u{1b}[38;5;16;48;5;231m";
const END: &str = "\u{1b}[0m";

/// Returns the lines of the code, two rows of modules in each; `None` if the text is too long for a code.
pub fn lines(text: &str) -> Option<Vec<String>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let (width, colors) = (code.width(), code.to_colors());
    let is_dark = |x: usize, y: usize| {
        let (Some(x), Some(y)) = (x.checked_sub(MARGIN), y.checked_sub(MARGIN)) else { return false };
        x < width && y < width && colors.get(y * width + x) == Some(&Color::Dark)
    };
    let side = width + 2 * MARGIN;
    let half_blocks = |y: usize| -> String {
        let module = |x| match (is_dark(x, y), is_dark(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        (0..side).map(module).collect()
    };
    Some((0..side).step_by(2).map(|y| format!("{START}{}{END}", half_blocks(y))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_code_of_half_block_characters_shows_all_modules() {
        let text = "http://192.0.2.7:6800/#pair=0123456789abcdef0123456789abcdef";
        let code = QrCode::with_error_correction_level(text, EcLevel::L).unwrap();
        let lines = lines(text).unwrap();
        let bare = |line: &String| line.strip_prefix(START).unwrap().strip_suffix(END).unwrap().chars().collect::<Vec<_>>();
        let drawn: Vec<Vec<char>> = lines.iter().map(bare).collect();
        let width = code.width();
        assert!(drawn.iter().all(|line| line.len() == width + 2 * MARGIN));
        for y in 0..width {
            for x in 0..width {
                let letter = drawn[(y + MARGIN) / 2][x + MARGIN];
                let is_dark = if (y + MARGIN).is_multiple_of(2) { "█▀".contains(letter) } else { "█▄".contains(letter) };
                assert_eq!(is_dark, code[(x, y)] == Color::Dark, "{x} {y}");
            }
        }
        assert_eq!(super::lines(&"x".repeat(5000)), None);
    }
}
