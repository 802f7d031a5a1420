//! `ashore sync-server`: starts the separate server program, so that `ashore` contains neither a server nor PostgreSQL.

use std::{env, ffi::OsString, os::unix::process::CommandExt as _, process::Command};

use ashore_messages::message;
use ashore_rpc::CallFailure;

use crate::output::problem::CliProblem;

/// Replaces this process by the sync server. Returns only if the replacement failed.
pub fn become_it(arguments: &[OsString], wants_json: bool) -> CliProblem {
    let program = env::current_exe().unwrap_or_default().with_file_name("ashore-sync-server");
    let json = wants_json.then_some("--json");
    let error = Command::new(&program).args(json).args(arguments).exec();
    CallFailure::Refused(message!("not-installed", path = &program, why = &error)).into()
}
