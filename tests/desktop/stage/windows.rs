//! Operates windows on the screen of the stage: keys, mouse, focus and positions, through `xdotool`.

use std::process::Output;

use ashore_testkit::waits::{until, within_looks};

use super::Stage;

/// Position and size of a window, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Distance from the left edge of the screen.
    pub x: i32,
    /// Distance from the top edge of the screen.
    pub y: i32,
    /// Width without the frame.
    pub width: i32,
    /// Height without the frame.
    pub height: i32,
}

impl Stage {
    /// Presses keys in the focused window.
    pub fn keys(&self, keys: &str) {
        let _ = self.xdotool(&["key", "--clearmodifiers", keys]);
    }

    /// Focuses the window and presses keys.
    pub fn press_keys(&self, keys: &str) {
        let _ = self.xdotool(&["search", "--onlyvisible", "--name", "^Ashore$", "windowactivate", "--sync"]);
        self.keys(keys);
    }

    /// Enters a path in the desktop's file dialog with this title.
    pub async fn choose_path(&self, title: &str, path: &str) {
        // Select the path field first, because an earlier key may have moved the focus.
        let select: &[&str] = &["key", "--clearmodifiers", "ctrl+l", "ctrl+a"];
        self.answer(title, &[select, &["type", "--delay", "20", path], &["key", "--clearmodifiers", "Return"]]).await;
    }

    /// Minimises and restores the window, so that it loses and regains the focus.
    pub async fn look_away_and_back(&self) {
        self.look_away().await;
        self.look_back().await;
    }

    /// Minimises the window.
    pub async fn look_away(&self) {
        const WINDOW: [&str; 4] = ["search", "--onlyvisible", "--name", "^Ashore$"];
        let _ = self.xdotool(&[&WINDOW[..], &["windowminimize", "--sync"]].concat());
        self.windows_are(0).await;
    }

    /// Restores the window and gives it the focus.
    pub async fn look_back(&self) {
        until("the window has the focus again", async || {
            let _ = self.xdotool(&["search", "--name", "^Ashore$", "windowactivate", "--sync"]);
            (self.focused() == "Ashore").then_some(())
        })
        .await;
    }

    /// Waits until the window of this title has the focus.
    pub async fn has_focus(&self, title: &str) {
        until(&format!("{title} has the focus"), async || (self.focused() == title).then_some(())).await;
    }

    fn focused(&self) -> String {
        let focused = self.xdotool(&["getwindowfocus", "getwindowname"]);
        String::from_utf8_lossy(&focused.stdout).trim().to_owned()
    }

    /// Presses the confirming button of the dialog with this title.
    pub async fn agree(&self, title: &str) {
        self.answer(title, &[&["key", "--clearmodifiers", "Return"]]).await;
    }

    /// Cancels the dialog of this title with Escape.
    pub async fn refuse(&self, title: &str) {
        self.answer(title, &[&["key", "--clearmodifiers", "Escape"]]).await;
    }

    /// Sends input to the dialog with this title until the dialog is closed. Repeats the input, because a new dialog
    /// may miss it.
    async fn answer(&self, title: &str, input: &[&[&str]]) {
        let window = self.window_of(title).await;
        let title = format!("^{}$", literal(title));
        until(&format!("the dialog {title} is answered"), async || {
            let _ = self.xdotool(&["windowactivate", "--sync", &window]);
            for arguments in input {
                let _ = self.xdotool(arguments);
            }
            let is_gone = async || (self.found(&["search", "--onlyvisible", "--name", &title]) == 0).then_some(());
            within_looks(20, is_gone).await
        })
        .await;
    }

    /// Waits for the window with this title, and then sets its position and its size, both in pixels.
    pub async fn put_window(&self, title: &str, (x, y): (i32, i32), (width, height): (u32, u32)) {
        let (window, place) = (self.window_of(title).await, [x, y].map(|at| at.to_string()));
        let _ = self.xdotool(&["windowsize", "--sync", &window, &width.to_string(), &height.to_string()]);
        let _ = self.xdotool(&["windowmove", &window, &place[0], &place[1]]);
    }

