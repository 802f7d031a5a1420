//! Tests power cuts at random moments, with a random mix of files, servers and commands.
//!
//! At the end, every file exists exactly once with the right bytes. The seed is printed. With `ASHORE_SEED`, a run is
//! repeated, except for the moments of the cuts, which also depend on the machine's speed. `ASHORE_KILLS` sets the
//! number of cuts.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use ashore_testkit::{
    machine::{Cut, Machine},
    origin::{Body, Origin, Route},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const SEED: u64 = 20_261_120;
const KILLS: u32 = 220;
/// Maximum number of unsettled registrations. The test adds registrations only while there are fewer.
const AT_ONCE: usize = 5;
const LARGEST: u64 = 8 << 20;
/// Number of bytes that the server sends at once. With `EVERY`, this gives 16 MiB per second and file.
const PIECE: usize = 128 << 10;
const EVERY: Duration = Duration::from_millis(8);
const PARALLEL: u64 = 4;
/// Maximum average number of bytes that are fetched again per file and power cut.
///
/// They are the bytes that are compared before a resume, the bytes in flight, and the bytes that arrive until the next
/// checkpoint is durable. A checkpoint follows after 0.05 s, or after nine times the duration of a sync if that is
/// longer.
const COST: u64 = (2 << 20) + (64 << 10);
/// Time limit for the whole run.
const PATIENCE: Duration = Duration::from_secs(900);

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_random_power_cuts_lose_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("ASHORE_SEED").unwrap_or(SEED);
    let kills = number("ASHORE_KILLS").map_or(KILLS, |kills| u32::try_from(kills).unwrap());
    println!("seed {seed} (ASHORE_SEED={seed} repeats it), {kills} power cuts");
    let mut chaos = Chaos::new(seed).await;
    let begun = Instant::now();
    while chaos.kills < kills {
        assert!(begun.elapsed() < PATIENCE, "it takes too long");
        chaos.one_life().await;
    }
    chaos.settle_everything().await;
    let (cuts, early) = (chaos.kills, chaos.early);
    println!("{cuts} power cuts, {early} of them before the engine was ready, in {:.1?}", begun.elapsed());
    chaos.check().await;
}

struct Chaos {
    random: StdRng,
    machine: Machine,
    origin: Origin,
    files: Vec<File>,
    /// All registrations that were sent to the engine, as requested. The engine may or may not have stored them.
    asked: Vec<KilledRequest>,
    kills: u32,
    /// Number of kills that happened before the engine was ready. `kills` includes them.
    early: u32,
    claims: HashMap<String, u32>,
}

/// File on the server.
struct File {
    route: Route,
    body: Body,
    name: String,
    /// Whether the server supports resuming and behaves correctly.
    is_resumable: bool,
    resets: u64,
}

struct KilledRequest {
    name: String,
    urls: Vec<String>,
    is_known: bool,
}

impl Chaos {
    async fn new(seed: u64) -> Self {
        let machine = Machine::new();
        machine.settings(&format!("parallel = {PARALLEL}\nparallel-per-host = {PARALLEL}\nattempts = 50\n"));
        Self {
            random: StdRng::seed_from_u64(seed),
            machine,
            origin: Origin::start().await,
            files: Vec::new(),
            asked: Vec::new(),
            kills: 0,
            early: 0,
            claims: HashMap::new(),
        }
    }

    /// Starts the engine, works for a random time, and cuts the power.
    async fn one_life(&mut self) {
        if self.random.random_bool(0.2) {
            let moment = Duration::from_millis(self.random.random_range(0..80));
            if tokio::time::timeout(moment, self.machine.serve(None)).await.is_err() {
                self.machine.kill().await;
                self.kills += 1;
                self.early += 1;
                return;
            }
        } else {
            self.machine.serve(None).await.unwrap();
        }
        let moment = Duration::from_millis(self.random.random_range(0..300));
        // The timeout cancels the work at an arbitrary moment, which is the purpose of the test.
        let _ = tokio::time::timeout(moment, self.act_at_random()).await;
        self.machine.kill().await;
        self.kills += 1;
    }

