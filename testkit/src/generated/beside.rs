//! Comparison with curl against the same servers: if curl fetches a file whole, the model must require the same of
//! Ashore.

use rand::{SeedableRng, rngs::SmallRng};
use tokio::{process::Command, task::JoinSet};

use super::{kind::Kind, model, server::Server, trial::versions};

/// Number of kinds tried at the same time.
const AT_ONCE: usize = 20;

/// Fetches a file of each kind with curl and returns a finding for each disagreement.
///
/// A finding is a file that curl fetches whole although the model does not require it of Ashore. Panics if curl cannot
/// be started.
pub async fn fetched_by_curl_alone(seed: u64, kinds: &[(u64, Kind)]) -> Vec<String> {
    let mut findings = Vec::new();
    for kinds in kinds.chunks(AT_ONCE) {
        let mut fetches = JoinSet::new();
        for (place, &(number, kind)) in (0..).zip(kinds) {
            fetches.spawn(async move {
                let is_demanded = model::is_fetched_whole(kind) || model::is_contradicted(kind);
                (!is_demanded && is_fetched_whole(seed.wrapping_add(number), place, kind).await)
                    .then(|| format!("{number}: {kind}: curl fetches it whole, and the model does not demand it"))
            });
        }
        findings.extend(fetches.join_all().await.into_iter().flatten());
    }
    findings
}

/// Returns whether curl reports success and has the true bytes.
async fn is_fetched_whole(seed: u64, place: u32, kind: Kind) -> bool {
    let versions = versions(&mut SmallRng::seed_from_u64(seed), seed, kind, 1);
    let server = Server::start(place, kind, versions.clone(), None).await.expect("loopback has addresses for all");
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = folder.path().join("file.bin");
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--fail", "--location", "--noproxy", "*", "--max-time", "20", "--output"]).arg(&path);
    let status = curl.arg(server.url().as_str()).kill_on_drop(true).status().await.expect("curl can be started");
    let bytes = std::fs::read(&path).unwrap_or_default();
    status.success() && (bytes == *versions.old || bytes == *versions.new)
}
