//! The queue as a whole: the real façade, loop and ledger on a clock of the test's own, with somebody who moves no bytes.

mod acceptance;
mod histories;
mod life;
mod schedules;
mod urgent;
mod world;
