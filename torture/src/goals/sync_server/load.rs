//! Client that writes until the server is down, and records which writes were acknowledged.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Result, ensure};
use ashore_testkit::sync_server::wire::{SyncResponse, SyncWire};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use reqwest::Method;
use serde_json::{Value, json};

use crate::goals::sync_server::{
    lock,
    model::{BATCHES, ModelChange, OBJECTS, SHARED, ServerModel},
};

/// Number of objects per POST. `PARTS` is the number of requests per batch.
const LIST: u64 = 8;
const PARTS: u64 = 3;

struct Writer {
    wire: SyncWire,
    model: Arc<Mutex<ServerModel>>,
    random: StdRng,
    /// Prefix of this writer's ids, which no other writer uses.
    prefix: String,
    next: u64,
}

/// Writes until the server is down or the load ends. Fails if a response is wrong.
pub async fn write(
    address: String,
    token: String,
    model: Arc<Mutex<ServerModel>>,
    is_over: Arc<AtomicBool>,
    writer: u64,
    seed: u64,
) -> Result<()> {
    let wire = SyncWire::new(&address, &token)?;
    // Derive the first id from the seed, so that each session uses new ids.
    let prefix = format!("{writer}-");
    let mut writer = Writer { wire, model, random: StdRng::seed_from_u64(seed), prefix, next: seed % 1_000_000_000 };
    while !is_over.load(Ordering::Relaxed) && writer.step().await? {}
    Ok(())
}

impl Writer {
    /// Performs a random operation. Returns whether the server still answers.
    async fn step(&mut self) -> Result<bool> {
        match self.random.random_range(0..12) {
            0..3 => self.put_record().await,
            3..5 => self.conditional_put().await,
            5..7 => self.post().await,
            7 => self.delete().await,
            8..10 => self.batch().await,
            _ => self.add().await,
        }
    }

    async fn put_record(&mut self) -> Result<bool> {
        let id = self.some_id();
        self.put_as(id, None).await
    }

    /// Makes a conditional write that must succeed, or one that must fail.
    async fn conditional_put(&mut self) -> Result<bool> {
        let own = lock(&self.model).own(OBJECTS, &self.prefix);
        let is_stale = self.random.random_bool(0.3);
        match own.choose(&mut self.random) {
            Some((id, row)) if is_stale => {
                let unless = if self.random.random() { 0 } else { row.modified - 10 };
                let (path, body) = (format!("/storage/{OBJECTS}/{id}"), json!({ "payload": "never" }).to_string());
                let Ok(answer) = self.wire.ask(Method::PUT, &path, Some(unless), &body).await else { return Ok(false) };
                ensure!(answer.status == 412, "response to a condition that does not hold: {answer:?}");
                Ok(true)
            }
            Some((id, row)) if self.random.random() => self.put_as(id.clone(), Some(row.modified)).await,
            _ => {
                let id = self.new_id();
                self.put_as(id, Some(0)).await
            }
        }
    }

    async fn put_as(&mut self, id: String, unless: Option<i64>) -> Result<bool> {
        let payload = self.payload();
        let (path, body) = (format!("/storage/{OBJECTS}/{id}"), json!({ "payload": payload }).to_string());
        let change = ModelChange::from([((OBJECTS, id), Some(payload))]);
        self.change(Method::PUT, &path, unless, &body, change).await
    }

    /// Writes several new and existing objects in one request.
    async fn post(&mut self) -> Result<bool> {
        let mut change = ModelChange::new();
        for _ in 0..self.random.random_range(1..=LIST) {
            let (id, payload) = (self.some_id(), self.payload());
            change.insert((OBJECTS, id), Some(payload));
        }
        self.change(Method::POST, &format!("/storage/{OBJECTS}"), None, &list(&change), change).await
    }