    /// Returns the position and size of the window.
    pub async fn place_of_window(&self) -> Place {
        let window = self.window_of("Ashore").await;
        let place = self.desktop.geometry(&["getwindowgeometry", "--shell", &window]);
        let [x, y, width, height] = place.unwrap_or_default();
        Place { x, y, width, height }
    }

    /// Double-clicks the title bar, which maximises or restores the window.
    pub async fn toggle_maximised(&self) {
        let window = self.window_of("Ashore").await;
        let _ = self.xdotool(&["mousemove", "--window", &window, "200", "-8", "click", "--repeat", "2", "--delay", "60", "1"]);
    }

    /// Drags with the mouse from a position in one window to a position in another, slowly enough for both windows to
    /// notice it.
    pub async fn drag(&self, (from, start): (&str, (i32, i32)), (to, end): (&str, (i32, i32))) {
        let (from, to) = (self.window_of(from).await, self.window_of(to).await);
        let moved = |window: &str, (x, y): (i32, i32), away: i32| {
            let place = [x + away, y + away].map(|at| at.to_string());
            let [x, y] = place;
            ["mousemove", "--window", window, &x, &y, "sleep", "0.1"].map(str::to_owned)
        };
        let press = |order: &str| [order.to_owned(), "1".to_owned()];
        let mut steps = moved(&from, start, 0).to_vec();
        steps.extend(press("mousedown"));
        steps.extend([4, 12, 24].into_iter().flat_map(|away| moved(&from, start, away)));
        steps.extend([-12, -8, -4, 0].into_iter().flat_map(|away| moved(&to, end, away)));
        steps.extend(press("mouseup"));
        let _ = self.xdotool(&steps.iter().map(String::as_str).collect::<Vec<_>>());
    }

    async fn window_of(&self, title: &str) -> String {
        until(&format!("the window {title} is to be seen"), async || {
            let found = self.xdotool(&["search", "--onlyvisible", "--name", &format!("^{}$", literal(title))]);
            String::from_utf8_lossy(&found.stdout).lines().next().map(str::to_owned)
        })
        .await
    }

    /// Returns the number of visible Ashore windows.
    pub fn windows(&self) -> usize {
        self.found(&["search", "--onlyvisible", "--name", "^Ashore$"])
    }

    /// Returns the number of Ashore windows, including minimised ones.
    pub fn all_windows(&self) -> usize {
        self.found(&["search", "--name", "^Ashore$"])
    }

    fn found(&self, arguments: &[&str]) -> usize {
        String::from_utf8_lossy(&self.xdotool(arguments).stdout).lines().count()
    }

    fn xdotool(&self, arguments: &[&str]) -> Output {
        self.desktop.xdotool(arguments).unwrap()
    }

    /// Waits until this number of windows is visible.
    pub async fn windows_are(&self, number: usize) {
        until(&format!("{number} windows are to be seen"), async || (self.windows() == number).then_some(())).await;
    }

    /// Closes the window as a user would and waits until it is no longer visible.
    pub async fn close_window(&self) {
        until("the window closes", async || {
            let _ = self.xdotool(&["search", "--onlyvisible", "--name", "^Ashore$", "windowactivate"]);
            // Send the keys to the focused window: window managers ignore the synthetic keys that `xdotool` sends to a
            // named window.
            self.keys("alt+F4");
            within_looks(40, async || (self.windows() == 0).then_some(())).await
        })
        .await;
    }

    /// Closes the window with two key presses in a row, and waits until it is no longer visible.
    pub async fn close_window_twice(&self) {
        let _ = self.xdotool(&["search", "--onlyvisible", "--name", "^Ashore$", "windowactivate", "--sync"]);
        let _ = self.xdotool(&["key", "--clearmodifiers", "--delay", "0", "alt+F4", "alt+F4"]);
        until("the window closes", async || (self.windows() == 0).then_some(())).await;
    }
}

/// Escapes a title for use as a pattern that matches only this title.
fn literal(title: &str) -> String {
    title.replace('?', "[?]")
}
