//! Settings of the user.
//!
//! `ashore.toml` in the data folder holds only values that differ from the defaults. `defaults.toml`, a commented file,
//! is compiled in; it is the reference and the source of the defaults.

mod file;
mod schema;
pub(crate) mod transfer_config;

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_messages::{UserMessage, message};
use ashore_transfer::{AddressPolicy, ProxyRules};
use serde::Deserialize;

use crate::{
    EngineError,
    gates::WeeklyHours,
    keychain::SecretStorage,
    model::{
        FileCategory, QueuePlace, RequestSource, SettingKey,
        values::{byte_size::ByteSize, quiet_hours::QuietHours, retention::RetentionPolicy},
    },
    platform::open_file_limit,
};
pub(crate) use file::{SettingsFile, path};

/// Reference file: every setting with its default and description.
pub const DEFAULTS: &str = include_str!("defaults.toml");

/// All settings, validated.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Language of the window: `auto`, or a language tag.
    pub language: String,
    /// Maximum number of simultaneous transfers, 1 to 64.
    pub parallel: u32,
    /// Maximum number of simultaneous transfers from one host, 1 to 64.
    pub parallel_per_host: u32,
    /// Order of the queue.
    pub order: QueueOrder,
    /// Maximum number of connections per file, 1 to 64.
    pub connections: u32,
    /// Number of attempts before a failure is final, 1 to 100.
    pub attempts: u32,
    /// Seconds before the first retry, 0.01 to 3,600; doubled for each further retry.
    pub retry_after_seconds: f64,
    /// A connection is closed after this many seconds without a byte, 1 to 3,600.
    pub stall_seconds: f64,
    /// Maximum number of seconds to establish a connection, TLS included, 0.1 to 600.
    pub connect_timeout_seconds: f64,
    /// Maximum number of seconds for one attempt of a file, up to a year; 0: unlimited.
    pub total_timeout_seconds: f64,
    /// Seconds between checkpoints that make progress durable, 0.05 to 60.
    pub checkpoint_seconds: f64,
    /// Folder for downloaded files; if empty, the user's download folder.
    #[serde(with = "crate::model::values::path_text")]
    pub folder: PathBuf,
    /// Folder for videos, relative to `folder` or absolute; if empty, `folder` itself.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_video: PathBuf,
    /// Folder for music and speech, relative to `folder` or absolute; if empty, `folder` itself.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_audio: PathBuf,
    /// Folder for pictures, relative to `folder` or absolute; if empty, `folder` itself.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_pictures: PathBuf,
    /// Folder for documents, relative to `folder` or absolute; if empty, `folder` itself.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_documents: PathBuf,
    /// Folder for archives, relative to `folder` or absolute; if empty, `folder` itself.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_archives: PathBuf,
    /// Folder for programs, relative to `folder` or absolute; if empty, `folder` itself.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_programs: PathBuf,
    /// User agent string; if empty, Ashore's default.
    pub user_agent: String,
    /// Referrer for links that were added without a referrer; if empty, no referrer.
    pub referrer: String,
    /// Whether HTTP/2 is used for many files from a secure server that offers HTTP/2.
    pub http2: bool,
    /// Whether a redirect from https to http is followed.
    pub insecure_redirects: bool,
    /// Proxy for all requests. `none` stands for no proxy. If empty, the proxy that the environment variables name.
    pub proxy: String,
    /// Hosts that are reached without a proxy; if empty, the hosts that the environment variable names.
    pub no_proxy: String,
    /// Whether the proxy is also used for requests to this machine itself.
    pub proxy_loopback: bool,
    /// Whether programs, feeds and other devices may download from this machine and the networks around it.
    pub local_for_programs: bool,
    /// PEM file of certificates that are trusted in addition to the system's certificates; if empty, no file.
    #[serde(with = "crate::model::values::path_text")]
    pub ca_certificate: PathBuf,
    /// Whether the cookies that servers set are sent back to these servers, until Ashore exits.
    pub cookies: bool,
    /// Netrc file with passwords for servers that ask for a password; if empty, no file.
    #[serde(with = "crate::model::values::path_text")]
    pub netrc: PathBuf,
    /// Place where passwords and tokens are kept.
    pub keychain: SecretStorage,
    /// Way in which browsers hand downloads over.
    pub browser_hand_over: BrowserHandOver,
    /// Minimum size in bytes. Downloads that are known to be smaller stay with the browser.
    pub browser_least_size: ByteSize,
    /// Sites whose downloads stay with the browser, separated by spaces. A site includes its subdomains.
    pub browser_sites: String,
    /// Filename extensions of downloads that stay with the browser, without the dot, separated by spaces.
    pub browser_endings: String,
    /// Whether a click with the Alt key leaves the download to the browser.
    pub browser_bypass_key: bool,
    /// Whether a browser may start Ashore.
    pub browser_starts_ashore: bool,
    /// Whether paired browsers may connect through a port of this computer.
    pub browser_channel: bool,
    /// Hours of full speed, slow speed, or no transfers, in local time.
    pub hours: WeeklyHours,
    /// Total speed of all transfers in slow hours, in bytes per second, 1K to 10G.
    pub slow_speed: ByteSize,
    /// Behaviour without a network.
    pub offline: GatePolicy,
    /// Behaviour on networks where traffic costs money.
    pub metered: GatePolicy,
    /// Time after which ended registrations leave the list.
    pub forget_finished_after: RetentionPolicy,
    /// Minimum battery charge in percent; 0 for no minimum. While the machine runs on battery, nothing starts below
    /// this charge.
    pub battery_below: u8,
    /// Behaviour while a user works at this machine.
    pub in_use: GatePolicy,
    /// Whether automatic suspend is prevented while a transfer runs.
    pub keep_awake: bool,
    /// Minimum number of free bytes. If fewer bytes are free, nothing starts.
    pub free_space_floor: ByteSize,
    /// Notifications to show. This and the following settings are applied by the desktop.
    pub notifications: NotificationLevel,
    /// Whether notifications are muted while the window has the focus.
    pub quiet_while_focused: bool,
    /// Hours without notifications; notifications due in these hours are shown when the hours end.
    pub quiet_hours: QuietHours,
    /// Whether to notify separately when the last of several downloads has ended.
    pub all_done: bool,
    /// Whether closing the window keeps Ashore in the tray.
    pub close_to_tray: bool,
    /// Whether Ashore starts at login, in the tray.
    pub start_at_login: bool,
    /// Whether copied links are offered when the window gets the focus.
    pub offer_copied_links: bool,
}

