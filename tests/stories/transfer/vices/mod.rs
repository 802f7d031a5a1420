//! Misbehaving servers, one test per vice: on a fresh download, and after a power cut during a good transfer.

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
