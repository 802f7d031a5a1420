//! `ashore sync`: one list on all machines.

use std::{path::Path, time::Duration};

use ashore_engine::NewRegistration;
use ashore_messages::{MessageArgument, current, message};
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_sync::service::{
    ConflictReport, DeviceReport, JoinInvite, RecoveryWordsReport, RemoteChange, RemoteDownload, SendState, SentDownload,
    SyncCall, SyncCycleOutcome, SyncStatus, machine_name,
};
use ashore_terminal::{TerminalOutput, clean, stdout_columns};
use jiff::Timestamp;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use crate::{
    arguments::{AskArguments, AskedChange, ConflictArguments, EnrolArguments, RecoverArguments, SyncArguments, SyncVerb},
    output::{
        problem::{CliProblem, ExitStatus},
        table::{Table, TableColumn},
        words::{left, sentence, words},
    },
    verbs::{
        credentials::secret,
        short::{resolve, with},
        sync_conflicts,
    },
};

/// Number of recovery words that are printed in one row.
const WORDS_IN_ROW: usize = 6;
/// Width of a recovery word with its number, in columns.
const WORD: usize = 13;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Runs a subcommand of `ashore sync`.
pub async fn sync(data_dir: &Path, wanted: &SyncArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore sync", async |connection| {
        match wanted.verb.as_ref().unwrap_or(&SyncVerb::Status) {
            SyncVerb::Status => status(connection, out).await?,
            SyncVerb::Now => now(connection, out).await?,
            SyncVerb::Setup(place) => set_up(connection, place, out).await?,
            SyncVerb::Join(place) => join(connection, place, out).await?,
            SyncVerb::Recover(place) => recover(connection, place, out).await?,
            SyncVerb::Invite => invite(connection, out).await?,
            SyncVerb::Devices => devices(connection, out).await?,
            SyncVerb::Remove(named) => {
                let removal = SyncCall::RemoveDevice { device: named.device.clone() };
                let report: RecoveryWordsReport = call_about(connection, &named.device, removal).await?;
                if !out.json {
                    out.print_line(words!("cli-sync-removed", machine = named.device.as_str()));
                }
                print_words(&report, out)?;
            }
            SyncVerb::Trust(named) => {
                let trust = SyncCall::Trust { device: named.device.clone(), is_trusted: !named.not };
                call_about::<()>(connection, &named.device, trust).await?;
                let machine = named.device.as_str();
                done(out, || match named.not {
                    true => words!("cli-sync-trust.waits", machine = machine),
                    false => words!("cli-sync-trust.starts", machine = machine),
                })?;
            }
            SyncVerb::Words => print_words(&call(connection, SyncCall::Words).await?, out)?,
            SyncVerb::Conflicts(wanted) => conflicts(connection, wanted, out).await?,
            SyncVerb::Others => others(connection, out).await?,
            SyncVerb::Ask(asked) => ask(connection, asked, out).await?,
            SyncVerb::Send(sent) => {
                let unique_id = resolve(connection, &sent.id).await?;
                let send = SyncCall::Send { unique_id, device: sent.device.clone() };
                let id: String = call_about(connection, &sent.device, send).await?;
                report_sent(&id, &sent.device, out)?;
            }
            SyncVerb::Sends => sends(connection, out).await?,
            SyncVerb::Rename(named) => {
                call::<()>(connection, SyncCall::Rename { name: named.name.clone() }).await?;
                changed(out)?;
            }
            SyncVerb::ClearHistory(wanted) => {
                let now_ms = Timestamp::now().as_millisecond();
                let before_ms = now_ms - i64::from(wanted.keep) * DAY_MS;
                call::<()>(connection, SyncCall::ClearHistory { before_ms }).await?;
                changed(out)?;
            }
            SyncVerb::Leave => {
                call::<()>(connection, SyncCall::Leave).await?;
                match out.json {
                    true => out.object(&json!({ "is_on": false }))?,
                    false => out.print_line(words!("cli-sync-left")),
                }
            }
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Sends a new download to another machine: `ashore add URL --to MACHINE`.
pub async fn send_new(
    data_dir: &Path,
    new: NewRegistration,
    device: &str,
    out: TerminalOutput,
) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore add", async |connection| {
        let send = SyncCall::SendNew { title: new.title, requests: new.requests, device: device.to_owned() };
        let id: String = call_about(connection, device, send).await?;
        report_sent(&id, device, out)?;
        // Sync now, because no other engine is running that would send the download later.
        if connection.is_own() {
            call::<SyncCycleOutcome>(connection, SyncCall::Now).await?;
        }
        Ok(ExitStatus::Done)
    })
    .await
}

