//! Files on the server, and the registrations that a user has requested.

use anyhow::{Result, ensure};
use ashore_testkit::origin::{Body, Route};
use serde_json::Value;

/// Size in bytes above which a file uses several connections.
pub(super) const SHARED: u64 = 16 << 20;

/// File on the server.
#[derive(Debug)]
pub(super) struct Shelved {
    /// Addresses that serve the file.
    pub routes: Vec<Route>,
    /// Addresses that the list may show: the current address, and new addresses whose change was not acknowledged.
    pub addresses: Vec<String>,
    pub body: Body,
    /// Body of an upload to this file, if any.
    pub sent: Option<Vec<u8>>,
    /// Two numbers of bytes after the last crash: those that the journal claimed, and those that the server had sent.
    pub held: Option<(u64, u64)>,
}

/// Requested registration.
#[derive(Debug)]
pub(super) struct AskedDownload {
    pub name: String,
    pub requests: Vec<Value>,
    /// Whether the engine acknowledged the registration.
    pub is_acknowledged: bool,
    /// Titles that the list may show: the current title, and new titles whose change was not acknowledged.
    pub titles: Vec<String>,
    pub is_cancelled: WorldEdit,
    pub is_removed: WorldEdit,
}

/// State of a change that the user requested for a download.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum WorldEdit {
    /// The user has not requested this change.
    #[default]
    No,
    /// The user has requested the change, but the engine has not responded.
    Unanswered,
    /// The engine has acknowledged the change.
    Acknowledged,
}

impl Shelved {
    /// Returns the number of this file's bytes that the server has sent from all addresses.
    pub(super) fn bytes_sent(&self) -> u64 {
        self.routes.iter().map(Route::bytes_sent).sum()
    }

    /// Fails if bytes that were claimed after the last crash were fetched again.
    ///
    /// Bytes that a resume must compare may be fetched again.
    pub(super) fn check_fetched_once(&self, again: u64) -> Result<()> {
        let Some((claimed, sent)) = self.held.filter(|_| self.sent.is_none()) else { return Ok(()) };
        let (came, missing) = (self.bytes_sent() - sent, self.body.length().saturating_sub(claimed));
        let connections = if self.body.length() > SHARED { 4 } else { 1 };
        ensure!(came <= missing + again * connections, "{missing} bytes were missing, but {came} were sent");
        Ok(())
    }
}

impl AskedDownload {
    /// Returns the names of the files of this download.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.requests.iter().filter_map(|request| name_of(request.get("url")?))
    }
}

/// Returns the file name at the end of an address.
pub(super) fn name_of(url: &Value) -> Option<String> {
    url.as_str()?.rsplit('/').next().map(str::to_owned)
}
