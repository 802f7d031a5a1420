//! Decides from the engine's events which notifications are shown: one for each registration.
//!
//! `content.rs` composes the content, `live_notification.rs` keeps one notification on the screen, `pending.rs`
//! collects results for a summary, and `desktop_settings.rs` has the user's settings. A program must claim a result
//! before it shows the result, and only one program can claim it. Therefore the user is not notified twice.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_engine::{EngineEnv, EngineEvent, ListQuery, NotificationLevel, Registration, RegistrationState, UniqueId};
use ashore_rpc::MethodCall;
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::JoinSet,
    time::{Instant, sleep_until, timeout},
};

use crate::{
    engine::{
        client::EngineClient,
        desktop_settings::{CardMode, DesktopSettings},
    },
    notifications::{
        all_done::AllDoneDetector,
        calm_progress::{CalmProgress, ProgressCard},
        connection::{self, NotificationService},
        content::{self, NotificationAction, NotificationKind, NotificationText},
        live_notification::{self, DesiredNotification, DismissedNotifications, NotificationTarget},
        pending::{NotificationReceipt, PendingNotifications},
        persisted::PersistedNotifications,
    },
};

/// Maximum time to wait for the notification service. The next attempt follows after [`AGAIN`].
const PATIENCE: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_secs(30);

/// Maximum time to close notifications when Ashore exits.
const FAREWELL: Duration = Duration::from_secs(2);

/// Message to the notifier.
enum NotificationCommand {
    Event(EngineEvent),
    /// The engine is connected, so running registrations and pending results can be read.
    Opened,
    /// The window got or lost the focus.
    Focus(bool),
    News(NotificationText),
    /// Text of the countdown; `None` when the countdown is over.
    Countdown(Option<NotificationText>),
    Close(oneshot::Sender<()>),
}

/// Handle on the notifier. Cheap to clone.
#[derive(Clone)]
pub struct NotificationLoop(mpsc::UnboundedSender<NotificationCommand>);

impl NotificationLoop {
    /// Starts the notifier. `icon` is the icon of Ashore. `pressed` receives each pressed button and its registration,
    /// if any.
    pub fn start(
        door: EngineClient,
        icon: PathBuf,
        data_dir: &Path,
        pressed: impl Fn(Option<UniqueId>, NotificationAction) + Send + Sync + 'static,
    ) -> Self {
        let (words, heard) = mpsc::unbounded_channel();
        let room = ServiceRoom {
            door,
            icon,
            pressed: Arc::new(pressed),
            standing: PersistedNotifications::read(data_dir),
            desktop: None,
            missed: None,
            focused: false,
            env: EngineEnv::default(),
            wishes: None,
            running: HashMap::new(),
            calm: CalmProgress::default(),
            speed: 0,
            quiet_summary: DismissedNotifications::default(),
            debt: PendingNotifications::new(),
            busy: AllDoneDetector::default(),
            counts: false,
            cards: HashMap::new(),
            quiet: HashMap::new(),
            tasks: JoinSet::new(),
        };
        tokio::spawn(room.live(heard));
        Self(words)
    }

    /// Passes an event of the engine to the notifier.
    pub fn event(&self, event: EngineEvent) {
        self.send_command(NotificationCommand::Event(event));
    }

    /// Reports that the engine is connected or connected again.
    pub fn opened(&self) {
        self.send_command(NotificationCommand::Opened);
    }

    /// Reports whether the window has the focus.
    pub fn focus(&self, focused: bool) {
        self.send_command(NotificationCommand::Focus(focused));
    }

    /// Shows a notification that is not about one registration.
    pub fn news(&self, note: NotificationText) {
        self.send_command(NotificationCommand::News(note));
    }

    /// Shows, updates or closes the notification of the countdown.
    pub fn countdown(&self, note: Option<NotificationText>) {
        self.send_command(NotificationCommand::Countdown(note));
    }

    /// Closes the notifications that are correct only while Ashore runs. Returns after they are closed.
    pub async fn close(&self) {
        let (done, over) = oneshot::channel();
        self.send_command(NotificationCommand::Close(done));
        let _ = over.await;
    }

    fn send_command(&self, word: NotificationCommand) {
        // Ignore the error: sending fails only after the notifier was closed.
        let _ = self.0.send(word);
    }
}

