//! `ashore browsers`: connects or pairs the browser extension with Ashore, and tests the connection.

use std::path::Path;

use ashore_browser::{
    BROWSERS, BrowserPlace, BrowserReport, BrowserState, HostProgram, InstallOutcome, ManifestFault, UserFolders, connect,
    disconnect, examine,
};
use ashore_engine::UserMessage;
use ashore_messages::message;
use ashore_remote::{channel_report, start_pairing, unpair};
use ashore_rpc::CallFailure;
use ashore_terminal::TerminalOutput;
use serde_json::json;

use crate::{
    arguments::{BrowserNames, BrowserVerb, PairedNames},
    output::{
        problem::{CliProblem, ExitStatus},
        words::{left, sentence, width, words},
    },
};

/// Runs `ashore browsers`.
pub async fn browsers(data_dir: &Path, verb: Option<&BrowserVerb>, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let folders = UserFolders::of_this_user().ok_or_else(|| CliProblem::Usage(message!("data-dir.home")))?;
    match verb {
        None | Some(BrowserVerb::List) => list(&folders, data_dir, out),
        Some(BrowserVerb::Connect(BrowserNames { names })) => {
            let program = HostProgram::beside_this_program()?;
            change(names, &folders, out, |browser| connect(browser, &folders, &program), "connected")
        }
        Some(BrowserVerb::Disconnect(BrowserNames { names })) => {
            change(names, &folders, out, |browser| disconnect(browser, &folders), "disconnected")
        }
        Some(BrowserVerb::Doctor) => doctor(&folders, out).await,
        Some(BrowserVerb::Pair) => pair(data_dir, out).await,
        Some(BrowserVerb::Unpair(PairedNames { names })) => unpair_all(data_dir, names, out),
    }
}

fn list(folders: &UserFolders, data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let columns = [width(BROWSERS.iter().map(|one| one.name), 0) + 2, width(BROWSERS.iter().map(|one| one.title), 0) + 2];
    let channel = channel_report(data_dir).map_err(CallFailure::Refused)?;
    for browser in BROWSERS {
        let report = BrowserReport::without_test(browser, folders);
        if out.json {
            out.object(&object(&report))?;
            continue;
        }
        let (program, manifest) = (report.program.unwrap_or_default(), report.manifest.unwrap_or_default());
        let text = match report.state {
            BrowserState::NoBrowser => words!("cli-browser.none"),
            BrowserState::NotConnected => words!("cli-browser.not-connected"),
            BrowserState::Connected => words!("cli-browser.connected", program = &program),
            BrowserState::Foreign => words!("cli-browser.foreign", path = &manifest),
        };
        out.line(format_args!("{}{}{text}", left(browser.name, columns[0]), left(browser.title, columns[1])))?;
    }
    for browser in channel.paired {
        match out.json {
            true => out.object(&json!({ "name": browser.name, "state": "paired", "seen_at": browser.seen_at }))?,
            // The extension of a paired browser chooses the browser's name. The name fills the columns of both name and
            // title.
            false => {
                out.line(format_args!("{}{}", left(&browser.name, columns[0] + columns[1]), words!("cli-browsers-paired")))?
            }
        }
    }
    if let Some(why) = channel.fault {
        out.complain(format_args!("{}: {}", out.program, sentence(&why)));
    }
    Ok(ExitStatus::Done)
}

async fn pair(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let shown = start_pairing(data_dir).await.map_err(CallFailure::Refused)?;
    match out.json {
        true => out.object(&json!({ "code": shown.code, "seconds": shown.seconds }))?,
        false => out.line(words!("cli-browsers-code", code = shown.code))?,
    }
    Ok(ExitStatus::Done)
}

/// Removes the paired browsers with these names.
fn unpair_all(data_dir: &Path, names: &[String], out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let mut ending = ExitStatus::Done;
    for name in names {
        let removed = unpair(data_dir, name);
        if out.json {
            let result = removed.is_ok().then_some("unpaired");
            out.object(&json!({ "name": name, "result": result, "error": removed.as_ref().err() }))?;
        }
        match removed {
            Ok(()) => print_unless_json(out, words!("cli-browsers-unpaired", browser = name)),
            Err(why) => {
                out.complain(format_args!("{}: {}", out.program, sentence(&why)));
                ending = ExitStatus::Failed;
            }
        }
    }
    Ok(ending)
}

