//! Stores notifications that outlive the process, so that the next process can handle clicks on their buttons.
//!
//! - A small file stores the registration of each notification.
//! - The file is valid only for the same notification service on the same bus, because another service assigns its own
//!   numbers.
//! - Losing the file is harmless, so errors are ignored.

use std::{collections::BTreeMap, future::poll_fn, path::Path, pin::Pin, sync::Arc};

use ashore_engine::UniqueId;
use serde::{Deserialize, Serialize};
use zbus::{Connection, MatchRule, MessageStream, export::futures_core::Stream, message::Type, names::OwnedUniqueName};

use crate::{notifications::content::NotificationAction, system::json_file::SmallFile};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// Maximum number of stored notifications. The oldest ones are dropped first, as desktops do.
const MOST: usize = 100;

/// Notifications that are probably on the screen.
#[derive(Clone, Debug)]
pub struct PersistedNotifications(Arc<SmallFile<Content>>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Content {
    /// Bus and service that assigned the numbers.
    service: String,
    known: BTreeMap<u32, NotificationEntry>,
}

/// Remembered notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct NotificationEntry {
    /// Registration that the notification is about; `None` if it is about several.
    about: Option<UniqueId>,
    /// Whether the text describes ongoing work. Such a text becomes wrong when Ashore no longer updates it.
    goes_on: bool,
}

/// Notifications of an earlier process, and the bus that delivers their signals.
pub struct PreviousRun {
    bus: Connection,
    service: OwnedUniqueName,
    signals: MessageStream,
    known: BTreeMap<u32, NotificationEntry>,
    standing: PersistedNotifications,
}

/// Signal of the service about a notification.
#[derive(Debug, PartialEq, Eq)]
enum PersistedCommand {
    Pressed(u32, String),
    Closed(u32),
}

impl PersistedNotifications {
    /// Reads the notifications of an earlier process from `data_dir`.
    pub fn read(data_dir: &Path) -> Self {
        Self(Arc::new(SmallFile::read(data_dir.join("notifications.json"))))
    }

    /// Adds a notification that is on the screen.
    pub fn stands(&self, id: u32, about: Option<UniqueId>, goes_on: bool) {
        self.0.change(|content| {
            content.known.insert(id, NotificationEntry { about, goes_on });
            while content.known.len() > MOST {
                content.known.pop_first();
            }
        });
    }

    /// Removes a notification that was closed or answered.
    pub fn is_gone(&self, id: u32) {
        self.0.change(|content| {
            content.known.remove(&id);
        });
    }

    /// Returns notifications of an earlier process that may still be on the screen.
    ///
    /// Call this before showing any notification.
    pub async fn earlier(&self) -> zbus::Result<PreviousRun> {
        let bus = Connection::session().await?;
        let rule = MatchRule::builder().msg_type(Type::Signal).interface(NAME)?.build();
        let signals = MessageStream::for_match_rule(rule, &bus, None).await?;
        let daemon = zbus::fdo::DBusProxy::new(&bus).await?;
        let service = daemon.get_name_owner(NAME.try_into()?).await?;
        let known = self.begin(format!("{} {service}", daemon.get_id().await?));
        Ok(PreviousRun { bus, service, signals, known, standing: self.clone() })
    }

    /// Returns the notifications of an earlier process, if `service` assigned the numbers. If not, drops the
    /// notifications.
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
    /// Closes notifications about ongoing work. Handles responses to the others until they close.
    ///
    /// `pressed` receives each pressed button.
    pub async fn follow(mut self, pressed: impl Fn(Option<UniqueId>, NotificationAction)) {
        let stale: Vec<u32> = self.known.iter().filter(|(_, entry)| entry.goes_on).map(|(id, _)| *id).collect();
        for id in stale {
            self.forget(id);
            // Send the calls directly to the service that showed the notifications, because it assigned the numbers.
            let service = Some(self.service.as_str());
            let closed = self.bus.call_method(service, PATH, Some(NAME), "CloseNotification", &(id,)).await;
            if let Err(error) = closed {
                tracing::debug!(%error, "stale notification could not be closed");
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
    fn stored_notifications_are_used_only_if_notification_service_is_the_same() {
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
        assert!(elsewhere.begin("bus :1.6".to_owned()).is_empty(), "the count starts again");
        assert!(PersistedNotifications::read(folder.path()).begin("bus :1.6".to_owned()).is_empty());
    }

    #[test]
    fn oldest_notifications_are_forgotten_above_limit() {
        let folder = tempfile::tempdir().unwrap();
        let standing = PersistedNotifications::read(folder.path());
        (0..150).for_each(|id| standing.stands(id, None, false));
        let kept = standing.begin(String::new());
        assert_eq!((kept.len(), kept.keys().next().copied()), (MOST, Some(50)));
    }
}
