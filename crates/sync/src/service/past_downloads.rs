//! Finds links that another machine of the list has already downloaded. Called by the socket method `known`.

use std::collections::BTreeMap;

use ashore_engine::{PastDownloadReport, SyncRecordRow};
use url::Url;

use crate::{
    cycle::{SyncAccount, SyncFault},
    records::{HistoryRecord, PastDownload, plain_address},
    service::{rejoining::former_devices, remote, sync_service::SyncService},
};

/// Maximum number of history entries that one call reads.
const MOST_ENTRIES: u32 = 10_000;

impl SyncService {
    /// Returns the latest download by another machine for each of the `links`, if there is one. Empty while sync is
    /// off.
    ///
    /// Failures are only logged: the user can add links without this information.
    pub async fn past_downloads(&self, links: &[String]) -> Vec<PastDownloadReport> {
        match self.read_past_downloads(links).await {
            Ok(found) => found,
            Err(fault) => {
                tracing::warn!(%fault, "download history of the other machines was not read");
                Vec::new()
            }
        }
    }

    async fn read_past_downloads(&self, links: &[String]) -> Result<Vec<PastDownloadReport>, SyncFault> {
        let account: Option<SyncAccount> = self.account().await?;
        let Some(account) = account.filter(|_| !links.is_empty()) else { return Ok(Vec::new()) };
        let addresses: Vec<String> = links.iter().map(|link| plain_address(link).unwrap_or_default()).collect();
        let rows = self.0.engine.sync_history(&addresses, MOST_ENTRIES).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut own = former_devices(&self.0.engine).await;
        own.push(account.device);
        let past: Vec<PastDownload> = rows.iter().filter_map(past_download).filter(|one| !own.contains(&one.device)).collect();
        let names = remote::all_names(&self.0.engine).await?;
        Ok(latest_by_link(links, &past, &names))
    }
}

fn past_download(row: &SyncRecordRow) -> Option<PastDownload> {
    let text = row.local.as_deref().or(row.base.as_deref())?;
    match serde_json::from_str(text) {
        Ok(HistoryRecord::Past(past)) => Some(past),
        _ => None,
    }
}

/// Returns the latest entry of each link.
fn latest_by_link(links: &[String], past: &[PastDownload], names: &BTreeMap<String, String>) -> Vec<PastDownloadReport> {
    let mut by_address: BTreeMap<&str, Vec<&PastDownload>> = BTreeMap::new();
    for one in past {
        by_address.entry(&one.address).or_default().push(one);
    }
    let report = |(number, link): (usize, &String)| {
        let url = Url::parse(link).ok()?;
        let found = by_address.get(plain_address(link).ok()?.as_str())?;
        let found = found.iter().filter(|one| is_download_of(one, &url)).max_by_key(|one| one.time_ms)?;
        let machine = found.device.to_string();
        Some(PastDownloadReport {
            link: u32::try_from(number).ok()?,
            title: found.title.clone(),
            size: found.size,
            time_ms: found.time_ms,
            machine: names.get(&machine).cloned().unwrap_or(machine),
        })
    };
    links.iter().enumerate().filter_map(report).collect()
}

/// Whether an entry with the address of `url` really is a download of `url`.
///
/// The history contains no queries, but `get.php?id=1` and `get.php?id=2` are different files. If `url` has a query,
/// its file name must therefore be the title of the entry.
fn is_download_of(past: &PastDownload, url: &Url) -> bool {
    url.query().is_none() || has_file_name(url, &past.title)
}

fn has_file_name(url: &Url, title: &str) -> bool {
    let mut named = url.clone();
    if let Ok(mut segments) = named.path_segments_mut() {
        segments.pop().push(title);
    }
    named == *url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(title: &str, address: &str, device: &str, time_ms: i64) -> PastDownload {
        let unknown = serde_json::Map::new();
        let (title, address, device) = (title.to_owned(), address.to_owned(), device.parse().unwrap());
        PastDownload { v: 1, title, address, size: Some(7), digest: None, time_ms, device, unknown }
    }

    fn found(links: &[&str], past: &[PastDownload]) -> Vec<(u32, String, i64)> {
        let links: Vec<String> = links.iter().map(|link| (*link).to_owned()).collect();
        let names = BTreeMap::from([("laptop".to_owned(), "Laptop".to_owned())]);
        let all = latest_by_link(&links, past, &names);
        all.into_iter().map(|one| (one.link, one.machine, one.time_ms)).collect()
    }

    #[test]
    fn latest_past_download_of_same_address_is_found() {
        let address = "https://a.test/film.dat";
        let all = [
            past("film.dat", address, "laptop", 5),
            past("film.dat", address, "phone", 9),
            past("b", "https://a.test/b", "laptop", 3),
        ];
        let links = ["https://a.test/c", "https://me:pw@a.test/film.dat#x", "https://a.test/b", "not a link"];
        assert_eq!(found(&links, &all), [(1, "phone".to_owned(), 9), (2, "Laptop".to_owned(), 3)]);
    }

    #[test]
    fn link_with_query_matches_past_download_only_by_file_name() {
        let all = [
            past("my film.dat", "https://a.test/my%20film.dat", "laptop", 5),
            past("a.pdf", "https://a.test/get.php", "laptop", 5),
        ];
        let links = ["https://a.test/my%20film.dat?key=1", "https://a.test/get.php?id=2", "https://a.test/get.php"];
        assert_eq!(found(&links, &all), [(0, "Laptop".to_owned(), 5), (2, "Laptop".to_owned(), 5)]);
    }
}
