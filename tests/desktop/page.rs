//! Drives the page in the window through WebDriver. The driver also starts the program under test.

use std::process::Command;

use ashore_testkit::{
    readings::child,
    running::RunningProgram,
    waits::{DEADLINE, until, within},
    web_driver::WebDriver,
};
use fantoccini::{
    Client, Locator,
    actions::{InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction},
    elements::Element,
    error::CmdError,
};
use rustix::process::Pid;
use serde_json::json;

use crate::stage::Stage;

/// Script that returns true as soon as the page has received the click, or false if that does not happen within a
/// second.
const RECEIVED: &str = "const done = arguments[arguments.length - 1];
    const end = performance.now() + 1000;
    const look = () => {
        if (window.isClicked !== false) done(true);
        else if (performance.now() > end) done(false);
        else setTimeout(look, 10);
    };
    look();";

/// Returns the selector of the row with this title.
pub fn row(title: &str) -> String {
    format!("[data-testid='row'][aria-label^='{title},']")
}

/// Returns `text` as the page shows it, but without no-break characters.
pub fn as_read(text: &str) -> String {
    text.replace('\u{a0}', " ").replace('\u{2060}', "")
}

/// Program under test with an open window.
pub struct WindowPage {
    client: Client,
    driver: RunningProgram,
}

impl WindowPage {
    /// Starts the program with its window and waits for the page.
    pub async fn open(stage: &Stage) -> Self {
        Self::open_by(stage, || stage.command("WebKitWebDriver")).await
    }

    /// Like [`Self::open`], for tests that call [`picture`](Self::picture). Without a graphics card, the driver of
    /// [`Self::open`] would wait forever for the screenshot.
    pub async fn open_for_pictures(stage: &Stage) -> Self {
        let command = || {
            let mut command = stage.command("WebKitWebDriver");
            command.env("WEBKIT_DISABLE_DMABUF_RENDERER", "0");
            command
        };
        Self::open_by(stage, command).await
    }

    /// Starts the driver. If the driver ends, for example because another program has taken its port, tries again with
    /// another port.
    async fn open_by(stage: &Stage, command: impl Fn() -> Command) -> Self {
        let (client, driver) = until("a driver has a page", async || {
            let mut command = command();
            let options = json!({"binary": stage.program(), "args": []});
            let web_driver = WebDriver::prepare(&mut command, [("webkitgtk:browserOptions", options)]).unwrap();
            let mut driver = stage.start(command);
            let client = until("the driver has a page, or has ended", async || match web_driver.session().await {
                Some(client) => Some(Some(client)),
                None => (!driver.is_running()).then_some(None),
            });
            client.await.map(|client| (client, driver))
        })
        .await;
        let page = Self { client, driver };
        page.find("add-button").await;
        page
    }

    /// Process id of the program under test.
    pub fn pid(&self) -> Pid {
        child(self.driver.pid(), "ashore-desktop").expect("the driver has started the program")
    }

    /// Adds links through the dialog, as a user would.
    pub async fn add(&self, links: &str, folder: &str) {
        self.click("add-button").await;
        self.write("add-links", links).await;
        self.write("add-folder", folder).await;
        self.click("add-submit").await;
    }

    /// Clicks the element with this test id as soon as it is enabled.
    pub async fn click(&self, name: &str) {
        self.click_on(&format!("[data-testid='{name}']:enabled")).await;
    }

    /// Clicks the first element that matches a selector.
    ///
    /// A click misses if the layout changes after the driver has computed the position, for example at start-up. A
    /// click that has missed is repeated, as a user would do. Only the press is checked, because the release can go to
    /// a menu that opens on the press.
    pub async fn click_on(&self, css: &str) {
        self.with(css, "receives a click", async |element| {
            let listen = "window.isClicked = false;
                arguments[0].addEventListener('pointerdown', () => window.isClicked = true, { capture: true, once: true })";
            self.client.execute(listen, vec![serde_json::to_value(element)?]).await?;
            element.click().await?;
            // The click may close the window or open another page, so only `false` from the same page counts as a miss.
            match self.client.execute_async(RECEIVED, Vec::new()).await {
                Ok(serde_json::Value::Bool(false)) => Err(CmdError::NotW3C(json!("the click went elsewhere"))),
                _ => Ok(()),
            }
        })
        .await;
    }

    /// Writes text into a field as soon as the field exists.
    pub async fn write(&self, name: &str, text: &str) {
        let field = format!("[data-testid='{name}']");
        self.with(&field, "can be filled in", async |field| {
            field.clear().await?;
            field.send_keys(text).await
        })
        .await;
        assert_eq!(self.value(name).await, text);
    }

    /// Selects the option with this text in the drop-down list with this test id.
    pub async fn select(&self, name: &str, option: &str) {
        self.with(&named(name), "has the option", async |list| list.select_by_label(option).await).await;
    }