    /// Adds, pauses, resumes and moves registrations at random, and claims their end events. Continues until it is
    /// cancelled.
    async fn act_at_random(&mut self) {
        loop {
            let list = self.list().await;
            for asked in &mut self.asked {
                asked.is_known |= list.iter().any(|one| one["developer_id"] == asked.name);
            }
            let forgotten = self.asked.iter().position(|asked| !asked.is_known);
            let unsettled: Vec<&Value> = list.iter().filter(|one| one["state"] != "settled").collect();
            if let Some(index) = forgotten {
                self.ask(index).await;
            } else if unsettled.len() < AT_ONCE && self.asked.len() < 480 {
                let asked = self.new_registration();
                self.asked.push(asked);
                self.ask(self.asked.len() - 1).await;
            } else {
                let place = self.random.random_range(0..unsettled.len().max(1));
                let which = unsettled.get(place).map(|one| (*one).clone());
                self.verb(which, &list).await;
            }
            tokio::time::sleep(Duration::from_millis(self.random.random_range(1..15))).await;
        }
    }

    async fn verb(&mut self, which: Option<Value>, list: &[Value]) {
        let Some(which) = which else { return };
        let id = json!({ "unique_id": which["unique_id"] });
        match self.random.random_range(0..10) {
            0 => drop(self.call("pause", id).await),
            1 => drop(self.call("pause", json!({ "unique_id": null })).await),
            2 | 3 => drop(self.call("resume", json!({ "unique_id": null })).await),
            4..=6 => {
                let paused = list.iter().find(|one| one["state"] == "paused");
                if let Some(paused) = paused {
                    self.call("resume", json!({ "unique_id": paused["unique_id"] })).await;
                }
            }
            7 | 8 => {
                let place = ["now", "top", "bottom"][self.random.random_range(0..3)];
                self.call("move", json!({ "unique_id": which["unique_id"], "place": place })).await;
            }
            _ => {
                if let Some(settled) = list.iter().find(|one| one["state"] == "settled") {
                    self.claim(settled).await;
                }
            }
        }
    }

    async fn claim(&mut self, settled: &Value) {
        let name = settled["developer_id"].as_str().unwrap().to_owned();
        if self.call("claim", json!({ "unique_id": settled["unique_id"] })).await == json!(true) {
            *self.claims.entry(name).or_default() += 1;
        }
    }

    /// Returns a registration of one to four new files.
    fn new_registration(&mut self) -> KilledRequest {
        let name = format!("registration-{}", self.asked.len());
        let count = self.random.random_range(1..=4);
        KilledRequest { name, urls: (0..count).map(|_| self.serve_new_file()).collect(), is_known: false }
    }

    /// Adds a new file to the server and returns its address.
    fn serve_new_file(&mut self) -> String {
        let number = self.files.len() as u64;
        let random = &mut self.random;
        let size = match random.random_range(0..10) {
            0 => 0,
            1..=4 => random.random_range(1..200_000),
            _ => random.random_range(200_000..LARGEST),
        };
        let body = Body::seeded(number + 1, size);
        let mut name = format!("file-{number}.bin");
        let mut path = format!("/{name}");
        let mut route = self.origin.file(&path, body.clone());
        let (mut is_resumable, mut resets) = (true, 0);
        match random.random_range(0..12) {
            0 => route = route.chunked(),
            1 => route = route.no_validators(),
            2 => {
                (route, is_resumable) = (route.chunked().no_validators(), false);
            }
            3 => {
                name = format!("named-{number}.dat");
                route = route.header("Content-Disposition", format!("attachment; filename=\"{name}\""));
            }
            4 => {
                path = format!("/away/{number}/{name}");
                self.origin.redirects(&path, 302, &format!("/{name}"));
            }
            5 => {
                resets = random.random_range(1..4);
                route = route.reset_after(size / 2 + 1).times(u32::try_from(resets).unwrap());
            }
            6 => route = route.close_before_head().times(2),
            7 => (route, is_resumable) = (route.ignore_ranges(), false),
            8 => route = route.shorten_ranges(1 << 20).times(3),
            _ => {}
        }
        // Send slowly enough that a power cut can interrupt the transfer.
        route = route.trickle(PIECE, EVERY);
        self.files.push(File { route, body, name, is_resumable, resets });
        self.origin.url(&path).to_string()
    }

