//! Counts the registrations that calls read from the list, so that a test can prove that frequent calls read few.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of registrations that were read since the interface opened.
#[derive(Debug, Default)]
pub(super) struct ReadCount(AtomicUsize);

impl ReadCount {
    pub(super) fn add(&self, count: usize) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// Returns the number, and starts again at zero.
    #[cfg(test)]
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use serde_json::{Value, json};

    use crate::aria2::{
        methods::{Aria2Caller, Aria2Methods},
        tests::peer::{Aria2Peer as _, AshorePeer, web_server},
        wire::Aria2Call,
    };

    async fn called(methods: &Aria2Methods, method: &str, params: Value) -> Value {
        let Value::Array(params) = params else { panic!("{params}") };
        let call = Aria2Call { id: Value::Null, method: method.to_owned(), params };
        methods.call(call, &mut Aria2Caller::new(IpAddr::from([127, 0, 0, 1]))).await.unwrap()
    }

    #[tokio::test]
    async fn frequent_calls_read_only_the_downloads_in_their_answer() {
        let (peer, web) = (AshorePeer::open().await, web_server().await);
        for number in 0..2 {
            let added = peer.call("aria2.addUri", json!([[format!("{web}/slow{number}")]])).await;
            peer.reach(added.as_str().unwrap(), "active").await;
        }
        let mut gids = Vec::new();
        for number in 0..12 {
            gids.push(json!({ "gid": peer.add_paused(&format!("{web}/ok{number}"), json!({})).await }));
        }
        let methods = Aria2Methods::new(peer.config());
        let calls = [
            ("aria2.tellActive", json!([["gid"]]), 2, None),
            ("aria2.tellWaiting", json!([0, 3, ["gid"]]), 3, Some(json!(gids[..3]))),
            ("aria2.tellWaiting", json!([10, 9, ["gid"]]), 2, Some(json!(gids[10..]))),
            ("aria2.tellWaiting", json!([-2, 2, ["gid"]]), 2, Some(json!([gids[10], gids[9]]))),
            ("aria2.tellWaiting", json!([12, 9, ["gid"]]), 0, Some(json!([]))),
            ("aria2.tellWaiting", json!([-13, 9, ["gid"]]), 0, Some(json!([]))),
            ("aria2.getGlobalStat", json!([]), 2, None),
        ];
        for (method, params, read, expected) in calls {
            let answer = called(&methods, method, params.clone()).await;
            assert_eq!(methods.read_count.take(), read, "{method} {params}");
            assert!(expected.is_none_or(|expected| answer == expected), "{method} {params}: {answer}");
        }
        let position = json!([[format!("{web}/ok")], { "pause": "true" }, 5]);
        called(&methods, "aria2.addUri", position).await;
        assert_eq!(methods.read_count.take(), 1);
    }
}