    /// Presses Tab in the field with this test id, as a user would to leave it.
    pub async fn leave_field(&self, name: &str) {
        self.keys(name, "\u{e004}").await;
    }

    /// Copies text to the clipboard of this screen.
    pub async fn copy(&self, text: &str) {
        // On X11, copied text is served by the program in which it was copied. So copy the text from a field of the
        // page.
        let field = "const field = Object.assign(document.createElement('textarea'), { value: arguments[0] });
            field.dataset.testid = 'copied';
            document.body.append(field);";
        self.client.execute(field, vec![json!(text)]).await.unwrap();
        self.keys("copied", "\u{e009}ac\u{e009}").await;
        self.run("document.querySelector('[data-testid=copied]').remove()").await;
    }

    /// Drops a file on the page, as a file manager would.
    pub async fn drop_file(&self, name: &str, text: &str) {
        self.drop_file_on("main", name, text).await;
    }

    /// Drops a file on the first element that matches a selector.
    pub async fn drop_file_on(&self, css: &str, name: &str, text: &str) {
        self.drop(css, "data.items.add(new File([arguments[2]], arguments[1]))", [name, text]).await;
    }

    /// Drops links or text on the page, as a browser would; `kind` is `text/uri-list` or `text/plain`.
    pub async fn drop_words(&self, kind: &str, text: &str) {
        self.drop("main", "data.setData(arguments[1], arguments[2])", [kind, text]).await;
    }

