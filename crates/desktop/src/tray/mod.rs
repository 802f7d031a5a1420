//! Tray icon: shows the status of all downloads as a picture and a menu.
//!
//! The first line of the menu has the totals, since many trays show no tooltip. Running downloads and actions follow.
//! Unchanged content is not sent again.

mod menu;
mod view;

use std::time::Duration;

use ashore_engine::LimitScope;
use ashore_rpc::MethodCall;
use ksni::TrayMethods;
use tokio::{sync::mpsc, time::sleep};

use crate::{
    context::{AppContext, ExitReason},
    system::link_inbox::LinkSource,
    tasks::{clipboard, incoming_links},
};
use menu::{TrayChoice, TrayIcon};
use view::TrayView;

/// Minimum time between two updates of the icon. More frequent updates would waste processor time.
const PACE: Duration = Duration::from_secs(1);

/// Adds the icon to the panel and updates it at most once per second.
///
/// Without a panel, waits until one appears.
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
            // Clear all tick marks first. The panel receives only differences, but may already have ticked the clicked
            // item on its own.
            icon.update(TrayIcon::untick).await;
        }
        icon.update(|icon| icon.show(wanted.clone())).await;
        shown = wanted;
        sleep(PACE).await;
    }
}

/// Executes a choice in the menu.
fn handle_choice(shell: &AppContext, choice: TrayChoice) {
    match choice {
        TrayChoice::One(unique_id) => incoming_links::look_at(shell, LinkSource { unique_id, is_close: false }),
        TrayChoice::Clipboard => drop(tokio::spawn(clipboard::add(shell.clone()))),
        TrayChoice::Toggle => {
            let unique_id = None;
            ask(shell, if shell.glance.is_paused() { MethodCall::Resume { unique_id } } else { MethodCall::Pause { unique_id } });
        }
        TrayChoice::Limit(bytes_per_second) => {
            shell.glance.touched();
            ask(shell, MethodCall::Limit { scope: LimitScope::All, bytes_per_second });
        }
        TrayChoice::Then(then) => {
            shell.glance.touched();
            let shell = shell.clone();
            tokio::spawn(async move {
                if let Err(trouble) = shell.afterwards.choose(then).await {
                    incoming_links::say_why(&shell, trouble);
                }
            });
        }
        TrayChoice::Open => shell.window.show(),
        TrayChoice::Quit => shell.quit(ExitReason::Meant),
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
