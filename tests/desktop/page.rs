//! The window's page, driven through WebDriver: the driver starts the program under test and answers for its page.

use std::process::Command;

use fantoccini::{
    Client, ClientBuilder, Locator,
    actions::{InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction},
    elements::Element,
    error::CmdError,
};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::Pid;
use serde_json::{Map, json};

use crate::stage::{DEADLINE, Running, Stage, child, free_port, until, within};

/// Answers whether a click has arrived, and false only after a second without one.
const RECEIVED: &str = "const done = arguments[arguments.length - 1];
    const end = performance.now() + 1000;
    const look = () => {
        if (window.isClicked !== false) done(true);
        else if (performance.now() > end) done(false);
        else setTimeout(look, 10);
    };
    look();";

/// The row of this title.
pub fn row(title: &str) -> String {
    format!("[data-testid='row'][aria-label^='{title},']")
}

/// What a person reads of `text`, who does not see what keeps an amount on one line.
pub fn as_read(text: &str) -> String {
    text.replace('\u{a0}', " ").replace('\u{2060}', "")
}

/// The program under test with its window open.
pub struct Page {
    client: Client,
    driver: Running,
}

impl Page {
    /// Starts the program with its window, and waits for the page.
    pub async fn open(stage: &Stage) -> Self {
        Self::open_by(stage, stage.command("WebKitWebDriver")).await
    }

    /// The same for one whose [`picture`](Self::picture) is to be taken. The driver waits for ever for that of a page which is
    /// painted without a graphics card.
    pub async fn open_for_pictures(stage: &Stage) -> Self {
        let mut command = stage.command("WebKitWebDriver");
        command.env("WEBKIT_DISABLE_DMABUF_RENDERER", "0");
        Self::open_by(stage, command).await
    }

