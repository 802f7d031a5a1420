//! Notifications that may outlive the Ashore that showed them: it was quit, or killed, and a person presses one of them when
//! the next one runs. Which is about what is kept in a small file, and believed only as long as the same service stands on the same bus:
//! another one counts its notifications anew. Losing it costs nothing, so nothing here can fail.

use std::{collections::BTreeMap, future::poll_fn, path::Path, pin::Pin, sync::Arc};

use ashore_engine::UniqueId;
use serde::{Deserialize, Serialize};
use zbus::{Connection, MatchRule, MessageStream, export::futures_core::Stream, message::Type, names::OwnedUniqueName};

use crate::{notifications::content::NotificationAction, system::json_file::SmallFile};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// As many are remembered; the oldest are forgotten first, as desktops do.
const MOST: usize = 100;

/// Those that stand, as far as is known.
#[derive(Clone, Debug)]
pub struct PersistedNotifications(Arc<SmallFile<Content>>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    /// Which service on which bus counts them.
    service: String,
    known: BTreeMap<u32, NotificationEntry>,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct NotificationEntry {
    /// None for several registrations at once.
    about: Option<UniqueId>,
    /// It said that something goes on, and would say so for ever where nobody is left to change it.
    goes_on: bool,
}

/// Those of earlier times, and the bus on which a service tells what becomes of them.
pub struct PreviousRun {
    bus: Connection,
    service: OwnedUniqueName,
    signals: MessageStream,
    known: BTreeMap<u32, NotificationEntry>,
    standing: PersistedNotifications,
}

/// What a service says of one.
#[derive(Debug, PartialEq, Eq)]
enum PersistedCommand {
    Pressed(u32, String),
    Closed(u32),
}

impl PersistedNotifications {
    /// Those of earlier times, from `data_dir`.
    pub fn read(data_dir: &Path) -> Self {
        Self(Arc::new(SmallFile::read(data_dir.join("notifications.json"))))
    }

    /// This one stands now.
    pub fn stands(&self, id: u32, about: Option<UniqueId>, goes_on: bool) {
        self.0.change(|content| {
            content.known.insert(id, NotificationEntry { about, goes_on });
            while content.known.len() > MOST {
                content.known.pop_first();
            }
        });
    }

    /// It is gone, or was answered.
    pub fn is_gone(&self, id: u32) {
        self.0.change(|content| {
            content.known.remove(&id);
        });
    }

    /// Those of earlier times that may still be seen. To be asked before anything new is shown.
    pub async fn earlier(&self) -> zbus::Result<PreviousRun> {
        let bus = Connection::session().await?;
        let rule = MatchRule::builder().msg_type(Type::Signal).interface(NAME)?.build();
        let signals = MessageStream::for_match_rule(rule, &bus, None).await?;
        let daemon = zbus::fdo::DBusProxy::new(&bus).await?;
        let service = daemon.get_name_owner(NAME.try_into()?).await?;
        let known = self.begin(format!("{} {service}", daemon.get_id().await?));
        Ok(PreviousRun { bus, service, signals, known, standing: self.clone() })
    }

    /// Those that this service still shows. Of another one nothing is known.
    fn begin(&self, service: String) -> BTreeMap<u32, NotificationEntry> {
        let mut earlier = BTreeMap::new();
        self.0.change(|content| {
            if content.service == service {
                earlier = content.known.clone();
            } else {
                *content = Content { service, ..Content::default() };
            }
        });
        earlier
    }
}

impl PreviousRun {
    /// Takes away what would say for ever that something goes on, and listens for presses on the others until there are none
    /// left; `pressed` gets them.
    pub async fn follow(mut self, pressed: impl Fn(Option<UniqueId>, NotificationAction)) {
        let stale: Vec<u32> = self.known.iter().filter(|(_, entry)| entry.goes_on).map(|(id, _)| *id).collect();
        for id in stale {
            self.forget(id);
            let closed = self.bus.call_method(Some(NAME), PATH, Some(NAME), "CloseNotification", &(id,)).await;
            if let Err(error) = closed {
                tracing::debug!(%error, "it is gone already");
            }
        }
        while !self.known.is_empty() {
            let Some(Ok(message)) = poll_fn(|context| Pin::new(&mut self.signals).poll_next(context)).await else { break };
            if message.header().sender().is_none_or(|sender| *sender != *self.service) {
                continue;
            }
            match word(&message) {
                Some(PersistedCommand::Pressed(id, key)) => {
                    if let (Some(entry), Some(press)) = (self.forget(id), NotificationAction::from_key(&key)) {
                        pressed(entry.about, press);
                    }
                }
                Some(PersistedCommand::Closed(id)) => {
                    self.forget(id);
                }
                None => {}
            }
        }
    }

    fn forget(&mut self, id: u32) -> Option<NotificationEntry> {
        let known = self.known.remove(&id)?;
        self.standing.is_gone(id);
        Some(known)
    }
}

fn word(message: &zbus::Message) -> Option<PersistedCommand> {
    match message.header().member()?.as_str() {
        "ActionInvoked" => message.body().deserialize::<(u32, String)>().ok().map(|(id, key)| PersistedCommand::Pressed(id, key)),
        "NotificationClosed" => message.body().deserialize::<(u32, u32)>().ok().map(|(id, _)| PersistedCommand::Closed(id)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_is_known_after_a_restart_and_only_as_long_as_the_service_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let about = Some("6a2ab1c0-1111-4222-8333-444455556666".parse().unwrap());
        let standing = PersistedNotifications::read(folder.path());
        assert!(standing.begin("bus :1.5".to_owned()).is_empty());
        standing.stands(7, about, true);
        standing.stands(8, None, false);
        standing.stands(9, None, false);
        standing.is_gone(8);
        let known = BTreeMap::from([
            (7, NotificationEntry { about, goes_on: true }),
            (9, NotificationEntry { about: None, goes_on: false }),
        ]);
        let again = PersistedNotifications::read(folder.path());
        assert_eq!(again.begin("bus :1.5".to_owned()), known);
        let elsewhere = PersistedNotifications::read(folder.path());
        assert!(elsewhere.begin("bus :1.6".to_owned()).is_empty(), "it counts anew");
        assert!(PersistedNotifications::read(folder.path()).begin("bus :1.6".to_owned()).is_empty());
    }

    #[test]
    fn only_so_many_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let standing = PersistedNotifications::read(folder.path());
        (0..150).for_each(|id| standing.stands(id, None, false));
        let kept = standing.begin(String::new());
        assert_eq!((kept.len(), kept.keys().next().copied()), (MOST, Some(50)));
    }
}