async fn call<T: DeserializeOwned>(connection: &PeerStream, call: SyncCall) -> Result<T, CliProblem> {
    Ok(connection.call(MethodCall::Sync(call)).await?)
}

/// Makes a call about the machine in the argument `text`.
async fn call_about<T: DeserializeOwned>(connection: &PeerStream, text: &str, wanted: SyncCall) -> Result<T, CliProblem> {
    call(connection, wanted).await.map_err(|problem| match problem {
        CliProblem::Failure(CallFailure::Refused(refusal)) if refusal.code == "sync-unknown" => unknown(text),
        problem => problem,
    })
}

/// Returns the refusal of an unknown name or id.
///
/// The arguments accept text that begins with `-`, because older ids may begin with `-`. If such a text is not a known
/// id, it is a mistyped option.
fn unknown(text: &str) -> CliProblem {
    match text.starts_with('-') {
        true => CliProblem::Usage(message!("fault-id.option", text = text)),
        false => CallFailure::Refused(message!("sync-unknown")).into(),
    }
}

fn report_sent(id: &str, device: &str, out: TerminalOutput) -> Result<(), CliProblem> {
    match out.json {
        true => out.object(&json!({ "send": id, "device": device }))?,
        false => out.print_line(words!("cli-sync-sent", machine = device)),
    }
    Ok(())
}

/// Reports the success of a subcommand without a result. Prints a sentence, or JSON for programs.
fn done(out: TerminalOutput, sentence: impl FnOnce() -> String) -> Result<(), CliProblem> {
    match out.json {
        true => out.object(&json!({ "done": true }))?,
        false => out.print_line(sentence()),
    }
    Ok(())
}

/// Reports the success of a subcommand that sends a change to the other machines.
fn changed(out: TerminalOutput) -> Result<(), CliProblem> {
    done(out, || words!("cli-sync-resolved"))
}

async fn status(connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
    let status: SyncStatus = call(connection, SyncCall::Status).await?;
    if out.json {
        out.object(&status)?;
        return Ok(());
    }
    if !status.is_on {
        out.print_line(sentence(&message!("sync-off")));
        return Ok(());
    }
    out.print_line(words!("cli-sync-on", name = status.name.as_str(), address = status.address.as_str()));
    out.print_line(words!("cli-sync-key", fingerprint = status.fingerprint.as_str()));
    let names = status.collections.iter().map(|one| one.collection.as_str());
    let columns = vec![
        TableColumn::text(words!("cli-sync-column.collection"), names, 12),
        TableColumn::number(words!("cli-sync-column.records"), 8),
        TableColumn::number(words!("cli-sync-column.waiting"), 8),
        TableColumn::number(words!("cli-sync-column.held"), 8),
    ];
    let table = Table::new(columns, 0, stdout_columns());
    out.lines(table.heads())?;
    for one in &status.collections {
        let [records, waiting, held] = [one.records, one.waiting, one.held].map(|count| count.to_string());
        out.lines(table.row(&[&clean(&one.collection), &records, &waiting, &held]))?;
    }
    if status.conflicts > 0 {
        out.print_line(words!("cli-sync-conflicts", count = status.conflicts));
    }
    if let Some(ahead_ms) = status.clock_ahead_ms {
        out.print_line(clock_warning(ahead_ms));
    }
    if let Some(fault) = &status.fault {
        out.print_line(sentence(fault));
    }
    Ok(())
}

/// Returns a warning that the clock of this machine differs from the server's by `ahead_ms` milliseconds.
fn clock_warning(ahead_ms: i64) -> String {
    let time = current().span(Duration::from_millis(ahead_ms.unsigned_abs()).as_secs_f64());
    match ahead_ms > 0 {
        true => words!("sync-clock.ahead", time = time.as_str()),
        false => words!("sync-clock.behind", time = time.as_str()),
    }
}

async fn now(connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
    let outcome: SyncCycleOutcome = call(connection, SyncCall::Now).await?;
    if out.json {
        out.object(&outcome)?;
        return Ok(());
    }
    if outcome.is_restored {
        out.print_line(words!("cli-sync-restored"));
    }
    for title in &outcome.arrived {
        out.print_line(words!("cli-sync-arrived", title = title.as_str()));
    }
    out.print_line(words!("cli-sync-done", received = outcome.received, sent = outcome.sent));
    Ok(())
}

async fn set_up(connection: &PeerStream, place: &EnrolArguments, out: TerminalOutput) -> Result<(), CliProblem> {
    let (link, name) = (link(place)?, name_or_host(place.name.as_deref()));
    let report: RecoveryWordsReport = call(connection, SyncCall::SetUp { link, name }).await?;
    print_words(&report, out)?;
    if !out.json {
        out.print_line(words!("cli-sync-set-up"));
    }
    Ok(())
}

