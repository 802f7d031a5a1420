//! Watches NetworkManager, UPower and logind over the system message bus.
//!
//! - A single task watches all three services. The task queries each service once; later changes are reported by
//!   signals.
//! - If a service is missing, stops or does not answer, its part of the state is unknown; the engine continues. When
//!   the bus name of the service gets an owner again, the service is queried again.
//! - Without a bus, each tick of the loop tries to connect to one. Each tick also queries again every service that did
//!   not answer.
//! - This module has no thread and no timer of its own: an idle desktop costs nothing.

use std::{io, sync::Arc, time::Duration};

use futures_util::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{BoxStream, select_all},
};
use tokio::{net::UnixStream, time::timeout};
use zbus::{
    Address, Connection, Proxy,
    address::transport::{Transport, UnixSocket},
    fdo,
    proxy::CacheProperties,
    zvariant::{OwnedFd, OwnedObjectPath, OwnedValue},
};

use ashore_messages::{UserMessage, message};

use crate::{
    context::shared::EngineContext,
    gates::decision::{NetworkConnectivity, NetworkState, PowerState, SystemState},
};

/// Maximum wait for the answer of a service; after that its state is unknown.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum delay of sleep.
///
/// By default, logind itself waits for only 5 seconds and then sleeps anyway.
const REST_PATIENCE: Duration = Duration::from_secs(20);
const NETWORK: (&str, &str) = ("org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager");
const POWER: (&str, &str) = ("org.freedesktop.UPower", "/org/freedesktop/UPower");
const BATTERY: (&str, &str) = ("org.freedesktop.UPower", "/org/freedesktop/UPower/devices/DisplayDevice");
const LOGIN: (&str, &str) = ("org.freedesktop.login1", "/org/freedesktop/login1");
const MANAGER: &str = "org.freedesktop.login1.Manager";

/// Watches the desktop until the future is dropped.
pub(crate) async fn watch(shared: Arc<EngineContext>) {
    loop {
        match Bus::join(shared.env.system_bus).await {
            Ok(bus) => {
                while bus.follow(&shared).await == Ended::OtherWishes {}
                change(&shared, |desktop| *desktop = SystemState::unknown(&message!("cause.bus-gone")));
            }
            Err(error) => {
                let why = message!("cause.no-bus", why = error.to_string());
                change(&shared, |desktop| *desktop = SystemState::unknown(&why));
            }
        }
        shared.known.tick.notified().await;
    }
}

/// Queries every service once, for a caller that does not watch for changes.
pub(crate) async fn look(shared: &EngineContext) -> SystemState {
    match Bus::join(shared.env.system_bus).await {
        Ok(bus) => SystemState {
            network: bus.network().await,
            power: bus.power(shared).await,
            is_falling_asleep: bus.is_falling_asleep().await,
            is_idle: bus.is_idle().await,
        },
        Err(error) => SystemState::unknown(&message!("cause.no-bus", why = error.to_string())),
    }
}

/// Signal of a service.
///
/// Every signal except `Sleep` causes a query, because the value in a signal may be outdated on arrival.
#[derive(Clone, Copy, Debug)]
enum Said {
    Network,
    Power,
    /// A property of logind has changed.
    Login,
    Sleep(bool),
    /// logind started, stopped or restarted, and has released the locks of this engine.
    SleepAnew,
}

/// Reason why the watch has ended.
#[derive(PartialEq, Eq)]
enum Ended {
    Gone,
    /// The settings now require watching different services.
    OtherWishes,
}

struct Bus {
    network: Proxy<'static>,
    power: Proxy<'static>,
    battery: Proxy<'static>,
    login: Proxy<'static>,
    /// Proxy for logind's own interface; the other proxies use the interface for properties.
    manager: Proxy<'static>,
}

impl Bus {
    async fn join(address: fn() -> Option<String>) -> Result<Self, zbus::Error> {
        in_time(async {
            let address = match address() {
                Some(address) => address.parse()?,
                None => Address::system()?,
            };
            knock(&address).await.map_err(|error| zbus::Error::InputOutput(Arc::new(error)))?;
            let bus = zbus::connection::Builder::address(address)?.build().await?;
            Ok(Self {
                network: properties(&bus, NETWORK).await?,
                power: properties(&bus, POWER).await?,
                battery: properties(&bus, BATTERY).await?,
                login: properties(&bus, LOGIN).await?,
                manager: proxy(&bus, LOGIN, MANAGER).await?,
            })
        })
        .await
    }

