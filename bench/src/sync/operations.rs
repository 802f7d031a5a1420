//! Operations of one user. Each ratio between two operations has an upper bound.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use ashore_sync_server::{
    clock::ServerClock,
    protocol::IncomingBso,
    store::{BsoWrite, SyncStore, WriteAction},
};
use rand::{Rng as _, SeedableRng as _, rngs::SmallRng};
use reqwest::Method;
use serde_json::json;

use crate::sync::node::{DatabaseKind, LETTERS, LIST, SyncNode, list, name, payload};
use crate::{
    figure::{BenchFigure, FigureBound},
    rounds::median,
};

/// Name, number of objects and object length of each collection.
const LONG: (&str, u32, usize) = ("history", 100_000, 200);
const SHORT: (&str, u32, usize) = ("forms", 100, 200);
/// Collection of 40 MB.
const LARGE: (&str, u32, usize) = ("tabs", 10_000, 4_000);
const LISTS: &str = "prefs";
/// Maximum number of objects in a batch.
const BATCH: u32 = 10_000;
/// Collections for the batches. Each commit uses the next one.
const BATCHES: [&str; 3] = ["bookmarks", "history", "forms"];
/// Number of alternations of short operations in each round. Long operations alternate `FEW_TURNS` times.
const TURNS: usize = 40;
const FEW_TURNS: usize = 9;
/// Number of reads per round. Writes are measured during these reads.
const READS: usize = 8;
/// Number of initial alternations that do not count, because they still prepare statements and open connections.
const WARM_UP: usize = 6;

/// Upper bounds of the ratios between two operations.
const FRESH: f64 = 1.3;
const BESIDE_READ: f64 = 2.0;
const LONG_OVER_SHORT: f64 = 1.3;
const OVER_BARE: f64 = 1.6;
/// Maximum time of a batch commit on a fresh PostgreSQL database, in milliseconds.
const COMMIT: f64 = 250.0;

/// Server with collections that take long to fill.
pub struct OperationStage {
    kind: DatabaseKind,
    disk: PathBuf,
    node: SyncNode,
    store: SyncStore,
    random: SmallRng,
}

impl OperationStage {
    /// Starts the server and fills the collections.
    pub async fn prepare(kind: DatabaseKind, disk: &Path) -> Result<Self> {
        let node = SyncNode::start(kind, disk).await?;
        let mut random = SmallRng::seed_from_u64(1);
        for (collection, count, letters) in [LONG, SHORT, LARGE, (LISTS, LIST, LETTERS)] {
            node.fill(collection, count, letters, &mut random).await?;
        }
        let store = node.store().await?;
        Ok(Self { kind, disk: disk.to_owned(), node, store, random })
    }

    /// Runs one round of all measurements.
    pub async fn round(&mut self, round: u32) -> Result<Vec<BenchFigure>> {
        let mut figures = self.statistics(round).await?;
        figures.extend(self.lengths().await?);
        figures.extend(self.beside_read().await?);
        figures.extend(self.bare().await?);
        Ok(figures)
    }

    /// Ends the server.
    pub async fn end(self) -> Result<()> {
        self.store.close().await;
        self.node.end().await
    }

    fn figure(&self, what: &str, entries: u32, unit: &str, samples: Vec<f64>) -> BenchFigure {
        BenchFigure::new(&format!("{}: {what}", self.kind.name()), entries.into(), unit, samples)
    }

    /// Returns the ratio of two medians, followed by the two medians.
    fn ratio(&self, names: [&str; 3], entries: u32, most: f64, (first, second): (f64, f64)) -> [BenchFigure; 3] {
        let [what, of_first, of_second] = names;
        [
            self.figure(what, entries, "times", vec![first / second]).bound(FigureBound::Most(most)),
            self.figure(of_first, entries, "ms", vec![first]),
            self.figure(of_second, entries, "ms", vec![second]),
        ]
    }

