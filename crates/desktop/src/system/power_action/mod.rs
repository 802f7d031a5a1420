//! Power action of the machine: the handle to choose it, its state, and the system that carries it out.

pub(crate) mod handle;
pub(crate) mod logind;
pub(crate) mod state;
