//! `ashore watch`: shows the active downloads of the running engine, until Ctrl-C.
//!
//! - On a terminal, the list is redrawn twice a second.
//! - Without a terminal, each change of state is printed as a line. Running downloads also get a line at intervals.
//! - With `--json`, each line is a registration with its speed.

use std::{
    collections::BTreeSet,
    io::{self, Write as _},
    path::Path,
    time::Duration,
};

use ashore_engine::{ListQuery, Registration, UniqueId};
use ashore_messages::message;
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_terminal::TerminalOutput;
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval};

use crate::{
    output::{
        problem::{CliProblem, ExitStatus},
        progress::EVERY,
        watched::{WatchedChange, WatchedDownloads},
    },
    signals::TerminationSignals,
    verbs::short::{PAGE, next_page, running_engine},
};

/// Interval between two redraws, and between two JSON objects about the progress of the same download.
const REDRAW: Duration = Duration::from_millis(500);
/// Switches to the alternate screen of the terminal, which leaves the main screen unchanged, and hides the cursor.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l";
/// Shows the cursor, and switches back to the main screen.
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";
/// Moves the cursor to the first line.
const HOME: &str = "\u{1b}[H";
/// Clears the rest of a line.
const CLEAR_LINE: &str = "\u{1b}[K";
/// Clears everything below the cursor.
const CLEAR_BELOW: &str = "\u{1b}[J";

/// Alternate screen of the terminal. Switches back to the main screen when dropped, also after a failure.
struct SecondScreen;

/// Output format of the watch.
enum WatchFormat {
    Drawn(SecondScreen),
    Lines,
    Json,
}

/// Registration with its current speed in bytes per second, as one line of JSON.
#[derive(Serialize)]
struct WatchedObject<'a> {
    #[serde(flatten)]
    registration: &'a Registration,
    speed: u64,
}

/// Runs `ashore watch`. Fails if no engine is running, or if the engine ends.
pub async fn watch(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let mut signals = TerminationSignals::new()?;
    let connection = PeerStream::Remote(running_engine(data_dir).await?);
    // Subscribe before reading the list, so that no event is missed in between.
    let mut events = connection.events().await?;
    let mut watched = WatchedDownloads::default();
    read(&connection, &mut watched).await?;
    let format = WatchFormat::new(out)?;
    let mut ticks = interval(format.interval());
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut moved = BTreeSet::new();
    format.show_all(&watched, out)?;
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            _ = ticks.tick() => {
                format.on_tick(&watched, &mut moved, out)?;
                continue;
            }
            () = signals.next() => return Ok(ExitStatus::Done),
        };
        let Some(event) = event else { return Err(CallFailure::Closed(message!("unreachable.ended")).into()) };
        let change = match watched.apply(event) {
            WatchedChange::Unknown(unique_id) => {
                // The download may have been removed since the event.
                let found: Option<Registration> = connection.call(MethodCall::Show { unique_id }).await.ok();
                found.map_or(WatchedChange::Nothing, |found| watched.insert(found))
            }
            WatchedChange::Lagged => {
                read(&connection, &mut watched).await?;
                WatchedChange::Nothing
            }
            change => change,
        };
        match change {
            WatchedChange::State(id) => format.on_state(&watched, id, out)?,
            WatchedChange::Progress(id) => _ = moved.insert(id),
            _ => {}
        }
    }
}

/// Reads the newest active downloads. Older downloads are read when they change.
async fn read(connection: &PeerStream, watched: &mut WatchedDownloads) -> Result<(), CallFailure> {
    let mut query = ListQuery { active: Some(true), ..ListQuery::default() };
    let downloads = next_page(connection, &mut query, PAGE).await?;
    watched.reset(downloads, connection.call(MethodCall::Totals).await?);
    Ok(())
}

impl WatchFormat {
    fn new(out: TerminalOutput) -> Result<Self, CliProblem> {
        Ok(match terminal_size::terminal_size_of(io::stdout()) {
            _ if out.json => Self::Json,
            Some(_) => Self::Drawn(SecondScreen::enter()?),
            None => Self::Lines,
        })
    }

    fn interval(&self) -> Duration {
        match self {
            Self::Lines => EVERY,
            Self::Drawn(_) | Self::Json => REDRAW,
        }
    }

    /// Shows the downloads at the beginning.
    fn show_all(&self, watched: &WatchedDownloads, out: TerminalOutput) -> Result<(), CliProblem> {
        match self {
            Self::Drawn(screen) => screen.draw(watched),
            Self::Lines | Self::Json => watched.all().iter().try_for_each(|one| self.print(watched, one.unique_id, out)),
        }
    }

    /// Shows the progress since the last tick, and clears `moved`, which contains the downloads with progress.
    fn on_tick(&self, watched: &WatchedDownloads, moved: &mut BTreeSet<UniqueId>, out: TerminalOutput) -> Result<(), CliProblem> {
        match self {
            Self::Drawn(screen) => screen.draw(watched)?,
            Self::Lines => watched.running().try_for_each(|one| self.print(watched, one.unique_id, out))?,
            Self::Json => moved.iter().try_for_each(|id| self.print(watched, *id, out))?,
        }
        moved.clear();
        Ok(())
    }

    /// Prints a change of state. Does nothing on a terminal, because the next redraw shows the change.
    fn on_state(&self, watched: &WatchedDownloads, id: UniqueId, out: TerminalOutput) -> Result<(), CliProblem> {
        match self {
            Self::Drawn(_) => Ok(()),
            Self::Lines | Self::Json => self.print(watched, id, out),
        }
    }

    fn print(&self, watched: &WatchedDownloads, id: UniqueId, out: TerminalOutput) -> Result<(), CliProblem> {
        let Some((registration, speed)) = watched.get(id) else { return Ok(()) };
        match self {
            Self::Json => out.object(&WatchedObject { registration, speed })?,
            Self::Drawn(_) | Self::Lines => out.line(watched.line(registration))?,
        }
        Ok(())
    }
}

impl SecondScreen {
    fn enter() -> io::Result<Self> {
        write(ENTER)?;
        Ok(Self)
    }

    fn draw(&self, watched: &WatchedDownloads) -> Result<(), CliProblem> {
        let Some((columns, rows)) = terminal_size::terminal_size_of(io::stdout()) else { return Ok(()) };
        let lines = watched.lines(usize::from(columns.0), usize::from(rows.0));
        let text: Vec<String> = lines.iter().map(|line| format!("{line}{CLEAR_LINE}")).collect();
        // Write no line break after the last line, because it would scroll the screen.
        write(&format!("{HOME}{}{CLEAR_BELOW}", text.join("\r\n")))?;
        Ok(())
    }
}

impl Drop for SecondScreen {
    fn drop(&mut self) {
        // Ignore the failure: it means that the terminal was closed.
        let _ = write(LEAVE);
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
