//! `ashore quota`: how much of the list may be whose, and of what kind.

use std::{path::Path, str::FromStr};

use ashore_engine::{Amount, Quota, QuotaScope};
use ashore_rpc::{Call, Connection};
use serde_json::json;

use crate::{
    arguments::Limited,
    print::{Out, clean},
    problem::{Ending, Problem},
    talk, words,
};

/// Who is meant by this name is everybody together.
const EVERYBODY: &str = "all";

/// An amount as it was typed: bytes, or as many as there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(Option<u64>);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        let Amount(bytes) = text.parse().map_err(|_| "a quota looks like 500M, 10G or 1.5G, or none")?;
        Ok(Self(Some(bytes)))
    }
}

/// Sets one quota, or shows all there are.
pub async fn quota(data_dir: &Path, wanted: &Limited, out: Out) -> Result<Ending, Problem> {
    if wanted.size == Some(Size(None)) && wanted.files.is_some() {
        return Err(Problem::usage("quota", "none takes the whole quota away: leave out --files, or give a size."));
    }
    let owner = wanted.owner.clone().filter(|owner| owner != EVERYBODY);
    let scope = QuotaScope { owner, category: wanted.category };
    talk::with(data_dir, "ashore quota", async |connection| {
        match (wanted.size, wanted.files) {
            (None, None) => show(connection, wanted, &scope, out).await?,
            (size, files) => set(connection, scope, size.and_then(|Size(bytes)| bytes), files, out).await?,
        }
        Ok(Ending::Done)
    })
    .await
}

async fn set(
    connection: &Connection,
    scope: QuotaScope,
    bytes: Option<u64>,
    files: Option<u64>,
    out: Out,
) -> Result<(), Problem> {
    connection.call::<()>(Call::SetQuota { scope: scope.clone(), bytes, files }).await?;
    if out.json {
        out.object(&json!({ "scope": scope, "bytes": bytes, "files": files }))?;
        return Ok(());
    }
    let whose = whose(&scope);
    let parts = [bytes.map(words::size), files.map(|files| format!("{files} files"))];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    out.say(match parts.is_empty() {
        true => format!("There is no quota for {whose}."),
        false => format!("There may be {} of {whose} in the list.", parts.join(" and ")),
    });
    Ok(())
}

async fn show(connection: &Connection, wanted: &Limited, scope: &QuotaScope, out: Out) -> Result<(), Problem> {
    let mut quotas: Vec<Quota> = connection.call(Call::Quotas).await?;
    let is_meant = |quota: &Quota| wanted.owner.is_none() || quota.scope.owner == scope.owner;
    quotas.retain(|quota| is_meant(quota) && scope.category.is_none_or(|kind| quota.scope.category == Some(kind)));
    if quotas.is_empty() && !out.json {
        out.say("Nothing is limited, and there is nothing. `ashore quota command-line 10G` sets a quota.");
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
        let (bytes, files) = (most(quota.bytes.map(words::size)), most(quota.files.map(|files| files.to_string())));
        let used = words::size(quota.used_bytes);
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
    use ashore_engine::Category;

    use super::*;

    #[test]
    fn an_amount_is_read_as_people_write_it() {
        for (text, bytes) in [("none", None), ("None", None), ("0", Some(0)), ("500M", Some(500 << 20)), ("1.5g", Some(3 << 29))] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "much", "-1", "1TB", "9223372036854775808"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_scope_is_said_in_words() {
        assert_eq!(whose(&QuotaScope::default()), "everybody");
        let films = QuotaScope { owner: Some("feeds".to_owned()), category: Some(Category::Video) };
        assert_eq!(whose(&films), "feeds: video");
    }
}
