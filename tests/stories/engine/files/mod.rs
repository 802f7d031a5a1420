//! Tests files on disk: their folders and names, existing files, and removed files.

mod absent;
mod adopt;
mod alike;
mod folders;
mod leftovers;
mod locked;
mod moving;
mod names;
mod removal;
mod sums;
