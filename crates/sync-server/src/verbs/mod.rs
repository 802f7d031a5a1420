//! Implements the subcommands of the command line.

pub mod install;
pub mod people;
mod reach;
pub mod serve;
pub mod upkeep;

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use ashore_sync_server::{
    auth::{random, token::ServerSecret},
    clock::ServerClock,
    http::tls::{self, TlsError},
    protocol::ProtocolLimits,
    store::SyncStore,
};

use crate::{arguments::CommonArguments, problem::ServerProblem};

/// Minimum length of a secret in bytes: half the length of a signature.
const SHORTEST_SECRET: usize = 16;

/// Opens the database even if a server has it open.
async fn store(common: &CommonArguments, verb: &str) -> Result<SyncStore, ServerProblem> {
    let holder = format!("ashore-sync-server {verb}");
    Ok(SyncStore::open_beside(&common.place()?, ProtocolLimits::default(), &holder, ServerClock::system().now()).await?)
}

/// Creates the data folder if necessary, accessible to its owner only.
///
/// An existing folder that the user named keeps its mode, because it may contain files of other programs. The files of
/// the server have mode 0600.
fn folder(common: &CommonArguments) -> Result<PathBuf, ServerProblem> {
    let folder = common.folder()?;
    let make = || {
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        match common.data_dir {
            None => fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)),
            Some(_) => Ok(()),
        }
    };
    let failed = |error| ServerProblem::failed("file", format!("The folder {} cannot be made: {error}.", folder.display()));
    make().map_err(failed)?;
    Ok(folder)
}

/// Reads the token secret from its file.
///
/// Creates the file if it is missing and `may_be_made` is true.
fn secret(path: &Path, may_be_made: bool) -> Result<ServerSecret, ServerProblem> {
    if may_be_made && !path.exists() {
        tls::write(path, random::<32>().as_bytes(), 0o600)?;
    }
    tls::check_mode(path)?;
    let text = fs::read_to_string(path).map_err(|source| TlsError::File { path: path.to_owned(), source })?;
    match text.trim() {
        text if text.len() >= SHORTEST_SECRET => Ok(ServerSecret::new(text)),
        _ => Err(ServerProblem::refused(
            "secret",
            format!("The secret in {} is shorter than {SHORTEST_SECRET} letters.", path.display()),
        )),
    }
}
