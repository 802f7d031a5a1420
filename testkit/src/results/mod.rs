//! Results of `make bench` and `make torture`: the stored results, and the machine and revision of the measurement.

mod machine;
mod store;

pub use machine::machine;
pub use store::ResultStore;
