//! Tests that no acknowledged write is lost if a synchronous standby is promoted while clients write.

use std::{collections::BTreeSet, time::Duration};

use ashore_testkit::sync_server::standby::Pair;
use serde_json::json;
use tokio::sync::mpsc;

use crate::support::{Home, Setup};

#[tokio::test(flavor = "multi_thread")]
async fn promotion_of_standby_loses_no_acknowledged_write() {
    let pair = match tokio::task::spawn_blocking(Pair::start).await.unwrap() {
        Ok(pair) => pair,
        Err(reason) => return eprintln!("PostgreSQL was left out, because {reason}."),
    };
    let home = Home::on_address(Setup::default(), pair.address()).await;

    let (sender, mut acknowledged) = mpsc::unbounded_channel();
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let (home, sender) = (home.clone(), sender.clone());
            tokio::spawn(async move {
                for number in 0.. {
                    let id = format!("{writer}-{number}");
                    let reply = home.write(&format!("/storage/tabs/{id}"), json!({ "payload": "x" })).await;
                    assert!(matches!(reply.status, 200 | 503), "{reply:?}");
                    if reply.status == 503 {
                        assert_eq!(reply.header("retry-after"), "5");
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    } else if sender.send(id).is_err() {
                        // The receiver is closed because the test has counted enough writes.
                        return;
                    }
                }
            })
        })
        .collect();
    drop(sender);
    let mut told = BTreeSet::new();
    while told.len() < 100 {
        told.insert(acknowledged.recv().await.unwrap());
    }
    let _pair = tokio::task::spawn_blocking(|| pair.promote()).await.unwrap();
    let before = told.len();
    while told.len() < before + 100 {
        told.insert(acknowledged.recv().await.unwrap());
    }
    while let Ok(id) = acknowledged.try_recv() {
        told.insert(id);
    }
    acknowledged.close();
    while let Some(id) = acknowledged.recv().await {
        told.insert(id);
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let there: BTreeSet<String> = home.ids("/storage/tabs").await.into_iter().collect();
    let lost: Vec<_> = told.difference(&there).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    home.recount().await;
}
