//! The page on its pretend engine, in the two engines that it is drawn by: in Ashore's own window, which is WebKitGTK, and in
//! Chromium, driven as a person would by WebDriver.

use std::{net::TcpListener, process::Command};

use anyhow::{Context, Result, ensure};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use crate::process;
use crate::window::desk::{RunningWindow, VirtualDesktop, program, until};

/// Who draws the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrowserEngine {
    /// Ashore's window.
    WebKit,
    /// A browser.
    Chromium,
}

/// A window with the page.
pub struct BrowserProcess<'a> {
    engine: BrowserEngine,
    runtime: &'a Runtime,
    client: Client,
    /// Where the page is when it is not in Ashore's window.
    address: String,
    driver: RunningWindow,
}

impl BrowserEngine {
    /// Both.
    pub const ALL: [Self; 2] = [Self::WebKit, Self::Chromium];

    /// As people know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WebKit => "WebKitGTK",
            Self::Chromium => "Chromium",
        }
    }

    /// What it says of its version.
    pub fn version(self) -> Result<String> {
        // Its driver does not say.
        let (program, words) = match self {
            Self::WebKit => ("pkg-config", &["--modversion", "webkit2gtk-4.1"][..]),
            Self::Chromium => ("chromium", &["--version"][..]),
        };
        let output = Command::new(program).args(words).output().context(program)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = text.split_whitespace().find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
        Ok(format!("{} {}", self.name(), number.with_context(|| format!("{program} does not say its version"))?))
    }
}

impl<'a> BrowserProcess<'a> {
    /// Opens it on `desk`; `address` is where the page is served.
    pub fn open(engine: BrowserEngine, desk: &VirtualDesktop, address: &str, runtime: &'a Runtime) -> Result<Self> {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let (name, options) = match engine {
            BrowserEngine::WebKit => ("webkitgtk:browserOptions", json!({ "binary": program()?, "args": [] })),
            BrowserEngine::Chromium => {
                // The sandbox needs rights that a bench in a container may not have; what is loaded is our own.
                let words = ["--no-sandbox", "--no-first-run", "--window-position=0,0", "--window-size=1180,780"];
                ("goog:chromeOptions", json!({ "args": words }))
            }
        };
        let mut command = desk.command(if engine == BrowserEngine::WebKit { "WebKitWebDriver" } else { "chromedriver" });
        command.arg(format!("--port={port}")).env("TAURI_WEBVIEW_AUTOMATION", "true");
        let driver = RunningWindow::start(command)?;
        let capabilities: Map<String, Value> =
            [(name.to_owned(), options), ("timeouts".to_owned(), json!({ "script": 120_000 }))].into_iter().collect();
        let client = until("the browser is there", || {
            runtime.block_on(async {
                let mut builder = ClientBuilder::new(HttpConnector::new());
                builder.capabilities(capabilities.clone()).connect(&format!("http://127.0.0.1:{port}")).await.ok()
            })
        })?;
        Ok(Self { engine, runtime, client, address: address.to_owned(), driver })
    }

    /// Loads the page with its pretend engine; `query` says what that has. Returns when all `rows` of it are there.
    pub fn load(&self, query: &str, rows: &str) -> Result<()> {
        // The order in which a list is read is remembered; each round begins as the first did.
        if self.engine == BrowserEngine::WebKit {
            until("there is a page", || self.run("return document.querySelector('[data-testid=add-button]') && true").ok())?;
            self.run(&format!("window.isLeft = true; localStorage.clear(); location.search = '?mock{query}'"))?;
        } else {
            self.runtime.block_on(self.client.goto(&format!("{}/?mock{query}", self.address)))?;
        }
        let look = "return window.isLeft ? '' : document.querySelector('[data-testid=shown]')?.textContent.trim() ?? ''";
        until(&format!("{rows} are in the list"), || self.run(look).ok().filter(|shown| shown == rows))?;
        self.run(include_str!("probe.js"))?;
        Ok(())
    }

    /// What a script on the page answers.
    pub fn run(&self, script: &str) -> Result<Value> {
        Ok(self.runtime.block_on(self.client.execute(script, Vec::new()))?)
    }

    /// What a promise on the page becomes.
    pub fn promised(&self, script: &str) -> Result<Value> {
        let script = format!("const done = arguments[arguments.length - 1]; ({script}).then(done)");
        Ok(self.runtime.block_on(self.client.execute_async(&script, Vec::new()))?)
    }

    /// Presses keys in the element of this name.
    pub fn keys(&self, name: &str, keys: &str) -> Result<()> {
        self.runtime.block_on(async {
            let element = self.client.find(Locator::Css(&format!("[data-testid='{name}']"))).await?;
            Ok(element.send_keys(keys).await?)
        })
    }

    /// Clicks on the element of this name.
    pub fn click(&self, name: &str) -> Result<()> {
        self.runtime.block_on(async {
            let element = self.client.wait().for_element(Locator::Css(&format!("[data-testid='{name}']"))).await?;
            Ok(element.click().await?)
        })
    }

    /// Seconds of processor time that the page has used: the processes that run its scripts and paint it.
    pub fn seconds(&self) -> Result<f64> {
        let tree = process::tree(self.driver.id());
        let is_page = |pid: &&u32| {
            let words = process::words(**pid);
            if self.engine == BrowserEngine::WebKit {
                words.contains("WebKitWebProcess")
            } else {
                words.contains("--type=renderer")
            }
        };
        let pages: Vec<u32> = tree.iter().filter(is_page).copied().collect();
        ensure!(!pages.is_empty(), "{} has no page", self.engine.name());
        pages.into_iter().map(process::seconds).sum()
    }

    /// Closes it.
    pub fn close(self) -> Result<()> {
        self.runtime.block_on(self.client.close())?;
        Ok(())
    }
}
