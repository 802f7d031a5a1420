//! The icon in the panel: how much is going on, in one picture and a menu. Its first line is the sum, since many trays show
//! no tooltip; then comes what runs, and what can be done without the window. Nothing is touched that stays the same.

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

/// Menus that change more often than this only cost.
const PACE: Duration = Duration::from_secs(1);

/// A panel that does not answer within this is not there.
const PATIENCE: Duration = Duration::from_secs(2);

/// A panel that is not there by then does not come.
const START_OF_A_DESKTOP: Duration = Duration::from_secs(10);

const WATCHER: &str = "org.kde.StatusNotifierWatcher";

/// What was chosen in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// To see one of those that run.
    One(UniqueId),
    /// To add what the clipboard holds.
    Clipboard,
    /// To pause everything, or let it go on.
    Toggle,
    /// A limit for everything, in bytes a second.
    Limit(Option<u64>),
    /// What becomes of the machine when all is done.
    Then(PowerAction),
    /// To see the window.
    Open,
    /// To end Ashore.
    Quit,
}

/// Puts the icon into the panel, and has it show what is known, no more often than once a second. Where there is no panel, one
/// that comes later gets it.
pub async fn follow(shell: AppContext) {
    let (choose, mut chosen) = mpsc::unbounded_channel();
    let mut told = shell.glance.follow();
    let face = TrayView::from_status(&told.borrow_and_update());
    let icon = match TrayIcon::new(face.clone(), choose).assume_sni_available(true).spawn().await {
        Ok(icon) => icon,
        Err(error) => return tracing::warn!(%error, "there is no tray icon"),
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
            // A panel may have ticked what was clicked, and only hears of what becomes another one.
            icon.update(TrayIcon::untick).await;
        }
        icon.update(|icon| icon.show(wanted.clone())).await;
        shown = wanted;
        sleep(PACE).await;
    }
}

/// Whether a panel comes that shows the icon: at the start of a desktop, it may still be on its way.
pub async fn comes() -> bool {
    timeout(START_OF_A_DESKTOP, wait_for_panel()).await.is_ok_and(|found| found.is_ok())
}

/// Whether there is a panel that shows the icon, so that a closed window can come back.
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

/// Returns when there is one. Whatever the bus says of panels is a reason to look.
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

/// Does what was chosen.
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
            tracing::warn!(trouble.text, "the tray was not obeyed");
            incoming_links::say_why(&shell, trouble);
        }
    });
}
