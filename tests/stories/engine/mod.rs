//! Tests the engine through its facade: refusals, order, retries and removals.

mod files;
mod queue;
mod requests;
mod store;