    async fn delete(&mut self) -> Result<bool> {
        let own = lock(&self.model).own(OBJECTS, &self.prefix);
        let ids: Vec<&String> = own.choose_multiple(&mut self.random, 3).map(|(id, _)| id).collect();
        let Some(first) = ids.first() else { return Ok(true) };
        let is_one = self.random.random();
        let ids = if is_one { &ids[..1] } else { &ids[..] };
        let path = match is_one {
            true => format!("/storage/{OBJECTS}/{first}"),
            false => format!("/storage/{OBJECTS}?ids={}", ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(",")),
        };
        let change = ids.iter().map(|id| ((OBJECTS, (*id).clone()), None)).collect();
        self.change(Method::DELETE, &path, None, "", change).await
    }

    /// Writes a batch in several requests.
    ///
    /// The batch must be invisible until the last request is acknowledged.
    async fn batch(&mut self) -> Result<bool> {
        let (mut whole, mut batch) = (ModelChange::new(), "true".to_owned());
        for part in 0..PARTS {
            let mut change = ModelChange::new();
            for _ in 0..LIST {
                let (id, payload) = (self.new_id(), self.payload());
                change.insert((BATCHES, id), Some(payload));
            }
            let body = list(&change);
            whole.append(&mut change);
            let path = format!("/storage/{BATCHES}?batch={batch}");
            if part + 1 == PARTS {
                return self.change(Method::POST, &format!("{path}&commit=true"), None, &body, whole).await;
            }
            let Ok(answer) = self.wire.ask(Method::POST, &path, None, &body).await else { return Ok(false) };
            ensure!(answer.status == 202, "response to a batch: {answer:?}");
            let told: Value = serde_json::from_str(&answer.body)?;
            batch = told["batch"].as_str().unwrap_or_default().to_owned();
        }
        Ok(true)
    }

    /// Increments the object that all writers share. If several writers have read the same number, only one of them may
    /// write.
    async fn add(&mut self) -> Result<bool> {
        let path = format!("/storage/{SHARED}/{SHARED}");
        let Ok(read) = self.wire.ask(Method::GET, &path, None, "").await else { return Ok(false) };
        let (number, time) = match read.status {
            404 => (0, 0),
            _ => {
                let row: Value = serde_json::from_str(&read.body)?;
                (row["payload"].as_str().unwrap_or_default().parse::<u64>()?, read.modified)
            }
        };
        let body = json!({ "payload": (number + 1).to_string() }).to_string();
        let floor = lock(&self.model).floor();
        match self.wire.ask(Method::PUT, &path, Some(time), &body).await {
            Err(_) => {
                lock(&self.model).forget_addition();
                Ok(false)
            }
            Ok(SyncResponse { status: 412, .. }) => Ok(true),
            Ok(answer) => {
                ensure!(answer.status == 200, "response to an addition: {answer:?}");
                lock(&self.model).add(answer.modified, floor);
                Ok(true)
            }
        }
    }

    /// Sends a write and records its result.
    async fn change(&mut self, method: Method, path: &str, unless: Option<i64>, body: &str, change: ModelChange) -> Result<bool> {
        let floor = lock(&self.model).floor();
        match self.wire.ask(method.clone(), path, unless, body).await {
            Err(error) => {
                ensure!(error.kind() != io::ErrorKind::InvalidData, "a response that is not valid: {error}");
                lock(&self.model).forget(change);
                Ok(false)
            }
            Ok(answer) => {
                ensure!(answer.status == 200, "{method} {path}: {answer:?}");
                lock(&self.model).acknowledge(change, answer.modified, floor);
                Ok(true)
            }
        }
    }

    fn new_id(&mut self) -> String {
        self.next += 1;
        format!("{}{}", self.prefix, self.next)
    }

    /// Returns an existing id or a new one.
    fn some_id(&mut self) -> String {
        let own = lock(&self.model).own(OBJECTS, &self.prefix);
        match own.choose(&mut self.random) {
            Some((id, _)) if self.random.random() => id.clone(),
            _ => self.new_id(),
        }
    }

    /// Returns a text that no other write contains.
    fn payload(&mut self) -> String {
        self.next += 1;
        let length = self.random.random_range(0..600);
        format!("{}{}", self.next, "x".repeat(length))
    }
}

fn list(change: &ModelChange) -> String {
    let one = |((_, id), payload): (&(&str, String), &Option<String>)| json!({ "id": id, "payload": payload });
    change.iter().map(one).collect::<Value>().to_string()
}