    async fn follow(&self, shared: &EngineContext) -> Ended {
        // Subscribe before the first query, so that no change is missed.
        let mut said = match in_time(self.listen(shared)).await {
            Ok(said) => said,
            Err(error) => {
                tracing::warn!(%error, "subscription to system bus signals failed");
                return Ended::Gone;
            }
        };
        self.ask_everybody(shared).await;
        let mut inhibitor = self.hold_back_sleep().await;
        let mut running = shared.known.is_running.subscribe();
        let mut wakefulness = None;
        loop {
            let is_kept_awake = *running.borrow_and_update() && shared.settings().keep_awake;
            match (is_kept_awake, &wakefulness) {
                (true, None) => wakefulness = self.keep_awake().await,
                (false, Some(_)) => wakefulness = None,
                (true, Some(_)) | (false, None) => {}
            }
            tokio::select! {
                heard = said.next() => match heard.flatten() {
                    None => return Ended::Gone,
                    Some(Said::Network) => {
                        let network = self.network().await;
                        change(shared, |desktop| desktop.network = network);
                    }
                    Some(Said::Power) => {
                        let power = self.power(shared).await;
                        change(shared, |desktop| desktop.power = power);
                    }
                    Some(Said::Login) => {
                        let is_idle = self.is_idle().await;
                        change(shared, |desktop| desktop.is_idle = is_idle);
                    }
                    Some(Said::Sleep(true)) => {
                        shared.known.is_at_rest.send_replace(false);
                        change(shared, |desktop| desktop.is_falling_asleep = Ok(true));
                        wait_for_rest(shared).await;
                        // Dropping the lock lets the machine sleep.
                        inhibitor = None;
                    }
                    Some(Said::Sleep(false)) => {
                        inhibitor = self.hold_back_sleep().await;
                        change(shared, |desktop| desktop.is_falling_asleep = Ok(false));
                    }
                    Some(Said::SleepAnew) => {
                        inhibitor = self.hold_back_sleep().await;
                        wakefulness = None;
                        let (is_falling_asleep, is_idle) = (self.is_falling_asleep().await, self.is_idle().await);
                        change(shared, |desktop| (desktop.is_falling_asleep, desktop.is_idle) = (is_falling_asleep, is_idle));
                    }
                },
                Ok(()) = running.changed() => {}
                () = shared.known.other_wishes.notified() => return Ended::OtherWishes,
                () = shared.known.tick.notified() => {
                    if is_anybody_silent(&shared.known.desktop.borrow()) {
                        self.ask_everybody(shared).await;
                    }
                    if inhibitor.is_none() && shared.known.desktop.borrow().is_falling_asleep == Ok(false) {
                        inhibitor = self.hold_back_sleep().await;
                    }
                }
            }
        }
    }

