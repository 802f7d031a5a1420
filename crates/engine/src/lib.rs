//! Engine of Ashore: the ledger and the scheduler of downloads.
//!
//! All operations are methods of [`Engine`]. The crate contains neither HTTP nor a window, and no terms of other
//! programs.
//!
//! A folder imports only from folders that precede it in this list: `model`, `platform`, `keychain`, `settings`,
//! `folders`, `intake`, `store`, `gates`, `context`, `first_run`, `scheduler`, `startup`, `api`, `list_file`.
//!
//! - `model` holds data types, values, errors and messages; `platform` is the machine: clock, locks, files and log.
//! - `intake` validates new downloads and parses pasted text; `folders` queries download folders without blocking on
//!   them.
//! - `store` holds every SQL statement; `gates` decide whether anything may start.
//! - `context` holds the handles that `api` and `scheduler` share, and emits events.
//! - `scheduler` is the loop: dispatch, retries, host limits, fair share. `startup` opens an engine and reconciles
//!   ledger and disk.
//! - `api` holds the public operations; `list_file` exports and imports the list.

mod api;
mod context;
mod first_run;
mod folders;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod fuzz;
mod gates;
mod intake;
mod keychain;
mod list_file;
mod model;
mod platform;
mod scheduler;
mod settings;
mod startup;
mod store;
#[cfg(test)]
mod tests;

pub use crate::api::engine::Engine;
pub use crate::api::network::NetworkWatch;
pub use crate::api::read_hold::ReadHold;
pub use crate::intake::parse::text::{ListOption, is_command, list_option, mended_link, understand, understand_listed};
pub use crate::list_file::import::refused_path_in_list;
pub use crate::model::owner::check_name as check_owner;
pub use crate::model::values::local_time::LocalTime;
pub use crate::model::values::path_text;
pub use crate::startup::options::EngineOptions;
pub use ashore_transfer::{Guid, charset::plain_text, is_invisible, runtime, safe_file_name};
pub use context::events::{EngineEvent, EventStream};
pub use gates::{HoursError, SpeedMode, WeeklyHours};
pub use intake::metalink::from_metalink;
pub use intake::userinfo::link_without_sign_in;
pub use intake::validate::{RESERVED_HEADERS, check_link};
pub use model::error::EngineError;
pub use model::values::byte_size::ByteSize;
pub use model::values::quiet_hours::QuietHours;
pub use model::values::retention::{RetentionPeriod, RetentionPolicy};
pub use model::*;
pub use platform::env::EngineEnv;
pub use platform::log::{LogLine, flush_log};
#[doc(hidden)]
pub use platform::{atomic_file, failpoint};
pub use settings::{DEFAULTS, GatePolicy, NotificationLevel, SettingOverrides, Settings};
pub use store::list_file::redact::may_export_header;
