//! What has come is claimed soon. The journals are free to claim too little, as they were when the engine died in the middle of
//! something; but where it had all the time in the world, all that came has to be in them, or a start fetches it again.

use std::{fs, time::Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::claims;
use crate::world::{HANGS, LOOK_EVERY, TortureWorld, dead, draw};

/// So much of a download comes, and then nothing, so that checkpoints have all of it to claim.
const COMES: u64 = 2 << 20;
/// Of so much.
const LENGTH: u64 = 4 << 20;

impl TortureWorld {
    /// A download comes to its middle and stays there for longer than checkpoints are apart; then the engine dies.
    pub async fn claims_what_came(&mut self) -> Result<()> {
        ensure!(self.is_ready_within(HANGS).await?, "it is not ready in {HANGS:?}");
        let (url, route) = draw::shelve(&self.origin, &mut self.shelf, LENGTH, None);
        let route = route.gate_at(COMES);
        self.asked.push(draw::asked(self.asked.len(), vec![json!({ "url": url })]));
        let index = self.asked.len() - 1;
        self.ask(index).await.map_err(dead)?;
        self.call("resume", json!({ "unique_id": null })).await.map_err(dead)?;
        let own = self.machine.find(&self.asked[index].name).await.map_err(dead)?.context("it is in the list")?;
        self.call("move", json!({ "unique_id": own["unique_id"], "place": "now" })).await.map_err(dead)?;
        route.held().await;
        let came = Instant::now();
        while self.claimed_of(&url)? < COMES {
            let claimed = self.claimed_of(&url)?;
            ensure!(
                came.elapsed() < HANGS,
                "{COMES} bytes came, and after {HANGS:?} {claimed} of them are claimed\n{}",
                self.log()
            );
            tokio::time::sleep(LOOK_EVERY).await;
        }
        self.kill().await;
        self.look_at_disk()?;
        route.release();
        Ok(())
    }

    /// What the journal of the download from there claims. Those of others come and go meanwhile.
    fn claimed_of(&self, url: &str) -> Result<u64> {
        for entry in fs::read_dir(self.machine.target())? {
            let path = entry?.path();
            let is_journal = path.to_str().is_some_and(|path| path.ends_with(claims::ENDING));
            if let Some(claim) = is_journal.then(|| claims::read(&path).ok().flatten()).flatten()
                && claim.url == url
            {
                return Ok(claim.bytes());
            }
        }
        Ok(0)
    }
}
