//! Set-up that the tests, `make bench` and `make torture` share: servers, disks, desktops, and the programs under test.
//!
//! - All other modules use `waits` and `own_home`. `processes` starts programs and reads their resource usage.
//! - `disks` contains disks with power cuts and other faults, `servers` contains all servers, and `generated` contains
//!   servers that are drawn from a grammar.
//! - `desktop` is a screen with a message bus and its services.
//! - `engine` runs Ashore as a library, and `program` as a program. `sync_server` runs the sync server.
//! - `results` stores the findings of bench and torture.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed, and the panic shows the place"
)]

mod desktop;
mod disks;
mod engine;
pub mod generated;
mod own_home;
mod processes;
mod program;
pub mod results;
mod servers;
pub mod sync_server;
pub mod waits;

pub use desktop::{peers, virtual_desktop, web_driver};
pub use disks::{apart, fault, fill_disk, free_bytes, mark, silent, stacked, volume};
pub use engine::{download, forget, home, soak};
pub use own_home::{LOCAL, NO_BUS, ONE_FOLDER, live_in};
pub use processes::{kept_program, readings, running, system_calls, tools, tools::left_out};
pub use program::{machine, race};
pub use servers::{digest, free_ports, nginx, origin, packed, proxy, raw, tls};
