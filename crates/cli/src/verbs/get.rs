//! `ashore get`: creates or finds a registration, and waits for its end.
//!
//! If the engine of the folder runs in another program, and that program exits, this program continues with its own
//! engine.

use std::path::Path;

use ashore_engine::{
    AddOutcome, EngineEvent, ProgressTotals, Registration, RegistrationResult, RegistrationState, SettingOverrides, UniqueId,
};
use ashore_messages::{MessageArgument, message};
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_terminal::TerminalOutput;
use tokio::time::{MissedTickBehavior, interval};

use crate::{
    arguments::FetchArguments,
    connection::{self, connect_with},
    input::request::{existing, registration},
    output::{
        problem::{CliProblem, ExitStatus},
        progress::{EVERY, ProgressOutput},
        text::{self, ShownState},
        words::words,
    },
    signals::TerminationSignals,
    verbs::{add, credentials::RequestCredentials, settings, short, show},
};

/// Name of this program. Other programs show the name while this program uses the folder.
const HOLDER: &str = "ashore get";

/// Maximum number of files listed by name in the final report. Further files are only counted.
const NAMED: u32 = 20;

/// Reason why this program stopped following a registration.
enum Followed {
    Settled(Box<Registration>),
    Removed,
    Interrupted(Box<Registration>),
    /// The connection to the engine was lost; the registration still exists.
    Lost,
}

/// Download to which the arguments refer.
enum Meant<'a> {
    New(Box<ashore_engine::NewRegistration>),
    Existing(&'a str),
}

/// Starts or finds the download, and waits for its end.
pub async fn get(data_dir: &Path, fetching: &FetchArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let wanted = &fetching.wanted;
    let network = fetching.network.overrides()?;
    let is_network_wanted = network != SettingOverrides::default();
    let overrides = SettingOverrides { parallel: fetching.parallel, connections: fetching.connections, ..network };
    let meant = match existing(wanted) {
        Some(id) => Meant::Existing(id),
        None => Meant::New(Box::new(registration(wanted, out)?)),
    };
    let mut company = match &meant {
        Meant::New(new) => RequestCredentials::for_download(wanted, Some(new))?,
        Meant::Existing(_) => RequestCredentials::for_download(wanted, None)?,
    };
    let mut signals = TerminationSignals::new()?;
    let mut id = None;
    let mut told = None;
    let mut is_said = overrides == SettingOverrides::default();
    loop {
        let connection = tokio::select! {
            connection = connect_with(data_dir, HOLDER, true, overrides.clone()) => connection?,
            () = signals.next() => return Ok(ExitStatus::Interrupted),
        };
        if !connection.is_own() && is_network_wanted {
            signals.leave_at_the_next();
            connection.close().await;
            // Fail, because the running engine would download without the requested proxy.
            return Err(CliProblem::Usage(message!("network")));
        }
        if !connection.is_own() && !is_said {
            out.print_line(words!("cli-get-options-unused"));
            is_said = true;
        }
        if let PeerStream::Own(own) = &connection
            && id.is_none()
        {
            settings::say_slips(&own.engine.settings(), out);
        }
        if let Err(problem) = company.introduce(&connection, out).await {
            if problem.is_lost() {
                connection.close().await;
                continue;
            }
            signals.leave_at_the_next();
            connection.close().await;
            return Err(problem);
        }
        // After the result, print nothing more, because scripts treat the result as the last line.
        let progress = if told.is_some() { out.silent() } else { out };
        let followed = follow_to_the_end(&connection, &meant, &mut id, &mut signals, progress).await;
        if followed.is_ok() {
            company.say_kept(out);
        }
        let ended = match followed {
            Ok(Followed::Lost) => {
                connection.close().await;
                continue;
            }
            Ok(Followed::Interrupted(last)) => {
                signals.leave_at_the_next();
                connection.close().await;
                say_how_to_go_on(&connection, &last, data_dir, out);
                return Ok(ExitStatus::Interrupted);
            }
            Ok(Followed::Removed) => {
                out.print_line(words!("cli-get-removed"));
                Ok(ExitStatus::Failed)
            }
            Ok(Followed::Settled(settled)) => match finish(&connection, &settled, &mut told, out).await {
                // The download has ended, but the connection was lost before the last calls. Repeat them with the next
                // engine.
                Err(problem) if problem.is_lost() => {
                    connection.close().await;
                    continue;
                }
                ended => ended,
            },
            Err(problem) => Err(problem),
        };
        signals.leave_at_the_next();
        connection.close().await;
        return ended;
    }
}

