//! Reads the pixels of an in-memory screen. The pixels show what a user would see, and the measured program does not
//! have to cooperate.

use std::{fs::File, os::unix::fs::FileExt, path::Path};

use anyhow::{Context, Result, ensure};
use ashore_testkit::waits::blocking::until;

/// Bytes per pixel.
const PIXEL: usize = 4;
/// Only every `STEP`th line is read, because letters are higher than `STEP` lines.
const STEP: usize = 3;

/// Xvfb screen, which is stored in a file.
#[derive(Debug)]
pub struct CapturedScreen {
    file: File,
    /// Offset of the pixels in the file.
    begin: u64,
    /// Bytes per line.
    line: usize,
    lines: usize,
}

/// Screenshot that contains only every [`STEP`]th line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenPicture {
    bytes: Vec<u8>,
    line: usize,
}

/// Rectangle of the screen: left, top, width and height in pixels.
pub type ScreenPart = [usize; 4];

impl CapturedScreen {
    /// Waits until the file at `path` exists, then opens the screen that is stored in it.
    pub fn open(path: &Path) -> Result<Self> {
        let file = until("the virtual screen is running", || File::open(path).ok())?;
        // The header consists of 32-bit big-endian numbers (XWD format).
        let mut head = [0; 80];
        file.read_exact_at(&mut head, 0)?;
        let field = |place: usize| {
            let bytes = head.get(place * 4..place * 4 + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u32::from_be_bytes).context("the file of the screen is too short")
        };
        ensure!(field(11)? == 32, "a pixel of this screen does not have {PIXEL} bytes");
        let colours = u64::from(field(19)?) * 12;
        let usize_of = |place: usize| anyhow::Ok(usize::try_from(field(place)?)?);
        Ok(Self { begin: u64::from(field(0)?) + colours, line: usize_of(12)?, lines: usize_of(5)?, file })
    }

    /// Takes a screenshot.
    pub fn picture(&self) -> Result<ScreenPicture> {
        let mut bytes = vec![0; self.line * self.lines.div_ceil(STEP)];
        for (line, bytes) in (0..self.lines).step_by(STEP).zip(bytes.chunks_exact_mut(self.line)) {
            self.file.read_exact_at(bytes, self.begin + u64::try_from(line * self.line)?)?;
        }
        Ok(ScreenPicture { bytes, line: self.line })
    }
}

impl ScreenPicture {
    /// Returns the share of the foreground pixels of `part` that already have their final colour.
    ///
    /// `last` is the final picture. The share is from 0 to 1. Pixels with the background colour do not count. None if
    /// `part` has no foreground pixels in `last`.
    pub fn drawn(&self, last: &Self, part: ScreenPart) -> Option<f64> {
        let paper = last.paper(part)?;
        let (mut ink, mut right) = (0_u32, 0_u32);
        for (now, last) in self.pixels(part).zip(last.pixels(part)) {
            if last != paper {
                ink += 1;
                right += u32::from(now == last);
            }
        }
        (ink > 0).then(|| f64::from(right) / f64::from(ink))
    }

    /// Returns the number of foreground pixels in `part`.
    pub fn ink(&self, part: ScreenPart) -> usize {
        self.paper(part).map_or(0, |paper| self.pixels(part).filter(|pixel| *pixel != paper).count())
    }

    /// Returns the background colour, which is the most frequent colour.
    fn paper(&self, part: ScreenPart) -> Option<u32> {
        let mut counts = std::collections::HashMap::<u32, u32>::new();
        for pixel in self.pixels(part) {
            *counts.entry(pixel).or_default() += 1;
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(colour, _)| colour)
    }

    fn pixels(&self, [left, top, width, height]: ScreenPart) -> impl Iterator<Item = u32> {
        let lines = self.bytes.chunks_exact(self.line).enumerate();
        let lines = lines.filter(move |(line, _)| (top..top + height).contains(&(line * STEP)));
        lines.flat_map(move |(_, line)| {
            let pixels = line.chunks_exact(PIXEL).skip(left).take(width);
            // The fourth byte is unused.
            pixels.map(|pixel| u32::from_le_bytes([pixel[0], pixel[1], pixel[2], 0]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a picture four pixels wide.
    fn picture(pixels: &[[u8; 4]]) -> ScreenPicture {
        let bytes = pixels.iter().flatten().flat_map(|shade| [*shade, 0, 0, 255]).collect();
        ScreenPicture { bytes, line: 16 }
    }

    #[test]
    fn share_of_drawn_pixels_excludes_background() {
        let last = picture(&[[9, 9, 9, 9], [9, 1, 2, 9], [9, 9, 3, 4]]);
        let all = [0, 0, 4, 9];
        assert_eq!(last.ink(all), 4);
        assert_eq!(last.drawn(&last, all), Some(1.0));
        assert_eq!(picture(&[[9; 4], [9; 4], [9; 4]]).drawn(&last, all), Some(0.0), "an empty window is none");
        assert_eq!(picture(&[[0; 4], [0, 1, 2, 0], [0; 4]]).drawn(&last, all), Some(0.5), "and so is half of it");
        assert_eq!(last.drawn(&last, [0, 0, 4, 3]), None, "nothing is drawn on the first line");
        assert_eq!(last.ink([2, 3, 1, 6]), 1, "of two colours that are as many, one is the paper");
    }
}
