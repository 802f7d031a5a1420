//! The icon in the panel: how much is going on, in one line and one picture, and the four things that can be done
//! without the window. Linux trays have no tooltip, so the line is the menu's first.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use ashore_engine::Totals;
use ashore_rpc::Call;
use tauri::{
    AppHandle, Manager, Wry,
    image::Image,
    include_image,
    menu::{Menu, MenuItem, PredefinedMenuItem},
    tray::{TrayIcon, TrayIconBuilder},
};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use crate::{
    catalogue::{current, say},
    door::Door,
    quit,
    sentences::brief,
    window,
    words::speed,
};

/// Menus that change more often than this only cost.
const PACE: Duration = Duration::from_secs(1);

/// A panel that does not answer within this is not there.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the tray is told. Cheap to change; what it shows follows.
pub struct Tray(watch::Sender<Known>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    totals: Totals,
    /// Something failed since the window was last looked at.
    unseen_failure: bool,
    /// Why there is no list.
    shut: bool,
    /// The language of the menu.
    language: &'static str,
}

/// What the tray shows.
#[derive(Debug, PartialEq, Eq)]
struct Face {
    line: String,
    toggle: String,
    picture: Picture,
    language: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Picture {
    Idle,
    Running,
    Attention,
}

struct Parts {
    icon: TrayIcon<Wry>,
    line: MenuItem<Wry>,
    toggle: MenuItem<Wry>,
    /// What says the same whatever happens, with what it says.
    fixed: [(MenuItem<Wry>, &'static str); 2],
}

impl Tray {
    /// Puts the icon into the panel. Where there is none, everything else goes on without.
    pub fn start(app: &AppHandle) -> Self {
        let (known, told) = watch::channel(Known { language: current().tag(), ..Known::default() });
        // The library that speaks to the panel is loaded when it is needed, and panics where it is not installed.
        match catch_unwind(AssertUnwindSafe(|| build(app))) {
            Ok(Ok(parts)) => drop(tauri::async_runtime::spawn(follow(parts, told))),
            Ok(Err(error)) => tracing::warn!(%error, "there is no tray icon"),
            Err(_) => tracing::warn!("there is no tray icon: the library for it is not installed"),
        }
        Self(known)
    }

    /// The sum of everything has changed.
    pub fn totals(&self, totals: Totals) {
        self.0.send_modify(|known| (known.totals, known.shut) = (totals, false));
    }

    /// Something failed that a person should look at.
    pub fn failed(&self) {
        self.0.send_modify(|known| known.unseen_failure = true);
    }

    /// The person looks at the window.
    pub fn seen(&self) {
        self.0.send_modify(|known| known.unseen_failure = false);
    }

    /// The list cannot be opened.
    pub fn shut(&self) {
        self.0.send_modify(|known| known.shut = true);
    }

    /// Another language is spoken.
    pub fn speak(&self) {
        self.0.send_modify(|known| known.language = current().tag());
    }

    /// Whether everything is paused, as far as the tray knows.
    fn is_paused(&self) -> bool {
        self.0.borrow().totals.paused
    }
}

/// Whether there is a panel that shows the icon, so that a closed window can come back.
pub async fn is_there() -> bool {
    let asked = async {
        let bus = zbus::Connection::session().await?;
        let name = "org.kde.StatusNotifierWatcher";
        let watcher = zbus::proxy::Builder::<zbus::Proxy<'_>>::new(&bus)
            .destination(name)?
            .path("/StatusNotifierWatcher")?
            .interface(name)?
            .cache_properties(zbus::proxy::CacheProperties::No)
            .build()
            .await?;
        watcher.get_property::<bool>("IsStatusNotifierHostRegistered").await
    };
    matches!(timeout(PATIENCE, asked).await, Ok(Ok(true)))
}

fn build(app: &AppHandle) -> tauri::Result<Parts> {
    let face = face(&Known::default());
    let line = MenuItem::with_id(app, "line", &face.line, false, None::<&str>)?;
    let toggle = MenuItem::with_id(app, "toggle", &face.toggle, true, None::<&str>)?;
    let open = MenuItem::with_id(app, "open", say("tray-open", &[]), true, None::<&str>)?;
    let quit = MenuItem::with_id(app, "quit", say("tray-quit", &[]), true, None::<&str>)?;
    let rule = || PredefinedMenuItem::separator(app);
    let menu = Menu::with_items(app, &[&line, &rule()?, &toggle, &rule()?, &open, &quit])?;
    let icon = TrayIconBuilder::with_id("ashore")
        .title("Ashore")
        .icon(picture(face.picture))
        .menu(&menu)
        .on_menu_event(|app, event| chosen(app, event.id().as_ref()))
        .build(app)?;
    Ok(Parts { icon, line, toggle, fixed: [(open, "tray-open"), (quit, "tray-quit")] })
}

fn chosen(app: &AppHandle, item: &str) {
    match item {
        "toggle" => {
            let app = app.clone();
            tauri::async_runtime::spawn(async move {
                let unique_id = None;
                let paused = app.state::<Tray>().is_paused();
                let call = if paused { Call::Resume { unique_id } } else { Call::Pause { unique_id } };
                if let Err(trouble) = app.state::<Door>().ask::<()>(call).await {
                    tracing::warn!(trouble.text, "the tray was not obeyed");
                }
            });
        }
        "open" => window::show(app),
        "quit" => quit(app),
        _ => {}
    }
}

/// Shows what is known, no more often than once a second.
async fn follow(parts: Parts, mut told: watch::Receiver<Known>) {
    let mut shown = face(&told.borrow());
    while told.changed().await.is_ok() {
        let wanted = face(&told.borrow_and_update());
        if wanted == shown {
            continue;
        }
        let changed = parts
            .line
            .set_text(&wanted.line)
            .and_then(|()| parts.toggle.set_text(&wanted.toggle))
            .and_then(|()| if wanted.language == shown.language { Ok(()) } else { translate(&parts) })
            .and_then(|()| if wanted.picture == shown.picture { Ok(()) } else { parts.icon.set_icon(Some(picture(wanted.picture))) });
        if let Err(error) = changed {
            tracing::debug!(%error, "the tray did not change");
        }
        shown = wanted;
        sleep(PACE).await;
    }
}

fn face(known: &Known) -> Face {
    let Totals { running, waiting, speed: bytes, paused, .. } = known.totals;
    let gate = known.totals.gate.as_ref().map(brief).unwrap_or_default();
    let waits = |waiting: u32| say("totals-waiting", &[("count", waiting.into())]);
    let line = match (known.shut, paused, running, waiting) {
        (true, ..) => say("tray-shut", &[]),
        (_, true, 0, _) => say("totals-paused", &[]),
        (_, _, 0, 0) => say("totals-idle", &[]),
        (_, _, 0, waiting) if gate.is_empty() => waits(waiting),
        (_, _, 0, waiting) => format!("{} · {gate}", waits(waiting)),
        (_, _, running, _) => format!("{} · {}", say("totals-running", &[("count", running.into())]), speed(bytes)),
    };
    let picture = match (known.unseen_failure || known.shut, running) {
        (true, _) => Picture::Attention,
        (false, 0) => Picture::Idle,
        (false, _) => Picture::Running,
    };
    let toggle = if paused { say("resume-all", &[]) } else { say("pause-all", &[]) };
    Face { line, toggle, picture, language: known.language }
}

fn translate(parts: &Parts) -> tauri::Result<()> {
    parts.fixed.iter().try_for_each(|(item, id)| item.set_text(say(id, &[])))
}

fn picture(picture: Picture) -> Image<'static> {
    match picture {
        Picture::Idle => include_image!("icons/tray-idle.png"),
        Picture::Running => include_image!("icons/tray-running.png"),
        Picture::Attention => include_image!("icons/tray-attention.png"),
    }
}

#[cfg(test)]
mod tests {
    use ashore_engine::{Gate, GateCode, GateState};

