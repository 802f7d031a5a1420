//! Content of the tray icon. [pure]

use ashore_engine::{ProgressTotals, UniqueId};
use ashore_messages::{current, text};

use crate::{
    engine::status::{RunningStatus, StatusSnapshot},
    i18n::{first_sentence::brief, plain_text::plain},
    system::power_action::state::PowerAction,
    tasks::power_action,
};

/// Maximum number of running downloads with their own line in the menu.
const LINES: usize = 5;

/// Maximum length of a title in characters. A menu has little space.
const TITLE: usize = 40;

/// Speed limits that the menu offers, in bytes per second.
pub const RATES: [u64; 6] = [100_000, 250_000, 500_000, 1_000_000, 5_000_000, 10_000_000];

/// Content of the tray icon and its menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrayView {
    /// Line with the totals.
    pub line: String,
    /// Running downloads: the id and the line of each.
    pub running: Vec<(UniqueId, String)>,
    /// Line that states how many running downloads have no line of their own in the menu.
    pub more: Option<String>,
    /// Label of the item that pauses or resumes everything.
    pub toggle: String,
    /// Language of the strings above.
    pub language: &'static str,
    /// Global speed limit, in bytes per second.
    pub limit: Option<u64>,
    /// Power action that follows when the last download ends.
    pub then: PowerAction,
    /// Text of the countdown; `None` if no countdown is running.
    pub countdown: Option<String>,
    /// Counter that forces a redraw; see `StatusSnapshot::touches`.
    pub touches: u32,
    /// Picture of the icon.
    pub picture: TrayPicture,
}

/// Picture of the icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrayPicture {
    /// Picture while no download is running.
    Idle,
    /// Picture while downloads are running.
    Running,
    /// Picture while the window needs the attention of the user.
    Attention,
}

impl TrayView {
    /// Returns the content for a status.
    pub fn from_status(known: &StatusSnapshot) -> Self {
        let paused = known.totals.paused;
        let left = known.running.len().saturating_sub(LINES);
        Self {
            line: sum(known),
            running: known.running.iter().take(LINES).map(|one| (one.unique_id, line(one))).collect(),
            more: (left > 0).then(|| text!("note-and-more", count = left)),
            toggle: if paused { text!("resume-all") } else { text!("pause-all") },
            language: current().tag(),
            limit: known.totals.speed_limit,
            then: known.afterwards.then,
            countdown: power_action::in_words(known.afterwards),
            touches: known.touches,
            picture: match (known.wants_attention(), known.totals.running) {
                (true, _) => TrayPicture::Attention,
                (false, 0) => TrayPicture::Idle,
                (false, _) => TrayPicture::Running,
            },
        }
    }

    /// Returns the current limit as text, unless the menu already lists this limit.
    pub fn own_limit(&self) -> Option<String> {
        self.limit.filter(|limit| !RATES.contains(limit)).map(|limit| current().speed_limit(limit))
    }
}

fn sum(known: &StatusSnapshot) -> String {
    let ProgressTotals { running, waiting, speed: bytes, paused, .. } = known.totals;
    let gate = known.totals.gate.as_ref().map(brief).unwrap_or_default();
    let waits = |waiting: u32| text!("totals-waiting", count = waiting);
    match (known.is_shut, paused, running, waiting) {
        (true, ..) => text!("tray-shut"),
        (_, true, 0, _) => text!("totals-paused"),
        (_, _, 0, 0) => text!("totals-idle"),
        (_, _, 0, waiting) if gate.is_empty() => waits(waiting),
        (_, _, 0, waiting) => format!("{} · {gate}", waits(waiting)),
        (_, _, running, waiting) => {
            // Show no remaining time if the list of running downloads is incomplete.
            let is_known = usize::try_from(running).is_ok_and(|running| running == known.running.len());
            let sum = known.sum().filter(|_| is_known);
            let left = sum.and_then(|(there, whole)| current().time_left(whole.saturating_sub(there), bytes));
            let queued = (waiting > 0).then(|| waits(waiting));
            let parts = [Some(text!("totals-running", count = running)), queued, Some(current().speed(bytes)), left];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
        }
    }
}

