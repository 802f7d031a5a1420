//! What a person may set. `ashore.toml` in the data folder holds only what differs from the defaults; the commented file
//! below is compiled in, is the reference, and is where the defaults come from.

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_transfer::Proxies;
use serde::Deserialize;

use crate::{Error, amount::Amount, gate::Hours, keychain::Keeping, model::Place, period::Forgetting};

/// The reference: every setting, its default, and what it does.
pub const DEFAULTS: &str = include_str!("settings.toml");

/// All settings, checked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Transfers at once, 1 to 64.
    pub parallel: u32,
    /// Transfers at once from one host, 1 to 64.
    pub parallel_per_host: u32,
    /// Which of those that wait is next.
    pub order: Order,
    /// Connections of one file, 1 to 64.
    pub connections: u32,
    /// Tries before a failure is final, 1 to 100.
    pub attempts: u32,
    /// Seconds before the first retry, 0.01 to 3,600; doubled each time.
    pub retry_after_seconds: f64,
    /// Seconds without a byte after which a connection is given up, 1 to 3,600.
    pub stall_seconds: f64,
    /// Seconds for a server to take a connection, TLS included, 0.1 to 600.
    pub connect_timeout_seconds: f64,
    /// Seconds that one try of a file may take as a whole, up to a year; 0 for as long as it takes.
    pub total_timeout_seconds: f64,
    /// Seconds of progress after which it is made durable, 0.05 to 60.
    pub checkpoint_seconds: f64,
    /// Where files go; empty means the person's download folder.
    pub folder: PathBuf,
    /// What Ashore calls itself; empty: by its own name.
    pub user_agent: String,
    /// The page that links were found on, where they do not bring one; empty: none.
    pub referrer: String,
    /// HTTP/2 is spoken where many files come from a secure server that offers it.
    pub http2: bool,
    /// Redirects from https to http are followed.
    pub insecure_redirects: bool,
    /// The proxy for everything; `none`; empty: what the environment says.
    pub proxy: String,
    /// Where no proxy is used; empty: what the environment says.
    pub no_proxy: String,
    /// The proxy is used for this machine itself as well.
    pub proxy_loopback: bool,
    /// A PEM file of certificates that are trusted beside the system's; empty: none.
    pub ca_certificate: PathBuf,
    /// Cookies that servers set are sent back, until Ashore ends.
    pub cookies: bool,
    /// A netrc file whose passwords are given to servers that ask; empty: none.
    pub netrc: PathBuf,
    /// Where passwords and tokens are kept.
    pub keychain: Keeping,
    /// When things go at full speed, slowly, or not at all, in the machine's own time.
    pub hours: Hours,
    /// Bytes a second of everything together in slow hours, 1K to 10G.
    pub slow_speed: Amount,
    /// What to do without a network.
    pub offline: Waits,
    /// What to do where traffic costs money.
    pub metered: Waits,
    /// What is over leaves the list after this time.
    pub forget_finished_after: Forgetting,
    /// On battery, nothing starts below so many percent; 0 for never mind.
    pub battery_below: u8,
    /// What to do while somebody works at this machine.
    pub in_use: Waits,
    /// Where less is free than these bytes, nothing starts.
    pub free_space_floor: Amount,
}

/// What to do in a circumstance that may end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Waits {
    /// Wait for its end.
    Wait,
    /// Go on all the same.
    Go,
}

/// Which of those that wait is next, where nobody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// First come, first served.
    FirstCome,
    /// A stack: what was added last.
    NewestFirst,
}

impl Order {
    /// Where a new one stands.
    pub(crate) fn place(self) -> Place {
        match self {
            Self::FirstCome => Place::Bottom,
            Self::NewestFirst => Place::Top,
        }
    }
}

/// What somebody wants otherwise for one run of the engine; nothing of it is saved.
#[derive(Clone, Default, PartialEq)]
pub struct Overrides {
    /// Transfers at once, from one host as well as in all.
    pub parallel: Option<u32>,
    /// Connections of one file.
    pub connections: Option<u32>,
    /// The proxy for everything, or `none`.
    pub proxy: Option<String>,
    /// A PEM file of certificates that are trusted beside the system's.
    pub ca_certificate: Option<PathBuf>,
    /// Follow redirects from https to http.
    pub insecure_redirects: bool,
    /// Seconds for a server to take a connection.
    pub connect_timeout_seconds: Option<f64>,
    /// Seconds that one try of a file may take as a whole.
    pub total_timeout_seconds: Option<f64>,
}

