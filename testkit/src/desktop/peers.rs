//! Imitates system services on a private message bus.
//!
//! The services are NetworkManager, UPower and logind, with the functions that Ashore uses.
#![expect(missing_docs, reason = "zbus generates items for a signal, which cannot be documented")]

use std::{
    collections::HashMap,
    io::{PipeReader, Read},
    os::fd::OwnedFd,
};

use tempfile::TempDir;
use tokio::sync::mpsc;
use zbus::{Connection, connection::Builder, fdo, interface, object_server::SignalEmitter, zvariant};

use crate::{desktop::message_bus, processes::running::RunningProgram, waits::in_time};

/// A message bus. It ends when this value is dropped.
#[derive(Debug)]
pub struct Bus {
    _daemon: RunningProgram,
    /// Address of the bus.
    pub address: String,
    _folder: TempDir,
}

impl Bus {
    /// Starts a bus without any peers.
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("ashore-bus-").tempdir().unwrap();
        let (daemon, address) = message_bus::start(folder.path()).unwrap();
        Self { _daemon: daemon, address, _folder: folder }
    }

    async fn join(&self, name: &str) -> Connection {
        Builder::address(self.address.as_str()).unwrap().name(name).unwrap().build().await.unwrap()
    }
}

impl Bus {
    /// Sends forged signals from another peer. For each notification id below `most`, one signal reports that the
    /// button `action` was pressed, and another reports that the notification was closed. Every signal is sent to each
    /// connection and as a broadcast.
    pub async fn intrude(&self, most: u32, action: &str) {
        let intruder = Builder::address(self.address.as_str()).unwrap().build().await.unwrap();
        let names = fdo::DBusProxy::new(&intruder).await.unwrap().list_names().await.unwrap();
        let unique = names.iter().filter(|name| name.starts_with(':')).map(|name| Some(name.as_str()));
        for recipient in unique.chain([None]) {
            for id in 0..most {
                intruder.emit_signal(recipient, NOTIFICATIONS_PATH, NOTIFICATIONS, "ActionInvoked", &(id, action)).await.unwrap();
                intruder
                    .emit_signal(recipient, NOTIFICATIONS_PATH, NOTIFICATIONS, "NotificationClosed", &(id, 2_u32))
                    .await
                    .unwrap();
            }
        }
    }
}

const NOTIFICATIONS: &str = "org.freedesktop.Notifications";
const NOTIFICATIONS_PATH: &str = "/org/freedesktop/Notifications";

struct Shower {
    next: u32,
    shown: mpsc::UnboundedSender<u32>,
}

#[interface(name = "org.freedesktop.Notifications")]
impl Shower {
    fn get_capabilities(&self) -> Vec<&str> {
        vec!["actions", "body"]
    }

    fn get_server_information(&self) -> (&str, &str, &str, &str) {
        ("peer", "Ashore", "1", "1.2")
    }

    #[expect(clippy::too_many_arguments, reason = "the specification defines the arguments")]
    fn notify(
        &mut self,
        _app_name: String,
        replaces_id: u32,
        _app_icon: String,
        _summary: String,
        _body: String,
        _actions: Vec<String>,
        _hints: HashMap<String, zvariant::OwnedValue>,
        _expire_timeout: i32,
    ) -> u32 {
        let id = if replaces_id == 0 { self.next } else { replaces_id };
        self.next = self.next.max(id) + 1;
        let _ = self.shown.send(id);
        id
    }

    fn close_notification(&self, _id: u32) {}

    #[zbus(signal)]
    async fn action_invoked(emitter: &SignalEmitter<'_>, id: u32, action_key: &str) -> zbus::Result<()>;
}

/// Notification service of the desktop. Tests use it to press notification buttons. Dropping the service removes it
/// from the bus.
#[derive(Debug)]
pub struct Notifications {
    shown: mpsc::UnboundedReceiver<u32>,
    bus: Connection,
}

impl Notifications {
    /// Connects the service to this bus.
    pub async fn join(bus: &Bus) -> Self {
        let (sender, shown) = mpsc::unbounded_channel();
        let connection = Builder::address(bus.address.as_str()).unwrap();
        let connection = connection.serve_at(NOTIFICATIONS_PATH, Shower { next: 40, shown: sender }).unwrap();
        Self { shown, bus: connection.name(NOTIFICATIONS).unwrap().build().await.unwrap() }
    }

