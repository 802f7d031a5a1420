//! Tests the queue: the order in which requests start, what they wait for, and how they are retried.

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
