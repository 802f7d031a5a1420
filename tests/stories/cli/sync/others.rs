//! Tests the downloads of other machines: view, requests, hand-over, and links that are known already.

use ashore_testkit::origin::{Body, Origin};
use serde_json::{Value, json};

use crate::cli::sync::household::{Household, Machine};

#[tokio::test(flavor = "multi_thread")]
async fn running_download_is_paused_from_other_machine_and_then_moved_there() {
    const SIZE: u64 = 1 << 20;
    let origin = Origin::start().await;
    let route = origin.file("/film.dat", Body::seeded(3, SIZE)).gate_at(SIZE / 2);
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;

    laptop.add(origin.url("/film.dat").as_str()).await;
    route.held().await;
    laptop.sync().await;
    let id = desktop.sees("film.dat", "running").await;
    desktop.object(&["sync", "ask", &id, "pause"]).await;
    laptop.has("film.dat", "paused").await;
    desktop.sees("film.dat", "paused").await;
    desktop.object(&["sync", "ask", &id, "resume"]).await;
    laptop.has("film.dat", "running").await;

    desktop.object(&["sync", "ask", &id, "move-here"]).await;
    // The first machine removes the download as soon as the second machine has started it.
    let is_gone = async || if laptop.titles().await.is_empty() { vec![Value::Null] } else { Vec::new() };
    laptop.wait_for("list", is_gone, |_| true).await;
    route.release();
    desktop.has("film.dat", "settled").await;
    laptop.sees("film.dat", "done").await;
    assert_eq!((laptop.titles().await, desktop.titles().await), (Vec::<String>::new(), vec!["film.dat".to_owned()]));
    assert_eq!(desktop.person.file("film.dat").len(), usize::try_from(SIZE).unwrap());
    assert_eq!(laptop.person.files(), Vec::<String>::new(), "the partial of the first machine is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn link_that_other_machine_downloaded_is_known_with_its_name() {
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
