//! Derives the visible state of a registration from the wish of the user and the facts of the engine. [pure]
//!
//! The wish (`paused`) is written by users, the facts by the engine; neither writes the other's column. The legal
//! transitions of a request's fact are these, and each is one guarded statement of the ledger:
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
    fn state_shows_pause_before_transfers_have_stopped() {
        assert_eq!(state(true, true, 3), RegistrationState::Paused);
        assert_eq!(state(true, false, 3), RegistrationState::Running);
        assert_eq!(state(true, false, 0), RegistrationState::Waiting);
        assert_eq!(state(false, true, 3), RegistrationState::Settled);
    }
}
