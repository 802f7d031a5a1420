//! Power action of the machine: the handle to choose it, its state, and the call that performs it.

pub(crate) mod handle;
pub(crate) mod logind;
pub(crate) mod state;
