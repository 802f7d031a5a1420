//! Sync server and three machines, each with its own disk whose power can be cut.

use std::{fs, net::TcpListener, time::Duration};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use ashore_testkit::{
    machine::{Cut, Line, Machine},
    origin::Origin,
    sync_server::{
        place::{RunningServer, ServerPlace},
        wire::SyncWire,
    },
    tools::built,
    volume::{PowerCut, Volume},
    waits::blocking::until_done,
};
use rand::{Rng as _, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::block_in_place;

/// Number of machines.
pub const MACHINES: usize = 3;
/// Names of the machines.
const NAMES: [&str; MACHINES] = ["Laptop", "Desktop", "Tablet"];
/// Word in all titles and addresses, which the server must never store in plain text.
pub const CANARY: &str = "canary";
/// Settings of each machine.
const SETTINGS: &str = "keychain = \"file\"\nparallel = 6\nparallel-per-host = 6\n";
/// Ports of servers. Outgoing connections use higher ports, so that a killed server can get its port again.
const PORTS: std::ops::Range<u16> = 20_000..32_000;
/// Maximum time from the start of a server to its kill, in milliseconds, for a kill before the server is ready.
const START: u64 = 60;

/// Sync server and machines of one simulated user.
pub struct SyncHousehold {
    pub origin: Origin,
    machines: Vec<HouseholdMachine>,
    server: Option<RunningServer>,
    place: ServerPlace,
    address: String,
    /// Disk of the server. Fields are dropped in order, so the disk is unmounted after the server has ended.
    volume: Volume,
}

/// Machine, its disk, and its id in the list.
struct HouseholdMachine {
    machine: Machine,
    device: String,
    /// Disk of the machine. It is unmounted after the machine has ended.
    volume: Volume,
}

impl SyncHousehold {
    /// Starts a server and the machines, and joins the machines to one list.
    pub async fn make(random: &mut StdRng) -> Result<Self> {
        let volume = block_in_place(Volume::make)?;
        let place = ServerPlace { program: built("ashore-sync-server")?, folder: volume.path().join("server"), database: None };
        let address = free_address(random)?;
        let server = place.start_at(&address).await?;
        let link = server.set_up_link().context("the server printed no link")?.to_owned();
        let mut household =
            Self { origin: Origin::start().await, machines: Vec::new(), server: Some(server), place, address, volume };
        for name in NAMES {
            household.machines.push(HouseholdMachine::make().await?);
            let last = household.machines.len() - 1;
            let (verb, link) = match last {
                0 => ("set_up", link.clone()),
                _ => ("join", text(&household.sync(0, json!({ "verb": "invite" })).await?, "link")),
            };
            household.sync(last, json!({ "verb": verb, "link": link, "name": name })).await?;
            for machine in [last, 0] {
                household.sync(machine, json!({ "verb": "now" })).await?;
            }
            household.machines[last].device = text(&household.sync(last, json!({ "verb": "status" })).await?, "device");
        }
        household.sync(1, json!({ "verb": "now" })).await?;
        // Some machines start a received download without asking. The others ask the user first.
        for (machine, trusted) in [(1, 0), (2, 0), (2, 1)] {
            let trust = json!({ "verb": "trust", "device": NAMES[trusted], "is_trusted": true });
            household.sync(machine, trust).await?;
        }
        for one in &household.machines {
            one.volume.sync()?;
        }
        household.volume.sync()?;
        Ok(household)
    }

    /// Id of the machine in the list.
    pub fn device(&self, machine: usize) -> &str {
        &self.machines[machine].device
    }

    /// Starts a machine.
    pub async fn start(&mut self, machine: usize) -> Result<()> {
        let one = &mut self.machines[machine].machine;
        one.serve(None).await.map_err(|died| anyhow!("{} did not start: {died:?}, {}", NAMES[machine], one.log()))
    }

    /// Starts a machine that is killed at a failpoint, possibly before it is ready.
    pub async fn start_to_die_at(&mut self, machine: usize, point: &str) {
        let _ = self.machines[machine].machine.serve(Some(point)).await;
    }

    /// Kills a machine if it is running.
    pub async fn kill(&mut self, machine: usize) {
        if !self.has_died(machine) {
            self.machines[machine].machine.kill().await;
        }
    }

    /// Returns whether the process of a machine has ended.
    pub fn has_died(&mut self, machine: usize) -> bool {
        let one = &mut self.machines[machine].machine;
        one.has_died().is_some() || !one.is_running()
    }

    /// Returns the running machines.
    pub fn running(&mut self) -> Vec<usize> {
        (0..MACHINES).filter(|machine| !self.has_died(*machine)).collect()
    }

    /// Starts the server at its address.
    ///
    /// In one of eight cases, first starts and kills another server process.
    pub async fn start_server(&mut self, random: &mut StdRng) -> Result<()> {
        if random.random_ratio(1, 8) {
            let mut starting = self.place.command().spawn()?;
            tokio::time::sleep(Duration::from_millis(random.random_range(0..START))).await;
            starting.kill().await?;
        }
        self.server = Some(self.place.start_at(&self.address).await?);
        Ok(())
    }

    /// Kills the server.
    pub async fn kill_server(&mut self) -> Result<()> {
        match self.server.take() {
            Some(mut server) => Ok(server.child.kill().await?),
            None => Ok(()),
        }
    }

    /// Cuts and restores the power of machine `victim`, or of the server if `victim` is `None`. The program must have
    /// ended.
    pub fn cut(&self, victim: Option<usize>, how: PowerCut) -> Result<()> {
        let volume = victim.map_or(&self.volume, |machine| &self.machines[machine].volume);
        block_in_place(|| {
            volume.fail(how)?;
            until_done("the disk is released", || volume.restart())
        })
    }

    /// Makes a call to a running machine.
    pub async fn call(&mut self, machine: usize, method: &str, params: Value) -> Result<Value, Cut> {
        self.machines[machine].machine.call(method, params).await
    }

    /// Makes a sync call on a machine. The call must succeed.
    pub async fn sync(&mut self, machine: usize, verb: Value) -> Result<Value> {
        let answer = self.call(machine, "sync", verb.clone()).await;
        answer.map_err(|cut| anyhow!("{} refused {verb}: {cut:?}\n{}", NAMES[machine], self.machines[machine].machine.log()))
    }

    /// Returns the ids of the objects in `dl-sends` on the server, as JSON.
    pub async fn sends_on_server(&self) -> Result<String> {
        let secrets: Value = serde_json::from_slice(&fs::read(self.machines[0].machine.data().join("sign-ins.json"))?)?;
        let token = secrets["sync token"]["here"].as_str().context("the machine has no token")?;
        let wire = SyncWire::new(&self.address, token)?;
        Ok(wire.ask(Method::GET, "/storage/dl-sends", None, "").await?.body)
    }

    /// Opens another connection to a machine; `None` if it accepts no connection.
    pub async fn line(&self, machine: usize) -> Option<Line> {
        self.machines[machine].machine.line().await
    }

    /// Returns all downloads of a machine.
    pub async fn list(&mut self, machine: usize) -> Result<Vec<Value>> {
        let list = self.call(machine, "list", json!({})).await;
        let list = list.map_err(|cut| anyhow!("{} has no list: {cut:?}", NAMES[machine]))?;
        Ok(list.as_array().cloned().unwrap_or_default())
    }

    /// Returns the bytes of a file in a machine's download folder; `None` if the file does not exist.
    pub fn file(&self, machine: usize, name: &str) -> Option<Vec<u8>> {
        fs::read(self.machines[machine].machine.target().join(name)).ok()
    }

    /// Folder for downloads of a machine.
    pub fn target(&self, machine: usize) -> std::path::PathBuf {
        self.machines[machine].machine.target()
    }

    /// Runs `ashore doctor` on a machine.
    pub async fn doctor(&self, machine: usize) -> Result<()> {
        let ran = self.machines[machine].machine.run(["doctor", "--json"]).await;
        ensure!(ran.status.success(), "ashore doctor on {}: {}", NAMES[machine], String::from_utf8_lossy(&ran.stdout));
        Ok(())
    }

    /// Kills the server. Checks its counters, and that it stores no data in plain text.
    pub async fn judge_server(&mut self) -> Result<()> {
        self.kill_server().await?;
        for entry in fs::read_dir(&self.place.folder)? {
            let path = entry?.path();
            let bytes = if path.is_file() { fs::read(&path)? } else { continue };
            if bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()) {
                bail!("{} contains a title or an address in the clear", path.display());
            }
        }
        self.place.recount().await
    }
}

impl HouseholdMachine {
    async fn make() -> Result<Self> {
        let volume = block_in_place(Volume::make)?;
        let mut machine = Machine::on(&volume.path());
        // Downloads that other machines send also go to this folder.
        machine.settings(&format!("{SETTINGS}folder = {:?}\n", machine.target()));
        let started = machine.serve(None).await;
        ensure!(started.is_ok(), "the engine did not start: {}", machine.log());
        Ok(Self { machine, device: String::new(), volume })
    }
}

/// Returns the text of a field in an answer; empty if there is no such text.
pub fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn free_address(random: &mut StdRng) -> Result<String> {
    for _ in 0..100 {
        let address = format!("127.0.0.1:{}", random.random_range(PORTS));
        if TcpListener::bind(&address).is_ok() {
            return Ok(address);
        }
    }
    bail!("no port is free")
}
