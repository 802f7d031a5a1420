//! Actions of the user while the engine is running.

use std::time::Duration;

use ashore_testkit::machine::Died;
use rand::Rng;
use serde_json::{Value, json};

use crate::world::{
    draw::{self, DrawnLoad},
    shelf::{AskedDownload, WorldEdit},
    torture_world::TortureWorld,
};

/// Number of unsettled registrations that the user keeps in the list; half as many in short sessions.
const AT_ONCE: usize = 5;

impl TortureWorld {
    /// Lets the user act on downloads for `moment`, or until the engine has ended.
    pub async fn live(&mut self, moment: Duration) {
        if self.load != DrawnLoad::Heavy {
            // Resume all downloads, because a short session with paused downloads would test nothing.
            self.call("resume", json!({ "unique_id": null })).await.ok();
        }
        // The timeout may interrupt any action, so that the engine is killed in the middle of an action.
        let _ = tokio::time::timeout(moment, self.act_at_random()).await;
    }

    async fn act_at_random(&mut self) -> Result<(), Died> {
        loop {
            let list = self.list().await?;
            self.note(&list).await?;
            let unsettled: Vec<&Value> = list.iter().filter(|one| one["state"] != "settled").collect();
            let is_missing = |asked: &AskedDownload| {
                asked.is_removed == WorldEdit::No && !list.iter().any(|one| one["developer_id"] == asked.name)
            };
            let forgotten = self.asked.iter().position(is_missing);
            if let Some(index) = forgotten {
                self.ask(index).await?;
            } else if unsettled.len() < if self.load == DrawnLoad::Heavy { AT_ONCE } else { AT_ONCE / 2 } {
                let asked = draw::registration(
                    &mut self.random,
                    self.load,
                    &self.origin,
                    &mut self.shelf,
                    &self.machine,
                    self.asked.len(),
                );
                self.asked.push(asked);
                self.ask(self.asked.len() - 1).await?;
            } else {
                let which = unsettled[self.random.random_range(0..unsettled.len())].clone();
                self.verb(&which, &list).await?;
            }
            tokio::time::sleep(Duration::from_millis(self.random.random_range(1..15))).await;
        }
    }

    async fn verb(&mut self, which: &Value, list: &[Value]) -> Result<(), Died> {
        let id = json!({ "unique_id": which["unique_id"] });
        if self.random.random_bool(0.15) {
            return self.edit(which).await;
        }
        match self.random.random_range(0..10) {
            0 => self.call("pause", id).await?,
            1 => self.call("pause", json!({ "unique_id": null })).await?,
            2 | 3 => self.call("resume", json!({ "unique_id": null })).await?,
            4..=6 => match list.iter().find(|one| one["state"] == "paused") {
                Some(paused) => self.call("resume", json!({ "unique_id": paused["unique_id"] })).await?,
                None => Value::Null,
            },
            7 | 8 => {
                let place = ["now", "top", "bottom"][self.random.random_range(0..3)];
                self.call("move", json!({ "unique_id": which["unique_id"], "place": place })).await?
            }
            _ => match list.iter().find(|one| one["state"] == "settled") {
                Some(settled) => self.call("claim", json!({ "unique_id": settled["unique_id"] })).await?,
                None => Value::Null,
            },
        };
        Ok(())
    }

    /// Requests a registration. The engine may already have it from an earlier request.
    pub(super) async fn ask(&mut self, index: usize) -> Result<(), Died> {
        let AskedDownload { name, requests, .. } = &self.asked[index];
        let folder = self.machine.target();
        let new = json!({ "owner": "torture", "developer_id": name, "title": name, "folder": folder, "requests": requests });
        if self.call("create", new).await?.is_object() {
            self.asked[index].is_acknowledged = true;
        }
        Ok(())
    }
}
