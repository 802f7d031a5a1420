//! Tray icon: shows the status of all downloads as a picture and a menu.
//!
//! The first line of the menu has the totals, since many trays show no tooltip; then follow running downloads and
//! actions. Unchanged content is not sent again.

mod menu;
mod view;

use std::{future::poll_fn, pin::Pin, task::Poll, time::Duration};

use ashore_engine::{LimitScope, UniqueId};
use ashore_rpc::MethodCall;
use ksni::TrayMethods;
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use zbus::{Connection, MatchRule, MessageStream, export::futures_core::Stream, message::Type};

use crate::{
    context::{AppContext, ExitReason},
    system::{
        clipboard,
        incoming_links::{self, LinkSource},
        power_action::PowerAction,
    },
};
use menu::TrayIcon;
use view::TrayView;

/// Minimum time between two updates, because more frequent ones only cost time.
const PACE: Duration = Duration::from_secs(1);

/// Maximum time to wait for a panel's answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum time for a panel to appear at the start of the desktop.
const START_OF_A_DESKTOP: Duration = Duration::from_secs(10);

const WATCHER: &str = "org.kde.StatusNotifierWatcher";

/// Choice in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// Show one of the running downloads.
    One(UniqueId),
    /// Add the content of the clipboard.
    Clipboard,
    /// Pause or resume everything.
    Toggle,
    /// Set the global speed limit, in bytes per second.
    Limit(Option<u64>),
    /// Choose the power action after the last download.
    Then(PowerAction),
    /// Open the window.
    Open,
    /// Quit Ashore.
    Quit,
}

/// Adds the icon to the panel and updates it, at most once per second. If there is no panel, one that appears later
/// gets the icon.
pub async fn follow(shell: AppContext) {
    let (choose, mut chosen) = mpsc::unbounded_channel();
    let mut told = shell.glance.follow();
    let face = TrayView::from_status(&told.borrow_and_update());
    let icon = match TrayIcon::new(face.clone(), choose).assume_sni_available(true).spawn().await {
        Ok(icon) => icon,
        Err(error) => return tracing::warn!(%error, "tray icon could not be created"),
    };
    let choosing = shell.clone();
    tokio::spawn(async move {
        while let Some(choice) = chosen.recv().await {
            handle_choice(&choosing, choice);
        }
    });
    let mut shown = face;
    while told.changed().await.is_ok() {
        let wanted = TrayView::from_status(&told.borrow_and_update());
        if wanted == shown {
            continue;
        }
        if wanted.touches != shown.touches {
            // Clear all ticks first: the panel may have ticked the clicked item itself, and receives only differences.
            icon.update(TrayIcon::untick).await;
        }
        icon.update(|icon| icon.show(wanted.clone())).await;
        shown = wanted;
        sleep(PACE).await;
    }
}

/// Whether a panel that shows the icon appears; at the start of a desktop it may still be starting.
pub async fn comes() -> bool {
    timeout(START_OF_A_DESKTOP, wait_for_panel()).await.is_ok_and(|found| found.is_ok())
}

/// Whether a panel shows the icon, so that a closed window can be reopened.
pub async fn is_available() -> bool {
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

/// Waits for a panel; checks again after every signal about panels.
async fn wait_for_panel() -> zbus::Result<()> {
    let bus = Connection::session().await?;
    let signals = || MatchRule::builder().msg_type(Type::Signal);
    let mut owners = MessageStream::for_match_rule(signals().arg(0, WATCHER)?.build(), &bus, None).await?;
    let mut hosts = MessageStream::for_match_rule(signals().interface(WATCHER)?.build(), &bus, None).await?;
    while !is_available().await {
        poll_fn(|context| match Pin::new(&mut owners).poll_next(context) {
            Poll::Pending => Pin::new(&mut hosts).poll_next(context),
            ready => ready,
        })
        .await
        .transpose()?;
    }
    Ok(())
}

/// Carries out a choice.
fn handle_choice(shell: &AppContext, choice: Choice) {
    match choice {
        Choice::One(unique_id) => incoming_links::look_at(shell, LinkSource { unique_id, is_close: false }),
        Choice::Clipboard => drop(tokio::spawn(clipboard::add(shell.clone()))),
        Choice::Toggle => {
            let unique_id = None;
            ask(shell, if shell.glance.is_paused() { MethodCall::Resume { unique_id } } else { MethodCall::Pause { unique_id } });
        }
        Choice::Limit(bytes_per_second) => {
            shell.glance.touched();
            ask(shell, MethodCall::Limit { scope: LimitScope::All, bytes_per_second });
        }
        Choice::Then(then) => {
            shell.glance.touched();
            let shell = shell.clone();
            tokio::spawn(async move {
                if let Err(trouble) = shell.afterwards.choose(then).await {
                    incoming_links::say_why(&shell, trouble);
                }
            });
        }
        Choice::Open => shell.window.show(),
        Choice::Quit => shell.quit(ExitReason::Meant),
    }
}

fn ask(shell: &AppContext, call: MethodCall) {
    let shell = shell.clone();
    tokio::spawn(async move {
        if let Err(trouble) = shell.door.ask::<()>(call).await {
            tracing::warn!(trouble.text, "tray action failed");
            incoming_links::say_why(&shell, trouble);
        }
    });
}