/// Behaviour while a temporary condition holds, such as a lost network or a user at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GatePolicy {
    /// Downloads wait until the condition ends.
    Wait,
    /// Downloads continue although the condition holds.
    Go,
}

/// Way in which browsers hand downloads over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BrowserHandOver {
    /// Each click on a file hands the download over.
    Automatic,
    /// Only entries of the browser's menus hand downloads over.
    Menu,
}

/// Notifications to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NotificationLevel {
    /// Notifications are shown when a download has ended. Progress is shown only if a download runs for some time, and in
    /// one notification for many downloads.
    Calm,
    /// Each download has a notification from its first byte on.
    All,
    /// Notifications are shown only when a download has ended.
    Ended,
    /// No notifications.
    None,
}

/// Order of the queue, for registrations whose caller names no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueOrder {
    /// First come, first served.
    FirstCome,
    /// Last in, first out.
    NewestFirst,
}

impl QueueOrder {
    /// Returns the place in the queue for a new registration.
    pub(crate) fn place(self) -> QueuePlace {
        match self {
            Self::FirstCome => QueuePlace::Bottom,
            Self::NewestFirst => QueuePlace::Top,
        }
    }
}

/// Overrides of settings for one run of the engine. Never saved.
#[derive(Clone, Default, PartialEq)]
pub struct SettingOverrides {
    /// Maximum number of simultaneous transfers, both per host and in total.
    pub parallel: Option<u32>,
    /// Maximum number of connections per file.
    pub connections: Option<u32>,
    /// Proxy for all requests, or `none` for no proxy.
    pub proxy: Option<String>,
    /// PEM file of certificates that are trusted in addition to the system's certificates.
    pub ca_certificate: Option<PathBuf>,
    /// Whether redirects from https to http are followed.
    pub insecure_redirects: bool,
    /// Maximum number of seconds to establish a connection.
    pub connect_timeout_seconds: Option<f64>,
    /// Maximum number of seconds for one attempt of a file.
    pub total_timeout_seconds: Option<f64>,
}

impl fmt::Debug for SettingOverrides {
    /// Hides the proxy, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overrides").field("parallel", &self.parallel).finish_non_exhaustive()
    }
}

impl Settings {
    /// Returns the stored settings of a data folder, for programs that need them while no engine runs.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not valid.
    pub fn stored(data_dir: &Path) -> Result<Self, EngineError> {
        SettingsFile::load(data_dir).map(|file| file.settings)
    }

    /// Settings from a file that contains every setting, each of the right kind and in its range.
    fn from_document(document: toml_edit::DocumentMut) -> Result<Self, UserMessage> {
        let settings: Result<Self, _> = toml_edit::de::from_document(document);
        settings.map_err(|error| message!("invalid.toml", why = error.to_string().trim_end()))?.check()
    }

