//! Drivers of web views and browsers. A driver speaks WebDriver, and starts the program that it drives.

use std::{io, process::Command};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value};

use crate::servers::free_ports;

/// Address of a driver, and the capabilities to request for its session.
#[derive(Debug)]
pub struct WebDriver {
    port: u16,
    capabilities: Map<String, Value>,
}

impl WebDriver {
    /// Chooses the address of a driver, and prepares the command that starts the driver. `capabilities` are requested
    /// for the session.
    pub fn prepare<const COUNT: usize>(command: &mut Command, capabilities: [(&str, Value); COUNT]) -> io::Result<Self> {
        let [port] = free_ports()?;
        command.arg(format!("--port={port}")).env("TAURI_WEBVIEW_AUTOMATION", "true");
        let capabilities = capabilities.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(Self { port, capabilities })
    }

    /// Opens the session; `None` while the driver or the program that it drives is not ready.
    pub async fn session(&self) -> Option<Client> {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(self.capabilities.clone()).connect(&format!("http://127.0.0.1:{}", self.port)).await.ok()
    }
}