async fn follow_to_the_end(
    connection: &PeerStream,
    meant: &Meant<'_>,
    id: &mut Option<UniqueId>,
    signals: &mut TerminationSignals,
    out: TerminalOutput,
) -> Result<Followed, CliProblem> {
    let begun = match *id {
        Some(id) => Ok(id),
        None => begin(connection, meant, out).await,
    };
    let followed = match begun {
        Ok(begun) => {
            *id = Some(begun);
            follow(connection, begun, signals, out).await
        }
        Err(problem) => Err(problem),
    };
    match followed {
        // Report a lost connection, so that the caller repeats the call. A repeated call creates no second download if
        // the id or the content identifies the download.
        Err(problem) if problem.is_lost() && (id.is_some() || meant.may_be_asked_again()) => Ok(Followed::Lost),
        followed => followed,
    }
}

impl Meant<'_> {
    fn may_be_asked_again(&self) -> bool {
        match self {
            Self::New(new) => new.developer_id.is_none(),
            Self::Existing(_) => true,
        }
    }
}

async fn begin(connection: &PeerStream, meant: &Meant<'_>, out: TerminalOutput) -> Result<UniqueId, CliProblem> {
    let new = match meant {
        Meant::New(new) => {
            // An argument that is not a link may be the `--id` name of a download.
            if let [only] = new.requests.as_slice()
                && !only.url.contains("://")
                && let Some(found) = short::named(connection, &only.url).await?
            {
                resume(connection, &found).await?;
                return Ok(found.unique_id);
            }
            new
        }
        Meant::Existing(text) => {
            let id = short::resolve(connection, text).await?;
            let found: Registration = connection.call(MethodCall::Show { unique_id: id }).await?;
            resume(connection, &found).await?;
            return Ok(id);
        }
    };
    let found = match connection.call(MethodCall::Add(new.as_ref().clone())).await? {
        AddOutcome::New(made) => return Ok(made.unique_id),
        AddOutcome::Moved(found) | AddOutcome::Running(found) | AddOutcome::Merged(found) => found,
        AddOutcome::Ignored => return Err(CallFailure::Refused(add::ignored()).into()),
    };
    out.print_line(words!("cli-get-known"));
    resume(connection, &found).await?;
    Ok(found.unique_id)
}

/// Resumes or retries the download, because this command is a request to download now.
async fn resume(connection: &PeerStream, found: &Registration) -> Result<(), CallFailure> {
    let unique_id = found.unique_id;
    match found.state {
        RegistrationState::Paused => connection.call(MethodCall::Resume { unique_id: Some(unique_id) }).await,
        RegistrationState::Waiting if found.next_try.is_some() => {
            connection.call::<u32>(MethodCall::Retry { unique_id }).await.map(drop)
        }
        RegistrationState::Settled if found.result == RegistrationResult::Failure => {
            connection.call::<u32>(MethodCall::Retry { unique_id }).await.map(drop)
        }
        _ => Ok(()),
    }
}

async fn follow(
    connection: &PeerStream,
    id: UniqueId,
    signals: &mut TerminationSignals,
    out: TerminalOutput,
) -> Result<Followed, CliProblem> {
    // Subscribe before reading the snapshot, so that no event is missed in between.
    let mut events = connection.events().await?;
    let mut now: Registration = connection.call(MethodCall::Show { unique_id: id }).await?;
    let totals: ProgressTotals = connection.call(MethodCall::Totals).await?;
    let (mut speed, mut is_all_paused) = (0, totals.paused);
    let bar = ProgressOutput::new(out);
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Skip the first tick, which fires immediately.
    ticks.tick().await;
    if out.json {
        out.object(&EngineEvent::Changed { registration: Box::new(now.clone()) })?;
    }
    let followed = loop {
        if now.is_settled() {
            // Confirm the end in the ledger, because the event may be older than the snapshot.
            now = connection.call(MethodCall::Show { unique_id: id }).await?;
            if now.is_settled() {
                break Followed::Settled(Box::new(now));
            }
        }
        bar.show(&now, speed, is_all_paused);
        let event = tokio::select! {
            event = events.next() => event,
            _ = ticks.tick() => {
                bar.tick(&now, speed, is_all_paused);
                continue;
            }
            () = signals.next() => break Followed::Interrupted(Box::new(now)),
        };
        let Some(event) = event else { break Followed::Lost };
        if out.json && is_about(&event, id) {
            out.object(&event)?;
        }
        match event {
            EngineEvent::Changed { registration } | EngineEvent::Owed { registration } | EngineEvent::Ended { registration }
                if registration.unique_id == id =>
            {
                now = *registration;
            }
            EngineEvent::Progress { unique_id, downloaded, uploaded, expected_total, speed: measured, .. } if unique_id == id => {
                (now.downloaded, now.uploaded, now.expected_total) = (downloaded, uploaded, expected_total);
                speed = measured;
            }
            EngineEvent::Removed { unique_id, .. } if unique_id == id => break Followed::Removed,
            EngineEvent::Totals { totals } => is_all_paused = totals.paused,
            EngineEvent::Lagged => now = connection.call(MethodCall::Show { unique_id: id }).await?,
            _ => {}
        }
    };
    bar.clear();
    Ok(followed)
}

