//! `ashore doctor` and `ashore adopt`: find damage in the list, and adopt partial files that belong to no download.
//!
//! Also reports counters that contradict the downloads.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use ashore_engine::{CounterMismatch, EngineReport, OrphanPartial, RecoveryReport, Registration};
use ashore_messages::{MessageArgument, message};
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean};
use serde::Serialize;

use crate::{
    output::{
        problem::{CliProblem, ExitStatus},
        text,
        words::{left, sentence, width, words},
    },
    verbs::short,
};

/// Maximum number of recovered downloads that are listed by title.
const NAMED: usize = 10;

/// Runs `ashore doctor`.
pub async fn doctor(data_dir: &Path, repair: bool, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let (report, repaired) = short::with(data_dir, "ashore doctor", async |connection| {
        let mut repaired: Vec<CounterMismatch> = match repair {
            true => connection.call(MethodCall::Repair).await?,
            false => Vec::new(),
        };
        repaired.retain(|one| one.kind.is_repairable());
        let mut report: EngineReport = connection.call(MethodCall::Doctor).await?;
        if connection.is_own() {
            // Do not report this process as the holder of the folder: it is the holder only because no other engine
            // runs.
            report.holder = None;
        }
        if !out.json && !out.quiet {
            // The report below informs the user of the recovery. Acknowledge it, so that no other program reports it
            // again.
            connection.call::<()>(MethodCall::AcknowledgeRecovery).await?;
        }
        Ok((report, repaired))
    })
    .await?;
    if out.json {
        out.object(&Examined { report: &report, repaired: &repaired })?;
    } else {
        print_report(&report, out)?;
        say_counters(&report.miscounts, &repaired, out)?;
    }
    let is_well = report.ledger == "ok" && report.miscounts.is_empty();
    Ok(if is_well { ExitStatus::Done } else { ExitStatus::Failed })
}

/// JSON report, together with the counters that `--repair` recomputed.
#[derive(Serialize)]
struct Examined<'a> {
    #[serde(flatten)]
    report: &'a EngineReport,
    repaired: &'a [CounterMismatch],
}

/// Prints the recomputed counters, and the remaining contradictions with their cure.
fn say_counters(wrong: &[CounterMismatch], repaired: &[CounterMismatch], out: TerminalOutput) -> Result<(), CliProblem> {
    let lines = DoctorLines::new(out);
    for one in repaired {
        lines.print("cli-doctor.repaired", text::miscount(one))?;
    }
    for one in wrong {
        lines.print("cli-doctor.counter", text::miscount(one))?;
    }
    if wrong.iter().any(|one| one.kind.is_repairable()) {
        out.print_line(words!("cli-doctor-repair"));
    }
    if wrong.iter().any(|one| !one.kind.is_repairable()) {
        out.print_line(words!("cli-doctor-contradiction"));
    }
    Ok(())
}

