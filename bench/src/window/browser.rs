//! Drives the page by WebDriver in two browser engines. One is WebKitGTK, which the window of Ashore uses; the other is
//! Chromium. The page contains its own simulated engine.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use ashore_testkit::{readings, running::RunningProgram, tools::built, waits::blocking::until, web_driver::WebDriver};
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::window::desk::MeasuredDesktop;

/// Browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrowserEngine {
    /// WebKitGTK, as in the window of Ashore.
    WebKit,
    /// Chromium browser.
    Chromium,
}

/// Browser window that shows the page.
pub struct BrowserProcess<'a> {
    engine: BrowserEngine,
    runtime: &'a Runtime,
    client: Client,
    /// URL at which the page is served to the browser.
    address: String,
    driver: RunningProgram,
}

impl BrowserEngine {
    /// All engines.
    pub const ALL: [Self; 2] = [Self::WebKit, Self::Chromium];

    /// Returns the display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WebKit => "WebKitGTK",
            Self::Chromium => "Chromium",
        }
    }

    /// Returns the display name and the version.
    pub fn version(self) -> Result<String> {
        // The driver does not report the version.
        let (program, words) = match self {
            Self::WebKit => ("pkg-config", &["--modversion", "webkit2gtk-4.1"][..]),
            Self::Chromium => ("chromium", &["--version"][..]),
        };
        let output = Command::new(program).args(words).output().context(program)?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = text.split_whitespace().find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
        Ok(format!("{} {}", self.name(), number.with_context(|| format!("{program} printed no version"))?))
    }
}

impl<'a> BrowserProcess<'a> {
    /// Opens a browser window on the desktop `desk`. `address` is the URL at which the page is served.
    pub fn open(engine: BrowserEngine, desk: &MeasuredDesktop, address: &str, runtime: &'a Runtime) -> Result<Self> {
        let (name, options) = match engine {
            BrowserEngine::WebKit => ("webkitgtk:browserOptions", json!({ "binary": built("ashore-desktop")?, "args": [] })),
            BrowserEngine::Chromium => {
                // The sandbox needs privileges that a container may lack, and the page is our own.
                let words = ["--no-sandbox", "--no-first-run", "--window-position=0,0", "--window-size=1180,780"];
                ("goog:chromeOptions", json!({ "args": words }))
            }
        };
        let mut command = desk.command(if engine == BrowserEngine::WebKit { "WebKitWebDriver" } else { "chromedriver" });
        let capabilities = [(name, options), ("timeouts", json!({ "script": 120_000 }))];
        let web_driver = WebDriver::prepare(&mut command, capabilities)?;
        let driver = RunningProgram::start(command)?;
        let client = until("the browser accepts connections", || runtime.block_on(web_driver.session()))?;
        Ok(Self { engine, runtime, client, address: address.to_owned(), driver })
    }

    /// Loads the page with a simulated engine, which `query` configures. Waits until all `rows` are listed.
    pub fn load(&self, query: &str, rows: &str) -> Result<()> {
        // The page stores the sort order, so clear it: each round must start in the same state.
        if self.engine == BrowserEngine::WebKit {
            until("the page is loaded", || self.run("return document.querySelector('[data-testid=add-button]') && true").ok())?;
            self.run(&format!("window.isLeft = true; localStorage.clear(); location.search = '?mock{query}'"))?;
        } else {
            self.runtime.block_on(self.client.goto(&format!("{}/?mock{query}", self.address)))?;
        }
        let look = "return window.isLeft ? '' : document.querySelector('[data-testid=shown]')?.textContent.trim() ?? ''";
        until(&format!("the list shows {rows}"), || self.run(look).ok().filter(|shown| shown == rows))?;
        self.run(include_str!("probe.js"))?;
        Ok(())
    }

    /// Runs a script on the page and returns its result.
    pub fn run(&self, script: &str) -> Result<Value> {
        Ok(self.runtime.block_on(self.client.execute(script, Vec::new()))?)
    }

    /// Runs a script on the page and returns the result of its promise.
    pub fn promised(&self, script: &str) -> Result<Value> {
        let script = format!("const done = arguments[arguments.length - 1]; ({script}).then(done)");
        Ok(self.runtime.block_on(self.client.execute_async(&script, Vec::new()))?)
    }

    /// Sends keys to the element with this test id.
    pub fn keys(&self, name: &str, keys: &str) -> Result<()> {
        self.runtime.block_on(async {
            let element = self.client.find(Locator::Css(&format!("[data-testid='{name}']"))).await?;
            Ok(element.send_keys(keys).await?)
        })
    }

    /// Clicks the element with this test id.
    pub fn click(&self, name: &str) -> Result<()> {
        self.runtime.block_on(async {
            let element = self.client.wait().for_element(Locator::Css(&format!("[data-testid='{name}']"))).await?;
            Ok(element.click().await?)
        })
    }

    /// Returns the processor seconds of the processes that run and paint the page.
    pub fn seconds(&self) -> Result<f64> {
        let tree = readings::tree(self.driver.id());
        let is_page = |pid: &&u32| {
            let words = readings::words(**pid);
            if self.engine == BrowserEngine::WebKit {
                words.contains("WebKitWebProcess")
            } else {
                words.contains("--type=renderer")
            }
        };
        let pages: Vec<u32> = tree.iter().filter(is_page).copied().collect();
        ensure!(!pages.is_empty(), "{} did not open the page", self.engine.name());
        pages.into_iter().map(readings::seconds).sum()
    }

    /// Closes the window.
    pub fn close(self) -> Result<()> {
        self.runtime.block_on(self.client.close())?;
        Ok(())
    }
}
