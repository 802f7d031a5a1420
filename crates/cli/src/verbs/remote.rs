//! `ashore remote`: signs other devices and programs in and out.

use std::{io::IsTerminal as _, path::Path};

use ashore_remote::{
    SignedInDevice, TokenScope, ensure_token, program_token, renew_token, sign_device_out, sign_in_link, signed_in_devices,
};
use ashore_rpc::CallFailure;
use ashore_terminal::{TerminalOutput, clean};
use serde_json::json;

use crate::{
    arguments::{DeviceVerb, LinkScope, SignedInNames, TokenArguments},
    output::{
        problem::{CliProblem, ExitStatus},
        qr_code,
        words::{left, sentence, width, words},
    },
};

/// Runs `ashore remote`.
pub fn remote(data_dir: &Path, verb: Option<&DeviceVerb>, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    match verb {
        None | Some(DeviceVerb::List) => list(data_dir, out),
        Some(DeviceVerb::Link(LinkScope { scope })) => link(data_dir, (*scope).into(), out),
        Some(DeviceVerb::Token(wanted)) => token(data_dir, wanted, out),
        Some(DeviceVerb::SignOut(SignedInNames { names })) => sign_out(data_dir, names, out),
    }
}

/// Prints a link that one device can use to sign in. In a terminal, also prints the QR code of the link.
fn link(data_dir: &Path, scope: TokenScope, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let link = sign_in_link(data_dir, scope).map_err(CallFailure::Refused)?;
    if out.json {
        out.object(&link)?;
        return Ok(ExitStatus::Done);
    }
    if std::io::stdout().is_terminal() {
        for line in qr_code::lines(&link.url).into_iter().flatten() {
            out.line(line)?;
        }
    }
    out.line(words!("cli-remote-link", url = link.url.as_str()))?;
    if link.is_local {
        out.complain(words!("cli-remote-local"));
    }
    Ok(ExitStatus::Done)
}

/// Prints a token: the current token of the user, a new token of the user, or a token for a program.
fn token(data_dir: &Path, wanted: &TokenArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let token = match wanted {
        TokenArguments { name: Some(name), scope, .. } => {
            let issued = program_token(data_dir, name, (*scope).into());
            issued.map_err(|why| CliProblem::Failure(CallFailure::Refused(why)))?
        }
        TokenArguments { renew: true, .. } => {
            renew_token(data_dir).map_err(|why| CliProblem::Failure(CallFailure::Refused(why)))?
        }
        // A token that other users can read is a mistake in the set-up. `ashore serve` treats it in the same way.
        TokenArguments { .. } => ensure_token(data_dir).map_err(CliProblem::Usage)?,
    };
    match out.json {
        true => out.object(&json!({ "token": token }))?,
        false => out.line(token)?,
    }
    if wanted.renew && !out.json {
        out.complain(words!("cli-remote-renewed"));
    }
    Ok(ExitStatus::Done)
}

fn list(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let devices = signed_in_devices(data_dir).map_err(CallFailure::Refused)?;
    if out.json {
        for device in &devices {
            out.object(device)?;
        }
        return Ok(ExitStatus::Done);
    }
    if devices.is_empty() {
        out.print_line(words!("cli-remote-none"));
    }
    let columns = width(devices.iter().map(|one| one.name.as_str()), 0) + 2;
    for SignedInDevice { name, is_program, scope, .. } in &devices {
        let kind = if *is_program { words!("cli-remote-program") } else { words!("cli-remote-device") };
        out.line(format_args!("{}{kind}, {}", left(&clean(name), columns), scope_word(*scope)))?;
    }
    Ok(ExitStatus::Done)
}

/// Returns the word for a scope, which is the same as the value of `--scope`.
fn scope_word(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::Control => "control",
        TokenScope::Add => "add",
        TokenScope::Read => "read",
        TokenScope::Metrics => "metrics",
    }
}

/// Signs out the devices and programs with these names.
fn sign_out(data_dir: &Path, names: &[String], out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let mut ending = ExitStatus::Done;
    for name in names {
        let signed_out = sign_device_out(data_dir, name);
        if out.json {
            out.object(&json!({ "name": name, "signed_out": signed_out.is_ok(), "error": signed_out.as_ref().err() }))?;
        }
        match signed_out {
            Ok(()) if out.json => {}
            Ok(()) => out.print_line(words!("cli-remote-signed-out", name = name.as_str())),
            Err(why) => {
                out.complain(format_args!("{}: {}", out.program, sentence(&why)));
                ending = ExitStatus::Failed;
            }
        }
    }
    Ok(ending)
}
