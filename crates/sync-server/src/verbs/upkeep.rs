//! Implements purge, backup, restore and doctor.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Seek as _, Write as _},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use ashore_sync_server::{
    clock::ServerClock,
    http::tls,
    protocol::ProtocolLimits,
    store::{SyncStore, VERSION},
};

use crate::{
    arguments::CommonArguments,
    print::TerminalOutput,
    problem::{ServerExit, ServerProblem},
};

/// `purge`
pub async fn purge(common: &CommonArguments, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let store = super::store(common, "purge").await?;
    let purged = store.purge(ServerClock::system().now()).await?;
    store.close().await;
    match out.json {
        true => out.object(&purged)?,
        false => out.line(format_args!(
            "{} objects, {} batches and {} invites deleted",
            purged.objects, purged.batches, purged.invites
        ))?,
    }
    Ok(ServerExit::Done)
}

/// `backup`: writes to a temporary file, and renames it when it is complete and synced.
pub async fn backup(common: &CommonArguments, path: &Path, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let failed =
        |error: &dyn std::fmt::Display| ServerProblem::failed("file", format!("{} cannot be written: {error}.", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let store = super::store(common, "backup").await?;
    // A temporary file has mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    let mut writer = BufWriter::new(file.as_file_mut());
    let copied = store.backup(&mut writer, ServerClock::system().now()).await?;
    writer.flush().map_err(|error| failed(&error))?;
    drop(writer);
    file.as_file().sync_all().map_err(|error| failed(&error))?;
    file.persist_noclobber(path).map_err(|error| failed(&error.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| failed(&error))?;
    store.close().await;
    match out.json {
        true => out.object(&copied)?,
        false => {
            out.line(format_args!("{} users, {} devices and {} objects saved", copied.users, copied.devices, copied.objects))?
        }
    }
    Ok(ServerExit::Done)
}

/// `restore`: requires that no running server uses the folder.
pub async fn restore(common: &CommonArguments, path: &Path, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let file = File::open(path)
        .map_err(|error| ServerProblem::failed("file", format!("{} cannot be read: {error}.", path.display())))?;
    // Open the file only once, because it may be a pipe. A second attempt to restore seeks back to the start of the
    // open file.
    let is_begun = AtomicBool::new(false);
    let open = || {
        let mut file = file.try_clone()?;
        if is_begun.swap(true, Ordering::Relaxed) {
            file.rewind()?;
        }
        Ok(BufReader::new(file))
    };
    let now = ServerClock::system().now();
    let store = SyncStore::open(&common.place()?, ProtocolLimits::default(), "ashore-sync-server restore", now).await?;
    let copied = store.restore(open).await?;
    store.close().await;
    match out.json {
        true => out.object(&copied)?,
        false => {
            out.line(format_args!("{} users, {} devices and {} objects restored", copied.users, copied.devices, copied.objects))?
        }
    }
    Ok(ServerExit::Done)
}

/// `doctor`
pub async fn doctor(common: &CommonArguments, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let store = super::store(common, "doctor").await?;
    let mut wrong = Vec::new();
    let (miscounts, lengths) = store.recount().await?;
    for miscount in &miscounts {
        let (user, collection) = (miscount.user, miscount.collection);
        let ((rows, bytes), (real_rows, real_bytes)) = (miscount.kept, miscount.counted);
        wrong.push(format!(
            "collection {collection} of user {user} counts {rows} objects and {bytes} bytes, and has {real_rows} and {real_bytes}"
        ));
    }
    if lengths > 0 {
        wrong.push(format!("{lengths} objects have another length than is noted"));
    }
    let damage = store.check_file().await?;
    wrong.extend(damage);
    let kind = store.kind();
    let users = store.users().await?.len();
    store.close().await;
    let folder = common.folder()?;
    for name in ["secret", "key.pem"] {
        let path = folder.join(name);
        if path.exists() {
            wrong.extend(tls::check_mode(&path).err().map(|error| error.to_string()));
        }
    }
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    if certificate.exists() {
        wrong.extend(tls::read(&certificate, &key, ServerClock::system().now()).err().map(|error| error.to_string()));
    }
    if out.json {
        out.object(&serde_json::json!({ "database": kind, "version": VERSION, "users": users, "wrong": wrong }))?;
    } else {
        out.line(format_args!("database  {kind}, version {VERSION}, {users} users"))?;
        for one in &wrong {
            out.line(format_args!("wrong     {one}"))?;
        }
        if wrong.is_empty() {
            out.line("all       well")?;
        }
    }
    Ok(if wrong.is_empty() { ServerExit::Done } else { ServerExit::Failed })
}
