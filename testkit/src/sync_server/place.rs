//! Runs `ashore-sync-server` with its own data: starts and checks the server, and enrols the first device.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use hkdf::Hkdf;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::sync_server::wire::SyncWire;

/// Maximum time for the start of a server, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Data that belongs to one server.
pub struct ServerPlace {
    /// The program under test.
    pub program: PathBuf,
    /// Data folder of the program.
    pub folder: PathBuf,
    /// Address of the database; `None` for a file in the data folder.
    pub database: Option<String>,
}

/// Running server that is ready for requests. Dropping this value kills the server.
pub struct RunningServer {
    /// Process of the server.
    pub child: Child,
    /// Host and port of the server.
    pub address: String,
    invite: Option<String>,
}

impl ServerPlace {
    /// Returns the kind of database, for display.
    pub fn kind(&self) -> &'static str {
        if self.database.is_some() { "PostgreSQL" } else { "SQLite" }
    }

    fn program(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--data-dir").arg(&self.folder).arg("--json").env_remove("RUST_LOG").env_remove("JOURNAL_STREAM");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        match &self.database {
            Some(address) => command.env("ASHORE_SYNC_SERVER_DATABASE", address),
            None => command.env_remove("ASHORE_SYNC_SERVER_DATABASE"),
        };
        command
    }

    /// Returns the command that starts the server, without running it.
    pub fn command(&self) -> Command {
        self.command_at("127.0.0.1:0")
    }

    /// Writes a script into `folder` that starts the server with a shifted clock. Returns the path of the script.
    /// `offset` is the shift, such as `-2h`.
    pub fn program_with_clock(program: &Path, folder: &Path, offset: &str) -> Result<PathBuf> {
        let script = folder.join("server-with-clock");
        let library = "LD_PRELOAD='/usr/$LIB/faketime/libfaketimeMT.so.1'";
        // Leave the monotonic clock unchanged, so that timers are correct.
        let command = format!("{library} FAKETIME='{offset}' FAKETIME_DONT_FAKE_MONOTONIC=1 exec '{}' \"$@\"", program.display());
        fs::write(&script, format!("#!/bin/sh\n{command}\n"))?;
        fs::set_permissions(&script, Permissions::from_mode(0o700))?;
        Ok(script)
    }

    fn command_at(&self, address: &str) -> Command {
        let mut command = self.program();
        command.args(["serve", "--listen", address, "--quiet"]).env("RUST_LOG", "warn");
        command
    }

    /// Starts the program and waits until it is ready.
    pub async fn start(&self) -> Result<RunningServer> {
        self.start_at("127.0.0.1:0").await
    }

    /// Starts the program at this address, which may be the address of an earlier run, and waits until it is ready.
    pub async fn start_at(&self, address: &str) -> Result<RunningServer> {
        ready(self.command_at(address)).await
    }

    /// Starts the program at this address with a failpoint that kills it. Does not wait for the start, because the
    /// program may be killed before it is ready.
    pub fn start_to_die_at(&self, address: &str, point: &str) -> Result<Child> {
        Ok(self.command_at(address).env("ASHORE_CRASH_AT", point).spawn()?)
    }

    /// Starts the program at this address over TLS, with a new certificate, and waits until it is ready.
    pub async fn start_with_new_certificate(&self, address: &str) -> Result<RunningServer> {
        let new = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
        fs::create_dir_all(&self.folder)?;
        let [certificate, key] = self.own_certificate();
        fs::write(&certificate, new.cert.pem())?;
        fs::write(&key, new.signing_key.serialize_pem())?;
        // The server refuses a key that other users can read.
        fs::set_permissions(&key, Permissions::from_mode(0o600))?;
        self.start_with_own_certificate(address).await
    }

    /// Starts the program at this address over TLS, with the certificate of an earlier run, and waits until it is
    /// ready.
    pub async fn start_with_own_certificate(&self, address: &str) -> Result<RunningServer> {
        let [certificate, key] = self.own_certificate();
        let mut command = self.command_at(address);
        command.arg("--certificate").arg(certificate).arg("--key").arg(key);
        ready(command).await
    }

    /// Returns the paths of the certificate and its key.
    pub fn own_certificate(&self) -> [PathBuf; 2] {
        ["own-certificate.pem", "own-key.pem"].map(|name| self.folder.join(name))
    }

    /// Limits the storage space of a user to `size`, such as `2K`; `none` removes the limit.
    pub async fn limit_space(&self, uid: i64, size: &str) -> Result<()> {
        let output = self.program().args(["quota", &uid.to_string(), size]).output().await?;
        ensure!(output.status.success(), "the quota was not set: {output:?}");
        Ok(())
    }

    /// Makes the program check all its counters. Fails if a counter is wrong.
    pub async fn recount(&self) -> Result<()> {
        let output = self.program().arg("doctor").output().await?;
        let told: Value = serde_json::from_slice(&output.stdout)?;
        ensure!(told["wrong"] == json!([]), "on {}, the check of the database printed: {told}", self.kind());
        Ok(())
    }
}