    /// Compares a database without planner statistics with a database that has them.
    async fn statistics(&mut self, round: u32) -> Result<Vec<BenchFigure>> {
        let random = &mut self.random;
        let mut nodes = [SyncNode::start(self.kind, &self.disk).await?, SyncNode::start(self.kind, &self.disk).await?];
        let mut first_commits = Vec::new();
        for node in &nodes {
            node.timed(Method::PUT, "/storage/prefs/a", &json!({ "payload": payload(LETTERS, random) }).to_string()).await?;
            let commit = node.stage("dl-items", BATCH, random).await?;
            first_commits.push(node.timed(Method::POST, &commit, "[]").await?);
        }
        nodes[1].analyse().await?;
        for node in &mut nodes {
            node.restart().await?;
            // Read everything once, so that both databases have all their data in memory.
            node.timed(Method::GET, "/storage/dl-items?full=1", "").await?;
        }
        let [fresh, analysed] = &nodes;
        let mut commits = (Vec::new(), Vec::new());
        for (turn, collection) in BATCHES.into_iter().enumerate() {
            let (one, other) = (fresh.stage(collection, BATCH, random).await?, analysed.stage(collection, BATCH, random).await?);
            if (turn as u32 + round).is_multiple_of(2) {
                commits.0.push(fresh.timed(Method::POST, &one, "[]").await?);
                commits.1.push(analysed.timed(Method::POST, &other, "[]").await?);
            } else {
                commits.1.push(analysed.timed(Method::POST, &other, "[]").await?);
                commits.0.push(fresh.timed(Method::POST, &one, "[]").await?);
            }
        }
        let lists: Vec<String> = (0..TURNS + WARM_UP)
            .map(|_| {
                let first = random.random_range(0..BATCH / LIST) * LIST;
                list(first..first + LIST, LETTERS, random)
            })
            .collect();
        let (puts, _) = puts(("dl-items", BATCH, LETTERS), random);
        let post = async |node: &SyncNode, turn: usize| node.timed(Method::POST, "/storage/dl-items", &lists[turn]).await;
        let put = async |node: &SyncNode, turn: usize| node.timed(Method::PUT, &puts[turn].0, &puts[turn].1).await;
        let read = async |node: &SyncNode, _: usize| node.timed(Method::GET, "/storage/dl-items?full=1", "").await;
        let delete = async |node: &SyncNode, turn: usize| {
            let first = turn as u32 * LIST;
            let ids = (first..first + LIST).map(name).collect::<Vec<_>>().join(",");
            node.timed(Method::DELETE, &format!("/storage/bookmarks?ids={ids}"), "").await
        };
        let posts = in_turns(TURNS, async |turn| post(fresh, turn).await, async |turn| post(analysed, turn).await).await?;
        let puts = in_turns(TURNS, async |turn| put(fresh, turn).await, async |turn| put(analysed, turn).await).await?;
        let reads = in_turns(FEW_TURNS, async |turn| read(fresh, turn).await, async |turn| read(analysed, turn).await).await?;
        let deletions =
            in_turns(TURNS, async |turn| delete(fresh, turn).await, async |turn| delete(analysed, turn).await).await?;

        let commit = self.figure("commit of a batch on a fresh database", BATCH, "ms", first_commits);
        let mut figures =
            vec![if self.kind == DatabaseKind::Postgres { commit.bound(FigureBound::Most(COMMIT)) } else { commit }];
        let commits = (median(commits.0), median(commits.1));
        for (what, entries, times) in [
            ("commit of a batch", BATCH, commits),
            ("POST of a list", LIST, posts),
            ("PUT of one object", BATCH, puts),
            ("read of a collection", BATCH, reads),
            ("DELETE of a list", LIST, deletions),
        ] {
            let names = ["fresh over analysed", "fresh", "analysed"].map(|of| format!("{what}, {of}"));
            figures.extend(self.ratio(names.each_ref().map(String::as_str), entries, FRESH, times));
        }
        for node in nodes {
            node.end().await?;
        }
        Ok(figures)
    }

    /// Compares two writes of one object: into a long collection and into a short collection.
    async fn lengths(&mut self) -> Result<[BenchFigure; 3]> {
        let (long, short) = (puts(LONG, &mut self.random).0, puts(SHORT, &mut self.random).0);
        let put = async |(path, body): &(String, String)| self.node.timed(Method::PUT, path, body).await;
        let times = in_turns(TURNS, async |turn| put(&long[turn]).await, async |turn| put(&short[turn]).await).await?;
        let names = ["PUT into a long collection, over one of 100", "PUT into a long collection", "PUT into one of 100"];
        Ok(self.ratio(names, LONG.1, LONG_OVER_SHORT, times))
    }