async fn join(connection: &PeerStream, place: &EnrolArguments, out: TerminalOutput) -> Result<(), CliProblem> {
    let (link, name) = (link(place)?, name_or_host(place.name.as_deref()));
    call::<()>(connection, SyncCall::Join { link, name: name.clone() }).await?;
    report_joined(&name, out)
}

async fn recover(connection: &PeerStream, place: &RecoverArguments, out: TerminalOutput) -> Result<(), CliProblem> {
    let (words, name) = (secret(&words!("cli-sync-secret"))?, name_or_host(place.name.as_deref()));
    let recover = SyncCall::Recover { address: place.address.clone(), uid: place.uid, words, name: name.clone() };
    call::<()>(connection, recover).await?;
    report_joined(&name, out)
}

fn report_joined(name: &str, out: TerminalOutput) -> Result<(), CliProblem> {
    match out.json {
        true => out.object(&json!({ "is_on": true, "name": name }))?,
        false => out.print_line(words!("cli-sync-joined")),
    }
    Ok(())
}

async fn invite(connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
    let invite: JoinInvite = call(connection, SyncCall::Invite).await?;
    if out.json {
        out.object(&invite)?;
        return Ok(());
    }
    out.print_line(words!("cli-sync-invite"));
    out.line(format_args!("ashore sync join '{}'", clean(&invite.link)))?;
    Ok(())
}

async fn devices(connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
    let devices: Vec<DeviceReport> = call(connection, SyncCall::Devices).await?;
    if out.json {
        return print_all(&devices, out);
    }
    let names: Vec<String> = devices.iter().map(|device| clean(&device.name)).collect();
    let seen: Vec<String> = devices.iter().map(last_seen).collect();
    let columns = vec![
        TableColumn::text(words!("cli-sync-column.machine"), names.iter().map(String::as_str), 12),
        TableColumn::text(words!("cli-column.id"), [], 16),
        TableColumn::text(words!("cli-sync-column.seen"), seen.iter().map(String::as_str), 0),
    ];
    let table = Table::new(columns, 0, stdout_columns());
    out.lines(table.heads())?;
    for ((device, name), seen) in devices.iter().zip(&names).zip(&seen) {
        out.lines(table.row(&[name, &clean(&device.device), seen]))?;
    }
    Ok(())
}

/// Returns the day on which a machine last used the list, with a note about this machine.
fn last_seen(device: &DeviceReport) -> String {
    let day = device.last_seen_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let day = day.map(|time| time.strftime("%F").to_string()).unwrap_or_default();
    if device.is_own { format!("{day}  ({})", words!("cli-sync-own")) } else { day }
}

async fn conflicts(connection: &PeerStream, wanted: &ConflictArguments, out: TerminalOutput) -> Result<(), CliProblem> {
    if let Some(number) = wanted.number
        && (wanted.take || wanted.drop)
    {
        call::<()>(connection, SyncCall::Resolve { number, takes_losing: wanted.take }).await?;
        return match wanted.take {
            true => changed(out),
            false => done(out, || words!("cli-sync-dropped")),
        };
    }
    let mut conflicts: Vec<ConflictReport> = call(connection, SyncCall::Conflicts).await?;
    conflicts.retain(|conflict| wanted.number.is_none_or(|number| conflict.number == number));
    if out.json {
        return print_all(&conflicts, out);
    }
    if conflicts.is_empty() {
        out.print_line(words!("cli-sync-no-conflicts"));
        return Ok(());
    }
    let devices: Vec<DeviceReport> = call(connection, SyncCall::Devices).await?;
    for conflict in &conflicts {
        out.line(sync_conflicts::line(conflict, &devices))?;
    }
    Ok(())
}

async fn others(connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
    let downloads: Vec<RemoteDownload> = call(connection, SyncCall::Others).await?;
    if out.json {
        return print_all(&downloads, out);
    }
    if downloads.is_empty() {
        out.print_line(words!("cli-sync-no-others"));
        return Ok(());
    }
    let states: Vec<String> = downloads.iter().map(|download| state_word(&download.state)).collect();
    let names: Vec<String> = downloads.iter().map(|download| clean(&download.device_name)).collect();
    let titles: Vec<String> = downloads.iter().map(|download| clean(&download.title)).collect();
    let columns = vec![
        TableColumn::text(words!("cli-column.id"), [], 8),
        TableColumn::text(words!("cli-column.state"), states.iter().map(String::as_str), 8),
        TableColumn::text(words!("cli-sync-column.machine"), names.iter().map(String::as_str), 8),
        TableColumn::text(words!("cli-column.title"), titles.iter().map(String::as_str), 0),
    ];
    let table = Table::new(columns, 3, stdout_columns());
    out.lines(table.heads())?;
    for (((download, state), name), title) in downloads.iter().zip(&states).zip(&names).zip(&titles) {
        let id: String = download.id.chars().take(8).collect();
        out.lines(table.row(&[&clean(&id), state, name, title]))?;
    }
    Ok(())
}

