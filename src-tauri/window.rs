//! The window's life: built when it is wanted, destroyed when it is closed (most of the memory is the page's), and back
//! where it was. Closing it ends Ashore where somebody wants that. Where there is no tray it is minimised instead, since nothing could bring it back.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use ashore_engine::Env;
use tauri::{
    AppHandle, Emitter, Manager, PhysicalPosition, PhysicalSize, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent,
    webview::{NewWindowResponse, PageLoadEvent},
};
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};

use crate::{
    carried, clipboard,
    glance::Glance,
    notifier::Notifier,
    notify,
    open::Links,
    quit,
    remembered::{Place, Remembered},
    tray,
    wishes::{Way, Wished},
};

/// The only window's name.
pub const LABEL: &str = "main";

/// A page that has loaded and does not say that it is ready is shown all the same, and one that has no last word goes.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Until a window that is on its way out is looked for again, and how often.
const PAUSE: Duration = Duration::from_millis(20);
const LOOKS: u32 = 250;

/// The window is on its way out: it still has its name, and is nothing that could come forward.
#[derive(Debug, Default)]
pub struct Going(AtomicBool);

/// Who waits for the page's last word before the window goes.
#[derive(Debug, Default)]
pub struct LastWord(Mutex<Option<oneshot::Sender<()>>>);

impl LastWord {
    /// The page has nothing more to say.
    pub fn said(&self) {
        if let Some(waiting) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = waiting.send(());
        }
    }
}

/// Brings the window forward, building it where there is none. One that was closed a moment ago is let go first: its name
/// is free only when it is gone.
pub fn show(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        for _ in 0..LOOKS {
            let (say, shown) = oneshot::channel();
            on_main(&app, move |app| {
                let is_shown = match app.get_webview_window(LABEL) {
                    Some(_) if app.state::<Going>().0.load(Ordering::Acquire) => false,
                    Some(window) => forward(&window).map(|()| true)?,
                    None => build(app, true).inspect_err(|error| tracing::debug!(%error, "not yet")).is_ok(),
                };
                let _ = say.send(is_shown);
                Ok(())
            });
            // No answer: the program is ending, or has said why.
            if shown.await.unwrap_or(true) {
                return;
            }
            sleep(PAUSE).await;
        }
        tracing::error!("the window could not be opened");
    });
}

/// Builds the window minimised: the start without a window where there is no tray.
pub fn show_minimised(app: &AppHandle) {
    on_main(app, |app| {
        if app.get_webview_window(LABEL).is_none() {
            build(app, false)?.minimize()?;
        }
        Ok(())
    });
}

/// The page has something to show.
pub fn ready(app: &AppHandle) {
    on_main(app, |app| match app.get_webview_window(LABEL) {
        Some(window) if !window.is_visible()? => forward(&window),
        _ => Ok(()),
    });
}

/// What happens to the window, from the desktop's side.
pub fn happened(app: &AppHandle, event: &WindowEvent) {
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            tauri::async_runtime::spawn(closed(app.clone()));
        }
        WindowEvent::Focused(focused) => {
            app.state::<Notifier>().focus(*focused);
            if *focused {
                app.state::<Glance>().seen();
                clipboard::focused(app);
            }
        }
        WindowEvent::Destroyed => {
            app.state::<Going>().0.store(false, Ordering::Release);
            app.state::<Links>().keep();
            app.state::<Notifier>().focus(false);
        }
        _ => {}
    }
}

/// Whether there is a page.
pub fn is_open(app: &AppHandle) -> bool {
    app.get_webview_window(LABEL).is_some()
}

/// Whether the person looks at it.
pub fn has_focus(app: &AppHandle) -> bool {
    app.get_webview_window(LABEL).is_some_and(|window| window.is_focused().unwrap_or(false))
}

