//! Tests of cycles between machines with real engines and a simulated server.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot continue has failed")]

mod conflicts;
mod copies;
mod long_pages;
mod machine;
mod names;
mod rejoin;
mod sends;
