//! Misbehaving servers, with one test per fault: a fresh download, and a download after a power cut.

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
