//! Names to try in a folder where the wanted one is taken. [pure]

use rustix::io::Errno;

/// Names to try, one after the other: `name`, then `name (1)` and so on, short enough for the file system.
pub(crate) struct NumberedNames<'a> {
    name: &'a str,
    number: u32,
    is_short: bool,
}

impl<'a> NumberedNames<'a> {
    pub fn from_name(name: &'a str) -> Self {
        Self { name, number: 0, is_short: false }
    }

    /// The name to try; none where every one is taken.
    pub fn current(&self) -> Option<String> {
        let number = (self.number < MOST_NAMES).then_some(self.number)?;
        Some(if self.is_short { crate::filename::name::numbered_short(self.name, number) } else { candidate(self.name, number) })
    }

    /// Whether the file system takes only short names.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// The current one could not be had, for this reason. False where no other one would do better.
    pub fn failed(&mut self, error: Errno) -> bool {
        match error {
            Errno::EXIST => self.number += 1,
            Errno::NAMETOOLONG if !self.is_short => self.is_short = true,
            _ => return false,
        }
        true
    }
}

/// The name that is tried after so many were taken.
pub(crate) fn candidate(name: &str, number: u32) -> String {
    if number == 0 { name.to_owned() } else { crate::filename::name::numbered(name, number) }
}

/// How many names are tried when one is taken.
pub(crate) const MOST_NAMES: u32 = 100_000;