    /// Measures writes of one object, both alone and during a full read by another device.
    async fn beside_read(&mut self) -> Result<Vec<BenchFigure>> {
        let (puts, least) = puts(LARGE, &mut self.random);
        let put = async |turn: usize| {
            let (path, body) = &puts[turn % puts.len()];
            self.node.timed(Method::PUT, path, body).await
        };
        let (mut busy, mut quiet, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..READS {
            let mut reader = self.node.reader(&format!("/storage/{}?full=1", LARGE.0));
            let begun = Instant::now();
            let read = tokio::spawn(async move { reader.output().await });
            let mut beside = Vec::new();
            while !read.is_finished() {
                beside.push(put(beside.len()).await?);
            }
            reads.push(begun.elapsed().as_secs_f64() * 1000.0);
            let told = read.await??;
            let bytes: usize = String::from_utf8_lossy(&told.stdout).parse().context("curl printed no size")?;
            ensure!(told.status.success() && bytes >= least, "a read returned {bytes} bytes: {}", told.status);
            // Drop the first and last writes: they may have run before or after the read.
            beside.pop();
            busy.extend(beside.into_iter().skip(WARM_UP));
            for turn in 0..puts.len() {
                quiet.push(put(turn).await?);
            }
        }
        let names = ["PUT during a read of 40 MB, over one alone", "PUT during a read of 40 MB", "PUT alone"];
        let mut figures = self.ratio(names, LARGE.1, BESIDE_READ, (median(busy), median(quiet))).to_vec();
        figures.push(self.figure("read of 40 MB during PUTs", LARGE.1, "ms", vec![median(reads)]));
        Ok(figures)
    }

    /// Compares sending a list in a POST with running plain SQL statements on the same database.
    async fn bare(&mut self) -> Result<[BenchFigure; 3]> {
        let random = &mut self.random;
        let lists: Vec<String> = (0..TURNS + WARM_UP).map(|_| list(0..LIST, LETTERS, random)).collect();
        let user = self.node.user()?;
        let entry = |id| IncomingBso { id: name(id), payload: Some(payload(LETTERS, random)), sortindex: None, ttl: None };
        let entries: Vec<IncomingBso> = (0..LIST).map(entry).collect();
        let write = BsoWrite {
            user,
            makes_user: false,
            collection: Some(LISTS.to_owned()),
            unmodified_since: None,
            clock: ServerClock::system(),
            action: WriteAction::Post { entries, is_batch: false },
        };
        let path = format!("/storage/{LISTS}");
        let over_http = async |turn: usize| self.node.timed(Method::POST, &path, &lists[turn]).await;
        let alone = async |_: usize| {
            let begun = Instant::now();
            self.store.write(&write).await?;
            Ok(begun.elapsed().as_secs_f64() * 1000.0)
        };
        let times = in_turns(TURNS, over_http, alone).await?;
        let names = ["POST of a list over HTTP, over its bare statements", "POST of a list over HTTP", "its bare statements"];
        Ok(self.ratio(names, LIST, OVER_BARE, times))
    }
}

/// Returns paths and bodies of requests that replace random objects.
///
/// Also returns the minimum size in bytes of the response to a full read.
fn puts((collection, count, letters): (&str, u32, usize), random: &mut SmallRng) -> (Vec<(String, String)>, usize) {
    let put = |_| {
        let id = name(random.random_range(0..count));
        (format!("/storage/{collection}/{id}"), json!({ "payload": payload(letters, random) }).to_string())
    };
    ((0..TURNS + WARM_UP).map(put).collect(), count as usize * letters)
}

/// Returns the medians of two alternating operations.
///
/// The order of the two operations changes with every turn. Both operations receive the number of the turn.
async fn in_turns(
    turns: usize,
    first: impl AsyncFn(usize) -> Result<f64>,
    second: impl AsyncFn(usize) -> Result<f64>,
) -> Result<(f64, f64)> {
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for turn in 0..turns + WARM_UP {
        if turn % 2 == 0 {
            firsts.push(first(turn).await?);
            seconds.push(second(turn).await?);
        } else {
            seconds.push(second(turn).await?);
            firsts.push(first(turn).await?);
        }
    }
    Ok((median(firsts.into_iter().skip(WARM_UP)), median(seconds.into_iter().skip(WARM_UP))))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[tokio::test]
    async fn medians_of_two_alternating_operations_exclude_warm_up_turns() -> Result<()> {
        let order = RefCell::new(Vec::new());
        let operation = async |who: char, turn: usize| {
            order.borrow_mut().push(who);
            Ok(if turn < WARM_UP { 1000.0 } else { turn as f64 })
        };
        let medians = in_turns(3, async |turn| operation('a', turn).await, async |turn| operation('b', turn).await).await?;
        assert_eq!(medians, (WARM_UP as f64 + 1.0, WARM_UP as f64 + 1.0));
        assert_eq!(order.borrow()[..4], ['a', 'b', 'b', 'a']);
        assert_eq!(order.borrow().len(), 2 * (WARM_UP + 3));
        Ok(())
    }
}