    /// Subscribes to all signals. The returned stream yields `None` when the connection to the bus has ended.
    async fn listen(&self, shared: &EngineContext) -> Result<BoxStream<'static, Option<Said>>, zbus::Error> {
        let mut all: Vec<BoxStream<'static, Said>> = Vec::new();
        for (peer, word) in [(&self.network, Said::Network), (&self.power, Said::Power), (&self.battery, Said::Power)] {
            if matches!(word, Said::Power) && shared.settings().battery_below == 0 {
                continue;
            }
            all.push(peer.receive_signal("PropertiesChanged").await?.map(move |_| word).boxed());
            all.push(peer.receive_owner_changed().await?.map(move |_| word).boxed());
        }
        all.push(self.login.receive_signal("PropertiesChanged").await?.map(|_| Said::Login).boxed());
        let sleep = self.manager.receive_signal("PrepareForSleep").await?;
        let told = |signal: zbus::Message| std::future::ready(signal.body().deserialize().ok().map(Said::Sleep));
        all.push(sleep.filter_map(told).boxed());
        all.push(self.manager.receive_owner_changed().await?.map(|_| Said::SleepAnew).boxed());
        // All streams end when the connection ends, so reporting the first end suffices.
        let with_end = |stream: BoxStream<'static, Said>| stream.map(Some).chain(futures_util::stream::iter([None])).boxed();
        Ok(select_all(all.into_iter().map(with_end)).boxed())
    }

    async fn ask_everybody(&self, shared: &EngineContext) {
        let (network, power) = (self.network().await, self.power(shared).await);
        let (is_falling_asleep, is_idle) = (self.is_falling_asleep().await, self.is_idle().await);
        change(shared, |desktop| *desktop = SystemState { network, power, is_falling_asleep, is_idle });
    }

    async fn network(&self) -> Result<NetworkState, UserMessage> {
        let asked: BoxFuture<'_, _> = async {
            let connectivity = match get(&self.network, NETWORK.0, "Connectivity").await? {
                1_u32 => NetworkConnectivity::None,
                2 => NetworkConnectivity::Portal,
                3 => NetworkConnectivity::Limited,
                4 => NetworkConnectivity::Full,
                _ => NetworkConnectivity::Unknown,
            };
            let is_metered = match get(&self.network, NETWORK.0, "Metered").await? {
                // 1 is "yes" and 3 is "guess yes": a mobile network never states by itself whether it is metered.
                1_u32 | 3 => Some(true),
                2 | 4 => Some(false),
                _ => None,
            };
            let primary: OwnedObjectPath = get(&self.network, NETWORK.0, "PrimaryConnection").await?;
            Ok(NetworkState { connectivity, is_metered, primary: primary.to_string() })
        }
        .boxed();
        in_time(asked).await.map_err(|error| in_words("NetworkManager", &error))
    }

    /// Returns the power state.
    ///
    /// If no setting needs UPower, UPower is not queried, because a query would start it.
    async fn power(&self, shared: &EngineContext) -> Result<PowerState, UserMessage> {
        if shared.settings().battery_below == 0 {
            return Err(message!("cause.setting", setting = "battery-below = 0"));
        }
        let asked = async {
            let is_on_battery = get(&self.power, POWER.0, "OnBattery").await?;
            let percentage = get(&self.battery, "org.freedesktop.UPower.Device", "Percentage").await?;
            Ok(PowerState { is_on_battery, percentage })
        };
        in_time(asked).await.map_err(|error| in_words("UPower", &error))
    }

    async fn is_falling_asleep(&self) -> Result<bool, UserMessage> {
        in_time(get(&self.login, MANAGER, "PreparingForSleep")).await.map_err(|error| in_words("logind", &error))
    }

    async fn is_idle(&self) -> Result<bool, UserMessage> {
        in_time(get(&self.login, MANAGER, "IdleHint")).await.map_err(|error| in_words("logind", &error))
    }

    /// Takes a lock that briefly delays sleep. The delay ends when the lock is dropped.
    ///
    /// Without this lock, sleep would cost at most the bytes received since the last checkpoint.
    async fn hold_back_sleep(&self) -> Option<OwnedFd> {
        let held = self.inhibit("Makes downloads durable before the machine sleeps", "delay").await;
        held.inspect_err(|error| tracing::debug!(%error, "sleep delay inhibitor not available; sleep will not wait for Ashore"))
            .ok()
    }

    /// Takes a lock that prevents automatic sleep until the lock is dropped.
    ///
    /// The screen may still turn off; preventing that would require the "idle" lock. Closing the lid still makes the
    /// machine sleep, because that is an explicit act of the user.
    async fn keep_awake(&self) -> Option<OwnedFd> {
        let held = self.inhibit("Downloads are running", "block").await;
        held.inspect_err(|error| tracing::debug!(%error, "sleep inhibitor not available; the machine may sleep during downloads"))
            .ok()
    }

    async fn inhibit(&self, why: &str, mode: &str) -> Result<OwnedFd, zbus::Error> {
        in_time(self.manager.call("Inhibit", &("sleep", "Ashore", why, mode))).await
    }
}

