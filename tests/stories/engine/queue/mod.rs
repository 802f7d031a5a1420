//! Tests the queue: the order in which requests start, the reasons for which they wait, and their retries.

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
