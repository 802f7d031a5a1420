//! Arguments of `ashore serve` about other devices, of `ashore remote`, and of `ashore healthy`.

use std::path::PathBuf;

use ashore_messages::message;
use ashore_remote::{Aria2Access, RemoteOptions, TokenScope};
use clap::{Args, Subcommand, ValueEnum};

use crate::{arguments::NetworkArguments, output::problem::CliProblem};

/// Arguments of `ashore serve`.
#[derive(Debug, Args)]
pub struct ServingArguments {
    #[command(flatten)]
    pub network: NetworkArguments,
    #[command(flatten)]
    pub remote: RemoteArguments,
}

/// Options of the server for other devices. Without `--remote`, `--listen` and inherited sockets, the server is off.
#[derive(Debug, Default, Args)]
pub struct RemoteArguments {
    #[arg(long)]
    pub remote: bool,
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Vec<String>,
    #[arg(long, value_name = "HOST")]
    pub allow_host: Vec<String>,
    #[arg(long, value_name = "URL")]
    pub allow_origin: Vec<String>,
    #[arg(long, value_name = "NETWORK")]
    pub trusted_proxy: Vec<String>,
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    #[arg(long, value_name = "PATH")]
    pub base_path: Option<String>,
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    #[arg(long, value_enum, default_value = "own")]
    pub aria2: Aria2Downloads,
    #[arg(long)]
    pub aria2_may_stop: bool,
}

impl RemoteArguments {
    /// Returns the options of the server; `None` if it is off. `has_sockets` means that this process inherited sockets.
    ///
    /// Fails with a usage problem if an address is not valid, or a folder has no absolute path.
    pub fn options(&self, has_sockets: bool) -> Result<Option<RemoteOptions>, CliProblem> {
        if !self.remote && self.listen.is_empty() && !has_sockets {
            return Ok(None);
        }
        let listen = self.listen.iter().map(|address| address.parse()).collect::<Result<_, _>>();
        let proxies = self.trusted_proxy.iter().map(|network| network.parse()).collect::<Result<_, _>>();
        let whole = |folder: &PathBuf| {
            let folder_path = std::path::absolute(folder);
            folder_path.map_err(|error| CliProblem::Usage(message!("data-dir", path = folder, why = &error)))
        };
        let public_url = self.public_url.as_deref().map(|url| {
            let parsed = RemoteOptions::parse_url(url);
            parsed.ok_or_else(|| CliProblem::Usage(message!("remote-listen.url", url = url)))
        });
        let public_url = public_url.transpose()?;
        // Links lead to the public address, so the path of this address is the default.
        let usual = public_url.as_ref().map(|url| url.path().to_owned()).unwrap_or_default();
        Ok(Some(RemoteOptions {
            listen: listen.map_err(CliProblem::Usage)?,
            allowed_hosts: self.allow_host.clone(),
            allowed_origins: self.allow_origin.clone(),
            trusted_proxies: proxies.map_err(CliProblem::Usage)?,
            public_url,
            base_path: self.base_path.clone().unwrap_or(usual),
            roots: self.root.iter().map(whole).collect::<Result<_, _>>()?,
            aria2: self.aria2.into(),
            aria2_may_stop: self.aria2_may_stop,
        }))
    }
}

/// Arguments of `ashore remote`.
#[derive(Debug, Args)]
pub struct RemoteVerbArguments {
    #[command(subcommand)]
    pub verb: Option<DeviceVerb>,
}

#[derive(Debug, Subcommand)]
pub enum DeviceVerb {
    Link(LinkScope),
    Token(TokenArguments),
    List,
    SignOut(SignedInNames),
}

#[derive(Debug, Args)]
pub struct LinkScope {
    #[arg(long, value_enum, default_value = "control")]
    pub scope: DeviceScope,
}

#[derive(Debug, Args)]
pub struct TokenArguments {
    #[arg(long, value_name = "NAME", conflicts_with = "renew")]
    pub name: Option<String>,
    #[arg(long, value_enum, default_value = "control", requires = "name")]
    pub scope: ProgramScope,
    #[arg(long)]
    pub renew: bool,
}

#[derive(Debug, Args)]
pub struct SignedInNames {
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
}

/// Set of the downloads that are open to programs made for aria2.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Aria2Downloads {
    Off,
    #[default]
    Own,
    All,
}

/// Arguments of `ashore healthy`.
#[derive(Debug, Args)]
pub struct HealthArguments {
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}

/// Permission of a device.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DeviceScope {
    Control,
    Add,
    Read,
}

/// Permission of a program.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ProgramScope {
    Control,
    Add,
    Read,
    Metrics,
}

impl From<Aria2Downloads> for Aria2Access {
    fn from(downloads: Aria2Downloads) -> Self {
        match downloads {
            Aria2Downloads::Off => Self::Off,
            Aria2Downloads::Own => Self::Own,
            Aria2Downloads::All => Self::All,
        }
    }
}

impl From<DeviceScope> for TokenScope {
    fn from(scope: DeviceScope) -> Self {
        match scope {
            DeviceScope::Control => Self::Control,
            DeviceScope::Add => Self::Add,
            DeviceScope::Read => Self::Read,
        }
    }
}

impl From<ProgramScope> for TokenScope {
    fn from(scope: ProgramScope) -> Self {
        match scope {
            ProgramScope::Control => Self::Control,
            ProgramScope::Add => Self::Add,
            ProgramScope::Read => Self::Read,
            ProgramScope::Metrics => Self::Metrics,
        }
    }
}
