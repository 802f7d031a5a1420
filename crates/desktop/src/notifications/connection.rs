//! The connection to the desktop's notification service: shows and closes notifications, and receives the responses.
//!
//! Called by `service.rs` and, for each notification, by `live_notification.rs`.
//!
//! - All notifications share one connection, so the number of open files does not grow with them.
//! - The shared connection also makes Ashore a permanent sender. Some desktops deliver responses only to the last
//!   sender, or remove a notification when its first sender disconnects.
//! - A response counts only if it comes from the service that showed the notification. Every program on the session
//!   bus, even a sandboxed one, can send such a signal with a guessed number. But the bus reports the true sender.

use std::{
    collections::HashMap,
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::mpsc;
use zbus::{
    Connection, MatchRule, Message, MessageStream,
    export::futures_core::Stream,
    message::Type,
    names::{OwnedUniqueName, UniqueName},
    zvariant::Value,
};

/// Name and interface of the service, from the Desktop Notifications Specification 1.2.
pub const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// Maximum number of stored early responses, which arrive before `Notify` returns the number of their notification.
const MOST_EARLY: usize = 16;

/// Arguments of a `Notify` call. The fields are those of the specification, section 9.
#[derive(Debug, Default)]
pub struct NotificationContent<'a> {
    /// Name under which desktops group the notification.
    pub app_name: &'a str,
    /// Name of a themed icon, or path of a file.
    pub icon: &'a str,
    /// Title as plain text.
    pub summary: &'a str,
    /// Text; markup is escaped if the service interprets it.
    pub body: &'a str,
    /// Keys and labels of the buttons, alternating.
    pub actions: Vec<&'a str>,
    /// Hints of the notification, by name.
    pub hints: HashMap<&'static str, Value<'a>>,
    /// Time until the notification expires, in milliseconds. With -1, the service decides; with 0, the notification
    /// never expires.
    pub timeout: i32,
}

/// Response of the user to a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotificationResponse {
    /// The action with this key was invoked; `default` is a click on the notification itself.
    Invoked(String),
    /// The notification was closed by the user, by a program, or by the notification service.
    Closed,
}

/// Identifies a notification: the service that shows it, and the number that the service assigned to it.
type Key = (OwnedUniqueName, u32);

/// Handle on the connection. Cheap to clone.
#[derive(Clone)]
pub struct NotificationService(Arc<ConnectionShared>);

struct ConnectionShared {
    bus: Connection,
    routes: Mutex<Routes>,
}

/// Listeners by notification. Each listener receives the responses to its notification.
#[derive(Default)]
struct Routes {
    listeners: HashMap<Key, Listener>,
    /// Number of the latest listener.
    newest: u64,
    /// Number of unanswered calls of `Notify`.
    in_flight: usize,
    /// Responses to unknown notifications that arrived during a call of `Notify`.
    early: Vec<(Key, NotificationResponse)>,
    is_disconnected: bool,
}

struct Listener {
    number: u64,
    responses: mpsc::UnboundedSender<NotificationResponse>,
}

/// A notification on the screen.
///
/// Dropping this value ends only the delivery of responses; the notification stays on the screen.
pub struct ShownNotification {
    key: Key,
    /// Number of the listener. An update keeps the key of the notification, but changes the listener.
    listener: u64,
    service: NotificationService,
}

impl NotificationService {
    /// Connects to the session bus. Fails if there is no session bus.
    pub async fn connect() -> zbus::Result<Self> {
        Self::over(Connection::session().await?).await
    }

    /// Creates a service that uses the existing connection `bus`.
    pub(crate) async fn over(bus: Connection) -> zbus::Result<Self> {
        let rule = MatchRule::builder().msg_type(Type::Signal).interface(NAME)?.build();
        let signals = MessageStream::for_match_rule(rule, &bus, None).await?;
        let service = Self(Arc::new(ConnectionShared { bus, routes: Mutex::default() }));
        tokio::spawn(deliver(signals, Arc::downgrade(&service.0)));
        Ok(service)
    }

