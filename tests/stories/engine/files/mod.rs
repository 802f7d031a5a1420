//! Tests files on disk: their folders and names, what is there already, and what is removed.

mod absent;
mod adopt;
mod alike;
mod folders;
mod leftovers;
mod locked;
mod names;
mod removal;
mod sums;
