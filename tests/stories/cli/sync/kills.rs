//! Tests machines that are killed during a sync.

use std::{fs, time::Duration};

use ashore_engine::failpoint::SYNC_POINTS;
use ashore_testkit::origin::{Body, Origin};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::cli::sync::household::{Household, Machine};

/// Failpoint that is reached only when a machine sends a download in parts.
const PARTS_SENT: &str = "sync.parts-sent";

#[tokio::test(flavor = "multi_thread")]
async fn kill_at_any_sync_failpoint_neither_loses_nor_duplicates_downloads() {
    let origin = Origin::start().await;
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    let mut expected = Vec::new();
    for (number, point) in SYNC_POINTS.iter().enumerate() {
        let title = format!("{number}.pdf");
        let states = if *point == PARTS_SENT {
            desktop.stop().await;
            // This download has too many links for one record, so it is sent in parts.
            let links = origin.url(&format!("/[0001:2500]-{}.pdf", "a".repeat(80)));
            desktop.object(&["add", links.as_str(), "--title", &title, "--paused"]).await;
            desktop.restart_to_die_at(point).await;
            ["paused", "paused"]
        } else {
            desktop.restart_to_die_at(point).await;
            origin.file(&format!("/{title}"), Body::bytes(*point));
            laptop.object(&["add", origin.url(&format!("/{title}")).as_str(), "--to", "Desktop"]).await;
            ["settled", "done"]
        };
        desktop.dies().await;
        desktop.restart().await;
        desktop.has(&title, states[0]).await;
        expected.push((title, states[1]));
        let titles: Vec<&String> = expected.iter().map(|(title, _)| title).collect();
        assert_eq!(desktop.titles().await.iter().collect::<Vec<_>>(), titles, "{point}");
        for (title, state) in &expected {
            laptop.sees(title, state).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_machines_neither_lose_nor_duplicate_downloads() {
    const DOWNLOADS: usize = 6;
    let origin = Origin::start().await;
    let household = Household::new().await;
    let (mut laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    for number in 0..DOWNLOADS {
        origin.file(&format!("/{number}.pdf"), Body::bytes("some text"));
        laptop.object(&["add", origin.url(&format!("/{number}.pdf")).as_str(), "--to", "Desktop"]).await;
        Killed::ALL[number % Killed::ALL.len()].restart(&mut laptop, &mut desktop).await;
    }
    let expected: Vec<String> = (0..DOWNLOADS).map(|number| format!("{number}.pdf")).collect();
    for title in &expected {
        laptop.sync().await;
        desktop.has(title, "settled").await;
    }
    assert_eq!(desktop.titles().await, expected);
    for title in &expected {
        laptop.sees(title, "done").await;
    }
}

/// Choice of the machines whose engines are killed together.
#[derive(Clone, Copy, Debug)]
enum Killed {
    Laptop,
    Desktop,
    Both,
}

impl Killed {
    const ALL: [Self; 3] = [Self::Laptop, Self::Desktop, Self::Both];

    /// Kills the engines of these machines, and starts new ones.
    async fn restart(self, laptop: &mut Machine, desktop: &mut Machine) {
        match self {
            Self::Laptop => laptop.restart().await,
            Self::Desktop => desktop.restart().await,
            Self::Both => {
                tokio::join!(laptop.stop(), desktop.stop());
                tokio::join!(laptop.restart(), desktop.restart());
            }
        }
    }
}

/// Default seed of the long test; `ASHORE_SEED` overrides it.
const SEED: u64 = 20_261_128;
const KILLS: usize = 200;
/// Number of downloads that each machine sends. It is below the number that is permitted per hour.
const SENDS: usize = 18;
/// Maximum time that the machines need to agree after the last kill.
const AGREEMENT: Duration = Duration::from_secs(300);

/// Two machines that are killed while they add, send and move downloads.
struct KilledMachines {
    origin: Origin,
    random: StdRng,
    laptop: Machine,
    desktop: Machine,
    /// Number of downloads sent by each of the two machines.
    sends: [usize; 2],
    titles: Vec<String>,
}

impl KilledMachines {
    /// Makes a random machine add, send or move a download.
    async fn act(&mut self) {
        let number = self.random.random_range(0..2);
        let (here, name) = [(&self.laptop, "Desktop"), (&self.desktop, "Laptop")][number];
        let action = self.random.random_range(0..4);
        if action == 0 {
            // Only waiting downloads can be moved, because a finished download stays on its machine.
            let others = here.objects(&["sync", "others"]).await;
            let Some(meant) = others.iter().find(|one| one["state"] == "paused") else { return };
            // Ignore a refusal: the machine may have started the download in the meantime, or the download may already
            // have been moved.
            here.person.run(["sync", "ask", meant["id"].as_str().unwrap(), "move-here"]).await;
            return;
        }
        let title = format!("{:03}.pdf", self.titles.len());
        self.origin.file(&format!("/{title}"), Body::bytes(title.clone()));
        let url = self.origin.url(&format!("/{title}"));
        match action {
            1 if self.sends[number] < SENDS => {
                self.sends[number] += 1;
                here.object(&["add", url.as_str(), "--to", name]).await;
            }
            2 => drop(here.object(&["add", url.as_str(), "--paused"]).await),
            _ => drop(here.add(url.as_str()).await),
        }
        self.titles.push(title);
    }

    async fn kill(&mut self) {
        // The moment of the kill is random, so that over time it hits each step of a cycle.
        sleep(Duration::from_millis(self.random.random_range(0..400))).await;
        let killed = Killed::ALL[self.random.random_range(0..Killed::ALL.len())];
        killed.restart(&mut self.laptop, &mut self.desktop).await;
    }

    /// Starts every paused download. Returns whether each download is finished on one machine and known to the other.
    async fn agree(&self) -> bool {
        let mut is_finished = true;
        for machine in [&self.laptop, &self.desktop] {
            for one in machine.person.list().await {
                if one["state"] == "paused" {
                    machine.person.run(["resume", one["unique_id"].as_str().unwrap()]).await;
                }
                is_finished &= one["state"] == "settled";
            }
            machine.sync().await;
        }
        let (at_laptop, at_desktop) = (self.laptop.titles().await, self.desktop.titles().await);
        let mut all = [at_laptop.clone(), at_desktop.clone()].concat();
        all.sort();
        is_finished && all == self.titles && known(&self.laptop).await == at_desktop && known(&self.desktop).await == at_laptop
    }
}

/// Returns the titles of finished downloads that this machine sees on the other machine, sorted.
async fn known(machine: &Machine) -> Vec<String> {
    let others = machine.objects(&["sync", "others"]).await;
    let finished = others.iter().filter(|one| one["state"] == "done");
    let mut titles: Vec<String> = finished.map(|one| one["title"].as_str().unwrap().to_owned()).collect();
    titles.sort();
    titles
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: `make test-long`"]
async fn two_hundred_kills_of_both_machines_neither_lose_nor_duplicate_downloads() {
    let seed = std::env::var("ASHORE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(SEED);
    println!("seed {seed} (ASHORE_SEED={seed} repeats it, except for the exact moments of the kills)");
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    laptop.object(&["sync", "trust", "Desktop"]).await;
    let (origin, random) = (Origin::start().await, StdRng::seed_from_u64(seed));
    let mut machines = KilledMachines { origin, random, laptop, desktop, sends: [0; 2], titles: Vec::new() };
    for _ in 0..KILLS {
        machines.act().await;
        machines.kill().await;
    }
    let started = Instant::now();
    while !machines.agree().await {
        let lists = (machines.laptop.person.list().await, machines.desktop.person.list().await);
        assert!(started.elapsed() < AGREEMENT, "expected {:?}, found {lists:?}", machines.titles);
        sleep(Duration::from_millis(100)).await;
    }
    for machine in [&machines.laptop, &machines.desktop] {
        for one in machine.person.list().await {
            // Compare the title, not the file name. If a download returns to a machine that still has the earlier file,
            // the new file gets a numbered name.
            let content = fs::read_to_string(one["path"].as_str().unwrap_or_default());
            let title = one["title"].as_str().unwrap();
            assert_eq!(content.ok().as_deref(), Some(title), "{one} {:?}", machine.person.files());
        }
        assert_eq!(machine.object(&["sync", "status"]).await["fault"], Value::Null);
    }
}
