//! Changes of downloads by a user: title, link, cancellation and removal.
//!
//! Acknowledged changes survive any crash. A change that got no response either took effect or did not. The list shows
//! which.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use ashore_testkit::machine::{Cut, Died};
use rand::{Rng, seq::IteratorRandom};
use serde_json::{Value, json};

use crate::world::{
    draw,
    shelf::{AskedDownload, WorldEdit, name_of},
    torture_world::{HANGS, TortureWorld},
};

/// Average number of edits per removal, and also per cancellation.
const ENDS: u32 = 12;

/// Returns whether the user has cancelled this download.
pub(super) fn was_cancelled(one: &Value) -> bool {
    one["state"] == "settled" && one["failure"]["code"] == "aborted"
}

impl TortureWorld {
    /// Makes a random change to `which`, a registration in the list.
    pub(super) async fn edit(&mut self, which: &Value) -> Result<(), Died> {
        let Some(index) = self.asked.iter().position(|asked| which["developer_id"] == asked.name.as_str()) else { return Ok(()) };
        let id = &which["unique_id"];
        match self.random.random_range(0..ENDS) {
            0 => {
                self.asked[index].is_cancelled = WorldEdit::Unanswered;
                if let Value::Bool(is_ended) = self.call("abort", json!({ "unique_id": id })).await? {
                    // A settled download keeps its result.
                    self.asked[index].is_cancelled = if is_ended { WorldEdit::Acknowledged } else { WorldEdit::No };
                }
            }
            1 => {
                self.asked[index].is_removed = WorldEdit::Unanswered;
                if self.is_done("remove", json!({ "unique_id": id, "files": false })).await? {
                    self.asked[index].is_removed = WorldEdit::Acknowledged;
                }
            }
            2..7 => {
                let title = format!("Title {}", self.random.random_range(0..1_000_000));
                self.asked[index].titles.push(title.clone());
                if self.is_done("update_ui", json!({ "unique_id": id, "title": title, "icon": null })).await? {
                    self.asked[index].titles = vec![title];
                }
            }
            _ => self.give_another_link(index, id).await?,
        }
        Ok(())
    }

    /// Gives one of the registration's files another address.
    async fn give_another_link(&mut self, index: usize, id: &Value) -> Result<(), Died> {
        let requests = self.asked[index].requests.iter().enumerate().filter(|(_, request)| request["upload_file"].is_null());
        let Some((place, request)) = requests.choose(&mut self.random) else { return Ok(()) };
        let Some(name) = name_of(&request["url"]) else { return Ok(()) };
        let Some(shelved) = self.shelf.get_mut(&name) else { return Ok(()) };
        let path = format!("/again-{}/{name}", shelved.routes.len());
        let address = self.origin.url(&path).to_string();
        shelved.routes.push(draw::route(&self.origin, &path, &shelved.body));
        shelved.addresses.push(address.clone());
        let is_done = self.is_done("relink", json!({ "unique_id": id, "index": place, "url": address })).await?;
        if let Some(shelved) = self.shelf.get_mut(&name).filter(|_| is_done) {
            shelved.addresses = vec![address];
        }
        Ok(())
    }

    /// Makes a call that returns no result. Returns whether the engine acknowledged the call.
    async fn is_done(&mut self, method: &str, params: Value) -> Result<bool, Died> {
        if !self.machine.is_running() {
            return Err(Died { signal: None });
        }
        match tokio::time::timeout(HANGS, self.machine.call(method, params)).await {
            Ok(Ok(_)) => Ok(true),
            Ok(Err(Cut::Refused(_))) => Ok(false),
            Ok(Err(Cut::Died(died))) => Err(died),
            Err(_) => {
                self.hung = Some(method.to_owned());
                Ok(false)
            }
        }
    }

    /// Checks acknowledged changes, and finds out which of the changes that got no response took effect.
    pub(super) async fn look_at_edits(&mut self, list: &[Value]) -> Result<()> {
        for index in 0..self.asked.len() {
            let found = list.iter().find(|one| one["developer_id"] == self.asked[index].name.as_str());
            let asked = &mut self.asked[index];
            match (asked.is_removed, found) {
                (WorldEdit::Acknowledged, Some(one)) => anyhow::bail!("a removed download is in the list: {one}"),
                (WorldEdit::Unanswered, _) => {
                    asked.is_removed = if found.is_some() { WorldEdit::No } else { WorldEdit::Acknowledged }
                }
                _ => {}
            }
            let Some(one) = found else { continue };
            let is_cancelled = was_cancelled(one);
            ensure!(is_cancelled || asked.is_cancelled != WorldEdit::Acknowledged, "a cancelled download continues: {one}");
            if asked.is_cancelled == WorldEdit::Unanswered {
                asked.is_cancelled = if is_cancelled { WorldEdit::Acknowledged } else { WorldEdit::No };
            }
            let title = one["title"].as_str().unwrap_or_default().to_owned();
            ensure!(asked.titles.contains(&title), "the title should be one of {:?}: {one}", asked.titles);
            asked.titles = vec![title];
            let has_moved = asked.names().any(|name| self.shelf.get(&name).is_some_and(|shelved| shelved.routes.len() > 1));
            if has_moved {
                self.look_at_addresses(one).await?;
            }
        }
        Ok(())
    }

    async fn look_at_addresses(&mut self, one: &Value) -> Result<()> {
        let page = json!({ "unique_id": one["unique_id"], "from": 0, "limit": 0 });
        let Ok(Value::Array(records)) = self.call("records", page).await else { return Ok(()) };
        for record in records {
            let Some(address) = record["url"].as_str().map(str::to_owned) else { continue };
            let Some(shelved) = name_of(&record["url"]).and_then(|name| self.shelf.get_mut(&name)) else { continue };
            ensure!(shelved.addresses.contains(&address), "the address should be one of {:?}: {record}", shelved.addresses);
            shelved.addresses = vec![address];
        }
        Ok(())
    }

    /// Returns whether the user has requested the cancellation of this download.
    pub(super) fn may_be_cancelled(&self, one: &Value) -> bool {
        let mut asked = self.asked.iter().filter(|asked| one["developer_id"] == asked.name.as_str());
        asked.any(|asked| asked.is_cancelled != WorldEdit::No)
    }

    /// Returns the files that are no longer required to arrive.
    pub(super) fn unwanted(&self) -> BTreeSet<String> {
        let given_up = self.asked.iter().filter(|asked| asked.is_removed != WorldEdit::No || asked.is_cancelled != WorldEdit::No);
        given_up.flat_map(AskedDownload::names).collect()
    }
}
