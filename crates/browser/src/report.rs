//! Describes browsers for the command line and the window.

use std::path::PathBuf;

use ashore_messages::UserMessage;
use serde::Serialize;
use tokio::task::JoinSet;
use ts_rs::TS;

use crate::{
    examine::{ManifestFault, examine},
    install::{self, ManifestState},
    manifest_paths::{BROWSERS, BrowserPlace, UserFolders},
};

/// Browser, and its connection with Ashore.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct BrowserReport {
    /// Name for commands, such as `chrome`.
    pub name: &'static str,
    /// Name for people, such as `Google Chrome`.
    pub title: &'static str,
    /// State of the connection.
    pub state: BrowserState,
    /// Path of the manifest. Instead of a manifest, a file of another program may be at this path.
    pub manifest: Option<PathBuf>,
    /// Program that the manifest starts.
    pub program: Option<PathBuf>,
    /// Whether a package installed the manifest, so that the user cannot remove it.
    pub is_of_package: bool,
    /// Reason why the connection does not work; `None` if it works or was not tested.
    pub fault: Option<UserMessage>,
}

/// State of the connection between a browser and Ashore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum BrowserState {
    /// Either the user does not have this browser, or the user has never started it and no package connects it.
    NoBrowser,
    /// The browser has no manifest.
    NotConnected,
    /// The manifest starts the host of Ashore.
    Connected,
    /// Another program wrote the file at the path of the manifest.
    Foreign,
}

impl BrowserReport {
    /// Returns the state of a browser without a test of its connection.
    pub fn without_test(browser: &BrowserPlace, folders: &UserFolders) -> Self {
        let (state, manifest, program) = match install::state(browser, folders) {
            ManifestState::NoBrowser => (BrowserState::NoBrowser, None, None),
            ManifestState::NotConnected => (BrowserState::NotConnected, None, None),
            ManifestState::Connected { manifest, program } => (BrowserState::Connected, Some(manifest), Some(program)),
            ManifestState::Foreign { manifest } => (BrowserState::Foreign, Some(manifest), None),
        };
        let is_of_package = manifest.as_ref().is_some_and(|path| browser.of_system(folders).contains(path));
        Self { name: browser.name, title: browser.title, state, manifest, program, is_of_package, fault: None }
    }
}

/// Returns all browsers that the user has. Tests each connection in the same way as the browser would use it.
pub async fn reports(folders: &UserFolders) -> Vec<BrowserReport> {
    let mut reports: Vec<BrowserReport> = BROWSERS.iter().map(|browser| BrowserReport::without_test(browser, folders)).collect();
    // Test all connections at once, because a program that does not answer takes a while.
    let mut tests = JoinSet::new();
    for (index, browser) in BROWSERS.iter().enumerate() {
        let folders = folders.clone();
        tests.spawn(async move { (index, examine(browser, &folders).await) });
    }
    while let Some(tested) = tests.join_next().await {
        if let Ok((index, Err(ManifestFault::Broken(why)))) = tested {
            reports[index].fault = Some(why);
        }
    }
    reports.retain(|report| report.state != BrowserState::NoBrowser);
    reports
}
