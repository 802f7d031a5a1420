//! `ashore quota`: limits for the downloads of an owner or of a kind of file.

use std::path::Path;

use ashore_engine::{OwnerQuota, QuotaScope};
use ashore_messages::{MessageArgument, UserMessage, message};
use ashore_rpc::{MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean, stdout_columns};
use serde_json::json;

use crate::{
    arguments::{LimitedRegistration, SizeLimit},
    output::{
        problem::{CliProblem, ExitStatus},
        table::{Table, TableColumn},
        text,
        words::{sentence, words},
    },
    verbs::short,
};

/// Argument that stands for all owners together.
const EVERYBODY: &str = "all";

/// Sets one quota, or shows all quotas.
pub async fn quota(data_dir: &Path, wanted: &LimitedRegistration, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    if wanted.size == Some(SizeLimit(None)) && wanted.files.is_some() {
        return Err(CliProblem::Usage(message!("quota.none-and-files")));
    }
    let owner = wanted.owner.clone().filter(|owner| owner != EVERYBODY);
    let scope = QuotaScope { owner, category: wanted.category };
    short::with(data_dir, "ashore quota", async |connection| {
        match (wanted.size, wanted.files) {
            (None, None) => show(connection, wanted, &scope, out).await?,
            (size, files) => set(connection, scope, size.and_then(|SizeLimit(bytes)| bytes), files, out).await?,
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
    let (bytes, files) = (bytes.map(MessageArgument::size), files.map(|count| message!("files", count = count)));
    let amount = match (bytes, files) {
        (Some(bytes), Some(files)) => message!("quota-part.both", bytes = bytes, files = files).into(),
        (Some(bytes), None) => bytes,
        (None, Some(files)) => files.into(),
        (None, None) => {
            out.print_line(words!("cli-quota-removed", owner = whose));
            return Ok(());
        }
    };
    out.print_line(words!("cli-quota-set", amount = amount, owner = whose));
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
        out.print_line(words!("cli-no-quotas"));
    }
    let owners: Vec<String> = quotas.iter().map(|quota| whose(&quota.scope)).collect();
    let most = words!("cli-column.most");
    let columns = vec![
        TableColumn::number(words!("cli-column.used"), 10),
        TableColumn::number(most.clone(), 10),
        TableColumn::number(words!("cli-column.files"), 8),
        TableColumn::number(most, 8),
        TableColumn::text(words!("cli-column.owner"), owners.iter().map(String::as_str), 0),
    ];
    let table = Table::new(columns, 4, stdout_columns());
    if !quotas.is_empty() && !out.json {
        out.lines(table.heads())?;
    }
    for (quota, owner) in quotas.iter().zip(&owners) {
        if out.json {
            out.object(quota)?;
            continue;
        }
        let limit = |limit: Option<String>| limit.unwrap_or_else(|| "-".to_owned());
        let (bytes, files) = (limit(quota.bytes.map(text::size)), limit(quota.files.map(|files| files.to_string())));
        let (used, used_files) = (text::size(quota.used_bytes), quota.used_files.to_string());
        out.lines(table.row(&[&used, &bytes, &used_files, &files, owner]))?;
    }
    Ok(())
}

fn whose(scope: &QuotaScope) -> String {
    let owner = scope.owner.as_deref().map_or_else(|| words!("cli-everybody"), clean);
    let kind = |category| sentence(&UserMessage::new(&format!("kind.{category}"), []));
    scope.category.map_or_else(|| owner.clone(), |category| format!("{owner}: {}", kind(category)))
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
