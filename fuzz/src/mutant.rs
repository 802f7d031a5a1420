//! Generates test inputs from existing inputs: bits flipped, pieces removed, inserted, repeated and mixed. Equal seeds
//! give equal inputs.

use rand::{Rng, SeedableRng, rngs::StdRng};

/// Fragments of typical attacks, which random bytes rarely contain.
const PIECES: &[&str] = &[
    "..",
    "/",
    "\\",
    "C:\\",
    "-",
    " ",
    ".",
    "~",
    "CON",
    "com1",
    "\u{202e}",
    "\u{200d}",
    "\u{a0}",
    "%2e%2e%2f",
    "%00",
    "%ff",
    ".0123abcd.part",
    ".ashore",
    ".tar.gz",
    "\0",
    "\r\n",
    "\t",
    "e\u{301}",
    "한한한한한한한한",
    "ß",
    "\u{feff}",
    "\"",
    "'",
    "`",
    "$(",
    ";",
    ",",
    "=",
    ":",
    "[",
    "]",
    "{",
    "}",
    "[1:9]",
    "[a:z]",
    "{a,b}",
    "<",
    ">",
    "&amp;",
    "<!--",
    "]]>",
    "filename*=UTF-8''",
    "bytes ",
    "*",
    "0",
    "-1",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999",
    "1e309",
    "NaN",
    "null",
    "true",
    "[[[[[[",
    "http://",
    "https://user:pw@h/",
    "file:///",
    "javascript:",
    "//[::1]:22/",
    "\u{2068}",
    "{ $x }",
    "mon-fri",
    "24:00",
    "#",
];
/// Maximum length of an input in bytes. All stored inputs are shorter; separate tests cover larger inputs.
const LONGEST: usize = 4096;

/// Endless generator of inputs.
#[derive(Debug)]
pub struct MutantSource {
    seeds: Vec<Vec<u8>>,
    random: StdRng,
}

impl MutantSource {
    /// Creates a generator of inputs that are derived from `seeds`.
    pub fn new(seeds: Vec<Vec<u8>>, seed: u64) -> Self {
        Self { seeds, random: StdRng::seed_from_u64(seed) }
    }

    fn one_of_the_seeds(&mut self) -> Vec<u8> {
        if self.seeds.is_empty() { Vec::new() } else { self.seeds[self.random.random_range(0..self.seeds.len())].clone() }
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let (from, to) = (self.random.random_range(0..=input.len()), self.random.random_range(0..=input.len()));
        let (from, to) = (from.min(to), from.max(to));
        match self.random.random_range(0..7) {
            0 if from < input.len() => input[from] ^= 1 << self.random.random_range(0..8),
            1 if from < input.len() => input[from] = self.random.random(),
            2 => drop(input.drain(from..to)),
            3 => {
                let again = input[from..to].to_vec();
                input.splice(to..to, again);
            }
            4 => {
                let other = self.one_of_the_seeds();
                let start = self.random.random_range(0..=other.len());
                input.splice(from..to, other[start..].iter().copied());
            }
            5 => input.truncate(to),
            _ => {
                let piece = PIECES[self.random.random_range(0..PIECES.len())];
                input.splice(from..from, piece.bytes());
            }
        }
        input.truncate(LONGEST);
    }
}

impl Iterator for MutantSource {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut input = self.one_of_the_seeds();
        for _ in 0..self.random.random_range(1..=6) {
            self.change(&mut input);
        }
        Some(input)
    }
}
