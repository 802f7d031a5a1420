//! `ashore quota`: limits on the share of the list that an owner or a kind of file may use.

use std::path::Path;

use ashore_engine::{OwnerQuota, QuotaScope};
use ashore_messages::message;
use ashore_rpc::{MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean};
use serde_json::json;

use crate::{
    arguments::{AtMost, LimitedRegistration},
    output::{
        problem::{CliProblem, ExitStatus},
        text,
    },
    verbs::short,
};

/// Argument that stands for all owners together.
const EVERYBODY: &str = "all";

/// Sets one quota, or shows all of them.
pub async fn quota(data_dir: &Path, wanted: &LimitedRegistration, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    if wanted.size == Some(AtMost(None)) && wanted.files.is_some() {
        return Err(CliProblem::Usage(message!("quota.none-and-files")));
    }
    let owner = wanted.owner.clone().filter(|owner| owner != EVERYBODY);
    let scope = QuotaScope { owner, category: wanted.category };
    short::with(data_dir, "ashore quota", async |connection| {
        match (wanted.size, wanted.files) {
            (None, None) => show(connection, wanted, &scope, out).await?,
            (size, files) => set(connection, scope, size.and_then(|AtMost(bytes)| bytes), files, out).await?,
        }
        Ok(ExitStatus::Done)
    })
    .await
}

async fn set(
    connection: &PeerStream,
    scope: QuotaScope,
    bytes: Option<u64>,
    files: Option<u64>,
    out: TerminalOutput,
) -> Result<(), CliProblem> {
    connection.call::<()>(MethodCall::SetQuota { scope: scope.clone(), bytes, files }).await?;
    if out.json {
        out.object(&json!({ "scope": scope, "bytes": bytes, "files": files }))?;
        return Ok(());
    }
    let whose = whose(&scope);
    let parts = [bytes.map(text::size), files.map(|files| format!("{files} files"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    out.print_line(match parts.is_empty() {
        true => format!("There is no quota for {whose}."),
        false => format!("There may be {} of {whose} in the list.", parts.join(" and ")),
    });
    Ok(())
}

async fn show(
    connection: &PeerStream,
    wanted: &LimitedRegistration,
    scope: &QuotaScope,
    out: TerminalOutput,
) -> Result<(), CliProblem> {
    let mut quotas: Vec<OwnerQuota> = connection.call(MethodCall::Quotas).await?;
    let is_meant = |quota: &OwnerQuota| wanted.owner.is_none() || quota.scope.owner == scope.owner;
    quotas.retain(|quota| is_meant(quota) && scope.category.is_none_or(|kind| quota.scope.category == Some(kind)));
    if quotas.is_empty() && !out.json {
        out.print_line("Nothing is limited, and there is nothing. `ashore quota command-line 10G` sets a quota.");
    }
    let mut is_first = true;
    for quota in &quotas {
        if out.json {
            out.object(quota)?;
            continue;
        }
        if is_first {
            out.line(format_args!("{:>10}  {:>10}  {:>8}  {:>8}  WHOSE", "USED", "OF", "FILES", "OF"))?;
        }
        is_first = false;
        let most = |limit: Option<String>| limit.unwrap_or_else(|| "-".to_owned());
        let (bytes, files) = (most(quota.bytes.map(text::size)), most(quota.files.map(|files| files.to_string())));
        let used = text::size(quota.used_bytes);
        out.line(format_args!("{used:>10}  {bytes:>10}  {:>8}  {files:>8}  {}", quota.used_files, whose(&quota.scope)))?;
    }
    Ok(())
}

fn whose(scope: &QuotaScope) -> String {
    let owner = scope.owner.as_deref().unwrap_or("everybody");
    let kind = scope.category.map_or_else(String::new, |category| format!(": {category}"));
    format!("{}{kind}", clean(owner))
}

#[cfg(test)]
mod tests {
    use ashore_engine::FileCategory;

    use super::*;

    #[test]
    fn quota_scope_is_described_in_words() {
        assert_eq!(whose(&QuotaScope::default()), "everybody");
        let films = QuotaScope { owner: Some("feeds".to_owned()), category: Some(FileCategory::Video) };
        assert_eq!(whose(&films), "feeds: video");
    }
}
