//! Wish x fact: what people see of a registration follows from what they asked for and what has happened. [pure]
//!
//! The wish (`paused`) is written by people, the facts by the engine; neither writes the other's column. The legal moves of
//! a request's fact are these, and each is one guarded statement of the ledger:
//!
//! ```text
//! pending --activate--> active --head--> active with head --complete--> completed
//!    ^                    |  |               |      |
//!    |<----put back-------+--|---------------+      +--fail--> dead
//!    |                       +--put back, due later--> waiting --due--> pending
//!    +--<--retry--- dead, aborted            aborted <--put back of an inactive registration
//! ```

use crate::model::RegistrationState;

/// The state of a registration.
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
    fn the_wish_is_seen_before_the_fact_has_followed() {
        assert_eq!(state(true, true, 3), RegistrationState::Paused);
        assert_eq!(state(true, false, 3), RegistrationState::Running);
        assert_eq!(state(true, false, 0), RegistrationState::Waiting);
        assert_eq!(state(false, true, 3), RegistrationState::Settled);
    }
}
