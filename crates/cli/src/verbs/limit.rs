//! `ashore limit`: how fast bytes may come and go.

use std::path::Path;

use ashore_engine::{Amount, LimitScope, Registration, SpeedLimit};
use ashore_rpc::{Call, Connection};
use ashore_terminal::{Out, clean};
use serde_json::json;

use crate::{
    arguments::{AtMost, Limiting},
    output::problem::{Ending, Problem},
    verbs::short,
};

/// Sets one limit, or shows all there are.
pub async fn limit(data_dir: &Path, wanted: &Limiting, out: Out) -> Result<Ending, Problem> {
    short::with(data_dir, "ashore limit", async |connection| {
        match wanted.speed {
            Some(speed) => set(connection, speed, wanted, out).await?,
            None => show(connection, out).await?,
        }
        Ok(Ending::Done)
    })
    .await
}

async fn set(connection: &Connection, AtMost(speed): AtMost, wanted: &Limiting, out: Out) -> Result<(), Problem> {
    // Nothing at all would be a pause.
    let bytes_per_second = speed.filter(|speed| *speed > 0);
    let scope = match (&wanted.host, &wanted.id) {
        (Some(host), _) => LimitScope::Host { host: host.clone() },
        (None, Some(id)) => LimitScope::Registration { unique_id: short::resolve(connection, id).await? },
        (None, None) => LimitScope::All,
    };
    connection.call::<()>(Call::Limit { scope: scope.clone(), bytes_per_second }).await?;
    if out.json {
        out.object(&json!({ "scope": scope, "bytes_per_second": bytes_per_second }))?;
        return Ok(());
    }
    let what = match &scope {
        LimitScope::All => "Everything together".to_owned(),
        LimitScope::Host { host } => format!("What comes from {}", clean(host)),
        LimitScope::Registration { .. } => "This download".to_owned(),
    };
    out.say(match bytes_per_second {
        Some(bytes) => format!("{what} is held to {} bytes a second.", Amount(bytes)),
        None => format!("{what} has no limit of its own."),
    });
    Ok(())
}

async fn show(connection: &Connection, out: Out) -> Result<(), Problem> {
    let limits: Vec<SpeedLimit> = connection.call(Call::Limits).await?;
    if limits.is_empty() && !out.json {
        out.say("Nothing is limited. `ashore limit 2M` holds everything together to 2 MiB a second.");
    }
    for limit in &limits {
        if out.json {
            out.object(limit)?;
            continue;
        }
        let whose = match &limit.scope {
            LimitScope::All => "everything".to_owned(),
            LimitScope::Host { host } => format!("from {}", clean(host)),
            LimitScope::Registration { unique_id } => {
                let one: Registration = connection.call(Call::Show { unique_id: *unique_id }).await?;
                format!("{}  {}", &unique_id.to_string()[..8], clean(&one.title))
            }
        };
        out.line(format_args!("{:>6}  {whose}", Amount(limit.bytes_per_second).to_string()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_can_be_typed() {
        for bytes in [1024, 2000, 500 << 10, 3 << 19, 2 << 20, 10 << 30] {
            assert_eq!(Amount(bytes).to_string().parse(), Ok(AtMost(Some(bytes))));
        }
    }
}