/// Subject that identifies a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Of(UniqueId),
    /// Progress of several registrations.
    Progress,
    Digest,
    Countdown,
    News(u64),
}

struct ServiceRoom {
    door: EngineClient,
    icon: PathBuf,
    pressed: Arc<dyn Fn(Option<UniqueId>, NotificationAction) + Send + Sync>,
    standing: PersistedNotifications,
    desktop: Option<NotificationTarget>,
    /// Time of the last failed search for a notification service.
    missed: Option<Instant>,
    focused: bool,
    env: EngineEnv,
    /// Settings; `None` until they were read.
    wishes: Option<DesktopSettings>,
    running: HashMap<UniqueId, Registration>,
    calm: CalmProgress,
    /// Total speed of all downloads, in bytes per second.
    speed: u64,
    /// Whether the user has dismissed the summary of running downloads.
    quiet_summary: DismissedNotifications,
    debt: PendingNotifications,
    busy: AllDoneDetector,
    /// Whether a countdown is running.
    counts: bool,
    cards: HashMap<Place, watch::Sender<DesiredNotification>>,
    /// Kind of the dismissed notification of each unsettled registration.
    quiet: HashMap<UniqueId, DismissedNotifications>,
    tasks: JoinSet<()>,
}

impl ServiceRoom {
    async fn live(mut self, mut words: mpsc::UnboundedReceiver<NotificationCommand>) {
        self.listen_to_earlier().await;
        loop {
            let due = self.debt.due();
            tokio::select! {
                word = words.recv() => match word {
                    Some(NotificationCommand::Event(event)) => self.event(event).await,
                    Some(NotificationCommand::Opened) => self.read().await,
                    Some(NotificationCommand::Focus(focused)) => self.focus(focused),
                    Some(NotificationCommand::News(note)) => self.news(note).await,
                    Some(NotificationCommand::Countdown(note)) => self.countdown(note).await,
                    Some(NotificationCommand::Close(done)) => {
                        self.close().await;
                        let _ = done.send(());
                        return;
                    }
                    None => return,
                },
                () = async { sleep_until(due.unwrap_or_else(Instant::now)).await }, if due.is_some() => self.publish_due().await,
                Some(_) = self.tasks.join_next() => self.cards.retain(|_, card| card.receiver_count() > 0),
            }
        }
    }

    /// Starts to handle clicks on the buttons of notifications from an earlier process.
    async fn listen_to_earlier(&mut self) {
        // Connect first, because the connection starts notification services that run only on demand.
        if self.desktop().await.is_none() {
            return;
        }
        match timeout(PATIENCE, self.standing.earlier()).await {
            Ok(Ok(earlier)) => {
                let pressed = Arc::clone(&self.pressed);
                tokio::spawn(earlier.follow(move |about, press| pressed(about, press)));
            }
            Ok(Err(error)) => tracing::debug!(%error, "subscription to notifications of an earlier run failed"),
            Err(_) => tracing::debug!("session bus did not respond; notifications of an earlier run are ignored"),
        }
    }

    async fn event(&mut self, event: EngineEvent) {
        match event {
            EngineEvent::Changed { registration } => self.changed(*registration).await,
            EngineEvent::Progress { unique_id, downloaded, uploaded, expected_total, speed, .. } => {
                let Some(registration) = self.running.get_mut(&unique_id) else { return };
                registration.downloaded = downloaded;
                registration.uploaded = uploaded;
                registration.expected_total = expected_total;
                let note = content::under_way(registration, speed);
                self.show_progress(unique_id, note).await;
            }
            EngineEvent::Owed { registration } => self.queue_all([*registration]),
            EngineEvent::Removed { unique_id, .. } => {
                self.stops(unique_id);
                self.busy.removed(unique_id);
                self.quiet.remove(&unique_id);
                self.hide(Place::Of(unique_id));
            }
            EngineEvent::Totals { totals } => {
                self.speed = totals.speed;
                if self.busy.totals(&totals) {
                    // Schedule the summary instead of showing it now, because the end event of the last registration
                    // may still follow.
                    self.debt.soon(Instant::now());
                }
            }
            // Ignore these events: this subscription receives no end events of owners, and sync has no notifications.
            EngineEvent::Ended { .. } | EngineEvent::Clicked { .. } | EngineEvent::Sync => {}
            EngineEvent::Settings => self.read_wishes().await,
            EngineEvent::Lagged => self.read().await,
        }
    }

