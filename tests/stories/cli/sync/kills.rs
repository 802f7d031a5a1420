//! Tests machines that are killed while they sync.

use ashore_engine::failpoint::SYNC_POINTS;
use ashore_testkit::origin::{Body, Origin};

use crate::cli::sync::household::Household;

#[tokio::test(flavor = "multi_thread")]
async fn kill_at_any_sync_failpoint_neither_loses_nor_duplicates_downloads() {
    let origin = Origin::start().await;
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    let mut expected = Vec::new();
    for (number, point) in SYNC_POINTS.iter().enumerate() {
        desktop.restart_to_die_at(point).await;
        let title = format!("{number}.pdf");
        origin.file(&format!("/{title}"), Body::bytes(*point));
        laptop.object(&["add", origin.url(&format!("/{title}")).as_str(), "--to", "Desktop"]).await;
        desktop.dies().await;
        desktop.restart().await;
        desktop.has(&title, "settled").await;
        expected.push(title);
        assert_eq!(desktop.titles().await, expected, "{point}");
        for title in &expected {
            laptop.sees(title, "done").await;
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
        if number % 2 == 0 {
            laptop.restart().await;
        } else {
            desktop.restart().await;
        }
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
