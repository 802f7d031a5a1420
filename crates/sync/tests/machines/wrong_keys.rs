//! Tests of a server on which the keys were replaced by keys sealed with another root key.

use ashore_sync::keys::{KeyRing, RootKey};

use crate::{
    actions::PersonActions as _,
    household::{Household, ServiceMachine, StoredObjects},
};

/// Replaces only `crypto/keys`, by a key ring that is sealed with another root key. Returns all objects on the server.
async fn replace_keys(machine: &ServiceMachine, ring: &KeyRing) -> StoredObjects {
    let sealed = ring.seal(&RootKey::from_bytes([9; 32]), machine.account().await.uid, [3; 24]).unwrap();
    machine.put_object("crypto", "keys", sealed).await;
    machine.stored().await
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_writes_nothing_if_server_has_wrong_key() {
    let household = Household::new().await;
    let mut laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    for title in ["a.pdf", "b.pdf"] {
        laptop.add(title).await;
        laptop.cycle().await;
        desktop.cycle().await;
    }
    desktop.add("c.pdf").await;
    desktop.cycle().await;
    // This machine has unsent changes, and the server has changes that this machine has not received.
    laptop.remove("b.pdf").await;
    laptop.add("d.pdf").await;
    let ring = laptop.ring().await;
    for ring in [ring.clone(), ring.rotated(&mut |bytes| bytes.fill(5))] {
        let before = replace_keys(&laptop, &ring).await;
        for _ in 0..2 {
            assert_eq!(laptop.fault().await, "sync-wrong-key");
            assert_eq!(laptop.stored().await, before);
            assert_eq!(laptop.titles().await, ["a.pdf", "d.pdf"]);
            assert_eq!(laptop.others().await, []);
            assert_eq!(laptop.service.status().await.unwrap().fault.unwrap().code, "sync-wrong-key");
            laptop.start_again();
        }
    }
}
