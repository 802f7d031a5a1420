//! Set-up that the tests, `make bench` and `make torture` share: servers, disks, desktops, and the programs under test.
//!
//! - `waits` and `own_home` are the ground; `processes` starts programs.
//! - `disks` has power cuts and other faults, `servers` every server, `generated` servers drawn from a grammar.
//! - `desktop` is a message bus and its services.
//! - `engine` and `program` are Ashore as a library and as a program.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a story that cannot be set up has failed, and says where"
)]

mod desktop;
mod disks;
mod engine;
pub mod generated;
mod own_home;
mod processes;
mod program;
mod servers;
pub mod waits;

pub use desktop::peers;
pub use disks::{apart, fault, free_bytes, mark, silent, stacked, volume};
pub use engine::{forget, home, soak};
pub use own_home::{LOCAL, NO_BUS, ONE_FOLDER};
pub use processes::{kept_program, tools, tools::left_out};
pub use program::{machine, race};
pub use servers::{digest, nginx, origin, packed, proxy, raw, tls};