    async fn changed(&mut self, registration: Registration) {
        let place = Place::Of(registration.unique_id);
        self.busy.changed(&registration);
        match registration.state {
            RegistrationState::Settled => {
                // Do not close the notification before a program has claimed the result. If the result is already
                // shown, update it, because its title may have changed.
                self.stops(registration.unique_id);
                self.quiet.remove(&registration.unique_id);
                self.say_anew(place, &registration);
                return;
            }
            RegistrationState::Running => {
                self.calm.runs(registration.unique_id, Instant::now());
                self.running.insert(registration.unique_id, registration.clone());
            }
            RegistrationState::Waiting => {
                self.running.remove(&registration.unique_id);
            }
            RegistrationState::Paused => self.stops(registration.unique_id),
        }
        if let Some(quiet) = self.quiet.get(&registration.unique_id) {
            quiet.on_response(content::under_way(&registration, 0).kind);
        }
        // Show a notification only at the first bytes, so that a registration that ends immediately has one
        // notification instead of two.
        if self.cards.contains_key(&place) {
            self.show_progress(registration.unique_id, content::under_way(&registration, 0)).await;
        }
    }

    /// Records that a registration no longer runs. Closes the summary of running registrations if too few are left.
    fn stops(&mut self, unique_id: UniqueId) {
        self.running.remove(&unique_id);
        self.calm.ends(unique_id);
        if !self.calm.has_summary(Instant::now()) {
            self.hide(Place::Progress);
            self.quiet_summary = DismissedNotifications::default();
        }
    }

    /// Shows the progress of a registration if the settings allow it, or else closes the progress notification.
    async fn show_progress(&mut self, unique_id: UniqueId, note: NotificationText) {
        let wishes = self.wishes.as_ref().filter(|wishes| wishes.shows_progress(self.focused, &self.env));
        let card = match wishes.map(|wishes| wishes.telling) {
            // A paused or waiting registration keeps its notification.
            Some(NotificationLevel::Calm) if note.kind == NotificationKind::Running => self.calm.card(unique_id, Instant::now()),
            Some(_) => ProgressCard::Own,
            None => ProgressCard::Hidden,
        };
        match card {
            ProgressCard::Own => self.show(Place::Of(unique_id), note).await,
            ProgressCard::Hidden => self.hide_under_way(|place| place == Place::Of(unique_id)),
            ProgressCard::Summary => self.show_summary().await,
        }
    }

    /// Shows the progress of all long downloads in one notification, instead of one notification for each.
    async fn show_summary(&mut self) {
        // Paused downloads keep their notifications.
        self.hide_under_way(|place| matches!(place, Place::Of(unique_id) if self.running.contains_key(&unique_id)));
        let shown: Vec<_> = self.calm.shown(Instant::now()).filter_map(|id| self.running.get(&id)).collect();
        let note = content::several_under_way(&shown, self.speed);
        self.show(Place::Progress, note).await;
    }

    /// Updates the text of a result that is on the screen.
    fn say_anew(&self, place: Place, registration: &Registration) {
        let (Some(card), Some(note)) = (self.cards.get(&place), content::settled(registration)) else { return };
        card.send_if_modified(|wanted| match wanted {
            DesiredNotification::Note(told) if told.kind == note.kind && **told != note => {
                **told = note;
                true
            }
            _ => false,
        });
    }

    /// Reads the settings. Pending results may become due after a change.
    async fn read_wishes(&mut self) {
        match DesktopSettings::read(&self.door).await {
            Ok(wishes) => self.wishes = Some(wishes),
            Err(trouble) => return tracing::warn!(trouble.text, "settings could not be read"),
        }
        self.hide_what_is_not_wanted();
        self.debt.look(Instant::now());
    }

    /// Reads settings, running registrations and pending results from the engine.
    async fn read(&mut self) {
        self.read_wishes().await;
        let query = ListQuery { active: Some(true), ..ListQuery::default() };
        if let Ok(active) = self.door.ask::<Vec<Registration>>(MethodCall::List(query)).await {
            self.running.clear();
            for registration in active {
                self.changed(registration).await;
            }
        }
        if let Ok(owed) = self.door.ask::<Vec<Registration>>(MethodCall::Owed { owner: None }).await {
            self.queue_all(owed);
        }
    }