    /// Waits for the next notification and returns its id.
    pub async fn shown(&mut self) -> u32 {
        in_time("a notification is shown", self.shown.recv()).await.unwrap()
    }

    /// Presses a notification button, as a user would.
    pub async fn press(&self, id: u32, key: &str) {
        let emitter = SignalEmitter::new(&self.bus, NOTIFICATIONS_PATH).unwrap();
        Shower::action_invoked(&emitter, id, key).await.unwrap();
    }
}

struct Manager {
    connectivity: u32,
    metered: u32,
    primary: String,
}

#[interface(name = "org.freedesktop.NetworkManager")]
impl Manager {
    #[zbus(property)]
    fn connectivity(&self) -> u32 {
        self.connectivity
    }

    #[zbus(property)]
    fn metered(&self) -> u32 {
        self.metered
    }

    #[zbus(property)]
    fn primary_connection(&self) -> zvariant::OwnedObjectPath {
        self.primary.as_str().try_into().unwrap()
    }
}

/// NetworkManager service. Dropping the object removes the service from the bus.
#[derive(Debug)]
pub struct Network(Connection);

impl Network {
    const PATH: &str = "/org/freedesktop/NetworkManager";
    /// Connectivity: no network.
    pub const NONE: u32 = 1;
    /// Connectivity: a captive portal that requires a sign-in.
    pub const PORTAL: u32 = 2;
    /// Connectivity: full internet access.
    pub const FULL: u32 = 4;
    /// The connection is metered.
    pub const METERED: u32 = 1;
    /// The connection is not metered.
    pub const NOT_METERED: u32 = 2;

    /// Joins the bus with this connectivity and a connection that is not metered.
    pub async fn join(bus: &Bus, connectivity: u32) -> Self {
        let connection = Builder::address(bus.address.as_str()).unwrap();
        let connection = connection.serve_at(Self::PATH, Self::manager(connectivity)).unwrap();
        Self(connection.name("org.freedesktop.NetworkManager").unwrap().build().await.unwrap())
    }

    /// Joins the bus as a NetworkManager that answers no calls.
    pub async fn join_silently(bus: &Bus) -> Self {
        Self(bus.join("org.freedesktop.NetworkManager").await)
    }

    /// Joins the bus under this name, and answers no calls.
    pub async fn join_as(bus: &Bus, name: &str) -> Self {
        Self(bus.join(name).await)
    }

    /// Starts to answer calls. Emits no signal.
    pub async fn answer(&self, connectivity: u32) {
        assert!(self.0.object_server().at(Self::PATH, Self::manager(connectivity)).await.unwrap());
    }

    fn manager(connectivity: u32) -> Manager {
        Manager { connectivity, metered: Self::NOT_METERED, primary: "/1".to_owned() }
    }

    /// Changes the connectivity and emits the signal about the change.
    pub async fn connectivity(&self, connectivity: u32) {
        let manager = self.0.object_server().interface::<_, Manager>(Self::PATH).await.unwrap();
        manager.get_mut().await.connectivity = connectivity;
        manager.get().await.connectivity_changed(manager.signal_emitter()).await.unwrap();
    }

    /// Sets whether the connection is metered, and emits the signal about the change.
    pub async fn metered(&self, metered: u32) {
        let manager = self.0.object_server().interface::<_, Manager>(Self::PATH).await.unwrap();
        manager.get_mut().await.metered = metered;
        manager.get().await.metered_changed(manager.signal_emitter()).await.unwrap();
    }

    /// Changes the primary connection and emits the signal about the change.
    pub async fn primary(&self, primary: &str) {
        let manager = self.0.object_server().interface::<_, Manager>(Self::PATH).await.unwrap();
        manager.get_mut().await.primary = primary.to_owned();
        manager.get().await.primary_connection_changed(manager.signal_emitter()).await.unwrap();
    }

