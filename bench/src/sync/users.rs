//! Users that poll and write concurrently, and the memory of the node that serves them.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Instant,
};

use anyhow::{Context, Result};
use ashore_sync_server::{
    auth::{self, enrol},
    clock::ServerClock,
    store::{EnrolledDevice, InviteRow, SyncStore},
};
use ashore_testkit::{readings, sync_server::wire::SyncWire};
use rand::{SeedableRng as _, rngs::SmallRng};
use reqwest::Method;
use tokio::task::JoinSet;

use crate::{
    figure::{BenchFigure, FigureBound},
    sync::node::{DatabaseKind, LETTERS, SyncNode, list},
};

/// Number of users. At most `AT_ONCE` requests are in flight at the same time.
const USERS: usize = 10_000;
const AT_ONCE: usize = 64;
/// Number of polls of each user in a round. One user in `WRITERS` also writes.
const POLLS: usize = 2;
const WRITERS: usize = 5;
/// Objects per write.
const OBJECTS: u32 = 10;
/// Enrolments in parallel.
const ENROLMENTS: usize = 8;
/// Maximum memory of a node, in MB.
const MEMORY: f64 = 64.0;

/// Users with objects on one server.
pub struct UserLoad {
    kind: DatabaseKind,
    node: SyncNode,
    tokens: Arc<Vec<String>>,
    rounds: AtomicUsize,
    failed: AtomicU64,
}

/// Latencies of successful requests in milliseconds, and the number of failures.
#[derive(Default)]
struct Done {
    polls: Vec<f64>,
    posts: Vec<f64>,
    failed: u64,
}

/// Kind of visit that a user makes.
#[derive(Clone, Copy)]
enum Visit {
    /// Visit that writes the first objects.
    First,
    /// Visit that polls. Every fifth user also writes.
    Round(usize),
}

impl UserLoad {
    /// Creates the users, each with its first objects.
    pub async fn gather(kind: DatabaseKind, disk: &Path) -> Result<Self> {
        let node = SyncNode::start(kind, disk).await?;
        let store = Arc::new(node.store().await?);
        let mut enrolling = JoinSet::new();
        let mut tokens = Vec::new();
        for number in 0..USERS {
            if enrolling.len() == ENROLMENTS {
                tokens.extend(enrolling.join_next().await.transpose()?.transpose()?);
            }
            let store = Arc::clone(&store);
            enrolling.spawn(async move { enrol(&store, number).await });
        }
        while let Some(token) = enrolling.join_next().await {
            tokens.push(token??);
        }
        store.close().await;
        let crowd = Self { kind, node, tokens: Arc::new(tokens), rounds: AtomicUsize::new(0), failed: AtomicU64::new(0) };
        crowd.visit(Visit::First).await?;
        Ok(crowd)
    }

    /// Runs one round of all users.
    pub async fn round(&self) -> Result<Vec<BenchFigure>> {
        let begun = Instant::now();
        let mut done = self.visit(Visit::Round(self.rounds.fetch_add(1, Ordering::Relaxed))).await?;
        let seconds = begun.elapsed().as_secs_f64();
        Ok(vec![
            self.figure("polls", "a second", done.polls.len() as f64 / seconds),
            self.figure("POSTs of 10 objects at the same time", "a second", done.posts.len() as f64 / seconds),
            self.figure("response time of polls, 95th percentile", "ms", most_of(&mut done.polls)),
            self.figure("response time of POSTs, 95th percentile", "ms", most_of(&mut done.posts)),
        ])
    }

    /// Returns the figures of all rounds and ends the server.
    pub async fn end(self) -> Result<Vec<BenchFigure>> {
        let peak = readings::resident(self.node.id()?)?.peak as f64 / 1e6;
        let figures = vec![
            self.figure("peak memory of the node", "MB", peak).bound(FigureBound::Most(MEMORY)),
            self.figure("requests that failed", "", self.failed.load(Ordering::Relaxed) as f64).bound(FigureBound::Most(0.0)),
        ];
        self.node.end().await?;
        Ok(figures)
    }