    /// Settings with `overrides` applied. `Invalid` names a value that is out of range.
    pub(crate) fn with(mut self, overrides: SettingOverrides) -> Result<Self, EngineError> {
        let numbers = [
            (SettingKey::Parallel, overrides.parallel.map(f64::from)),
            (SettingKey::Connections, overrides.connections.map(f64::from)),
            (SettingKey::ConnectTimeoutSeconds, overrides.connect_timeout_seconds),
            (SettingKey::TotalTimeoutSeconds, overrides.total_timeout_seconds),
        ];
        for (key, number) in numbers {
            number.map_or(Ok(()), |number| key.definition().check_number(number)).map_err(EngineError::Invalid)?;
        }
        if let Some(parallel) = overrides.parallel {
            (self.parallel, self.parallel_per_host) = (parallel, parallel);
        }
        self.connections = overrides.connections.unwrap_or(self.connections);
        self.proxy = overrides.proxy.unwrap_or(self.proxy);
        self.ca_certificate = overrides.ca_certificate.unwrap_or(self.ca_certificate);
        self.insecure_redirects |= overrides.insecure_redirects;
        self.connect_timeout_seconds = overrides.connect_timeout_seconds.unwrap_or(self.connect_timeout_seconds);
        self.total_timeout_seconds = overrides.total_timeout_seconds.unwrap_or(self.total_timeout_seconds);
        self.check().map_err(EngineError::Invalid)
    }

    /// Performs the checks that go beyond kind and range.
    fn check(self) -> Result<Self, UserMessage> {
        // The proxy settings of the environment are added when the network is configured, so only this setting can be
        // wrong here.
        ProxyRules::new(&self.proxy, &self.no_proxy, self.proxy_loopback, |_| None)
            .map_err(|_| message!("invalid.proxy", name = SettingKey::Proxy.definition().name))?;
        let is_page = |url: &url::Url| matches!(url.scheme(), "http" | "https");
        if !self.referrer.is_empty() && !url::Url::parse(&self.referrer).as_ref().is_ok_and(is_page) {
            return Err(message!("invalid.referrer", name = SettingKey::Referrer.definition().name));
        }
        if !self.folder.as_os_str().is_empty() && !self.folder.is_absolute() {
            return Err(message!("invalid.whole-path", name = SettingKey::Folder.definition().name, value = &self.folder));
        }
        // Reject wildcards here: the URL parser accepts them in host names.
        let is_site =
            |name: &&str| !name.contains('*') && matches!(url::Host::parse(name), Ok(host) if host.to_string() == **name);
        if let Some(wrong) = self.browser_sites.split_whitespace().find(|name| !is_site(name)) {
            return Err(message!("invalid.site", name = SettingKey::BrowserSites.definition().name, value = wrong));
        }
        if self.user_agent.chars().any(char::is_control) {
            return Err(message!("invalid.control-character", name = SettingKey::UserAgent.definition().name));
        }
        Ok(self)
    }

    /// Returns the networks that a transfer may reach if `source` requested it.
    pub(crate) fn reach_of(&self, source: RequestSource) -> AddressPolicy {
        let is_trusted = self.local_for_programs || source.is_wide();
        if is_trusted { AddressPolicy::Anywhere } else { AddressPolicy::Public }
    }

    pub(crate) fn retry_base(&self) -> Duration {
        Duration::from_secs_f64(self.retry_after_seconds)
    }

    /// Transfer configuration for these settings.
    pub(crate) fn transfers(&self) -> ashore_transfer::TransferConfig {
        ashore_transfer::TransferConfig {
            connections: open_file_limit::connections(open_file_limit::allowed(), self.connections) as usize,
            stall_timeout: Duration::from_secs_f64(self.stall_seconds),
            checkpoint_interval: Duration::from_secs_f64(self.checkpoint_seconds),
            ..ashore_transfer::TransferConfig::default()
        }
    }

    /// Default folder: the setting, the desktop's download folder, or `~/Downloads`.
    pub(crate) fn download_folder(&self) -> PathBuf {
        if !self.folder.as_os_str().is_empty() {
            return self.folder.clone();
        }
        dirs::download_dir().or_else(|| dirs::home_dir().map(|home| home.join("Downloads"))).unwrap_or_else(|| PathBuf::from("."))
    }

