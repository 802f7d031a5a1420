//! Subcommands of the command line. Each file has one subcommand or one group of subcommands.

pub(crate) mod add;
pub(crate) mod browsers;
pub(crate) mod credentials;
pub(crate) mod doctor;
pub(crate) mod get;
pub(crate) mod healthy;
pub(crate) mod limit;
pub(crate) mod list;
pub(crate) mod list_file;
pub(crate) mod open;
pub(crate) mod owners;
pub(crate) mod quota;
pub(crate) mod relink;
pub(crate) mod remote;
pub(crate) mod serve;
pub(crate) mod serve_retention;
pub(crate) mod settings;
pub(crate) mod short;
pub(crate) mod show;
pub(crate) mod statistics;
pub(crate) mod sync;
pub(crate) mod sync_conflicts;
pub(crate) mod sync_server;
pub(crate) mod watch;
