//! What was acknowledged is not lost: links are added, titles and links changed, downloads removed, and the power is cut in the
//! middle of it. Whatever the engine said yes to is so after the cut; what it had not answered is so, or is as it was before.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use ashore_tests::{
    machine::Machine,
    volume::{Cut, Volume},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IteratorRandom};
use serde_json::{Value, json};

use crate::{
    goal::{Ask, Verdict},
    tally::{Tally, lanes},
};

/// Lists at the same time.
const AT_ONCE: usize = 2;
/// Power cuts in one list.
const CUTS: u64 = 10;
/// What is acknowledged between two cuts, at least.
const BETWEEN: u64 = 45;
/// So long after that the power is cut, at most, in microseconds.
const THEN: u64 = 10_000;
/// What no list of one turn comes to.
const PAGE: u64 = 100_000;

/// What the engine should say of a download: the first address of it, and its title.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    title: String,
    urls: Vec<String>,
}

/// What is in the list, by the names that were given.
type Listed = BTreeMap<String, Entry>;

/// Has as many adds and edits acknowledged as asked for.
pub fn prove(ask: &Ask) -> Result<Verdict> {
    let tally = Tally::new(ask);
    lanes(&tally, AT_ONCE, turn)?;
    Ok(tally.verdict(Vec::new()))
}

async fn turn(turn: u64, tally: Arc<Tally>) -> Result<()> {
    let random = StdRng::seed_from_u64(tally.seed(turn));
    let volume = Volume::make()?;
    let machine = Machine::on(&volume.path());
    volume.sync()?;
    let mut person = Person { random, machine, listed: Listed::new(), asked: None, made: 0, acknowledged: 0 };
    for cut in 0..CUTS {
        if !tally.wants_more() {
            break;
        }
        person.machine.serve(None).await.ok().context("the engine starts")?;
        if cut == 0 {
            person.call("pause", json!({ "unique_id": null })).await?;
        } else {
            person.compare().await?;
        }
        let before = person.acknowledged;
        while person.acknowledged < before + BETWEEN {
            person.edit().await?;
        }
        let moment = Duration::from_micros(person.random.random_range(0..THEN));
        let going_on = async {
            loop {
                person.edit().await?;
            }
        };
        // Given up in the middle of whatever is asked: that is the point.
        if let Ok(error) = tokio::time::timeout(moment, going_on).await {
            let error: Result<()> = error;
            error?;
        }
        person.machine.kill().await;
        volume.cut(Cut::Bare)?;
        tally.count("power cuts", 1);
        tally.done(person.acknowledged - before);
    }
    person.machine.serve(None).await.ok().context("the engine starts")?;
    person.compare().await?;
    person.machine.kill().await;
    tally.count("downloads were in the lists in the end, each as it was acknowledged", person.listed.len() as u64);
    Ok(())
}

/// Somebody with a list.
struct Person {
    random: StdRng,
    machine: Machine,
    /// As it was acknowledged.
    listed: Listed,
    /// What is to become of one, and was not answered: nothing when it is to be removed.
    asked: Option<(String, Option<Entry>)>,
    made: u64,
    acknowledged: u64,
}

impl Person {
    /// Adds one, changes one, or removes one.
    async fn edit(&mut self) -> Result<()> {
        let one = self.listed.iter().choose(&mut self.random).map(|(name, entry)| (name.clone(), entry.clone()));
        let (method, name, entry) = match (self.random.random_range(0..10), one) {
            (0..=1, Some((name, entry))) => ("update_ui", name, Some(Entry { title: self.title(), ..entry })),
            (2, Some((name, mut entry))) => {
                let url = self.url();
                if let Some(first) = entry.urls.first_mut() {
                    *first = url;
                }
                ("relink", name, Some(entry))
            }
            (3, Some((name, _))) => ("remove", name, None),
            _ => {
                let urls = (0..self.random.random_range(1..4)).map(|_| self.url()).collect();
                self.made += 1;
                ("create", format!("download-{}", self.made), Some(Entry { title: self.title(), urls }))
            }
        };
        self.asked = Some((name.clone(), entry.clone()));
        let params = match (method, &entry) {
            ("create", Some(Entry { title, urls })) => {
                let requests: Vec<Value> = urls.iter().map(|url| json!({ "url": url })).collect();
                let folder = self.machine.target();
                json!({ "owner": "torture", "developer_id": name, "title": title, "folder": folder, "requests": requests })
            }
            (_, entry) => {
                let found = self.call("find", json!({ "owner": "torture", "developer_id": name })).await?;
                let id = &found["unique_id"];
                match (method, entry) {
                    ("update_ui", Some(entry)) => json!({ "unique_id": id, "title": entry.title, "icon": null }),
                    ("relink", Some(entry)) => json!({ "unique_id": id, "index": 0, "url": entry.urls[0] }),
                    _ => json!({ "unique_id": id, "files": false }),
                }
            }
        };
        self.call(method, params).await?;
        self.settle();
        self.acknowledged += 1;
        Ok(())
    }

    /// What was asked is so.
    fn settle(&mut self) {
        match self.asked.take() {
            Some((name, Some(entry))) => drop(self.listed.insert(name, entry)),
            Some((name, None)) => drop(self.listed.remove(&name)),
            None => {}
        }
    }

    /// After a cut: everything is as it was acknowledged.
    async fn compare(&mut self) -> Result<()> {
        let found = self.found().await?;
        if let Some((name, entry)) = self.asked.clone()
            && found.get(&name) == entry.as_ref()
        {
            self.settle();
        }
        self.asked = None;
        for (name, entry) in &self.listed {
            let now = found.get(name);
            ensure!(now == Some(entry), "{name} was acknowledged as {entry:?}, and it is {now:?}");
        }
        if let Some(name) = found.keys().find(|name| !self.listed.contains_key(*name)) {
            bail!("{name} is in the list, and was removed");
        }
        Ok(())
    }

    async fn found(&mut self) -> Result<Listed> {
        let list = self.call("list", json!({ "limit": PAGE })).await?;
        let mut found = Listed::new();
        for one in list.as_array().context("the list is a list")? {
            let page = json!({ "unique_id": one["unique_id"], "from": 0, "limit": 0 });
            let records = self.call("records", page).await?;
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let urls = records.as_array().into_iter().flatten().map(|record| text(&record["url"])).collect();
            found.insert(text(&one["developer_id"]), Entry { title: text(&one["title"]), urls });
        }
        Ok(found)
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        let answer = self.machine.call(method, params).await;
        answer.map_err(|cut| anyhow::anyhow!("{method} is refused: {cut:?}"))
    }

    fn title(&mut self) -> String {
        format!("Title {}", self.random.random_range(0..1_000_000))
    }

    fn url(&mut self) -> String {
        format!("http://127.0.0.1:4001/{}", self.random.random_range(0..u64::MAX))
    }
}
