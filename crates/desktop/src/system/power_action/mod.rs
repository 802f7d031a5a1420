//! Power action of the machine: the handle that chooses the action, the state, and the call that performs the action.

pub(crate) mod handle;
pub(crate) mod logind;
pub(crate) mod state;