/// Fails if no process listens on the Unix socket of the bus.
///
/// This check needs no thread, although it runs on every tick while there is no bus.
async fn knock(address: &Address) -> io::Result<()> {
    match address.transport() {
        Transport::Unix(unix) => match unix.path() {
            UnixSocket::File(path) => UnixStream::connect(path).await.map(drop),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Returns whether a service did not answer, so that it must be queried again.
///
/// A missing service needs no query: a signal reports its start.
fn is_anybody_silent(desktop: &SystemState) -> bool {
    let SystemState { network, power, is_falling_asleep, is_idle } = desktop;
    let login = [is_falling_asleep.as_ref().err(), is_idle.as_ref().err()];
    let all = [network.as_ref().err(), power.as_ref().err()].into_iter().chain(login);
    all.flatten().any(|why| why.variant.as_deref() == Some(SILENT))
}

async fn wait_for_rest(shared: &EngineContext) {
    let mut rest = shared.known.is_at_rest.subscribe();
    if timeout(REST_PATIENCE, rest.wait_for(|is_at_rest| *is_at_rest)).await.is_err() {
        tracing::warn!("transfers did not stop in time before sleep");
    }
}

fn change(shared: &EngineContext, write: impl FnOnce(&mut SystemState)) {
    shared.known.desktop.send_if_modified(|desktop| {
        let before = desktop.clone();
        write(desktop);
        *desktop != before
    });
}

async fn properties(bus: &Connection, peer: (&'static str, &'static str)) -> Result<Proxy<'static>, zbus::Error> {
    proxy(bus, peer, "org.freedesktop.DBus.Properties").await
}

async fn proxy(
    bus: &Connection,
    (name, path): (&'static str, &'static str),
    interface: &'static str,
) -> Result<Proxy<'static>, zbus::Error> {
    zbus::proxy::Builder::<Proxy<'static>>::new(bus)
        .destination(name)?
        .path(path)?
        .interface(interface)?
        .cache_properties(CacheProperties::No)
        .build()
        .await
}

async fn get<T>(peer: &Proxy<'static>, interface: &str, property: &str) -> Result<T, zbus::Error>
where
    T: TryFrom<OwnedValue>,
    T::Error: Into<zbus::Error>,
{
    let value: OwnedValue = peer.call("Get", &(interface, property)).await?;
    T::try_from(value).map_err(Into::into)
}

async fn in_time<T>(work: impl Future<Output = Result<T, zbus::Error>>) -> Result<T, zbus::Error> {
    timeout(PATIENCE, work).await.unwrap_or_else(|_| Err(fdo::Error::TimedOut("no answer in time".into()).into()))
}

fn in_words(peer: &str, error: &zbus::Error) -> UserMessage {
    match error {
        zbus::Error::FDO(error) if is_missing(error) => message!("cause.missing", name = peer),
        zbus::Error::MethodError(name, ..) if MISSING.contains(&name.as_str()) => message!("cause.missing", name = peer),
        other => message!("cause.silent", name = peer, why = other.to_string()),
    }
}

/// Variant of the message about a service that does not answer.
const SILENT: &str = "silent";

const MISSING: [&str; 2] = ["org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"];

fn is_missing(error: &fdo::Error) -> bool {
    matches!(error, fdo::Error::ServiceUnknown(_) | fdo::Error::NameHasNoOwner(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unresponsive_desktop_services_are_queried_again() {
        let silent = in_words("UPower", &fdo::Error::TimedOut(String::new()).into());
        let missing = in_words("NetworkManager", &fdo::Error::ServiceUnknown(String::new()).into());
        let power = Err(message!("cause.setting", setting = "battery-below = 0"));
        let desktop = SystemState { network: Err(missing), power, is_falling_asleep: Ok(false), is_idle: Ok(false) };
        assert!(!is_anybody_silent(&desktop));
        assert!(is_anybody_silent(&SystemState { power: Err(silent), ..desktop }));
    }

    #[tokio::test]
    async fn missing_bus_is_detected_when_connecting_to_its_socket_fails() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("bus");
        let address: Address = format!("unix:path={}", socket.display()).parse().unwrap();
        assert_eq!(knock(&address).await.unwrap_err().kind(), io::ErrorKind::NotFound);
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        knock(&address).await.unwrap();
    }
}