fn line(one: &RunningStatus) -> String {
    let title = plain(&one.title);
    let title = match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", title[..end].trim_end()),
        None => title,
    };
    let far = match one.whole.filter(|whole| *whole > 0) {
        Some(whole) => text!("percent", percent = (one.there.min(whole) as f64 * 100.0 / whole as f64) as u64),
        None => current().size(one.there),
    };
    format!("{title} · {far}")
}

#[cfg(test)]
mod tests {
    use ashore_engine::{EngineEvent, GateCode, Registration, RegistrationResult, RegistrationState};
    use ashore_messages::message;

    use super::*;
    use crate::{
        engine::status::EngineStatus,
        notifications::content::tests::{closed_gate, registration},
    };

    fn tray_view(running: u32, waiting: u32, paused: bool) -> TrayView {
        let totals = ProgressTotals { running, waiting, speed: 11_400_000, paused, ..ProgressTotals::default() };
        TrayView::from_status(&StatusSnapshot { totals, ..StatusSnapshot::default() })
    }

    fn status_with(registration: &Registration) -> StatusSnapshot {
        let glance = EngineStatus::new();
        glance.has(std::slice::from_ref(registration), ProgressTotals::default());
        glance.follow().borrow().clone()
    }

    fn numbered(number: u8) -> Registration {
        let unique_id = format!("6a2ab1c0-1111-4222-8333-4444555566{number:02x}").parse().unwrap();
        Registration {
            unique_id,
            title: format!("file-{number}"),
            downloaded: 250,
            expected_total: 1000,
            created: number.into(),
            ..registration()
        }
    }

    #[test]
    fn first_menu_line_summarises_running_and_waiting_downloads() {
        let shown = |face: TrayView| (face.line, face.toggle, face.picture);
        assert_eq!(
            shown(tray_view(3, 12, false)),
            ("3 running · 12 queued · 11.4 MB/s".to_owned(), "Pause all".to_owned(), TrayPicture::Running)
        );
        assert_eq!(shown(tray_view(0, 12, false)), ("12 queued".to_owned(), "Pause all".to_owned(), TrayPicture::Idle));
        assert_eq!(
            shown(tray_view(0, 0, false)),
            ("No downloads are running".to_owned(), "Pause all".to_owned(), TrayPicture::Idle)
        );
        assert_eq!(
            shown(tray_view(0, 12, true)),
            ("Everything is paused".to_owned(), "Resume all".to_owned(), TrayPicture::Idle)
        );
    }

