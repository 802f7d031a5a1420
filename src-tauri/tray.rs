//! The icon in the panel: how much is going on, in one picture and a menu. Its first line is the sum, since Linux trays have
//! no tooltip; then comes what runs, and what can be done without the window. Nothing is touched that stays the same.

mod face;
mod menu;

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::Poll,
    time::Duration,
};

use ashore_engine::{LimitScope, UniqueId};
use ashore_rpc::Call;
use tauri::{AppHandle, Manager};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use zbus::{Connection, MatchRule, MessageStream, export::futures_core::Stream, message::Type};

use self::{
    face::{Face, RATES},
    menu::Parts,
};
use crate::{
    clipboard,
    door::Door,
    glance::{Glance, Known},
    open::{self, Look},
    quit, window,
};

/// Menus that change more often than this only cost.
const PACE: Duration = Duration::from_secs(1);

/// A panel that does not answer within this is not there.
const PATIENCE: Duration = Duration::from_secs(2);

/// A panel that is not there by then does not come.
const START_OF_A_DESKTOP: Duration = Duration::from_secs(10);

const WATCHER: &str = "org.kde.StatusNotifierWatcher";

/// Puts the icon into the panel. Where there is none, everything else goes on without.
pub fn start(app: &AppHandle) {
    let told = app.state::<Glance>().follow();
    // The library that speaks to the panel is loaded when it is needed, and panics where it is not installed.
    match catch_unwind(AssertUnwindSafe(|| menu::build(app, &Face::of(&Known::default())))) {
        Ok(Ok(parts)) => drop(tauri::async_runtime::spawn(follow(parts, told))),
        Ok(Err(error)) => tracing::warn!(%error, "there is no tray icon"),
        Err(_) => tracing::warn!("there is no tray icon: the library for it is not installed"),
    }
}

/// Whether a panel comes that shows the icon: at the start of a desktop, it may still be on its way.
pub async fn comes() -> bool {
    timeout(START_OF_A_DESKTOP, wait_for_panel()).await.is_ok_and(|found| found.is_ok())
}

/// Whether there is a panel that shows the icon, so that a closed window can come back.
pub async fn is_there() -> bool {
    let asked = async {
        let bus = Connection::session().await?;
        let watcher = zbus::proxy::Builder::<zbus::Proxy<'_>>::new(&bus)
            .destination(WATCHER)?
            .path("/StatusNotifierWatcher")?
            .interface(WATCHER)?
            .cache_properties(zbus::proxy::CacheProperties::No)
            .build()
            .await?;
        watcher.get_property::<bool>("IsStatusNotifierHostRegistered").await
    };
    matches!(timeout(PATIENCE, asked).await, Ok(Ok(true)))
}

/// Returns when there is one. Whatever the bus says of panels is a reason to look.
async fn wait_for_panel() -> zbus::Result<()> {
    let bus = Connection::session().await?;
    let signals = || MatchRule::builder().msg_type(Type::Signal);
    let mut owners = MessageStream::for_match_rule(signals().arg(0, WATCHER)?.build(), &bus, None).await?;
    let mut hosts = MessageStream::for_match_rule(signals().interface(WATCHER)?.build(), &bus, None).await?;
    while !is_there().await {
        poll_fn(|context| match Pin::new(&mut owners).poll_next(context) {
            Poll::Pending => Pin::new(&mut hosts).poll_next(context),
            ready => ready,
        })
        .await
        .transpose()?;
    }
    Ok(())
}

/// Shows what is known, no more often than once a second.
async fn follow(mut parts: Parts, mut told: watch::Receiver<Known>) {
    while told.changed().await.is_ok() {
        let wanted = Face::of(&told.borrow_and_update());
        match parts.show(wanted) {
            Ok(false) => continue,
            Ok(true) => {}
            Err(error) => tracing::debug!(%error, "the tray did not change"),
        }
        sleep(PACE).await;
    }
}

/// A line of the menu was clicked.
fn chosen(app: &AppHandle, item: &str) {
    match item {
        "clipboard" => clipboard::add(app),
        "toggle" => {
            let unique_id = None;
            let paused = app.state::<Glance>().is_paused();
            obey(app, if paused { Call::Resume { unique_id } } else { Call::Pause { unique_id } });
        }
        "open" => window::show(app),
        "quit" => quit(app),
        other => match (other.strip_prefix("rate-"), other.parse::<UniqueId>()) {
            (Some(rate), _) => {
                // The panel ticks what was clicked; what holds is ticked again with the next look.
                app.state::<Glance>().touched();
                let rate = rate.parse().ok().and_then(|place: usize| RATES.get(place).copied());
                obey(app, Call::Limit { scope: LimitScope::All, bytes_per_second: rate });
            }
            (None, Ok(unique_id)) => open::look_at(app, Look { unique_id, is_close: false }),
            (None, Err(_)) => {}
        },
    }
}

fn obey(app: &AppHandle, call: Call) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(trouble) = app.state::<Door>().ask::<()>(call).await {
            tracing::warn!(trouble.text, "the tray was not obeyed");
        }
    });
}
