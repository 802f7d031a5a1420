//! `ashore sync-server …`: the program that is installed beside this one, so that `ashore` links neither a server nor PostgreSQL.

use std::{env, ffi::OsString, os::unix::process::CommandExt as _, process::Command};

use ashore_engine::Trouble;
use ashore_rpc::Failure;

use crate::output::problem::Problem;

/// Becomes that program. Returns only where that cannot be.
pub fn become_it(arguments: &[OsString], wants_json: bool) -> Problem {
    let program = env::current_exe().unwrap_or_default().with_file_name("ashore-sync-server");
    let json = wants_json.then_some("--json");
    let error = Command::new(&program).args(json).args(arguments).exec();
    let text = format!("The sync server {} cannot be started: {error}. Install it beside this program.", program.display());
    Failure::Refused(Trouble { code: "not-installed".to_owned(), text }).into()
}
