//! The engine through its façade: what it refuses, in which order it works, what it tries again, what it takes away.

mod again;
mod chain;
mod desktop;
mod details;
mod events;
mod forget;
mod gates;
mod input;
mod ledger;
mod life;
mod list;
mod names;
mod order;
mod pause;
mod peers;
mod quota;
mod removal;
mod retry;
mod settings;
mod space;
mod speed;
mod statistics;
mod sums;
mod total;
mod unreachable;
mod uploads;