    /// Leaves the bus.
    pub async fn leave(self) {
        self.0.close().await.unwrap();
    }
}

struct Supply {
    is_on_battery: bool,
}

#[interface(name = "org.freedesktop.UPower")]
impl Supply {
    #[zbus(property)]
    fn on_battery(&self) -> bool {
        self.is_on_battery
    }
}

struct Battery {
    percentage: f64,
}

#[interface(name = "org.freedesktop.UPower.Device")]
impl Battery {
    #[zbus(property)]
    fn percentage(&self) -> f64 {
        self.percentage
    }
}

/// UPower service.
#[derive(Debug)]
pub struct Power(Connection);

impl Power {
    const PATH: &str = "/org/freedesktop/UPower";
    const BATTERY: &str = "/org/freedesktop/UPower/devices/DisplayDevice";

    /// Joins the bus as the UPower of a machine that runs on battery. `percentage` is the charge of the battery.
    pub async fn join(bus: &Bus, percentage: f64) -> Self {
        let connection = bus.join("org.freedesktop.UPower.Preparing").await;
        connection.object_server().at(Self::PATH, Supply { is_on_battery: true }).await.unwrap();
        connection.object_server().at(Self::BATTERY, Battery { percentage }).await.unwrap();
        connection.request_name("org.freedesktop.UPower").await.unwrap();
        Self(connection)
    }

    /// Changes the charge of the battery. The new charge is in percent.
    pub async fn charge(&self, percentage: f64) {
        let battery = self.0.object_server().interface::<_, Battery>(Self::BATTERY).await.unwrap();
        battery.get_mut().await.percentage = percentage;
        battery.get().await.percentage_changed(battery.signal_emitter()).await.unwrap();
    }

    /// Switches from battery to mains power.
    pub async fn plugged_in(&self) {
        let supply = self.0.object_server().interface::<_, Supply>(Self::PATH).await.unwrap();
        supply.get_mut().await.is_on_battery = false;
        supply.get().await.on_battery_changed(supply.signal_emitter()).await.unwrap();
    }
}

struct Seats {
    held: mpsc::UnboundedSender<PipeReader>,
    awake: mpsc::UnboundedSender<PipeReader>,
    deeds: mpsc::UnboundedSender<&'static str>,
    is_preparing: bool,
    is_idle: bool,
    refuses: bool,
    /// Answer to queries about whether the machine can sleep or power off.
    can: &'static str,
}

#[interface(name = "org.freedesktop.login1.Manager")]
impl Seats {
    fn inhibit(&self, what: &str, who: &str, why: &str, mode: &str) -> fdo::Result<zvariant::OwnedFd> {
        if self.refuses {
            return Err(fdo::Error::LimitsExceeded("too many hold it back".to_owned()));
        }
        assert_eq!((what, who, why.is_empty()), ("sleep", "Ashore", false));
        let (reader, writer) = std::io::pipe().unwrap();
        let held = match mode {
            "delay" => &self.held,
            "block" => &self.awake,
            other => return Err(fdo::Error::InvalidArgs(format!("{other} is no mode"))),
        };
        held.send(reader).unwrap();
        Ok(OwnedFd::from(writer).into())
    }

    fn can_power_off(&self) -> &str {
        self.can
    }

    fn can_suspend(&self) -> &str {
        self.can
    }

    fn power_off(&self, interactive: bool) -> fdo::Result<()> {
        self.record_command("power off", interactive)
    }

    fn suspend(&self, interactive: bool) -> fdo::Result<()> {
        self.record_command("suspend", interactive)
    }

    #[zbus(property)]
    fn preparing_for_sleep(&self) -> bool {
        self.is_preparing
    }

    #[zbus(property)]
    fn idle_hint(&self) -> bool {
        self.is_idle
    }

    /// Signal that the machine is about to sleep, or has woken.
    #[zbus(signal)]
    async fn prepare_for_sleep(emitter: &SignalEmitter<'_>, begins: bool) -> zbus::Result<()>;
}

impl Seats {
    fn record_command(&self, deed: &'static str, interactive: bool) -> fdo::Result<()> {
        assert!(!interactive, "no user can answer a question");
        if self.refuses {
            return Err(fdo::Error::AccessDenied("somebody else holds it back".to_owned()));
        }
        self.deeds.send(deed).unwrap();
        Ok(())
    }
}

/// logind service.
#[derive(Debug)]
pub struct Login {
    connection: Connection,
    held: mpsc::UnboundedReceiver<PipeReader>,
    awake: mpsc::UnboundedReceiver<PipeReader>,
    deeds: mpsc::UnboundedReceiver<&'static str>,
}

/// Lock with which a client blocks or delays the sleep of the machine.
#[derive(Debug)]
pub struct SleepInhibitor(PipeReader);

impl Login {
    const PATH: &str = "/org/freedesktop/login1";

