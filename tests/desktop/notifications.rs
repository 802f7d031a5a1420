//! Fake notification service that records every call and presses buttons.

use std::{collections::HashMap, time::Instant};

use ashore_testkit::waits::{DEADLINE, until};
use tokio::{sync::watch, time::timeout};
use zbus::{Connection, connection::Builder, interface, object_server::SignalEmitter, zvariant::OwnedValue};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// Recorded call of the method `Notify`.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Id that the service returned.
    pub id: u32,
    /// Id of the notification that this one replaces; 0 for a new one.
    pub replaces: u32,
    /// Application name, which desktops use to group notifications.
    pub group: String,
    /// Title of the notification.
    pub summary: String,
    /// Text of the notification.
    pub body: String,
    /// Name or path of the icon.
    pub icon: String,
    /// Key and label of each button.
    pub actions: Vec<(String, String)>,
    /// The `category` hint.
    pub category: String,
    /// The `value` hint.
    pub value: Option<i32>,
    /// Time at which `Notify` was called.
    pub at: Instant,
}

impl Shown {
    /// Returns whether the notification has a button with this key.
    pub fn has_button(&self, key: &str) -> bool {
        self.actions.iter().any(|(known, _)| known == key)
    }

    /// Returns whether the notification shows the progress of a running download.
    pub fn is_progress(&self) -> bool {
        self.category == "transfer" && self.has_button("cancel")
    }
}

#[derive(Clone, Debug, Default)]
struct Record {
    shown: Vec<Shown>,
    /// Ids of closed notifications. The number with each id is the number of notifications that had been shown when it
    /// was closed.
    closed: Vec<(u32, usize)>,
}

struct Service {
    record: watch::Sender<Record>,
    next: u32,
}

/// Notification service, and the record of its calls.
pub struct Notifications {
    record: watch::Receiver<Record>,
    bus: Connection,
}

impl Notifications {
    /// Serves `org.freedesktop.Notifications` on the bus at `address`.
    pub async fn serve(address: &str) -> Self {
        let (record, seen) = watch::channel(Record::default());
        let service = Service { record, next: 40 };
        let builder = Builder::address(address).unwrap().serve_at(PATH, service).unwrap();
        let bus = builder.name(NAME).unwrap().build().await.unwrap();
        Self { record: seen, bus }
    }

    /// Releases the bus name, as if the service had exited.
    pub async fn leave(&self) {
        self.bus.release_name(NAME).await.unwrap();
    }

    /// Claims the bus name again as soon as it is free.
    pub async fn come_back(&self) {
        until(&format!("{NAME} is free"), async || self.bus.request_name(NAME).await.ok()).await;
    }

    /// Returns all notifications shown so far, in order.
    pub fn shown(&self) -> Vec<Shown> {
        self.record.borrow().shown.clone()
    }

    /// Returns the updates of the notification `id` that the program sent after the notification was closed.
    pub fn shown_after_end_of(&self, id: u32) -> Vec<Shown> {
        let record = self.record.borrow();
        let ends = record.closed.iter().filter(|(closed, _)| *closed == id);
        ends.flat_map(|(_, before)| record.shown[*before..].iter().filter(|shown| shown.replaces == id)).cloned().collect()
    }

    /// Waits for the first notification that satisfies `wanted`.
    pub async fn wait(&self, what: &str, wanted: impl Fn(&Shown) -> bool) -> Shown {
        let mut record = self.record.clone();
        let found = timeout(DEADLINE, record.wait_for(|record| record.shown.iter().any(&wanted))).await;
        match found {
            Ok(record) => record.unwrap().shown.iter().find(|shown| wanted(shown)).unwrap().clone(),
            Err(_) => panic!("not within {DEADLINE:?}: {what}; there were {:#?}", self.shown()),
        }
    }

    /// Waits until the program closes the notification `id`.
    pub async fn closed(&self, id: u32) {
        let mut record = self.record.clone();
        let found = timeout(DEADLINE, record.wait_for(|record| record.closed.iter().any(|(closed, _)| *closed == id))).await;
        assert!(found.is_ok(), "the notification {id} is still open after {DEADLINE:?}");
    }

    /// Dismisses the notification, as a user would.
    pub async fn dismiss(&self, id: u32) {
        const BY_A_PERSON: u32 = 2;
        let emitter = SignalEmitter::new(&self.bus, PATH).unwrap();
        Service::notification_closed(&emitter, id, BY_A_PERSON).await.unwrap();
    }

    /// Presses a button, as a user would.
    pub async fn press(&self, id: u32, key: &str) {
        let emitter = SignalEmitter::new(&self.bus, PATH).unwrap();
        Service::action_invoked(&emitter, id, key).await.unwrap();
    }
}

#[interface(name = "org.freedesktop.Notifications")]
impl Service {
    fn get_capabilities(&self) -> Vec<&str> {
        vec!["actions", "body", "body-markup", "icon-static", "persistence"]
    }

    fn get_server_information(&self) -> (&str, &str, &str, &str) {
        ("story", "Ashore", "1", "1.2")
    }

    #[expect(clippy::too_many_arguments, reason = "the specification defines the arguments")]
    fn notify(
        &mut self,
        app_name: String,
        replaces_id: u32,
        app_icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        hints: HashMap<String, OwnedValue>,
        _expire_timeout: i32,
    ) -> u32 {
        let id = if replaces_id == 0 {
            self.next += 1;
            self.next
        } else {
            replaces_id
        };
        let category = hints.get("category").and_then(|value| String::try_from(value.clone()).ok()).unwrap_or_default();
        let shown = Shown {
            id,
            replaces: replaces_id,
            group: app_name,
            summary,
            body,
            icon: app_icon,
            actions: actions.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect(),
            category,
            value: hints.get("value").and_then(|value| i32::try_from(value).ok()),
            at: Instant::now(),
        };
        self.record.send_modify(|record| record.shown.push(shown));
        id
    }

    async fn close_notification(&mut self, id: u32, #[zbus(signal_emitter)] emitter: SignalEmitter<'_>) {
        self.record.send_modify(|record| record.closed.push((id, record.shown.len())));
        Self::notification_closed(&emitter, id, 3).await.unwrap();
    }

    #[zbus(signal)]
    async fn action_invoked(emitter: &SignalEmitter<'_>, id: u32, action_key: &str) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn notification_closed(emitter: &SignalEmitter<'_>, id: u32, reason: u32) -> zbus::Result<()>;
}
