//! Verbs of the command line.

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
    auth::{random, token::Secret},
    clock::Clock,
    http::tls::{self, TlsError},
    protocol::Limits,
    store::Store,
};

use crate::{arguments::Common, problem::Problem};

/// The shortest secret, in bytes: half as many bits as the signature has.
const SHORTEST_SECRET: usize = 16;

/// The database, beside a server that may be running.
async fn store(common: &Common, verb: &str) -> Result<Store, Problem> {
    let holder = format!("ashore-sync-server {verb}");
    Ok(Store::open_beside(&common.place()?, Limits::default(), &holder, Clock::system().now()).await?)
}

/// The data folder, made where there is none, and for its owner alone.
///
/// A folder that a person named and made keeps its mode: it may hold other things, and the files in it have mode 0600.
fn folder(common: &Common) -> Result<PathBuf, Problem> {
    let folder = common.folder()?;
    let make = || {
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        match common.data_dir {
            None => fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)),
            Some(_) => Ok(()),
        }
    };
    let failed = |error| Problem::failed("file", format!("The folder {} cannot be made: {error}.", folder.display()));
    make().map_err(failed)?;
    Ok(folder)
}

/// The secret of tokens: from its file, which is made where there is none.
fn secret(path: &Path, may_be_made: bool) -> Result<Secret, Problem> {
    if may_be_made && !path.exists() {
        tls::write(path, random::<32>().as_bytes(), 0o600)?;
    }
    tls::check_mode(path)?;
    let text = fs::read_to_string(path).map_err(|source| TlsError::File { path: path.to_owned(), source })?;
    match text.trim() {
        text if text.len() >= SHORTEST_SECRET => Ok(Secret::new(text)),
        _ => Err(Problem::refused(
            "secret",
            format!("The secret in {} is shorter than {SHORTEST_SECRET} letters.", path.display()),
        )),
    }
}