    async fn open_by(stage: &Stage, mut command: Command) -> Self {
        let port = free_port();
        command.arg(format!("--port={port}")).env("TAURI_WEBVIEW_AUTOMATION", "true");
        let driver = stage.start(command);
        let options = json!({"binary": stage.program(), "args": []});
        let capabilities: Map<_, _> = [("webkitgtk:browserOptions".to_owned(), options)].into_iter().collect();
        let address = format!("http://127.0.0.1:{port}");
        let client = until("the driver has a page", async || {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities.clone()).connect(&address).await.ok()
        })
        .await;
        let page = Self { client, driver };
        page.find("add-button").await;
        page
    }

    /// The process of the program under test.
    pub fn pid(&self) -> Pid {
        child(self.driver.pid(), "ashore-desktop").expect("the driver has started the program")
    }

    /// Adds links through the dialog, as a person would.
    pub async fn add(&self, links: &str, folder: &str) {
        self.click("add-button").await;
        self.write("add-links", links).await;
        self.write("add-folder", folder).await;
        self.click("add-submit").await;
    }

    /// Clicks on the element of this name, once it can be clicked.
    pub async fn click(&self, name: &str) {
        self.click_on(&format!("[data-testid='{name}']:enabled")).await;
    }

    /// The same for any selector. A click misses where the window is laid out anew after the driver has computed the place, as at
    /// a start. A click that the element does not receive is made again, as a person would. The press decides: a menu opens with
    /// it, and takes what follows.
    pub async fn click_on(&self, css: &str) {
        self.with(css, "receives a click", async |element| {
            let listen = "window.isClicked = false;
                arguments[0].addEventListener('pointerdown', () => window.isClicked = true, { capture: true, once: true })";
            self.client.execute(listen, vec![serde_json::to_value(element)?]).await?;
            element.click().await?;
            // A click may close the window or open another page. Then there is no answer, or a page that knows of no click.
            match self.client.execute_async(RECEIVED, Vec::new()).await {
                Ok(serde_json::Value::Bool(false)) => Err(CmdError::NotW3C(json!("the click went elsewhere"))),
                _ => Ok(()),
            }
        })
        .await;
    }

    /// Fills a field in, once it is there.
    pub async fn write(&self, name: &str, text: &str) {
        let field = format!("[data-testid='{name}']");
        self.with(&field, "can be filled in", async |field| {
            field.clear().await?;
            field.send_keys(text).await
        })
        .await;
        assert_eq!(self.value(name).await, text);
    }

    /// Leaves the field of this name, as a person would with Tab.
    pub async fn leave_field(&self, name: &str) {
        self.keys(name, "\u{e004}").await;
    }

    /// Copies text: whoever pastes next on this screen gets it.
    pub async fn copy(&self, text: &str) {
        // A clipboard is somebody's who answers for it, so something has to be copied from somewhere.
        let field = "const field = Object.assign(document.createElement('textarea'), { value: arguments[0] });
            field.dataset.testid = 'copied';
            document.body.append(field);";
        self.client.execute(field, vec![json!(text)]).await.unwrap();
        self.keys("copied", "\u{e009}ac\u{e009}").await;
        self.run("document.querySelector('[data-testid=copied]').remove()").await;
    }

    /// Lets go of a file over the page, as a file manager would.
    pub async fn drop_file(&self, name: &str, text: &str) {
        self.drop_file_on("main", name, text).await;
    }

    /// The same over the first element that a selector finds.
    pub async fn drop_file_on(&self, css: &str, name: &str, text: &str) {
        self.drop(css, "data.items.add(new File([arguments[2]], arguments[1]))", [name, text]).await;
    }

    /// Lets go of links or words over the page, as a browser would: `text/uri-list`, or `text/plain`.
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

    /// Takes hold of one element and carries it to the upper half of another one.
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

    /// Lets go of what is held.
    pub async fn let_go(&self) {
        let mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap();
    }

    /// Waits for the element of this name.
    pub async fn find(&self, name: &str) {
        self.css(&named(name)).await;
    }

    /// Waits for an element. It is not returned: the page may replace it at any moment, so each use looks it up again.
    pub async fn css(&self, css: &str) {
        self.with(css, "is on the page", async |_| Ok(())).await;
    }

    /// The attribute of an element, once the element is there.
    pub async fn attr(&self, css: &str, attribute: &str) -> Option<String> {
        self.with(css, "has attributes", async |element| element.attr(attribute).await).await
    }

    /// Empties a field.
    pub async fn clear(&self, name: &str) {
        self.with(&named(name), "can be emptied", Element::clear).await;
    }

    /// Waits until an element is there with which this can be done. Where that does not come, it says what was in its way last.
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
                panic!("not within {DEADLINE:?}: {css} {what}; {last:?}; {source:?}");
            }
        }
    }

    /// Waits until the element of this name reads as `wanted`.
    pub async fn text(&self, name: &str, what: &str, wanted: impl Fn(&str) -> bool) {
        self.text_of(&format!("[data-testid='{name}']"), what, wanted).await;
    }

    /// Waits until an element reads as `wanted`.
    pub async fn text_of(&self, css: &str, what: &str, wanted: impl Fn(&str) -> bool) {
        let mut last = String::new();
        let found = within(async || {
            last = self.client.find(Locator::Css(css)).await.ok()?.prop("textContent").await.ok()??;
            last = as_read(&last);
            wanted(&last).then_some(())
        });
        assert!(found.await.is_some(), "not within {DEADLINE:?}: {what}; {css} reads \"{last}\"");
    }

    /// The value of a field, as the page has it.
    pub async fn value(&self, name: &str) -> String {
        self.with(&named(name), "has a value", async |field| field.prop("value").await).await.unwrap_or_default()
    }

    /// Waits until the rows in sight have these titles, from top to bottom.
    pub async fn rows(&self, titles: &[&str]) {
        self.titles("", titles).await;
    }

    /// The same of those that are chosen.
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

    /// Where the middle of an element is in the window, pixels.
    pub async fn middle(&self, css: &str) -> (i32, i32) {
        let (x, y, width, height) = self.with(css, "has a place", Element::rectangle).await;
        ((x + width / 2.0) as i32, (y + height / 2.0) as i32)
    }

    /// Clicks on an element while a key is held.
    pub async fn click_holding(&self, key: char, css: &str) {
        let hand = || KeyActions::new("keyboard".to_owned());
        self.client.perform_actions(hand().then(KeyAction::Down { value: key })).await.unwrap();
        self.click_on(css).await;
        self.client.perform_actions(hand().then(KeyAction::Up { value: key })).await.unwrap();
    }

    /// Opens the page anew, as a person would with F5.
    pub async fn reload(&self) {
        self.leave("location.reload()").await;
    }

    /// Opens it on its pretend engine, as if nobody had been there before. `query` says what that engine has.
    pub async fn pretend(&self, query: &str) {
        self.leave(&format!("localStorage.clear(); location.search = '?mock&still{query}'")).await;
    }

    async fn leave(&self, go: &str) {
        // The old page answers on until the new one is there, and what is found in it is then gone.
        self.run(&format!("window.isLeft = true; {go}")).await;
        until("the page is a new one", async || {
            let is_left = self.client.execute("return window.isLeft ?? false", Vec::new()).await.ok()?;
            (is_left == json!(false)).then_some(())
        })
        .await;
        self.find("add-button").await;
    }

    /// Makes the page so large, pixels.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.unwrap();
    }

    /// Presses keys in the element of this name, once it is there.
    pub async fn keys(&self, name: &str, keys: &str) {
        self.with(&format!("[data-testid='{name}']"), "takes keys", async |element| element.send_keys(keys).await).await;
    }

    /// Presses one key while others are held, wherever the keyboard is.
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

    /// Waits until the keyboard belongs to the element of this name.
    pub async fn keyboard_is_in(&self, name: &str) {
        until(&format!("the keyboard is in {name}"), async || {
            let focused = self.run("return document.activeElement?.dataset?.testid ?? ''").await;
            (focused == json!(name)).then_some(())
        })
        .await;
    }

    /// Waits until everything is where it goes, and has been painted.
    pub async fn painted(&self) {
        let script = "const done = arguments[arguments.length - 1];
            const frames = (left, then) => requestAnimationFrame(() => left > 0 ? frames(left - 1, then) : then());
            frames(1, () => {
                // What never ends is left where it begins.
                for (const moving of document.getAnimations()) try { moving.finish() } catch { moving.cancel() }
                frames(1, () => done(null));
            })";
        self.run_async(script).await;
    }

    /// The page as a PNG.
    pub async fn picture(&self) -> Vec<u8> {
        self.client.screenshot().await.unwrap()
    }

    /// What a script on the page answers.
    pub async fn run(&self, script: &str) -> serde_json::Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// The same for a script that ends with calling its last argument.
    pub async fn run_async(&self, script: &str) -> serde_json::Value {
        self.client.execute_async(script, Vec::new()).await.unwrap()
    }
}

/// The selector of the element of this name.
fn named(name: &str) -> String {
    format!("[data-testid='{name}']")
}
