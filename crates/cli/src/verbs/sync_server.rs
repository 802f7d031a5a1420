//! `ashore sync-server …`: the program that is installed beside this one, so that `ashore` links neither a server nor PostgreSQL.

use std::{env, ffi::OsString, os::unix::process::CommandExt as _, process::Command};

use ashore_engine::UserMessage;
use ashore_rpc::CallFailure;

use crate::output::problem::CliProblem;

/// Becomes that program. Returns only where that cannot be.
pub fn become_it(arguments: &[OsString], wants_json: bool) -> CliProblem {
    let program = env::current_exe().unwrap_or_default().with_file_name("ashore-sync-server");
    let json = wants_json.then_some("--json");
    let error = Command::new(&program).args(json).args(arguments).exec();
    let text = format!("The sync server {} cannot be started: {error}. Install it beside this program.", program.display());
    CallFailure::Refused(UserMessage { code: "not-installed".to_owned(), text }).into()
}