impl RunningServer {
    /// Returns the link that creates the first user; `None` if a user exists.
    pub fn set_up_link(&self) -> Option<&str> {
        self.invite.as_deref()
    }

    /// Creates the first user with a device. Returns the token of the device.
    pub async fn enrol(&self) -> Result<String> {
        let link = self.invite.as_deref().context("the output has no link for the first user")?;
        let (id, auth) = proof(link).with_context(|| format!("{link} is not a link"))?;
        let asked = json!({ "uid": 0, "invite": id, "auth": auth, "name": "a device" }).to_string();
        let wire = SyncWire::new(&self.address, "")?;
        let answer = wire.send(Method::POST, "/1.0/enrol", None, &asked).await?;
        ensure!(answer.status == 201, "response to the enrolment: {answer:?}");
        let enrolled: Value = serde_json::from_str(&answer.body)?;
        Ok(enrolled["token"].as_str().context("the response has no token")?.to_owned())
    }
}

/// Starts a server, and waits until it is ready.
async fn ready(mut command: Command) -> Result<RunningServer> {
    let mut child = command.spawn()?;
    let mut lines = BufReader::new(child.stdout.take().context("the output is not piped")?);
    let mut line = String::new();
    tokio::time::timeout(PATIENCE, lines.read_line(&mut line)).await.context("the server neither starts nor ends")??;
    if line.is_empty() {
        let mut said = String::new();
        child.stderr.take().context("the errors are not piped")?.read_to_string(&mut said).await?;
        bail!("the server did not start: {said}");
    }
    let ready: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
    let address = ready["addresses"][0].as_str().and_then(|address| address.split_once("://"));
    let (_, address) = address.with_context(|| format!("the server did not start: {line}"))?;
    Ok(RunningServer { child, address: address.to_owned(), invite: ready["invite"].as_str().map(str::to_owned) })
}

/// Returns the id of an invite that creates a user, and the proof of the invite's secret. Devices compute the proof in
/// the same way.
fn proof(link: &str) -> Option<(&str, String)> {
    let (place, fragment) = link.strip_prefix("ashore://join/")?.split_once('#')?;
    let (id, secret) = (place.rsplit_once("/0/")?.1, fragment.split_once('.')?.0);
    let mut auth = [0; 32];
    Hkdf::<Sha256>::new(Some(b"0"), secret.as_bytes()).expand(b"ashore-sync/1/auth", &mut auth).ok()?;
    Some((id, hex::encode(auth)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proof_of_invite_secret_matches_known_value() {
        let (id, auth) = proof("ashore://join/home.example:8484/0/abc#s3.p1").unwrap();
        assert_eq!((id, auth.as_str()), ("abc", "3bb6e8da36101afe879218027afd914d073c9d673db71c7124b9227c9ba48337"));
        assert_eq!(proof("ashore://join/home.example:8484/7/abc#s3.p1"), None, "that is a link for another device");
    }
}
