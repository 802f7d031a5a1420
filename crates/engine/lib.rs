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

mod accept;
mod access;
mod adopt;
mod again;
mod amount;
mod bodies;
mod bootstrap;
mod carrier;
#[cfg(test)]
mod catalogue;
mod category;
mod configure;
pub mod crashpoint;
mod descriptors;
mod details;
mod doctor;
mod engine;
mod env;
mod error;
mod events;
mod export;
mod face;
mod failure;
mod folders;
mod follow;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod gate;
mod generations;
mod hold;
mod icons;
mod import;
mod keychain;
mod links;
mod live;
mod lock;
mod log;
mod metalink;
mod methods;
mod model;
mod network;
mod owner;
#[doc(hidden)]
pub mod path_text;
mod period;
mod probe;
mod quiet;
mod quota;
mod reconcile;
mod recovery;
mod saved;
mod schedule;
mod settings;
mod shared;
mod siblings;
mod speed;
mod startup;
mod state;
mod statistics;
mod store;
mod tidy;
mod understand;
mod userinfo;
mod wait;
pub mod whole;

pub use accept::check_link;
pub use amount::Amount;
pub use ashore_transfer::{Guid, charset::plain_text, is_invisible, runtime};
pub use engine::{Engine, Options};
pub use env::{Env, LocalTime};
pub use error::Error;
pub use events::{Event, Events};
pub use gate::{Hours, HoursError, Pace};
pub use hold::Hold;
pub use log::{LogLine, flush_log};
pub use metalink::from_metalink;
pub use model::*;
pub use owner::check_name as check_owner;
pub use period::{Forgetting, Period};
pub use quiet::QuietHours;
pub use settings::{DEFAULTS, Overrides, Settings, Telling, Waits};
pub use understand::{ListOption, is_command, list_option, mended_link, understand, understand_listed};
pub use userinfo::link_without_sign_in;
