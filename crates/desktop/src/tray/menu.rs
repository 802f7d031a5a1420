//! Tray icon and its menu, in the data format of panels.

use ashore_engine::UniqueId;
use ashore_messages::{current, text};
use ksni::{
    Category, MenuItem, Status, ToolTip, Tray,
    menu::{CheckmarkItem, StandardItem, SubMenu},
};
use tokio::sync::mpsc;

use crate::{
    system::power_action::state::PowerAction,
    tray::view::{RATES, TrayPicture, TrayView},
};

/// Item that the user chose in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrayChoice {
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

/// Content of the tray icon, and the sender of menu choices.
pub struct TrayIcon {
    face: TrayView,
    ticks: bool,
    choose: mpsc::UnboundedSender<TrayChoice>,
}

impl TrayIcon {
    /// Returns an icon with the content `face`.
    pub fn new(face: TrayView, choose: mpsc::UnboundedSender<TrayChoice>) -> Self {
        Self { face, ticks: true, choose }
    }

    /// Sets the content.
    pub fn show(&mut self, face: TrayView) {
        (self.face, self.ticks) = (face, true);
    }

    /// Clears all tick marks until the next [`TrayIcon::show`].
    pub fn untick(&mut self) {
        self.ticks = false;
    }

    fn limits(&self) -> Vec<MenuItem<Self>> {
        let tick = |label: String, limit: Option<u64>| {
            let checked = self.ticks && self.face.limit == limit;
            let activate: Box<dyn Fn(&mut Self) + Send> = Box::new(move |icon| icon.chosen(TrayChoice::Limit(limit)));
            CheckmarkItem { label: escaped(&label), checked, activate, ..CheckmarkItem::default() }.into()
        };
        let own = self.face.own_limit().map(|label| tick(label, self.face.limit));
        let rates = RATES.into_iter().map(|bytes| tick(current().speed_limit(bytes), Some(bytes)));
        std::iter::once(tick(text!("limit.none"), None)).chain(rates).chain(own).collect()
    }

    fn afterwards(&self) -> Vec<MenuItem<Self>> {
        let tick = |label: &str, then: PowerAction| {
            let checked = self.ticks && self.face.then == then;
            let activate: Box<dyn Fn(&mut Self) + Send> = Box::new(move |icon| icon.chosen(TrayChoice::Then(then)));
            CheckmarkItem { label: escaped(&text!(label)), checked, activate, ..CheckmarkItem::default() }.into()
        };
        vec![
            tick("afterwards.nothing", PowerAction::Nothing),
            tick("afterwards.sleep", PowerAction::Sleep),
            tick("afterwards.shut-down", PowerAction::ShutDown),
        ]
    }

    fn chosen(&self, choice: TrayChoice) {
        // Ignore the error: sending fails only while Ashore is shutting down.
        let _ = self.choose.send(choice);
    }
}

impl Tray for TrayIcon {
    /// Opens the window. Called by panels that react to a click. Other panels open the menu instead.
    fn activate(&mut self, _x: i32, _y: i32) {
        self.chosen(TrayChoice::Open);
    }

    fn id(&self) -> String {
        "ashore".to_owned()
    }

    fn category(&self) -> Category {
        Category::ApplicationStatus
    }

    fn title(&self) -> String {
        "Ashore".to_owned()
    }

    fn status(&self) -> Status {
        Status::Active
    }

    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        picture(self.face.picture).into_iter().collect()
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip { title: "Ashore".to_owned(), description: self.face.line.clone(), ..ToolTip::default() }
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let face = &self.face;
        let said = |label: &str| StandardItem { label: escaped(label), enabled: false, ..StandardItem::default() }.into();
        let line = |label: &str, choice: TrayChoice| {
            let activate: Box<dyn Fn(&mut Self) + Send> = Box::new(move |icon| icon.chosen(choice));
            StandardItem { label: escaped(label), activate, ..StandardItem::default() }.into()
        };
        let mut menu = vec![said(&face.line), MenuItem::Separator];
        if let Some(countdown) = &face.countdown {
            menu.extend([
                said(countdown),
                line(&text!("afterwards-stay"), TrayChoice::Then(PowerAction::Nothing)),
                MenuItem::Separator,
            ]);
        }
        menu.extend(face.running.iter().map(|(unique_id, text)| line(text, TrayChoice::One(*unique_id))));
        menu.extend(face.more.as_deref().map(said));
        if !face.running.is_empty() {
            menu.push(MenuItem::Separator);
        }
        let limits = SubMenu { label: escaped(&text!("limit")), submenu: self.limits(), ..SubMenu::default() };
        let afterwards = SubMenu { label: escaped(&text!("afterwards")), submenu: self.afterwards(), ..SubMenu::default() };
        menu.extend([
            line(&text!("tray-clipboard"), TrayChoice::Clipboard),
            line(&face.toggle, TrayChoice::Toggle),
            limits.into(),
            afterwards.into(),
            MenuItem::Separator,
            line(&text!("tray-open"), TrayChoice::Open),
            line(&text!("tray-quit"), TrayChoice::Quit),
        ]);
        menu
    }
}

