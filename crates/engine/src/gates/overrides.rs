//! What a person lets go on although a gate is closed, one registration at a time. It holds for the gates that were closed
//! then, and as long as they are: who agreed to an empty battery has not agreed to a bill. [pure]

use crate::{
    gates::overrides,
    model::{GateCode, GateReport, UniqueId},
};

/// Who was let through, and which gates. Nothing of it outlives the process.
#[derive(Debug, Default)]
pub(crate) struct GateOverrides(Vec<(UniqueId, GateCode)>);

impl GateOverrides {
    /// From now on `id` passes those of `gates` that a person may overrule. False where that opens no way: none is closed, or
    /// one that nobody can overrule.
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

    /// The first closed gate that `id` does not pass.
    pub(crate) fn closed_to<'a>(&self, id: UniqueId, gates: &'a [GateReport]) -> Option<&'a GateReport> {
        closed(gates).find(|gate| !self.passes(id, gate.code))
    }

    /// Who may start although one of `gates` is closed. A gate that has opened is nobody's to pass any more.
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

/// It is about money, power or quiet, and a person may see that otherwise. Behind the others nothing could go on.
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
    use super::*;
    use crate::model::GateState;

    fn gates(all: &[(GateCode, bool)]) -> Vec<GateReport> {
        let gate = |(code, is_open): &(GateCode, bool)| {
            let state = if *is_open { GateState::Open } else { GateState::Closed };
            GateReport { code: *code, state, text: String::new(), cause: String::new(), until: None }
        };
        all.iter().map(gate).collect()
    }

    fn id(number: u128) -> UniqueId {
        UniqueId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn one_passes_what_was_closed_when_somebody_said_so_and_nothing_else() {
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
    fn a_gate_that_opened_in_between_is_asked_about_again() {
        let mut anyway = GateOverrides::default();
        let (closed, open) = (gates(&[(GateCode::Metered, false)]), gates(&[(GateCode::Metered, true)]));
        assert!(anyway.let_through(id(1), &closed));
        assert_eq!(anyway.passing(&open), []);
        assert_eq!(anyway.passing(&closed), []);
    }

    #[test]
    fn nobody_passes_what_cannot_be_overruled() {
        let mut anyway = GateOverrides::default();
        assert!(!anyway.let_through(id(1), &gates(&[(GateCode::Metered, true)])), "nothing is closed");
        for code in [GateCode::Bootstrap, GateCode::Paused, GateCode::Asleep, GateCode::Offline, GateCode::CaptivePortal] {
            let gates = gates(&[(code, false), (GateCode::Metered, false)]);
            assert!(!anyway.let_through(id(1), &gates), "{code:?}");
            assert_eq!(anyway.passing(&gates), []);
        }
    }
}
