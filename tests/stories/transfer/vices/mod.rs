//! Tests misbehaving servers. Each fault is tested with a fresh download and with a download after a power cut.

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
