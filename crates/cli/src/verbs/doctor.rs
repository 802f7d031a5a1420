//! `ashore doctor` and `ashore adopt`: find damage in the list, and adopt partial files without a download.
//!
//! Contradictions between the counters and the downloads are reported as well.

use std::path::{Path, PathBuf};

use ashore_engine::{CounterMismatch, EngineReport, OrphanPartial, RecoveryReport, Registration};
use ashore_messages::message;
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean};
use serde::Serialize;

use crate::{
    output::{
        problem::{CliProblem, ExitStatus},
        text,
    },
    verbs::short,
};

/// Carries out `ashore doctor`.
pub async fn doctor(data_dir: &Path, repair: bool, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let (report, repaired) = short::with(data_dir, "ashore doctor", async |connection| {
        let mut repaired: Vec<CounterMismatch> = match repair {
            true => connection.call(MethodCall::Repair).await?,
            false => Vec::new(),
        };
        repaired.retain(|one| one.kind.is_repairable());
        let mut report: EngineReport = connection.call(MethodCall::Doctor).await?;
        if connection.is_own() {
            // If no other engine runs, the holder is this process, which is not worth reporting.
            report.holder = None;
        }
        if !out.json && !out.quiet {
            // The report below informs the user of the recovery, so no other program has to.
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

/// Report in JSON, with the counters that `--repair` recomputed beforehand.
#[derive(Serialize)]
struct Examined<'a> {
    #[serde(flatten)]
    report: &'a EngineReport,
    repaired: &'a [CounterMismatch],
}

/// Prints the recomputed counters, the remaining contradictions, and their cure.
fn say_counters(wrong: &[CounterMismatch], repaired: &[CounterMismatch], out: TerminalOutput) -> Result<(), CliProblem> {
    for one in repaired {
        out.line(format_args!("repaired  {}", text::miscount(one)))?;
    }
    for one in wrong {
        out.line(format_args!("counter   {}", text::miscount(one)))?;
    }
    if wrong.iter().any(|one| one.kind.is_repairable()) {
        out.print_line("Some counters do not agree with the downloads they count. `ashore doctor --repair` recomputes them.");
    }
    if wrong.iter().any(|one| !one.kind.is_repairable()) {
        out.print_line("Some records contradict each other, and nobody can say which is right. Compare the files with their source, or remove the downloads and add them again.");
    }
    Ok(())
}

/// Carries out `ashore adopt`.
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
            out.print_line("There is no partial file that could be gone on with and that nothing in the list knows.");
        } else if connection.is_own() {
            short::say_that_nothing_runs(out);
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Resolves the arguments, which are paths or the eight digits in the name of a partial file.
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

fn print_report(report: &EngineReport, out: TerminalOutput) -> Result<(), CliProblem> {
    out.line(format_args!("list      {} (version {}): {}", report.path.display(), report.version, report.ledger))?;
    out.line(format_args!("held by   {}", report.holder.as_deref().unwrap_or("nobody")))?;
    for copy in &report.backups {
        let (taken, size) = (text::moment(copy.taken), text::size(copy.bytes));
        out.line(format_args!("copy      {taken}, {size}: {}", copy.path.display()))?;
    }
    for kept in &report.kept_files {
        let (path, why) = (clean(&kept.path.display().to_string()), clean(&kept.why));
        out.line(format_args!(
            "file      {path} could not be moved to the trash ({why}). Remove it yourself, or start Ashore again to retry."
        ))?;
    }
    for step in &report.bootstrap {
        out.line(format_args!("step      {}", text::bootstrap(step)))?;
    }
    for gate in &report.gates {
        out.line(format_args!("gate      {}", text::gate(gate)))?;
    }
    for trouble in &report.settings {
        out.line(format_args!("setting   {}", clean(&trouble.message.text)))?;
    }
    for folder in &report.folders {
        out.line(format_args!("folder    {}: {}", clean(&folder.path.display().to_string()), folder.message))?;
    }
    for partial in &report.partials {
        let place = clean(&partial.path.display().to_string());
        let whose = partial.unique_id.map_or_else(String::new, |id| format!(", of {id}"));
        out.line(format_args!("partial   {place} ({}{whose})", text::size(partial.bytes)))?;
    }
    for orphan in &report.orphans {
        let place = clean(&orphan.path.display().to_string());
        let size = orphan.size.map_or_else(String::new, |size| format!(" of {}", text::size(size)));
        out.line(format_args!("orphan    {place} ({}{size}, from {})", text::size(orphan.bytes), clean(&orphan.url)))?;
    }
    if !report.orphans.is_empty() {
        out.print_line("An orphan is a partial file that nothing in the list knows. It is kept until you remove it; `ashore adopt` goes on with it.");
    }
    if let Some(recovery) = &report.recovery {
        out.print_line(became(recovery));
    }
    Ok(())
}

/// Returns sentences about the recovery of a damaged list, with the next step.
fn became(recovery: &RecoveryReport) -> String {
    let why = clean(&recovery.why);
    if recovery.is_ahead {
        return format!("The list is damaged: {why}. Close Ashore and start it again: it is then restored from its newest copy.");
    }
    let taken = match recovery.copy_of {
        Some(taken) => format!(
            "It was restored from the copy of {}. What was added later may be missing, and what was removed later may be back.",
            text::moment(taken)
        ),
        None => "There was no copy of it, so a new list was begun.".to_owned(),
    };
    let again = match recovery.found_again.len() {
        0 => String::new(),
        1 => format!(" One download was found again by its partial file: {}.", clean(&recovery.found_again[0].title)),
        many => format!(" {many} downloads were found again by their partial files."),
    };
    let kept =
        recovery.kept_as.as_ref().map_or_else(String::new, |path| format!(" The damaged list is kept as {}.", path.display()));
    format!("The list was damaged on {}: {why}. {taken}{again}{kept}", text::moment(recovery.found))
}
