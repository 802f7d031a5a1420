//! Checks that the journal soon records (claims) the received bytes.
//!
//! If the engine was killed in the middle of a step, a journal may claim too little. But with enough time before the
//! kill, it must claim all received bytes. Otherwise, the next start would fetch some bytes again.

use std::{fs, time::Instant};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::{
    claims,
    world::{
        draw,
        torture_world::{HANGS, LOOK_EVERY, TortureWorld, dead},
    },
};

/// Number of bytes that the server sends before its pause. Checkpoints during the pause must claim all of these bytes.
const COMES: u64 = 2 << 20;
/// Length of the file in bytes.
const LENGTH: u64 = 4 << 20;

impl TortureWorld {
    /// Pauses the server in the middle of a download, and then kills the engine.
    ///
    /// The pause is longer than the checkpoint interval.
    pub async fn check_received_bytes_are_claimed(&mut self) -> Result<()> {
        ensure!(self.is_ready_within(HANGS).await?, "the engine was not ready within {HANGS:?}");
        let (url, route) = draw::shelve(&self.origin, &mut self.shelf, LENGTH, None);
        let route = route.gate_at(COMES);
        self.asked.push(draw::asked(self.asked.len(), vec![json!({ "url": url })]));
        let index = self.asked.len() - 1;
        self.ask(index).await.map_err(dead)?;
        self.call("resume", json!({ "unique_id": null })).await.map_err(dead)?;
        let own = self.machine.find(&self.asked[index].name).await.map_err(dead)?.context("the download is not in the list")?;
        self.call("move", json!({ "unique_id": own["unique_id"], "place": "now" })).await.map_err(dead)?;
        route.held().await;
        let came = Instant::now();
        while self.claimed_of(&url)? < COMES {
            let claimed = self.claimed_of(&url)?;
            ensure!(
                came.elapsed() < HANGS,
                "{COMES} bytes were received, but the journal claims {claimed} of them after {HANGS:?}\n{}",
                self.log()
            );
            tokio::time::sleep(LOOK_EVERY).await;
        }
        self.kill().await;
        self.look_at_disk()?;
        route.release();
        Ok(())
    }

    /// Returns the claimed bytes of the download from `url`. Other journals may appear and disappear.
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
