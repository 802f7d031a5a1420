//! Runs `ashore-sync-server` on data of its own: start, check, and enrolment of the first device.

use std::{path::PathBuf, process::Stdio, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use ashore_sync_server::auth::enrol::{EnrolLink, auth_of};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader},
    process::{Child, Command},
};

use super::wire::SyncWire;

/// Time limit of a start, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Data of one server.
pub struct ServerPlace {
    /// The program under test.
    pub program: PathBuf,
    pub folder: PathBuf,
    /// Address of the database; None for a file in the folder.
    pub database: Option<String>,
}

/// Server that is ready. Dropping it kills it.
pub struct RunningServer {
    pub child: Child,
    pub address: String,
    invite: Option<String>,
}

impl ServerPlace {
    /// Returns the name of the database for readers.
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

    /// Returns the command that serves, not started yet.
    pub fn command(&self) -> Command {
        let mut command = self.program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--quiet"]).env("RUST_LOG", "warn");
        command
    }

    /// Starts the program and waits until it is ready.
    pub async fn start(&self) -> Result<RunningServer> {
        let mut child = self.command().spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("the output is not piped")?);
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, lines.read_line(&mut line)).await.context("the server neither starts nor ends")??;
        if line.is_empty() {
            let mut said = String::new();
            child.stderr.take().context("the errors are not piped")?.read_to_string(&mut said).await?;
            bail!("the server did not start: {said}");
        }
        let ready: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        let address = ready["addresses"][0].as_str().and_then(|address| address.strip_prefix("http://"));
        let address = address.with_context(|| format!("the server did not start: {line}"))?;
        Ok(RunningServer { child, address: address.to_owned(), invite: ready["invite"].as_str().map(str::to_owned) })
    }

    /// Lets the program recount everything. Fails where a counter is wrong.
    pub async fn recount(&self) -> Result<()> {
        let output = self.program().arg("doctor").output().await?;
        let told: Value = serde_json::from_slice(&output.stdout)?;
        ensure!(told["wrong"] == json!([]), "on {}, the check of the database printed: {told}", self.kind());
        Ok(())
    }
}

impl RunningServer {
    /// Creates the first user with a device. Returns the token of the device.
    pub async fn enrol(&self) -> Result<String> {
        let link = self.invite.as_deref().and_then(EnrolLink::read).context("the output has no link for the first user")?;
        let asked = json!({ "uid": 0, "invite": link.id, "auth": auth_of(&link.secret, 0), "name": "a device" }).to_string();
        let wire = SyncWire::new(&self.address, "")?;
        let answer = wire.send(Method::POST, "/1.0/enrol", None, &asked).await?;
        ensure!(answer.status == 201, "response to the enrolment: {answer:?}");
        let enrolled: Value = serde_json::from_str(&answer.body)?;
        Ok(enrolled["token"].as_str().context("the response has no token")?.to_owned())
    }
}
