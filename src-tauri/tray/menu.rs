//! The menu as the desktop has it: made once, and then only changed where the face is another one.

use ashore_engine::UniqueId;
use tauri::{
    AppHandle, Wry,
    image::Image,
    include_image,
    menu::{CheckMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu},
    tray::{TrayIcon, TrayIconBuilder},
};

use super::{
    chosen,
    face::{Face, Picture, RATES, rate},
};
use crate::catalogue::say;

/// Lines above those that run: the sum, and a rule.
const ABOVE: usize = 2;

/// What there is of it.
pub struct Parts {
    app: AppHandle,
    icon: TrayIcon<Wry>,
    menu: Menu<Wry>,
    line: MenuItem<Wry>,
    running: Vec<(UniqueId, MenuItem<Wry>)>,
    /// Stands below those that run.
    rule: PredefinedMenuItem<Wry>,
    more: MenuItem<Wry>,
    toggle: MenuItem<Wry>,
    limits: Submenu<Wry>,
    unlimited: CheckMenuItem<Wry>,
    clipboard: MenuItem<Wry>,
    open: MenuItem<Wry>,
    quit: MenuItem<Wry>,
    rates: Vec<CheckMenuItem<Wry>>,
    /// A limit that is none of those.
    own: CheckMenuItem<Wry>,
    shown: Face,
}

/// Puts the icon into the panel, with its menu.
pub fn build(app: &AppHandle, face: &Face) -> tauri::Result<Parts> {
    let item = |id: &str, text: &str, enabled| MenuItem::with_id(app, id, text, enabled, None::<&str>);
    let check = |id: &str, text: &str, checked| CheckMenuItem::with_id(app, id, text, true, checked, None::<&str>);
    let rule = || PredefinedMenuItem::separator(app);
    let line = item("line", &face.line, false)?;
    let toggle = item("toggle", &face.toggle, true)?;
    let unlimited = check("rate-none", &say("limit.none", &[]), face.limit.is_none())?;
    let rates = RATES.iter().enumerate().map(|(place, bytes)| check(&format!("rate-{place}"), &rate(*bytes), false));
    let rates = rates.collect::<tauri::Result<Vec<_>>>()?;
    let limits = Submenu::with_items(app, say("limit", &[]), true, &[&unlimited])?;
    for rate in &rates {
        limits.append(rate)?;
    }
    let clipboard = item("clipboard", &say("tray-clipboard", &[]), true)?;
    let (open, quit) = (item("open", &say("tray-open", &[]), true)?, item("quit", &say("tray-quit", &[]), true)?);
    let menu = Menu::with_items(app, &[&line, &rule()?, &clipboard, &toggle, &limits, &rule()?, &open, &quit])?;
    let icon = TrayIconBuilder::with_id("ashore")
        .title("Ashore")
        .icon(picture(face.picture))
        .menu(&menu)
        .on_menu_event(|app, event| chosen(app, event.id().as_ref()))
        .build(app)?;
    Ok(Parts {
        app: app.clone(),
        icon,
        menu,
        line,
        running: Vec::new(),
        rule: rule()?,
        more: item("more", "", false)?,
        toggle,
        limits,
        unlimited,
        clipboard,
        open,
        quit,
        rates,
        own: check("own", "", true)?,
        shown: face.clone(),
    })
}

impl Parts {
    /// Makes it `wanted`; false where it is that already.
    pub fn show(&mut self, wanted: Face) -> tauri::Result<bool> {
        let shown = std::mem::replace(&mut self.shown, wanted.clone());
        if wanted == shown {
            return Ok(false);
        }
        if wanted.line != shown.line {
            self.line.set_text(escaped(&wanted.line))?;
        }
        if wanted.toggle != shown.toggle {
            self.toggle.set_text(&wanted.toggle)?;
        }
        if wanted.language != shown.language {
            self.translate()?;
        }
        if wanted.picture != shown.picture {
            self.icon.set_icon(Some(picture(wanted.picture)))?;
        }
        if wanted.running != shown.running || wanted.more != shown.more {
            self.show_running(&wanted, &shown)?;
        }
        if wanted.limit != shown.limit || wanted.touches != shown.touches {
            self.show_limit(&wanted, &shown)?;
        }
        Ok(true)
    }

    /// What does not follow from what goes on.
    fn translate(&self) -> tauri::Result<()> {
        self.limits.set_text(say("limit", &[]))?;
        self.unlimited.set_text(say("limit.none", &[]))?;
        for (item, bytes) in self.rates.iter().zip(RATES) {
            item.set_text(rate(bytes))?;
        }
        self.clipboard.set_text(say("tray-clipboard", &[]))?;
        self.open.set_text(say("tray-open", &[]))?;
        self.quit.set_text(say("tray-quit", &[]))
    }

    fn show_running(&mut self, wanted: &Face, shown: &Face) -> tauri::Result<()> {
        let is_wanted = |unique_id: &UniqueId| wanted.running.iter().any(|(known, _)| known == unique_id);
        let (kept, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut self.running).into_iter().partition(|(id, _)| is_wanted(id));
        gone.iter().try_for_each(|(_, item)| self.menu.remove(item))?;
        self.running = kept;
        for (place, (unique_id, text)) in wanted.running.iter().enumerate() {
            if let Some((_, item)) = self.running.iter().find(|(known, _)| known == unique_id) {
                if !shown.running.iter().any(|(known, before)| known == unique_id && before == text) {
                    item.set_text(escaped(text))?;
                }
            } else {
                let item = MenuItem::with_id(&self.app, unique_id.to_string(), escaped(text), true, None::<&str>)?;
                self.menu.insert(&item, ABOVE + place)?;
                self.running.insert(place.min(self.running.len()), (*unique_id, item));
            }
        }
        let below = ABOVE + self.running.len();
        match (&wanted.more, &shown.more) {
            (Some(text), Some(before)) if text != before => self.more.set_text(text)?,
            (Some(text), None) => {
                self.more.set_text(text)?;
                self.menu.insert(&self.more, below)?;
            }
            (None, Some(_)) => self.menu.remove(&self.more)?,
            _ => {}
        }
        match (wanted.running.is_empty(), shown.running.is_empty()) {
            (false, true) => self.menu.insert(&self.rule, below + usize::from(wanted.more.is_some())),
            (true, false) => self.menu.remove(&self.rule),
            _ => Ok(()),
        }
    }

    fn show_limit(&self, wanted: &Face, shown: &Face) -> tauri::Result<()> {
        self.unlimited.set_checked(wanted.limit.is_none())?;
        for (item, bytes) in self.rates.iter().zip(RATES) {
            item.set_checked(wanted.limit == Some(bytes))?;
        }
        match (wanted.own_limit(), shown.own_limit()) {
            (Some(text), before) => {
                self.own.set_text(text)?;
                if before.is_none() {
                    self.limits.append(&self.own)?;
                }
                self.own.set_checked(true)
            }
            (None, Some(_)) => self.limits.remove(&self.own),
            (None, None) => Ok(()),
        }
    }
}

/// A mark for a key to be pressed is none in a title.
fn escaped(text: &str) -> String {
    text.replace('&', "&&")
}

fn picture(picture: Picture) -> Image<'static> {
    match picture {
        Picture::Idle => include_image!("icons/tray-idle.png"),
        Picture::Running => include_image!("icons/tray-running.png"),
        Picture::Attention => include_image!("icons/tray-attention.png"),
    }
}