    use super::*;

    fn shown(running: u32, waiting: u32, paused: bool) -> (String, String, Picture) {
        let totals = Totals { running, waiting, speed: 11_400_000, paused, ..Totals::default() };
        let Face { line, toggle, picture, .. } = face(&Known { totals, ..Known::default() });
        (line, toggle, picture)
    }

    #[test]
    fn the_line_says_what_is_going_on() {
        assert_eq!(shown(3, 12, false), ("3 running · 11.4 MB/s".to_owned(), "Pause all".to_owned(), Picture::Running));
        assert_eq!(shown(0, 12, false), ("12 waiting".to_owned(), "Pause all".to_owned(), Picture::Idle));
        assert_eq!(shown(0, 0, false), ("Nothing is running".to_owned(), "Pause all".to_owned(), Picture::Idle));
        assert_eq!(shown(0, 12, true), ("Everything is paused".to_owned(), "Resume all".to_owned(), Picture::Idle));
    }

    #[test]
    fn a_closed_gate_is_named_beside_what_waits_for_it() {
        let text = "The network is metered. It goes on by itself where it is not.".to_owned();
        let gate = Gate { code: GateCode::Metered, state: GateState::Closed, text, cause: String::new(), until: None };
        let line = |waiting| {
            let totals = Totals { waiting, gate: Some(gate.clone()), ..Totals::default() };
            face(&Known { totals, ..Known::default() }).line
        };
        assert_eq!((line(2), line(0)), ("2 waiting · The network is metered".to_owned(), "Nothing is running".to_owned()));
    }

    #[test]
    fn a_failure_stands_out_until_it_is_seen() {
        let tray = Tray(watch::Sender::new(Known::default()));
        tray.failed();
        assert_eq!(face(&tray.0.borrow()).picture, Picture::Attention);
        tray.seen();
        assert_eq!(face(&tray.0.borrow()).picture, Picture::Idle);
        tray.shut();
        assert_eq!(face(&tray.0.borrow()).line, "The list cannot be opened");
        tray.totals(Totals::default());
        assert_eq!(face(&tray.0.borrow()).line, "Nothing is running");
    }
}
