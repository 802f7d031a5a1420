//! Records which registrations the user allows to run despite a closed gate. [pure]
//!
//! An override applies to the gates that are closed when the user gives it, and ends for each gate when that gate
//! opens. The gates are separate, because consent to run on low battery is not consent to pay for a metered network.

use crate::{
    gates::overrides,
    model::{GateCode, GateReport, UniqueId},
};

/// Overrides: pairs of a registration and a gate that this registration may pass.
///
/// The overrides are lost when the process ends.
#[derive(Debug, Default)]
pub(crate) struct GateOverrides(Vec<(UniqueId, GateCode)>);

impl GateOverrides {
    /// Lets `id` pass every closed gate of `gates`.
    ///
    /// Returns false and records nothing if no gate is closed, or if a closed gate cannot be overridden.
    pub(crate) fn let_through(&mut self, id: UniqueId, gates: &[GateReport]) -> bool {
        let mut closed = closed(gates).peekable();
        if closed.peek().is_none() || !closed.all(|gate| yields(gate.code)) {
            return false;
        }
        for gate in overrides::closed(gates) {
            if !self.passes(id, gate.code) {
                self.0.push((id, gate.code));
            }
        }
        true
    }

    /// Returns the first closed gate without an override for `id`.
    pub(crate) fn closed_to<'a>(&self, id: UniqueId, gates: &'a [GateReport]) -> Option<&'a GateReport> {
        closed(gates).find(|gate| !self.passes(id, gate.code))
    }

    /// Returns the registrations that may start despite a closed gate of `gates`.
    ///
    /// Removes the overrides of open gates.
    pub(crate) fn passing(&mut self, gates: &[GateReport]) -> Vec<UniqueId> {
        self.0.retain(|(_, code)| closed(gates).any(|gate| gate.code == *code));
        let mut passing: Vec<_> = self.0.iter().map(|(id, _)| *id).filter(|id| self.closed_to(*id, gates).is_none()).collect();
        passing.sort_unstable();
        passing.dedup();
        passing
    }

    fn passes(&self, id: UniqueId, code: GateCode) -> bool {
        self.0.contains(&(id, code))
    }
}

pub(crate) fn closed(gates: &[GateReport]) -> impl Iterator<Item = &GateReport> {
    gates.iter().filter(|gate| gate.state == crate::model::GateState::Closed)
}

/// Returns whether the user may override the gate.
///
/// True for the gates about cost, power, hours and use of the machine. While any other gate is closed, no download
/// could run anyway.
fn yields(code: GateCode) -> bool {
    match code {
        GateCode::Hours | GateCode::Metered | GateCode::Battery | GateCode::InUse => true,
        GateCode::Bootstrap
        | GateCode::Paused
        | GateCode::Asleep
        | GateCode::Offline
        | GateCode::CaptivePortal
        | GateCode::Disk
        | GateCode::Folder
        | GateCode::Quota => false,
    }
}

#[cfg(test)]
mod tests {
    use ashore_messages::message;

    use super::*;
    use crate::model::{GateState, status};

    fn gates(all: &[(GateCode, bool)]) -> Vec<GateReport> {
        let gate = |(code, is_open): &(GateCode, bool)| {
            let state = if *is_open { GateState::Open } else { GateState::Closed };
            status::report(*code, state, message!("cause.done"))
        };
        all.iter().map(gate).collect()
    }

    fn id(number: u128) -> UniqueId {
        UniqueId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn override_ignores_only_conditions_that_blocked_downloads_when_it_was_created() {
        let mut anyway = GateOverrides::default();
        let metered = gates(&[(GateCode::Metered, false), (GateCode::Battery, true)]);
        assert!(anyway.let_through(id(1), &metered));
        assert_eq!((anyway.closed_to(id(1), &metered), anyway.passing(&metered)), (None, vec![id(1)]));
        assert_eq!(anyway.closed_to(id(2), &metered).map(|gate| gate.code), Some(GateCode::Metered));
        let both = gates(&[(GateCode::Metered, false), (GateCode::Battery, false)]);
        assert_eq!(anyway.closed_to(id(1), &both).map(|gate| gate.code), Some(GateCode::Battery));
        assert_eq!(anyway.passing(&both), []);
        assert!(anyway.let_through(id(1), &both));
        assert_eq!(anyway.passing(&both), [id(1)]);
    }

    #[test]
    fn override_ends_when_its_gate_opens_and_does_not_return_when_the_gate_closes_again() {
        let mut anyway = GateOverrides::default();
        let (closed, open) = (gates(&[(GateCode::Metered, false)]), gates(&[(GateCode::Metered, true)]));
        assert!(anyway.let_through(id(1), &closed));
        assert_eq!(anyway.passing(&open), []);
        assert_eq!(anyway.passing(&closed), []);
    }

    #[test]
    fn override_is_refused_while_a_gate_that_allows_no_override_is_closed() {
        let mut anyway = GateOverrides::default();
        assert!(!anyway.let_through(id(1), &gates(&[(GateCode::Metered, true)])), "nothing is closed");
        for code in [GateCode::Bootstrap, GateCode::Paused, GateCode::Asleep, GateCode::Offline, GateCode::CaptivePortal] {
            let gates = gates(&[(code, false), (GateCode::Metered, false)]);
            assert!(!anyway.let_through(id(1), &gates), "{code:?}");
            assert_eq!(anyway.passing(&gates), []);
        }
    }
}
