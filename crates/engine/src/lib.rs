//! The ledger and the scheduler: what was asked for, and what happens next.
//!
//! Everything is a method on [`Engine`]. The rooms: `model` has the nouns, `state` the legal moves, `store` every SQL
//! statement, `bodies` keeps what is uploaded, `bootstrap` does the work of a first start, `gate` says whether anything may
//! start, `schedule` decides what runs now, `again` says what is asked for twice, `follow` what comes after a request,
//! `reconcile` holds the ledger against the disk at start, `tidy` removes what nobody wants from it, `events` tells,
//! `folders` asks people's folders and remembers them, `network` turns settings into manners, `keychain` keeps what signs in, `access` has the verbs for it, `configure` those
//! for settings, `speed` those for speed limits, `quota` those for quotas, `category` says what kind a file is,
//! `understand` reads what was pasted, `statistics` has the verb for running totals, `probe` those for looking at a file
//! before it is added, `links` those for what has a link already, and `details` those for whoever looks closely at one
//! file; `doctor` has those that check and repair the ledger; `owner` has those about everything of one owner, `hold` keeps what a client reads; `whole` reads and replaces small files, `log`
//! writes what is logged, `descriptors` says how much may be open at once, and `wait` is the door to locks and timers.
//! `generations` names the copies of the
//! ledger, `recovery` takes one where the ledger is damaged, and `adopt` brings it up to date by the partials. `export`
//! saves the list in a file and `import` takes one in; `saved` is what stands in its lines.
//! No HTTP, no window and no foreign vocabulary in here.

mod api;
mod context;
mod error;
mod first_run;
mod folders;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod gates;
mod intake;
mod keychain;
mod list_file;
mod messages;
mod model;
mod platform;
mod scheduler;
mod settings;
mod startup;
mod store;
#[cfg(test)]
mod tests;

pub use api::owners::check_name as check_owner;
pub use api::{Engine, Options};
pub use ashore_transfer::{Guid, charset::plain_text, is_invisible, runtime};
pub use context::events::{Event, Events};
pub use context::read_hold::Hold;
pub use error::Error;
pub use gates::{Hours, HoursError, Pace};
pub use intake::metalink::from_metalink;
pub use intake::parse::{ListOption, is_command, list_option, mended_link, understand, understand_listed};
pub use intake::userinfo::link_without_sign_in;
pub use intake::validate::check_link;
pub use model::values::byte_size::Amount;
pub use model::values::quiet_hours::QuietHours;
pub use model::values::retention::{Forgetting, Period};
pub use model::*;
pub use platform::env::{Env, LocalTime};
pub use platform::log::{LogLine, flush_log};
#[doc(hidden)]
pub use platform::{atomic_file, failpoint, path_text};
pub use settings::{DEFAULTS, Overrides, Settings, Telling, Waits};