    fn queue_all(&mut self, owed: impl IntoIterator<Item = Registration>) {
        for registration in owed {
            if self.debt.queue(registration.clone(), Instant::now()) {
                self.busy.ended(&registration);
            }
        }
    }

    /// Claims the pending results. Shows only those that no other program has claimed.
    async fn publish_due(&mut self) {
        let Some(wishes) = self.wishes.clone() else {
            // Drop the results, because they cannot be claimed without the engine. They are read again after the next
            // connection.
            self.debt.take();
            return;
        };
        let way = wishes.card_mode(self.focused, &self.env);
        if let CardMode::Later(until_us) = way {
            self.hide_what_is_not_wanted();
            let wait = until_us.saturating_sub((self.env.now_us)()).max(0).unsigned_abs();
            return self.debt.wait(Duration::from_micros(wait), Instant::now());
        }
        if self.debt.is_late() {
            // Reset the counters, because the delayed summary covers all results.
            self.busy.forget_ends();
        }
        let over = self.busy.finish().filter(|_| wishes.all_done && way == CardMode::Shown);
        let owed = self.debt.take();
        // Without a notification service, claim the results only if the user sees them in the focused window.
        if way == CardMode::Shown && self.desktop().await.is_none() && !self.focused {
            return;
        }
        let mut ours = Vec::new();
        for registration in owed {
            let unique_id = registration.unique_id;
            match self.door.ask::<bool>(MethodCall::Claim { unique_id }).await {
                Ok(true) if way == CardMode::Shown && content::settled(&registration).is_some() => ours.push(registration),
                Ok(true) => self.hide(Place::Of(unique_id)),
                Ok(false) => self.settled_elsewhere(unique_id),
                Err(trouble) => {
                    tracing::warn!(%unique_id, trouble.text, "result of a registration could not be claimed; no notification shown")
                }
            }
        }
        self.show_ends(ours).await;
        if let Some((done, failed)) = over {
            self.news(content::all_done(done, failed)).await;
        }
    }

    async fn show_ends(&mut self, ours: Vec<Registration>) {
        let unique_ids: Vec<_> = ours.iter().map(|one| one.unique_id).collect();
        let stands = self.cards.get(&Place::Digest).is_some_and(|card| card.receiver_count() > 0);
        match self.debt.take_notifications(ours, stands, Instant::now()) {
            NotificationReceipt::Each(each) => {
                for registration in each {
                    if let Some(note) = content::settled(&registration) {
                        self.show(Place::Of(registration.unique_id), note).await;
                    }
                }
            }
            NotificationReceipt::Digest(tally, replaced) => {
                unique_ids.into_iter().chain(replaced).for_each(|unique_id| self.hide(Place::Of(unique_id)));
                self.show(Place::Digest, content::digest(&tally)).await;
            }
        }
    }

    /// Closes the progress notification of a registration, because another program shows the result.
    ///
    /// If this program already shows the result, the notification stays on the screen.
    fn settled_elsewhere(&mut self, unique_id: UniqueId) {
        let place = Place::Of(unique_id);
        let under_way = self.cards.get(&place).is_some_and(|card| match &*card.borrow() {
            DesiredNotification::Note(note) => note.kind.is_under_way(),
            DesiredNotification::Gone => false,
        });
        if under_way {
            self.hide(place);
        }
    }

    fn focus(&mut self, focused: bool) {
        self.focused = focused;
        self.hide_what_is_not_wanted();
    }

    fn hide_what_is_not_wanted(&self) {
        if self.wishes.as_ref().is_some_and(|wishes| !wishes.shows_progress(self.focused, &self.env)) {
            self.hide_under_way(|_| true);
        }
    }

    /// Closes the progress notifications at the places that `is_meant` selects.
    fn hide_under_way(&self, is_meant: impl Fn(Place) -> bool) {
        for (_, card) in self.cards.iter().filter(|(place, _)| is_meant(**place)) {
            card.send_if_modified(|wanted| match wanted {
                DesiredNotification::Note(note) if note.kind.is_under_way() => {
                    *wanted = DesiredNotification::Gone;
                    true
                }
                _ => false,
            });
        }
    }