fn object(BrowserReport { name, title, state, manifest, program, .. }: &BrowserReport) -> serde_json::Value {
    json!({ "name": name, "title": title, "state": state, "manifest": manifest, "program": program })
}

/// Changes the named browsers, or all browsers of the user if none is named. `changed_word` is the word for a changed
/// browser.
fn change(
    names: &[String],
    folders: &UserFolders,
    out: TerminalOutput,
    change: impl Fn(&BrowserPlace) -> Result<InstallOutcome, UserMessage>,
    changed_word: &str,
) -> Result<ExitStatus, CliProblem> {
    let mut ending = ExitStatus::Done;
    for browser in chosen(names, folders, out)? {
        let changed = change(browser);
        if out.json {
            let result = changed.as_ref().ok().map(|outcome| match outcome {
                InstallOutcome::Changed => changed_word,
                InstallOutcome::Unchanged if changed_word == "connected" => "unchanged",
                InstallOutcome::Unchanged => "nothing",
                InstallOutcome::OfPackage(_) => "of-package",
            });
            out.object(&json!({ "name": browser.name, "result": result, "error": changed.as_ref().err() }))?;
        }
        match (changed, changed_word) {
            (Ok(InstallOutcome::Changed), "connected") => {
                print_unless_json(out, words!("cli-browsers-connected", browser = browser.title))
            }
            (Ok(InstallOutcome::Unchanged), "connected") => {
                print_unless_json(out, words!("cli-browsers-unchanged", browser = browser.title))
            }
            (Ok(InstallOutcome::Changed), _) => {
                print_unless_json(out, words!("cli-browsers-disconnected", browser = browser.title))
            }
            (Ok(InstallOutcome::Unchanged), _) => print_unless_json(out, words!("cli-browsers-nothing", browser = browser.title)),
            (Ok(InstallOutcome::OfPackage(manifest)), _) => {
                print_unless_json(out, words!("cli-browsers-of-package", browser = browser.title, path = &manifest));
            }
            (Err(why), _) => {
                out.complain(format_args!("{}: {}", out.program, sentence(&why)));
                ending = ExitStatus::Failed;
            }
        }
    }
    Ok(ending)
}

fn print_unless_json(out: TerminalOutput, text: String) {
    if !out.json {
        out.print_line(text);
    }
}

/// Returns the browsers with these names. Without names, returns all browsers of the user.
fn chosen(names: &[String], folders: &UserFolders, out: TerminalOutput) -> Result<Vec<&'static BrowserPlace>, CliProblem> {
    let named = |name: &String| {
        let unknown = || CallFailure::Refused(message!("browser-manifest.unknown", name = name));
        BrowserPlace::named(name).ok_or_else(unknown)
    };
    if !names.is_empty() {
        return Ok(names.iter().map(named).collect::<Result<_, _>>()?);
    }
    let found: Vec<_> = BROWSERS
        .iter()
        .filter(|browser| BrowserReport::without_test(browser, folders).state != BrowserState::NoBrowser)
        .collect();
    if found.is_empty() {
        print_unless_json(out, words!("cli-browsers-none"));
    }
    Ok(found)
}

async fn doctor(folders: &UserFolders, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let mut ending = ExitStatus::Done;
    for browser in BROWSERS {
        let (text, fault) = match examine(browser, folders).await {
            Ok(true) => (words!("cli-browsers-well", browser = browser.title), None),
            Ok(false) => (words!("cli-browsers-well-idle", browser = browser.title), None),
            Err(ManifestFault::NoBrowser | ManifestFault::NotConnected) => continue,
            Err(ManifestFault::Broken(why)) => (format!("{}: {}", browser.title, sentence(&why)), Some(why)),
        };
        ending = if fault.is_some() { ExitStatus::Failed } else { ending };
        match out.json {
            true => out.object(&json!({ "name": browser.name, "works": fault.is_none(), "error": fault }))?,
            false => out.line(text)?,
        }
    }
    Ok(ending)
}
