//! How the network is used, by those verbs that fetch.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use ashore_engine::SettingOverrides;
use clap::Args;

use crate::output::problem::CliProblem;

/// No user, password or address of a proxy is longer, in bytes.
const LONGEST_SECRET: u64 = 64 << 10;

/// How the network is used by the engine that this program becomes. Each is a setting as well.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "For this run")]
pub struct NetworkArguments {
    /// The proxy for everything, such as http://host:3128 or socks5h://host:1080; none for no proxy at all. With @FILE, what
    /// the first line of a file says, which nobody sees in the list of processes [default: what the settings or
    /// http_proxy, https_proxy, all_proxy and no_proxy say]
    #[arg(long, value_name = "URL|@FILE", hide_env_values = true)]
    pub proxy: Option<String>,
    /// Trust the certificates in this PEM file beside the system's
    #[arg(long, value_name = "FILE")]
    pub ca_certificate: Option<PathBuf>,
    /// Follow a secure link on to an insecure one; anybody on the way can then read and change what comes
    #[arg(long)]
    pub allow_insecure_redirects: bool,
    /// Seconds for a server to take a connection [default: 15, or what the settings say]
    #[arg(long, value_name = "SECONDS")]
    pub connect_timeout: Option<f64>,
    /// Seconds that one try of a file may take as a whole; what came is kept [default: as long as it takes]
    #[arg(long, value_name = "SECONDS")]
    pub total_timeout: Option<f64>,
}

/// Reads the first line of `@FILE`; returns any other value unchanged.
fn proxy_text(text: &str) -> Result<String, CliProblem> {
    match text.strip_prefix('@') {
        Some(file) => first_line(Path::new(file)),
        None => Ok(text.to_owned()),
    }
}

/// The first line of a small file, or of stdin with `-`. Fails with a usage problem that repeats nothing of it.
pub fn first_line(path: &Path) -> Result<String, CliProblem> {
    let mut text = String::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(LONGEST_SECRET).read_to_string(&mut text),
        false => File::open(path).and_then(|file| file.take(LONGEST_SECRET).read_to_string(&mut text)),
    };
    read.map_err(|error| CliProblem::usage("input", format!("{} cannot be read: {error}.", path.display())))?;
    let line = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    if line.is_empty() {
        return Err(CliProblem::usage("input", format!("The first line of {} is empty.", path.display())));
    }
    Ok(line.to_owned())
}

impl NetworkArguments {
    /// In place of the settings. Fails with a usage problem where the file has no whole path.
    pub fn overrides(&self) -> Result<SettingOverrides, CliProblem> {
        let whole = |path: &PathBuf| {
            let path = std::path::absolute(path);
            path.map_err(|error| CliProblem::usage("ca-certificate", format!("The certificates cannot be used: {error}.")))
        };
        Ok(SettingOverrides {
            proxy: self.proxy.as_deref().map(proxy_text).transpose()?,
            ca_certificate: self.ca_certificate.as_ref().map(whole).transpose()?,
            insecure_redirects: self.allow_insecure_redirects,
            connect_timeout_seconds: self.connect_timeout,
            total_timeout_seconds: self.total_timeout,
            ..SettingOverrides::default()
        })
    }
}
