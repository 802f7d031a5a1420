//! Tests of the cycle: three machines and a server in memory, with every kind of fault between them.

mod announced_sends;
mod checks;
mod contention;
mod convergence;
mod fast_clocks;
mod fleet;
mod full_disk;
mod held_records;
mod interruptions;
mod long_list;
mod lost_parts;
mod memory_list;
mod orphaned_parts;
mod parts;
mod regressions;
mod scenes;
mod server_faults;
mod steps;
