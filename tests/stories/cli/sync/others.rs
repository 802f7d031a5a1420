//! Tests downloads of other machines: viewing them, sending requests, moving them, and adding known links again.

use ashore_testkit::{
    machine::digest_of,
    origin::{Body, Origin},
    proxy::Proxy,
    waits::until,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::cli::sync::household::{Household, Machine};

/// Returns settings for a machine that reaches every origin through `proxy`. So its requests can be told from those of
/// other machines.
fn through(proxy: &Proxy) -> String {
    format!("proxy = \"{}\"\nproxy-loopback = true\n", proxy.url())
}

/// Returns the number of requests to `origin` that went through the proxy.
fn passed(proxy: &Proxy, origin: &Origin) -> usize {
    proxy.passed().iter().filter(|request| request.target == origin.address().to_string()).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn partly_fetched_download_is_continued_only_by_machine_that_it_moved_to() {
    const SIZE: u64 = 1 << 20;
    let origin = Origin::start().await;
    let body = Body::seeded(3, SIZE);
    let route = origin.file("/film.dat", body.clone()).gate_at(SIZE / 2);
    let [laptop_proxy, desktop_proxy] = [Proxy::http().await, Proxy::http().await];
    let household = Household::new().await;
    let laptop = Machine::with_settings(&through(&laptop_proxy)).await;
    household.set_up(&laptop, "Laptop").await;
    let desktop = Machine::with_settings(&through(&desktop_proxy)).await;
    desktop.joins(&laptop, "Desktop").await;

    laptop.add(origin.url("/film.dat").as_str()).await;
    route.held().await;
    laptop.sync().await;
    let id = desktop.sees("film.dat", "running").await;
    desktop.object(&["sync", "ask", &id, "pause"]).await;
    laptop.has("film.dat", "paused").await;
    desktop.sees("film.dat", "paused").await;
    let requests = passed(&laptop_proxy, &origin);
    desktop.object(&["sync", "ask", &id, "resume"]).await;
    laptop.has("film.dat", "running").await;
    until("the request after the pause", async || (route.requests().len() > requests).then_some(())).await;
    let requests = passed(&laptop_proxy, &origin);
    assert_eq!((passed(&desktop_proxy, &origin), route.requests().len()), (0, requests), "only the home machine fetches");

    desktop.object(&["sync", "ask", &id, "move-here"]).await;
    // The first machine removes the download as soon as the second machine has started it.
    laptop.loses_all().await;
    route.release();
    desktop.has("film.dat", "settled").await;
    laptop.sees("film.dat", "done").await;
    assert_eq!((laptop.titles().await, desktop.titles().await), (Vec::<String>::new(), vec!["film.dat".to_owned()]));
    let digest = hex::encode(Sha256::digest(body.slice(0, SIZE)));
    assert_eq!(digest_of(&desktop.person.downloads().join("film.dat")).unwrap(), digest);
    assert_eq!(laptop.person.files(), Vec::<String>::new(), "the partial of the first machine is gone");
    assert_eq!(passed(&laptop_proxy, &origin), requests, "the former home fetched nothing after the move");
    assert_eq!(route.requests().len(), requests + passed(&desktop_proxy, &origin));
}

#[tokio::test(flavor = "multi_thread")]
async fn requested_changes_are_confirmed_and_carried_out_on_other_machine() {
    let origin = Origin::start().await;
    let route = origin.file("/film.dat", Body::bytes("a film"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    assert_eq!(desktop.text(&["sync", "others"]).await, "The other machines have no downloads.\n");
    laptop.object(&["add", origin.url("/film.dat").as_str(), "--paused"]).await;
    laptop.sync().await;
    let id = desktop.sees("film.dat", "paused").await;
    let table = desktop.text(&["sync", "others"]).await;
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows, [["ID", "STATE", "MACHINE", "TITLE"], [&id[..8], "paused", "Laptop", "film.dat"]], "{table}");
    let ask = async |change: &str| {
        let answer = desktop.text(&["sync", "ask", &id[..8], change]).await;
        assert_eq!(answer, "Done. The other machines get the change with the next sync.\n", "{change}");
    };

    ask("resume").await;
    laptop.has("film.dat", "settled").await;
    desktop.sees("film.dat", "done").await;
    assert_eq!((route.requests().len(), desktop.titles().await.len()), (1, 0));
    ask("fetch-here").await;
    desktop.has("film.dat", "settled").await;
    assert_eq!((desktop.person.file("film.dat"), laptop.titles().await.len()), (b"a film".to_vec(), 1));
    ask("remove").await;
    laptop.loses_all().await;
    assert_eq!(laptop.person.files(), ["film.dat"], "the file of a removed download stays");

    laptop.object(&["add", origin.url("/film.dat?2").as_str(), "--title", "second", "--paused"]).await;
    laptop.sync().await;
    let second = desktop.sees("second", "paused").await;
    assert_eq!(desktop.object(&["sync", "ask", &second, "move-here"]).await, json!({ "done": true }));
    desktop.has("second", "settled").await;
    let unknown = desktop.refusal_in_words(&["sync", "ask", "no-such-id", "pause"], "").await;
    assert_eq!(unknown["code"], "sync-unknown");
}

#[tokio::test(flavor = "multi_thread")]
async fn link_is_reported_with_machine_name_if_already_downloaded_elsewhere() {
    let origin = Origin::start().await;
    origin.file("/report.pdf", Body::bytes("report"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    let link = origin.url("/report.pdf").to_string();
    laptop.add(&link).await;
    laptop.has("report.pdf", "settled").await;
    laptop.sync().await;
    desktop.sees("report.pdf", "done").await;

    let known = async |machine: &Machine| {
        let links = ["https://other.test/".to_owned(), format!("{link}?session=2")];
        let call =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "known", "params": { "links": links, "folder": null, "name": null } });
        machine.ask(&call).await["result"].clone()
    };
    let found = known(&desktop).await["past_downloads"].clone();
    let time_ms = found[0]["time_ms"].as_i64().unwrap();
    let past = json!([{ "link": 1, "title": "report.pdf", "size": 6, "time_ms": time_ms, "machine": "Laptop" }]);
    assert!(found == past && time_ms > 0, "{found}");
    let own = known(&laptop).await;
    assert_eq!(
        (own["files"].as_array().unwrap().len(), &own["past_downloads"]),
        (1, &Value::Null),
        "its own download is in the list"
    );

    desktop.object(&["sync", "clear-history", "--keep", "0"]).await;
    desktop.sync().await;
    assert_eq!(known(&desktop).await["past_downloads"], Value::Null);
    laptop.sync().await;
    let (here, there) = (laptop.past_downloads().await, desktop.past_downloads().await);
    assert_eq!((here, there), (json!(0), json!(0)));
    assert_eq!(laptop.titles().await, ["report.pdf"]);
}
