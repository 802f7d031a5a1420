//! Progress on stderr: a bar if stderr is a terminal, plain lines at intervals if not, and nothing for programs.

use std::{
    env,
    io::{self, IsTerminal},
    time::Duration,
};

use ashore_engine::Registration;
use ashore_terminal::{OutputOptions, TerminalOutput, clean};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::text;

/// Interval between two plain lines of progress.
pub const EVERY: Duration = Duration::from_secs(10);

const TITLE: usize = 32;

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
            Self::Drawn(ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8)))
        } else {
            Self::Lines(out)
        }
    }

    /// Updates the bar.
    pub fn show(&self, now: &Registration, speed: u64, is_all_paused: bool) {
        let Self::Drawn(bar) = self else { return };
        match text::total(now) {
            Some(total) if bar.length() != Some(total) => {
                bar.set_length(total);
                bar.set_style(style("{prefix}  [{bar:24.#}] {percent:>3} %  {wide_msg}"));
            }
            None if bar.length().is_some() || bar.prefix().is_empty() => {
                bar.unset_length();
                bar.set_style(style("{prefix}  {spinner}  {wide_msg}"));
            }
            _ => {}
        }
        bar.set_prefix(shortened(&clean(&now.title)));
        bar.set_position(now.downloaded);
        bar.set_message(text::progress(now, speed, is_all_paused));
        bar.tick();
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

/// Returns the bar style of a template. A template that is not valid is a defect and yields the default style.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("#>-")
}

fn shortened(title: &str) -> String {
    if title.chars().count() <= TITLE {
        return title.to_owned();
    }
    title.chars().take(TITLE - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::text::tests::registration;

    #[test]
    fn progress_templates_are_valid() {
        for template in ["{prefix}  [{bar:24.#}] {percent:>3} %  {wide_msg}", "{prefix}  {spinner}  {wide_msg}"] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }

    #[test]
    fn progress_bar_has_length_only_while_size_is_known() {
        let drawn = ProgressBar::hidden();
        let bar = ProgressOutput::Drawn(drawn.clone());
        bar.show(&registration(), 0, false);
        assert_eq!(drawn.length(), None);
        bar.show(&Registration { downloaded: 5, expected_total: 10, ..registration() }, 0, false);
        assert_eq!((drawn.length(), drawn.position()), (Some(10), 5));
        bar.show(&registration(), 0, false);
        assert_eq!(drawn.length(), None);
    }

    #[test]
    fn long_titles_are_shortened() {
        assert_eq!(shortened(&"x".repeat(33)), format!("{}...", "x".repeat(29)));
        assert_eq!(shortened("short"), "short");
    }
}