    async fn ask(&mut self, index: usize) {
        let asked = &self.asked[index];
        let requests: Vec<Value> = asked.urls.iter().map(|url| json!({ "url": url })).collect();
        let folder = self.machine.target();
        let new = json!({ "owner": "chaos", "developer_id": asked.name, "folder": folder, "requests": requests });
        self.call("create", new).await;
    }

    /// Calls the engine; panics if the call is refused.
    async fn call(&mut self, method: &str, params: Value) -> Value {
        match self.machine.call(method, params).await {
            Ok(answer) => answer,
            Err(Cut::Refused(code)) => panic!("{method} is refused: {code}\n{}", self.machine.log()),
            Err(Cut::Died(died)) => panic!("{method} finds the engine dead ({died:?}):\n{}", self.machine.log()),
        }
    }

    async fn list(&mut self) -> Vec<Value> {
        self.machine.list().await.unwrap()
    }

    /// Waits until everything is settled, without further power cuts.
    async fn settle_everything(&mut self) {
        self.machine.serve(None).await.unwrap();
        for index in 0..self.asked.len() {
            if self.machine.find(&self.asked[index].name).await.unwrap().is_none() {
                self.ask(index).await;
            }
        }
        self.call("resume", json!({ "unique_id": null })).await;
        for one in self.list().await {
            if one["state"] == "paused" {
                self.call("resume", json!({ "unique_id": one["unique_id"] })).await;
            }
        }
        let deadline = Instant::now() + PATIENCE;
        while let Some(one) = self.list().await.iter().find(|one| one["state"] != "settled") {
            assert!(Instant::now() < deadline, "it does not settle: {one}\n{}", self.machine.log());
            self.machine.breath().await.unwrap();
        }
    }

    async fn check(&mut self) {
        let settled = self.list().await;
        assert_eq!(settled.len(), self.asked.len(), "each registration once");
        for one in &settled {
            assert_eq!(one["result"], "success", "{one}\n{}", self.machine.log());
            let name = one["developer_id"].as_str().unwrap();
            let asked = self.asked.iter().find(|asked| asked.name == name).unwrap();
            assert_eq!(one["requests"], asked.urls.len());
            self.claim(one).await;
            self.claim(one).await;
        }
        for (name, count) in &self.claims {
            assert_eq!(*count, 1, "{name} was reported {count} times");
        }
        // If a power cut loses the answer to a claim, no client counts this claim. So tolerate a few missing claims.
        assert!(settled.len() - self.claims.len() <= self.kills as usize / 10, "events were lost");
        let outcome = self.machine.outcome("http://127.0.0.1", 0).await.unwrap();
        assert_eq!(outcome.leftovers, Vec::<String>::new());
        for file in &self.files {
            let right = hex::encode(Sha256::digest(file.body.slice(0, file.body.length())));
            assert_eq!(outcome.files.get(&file.name), Some(&right), "{} is there with the right bytes", file.name);
        }
        assert_eq!(outcome.files.len(), self.files.len(), "each file once, and no others");
        self.check_cost();
    }

    /// Checks how many bytes of resumable files were fetched again.
    fn check_cost(&self) {
        let resumable = || self.files.iter().filter(|file| file.is_resumable);
        let size: u64 = resumable().map(|file| file.body.length()).sum();
        let sent: u64 = resumable().map(|file| file.route.bytes_sent()).sum();
        let resets: u64 = resumable().map(|file| file.resets).sum();
        let again = sent.saturating_sub(size);
        let files = resumable().count();
        eprintln!("{} files ({files} resumable), {} MiB", self.files.len(), size >> 20);
        eprintln!("{} KiB fetched again for each power cut", (again >> 10) / u64::from(self.kills.max(1)));
        let cuts = u64::from(self.kills) * PARALLEL + resets;
        assert!(again <= cuts * COST, "{again} bytes were fetched again in {cuts} cuts");
        // Without resumes, small partial files would pass the check above, because a restart from zero costs little. So
        // count the real resumes.
        let went_on = resumable().flat_map(|file| file.route.requests()).filter(|asked| asked.range_start() > Some(0)).count();
        eprintln!("{went_on} times one went on from what it had");
        assert!(went_on as u64 >= u64::from(self.kills) / 2, "{went_on} times one went on, after {} power cuts", self.kills);
    }
}