    /// Default folder for files of this kind.
    pub(crate) fn folder_of(&self, category: FileCategory) -> PathBuf {
        let own = match category {
            FileCategory::Video => &self.folder_video,
            FileCategory::Music => &self.folder_audio,
            FileCategory::Picture => &self.folder_pictures,
            FileCategory::Document => &self.folder_documents,
            FileCategory::Archive => &self.folder_archives,
            FileCategory::Program => &self.folder_programs,
            FileCategory::Other => return self.download_folder(),
        };
        if own.as_os_str().is_empty() { self.download_folder() } else { self.download_folder().join(own) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Settings {
        SettingsFile::read(text).unwrap().settings
    }

    /// Reason why `text` is refused as the content of a settings file.
    fn refused(text: &str) -> String {
        match SettingsFile::read(text) {
            Ok(file) => file.troubles.into_iter().map(|trouble| trouble.message.text).collect(),
            Err(why) => why.text,
        }
    }

    #[test]
    fn reference_settings_file_is_valid_and_defines_the_defaults() {
        let settings = settings("");
        assert_eq!((settings.parallel, settings.parallel_per_host, settings.attempts), (4, 2, 8));
        assert_eq!((settings.connections, settings.transfers().connections), (8, 8));
    }

    #[test]
    fn default_stall_timeout_is_10_seconds_and_default_slowness_interval_is_30_seconds() {
        let transfers = settings("").transfers();
        let (stall, slow) = (Duration::from_secs(10), Duration::from_secs(30));
        assert_eq!((transfers.stall_timeout, transfers.slow_window), (stall, slow));
        let own = ashore_transfer::TransferConfig::default();
        assert_eq!((own.stall_timeout, own.slow_window), (stall, slow), "and nowhere is it another");
    }

    #[test]
    fn settings_file_overrides_single_value_and_keeps_other_defaults() {
        let settings = settings("parallel = 16\n");
        assert_eq!((settings.parallel, settings.parallel_per_host), (16, 2));
    }

    #[test]
    fn overrides_for_one_run_take_precedence_over_settings_file() {
        let settings = settings("parallel = 16\nconnections = 2\n");
        assert_eq!(settings.clone().with(SettingOverrides::default()).unwrap(), settings);
        let overrides = SettingOverrides { parallel: Some(32), connections: Some(1), ..SettingOverrides::default() };
        let settings = settings.with(overrides).unwrap();
        assert_eq!((settings.parallel, settings.parallel_per_host, settings.connections), (32, 32, 1));
        let overrides = SettingOverrides { connections: Some(65), ..SettingOverrides::default() };
        assert!(
            matches!(settings.with(overrides), Err(EngineError::Invalid(message)) if message.text.contains("connections is 65"))
        );
    }

    #[test]
    fn error_identifies_misspelt_or_out_of_range_setting() {
        assert!(refused("paralel = 16\n").contains("paralel"));
        assert!(refused("parallel = 0\n").contains("parallel is 0"));
        assert!(refused("connections = 65\n").contains("connections is 65"));
        assert!(refused("proxy = \"http://u:canary@p:x\"\n").starts_with("proxy is not"));
        assert!(refused("referrer = \"somewhere\"\n").starts_with("referrer is not"));
        assert!(refused("keychain = \"pocket\"\n").contains("pocket"));
        assert!(refused("browser-hand-over = \"often\"\n").contains("often"));
        for wrong in ["https://example.org", "example.org/a", "Example.org", "a_b.org:80", "*.example.org"] {
            assert!(refused(&format!("browser-sites = \"example.net {wrong}\"\n")).contains(wrong), "{wrong}");
        }
        assert!(refused("order = \"random\"\n").contains("random"));
        assert!(refused("total-timeout-seconds = -1\n").contains("total-timeout-seconds"));
        assert!(refused("hours = [\"daily 00:00-24:00 off\"]\n").contains("is \"off\" at all times"));
        assert!(refused("hours = [\"mon 8-18 off\"]\n").contains("mon 8-18 off"));
        assert!(refused("slow-speed = \"1023\"\n").contains("slow-speed is 1023"));
        assert!(refused("slow-speed = \"11G\"\n").contains("from 1K to 10G"));
        assert!(refused("free-space-floor = \"much\"\n").contains("much"));
        assert!(refused("forget-finished-after = \"0d\"\n").contains("one second to a hundred years"));
        assert!(refused("forget-finished-after = \"1000y\"\n").contains("is not a length of time"));
        assert!(refused("battery-below = 101\n").contains("battery-below is 101"));
        assert!(refused("metered = \"never\"\n").contains("never"));
        assert!(refused("notifications = \"loud\"\n").contains("loud"));
        assert!(refused("quiet-hours = \"at night\"\n").contains("Write it as \"22:00-07:00\""));
        assert!(refused("stall-seconds = nan\n").contains("stall-seconds"));
    }
}
