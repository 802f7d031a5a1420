//! The pixels of a screen that is in memory: what a person would see, looked at from outside, without a word from the program
//! that is measured.

use std::{fs::File, os::unix::fs::FileExt, path::Path};

use anyhow::{Context, Result, ensure};

use crate::window::desk::until;

/// Bytes of a pixel.
const PIXEL: usize = 4;
/// Every so many lines are looked at: letters are higher.
const STEP: usize = 3;

/// A screen of Xvfb's, which keeps it in a file.
#[derive(Debug)]
pub struct CapturedScreen {
    file: File,
    /// Where the pixels begin in the file.
    begin: u64,
    /// Bytes of a line.
    line: usize,
    lines: usize,
}

/// What was on it at one moment, in every [`STEP`]th line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenPicture {
    bytes: Vec<u8>,
    line: usize,
}

/// A part of the screen: left, top, width and height in pixels.
pub type ScreenPart = [usize; 4];

impl CapturedScreen {
    /// The one in the file at `path`, once that is there.
    pub fn open(path: &Path) -> Result<Self> {
        let file = until("the screen is there", || File::open(path).ok())?;
        // Numbers of 32 bits with the highest byte first, as X writes a window to a file.
        let mut head = [0; 80];
        file.read_exact_at(&mut head, 0)?;
        let field = |place: usize| {
            let bytes = head.get(place * 4..place * 4 + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u32::from_be_bytes).context("the screen's file is too short")
        };
        ensure!(field(11)? == 32, "a pixel of this screen has not {PIXEL} bytes");
        let colours = u64::from(field(19)?) * 12;
        let usize_of = |place: usize| anyhow::Ok(usize::try_from(field(place)?)?);
        Ok(Self { begin: u64::from(field(0)?) + colours, line: usize_of(12)?, lines: usize_of(5)?, file })
    }

    /// What is on it now.
    pub fn picture(&self) -> Result<ScreenPicture> {
        let mut bytes = vec![0; self.line * self.lines.div_ceil(STEP)];
        for (line, bytes) in (0..self.lines).step_by(STEP).zip(bytes.chunks_exact_mut(self.line)) {
            self.file.read_exact_at(bytes, self.begin + u64::try_from(line * self.line)?)?;
        }
        Ok(ScreenPicture { bytes, line: self.line })
    }
}

impl ScreenPicture {
    /// How much of what is drawn on `part` in `last` is there already, from 0 to 1: of all that is not the paper it is drawn
    /// on. None where nothing is drawn.
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

    /// How many pixels of `part` are not paper.
    pub fn ink(&self, part: ScreenPart) -> usize {
        self.paper(part).map_or(0, |paper| self.pixels(part).filter(|pixel| *pixel != paper).count())
    }

    /// The colour that most pixels have.
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
            // The fourth byte is nobody's.
            pixels.map(|pixel| u32::from_le_bytes([pixel[0], pixel[1], pixel[2], 0]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four pixels wide.
    fn picture(pixels: &[[u8; 4]]) -> ScreenPicture {
        let bytes = pixels.iter().flatten().flat_map(|shade| [*shade, 0, 0, 255]).collect();
        ScreenPicture { bytes, line: 16 }
    }

    #[test]
    fn what_is_drawn_is_told_from_the_paper_under_it() {
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
