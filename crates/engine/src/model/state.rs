//! Derives the visible state of a registration from user intent and facts. [pure]
//!
//! Only users write the intent (`paused`), and only the engine writes the facts. These are the legal transitions
//! between the states of a request. Each transition is one guarded statement of the ledger:
//!
//! ```text
//! pending --activate--> active --head--> active with head --complete--> completed
//!    ^                    |  |               |      |
//!    |<----put back-------+--|---------------+      +--fail--> dead
//!    |                       +--put back, due later--> waiting --due--> pending
//!    +--<--retry--- dead, aborted            aborted <--put back of an inactive registration
//! ```

use crate::model::RegistrationState;

/// State of a registration.
pub(crate) fn state(is_active: bool, is_paused: bool, active_requests: i64) -> RegistrationState {
    match (is_active, is_paused, active_requests) {
        (false, _, _) => RegistrationState::Settled,
        (true, true, _) => RegistrationState::Paused,
        (true, false, 0) => RegistrationState::Waiting,
        (true, false, _) => RegistrationState::Running,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registration_is_shown_as_paused_even_while_its_transfers_are_stopping() {
        assert_eq!(state(true, true, 3), RegistrationState::Paused);
        assert_eq!(state(true, false, 3), RegistrationState::Running);
        assert_eq!(state(true, false, 0), RegistrationState::Waiting);
        assert_eq!(state(false, true, 3), RegistrationState::Settled);
    }
}