    #[test]
    fn time_left_is_shown_only_if_all_sizes_are_known() {
        let glance = EngineStatus::new();
        glance.has(&[numbered(2), numbered(1)], ProgressTotals { running: 2, speed: 10, ..ProgressTotals::default() });
        let shown = || TrayView::from_status(&glance.follow().borrow());
        assert_eq!(shown().line, "2 running · 10 B/s · 3 min left");
        let lines: Vec<_> = shown().running.into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines, ["file-1 · 25 %", "file-2 · 25 %"], "in the order of the requests");
        let unknown = Registration { expected_total: 0, ..numbered(2) };
        glance.on_event(&EngineEvent::Changed { registration: Box::new(unknown) }, false);
        assert_eq!(shown().line, "2 running · 10 B/s");
        assert_eq!(shown().running[1].1, "file-2 · 250 B");
    }

    #[test]
    fn tray_menu_lists_five_downloads_and_counts_the_others() {
        let glance = EngineStatus::new();
        glance.has(&(0..7).rev().map(numbered).collect::<Vec<_>>(), ProgressTotals::default());
        let shown = || TrayView::from_status(&glance.follow().borrow());
        assert_eq!((shown().running.len(), shown().more.as_deref()), (5, Some("and 2 more")));
        glance.on_event(&EngineEvent::Removed { unique_id: numbered(0).unique_id, owner: "window".to_owned() }, false);
        let titles: Vec<_> = shown().running.iter().map(|(_, line)| line.split(' ').next().unwrap().to_owned()).collect();
        assert_eq!(titles, ["file-1", "file-2", "file-3", "file-4", "file-5"]);
        let progress = |unique_id| EngineEvent::Progress {
            unique_id,
            owner: "window".to_owned(),
            downloaded: 999,
            uploaded: 0,
            expected_total: 1000,
            speed: 1,
        };
        glance.on_event(&progress(numbered(1).unique_id), false);
        assert_eq!(shown().running[0].1, "file-1 · 99 %");
        glance.on_event(
            &EngineEvent::Changed { registration: Box::new(Registration { state: RegistrationState::Paused, ..numbered(1) }) },
            false,
        );
        assert_eq!((shown().running.len(), shown().more), (5, None));
    }

    #[test]
    fn untrusted_title_is_shortened_and_cleaned() {
        let one = || status_with(&numbered(0)).running.remove(0);
        let one = RunningStatus { title: format!("\u{202E}{}", "ä".repeat(60)), ..one() };
        assert_eq!(line(&one), format!("{}… · 25 %", "ä".repeat(40)));
    }

    #[test]
    fn number_of_waiting_downloads_is_shown_with_the_reason_why_they_wait() {
        let gate = closed_gate(GateCode::Metered, message!("metered"));
        let line = |waiting| {
            let totals = ProgressTotals { waiting, gate: Some(gate.clone()), ..ProgressTotals::default() };
            sum(&StatusSnapshot { totals, ..StatusSnapshot::default() })
        };
        assert_eq!((line(2), line(0)), ("2 queued · The network is metered".to_owned(), "No downloads are running".to_owned()));
    }

    #[test]
    fn tray_icon_signals_failure_until_it_is_seen_or_retried_or_removed() {
        let glance = EngineStatus::new();
        let shown = || TrayView::from_status(&glance.follow().borrow()).picture;
        let failed = Registration { state: RegistrationState::Settled, result: RegistrationResult::Failure, ..numbered(0) };
        let event = |registration: &Registration| EngineEvent::Changed { registration: Box::new(registration.clone()) };
        glance.on_event(&event(&failed), true);
        assert_eq!(shown(), TrayPicture::Idle, "the user has seen the failure");
        glance.on_event(&event(&failed), false);
        assert_eq!(shown(), TrayPicture::Attention);
        glance.seen();
        assert_eq!(shown(), TrayPicture::Idle);
        for end in [event(&numbered(0)), EngineEvent::Removed { unique_id: failed.unique_id, owner: "window".to_owned() }] {
            glance.on_event(&event(&failed), false);
            glance.on_event(&end, false);
            assert_eq!(shown(), TrayPicture::Idle);
        }
    }

    #[test]
    fn tray_icon_signals_unavailable_list_until_list_is_open_again() {
        let glance = EngineStatus::new();
        glance.has(&[numbered(0)], ProgressTotals::default());
        glance.shut();
        let face = TrayView::from_status(&glance.follow().borrow());
        assert_eq!(
            (face.line.as_str(), face.picture, face.running.len()),
            ("The list cannot be opened", TrayPicture::Attention, 0)
        );
        glance.has(&[], ProgressTotals::default());
        assert_eq!(TrayView::from_status(&glance.follow().borrow()).line, "No downloads are running");
    }

    #[test]
    fn custom_speed_limit_has_its_own_menu_line() {
        assert_eq!(
            RATES.map(|rate| current().speed_limit(rate)),
            ["100 kB/s", "250 kB/s", "500 kB/s", "1 MB/s", "5 MB/s", "10 MB/s"]
        );
        let own = |limit| TrayView { limit, ..tray_view(0, 0, false) }.own_limit();
        assert_eq!((own(None), own(Some(RATES[0])), own(Some(2 << 20))), (None, None, Some("2.1 MB/s".to_owned())));
    }
}
