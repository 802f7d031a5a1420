//! The services of a system: a message bus of a story's own, with NetworkManager, UPower and logind on it as far as Ashore speaks to them.
#![expect(missing_docs, reason = "zbus makes something for a signal that nobody can document")]
#![expect(clippy::unwrap_used, reason = "a story without its bus has failed, and says where")]

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, PipeReader, Read},
    os::fd::OwnedFd,
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;
use tokio::sync::mpsc;
use zbus::{Connection, connection::Builder, fdo, interface, object_server::SignalEmitter, zvariant};

use crate::home::in_time;

const CONFIGURATION: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=@FOLDER@</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
"#;

/// The bus; it ends when this is dropped, and everybody on it is alone.
#[derive(Debug)]
pub struct Bus {
    daemon: Child,
    /// Where it is.
    pub address: String,
    _folder: TempDir,
}

impl Bus {
    /// A new one with nobody on it.
    pub fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("ashore-bus-").tempdir().unwrap();
        let configuration = folder.path().join("bus.conf");
        fs::write(&configuration, CONFIGURATION.replace("@FOLDER@", &folder.path().to_string_lossy())).unwrap();
        let mut daemon = Command::new("dbus-daemon");
        daemon.arg("--config-file").arg(&configuration).args(["--nofork", "--nopidfile", "--print-address=1"]);
        let mut daemon = daemon.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, address: address.trim().to_owned(), _folder: folder }
    }

    async fn join(&self, name: &str) -> Connection {
        Builder::address(self.address.as_str()).unwrap().name(name).unwrap().build().await.unwrap()
    }
}

impl Bus {
    /// A peer that nobody invited sends the response `action` for the notifications 0 to `most`: to every connection, and to all
    /// at once.
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

    #[expect(clippy::too_many_arguments, reason = "the specification's")]
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

/// The desktop's notification service, as far as a button can be pressed. Dropped, it is gone from the bus.
#[derive(Debug)]
pub struct Notifications {
    shown: mpsc::UnboundedReceiver<u32>,
    bus: Connection,
}

impl Notifications {
    /// On this bus.
    pub async fn join(bus: &Bus) -> Self {
        let (sender, shown) = mpsc::unbounded_channel();
        let connection = Builder::address(bus.address.as_str()).unwrap();
        let connection = connection.serve_at(NOTIFICATIONS_PATH, Shower { next: 40, shown: sender }).unwrap();
        Self { shown, bus: connection.name(NOTIFICATIONS).unwrap().build().await.unwrap() }
    }

    /// The number of the next notification that is shown.
    pub async fn shown(&mut self) -> u32 {
        in_time("a notification is shown", self.shown.recv()).await.unwrap()
    }

