//! Final state of a machine, in a form that can be compared between two runs.
//!
//! Times, ids, ports and paths are removed.

use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Cut, Died, LOOK_EVERY, Machine};

/// Maximum time for the clean-up after an event.
const TIDYING: Duration = Duration::from_secs(10);

/// Final state of a machine after a test script.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Registrations with their records, by developer id.
    pub registrations: BTreeMap<String, Value>,
    /// SHA-256 of every file in the download folder.
    pub files: BTreeMap<String, String>,
    /// Files that should not exist: partial files and journals in the download folder, and copies of uploads that
    /// belong to no registration.
    pub leftovers: Vec<String>,
}

/// Returns the SHA-256 of a file in hexadecimal.
pub fn digest_of(path: &Path) -> std::io::Result<String> {
    let mut file = fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 {
            return Ok(hex::encode(hasher.finalize()));
        }
        hasher.update(&piece[..count]);
    }
}

impl Machine {
    /// Returns the current state. `origin` is the server's URL, which differs in every run. `kept` is the number of
    /// partial files and journals that may remain, because a failed download keeps its bytes.
    pub async fn outcome(&mut self, origin: &str, kept: usize) -> Result<Outcome, Died> {
        let leftovers = self.leftovers(kept).await?;
        let mut registrations = BTreeMap::new();
        for mut registration in self.list().await? {
            let page = json!({ "unique_id": registration["unique_id"], "from": 0, "limit": 0 });
            let records = match self.call("records", page).await {
                Ok(records) => records,
                Err(Cut::Died(died)) => return Err(died),
                Err(Cut::Refused(code)) => panic!("records are refused: {code}"),
            };
            let name = registration["developer_id"].as_str().unwrap_or_default().to_owned();
            registration["records"] = records;
            let told = self.without_chance(&registration, origin);
            assert!(registrations.insert(name.clone(), told).is_none(), "{name} is in the list twice");
        }
        Ok(Outcome { registrations, files: self.files(), leftovers })
    }

    /// Returns the registration without those values that may differ between two runs.
    fn without_chance(&self, registration: &Value, origin: &str) -> Value {
        let target = self.target().display().to_string();
        let text = registration.to_string().replace(origin, "ORIGIN").replace(&target, "TARGET");
        let mut told: Value = serde_json::from_str(&text).expect("still JSON");
        for key in ["unique_id", "created", "first_enqueued", "last_updated", "event_number", "settled", "next_try"] {
            told.as_object_mut().expect("an object").remove(key);
        }
        let mut by_chance = 0;
        let mut failed_by_chance = 0;
        for record in told["records"].as_array_mut().into_iter().flatten() {
            let record = record.as_object_mut().expect("an object");
            // The number of bytes received before an interruption depends on the moment of the interruption.
            if record.get("outcome").is_some_and(|outcome| outcome != "success") {
                let came = record.remove("downloaded").and_then(|bytes| bytes.as_u64()).unwrap_or_default();
                by_chance += came;
                failed_by_chance += if record["outcome"] == "failure" { came } else { 0 };
            }
            // The number of attempts and the verification of a resume also depend on the moment of the interruption.
            // Digests are checked in any case.
            record.remove("next_try");
            record.remove("attempts");
            if record.get("verified").is_some_and(|how| how == "on-resume") {
                record.insert("verified".to_owned(), json!("no"));
            }
        }
        for (key, chance) in [("downloaded", by_chance), ("expected_total", failed_by_chance)] {
            told[key] = json!(told[key].as_u64().and_then(|bytes| bytes.checked_sub(chance)));
        }
        told
    }

    fn files(&self) -> BTreeMap<String, String> {
        let names = names_in(&self.target()).into_iter().filter(|name| !is_leftover(name));
        names.map(|name| (name.clone(), digest_of(&self.target().join(&name)).expect("a file can be read"))).collect()
    }

    /// Waits for the clean-up and returns the remaining files.
    async fn leftovers(&mut self, kept: usize) -> Result<Vec<String>, Died> {
        let deadline = Instant::now() + TIDYING;
        loop {
            let mut left: Vec<_> = names_in(&self.target()).into_iter().filter(|name| is_leftover(name)).collect();
            // A copy of an upload is kept as long as its registration, because the upload may be repeated.
            let list = self.list().await?;
            let known: Vec<_> = list.iter().filter_map(|one| one["unique_id"].as_str()).collect();
            let bodies = names_in(&self.data().join("bodies"));
            left.extend(bodies.into_iter().filter(|body| !known.iter().any(|id| body.starts_with(*id))));
            if left.len() <= kept || Instant::now() > deadline {
                return Ok(left.iter().map(|name| without_tag(name)).collect());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

fn is_leftover(name: &str) -> bool {
    [".part", ".ashore", ".aside", ".old"].iter().any(|ending| name.ends_with(ending)) || name.contains(".part.")
}

/// Removes the tag from the name of a partial file, because the tag differs in every run.
fn without_tag(name: &str) -> String {
    let is_tag = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.split('.').map(|word| if is_tag(word) { "TAG" } else { word }).collect::<Vec<_>>().join(".")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