fn is_about(event: &EngineEvent, id: UniqueId) -> bool {
    match event {
        EngineEvent::Changed { registration }
        | EngineEvent::Owed { registration }
        | EngineEvent::Ended { registration }
        | EngineEvent::Clicked { registration } => registration.unique_id == id,
        EngineEvent::Progress { unique_id, .. } | EngineEvent::Removed { unique_id, .. } => *unique_id == id,
        EngineEvent::Totals { .. } | EngineEvent::Settings | EngineEvent::Sync | EngineEvent::Lagged => false,
    }
}

/// Prints the result of `settled` once, and claims its notification.
///
/// The claim prevents other programs from showing the result, because the user reads the result here. `told` becomes
/// the id of the registration right after printing. This prevents a second output if the connection breaks afterwards.
async fn finish(
    connection: &PeerStream,
    settled: &Registration,
    told: &mut Option<UniqueId>,
    out: TerminalOutput,
) -> Result<ExitStatus, CliProblem> {
    let ending = if settled.result == RegistrationResult::Success { ExitStatus::Done } else { ExitStatus::Failed };
    if *told != Some(settled.unique_id) {
        if out.json {
            show::object(connection, settled, false, out).await?;
        } else {
            acknowledge(connection, settled, out).await?;
        }
        *told = Some(settled.unique_id);
    }
    let unique_id = settled.unique_id;
    connection.call::<bool>(MethodCall::Claim { unique_id }).await?;
    if connection::acts_for().is_some() {
        connection.call::<bool>(MethodCall::Acknowledge { unique_id, event_number: settled.event_number }).await?;
    }
    if connection.is_own() {
        let totals: ProgressTotals = connection.call(MethodCall::Totals).await?;
        let left = totals.running + totals.waiting;
        if left > 0 && !totals.paused {
            out.print_line(words!("cli-get-others", count = left));
        }
    }
    Ok(ending)
}

async fn acknowledge(connection: &PeerStream, settled: &Registration, out: TerminalOutput) -> Result<(), CliProblem> {
    let is_short = settled.requests <= NAMED;
    let mut printed = Ok(());
    let (mut finished, mut failed) = (Vec::new(), Vec::new());
    if is_short || settled.failed > 0 {
        // Read all records before printing any. Otherwise, records would be printed twice if the engine closed in
        // between.
        show::each_record(connection, settled.unique_id, async |record| {
            match text::record_state(record) {
                ShownState::Done if is_short && !out.quiet => finished.push(text::finished(record)),
                ShownState::Failed => failed.push(text::failed(record)),
                _ => {}
            }
            Ok(())
        })
        .await?;
    }
    finished.iter().try_for_each(|line| out.text(line, 2))?;
    failed.iter().for_each(|line| out.complain(line));
    if !is_short && !out.quiet {
        let (files, size) = (words!("n-files", count = settled.succeeded), MessageArgument::size(settled.downloaded));
        printed = out.text(words!("cli-get-summary", files = files, size = size, path = &settled.folder), 2);
    }
    if let (RegistrationResult::Failure, Some(failure)) = (settled.result, &settled.failure)
        && settled.failed == 0
    {
        out.complain(text::with_cure(failure));
    }
    Ok(printed?)
}

fn say_how_to_go_on(connection: &PeerStream, last: &Registration, data_dir: &Path, out: TerminalOutput) {
    let id = &last.unique_id.to_string()[..8];
    let is_usual = ashore_rpc::data_dir().as_deref() == Some(data_dir);
    let is_elsewhere = !is_usual && std::env::var_os("ASHORE_DATA_DIR").is_none();
    let place = if is_elsewhere { format!(" --data-dir {}", data_dir.display()) } else { String::new() };
    let get = format!("ashore{place} get {id}");
    if connection.is_own() {
        out.print_line(words!("cli-get-stopped", size = MessageArgument::size(last.downloaded)));
        out.print_line(words!("cli-get-stopped.next", get = get, serve = format!("ashore{place} serve")));
    } else {
        out.print_line(words!("cli-get-left"));
        out.print_line(words!("cli-get-left.next", get = get, pause = format!("ashore{place} pause {id}")));
    }
}
