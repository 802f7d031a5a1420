//! Fake dock that records the launcher signals of programs.

use std::{collections::HashMap, time::Instant};

use ashore_testkit::waits::DEADLINE;
use futures_util::StreamExt;
use tokio::{sync::watch, time::timeout};
use zbus::{MatchRule, MessageStream, connection::Builder, message::Type, zvariant::OwnedValue};

/// Signal about an entry of the dock.
#[derive(Clone, Debug)]
pub struct LauncherSignal {
    /// Dock entry that the signal concerns.
    pub entry: String,
    /// Progress shown on the entry, from 0 to 1; `None` if hidden.
    pub progress: Option<f64>,
    /// Number shown on the entry; `None` if hidden.
    pub count: Option<i64>,
    /// Whether the entry asks the user for attention.
    pub is_urgent: bool,
    /// Time at which the signal arrived.
    pub at: Instant,
}

/// Fake dock, and the signals that it received.
pub struct Taskbar(watch::Receiver<Vec<LauncherSignal>>);

impl Taskbar {
    /// Subscribes to launcher signals on the bus at `address`.
    pub async fn listen(address: &str) -> Self {
        let bus = Builder::address(address).unwrap().build().await.unwrap();
        let rule = MatchRule::builder().msg_type(Type::Signal).interface("com.canonical.Unity.LauncherEntry").unwrap().build();
        let mut signals = MessageStream::for_match_rule(rule, &bus, None).await.unwrap();
        let (hear, heard) = watch::channel(Vec::new());
        tokio::spawn(async move {
            while let Some(Ok(message)) = signals.next().await {
                let (entry, mut told): (String, HashMap<String, OwnedValue>) = message.body().deserialize().unwrap();
                let is = |name: &str| told.get(name).is_some_and(|value| bool::try_from(value).unwrap_or(false));
                let (shows_progress, shows_count, is_urgent) = (is("progress-visible"), is("count-visible"), is("urgent"));
                let progress = told.remove("progress").filter(|_| shows_progress).map(|value| f64::try_from(value).unwrap());
                let count = told.remove("count").filter(|_| shows_count).map(|value| i64::try_from(value).unwrap());
                hear.send_modify(|all| all.push(LauncherSignal { entry, progress, count, is_urgent, at: Instant::now() }));
            }
        });
        Self(heard)
    }

    /// Returns all signals that have arrived so far, in order.
    pub fn signals(&self) -> Vec<LauncherSignal> {
        self.0.borrow().clone()
    }

    /// Waits until a signal satisfies `wanted`.
    pub async fn wait(&self, what: &str, wanted: impl Fn(&LauncherSignal) -> bool) {
        let mut heard = self.0.clone();
        let found = timeout(DEADLINE, heard.wait_for(|all| all.iter().any(&wanted))).await.is_ok();
        assert!(found, "not within {DEADLINE:?}: {what}; there was {:#?}", self.signals());
    }
}
