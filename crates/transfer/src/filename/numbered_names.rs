//! Generates names to try in a folder if the wanted name is already in use. [pure]

use rustix::io::Errno;

/// Candidate names: `name`, then `name (1)` and so on, within the length limit of the file system.
pub(crate) struct NumberedNames<'a> {
    name: &'a str,
    number: u32,
    is_short: bool,
}

impl<'a> NumberedNames<'a> {
    pub fn from_name(name: &'a str) -> Self {
        Self { name, number: 0, is_short: false }
    }

    /// Returns the next name to try, or `None` if all names are already in use.
    pub fn current(&self) -> Option<String> {
        let number = (self.number < MOST_NAMES).then_some(self.number)?;
        Some(if self.is_short { crate::filename::name::numbered_short(self.name, number) } else { candidate(self.name, number) })
    }

    /// Whether the file system accepts only short names.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// Records that `error` occurred with the current name.
    ///
    /// Returns whether another name may succeed.
    pub fn failed(&mut self, error: Errno) -> bool {
        match error {
            Errno::EXIST => self.number += 1,
            Errno::NAMETOOLONG if !self.is_short => self.is_short = true,
            _ => return false,
        }
        true
    }
}

/// Returns the name to try if the first `number` candidates are already in use.
pub fn candidate(name: &str, number: u32) -> String {
    if number == 0 { name.to_owned() } else { crate::filename::name::numbered(name, number) }
}

/// Maximum number of names to try.
pub(crate) const MOST_NAMES: u32 = 100_000;
