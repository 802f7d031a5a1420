//! Tests the queue as a whole: the real public methods, loop and ledger, with a simulated clock and simulated
//! transfers.

mod acceptance;
mod histories;
mod life;
mod schedules;
mod urgent;
mod world;