    /// Joins the bus as the logind of a machine that is awake and in use.
    pub async fn join(bus: &Bus) -> Self {
        Self::begin(bus, false).await
    }

    /// Joins the bus and refuses every inhibitor.
    pub async fn join_refusing(bus: &Bus) -> Self {
        Self::begin(bus, true).await
    }

    /// Permits all later inhibitors and power commands.
    pub async fn allow(&self) {
        self.refuse(false).await;
    }

    /// Sets whether later inhibitors and power commands are refused.
    pub async fn refuse(&self, refuses: bool) {
        let seats = self.connection.object_server().interface::<_, Seats>(Self::PATH).await.unwrap();
        seats.get_mut().await.refuses = refuses;
    }

    /// Sets the answer to queries about whether the machine can sleep or power off.
    pub async fn can(&self, answer: &'static str) {
        let seats = self.connection.object_server().interface::<_, Seats>(Self::PATH).await.unwrap();
        seats.get_mut().await.can = answer;
    }

    async fn begin(bus: &Bus, refuses: bool) -> Self {
        let (held, taken) = mpsc::unbounded_channel();
        let (awake, kept) = mpsc::unbounded_channel();
        let (deeds, done) = mpsc::unbounded_channel();
        let seats = Seats { held, awake, deeds, is_preparing: false, is_idle: false, refuses, can: "yes" };
        let connection = Builder::address(bus.address.as_str()).unwrap().serve_at(Self::PATH, seats).unwrap();
        let connection = connection.name("org.freedesktop.login1").unwrap().build().await.unwrap();
        Self { connection, held: taken, awake: kept, deeds: done }
    }

    /// Waits until a client blocks sleep, and returns its inhibitor.
    pub async fn kept_awake(&mut self) -> SleepInhibitor {
        SleepInhibitor(in_time("the machine is kept awake", self.awake.recv()).await.unwrap())
    }

    /// Returns whether a client has blocked sleep since the test last fetched an inhibitor.
    pub fn has_been_kept_awake(&mut self) -> bool {
        self.awake.try_recv().is_ok()
    }

    /// Waits for the next power command and returns it.
    pub async fn next_command(&mut self) -> &'static str {
        in_time("a power command arrives", self.deeds.recv()).await.unwrap()
    }

    /// Returns the next power command without waiting; `None` if there is none yet.
    pub fn has_been_told(&mut self) -> Option<&'static str> {
        self.deeds.try_recv().ok()
    }

    /// Waits until a client delays sleep, and returns its inhibitor.
    pub async fn held_back(&mut self) -> SleepInhibitor {
        SleepInhibitor(in_time("sleep is held back", self.held.recv()).await.unwrap())
    }

    /// Emits the signal that the machine is about to sleep or has woken.
    pub async fn sleeps(&self, begins: bool) {
        let seats = self.connection.object_server().interface::<_, Seats>(Self::PATH).await.unwrap();
        seats.get_mut().await.is_preparing = begins;
        Seats::prepare_for_sleep(seats.signal_emitter(), begins).await.unwrap();
    }

    /// Changes the idle hint and emits the signal about the change.
    pub async fn idle(&self, is_idle: bool) {
        let seats = self.connection.object_server().interface::<_, Seats>(Self::PATH).await.unwrap();
        seats.get_mut().await.is_idle = is_idle;
        seats.get().await.idle_hint_changed(seats.signal_emitter()).await.unwrap();
    }
}

impl SleepInhibitor {
    /// Waits until the inhibitor is released.
    pub async fn released(mut self) {
        let ended = tokio::task::spawn_blocking(move || self.0.read(&mut [0]));
        assert_eq!(in_time("the inhibitor of sleep is released", ended).await.unwrap().unwrap(), 0);
    }
}
