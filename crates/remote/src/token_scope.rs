//! Permissions of devices and programs. [pure]

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Permission of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum TokenScope {
    /// Read the list and the settings.
    Read,
    /// Add and follow downloads, in addition to reading.
    Add,
    /// Everything that a person can do with the page.
    Control,
    /// Only read the metrics.
    Metrics,
}

impl TokenScope {
    /// Whether a token with this scope may do something that requires the scope `needed`.
    pub(crate) fn includes(self, needed: Self) -> bool {
        let order = [Self::Read, Self::Add, Self::Control];
        let place = |scope| order.iter().position(|one| *one == scope);
        match (place(self), place(needed)) {
            (Some(own), Some(needed)) => own >= needed,
            _ => self == needed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_scope_includes_add_and_read_but_not_metrics() {
        use TokenScope::{Add, Control, Metrics, Read};
        let includes = [Read, Add, Control, Metrics].map(|own| [Read, Add, Control, Metrics].map(|needed| own.includes(needed)));
        let expected =
            [[true, false, false, false], [true, true, false, false], [true, true, true, false], [false, false, false, true]];
        assert_eq!(includes, expected);
    }
}
