//! History of program starts with one identity. A copied data folder is detected by this history. [pure]
//!
//! - Each start has the next number and a random mark. The record of the device contains its latest start.
//! - If the server has a start that this machine did not make, another machine uses a copy of the data folder.
//! - The history is in the keychain, because restoring the ledger from a backup must not look like a copy.

use serde::{Deserialize, Serialize};

/// Number of starts that are stored. An older start on the server proves nothing, because a server that was restored
/// has old records.
const REMEMBERED: usize = 16;

/// One start of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramStart {
    /// Number of the start, higher than the number of the previous start.
    pub epoch: u64,
    /// Random mark of the start.
    pub mark: String,
}

/// Latest starts of the program on this machine, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartHistory(Vec<ProgramStart>);

impl StartHistory {
    /// Reads the history from its text. If the text is damaged, the history is empty.
    pub fn read(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap_or_default())
    }

    /// Returns the history as text for the keychain.
    pub fn write(&self) -> String {
        // The conversion to JSON cannot fail, because all keys are texts.
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// Adds a start with this random mark. The number of the start is above `floor` and above all earlier numbers.
    pub fn begin(&mut self, floor: u64, mark: String) {
        let last = self.0.last().map_or(floor, |start| start.epoch.max(floor));
        self.0.push(ProgramStart { epoch: last + 1, mark });
        self.0.drain(..self.0.len().saturating_sub(REMEMBERED));
    }

    /// Returns the latest start.
    pub fn latest(&self) -> Option<&ProgramStart> {
        self.0.last()
    }

    /// Whether the record of this device on the server contains a program start of another machine.
    pub fn is_foreign(&self, epoch: u64, mark: &str) -> bool {
        let is_later = self.latest().is_some_and(|latest| epoch > latest.epoch);
        is_later || self.0.iter().any(|start| start.epoch == epoch && start.mark != mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(marks: &[&str]) -> StartHistory {
        let mut history = StartHistory::default();
        marks.iter().for_each(|mark| history.begin(1, (*mark).to_owned()));
        StartHistory::read(&history.write())
    }

    #[test]
    fn known_program_start_does_not_indicate_copied_machine() {
        let own = history(&["a", "b", "c"]);
        assert_eq!(own.latest(), Some(&ProgramStart { epoch: 4, mark: "c".to_owned() }));
        assert!(!own.is_foreign(4, "c") && !own.is_foreign(2, "a"));
        assert!(!own.is_foreign(1, ""), "a record of an earlier version has no mark");
    }

    #[test]
    fn program_start_with_unknown_mark_or_higher_number_indicates_copied_machine() {
        let (original, copy) = (history(&["a", "b", "c"]), history(&["a", "b", "d"]));
        assert!(original.is_foreign(4, "d") && copy.is_foreign(4, "c"));
        assert!(original.is_foreign(5, "e"));
        assert!(!StartHistory::default().is_foreign(5, "e"), "without a start there is nothing to compare");
    }

    #[test]
    fn program_start_too_old_to_be_remembered_does_not_indicate_copied_machine() {
        let marks: Vec<String> = (0..40).map(|number| number.to_string()).collect();
        let all = history(&marks.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((all.0.len(), all.0[0].epoch), (REMEMBERED, 26));
        assert!(!all.is_foreign(3, "x") && all.is_foreign(26, "x"));
    }
}
