//! The window: built once, shown when its page has content, and closed when this program ends. Before this program
//! ends, it sends the window's position to Ashore.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use ashore_pipe::{WindowMessage, WindowPlace};
use tauri::{
    AppHandle, Emitter, Manager, PhysicalPosition, PhysicalSize, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    WindowEvent,
    webview::{NewWindowResponse, PageLoadEvent},
};
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};

use crate::{ashore::DesktopPipe, carried};

/// Label of the only window.
pub const LABEL: &str = "main";

/// Time limit for two waits: until a loaded page reports that it is ready, and until a page has finished its work
/// before the window closes.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Sender of the signal that the page has finished its work.
#[derive(Debug, Default)]
pub struct LastWord(Mutex<Option<oneshot::Sender<()>>>);

impl LastWord {
    /// Signals that the page has finished its work.
    pub fn on_ready(&self) {
        if let Some(waiting) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = waiting.send(());
        }
    }
}

/// Builds the window at its last position. The window is minimised unless `in_front`.
pub fn open(app: &AppHandle, place: Option<WindowPlace>, is_maximised: bool, in_front: bool) {
    on_main(app, move |app| {
        let built =
            build(app, place, is_maximised, in_front).and_then(|window| if in_front { Ok(()) } else { window.minimize() });
        if let Err(error) = &built {
            tracing::error!(%error, "window could not be created");
            app.exit(1);
        }
        built
    });
}

/// Brings the window in front of other windows.
pub fn show(app: &AppHandle) {
    with_window(app, forward);
}

/// Minimises the window.
pub fn minimise(app: &AppHandle) {
    with_window(app, WebviewWindow::minimize);
}

/// Shows the window. Called when the page has content.
pub fn ready(app: &AppHandle) {
    with_window(app, |window| if window.is_visible()? { Ok(()) } else { forward(window) });
}

/// Lets the page finish its work, sends the window's position, and ends this program.
///
/// If the page does not finish in time, nothing is lost: the page has stored its work, and the next page continues it.
pub fn leave(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let (say, said) = oneshot::channel();
        *app.state::<LastWord>().0.lock().unwrap_or_else(PoisonError::into_inner) = Some(say);
        if app.emit_to(LABEL, "leaving", ()).is_ok() {
            // After the timeout, continue as if the page had answered.
            let _ = timeout(PATIENCE, said).await;
        }
        on_main(&app, |app| {
            let place = app.get_webview_window(LABEL).map(|window| place_of(&window));
            if let Some(place) = place.transpose()?.flatten() {
                app.state::<DesktopPipe>().send(&place);
            }
            app.exit(0);
            Ok(())
        });
    });
}

/// Handles a window event.
pub fn happened(app: &AppHandle, event: &WindowEvent) {
    let ashore = app.state::<DesktopPipe>();
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            // Keep the window open for now: Ashore decides whether it closes.
            api.prevent_close();
            ashore.send(&WindowMessage::CloseWanted);
        }
        WindowEvent::Focused(focused) => ashore.send(&WindowMessage::Focused(*focused)),
        _ => {}
    }
}

/// Returns the position and size of the window; `None` if the window is minimised.
fn place_of(window: &WebviewWindow) -> tauri::Result<Option<WindowMessage>> {
    if window.is_minimized()? {
        return Ok(None);
    }
    if window.is_maximized()? {
        return Ok(Some(WindowMessage::Place { place: None, is_maximised: true }));
    }
    let PhysicalPosition { x, y } = window.outer_position()?;
    let PhysicalSize { width, height } = window.inner_size()?;
    Ok(Some(WindowMessage::Place { place: Some(WindowPlace { x, y, width, height }), is_maximised: false }))
}

fn with_window(app: &AppHandle, act: impl FnOnce(&WebviewWindow) -> tauri::Result<()> + Send + 'static) {
    on_main(app, |app| app.get_webview_window(LABEL).map_or(Ok(()), |window| act(&window)));
}

fn build(app: &AppHandle, place: Option<WindowPlace>, is_maximised: bool, in_front: bool) -> tauri::Result<WebviewWindow> {
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("Ashore")
        .inner_size(1000.0, 680.0)
        .min_inner_size(480.0, 360.0)
        .visible(!in_front)
        // Without clipboard access, pages in WebKitGTK can paste but not copy, and "Copy link" would do nothing.
        .enable_clipboard_access()
        // Disable Tauri's handler: the page itself handles dropped links.
        .disable_drag_drop_handler()
        .on_navigation(is_ours)
        .on_new_window(|url, _| {
            tracing::warn!(%url, "page tried to open a window; denied");
            NewWindowResponse::Deny
        })
        .on_page_load(|window, load| {
            if load.event() == PageLoadEvent::Finished {
                let app = window.app_handle().clone();
                tauri::async_runtime::spawn(async move {
                    sleep(PATIENCE).await;
                    ready(&app);
                });
            }
        })
        .build()?;
    carried::start_drag(&window)?;
    if let Some(place) = place.filter(|place| is_on_a_screen(&window, place)) {
        window.set_size(PhysicalSize::new(place.width, place.height))?;
        window.set_position(PhysicalPosition::new(place.x, place.y))?;
    }
    if is_maximised {
        window.maximize()?;
    }
    Ok(window)
}

/// Returns whether this position is on a connected screen.
fn is_on_a_screen(window: &WebviewWindow, place: &WindowPlace) -> bool {
    window.available_monitors().is_ok_and(|monitors| {
        monitors.iter().any(|monitor| {
            let (start, size) = (monitor.position(), monitor.size());
            let inside = |at: i32, start: i32, length: u32| (0..i64::from(length)).contains(&(i64::from(at) - i64::from(start)));
            inside(place.x, start.x, size.width) && inside(place.y, start.y, size.height)
        })
    })
}

fn forward(window: &WebviewWindow) -> tauri::Result<()> {
    window.unminimize()?;
    window.show()?;
    window.set_focus()
}

/// Returns whether `url` belongs to the page. Navigation to any other address is denied.
fn is_ours(url: &Url) -> bool {
    let home = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        "http" => tauri::is_dev() && url.host_str() == Some("localhost") && url.port() == Some(1420),
        _ => false,
    };
    if !home {
        tracing::warn!(%url, "page tried to navigate to another address; denied");
    }
    home
}

/// Runs `act` on the main thread, the only thread that may use windows.
pub fn on_main(app: &AppHandle, act: impl FnOnce(&AppHandle) -> tauri::Result<()> + Send + 'static) {
    let handle = app.clone();
    let sent = app.run_on_main_thread(move || {
        if let Err(error) = act(&handle) {
            tracing::error!(%error, "window operation failed");
        }
    });
    if let Err(error) = sent {
        tracing::debug!(%error, "window operation could not be dispatched to the main thread");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn navigation_away_from_page_is_denied() {
        let ours = |url: &str| is_ours(&url.parse().unwrap());
        assert!(ours("tauri://localhost/index.html"));
        let elsewhere = ["https://a.example/", "tauri://elsewhere/", "file:///etc/passwd", "about:blank", "http://localhost:80/"];
        assert!(elsewhere.iter().all(|url| !ours(url)));
    }
}