/// Returns the word for the state of a download on its home device (the machine that fetches it).
fn state_word(state: &str) -> String {
    match state {
        "running" => words!("cli-state.running"),
        "paused" => words!("cli-state.paused"),
        "done" => words!("cli-state.done"),
        "failed" => words!("cli-state.failed"),
        _ => words!("cli-state.pending"),
    }
}

async fn ask(connection: &PeerStream, asked: &AskArguments, out: TerminalOutput) -> Result<(), CliProblem> {
    let downloads: Vec<RemoteDownload> = call(connection, SyncCall::Others).await?;
    let mut meant = downloads.into_iter().filter(|download| download.id.starts_with(&asked.id));
    let found = meant.next().ok_or_else(|| unknown(&asked.id))?;
    if meant.next().is_some() {
        return Err(CallFailure::Refused(message!("ambiguous", id = asked.id.as_str())).into());
    }
    let change = match asked.change {
        AskedChange::Pause => RemoteChange::Pause,
        AskedChange::Resume => RemoteChange::Resume,
        AskedChange::Remove => RemoteChange::Remove,
        AskedChange::MoveHere => RemoteChange::MoveHere,
        AskedChange::FetchHere => RemoteChange::FetchHere,
    };
    call::<()>(connection, SyncCall::ChangeOther { id: found.id, change }).await?;
    changed(out)
}

async fn sends(connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
    let sends: Vec<SentDownload> = call(connection, SyncCall::Sends).await?;
    if out.json {
        return print_all(&sends, out);
    }
    if sends.is_empty() {
        out.print_line(words!("cli-sync-no-sends"));
    }
    for send in &sends {
        let (title, machine) = (send.title.as_str(), send.to.as_str());
        out.line(match send.state {
            SendState::Waiting => words!("cli-sync-send.waiting", title = title, machine = machine),
            SendState::Delivered => words!("cli-sync-send.delivered", title = title, machine = machine),
            SendState::Refused => words!("cli-sync-send.refused", title = title, machine = machine),
            SendState::Expired => words!("cli-sync-send.expired", title = title, machine = machine),
            SendState::Missed => words!("cli-sync-send.missed", title = title, machine = send.from.as_str()),
        })?;
    }
    Ok(())
}

fn print_all<T: Serialize>(all: &[T], out: TerminalOutput) -> Result<(), CliProblem> {
    for one in all {
        out.object(one)?;
    }
    Ok(())
}

/// Prints the recovery words in rows, with the server address and the user id that recovery also needs.
fn print_words(report: &RecoveryWordsReport, out: TerminalOutput) -> Result<(), CliProblem> {
    if out.json {
        out.object(report)?;
        return Ok(());
    }
    out.print_line(words!("cli-sync-words"));
    let in_row = stdout_columns().map_or(WORDS_IN_ROW, |columns| ((columns + 1) / (WORD + 1)).clamp(1, WORDS_IN_ROW));
    for (row, words) in report.words.chunks(in_row).enumerate() {
        let numbered = words.iter().enumerate().map(|(at, word)| {
            let number = row * in_row + at + 1;
            left(&format!("{number:>2}. {}", clean(word)), WORD)
        });
        out.line(numbered.collect::<Vec<_>>().join(" ").trim_end())?;
    }
    out.line(words!("cli-sync-place", address = report.address.as_str()))?;
    out.line(words!("cli-sync-user", uid = MessageArgument::display(report.uid)))?;
    Ok(())
}

/// Returns the link in the argument. Without an argument, prompts for the link.
fn link(place: &EnrolArguments) -> Result<String, CliProblem> {
    match &place.link {
        Some(link) => Ok(link.clone()),
        None => secret(&words!("cli-sync-secret")),
    }
}

/// Returns the name that other machines show for this machine.
fn name_or_host(wanted: Option<&str>) -> String {
    let name = wanted.map_or_else(machine_name, str::to_owned);
    if name.is_empty() { "Ashore".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_warning_says_how_far_the_clock_is_ahead_or_behind() {
        let (ahead, behind) = (clock_warning(2 * 3_600_000), clock_warning(-10 * 60_000));
        assert!(ahead.contains("2 h ahead") && behind.contains("10 min behind"), "{ahead} {behind}");
    }
}