/// Runs `ashore adopt`.
pub async fn adopt(data_dir: &Path, wanted: &[String], out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    short::with(data_dir, "ashore adopt", async |connection| {
        let partials = named(connection, wanted).await?;
        let adopted: Vec<Registration> = connection.call(MethodCall::Adopt { partials }).await?;
        for one in &adopted {
            if out.json {
                out.object(one)?;
            } else {
                out.line(one.unique_id)?;
            }
        }
        if adopted.is_empty() {
            out.print_line(words!("cli-adopt-nothing"));
        } else {
            short::say_why_idle(short::idle_reason(connection).await, out);
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Converts the arguments to paths. An argument is a path, or the eight digits in the name of a partial file.
async fn named(connection: &PeerStream, wanted: &[String]) -> Result<Vec<PathBuf>, CliProblem> {
    let is_tag = |text: &str| text.len() == 8 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let orphans: Vec<OrphanPartial> = match wanted.iter().any(|text| is_tag(text)) {
        true => connection.call(MethodCall::Orphans).await?,
        false => Vec::new(),
    };
    let find = |text: &String| {
        if !is_tag(text) || Path::new(text).exists() {
            return std::path::absolute(text).map_err(CliProblem::from);
        }
        let ending = format!(".{}.part", text.to_ascii_lowercase());
        let is_it = |orphan: &&OrphanPartial| orphan.path.to_str().is_some_and(|path| path.ends_with(&ending));
        let found = orphans.iter().find(is_it).map(|orphan| orphan.path.clone());
        found.ok_or_else(|| CallFailure::Refused(message!("unknown.partial", id = text)).into())
    };
    wanted.iter().map(find).collect()
}

/// Lines of the report. Each line begins with the name of its subject.
struct DoctorLines {
    out: TerminalOutput,
    /// Number of columns for the names and the space after them.
    width: usize,
}

impl DoctorLines {
    fn new(out: TerminalOutput) -> Self {
        let names = NAMES.map(|id| words!(id));
        Self { out, width: width(names.iter().map(String::as_str), 8) + 2 }
    }

    fn print(&self, id: &str, text: impl Display) -> Result<(), CliProblem> {
        Ok(self.out.text(format_args!("{}{text}", left(&words!(id), self.width)), self.width)?)
    }
}

/// Names at the beginning of the lines.
const NAMES: [&str; 12] = [
    "cli-doctor.list",
    "cli-doctor.holder",
    "cli-doctor.copy",
    "cli-doctor.file",
    "cli-doctor.step",
    "cli-doctor.gate",
    "cli-doctor.setting",
    "cli-doctor.folder",
    "cli-doctor.partial",
    "cli-doctor.orphan",
    "cli-doctor.repaired",
    "cli-doctor.counter",
];

fn print_report(report: &EngineReport, out: TerminalOutput) -> Result<(), CliProblem> {
    let lines = DoctorLines::new(out);
    let state = if report.ledger == "ok" { words!("cli-doctor-sound") } else { report.ledger.clone() };
    let version = report.version.to_string();
    lines.print("cli-doctor.list", words!("cli-doctor-list", path = &report.path, version = version, state = state))?;
    lines.print("cli-doctor.holder", report.holder.as_deref().map_or_else(|| words!("cli-doctor-nobody"), clean))?;
    for copy in &report.backups {
        let (taken, size) = (text::moment(copy.taken), text::size(copy.bytes));
        lines.print("cli-doctor.copy", format_args!("{taken}, {size}: {}", shown(&copy.path)))?;
    }
    for kept in &report.kept_files {
        lines.print("cli-doctor.file", format_args!("{} ({})", shown(&kept.path), sentence(&kept.why)))?;
    }
    for step in text::bootstrap(&report.bootstrap) {
        lines.print("cli-doctor.step", step)?;
    }
    for gate in text::gates(&report.gates) {
        lines.print("cli-doctor.gate", gate)?;
    }
    for trouble in &report.settings {
        lines.print("cli-doctor.setting", sentence(&trouble.message))?;
    }
    for folder in &report.folders {
        lines.print("cli-doctor.folder", format_args!("{}: {}", shown(&folder.path), sentence(&folder.message)))?;
    }
    for partial in &report.partials {
        let (path, size) = (&partial.path, MessageArgument::size(partial.bytes));
        lines.print(
            "cli-doctor.partial",
            match partial.unique_id {
                Some(id) => words!("cli-doctor-partial", path = path, size = size, id = id.to_string()),
                None => format!("{} ({})", shown(path), text::size(partial.bytes)),
            },
        )?;
    }
    for orphan in &report.orphans {
        let size = orphan.size.map_or_else(|| text::size(orphan.bytes), |whole| text::part(orphan.bytes, whole));
        let line = words!("cli-doctor-orphan", path = &orphan.path, size = size, url = &orphan.url);
        lines.print("cli-doctor.orphan", line)?;
    }
    if !report.kept_files.is_empty() {
        out.print_line(words!("recovery-kept-files"));
    }
    if !report.orphans.is_empty() {
        out.print_line(words!("cli-doctor-orphans"));
    }
    if let Some(recovery) = &report.recovery {
        out.print_line(became(recovery));
    }
    Ok(())
}

fn shown(path: &Path) -> String {
    clean(&path.display().to_string())
}

/// Returns sentences about the recovery of a damaged list, with the next step.
fn became(recovery: &RecoveryReport) -> String {
    let mut sentences = vec![match (recovery.is_ahead, recovery.copy_of) {
        (true, _) => words!("recovery-ahead"),
        (false, Some(taken)) => words!("recovery-restored", moment = text::moment(taken)),
        (false, None) => words!("recovery-begun"),
    }];
    // The report contains no time if Ashore found the damage while it was running.
    sentences.push(match recovery.is_ahead {
        true => words!("cli-doctor-damage.undated", why = recovery.why.clone()),
        false => words!("cli-doctor-damage", moment = text::moment(recovery.found), why = recovery.why.clone()),
    });
    if !recovery.is_ahead && !recovery.found_again.is_empty() {
        sentences.push(words!("recovery-found-again", names = found_again(recovery)));
    }
    if let Some(path) = recovery.kept_as.as_ref().filter(|_| !recovery.is_ahead) {
        sentences.push(words!("recovery-kept", path = path));
    }
    sentences.join(" ")
}

/// Returns the titles of at most [`NAMED`] recovered downloads, and the number of further ones.
fn found_again(recovery: &RecoveryReport) -> String {
    let mut names: Vec<_> = recovery.found_again.iter().take(NAMED).map(|one| one.title.clone()).collect();
    let others = recovery.found_again.len().saturating_sub(NAMED);
    names.extend((others > 0).then(|| words!("note-and-more", count = others)));
    format!("{}.", names.join(", "))
}

#[cfg(test)]
mod tests {
    use ashore_messages::UserMessage;

    use super::*;

    #[test]
    fn date_of_ledger_damage_is_reported_only_after_repair() {
        let report = RecoveryReport { why: UserMessage::from_text("malformed"), is_ahead: true, ..RecoveryReport::default() };
        assert!(became(&report).ends_with(" The damage: malformed."), "{}", became(&report));
        let repaired = RecoveryReport { is_ahead: false, found: 86_400_000 * 365, ..report };
        assert!(became(&repaired).contains("The damage was found on 19"), "{}", became(&repaired));
    }
}