    async fn drop(&self, css: &str, fill: &str, [first, second]: [&str; 2]) {
        let drop = format!(
            "const data = new DataTransfer();
            {fill};
            document.querySelector(arguments[0]).dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));"
        );
        self.client.execute(&drop, vec![json!(css), json!(first), json!(second)]).await.unwrap();
    }

    /// Drags one element to the upper half of another, without dropping it.
    pub async fn drag(&self, from: &str, to: &str) {
        let over = |element: &Element, y| PointerAction::MoveToElement { element: element.clone(), duration: None, x: 0.0, y };
        self.with(from, "can be dragged", async |from| {
            let to = self.client.find(Locator::Css(to)).await?;
            let mouse = MouseActions::new("mouse".to_owned())
                .then(over(from, 0.0))
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(over(&to, 0.0))
                .then(over(&to, -20.0));
            self.client.perform_actions(mouse).await
        })
        .await;
    }

    /// Releases the mouse button, which drops the dragged element.
    pub async fn release_button(&self) {
        let mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Waits for the element with this test id.
    pub async fn find(&self, name: &str) {
        self.css(&named(name)).await;
    }

    /// Waits for an element. Does not return it, because the page may replace it at any moment.
    pub async fn css(&self, css: &str) {
        self.with(css, "is on the page", async |_| Ok(())).await;
    }

    /// Returns an attribute of an element as soon as the element exists.
    pub async fn attr(&self, css: &str, attribute: &str) -> Option<String> {
        self.with(css, "has attributes", async |element| element.attr(attribute).await).await
    }

    /// Clears the field with this test id.
    pub async fn clear(&self, name: &str) {
        self.with(&named(name), "can be emptied", Element::clear).await;
    }

    /// Calls `act` with the element until `act` succeeds, and returns its result. Panics with the last error after the
    /// deadline.
    async fn with<T>(&self, css: &str, what: &str, mut act: impl AsyncFnMut(&Element) -> Result<T, CmdError>) -> T {
        let mut last = None;
        let done = within(async || {
            let tried = async { act(&self.client.find(Locator::Css(css)).await?).await };
            tried.await.map_err(|error| last = Some(error)).ok()
        });
        match done.await {
            Some(done) => done,
            None => {
                let source = within(async || self.client.source().await.ok()).await;
                // Print the page on a line of its own, because test reports may shorten long lines.
                panic!("not within {DEADLINE:?}: {css} {what}\nlast error: {last:?}\npage: {source:?}");
            }
        }
    }

    /// Waits until the text of the element with this test id satisfies `wanted`.
    pub async fn text(&self, name: &str, what: &str, wanted: impl Fn(&str) -> bool) {
        self.text_of(&format!("[data-testid='{name}']"), what, wanted).await;
    }

    /// Waits until the text of an element satisfies `wanted`.
    pub async fn text_of(&self, css: &str, what: &str, wanted: impl Fn(&str) -> bool) {
        let mut last = String::new();
        let found = within(async || {
            last = self.client.find(Locator::Css(css)).await.ok()?.prop("textContent").await.ok()??;
            last = as_read(&last);
            wanted(&last).then_some(())
        });
        assert!(found.await.is_some(), "not within {DEADLINE:?}: {what}; {css} reads \"{last}\"");
    }

    /// Returns the current value of a field.
    pub async fn value(&self, name: &str) -> String {
        self.with(&named(name), "has a value", async |field| field.prop("value").await).await.unwrap_or_default()
    }

    /// Waits until the visible rows have these titles, from top to bottom.
    pub async fn rows(&self, titles: &[&str]) {
        self.titles("", titles).await;
    }

    /// Waits until the selected rows have these titles, from top to bottom.
    pub async fn chosen(&self, titles: &[&str]) {
        self.titles("[aria-selected=true]", titles).await;
    }

    async fn titles(&self, which: &str, titles: &[&str]) {
        let look = format!(
            "return [...document.querySelectorAll('[data-testid=row]{which}')]
                .sort((one, other) => one.ariaRowIndex - other.ariaRowIndex).map((row) => row.ariaLabel.split(',')[0])"
        );
        let mut last = json!(null);
        let found = within(async || {
            last = self.run(&look).await;
            (last == json!(titles)).then_some(())
        });
        assert!(found.await.is_some(), "the rows{which} are {last}, and not {titles:?}");
    }

    /// Returns the centre of an element within the window, in pixels.
    pub async fn middle(&self, css: &str) -> (i32, i32) {
        let (x, y, width, height) = self.with(css, "has a place", Element::rectangle).await;
        ((x + width / 2.0) as i32, (y + height / 2.0) as i32)
    }

    /// Clicks an element while a key is held.
    pub async fn click_holding(&self, key: char, css: &str) {
        let hand = || KeyActions::new("keyboard".to_owned());
        self.client.perform_actions(hand().then(KeyAction::Down { value: key })).await.unwrap();
        self.click_on(css).await;
        self.client.perform_actions(hand().then(KeyAction::Up { value: key })).await.unwrap();
    }

    /// Reloads the page, as F5 does.
    pub async fn reload(&self) {
        self.leave("location.reload()").await;
    }

    /// Reloads the page with its mock engine and empty local storage. `query` selects the content of the mock, such as
    /// `&empty`.
    pub async fn pretend(&self, query: &str) {
        self.leave(&format!("localStorage.clear(); location.search = '?mock&still{query}'")).await;
    }

    async fn leave(&self, go: &str) {
        // Wait for the new page. Until then, the old page still answers, and its elements would be stale.
        self.run(&format!("window.isLeft = true; {go}")).await;
        until("the page is a new one", async || {
            let is_left = self.client.execute("return window.isLeft ?? false", Vec::new()).await.ok()?;
            (is_left == json!(false)).then_some(())
        })
        .await;
        self.find("add-button").await;
    }

    /// Resizes the window to a size in pixels.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.unwrap();
    }

    /// Sends keys to the element with this test id as soon as it exists.
    pub async fn keys(&self, name: &str, keys: &str) {
        self.with(&format!("[data-testid='{name}']"), "takes keys", async |element| element.send_keys(keys).await).await;
    }

    /// Presses a key while other keys are held down. The focused element receives it.
    pub async fn press(&self, holding: &[char], key: char) {
        let mut hand = KeyActions::new("keyboard".to_owned());
        for value in holding.iter().copied().chain([key]) {
            hand = hand.then(KeyAction::Down { value });
        }
        for value in holding.iter().copied().chain([key]).rev() {
            hand = hand.then(KeyAction::Up { value });
        }
        self.client.perform_actions(hand).await.unwrap();
    }

    /// Waits until the element with this test id has the focus.
    pub async fn keyboard_is_in(&self, name: &str) {
        until(&format!("the keyboard is in {name}"), async || {
            let focused = self.run("return document.activeElement?.dataset?.testid ?? ''").await;
            (focused == json!(name)).then_some(())
        })
        .await;
    }

    /// Waits until all animations have ended and the page has been painted.
    pub async fn painted(&self) {
        let script = "const done = arguments[arguments.length - 1];
            const frames = (left, then) => requestAnimationFrame(() => left > 0 ? frames(left - 1, then) : then());
            frames(1, () => {
                // Cancel endless animations, because they never finish.
                for (const moving of document.getAnimations()) try { moving.finish() } catch { moving.cancel() }
                frames(1, () => done(null));
            })";
        self.run_async(script).await;
    }

    /// Returns a screenshot of the page as PNG.
    pub async fn picture(&self) -> Vec<u8> {
        self.client.screenshot().await.unwrap()
    }

    /// Runs a script on the page and returns its result.
    pub async fn run(&self, script: &str) -> serde_json::Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Runs a script. The script's last argument is a callback; returns the value that the script passes to this
    /// callback.
    pub async fn run_async(&self, script: &str) -> serde_json::Value {
        self.client.execute_async(script, Vec::new()).await.unwrap()
    }
}

/// Returns the selector of the element with this test id.
fn named(name: &str) -> String {
    format!("[data-testid='{name}']")
}
