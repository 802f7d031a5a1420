//! Progress on stderr: a bar if stderr is a terminal, plain lines at intervals if not, and nothing for programs.
//!
//! No line of the bar is wider than the terminal. In a narrow terminal, the title and the numbers have separate lines.

use std::{
    env,
    io::{self, IsTerminal},
    time::Duration,
};

use ashore_engine::Registration;
use ashore_terminal::{OutputOptions, TerminalOutput, clean, clipped, packed, stderr_columns, wrapped};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use unicode_width::UnicodeWidthStr as _;

use crate::output::text;

/// Interval between two plain lines of progress.
pub const EVERY: Duration = Duration::from_secs(10);

/// Maximum and minimum width of the title beside the numbers, in columns.
const TITLE: (usize, usize) = (32, 12);
/// Maximum and minimum width of the bar without its brackets, in columns.
const BAR: (usize, usize) = (24, 8);
/// Maximum number of drawings per second. People cannot read numbers that change more often.
const DRAWN_HZ: u8 = 2;
/// Width of a terminal that does not state its width, in columns.
const DEFAULT_COLUMNS: usize = 80;

/// Whether a progress bar is drawn: stderr is a terminal, stdout is not JSON, and the log is off.
pub fn is_drawn(options: OutputOptions) -> bool {
    let is_logged = options.verbose > 0 || env::var_os("RUST_LOG").is_some();
    io::stderr().is_terminal() && !options.json && !options.quiet && !is_logged
}

/// Kind of progress output for one registration.
#[derive(Debug)]
pub enum ProgressOutput {
    /// Bar on a terminal.
    Drawn(ProgressBar),
    /// Plain lines, if stderr is not a terminal.
    Lines(TerminalOutput),
    /// No output, for programs and with `--quiet`.
    None,
}

impl ProgressOutput {
    /// Returns the kind of progress output that suits `out`.
    pub fn new(out: TerminalOutput) -> Self {
        if out.json || out.quiet {
            Self::None
        } else if out.draws {
            let style = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            Self::Drawn(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(DRAWN_HZ)).with_style(style))
        } else {
            Self::Lines(out)
        }
    }

    /// Updates the bar.
    pub fn show(&self, now: &Registration, speed: u64, is_all_paused: bool) {
        let Self::Drawn(bar) = self else { return };
        // Leave the last column empty, because some terminals begin a new line after a character in it.
        let columns = stderr_columns().unwrap_or(DEFAULT_COLUMNS).saturating_sub(1);
        let text = drawn(now, speed, is_all_paused, columns);
        if bar.message() != text {
            bar.set_message(text);
        }
    }

    /// Prints a plain line if no bar is drawn. Called every [`EVERY`].
    pub fn tick(&self, now: &Registration, speed: u64, is_all_paused: bool) {
        if let Self::Lines(out) = self {
            let (title, share) = (clean(&now.title), text::share(now));
            out.print_line(format_args!("{title}: {share} - {}", text::progress(now, speed, is_all_paused)));
        }
    }

    /// Removes the bar, so that text can follow.
    pub fn clear(&self) {
        if let Self::Drawn(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Returns the lines of the bar: title, bar, percentage and numbers. No line has more than `columns` columns.
fn drawn(now: &Registration, speed: u64, is_all_paused: bool, columns: usize) -> String {
    let title = clean(&now.title);
    let is_known = text::total(now).is_some();
    let share = if is_known { format!("  {}", text::share(now)) } else { String::new() };
    let parts = text::progress_parts(now, speed, is_all_paused);
    let numbers = parts.join(text::BETWEEN);
    // The numbers of a waiting download include a sentence, which can leave too little space for the title.
    let fixed = share.width() + 2 + numbers.width();
    if let Some(left) = columns.checked_sub(fixed).filter(|left| *left >= TITLE.1.min(title.width())) {
        let title = clipped(&title, left.min(TITLE.0));
        let bar = if is_known { bar(now, left - title.width()) } else { String::new() };
        return format!("{title}{bar}{share}  {numbers}");
    }
    let title = clipped(&title, columns.saturating_sub(share.width()).min(TITLE.0));
    let bar = if is_known { bar(now, columns.saturating_sub(title.width() + share.width())) } else { String::new() };
    let numbers = packed(&parts, text::BETWEEN, columns).iter().map(|line| wrapped(line, columns)).collect::<Vec<_>>();
    format!("{title}{bar}{share}\n{}", numbers.join("\n"))
}

/// Returns a bar of at most `columns` columns, including the blanks before it; empty if `columns` is too small.
fn bar(now: &Registration, columns: usize) -> String {
    let Some(length) = columns.checked_sub(4).filter(|length| *length >= BAR.1) else { return String::new() };
    let (length, total) = (length.min(BAR.0), text::total(now).unwrap_or_default());
    let part = u128::from(now.downloaded) * length as u128 / u128::from(total.max(1));
    let full = usize::try_from(part).unwrap_or(length).min(length);
    let head = if full < length { ">" } else { "" };
    format!("  [{}{head}{}]", "#".repeat(full), "-".repeat((length - full).saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use ashore_engine::RegistrationState;
    use ashore_messages::message;

    use super::*;
    use crate::output::text::tests::registration;

    fn running() -> Registration {
        Registration {
            title: "ocean-currents-2026-11-30.nc".to_owned(),
            state: RegistrationState::Running,
            downloaded: 3_100_000_000,
            expected_total: 4_200_000_000,
            ..registration()
        }
    }

    #[test]
    fn bar_uses_one_line_of_wide_terminal() {
        assert_eq!(
            drawn(&running(), 11_400_000, false, 119),
            "ocean-currents-2026-11-30.nc  [#################>------]  73 %  3.1 of 4.2 GB - 11.4 MB/s - 2 min left"
        );
        assert_eq!(
            drawn(&running(), 11_400_000, false, 79),
            "ocean-currents-2026-11-30.nc  73 %  3.1 of 4.2 GB - 11.4 MB/s - 2 min left"
        );
        assert_eq!(drawn(&running(), 11_400_000, false, 63), "ocean-curre…30.nc  73 %  3.1 of 4.2 GB - 11.4 MB/s - 2 min left");
    }

    #[test]
    fn bar_has_separate_lines_for_title_and_numbers_in_narrow_terminal() {
        assert_eq!(
            drawn(&running(), 11_400_000, false, 39),
            "ocean-currents-2026-11-30.nc  73 %\n3.1 of 4.2 GB - 11.4 MB/s - 2 min left"
        );
        assert_eq!(
            drawn(&Registration { title: "a.iso".to_owned(), ..running() }, 11_400_000, false, 30),
            "a.iso  [###########>---]  73 %\n3.1 of 4.2 GB - 11.4 MB/s\n2 min left"
        );
    }

    #[test]
    fn no_line_of_bar_is_wider_than_terminal() {
        let waiting = Registration { waiting_for: Some(message!("host-busy")), state: RegistrationState::Waiting, ..running() };
        let unknown = Registration { expected_total: 0, ..running() };
        for columns in [39, 59, 79, 99, 119] {
            for now in [&waiting, &unknown, &running()] {
                for line in drawn(now, 999_400_000, false, columns).lines() {
                    assert!(line.width() <= columns, "{columns}: {line}");
                }
            }
        }
    }

    #[test]
    fn bar_of_complete_download_is_full() {
        let done = Registration { downloaded: 10, expected_total: 10, ..registration() };
        assert_eq!(bar(&done, 12), "  [########]");
        assert_eq!(bar(&done, 11), "");
    }
}