    /// Whether the session bus has closed the connection.
    pub fn is_disconnected(&self) -> bool {
        self.routes().is_disconnected
    }

    /// Returns the capabilities that the service reports.
    pub async fn capabilities(&self) -> zbus::Result<Vec<String>> {
        capabilities(&self.0.bus).await
    }

    /// Shows `content`. If `replaced` is still on the screen, `content` takes its place. `responses` receives the
    /// responses.
    pub async fn show(
        &self,
        content: &NotificationContent<'_>,
        replaced: Option<&ShownNotification>,
        responses: mpsc::UnboundedSender<NotificationResponse>,
    ) -> zbus::Result<ShownNotification> {
        let in_flight = InFlight::begin(self);
        let replaces = replaced.map_or(0, ShownNotification::id);
        let NotificationContent { app_name, icon, summary, body, actions, hints, timeout } = content;
        let arguments = (app_name, replaces, icon, summary, body, actions, hints, timeout);
        let answer = self.0.bus.call_method(Some(NAME), PATH, Some(NAME), "Notify", &arguments).await?;
        let id = answer.body().deserialize()?;
        let key = (sender(&answer).ok_or(zbus::Error::MissingField)?, id);
        let listener = self.routes().listen(key.clone(), responses);
        drop(in_flight);
        Ok(ShownNotification { key, listener, service: self.clone() })
    }

    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.0.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ShownNotification {
    /// Returns the number that the service assigned to the notification.
    pub fn id(&self) -> u32 {
        self.key.1
    }

    /// Removes the notification from the screen.
    pub async fn close(&self) -> zbus::Result<()> {
        // Send the call directly to the service that showed the notification. A new owner of the bus name may use the
        // same number for another notification.
        let (service, id) = (self.key.0.clone(), self.key.1);
        self.service.0.bus.call_method(Some(service), PATH, Some(NAME), "CloseNotification", &(id,)).await?;
        Ok(())
    }
}

impl Drop for ShownNotification {
    fn drop(&mut self) {
        self.service.routes().forget(&self.key, self.listener);
    }
}

impl Routes {
    /// Adds a listener and returns its number.
    fn listen(&mut self, key: Key, responses: mpsc::UnboundedSender<NotificationResponse>) -> u64 {
        for (_, response) in self.early.extract_if(.., |(early, _)| *early == key) {
            // Ignore the error: sending fails only if the receiver was closed.
            let _ = responses.send(response);
        }
        self.newest += 1;
        self.listeners.insert(key, Listener { number: self.newest, responses });
        self.newest
    }

    /// Ends the delivery for `key`, unless a listener newer than `number` exists.
    fn forget(&mut self, key: &Key, number: u64) {
        if self.listeners.get(key).is_some_and(|listener| listener.number == number) {
            self.listeners.remove(key);
        }
    }

    fn respond(&mut self, key: Key, response: NotificationResponse) {
        match self.listeners.get(&key) {
            Some(listener) => {
                let _ = listener.responses.send(response);
            }
            None if self.in_flight > 0 && self.early.len() < MOST_EARLY => self.early.push((key, response)),
            None => tracing::debug!(service = %key.0, id = key.1, "response to an unknown notification ignored"),
        }
    }
}

/// Returns the capabilities of the notification service on `bus`. Fails if there is no service.
pub async fn capabilities(bus: &Connection) -> zbus::Result<Vec<String>> {
    bus.call_method(Some(NAME), PATH, Some(NAME), "GetCapabilities", &()).await?.body().deserialize()
}

/// Guard that counts an unanswered call of `Notify`. Works even if the future of the call is cancelled.
struct InFlight<'a>(&'a NotificationService);