/// Escapes underscores, because a single underscore marks an access key.
fn escaped(text: &str) -> String {
    text.replace('_', "__")
}

fn picture(picture: TrayPicture) -> Option<ksni::Icon> {
    let bytes: &[u8] = match picture {
        TrayPicture::Idle => include_bytes!("../../../../icons/tray-idle.png"),
        TrayPicture::Running => include_bytes!("../../../../icons/tray-running.png"),
        TrayPicture::Attention => include_bytes!("../../../../icons/tray-attention.png"),
    };
    pixels(bytes).inspect_err(|error| tracing::error!(%error, "tray icon could not be decoded")).ok()
}

/// Decodes a picture. Each pixel begins with its alpha byte, as panels expect.
fn pixels(bytes: &[u8]) -> Result<ksni::Icon, png::DecodingError> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let mut data = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut data)?;
    data.truncate(frame.buffer_size());
    data.chunks_exact_mut(4).for_each(|pixel| pixel.rotate_right(1));
    Ok(ksni::Icon { width: frame.width.cast_signed(), height: frame.height.cast_signed(), data })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::status::StatusSnapshot, system::power_action::state::PowerActionStatus};

    #[test]
    fn tray_icons_differ_and_each_has_as_many_bytes_as_its_width_and_height_require() {
        let all = [TrayPicture::Idle, TrayPicture::Running, TrayPicture::Attention].map(|one| picture(one).unwrap());
        for icon in &all {
            assert_eq!(icon.data.len(), usize::try_from(icon.width * icon.height * 4).unwrap());
            assert!(icon.data.chunks_exact(4).any(|pixel| pixel[0] == 0), "the corners can be seen through");
        }
        assert!(all[0].data != all[1].data && all[1].data != all[2].data && all[0].data != all[2].data);
    }

    #[test]
    fn tray_menu_ticks_only_the_current_speed_limit() {
        let (choose, _) = mpsc::unbounded_channel();
        let ticked = |icon: &TrayIcon| -> Vec<String> {
            icon.limits()
                .into_iter()
                .filter_map(|item| match item {
                    MenuItem::Checkmark(item) if item.checked => Some(item.label),
                    _ => None,
                })
                .collect()
        };
        let limited = |limit| TrayView { limit, ..TrayView::from_status(&StatusSnapshot::default()) };
        let mut icon = TrayIcon::new(limited(None), choose);
        assert_eq!(ticked(&icon), ["No limit"]);
        icon.show(limited(Some(1_000_000)));
        assert_eq!(ticked(&icon), ["1 MB/s"]);
        icon.untick();
        assert_eq!(ticked(&icon), <[&str; 0]>::default());
        icon.show(limited(Some(123_456)));
        assert_eq!(ticked(&icon).len(), 1);
    }

    #[test]
    fn chosen_power_action_is_ticked_and_countdown_is_cancellable() {
        let (choose, _) = mpsc::unbounded_channel();
        let told = |seconds| StatusSnapshot {
            afterwards: PowerActionStatus { then: PowerAction::Sleep, seconds },
            ..StatusSnapshot::default()
        };
        let icon = |seconds| TrayIcon::new(TrayView::from_status(&told(seconds)), choose.clone());
        let ticked = icon(None).afterwards().into_iter().map(|item| matches!(item, MenuItem::Checkmark(item) if item.checked));
        assert_eq!(ticked.collect::<Vec<_>>(), [false, true, false]);
        let labels = |icon: TrayIcon| -> Vec<String> {
            let label = |item| match item {
                MenuItem::Standard(item) => Some(item.label),
                _ => None,
            };
            icon.menu().into_iter().filter_map(label).collect()
        };
        assert_eq!(labels(icon(None))[1], "Add from clipboard");
        assert_eq!(labels(icon(Some(42)))[1..3], ["This computer goes to sleep in 42 s", "Cancel"]);
    }
}
