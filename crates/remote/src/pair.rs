//! Calls of window and command line. They show a code, list the paired browsers, and remove a paired browser.

use std::{path::Path, time::Duration};

use ashore_engine::{Settings, UserMessage};
use ashore_messages::message;
use serde::Serialize;
use tokio::time::{Instant, sleep};
use ts_rs::TS;

use crate::{
    clock,
    listening_state::{self, ListeningState},
    pairing::{CODE_LENGTH, PendingPairing, VALID_FOR},
    session_file::SessionFile,
};

/// Maximum time from switching the setting on until the server listens.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(50);

/// Code that pairs one browser.
#[derive(Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct ShownCode {
    /// Code in the form that is shown to people, such as `ABCD-EFGH`.
    pub code: String,
    /// Seconds for which the code is valid.
    #[ts(type = "number")]
    pub seconds: u64,
}

/// Browser that may use the channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct PairedBrowser {
    /// Name, unique among the paired browsers.
    pub name: String,
    /// Time of the latest use, in seconds of Unix time, accurate to an hour.
    #[ts(type = "number")]
    pub seen_at: u64,
}

/// State of the channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct BrowserChannelReport {
    /// Whether browsers can connect.
    pub listens: bool,
    /// Reason why browsers cannot connect although the channel is on.
    pub fault: Option<UserMessage>,
    /// Paired browsers, in the order of their pairing.
    pub paired: Vec<PairedBrowser>,
    /// Number of seconds until the displayed code becomes invalid; null if there is no code.
    #[ts(type = "number | null")]
    pub code_seconds: Option<u64>,
}

/// Returns the state of the channel of `data_dir`. Fails if the list of paired browsers cannot be read.
pub fn channel_report(data_dir: &Path) -> Result<BrowserChannelReport, UserMessage> {
    let now = clock::now();
    let file = SessionFile::new(data_dir);
    let book = file.read().map_err(|error| file.fault(&error))?;
    let state = listening_state::read(data_dir);
    let fault = match &state {
        Some(ListeningState::Taken(ports)) => Some(taken(ports)),
        _ => None,
    };
    Ok(BrowserChannelReport {
        listens: matches!(state, Some(ListeningState::Port { .. })),
        fault,
        paired: book.valid(now).map(|token| PairedBrowser { name: token.name.clone(), seen_at: token.seen_at }).collect(),
        code_seconds: book.pairing.and_then(|pairing| pairing.seconds_left(now)),
    })
}

/// Makes a code that pairs one browser. An earlier code becomes invalid.
///
/// Fails if the channel is off, no Ashore runs, all ports are in use, or the code cannot be stored.
pub async fn start_pairing(data_dir: &Path) -> Result<ShownCode, UserMessage> {
    let (port, index) = port(data_dir).await?;
    let (pairing, code) = PendingPairing::new(port, index, clock::now(), &mut rand::rng());
    let file = SessionFile::new(data_dir);
    file.change(|book| book.pairing = Some(pairing)).map_err(|error| file.fault(&error))?;
    let (first, last) = code.split_at(CODE_LENGTH / 2);
    Ok(ShownCode { code: format!("{first}-{last}"), seconds: VALID_FOR })
}

/// Returns the port that the server listens on, and the position of this port among the usual ports.
async fn port(data_dir: &Path) -> Result<(u16, usize), UserMessage> {
    let begun = Instant::now();
    loop {
        match listening_state::read(data_dir) {
            Some(ListeningState::Port { port, index }) => return Ok((port, index)),
            Some(ListeningState::Taken(ports)) => return Err(taken(&ports)),
            // If the settings cannot be read, the program that runs the engine reports that.
            None if !Settings::stored(data_dir).is_ok_and(|settings| settings.browser_channel) => {
                return Err(message!("browser-pairing.off"));
            }
            None if begun.elapsed() > PATIENCE => return Err(message!("browser-pairing.closed")),
            None => sleep(PAUSE).await,
        }
    }
}

/// Removes a paired browser. Fails if no browser has this name.
pub fn unpair(data_dir: &Path, name: &str) -> Result<(), UserMessage> {
    let file = SessionFile::new(data_dir);
    match file.change(|book| book.remove(name, clock::now())) {
        Ok(true) => Ok(()),
        Ok(false) => Err(message!("browser-pairing.name", name = name)),
        Err(error) => Err(file.fault(&error)),
    }
}

fn taken(ports: &[u16]) -> UserMessage {
    let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
    message!("browser-pairing.ports", ports = ports.join(", "))
}