/// Remembers where the window is, and takes it away.
pub fn destroy(app: &AppHandle) {
    on_main(app, |app| {
        let Some(window) = app.get_webview_window(LABEL) else { return Ok(()) };
        if !window.is_minimized()? && !window.is_maximized()? {
            let PhysicalPosition { x, y } = window.outer_position()?;
            let PhysicalSize { width, height } = window.inner_size()?;
            app.state::<Remembered>().set_place(Place { x, y, width, height });
        }
        app.state::<Going>().0.store(true, Ordering::Release);
        window.destroy()
    });
}

/// A person has closed it.
async fn closed(app: AppHandle) {
    let wishes = app.state::<Wished>().now();
    if wishes.as_ref().is_some_and(|wishes| !wishes.close_to_tray) {
        farewell(&app).await;
        return quit(&app);
    }
    if !tray::is_there().await {
        return on_main(&app, |app| app.get_webview_window(LABEL).map_or(Ok(()), |window| window.minimize()));
    }
    farewell(&app).await;
    destroy(&app);
    // Who is not to be told anything now is told the next time.
    let may_be_told = wishes.is_none_or(|wishes| wishes.way(false, &Env::default()) == Way::Shown);
    if may_be_told && app.state::<Remembered>().tell_about_tray() {
        app.state::<Notifier>().news(notify::goes_on_in_tray());
    }
}

/// Lets the page finish what it has begun, since it is destroyed without being told. One that does not answer is not waited
/// for; what it has written down is done by the next one.
async fn farewell(app: &AppHandle) {
    app.state::<Going>().0.store(true, Ordering::Release);
    let (say, said) = oneshot::channel();
    *app.state::<LastWord>().0.lock().unwrap_or_else(PoisonError::into_inner) = Some(say);
    if app.emit_to(LABEL, "leaving", ()).is_ok() {
        let _ = timeout(PATIENCE, said).await;
    }
}

fn build(app: &AppHandle, in_front: bool) -> tauri::Result<WebviewWindow> {
    let place = app.state::<Remembered>().place();
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("Ashore")
        .inner_size(1000.0, 680.0)
        .min_inner_size(480.0, 360.0)
        .visible(!in_front)
        // Without it WebKitGTK lets the page paste and not copy: "Copy link" would do nothing.
        .enable_clipboard_access()
        // Links are dropped on the page, which reads them itself.
        .disable_drag_drop_handler()
        .on_navigation(is_ours)
        .on_new_window(|url, _| {
            tracing::warn!(%url, "the page may not open a window");
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
    carried::hand_out(&window)?;
    if let Some(place) = place.filter(|place| is_on_a_screen(&window, place)) {
        window.set_size(PhysicalSize::new(place.width, place.height))?;
        window.set_position(PhysicalPosition::new(place.x, place.y))?;
    }
    Ok(window)
}

/// A screen that was there may be gone.
fn is_on_a_screen(window: &WebviewWindow, place: &Place) -> bool {
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

/// The page may be nowhere but at home.
fn is_ours(url: &Url) -> bool {
    let home = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        "http" => tauri::is_dev() && url.host_str() == Some("localhost") && url.port() == Some(1420),
        _ => false,
    };
    if !home {
        tracing::warn!(%url, "the page may not go there");
    }
    home
}

fn on_main(app: &AppHandle, act: impl FnOnce(&AppHandle) -> tauri::Result<()> + Send + 'static) {
    let handle = app.clone();
    let sent = app.run_on_main_thread(move || {
        if let Err(error) = act(&handle) {
            tracing::error!(%error, "the window did not obey");
        }
    });
    if let Err(error) = sent {
        tracing::debug!(%error, "there is no window any more");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_stays_at_home() {
        let ours = |url: &str| is_ours(&url.parse().unwrap());
        assert!(ours("tauri://localhost/index.html"));
        let elsewhere = ["https://a.example/", "tauri://elsewhere/", "file:///etc/passwd", "about:blank", "http://localhost:80/"];
        assert!(elsewhere.iter().all(|url| !ours(url)));
    }
}
