//! Tests the queue: which request starts when, what it waits for, and how it is tried again.

mod desktop;
mod failing;
mod gates;
mod life;
mod order;
mod pause;
mod quota;
mod retry;
mod space;
mod speed;
mod unreachable;