    fn figure(&self, what: &str, unit: &str, value: f64) -> BenchFigure {
        BenchFigure::new(&format!("{}: {what}", self.kind.name()), USERS as u64, unit, vec![value])
    }

    async fn visit(&self, visit: Visit) -> Result<Done> {
        let (next, mut visitors) = (Arc::new(AtomicUsize::new(0)), JoinSet::new());
        for visitor in 0..AT_ONCE {
            let wire = self.node.another_device()?;
            visitors.spawn(visit_in_turn(wire, Arc::clone(&self.tokens), Arc::clone(&next), visit, visitor as u64));
        }
        let mut all = Done::default();
        while let Some(done) = visitors.join_next().await {
            let done = done?;
            all.polls.extend(done.polls);
            all.posts.extend(done.posts);
            all.failed += done.failed;
        }
        self.failed.fetch_add(all.failed, Ordering::Relaxed);
        Ok(all)
    }
}

/// Creates a user with a device directly in the store. Returns the token.
///
/// The server itself accepts only ten enrolments a minute.
async fn enrol(store: &SyncStore, number: usize) -> Result<String> {
    let now = ServerClock::system().now();
    let (invite, shown, device, secret) = (auth::random::<9>(), auth::random::<32>(), auth::random::<9>(), auth::random::<32>());
    let (shown, secret_hash) = (auth::hash(&shown), auth::hash(&secret));
    let expiry = now + enrol::LIFETIME;
    store.make_invite(&InviteRow { user: 0, id: &invite, secret_hash: &shown, expiry, wrapped: None }).await?;
    // Spread the user ids over a wide range like random ids, but without duplicates.
    let user = 1_000_000_000 + number as i64 * 899_981;
    let enrolled = EnrolledDevice { id: &device, name: "a device", secret_hash: &secret_hash };
    let used = store.use_invite((0, &invite), |hash| auth::is_same(hash, &shown), user, &enrolled, now).await?;
    let (user, _) = used.context("the invite was refused")?;
    Ok(format!("{user}.{device}.{secret}"))
}

/// Sends the requests of each user, one user after another, until all users are served.
async fn visit_in_turn(wire: SyncWire, tokens: Arc<Vec<String>>, next: Arc<AtomicUsize>, visit: Visit, seed: u64) -> Done {
    let mut done = Done::default();
    let mut random = SmallRng::seed_from_u64(seed);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(token) = tokens.get(number) else { return done };
        let wire = wire.with_token(token);
        let (polls, is_writer) = match visit {
            Visit::First => (0, true),
            Visit::Round(round) => (POLLS, (number + round).is_multiple_of(WRITERS)),
        };
        for _ in 0..polls {
            done.note(&wire, Method::GET, "/info/collections", "").await;
        }
        if is_writer {
            let body = list(0..OBJECTS, LETTERS, &mut random);
            done.note(&wire, Method::POST, "/storage/dl-items", &body).await;
        }
    }
}

impl Done {
    /// Sends a request and records its result. Prints only the first failure.
    async fn note(&mut self, wire: &SyncWire, method: Method, path: &str, body: &str) {
        let begun = Instant::now();
        let answer = wire.ask(method.clone(), path, None, body).await;
        let milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
        match answer {
            Ok(answer) if answer.status == 200 && answer.modified > 0 => {
                if method == Method::GET { &mut self.polls } else { &mut self.posts }.push(milliseconds);
            }
            answer => {
                if self.failed == 0 {
                    eprintln!("  {method} {path} failed: {answer:?}");
                }
                self.failed += 1;
            }
        }
    }
}

/// Returns the 95th percentile.
fn most_of(milliseconds: &mut [f64]) -> f64 {
    milliseconds.sort_by(f64::total_cmp);
    milliseconds.get((milliseconds.len() * 95).div_ceil(100).saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_figure_is_95th_percentile() {
        let mut hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(most_of(&mut hundred), 95.0);
        assert_eq!(most_of(&mut [7.0]), 7.0);
        assert!(most_of(&mut []).is_nan());
    }
}