impl fmt::Debug for Overrides {
    /// The proxy may have a password in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overrides").field("parallel", &self.parallel).finish_non_exhaustive()
    }
}

impl Settings {
    /// The defaults, overlaid with `ashore.toml` in `data_dir` if there is one. `Invalid` names what is wrong.
    pub(crate) fn load(data_dir: &Path) -> Result<Self, Error> {
        let path = data_dir.join("ashore.toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => {
                return Err(Error::Io { what: format!("Could not read the settings in {}", path.display()), source });
            }
        };
        Self::parse(&text).map_err(|why| Error::Invalid(format!("The settings in {} cannot be used: {why}", path.display())))
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut merged: toml_edit::DocumentMut = DEFAULTS.parse().map_err(|error| format!("{error}"))?;
        let own: toml_edit::DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
        for (key, value) in own.iter() {
            merged.insert(key, value.clone());
        }
        let settings: Self = toml_edit::de::from_document(merged).map_err(|error| error.to_string())?;
        settings.check()
    }

    /// These, but for what `overrides` names. `Invalid` names what is out of range.
    pub(crate) fn with(mut self, overrides: Overrides) -> Result<Self, Error> {
        if let Some(parallel) = overrides.parallel {
            (self.parallel, self.parallel_per_host) = (parallel, parallel);
        }
        self.connections = overrides.connections.unwrap_or(self.connections);
        self.proxy = overrides.proxy.unwrap_or(self.proxy);
        self.ca_certificate = overrides.ca_certificate.unwrap_or(self.ca_certificate);
        self.insecure_redirects |= overrides.insecure_redirects;
        self.connect_timeout_seconds = overrides.connect_timeout_seconds.unwrap_or(self.connect_timeout_seconds);
        self.total_timeout_seconds = overrides.total_timeout_seconds.unwrap_or(self.total_timeout_seconds);
        self.check().map_err(Error::Invalid)
    }

    fn check(self) -> Result<Self, String> {
        let in_range = |name: &str, value: f64, low: f64, high: f64| {
            if value >= low && value <= high {
                Ok(())
            } else {
                Err(format!("{name} is {value}, and must be from {low} to {high}."))
            }
        };
        in_range("parallel", self.parallel.into(), 1.0, 64.0)?;
        in_range("parallel-per-host", self.parallel_per_host.into(), 1.0, 64.0)?;
        in_range("connections", self.connections.into(), 1.0, 64.0)?;
        in_range("attempts", self.attempts.into(), 1.0, 100.0)?;
        in_range("retry-after-seconds", self.retry_after_seconds, 0.01, 3600.0)?;
        in_range("stall-seconds", self.stall_seconds, 1.0, 3600.0)?;
        in_range("connect-timeout-seconds", self.connect_timeout_seconds, 0.1, 600.0)?;
        in_range("total-timeout-seconds", self.total_timeout_seconds, 0.0, 366.0 * 24.0 * 3600.0)?;
        in_range("checkpoint-seconds", self.checkpoint_seconds, 0.05, 60.0)?;
        in_range("battery-below", self.battery_below.into(), 0.0, 100.0)?;
        if !(1 << 10..=10 << 30).contains(&self.slow_speed.0) {
            return Err(format!("slow-speed is {} bytes a second, and must be from 1K to 10G.", self.slow_speed.0));
        }
        // What the environment adds is read when the network is.
        Proxies::new(&self.proxy, &self.no_proxy, self.proxy_loopback, |_| None)?;
        let is_page = |url: &url::Url| matches!(url.scheme(), "http" | "https");
        if !self.referrer.is_empty() && !url::Url::parse(&self.referrer).as_ref().is_ok_and(is_page) {
            return Err("referrer is not the address of a web page. Write it as https://host/page.".to_owned());
        }
        if self.user_agent.chars().any(char::is_control) {
            return Err("user-agent contains a control character. Remove it.".to_owned());
        }
        Ok(self)
    }

    pub(crate) fn retry_base(&self) -> Duration {
        Duration::from_secs_f64(self.retry_after_seconds)
    }

    /// How transfers behave under these settings.
    pub(crate) fn transfers(&self) -> ashore_transfer::Config {
        ashore_transfer::Config {
            connections: self.connections as usize,
            stall_timeout: Duration::from_secs_f64(self.stall_seconds),
            checkpoint_interval: Duration::from_secs_f64(self.checkpoint_seconds),
            ..ashore_transfer::Config::default()
        }
    }

    /// Where files go when nobody says: the setting, the desktop's download folder, or `~/Downloads`.
    pub(crate) fn download_folder(&self) -> PathBuf {
        if !self.folder.as_os_str().is_empty() {
            return self.folder.clone();
        }
        dirs::download_dir()
            .or_else(|| dirs::home_dir().map(|home| home.join("Downloads")))
            .unwrap_or_else(|| PathBuf::from("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_file_is_valid_and_is_the_default() {
        let settings = Settings::parse("").unwrap();
        assert_eq!((settings.parallel, settings.parallel_per_host, settings.attempts), (4, 2, 8));
        assert_eq!((settings.connections, settings.transfers().connections), (8, 8));
    }

    #[test]
    fn a_difference_is_taken_and_the_rest_stays() {
        let settings = Settings::parse("parallel = 16\n").unwrap();
        assert_eq!((settings.parallel, settings.parallel_per_host), (16, 2));
    }

    #[test]
    fn what_is_wanted_for_one_run_has_the_last_word() {
        let settings = Settings::parse("parallel = 16\nconnections = 2\n").unwrap();
        assert_eq!(settings.clone().with(Overrides::default()).unwrap(), settings);
        let overrides = Overrides { parallel: Some(32), connections: Some(1), ..Overrides::default() };
        let settings = settings.with(overrides).unwrap();
        assert_eq!((settings.parallel, settings.parallel_per_host, settings.connections), (32, 32, 1));
        let overrides = Overrides { connections: Some(65), ..Overrides::default() };
        assert!(matches!(settings.with(overrides), Err(Error::Invalid(text)) if text.contains("connections is 65")));
    }

    #[test]
    fn a_typo_or_a_value_out_of_range_is_named() {
        assert!(Settings::parse("paralel = 16\n").unwrap_err().contains("paralel"));
        assert!(Settings::parse("parallel = 0\n").unwrap_err().contains("parallel is 0"));
        assert!(Settings::parse("connections = 65\n").unwrap_err().contains("connections is 65"));
        assert!(Settings::parse("proxy = \"http://u:canary@p:x\"\n").unwrap_err().starts_with("proxy is not"));
        assert!(Settings::parse("referrer = \"somewhere\"\n").unwrap_err().starts_with("referrer is not"));
        assert!(Settings::parse("keychain = \"pocket\"\n").unwrap_err().contains("pocket"));
        assert!(Settings::parse("order = \"random\"\n").unwrap_err().contains("random"));
        assert!(Settings::parse("total-timeout-seconds = -1\n").unwrap_err().contains("total-timeout-seconds"));
        assert!(Settings::parse("hours = [\"daily 00:00-24:00 off\"]\n").unwrap_err().contains("allows nothing"));
        assert!(Settings::parse("hours = [\"mon 8-18 off\"]\n").unwrap_err().contains("mon 8-18 off"));
        assert!(Settings::parse("slow-speed = \"1023\"\n").unwrap_err().contains("slow-speed is 1023"));
        assert!(Settings::parse("slow-speed = \"11G\"\n").unwrap_err().contains("from 1K to 10G"));
        assert!(Settings::parse("free-space-floor = \"much\"\n").unwrap_err().contains("much"));
        assert!(Settings::parse("forget-finished-after = \"0d\"\n").unwrap_err().contains("at least a second"));
        assert!(Settings::parse("forget-finished-after = \"1000y\"\n").unwrap_err().contains("is no time"));
        assert!(Settings::parse("battery-below = 101\n").unwrap_err().contains("battery-below is 101"));
        assert!(Settings::parse("metered = \"never\"\n").unwrap_err().contains("never"));
        assert!(Settings::parse("stall-seconds = nan\n").unwrap_err().contains("stall-seconds"));
    }
}
