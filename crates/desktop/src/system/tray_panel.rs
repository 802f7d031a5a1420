//! Detects whether a panel shows tray icons.
//!
//! A closed window can be reopened only from the tray. Therefore the program checks this at its start, when the window
//! closes, and on request of the page.

use std::{future::poll_fn, pin::Pin, task::Poll, time::Duration};

use tokio::time::timeout;
use zbus::{Connection, MatchRule, MessageStream, export::futures_core::Stream, message::Type};

/// Maximum time for a panel to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum time for a panel to appear after the start of the desktop.
const START_OF_A_DESKTOP: Duration = Duration::from_secs(10);

const WATCHER: &str = "org.kde.StatusNotifierWatcher";

/// Waits for a panel that shows the icon. Returns false if none appears.
///
/// After the start of a desktop, the panel may still be starting.
pub async fn comes() -> bool {
    timeout(START_OF_A_DESKTOP, wait_for_panel()).await.is_ok_and(|found| found.is_ok())
}

/// Whether a panel shows the icon, so that the user can reopen a closed window.
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

/// Waits until a panel shows tray icons. Checks again after every signal about panels.
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
