//! WebDriver servers for web views and browsers. Each one starts the program that it drives.

use std::{io, process::Command};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value};

use crate::servers::free_ports;

/// Address of a WebDriver server, and the capabilities to request for its session.
#[derive(Debug)]
pub struct WebDriver {
    port: u16,
    capabilities: Map<String, Value>,
}

impl WebDriver {
    /// Chooses the server's address, and adds it to the server's start command. `capabilities` are requested for the
    /// session.
    pub fn prepare<const COUNT: usize>(command: &mut Command, capabilities: [(&str, Value); COUNT]) -> io::Result<Self> {
        let [port] = free_ports()?;
        command.arg(format!("--port={port}")).env("TAURI_WEBVIEW_AUTOMATION", "true");
        let capabilities = capabilities.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(Self { port, capabilities })
    }

    /// Opens the session; `None` if the driver or its program is not ready yet.
    pub async fn session(&self) -> Option<Client> {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(self.capabilities.clone()).connect(&format!("http://127.0.0.1:{}", self.port)).await.ok()
    }
}
