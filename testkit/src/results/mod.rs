//! Results of `make bench` and `make torture`: the stored results, and the machine and revision they belong to.

mod machine;
mod store;

pub use machine::machine;
pub use store::ResultStore;