impl<'a> InFlight<'a> {
    fn begin(service: &'a NotificationService) -> Self {
        service.routes().in_flight += 1;
        Self(service)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        let mut routes = self.0.routes();
        routes.in_flight -= 1;
        if routes.in_flight == 0 {
            routes.early.clear();
        }
    }
}

/// Delivers every signal to the listener of its notification, until the bus closes the connection or the last handle is
/// dropped.
async fn deliver(mut signals: MessageStream, shared: std::sync::Weak<ConnectionShared>) {
    loop {
        let next = poll_fn(|context| Pin::new(&mut signals).poll_next(context)).await;
        let Some(shared) = shared.upgrade() else { return };
        let mut routes = shared.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Ok(message)) = next else {
            routes.is_disconnected = true;
            return;
        };
        if let Some((key, response)) = read(&message) {
            routes.respond(key, response);
        }
    }
}

/// Parses a signal. Returns its notification and the response.
fn read(message: &Message) -> Option<(Key, NotificationResponse)> {
    let sender = sender(message)?;
    match message.header().member()?.as_str() {
        "ActionInvoked" => {
            let (id, action) = message.body().deserialize::<(u32, String)>().ok()?;
            Some(((sender, id), NotificationResponse::Invoked(action)))
        }
        "NotificationClosed" => {
            let (id, _reason) = message.body().deserialize::<(u32, u32)>().ok()?;
            Some(((sender, id), NotificationResponse::Closed))
        }
        _ => None,
    }
}

fn sender(message: &Message) -> Option<OwnedUniqueName> {
    message.header().sender().map(UniqueName::to_owned).map(OwnedUniqueName::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(service: &str, id: u32) -> Key {
        (UniqueName::try_from(service.to_owned()).unwrap().into(), id)
    }

    fn invoked(action: &str) -> NotificationResponse {
        NotificationResponse::Invoked(action.to_owned())
    }

    #[test]
    fn notification_response_from_another_sender_is_ignored() {
        let mut routes = Routes::default();
        let (responses, mut received) = mpsc::unbounded_channel();
        routes.listen(key(":1.5", 7), responses);
        routes.respond(key(":1.6", 7), invoked("cancel"));
        routes.respond(key(":1.5", 8), invoked("cancel"));
        assert!(received.try_recv().is_err());
        routes.respond(key(":1.5", 7), invoked("cancel"));
        assert_eq!(received.try_recv(), Ok(invoked("cancel")));
    }

    #[test]
    fn notification_response_is_delivered_even_if_it_precedes_reply_to_notify_call() {
        let mut routes = Routes { in_flight: 1, ..Routes::default() };
        routes.respond(key(":1.5", 7), NotificationResponse::Closed);
        routes.respond(key(":1.6", 7), invoked("cancel"));
        let (responses, mut received) = mpsc::unbounded_channel();
        routes.listen(key(":1.5", 7), responses);
        assert_eq!(received.try_recv(), Ok(NotificationResponse::Closed));
        assert!(received.try_recv().is_err(), "the other sender's response is not delivered");
    }

    #[test]
    fn responses_that_arrive_before_their_notification_are_stored_up_to_a_limit() {
        let mut routes = Routes { in_flight: 1, ..Routes::default() };
        (0..1000).for_each(|id| routes.respond(key(":1.6", id), invoked("cancel")));
        assert_eq!(routes.early.len(), MOST_EARLY);
    }

    #[test]
    fn newer_notification_listener_stays_active_after_older_one_is_removed() {
        let mut routes = Routes::default();
        let (responses, mut received) = mpsc::unbounded_channel();
        let old = routes.listen(key(":1.5", 7), responses.clone());
        let new = routes.listen(key(":1.5", 7), responses);
        routes.forget(&key(":1.5", 7), old);
        routes.respond(key(":1.5", 7), invoked("default"));
        assert_eq!(received.try_recv(), Ok(invoked("default")));
        routes.forget(&key(":1.5", 7), new);
        assert!(routes.listeners.is_empty());
    }
}