    async fn news(&mut self, note: NotificationText) {
        let next = self.cards.keys().filter_map(|place| match place {
            Place::News(number) => Some(number + 1),
            Place::Of(_) | Place::Progress | Place::Digest | Place::Countdown => None,
        });
        let place = Place::News(next.max().unwrap_or(0));
        self.show(place, note).await;
    }

    /// Shows the countdown regardless of the settings, because the user chose the power action.
    ///
    /// A dismissed countdown is not shown again.
    async fn countdown(&mut self, note: Option<NotificationText>) {
        match note {
            None => {
                self.counts = false;
                self.hide(Place::Countdown);
            }
            Some(note) if !self.counts => {
                self.counts = true;
                self.show(Place::Countdown, note).await;
            }
            Some(note) => {
                if let Some(card) = self.cards.get(&Place::Countdown) {
                    card.send_replace(DesiredNotification::Note(Box::new(note)));
                }
            }
        }
    }

    async fn show(&mut self, place: Place, note: NotificationText) {
        let wanted = DesiredNotification::Note(Box::new(note));
        if let Some(card) = self.cards.get(&place)
            && card.receiver_count() > 0
            && *card.borrow() != DesiredNotification::Gone
        {
            card.send_replace(wanted);
            return;
        }
        let Some(desktop) = self.desktop().await else { return };
        let (card, wanted) = watch::channel(wanted);
        self.cards.insert(place, card);
        let pressed = Arc::clone(&self.pressed);
        let about = match place {
            Place::Of(unique_id) => Some(unique_id),
            Place::Progress | Place::Digest | Place::Countdown | Place::News(_) => None,
        };
        let quiet = match place {
            Place::Of(unique_id) => self.quiet.entry(unique_id).or_default().clone(),
            Place::Progress => self.quiet_summary.clone(),
            Place::Digest | Place::Countdown | Place::News(_) => DismissedNotifications::default(),
        };
        let standing = self.standing.clone();
        let stands = move |id, kind: Option<NotificationKind>| match kind {
            Some(kind) => standing.stands(id, about, kind.goes_with_ashore()),
            None => standing.is_gone(id),
        };
        self.tasks
            .spawn(async move { live_notification::run(desktop, wanted, quiet, |press| pressed(about, press), stands).await });
    }

    fn hide(&mut self, place: Place) {
        if let Some(card) = self.cards.get(&place) {
            card.send_replace(DesiredNotification::Gone);
        }
    }

    /// Returns the notification service and its capabilities. Without a service, returns `None` and logs this once.
    async fn desktop(&mut self) -> Option<NotificationTarget> {
        self.desktop.take_if(|desktop| desktop.service.is_disconnected());
        let asked_lately = self.missed.is_some_and(|at| at.elapsed() < AGAIN);
        if self.desktop.is_none() && !asked_lately {
            let missing = match timeout(PATIENCE, connect(&self.icon)).await {
                Ok(Ok(desktop)) => {
                    self.desktop = Some(desktop);
                    None
                }
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("no answer".to_owned()),
            };
            if let Some(why) = missing
                && self.missed.replace(Instant::now()).is_none()
            {
                tracing::warn!(why, "notification service not available; continuing without notifications");
            }
        }
        self.desktop.clone()
    }

    async fn close(&mut self) {
        self.hide_under_way(|_| true);
        self.hide(Place::Countdown);
        // Notifications of results stay on the screen, but their buttons no longer work.
        self.cards.retain(|_, card| *card.borrow() == DesiredNotification::Gone);
        let _ = timeout(FAREWELL, async { while self.tasks.join_next().await.is_some() {} }).await;
    }
}

/// Whether a notification service answers.
pub async fn is_available() -> bool {
    let asked = async { connection::capabilities(&zbus::Connection::session().await?).await };
    matches!(timeout(PATIENCE, asked).await, Ok(Ok(_)))
}

/// Connects to the desktop's notification service and reads its capabilities.
async fn connect(icon: &Path) -> zbus::Result<NotificationTarget> {
    let service = NotificationService::connect().await?;
    let capabilities = service.capabilities().await?;
    let is_able = |capability: &str| capabilities.iter().any(|one| one == capability);
    let (markup, buttons) = (is_able("body-markup"), is_able("actions"));
    Ok(NotificationTarget { service, icon: icon.to_owned(), markup, buttons })
}
