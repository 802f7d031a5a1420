//! Waits until every download is idle, and reports the state of the list.

use std::time::Instant;

use anyhow::{Result, bail, ensure};
use serde_json::{Value, json};

use crate::world::torture_world::{HANGS, LOOK_EVERY, TortureWorld};

/// State of the list when every download is idle.
#[derive(Debug, Default)]
pub struct WorldLook {
    /// New failures and reasons to wait.
    pub said: Vec<ReportedState>,
    /// Downloads with a visible result. A paused download does not show its earlier failures.
    pub seen: Vec<String>,
}

/// Reason why a download failed or waits.
#[derive(Debug)]
pub struct ReportedState {
    pub of: String,
    pub code: String,
    pub text: String,
}

impl TortureWorld {
    /// Waits until every download has settled or waits with a reason. Returns the state.
    ///
    /// Fails if nothing changes for `HANGS` before all downloads are idle.
    pub async fn settle(&mut self) -> Result<WorldLook> {
        self.call("resume", json!({ "unique_id": null })).await.ok();
        let (mut last, mut moved) = (Vec::new(), Instant::now());
        loop {
            let Ok(list) = self.list().await else { return Ok(WorldLook::default()) };
            self.note(&list).await.ok();
            let is_resting = |one: &Value| {
                one["state"] == "settled"
                    || one["state"] == "paused"
                    || one["state"] == "waiting" && one["waiting_for"].is_object()
            };
            let still: Vec<Value> = list.into_iter().filter(|one| !is_resting(one)).collect();
            if still.is_empty() {
                break;
            }
            if still != last {
                (last, moved) = (still, Instant::now());
            } else if moved.elapsed() > HANGS {
                bail!("no download makes progress: {}\n{}", last[0], self.log());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let mut look = WorldLook::default();
        for one in self.list().await.unwrap_or_default() {
            let of = one["developer_id"].to_string();
            for trouble in [&one["failure"], &one["waiting_for"]] {
                let (Some(code), Some(text)) = (trouble["code"].as_str(), trouble["text"].as_str()) else { continue };
                ensure!(text.ends_with('.') && code != "internal", "the failure has no message: {trouble}\n{}", self.log());
                if self.troubles.insert((of.clone(), text.to_owned())) {
                    look.said.push(ReportedState { of: of.clone(), code: code.to_owned(), text: text.to_owned() });
                }
            }
            if one["state"] != "paused" {
                look.seen.push(of);
            }
        }
        match &self.hung {
            Some(method) => bail!("{method} got no answer within {HANGS:?}: {}", self.log()),
            None => Ok(look),
        }
    }
}