    /// Presses a button of it, as a person would.
    pub async fn press(&self, id: u32, key: &str) {
        let emitter = SignalEmitter::new(&self.bus, NOTIFICATIONS_PATH).unwrap();
        Shower::action_invoked(&emitter, id, key).await.unwrap();
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
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

/// NetworkManager. Dropped, it is gone from the bus.
#[derive(Debug)]
pub struct Network(Connection);

impl Network {
    const PATH: &str = "/org/freedesktop/NetworkManager";
    /// No network.
    pub const NONE: u32 = 1;
    /// One that wants a sign-in first.
    pub const PORTAL: u32 = 2;
    /// The whole internet.
    pub const FULL: u32 = 4;
    /// It costs by what is used.
    pub const METERED: u32 = 1;
    /// It does not.
    pub const NOT_METERED: u32 = 2;

    /// With this connectivity, and not metered.
    pub async fn join(bus: &Bus, connectivity: u32) -> Self {
        let connection = Builder::address(bus.address.as_str()).unwrap();
        let connection = connection.serve_at(Self::PATH, Self::manager(connectivity)).unwrap();
        Self(connection.name("org.freedesktop.NetworkManager").unwrap().build().await.unwrap())
    }

    /// It is there, and answers nothing that it is asked.
    pub async fn join_silently(bus: &Bus) -> Self {
        Self(bus.join("org.freedesktop.NetworkManager").await)
    }

    /// A peer that has this name instead, and answers nothing that it is asked.
    pub async fn join_as(bus: &Bus, name: &str) -> Self {
        Self(bus.join(name).await)
    }

    /// It answers from now on, and tells nobody so.
    pub async fn answer(&self, connectivity: u32) {
        assert!(self.0.object_server().at(Self::PATH, Self::manager(connectivity)).await.unwrap());
    }

    fn manager(connectivity: u32) -> Manager {
        Manager { connectivity, metered: Self::NOT_METERED, primary: "/1".to_owned() }
    }

    /// It reaches so far from now on.
    pub async fn connectivity(&self, connectivity: u32) {
        let manager = self.0.object_server().interface::<_, Manager>(Self::PATH).await.unwrap();
        manager.get_mut().await.connectivity = connectivity;
        manager.get().await.connectivity_changed(manager.signal_emitter()).await.unwrap();
    }

    /// Whether it costs, from now on.
    pub async fn metered(&self, metered: u32) {
        let manager = self.0.object_server().interface::<_, Manager>(Self::PATH).await.unwrap();
        manager.get_mut().await.metered = metered;
        manager.get().await.metered_changed(manager.signal_emitter()).await.unwrap();
    }

    /// Another connection than before.
    pub async fn primary(&self, primary: &str) {
        let manager = self.0.object_server().interface::<_, Manager>(Self::PATH).await.unwrap();
        manager.get_mut().await.primary = primary.to_owned();
        manager.get().await.primary_connection_changed(manager.signal_emitter()).await.unwrap();
    }

    /// It ends.
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

/// UPower.
#[derive(Debug)]
pub struct Power(Connection);

impl Power {
    const PATH: &str = "/org/freedesktop/UPower";
    const BATTERY: &str = "/org/freedesktop/UPower/devices/DisplayDevice";

    /// On battery, with this charge.
    pub async fn join(bus: &Bus, percentage: f64) -> Self {
        let connection = bus.join("org.freedesktop.UPower.Preparing").await;
        connection.object_server().at(Self::PATH, Supply { is_on_battery: true }).await.unwrap();
        connection.object_server().at(Self::BATTERY, Battery { percentage }).await.unwrap();
        connection.request_name("org.freedesktop.UPower").await.unwrap();
        Self(connection)
    }

    /// The battery holds so many percent.
    pub async fn charge(&self, percentage: f64) {
        let battery = self.0.object_server().interface::<_, Battery>(Self::BATTERY).await.unwrap();
        battery.get_mut().await.percentage = percentage;
        battery.get().await.percentage_changed(battery.signal_emitter()).await.unwrap();
    }

    /// It does not run on battery any more.
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
    /// What it says when somebody asks whether it can.
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
        self.obey("power off", interactive)
    }

    fn suspend(&self, interactive: bool) -> fdo::Result<()> {
        self.obey("suspend", interactive)
    }

    #[zbus(property)]
    fn preparing_for_sleep(&self) -> bool {
        self.is_preparing
    }

    #[zbus(property)]
    fn idle_hint(&self) -> bool {
        self.is_idle
    }

    /// It begins, or has ended.
    #[zbus(signal)]
    async fn prepare_for_sleep(emitter: &SignalEmitter<'_>, begins: bool) -> zbus::Result<()>;
}

impl Seats {
    fn obey(&self, deed: &'static str, interactive: bool) -> fdo::Result<()> {
        assert!(!interactive, "nobody is there to be asked");
        if self.refuses {
            return Err(fdo::Error::AccessDenied("somebody else holds it back".to_owned()));
        }
        self.deeds.send(deed).unwrap();
        Ok(())
    }
}

/// logind.
#[derive(Debug)]
pub struct Login {
    connection: Connection,
    held: mpsc::UnboundedReceiver<PipeReader>,
    awake: mpsc::UnboundedReceiver<PipeReader>,
    deeds: mpsc::UnboundedReceiver<&'static str>,
}

/// Somebody holds sleep back with it.
#[derive(Debug)]
pub struct Held(PipeReader);

impl Login {
    const PATH: &str = "/org/freedesktop/login1";

    /// With nobody asleep, and somebody at work.
    pub async fn join(bus: &Bus) -> Self {
        Self::begin(bus, false).await
    }

    /// The same, and nobody may hold sleep back.
    pub async fn join_refusing(bus: &Bus) -> Self {
        Self::begin(bus, true).await
    }

    /// Whoever wants to may from now on.
    pub async fn allow(&self) {
        self.refuse(false).await;
    }

    /// From now on nobody may, or everybody.
    pub async fn refuse(&self, refuses: bool) {
        let seats = self.connection.object_server().interface::<_, Seats>(Self::PATH).await.unwrap();
        seats.get_mut().await.refuses = refuses;
    }

    /// What it says from now on when somebody asks whether it can sleep or go off.
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

    /// Waits until somebody keeps the machine awake.
    pub async fn kept_awake(&mut self) -> Held {
        Held(in_time("the machine is kept awake", self.awake.recv()).await.unwrap())
    }

    /// Whether somebody has kept it awake of whom nobody has asked yet.
    pub fn has_been_kept_awake(&mut self) -> bool {
        self.awake.try_recv().is_ok()
    }

    /// Waits until it is told to do something, and says what.
    pub async fn told(&mut self) -> &'static str {
        in_time("the machine is told to do something", self.deeds.recv()).await.unwrap()
    }

    /// What it was told to do that nobody has asked for yet.
    pub fn has_been_told(&mut self) -> Option<&'static str> {
        self.deeds.try_recv().ok()
    }

    /// Waits until somebody holds sleep back.
    pub async fn held_back(&mut self) -> Held {
        Held(in_time("sleep is held back", self.held.recv()).await.unwrap())
    }

    /// The machine is about to sleep, or has woken.
    pub async fn sleeps(&self, begins: bool) {
        let seats = self.connection.object_server().interface::<_, Seats>(Self::PATH).await.unwrap();
        seats.get_mut().await.is_preparing = begins;
        Seats::prepare_for_sleep(seats.signal_emitter(), begins).await.unwrap();
    }

    /// Nobody has worked at the machine for a while, or somebody does again.
    pub async fn idle(&self, is_idle: bool) {
        let seats = self.connection.object_server().interface::<_, Seats>(Self::PATH).await.unwrap();
        seats.get_mut().await.is_idle = is_idle;
        seats.get().await.idle_hint_changed(seats.signal_emitter()).await.unwrap();
    }
}

impl Held {
    /// Waits until it is let go.
    pub async fn let_go(mut self) {
        let ended = tokio::task::spawn_blocking(move || self.0.read(&mut [0]));
        assert_eq!(in_time("sleep is let go", ended).await.unwrap().unwrap(), 0);
    }
}
