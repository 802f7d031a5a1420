//! Tests that an urgent request gets a slot after a transfer was stopped for it, regardless of how that transfer ends.

use ashore_transfer::Guid;

use crate::{
    model::{NewRegistration, NewRequest, QueuePlace, UniqueId},
    scheduler::tests::{
        life::{Folder, Life, TransferCommand},
        world::{Deed, EndedRequest, Weather},
    },
};

const FINE: Weather = Weather { is_online: true, is_charged: true, is_awake: true };

impl Life {
    /// Requests one file from each of `hosts` in a single registration. The registration fetches two files in parallel.
    async fn want_some(&mut self, owner: &str, hosts: &[u8], place: QueuePlace) -> UniqueId {
        let request = |(host, index)| NewRequest { url: format!("http://host{host}.example/{index}"), ..NewRequest::default() };
        let new = NewRegistration {
            owner: owner.to_owned(),
            place: Some(place),
            parallel: Some(2),
            requests: hosts.iter().zip(0..).map(request).collect(),
            ..NewRegistration::default()
        };
        let id = self.engine.create(new).await.unwrap().unique_id;
        self.follow().await;
        id
    }

    /// Requests a file from `host`. Returns the GUID of the request if it was started.
    async fn want(&mut self, host: u8, place: QueuePlace) -> Option<Guid> {
        let new = NewRegistration {
            owner: "person".to_owned(),
            place: Some(place),
            requests: vec![NewRequest { url: format!("http://host{host}.example/0"), ..NewRequest::default() }],
            ..NewRegistration::default()
        };
        self.engine.create(new).await.unwrap();
        self.follow().await;
        self.take_commands().into_iter().find_map(|told| match told {
            TransferCommand::Start { guid, .. } => Some(guid),
            TransferCommand::Stop(_) => None,
        })
    }
}

#[tokio::test]
async fn completion_of_preempted_transfer_frees_slot_for_only_one_request() {
    let folder = Folder::new("parallel = 2\nparallel-per-host = 1");
    let mut life = Life::begin(&folder, FINE).await;
    let first = life.want(0, QueuePlace::Bottom).await.unwrap();
    let last = life.want(1, QueuePlace::Bottom).await.unwrap();
    // Each of the two requests could use the slot of the last running transfer: the first one needs the slot of its
    // full host, and the second one needs any slot.
    assert_eq!(life.want(1, QueuePlace::Now).await, None);
    assert_eq!(life.want(2, QueuePlace::Now).await, None);
    life.act(&Deed::News(vec![(last, EndedRequest::Completed)])).await;
    let told = life.take_commands();
    assert!(
        matches!(told.as_slice(), [TransferCommand::Start { .. }, TransferCommand::Stop(guid)] if *guid == first),
        "{told:?}"
    );
}

#[tokio::test]
async fn urgent_registration_at_its_parallel_limit_does_not_block_other_requests() {
    let folder = Folder::new("parallel = 3\nparallel-per-host = 2");
    let mut life = Life::begin(&folder, FINE).await;
    life.want_some("first", &[0, 1, 0, 2], QueuePlace::Bottom).await;
    let urgent = life.want_some("second", &[0, 1, 0, 2], QueuePlace::Now).await;
    let told = life.take_commands();
    let [TransferCommand::Start { guid: first, .. }, .., TransferCommand::Stop(_)] = told.as_slice() else { panic!("{told:?}") };
    // This registration may start one more request, and its requests wait for three hosts.
    life.want_some("third", &[0, 0], QueuePlace::Before(urgent)).await;
    assert_eq!(life.take_commands(), [TransferCommand::Stop(*first)], "at the full host, the only one that is not urgent");
}
