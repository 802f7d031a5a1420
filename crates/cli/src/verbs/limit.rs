//! `ashore limit`: speed limits of transfers.

use std::path::Path;

use ashore_engine::{ByteSize, LimitScope, Registration, SpeedLimit};
use ashore_messages::current;
use ashore_rpc::{MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean};
use serde_json::json;

use crate::{
    arguments::{LimitArguments, SizeLimit},
    output::{
        problem::{CliProblem, ExitStatus},
        words::{right, words},
    },
    verbs::short,
};

/// Sets one speed limit, or shows all speed limits.
pub async fn limit(data_dir: &Path, wanted: &LimitArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    short::with(data_dir, "ashore limit", async |connection| {
        match wanted.speed {
            Some(speed) => set(connection, speed, wanted, out).await?,
            None => show(connection, out).await?,
        }
        Ok(ExitStatus::Done)
    })
    .await
}

async fn set(
    connection: &PeerStream,
    SizeLimit(speed): SizeLimit,
    wanted: &LimitArguments,
    out: TerminalOutput,
) -> Result<(), CliProblem> {
    // Zero removes the limit, because a limit of zero would act as a pause.
    let bytes_per_second = speed.filter(|speed| *speed > 0);
    let scope = match (&wanted.host, &wanted.id) {
        (Some(host), _) => LimitScope::Host { host: host.clone() },
        (None, Some(id)) => LimitScope::Registration { unique_id: short::resolve(connection, id).await? },
        (None, None) => LimitScope::All,
    };
    connection.call::<()>(MethodCall::Limit { scope: scope.clone(), bytes_per_second }).await?;
    if out.json {
        out.object(&json!({ "scope": scope, "bytes_per_second": bytes_per_second }))?;
        return Ok(());
    }
    let speed = bytes_per_second.map(|bytes| clean(&current().speed_limit(bytes)));
    out.print_line(match (&scope, speed) {
        (LimitScope::All, Some(speed)) => words!("cli-limit-set.all", speed = speed),
        (LimitScope::Host { host }, Some(speed)) => words!("cli-limit-set.host", host = host, speed = speed),
        (LimitScope::Registration { .. }, Some(speed)) => words!("cli-limit-set.download", speed = speed),
        (LimitScope::All, None) => words!("cli-limit-removed.all"),
        (LimitScope::Host { host }, None) => words!("cli-limit-removed.host", host = host),
        (LimitScope::Registration { .. }, None) => words!("cli-limit-removed.download"),
    });
    Ok(())
}

async fn show(connection: &PeerStream, out: TerminalOutput) -> Result<(), CliProblem> {
    let limits: Vec<SpeedLimit> = connection.call(MethodCall::Limits).await?;
    if limits.is_empty() && !out.json {
        out.print_line(words!("cli-no-limits"));
    }
    for limit in &limits {
        if out.json {
            out.object(limit)?;
            continue;
        }
        let whose = match &limit.scope {
            LimitScope::All => words!("cli-limit-of.all"),
            LimitScope::Host { host } => words!("cli-limit-of.host", host = host),
            LimitScope::Registration { unique_id } => {
                let one: Registration = connection.call(MethodCall::Show { unique_id: *unique_id }).await?;
                format!("{}  {}", &unique_id.to_string()[..8], clean(&one.title))
            }
        };
        out.line(format_args!("{}  {whose}", right(&ByteSize(limit.bytes_per_second).to_string(), 6)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed_speed_limit_can_be_parsed_to_same_value() {
        for bytes in [1024, 2000, 5_000_000, 500 << 10, 3 << 19, 2 << 20, 10 << 30] {
            assert_eq!(ByteSize(bytes).to_string().parse(), Ok(SizeLimit(Some(bytes))));
        }
    }
}
