//! Network options of the subcommands that fetch.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use ashore_engine::SettingOverrides;
use ashore_messages::message;
use clap::Args;

use crate::{limited_input::read_text, output::problem::CliProblem};

/// Maximum length of a user name, password or proxy address, in bytes.
const LONGEST_SECRET: u64 = 64 << 10;

/// Network options of the engine that this process runs. Each one is also a setting.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "run")]
pub struct NetworkArguments {
    #[arg(long, value_name = "URL|@FILE", hide_env_values = true)]
    pub proxy: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub ca_certificate: Option<PathBuf>,
    #[arg(long)]
    pub allow_insecure_redirects: bool,
    #[arg(long, value_name = "SECONDS")]
    pub connect_timeout: Option<f64>,
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

/// Returns the first line of a small file, or of stdin for `-`.
///
/// Fails with a usage problem. The message contains no text of the file, which may be a secret.
pub fn first_line(path: &Path) -> Result<String, CliProblem> {
    let read = match path == Path::new("-") {
        true => read_text(io::stdin().lock(), LONGEST_SECRET),
        false => File::open(path).and_then(|file| read_text(file, LONGEST_SECRET)),
    };
    let text = read.map_err(|error| CliProblem::Usage(message!("input.unreadable", path = path, why = &error)))?;
    let line = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    if line.is_empty() {
        return Err(CliProblem::Usage(message!("input.empty", path = path)));
    }
    Ok(line.to_owned())
}

impl NetworkArguments {
    /// Returns the options as overrides of the settings.
    ///
    /// Fails with a usage problem if the path of the certificates has no absolute form.
    pub fn overrides(&self) -> Result<SettingOverrides, CliProblem> {
        let whole = |path: &PathBuf| {
            let path = std::path::absolute(path);
            path.map_err(|error| CliProblem::Usage(message!("ca-certificate", why = &error)))
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
