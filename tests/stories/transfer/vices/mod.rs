//! Bad servers, each by its name: alone, and after a power cut in the middle of a good transfer.

mod bodies;
mod certificates;
mod heads;
mod identity;
mod links;
mod lives;
mod pages;
mod program;
mod ranges;
mod refusals;
mod several;
