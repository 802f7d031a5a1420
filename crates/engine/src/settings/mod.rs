//! What a person may set. `ashore.toml` in the data folder holds only what differs from the defaults; the commented file
//! below is compiled in, is the reference, and is where the defaults come from.

mod file;
mod schema;
pub(crate) mod transfer_config;

use std::{fmt, path::PathBuf, time::Duration};

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

/// The reference: every setting, its default, and what it does.
pub const DEFAULTS: &str = include_str!("defaults.toml");

/// All settings, checked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// What the window speaks: `auto`, or a tag.
    pub language: String,
    /// Transfers at once, 1 to 64.
    pub parallel: u32,
    /// Transfers at once from one host, 1 to 64.
    pub parallel_per_host: u32,
    /// Which of those that wait is next.
    pub order: QueueOrder,
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
    #[serde(with = "crate::model::values::path_text")]
    pub folder: PathBuf,
    /// Where videos go: below `folder`, or elsewhere; empty: there.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_video: PathBuf,
    /// Where music and speech go: below `folder`, or elsewhere; empty: there.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_audio: PathBuf,
    /// Where pictures go: below `folder`, or elsewhere; empty: there.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_pictures: PathBuf,
    /// Where documents go: below `folder`, or elsewhere; empty: there.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_documents: PathBuf,
    /// Where archives go: below `folder`, or elsewhere; empty: there.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_archives: PathBuf,
    /// Where programs go: below `folder`, or elsewhere; empty: there.
    #[serde(with = "crate::model::values::path_text")]
    pub folder_programs: PathBuf,
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
    /// Programs, feeds and other devices may have Ashore fetch from this machine and the networks around it.
    pub local_for_programs: bool,
    /// A PEM file of certificates that are trusted beside the system's; empty: none.
    #[serde(with = "crate::model::values::path_text")]
    pub ca_certificate: PathBuf,
    /// Cookies that servers set are sent back, until Ashore ends.
    pub cookies: bool,
    /// A netrc file whose passwords are given to servers that ask; empty: none.
    #[serde(with = "crate::model::values::path_text")]
    pub netrc: PathBuf,
    /// Where passwords and tokens are kept.
    pub keychain: SecretStorage,
    /// When things go at full speed, slowly, or not at all, in the machine's own time.
    pub hours: WeeklyHours,
    /// Bytes a second of everything together in slow hours, 1K to 10G.
    pub slow_speed: ByteSize,
    /// What to do without a network.
    pub offline: GatePolicy,
    /// What to do where traffic costs money.
    pub metered: GatePolicy,
    /// What is over leaves the list after this time.
    pub forget_finished_after: RetentionPolicy,
    /// On battery, nothing starts below so many percent; 0 for never mind.
    pub battery_below: u8,
    /// What to do while somebody works at this machine.
    pub in_use: GatePolicy,
    /// The machine does not go to sleep by itself while something runs.
    pub keep_awake: bool,
    /// Where less is free than these bytes, nothing starts.
    pub free_space_floor: ByteSize,
    /// Which notifications there are. These, and what follows, are the desktop's to follow.
    pub notifications: NotificationLevel,
    /// None while the window has the focus.
    pub quiet_while_focused: bool,
    /// None in these hours; what was owed is told when they end.
    pub quiet_hours: QuietHours,
    /// One of its own when the last of several is over.
    pub all_done: bool,
    /// A window that is closed leaves Ashore in the tray.
    pub close_to_tray: bool,
    /// Ashore starts with the desktop, in the tray.
    pub start_at_login: bool,
    /// Links that were copied are offered when the window gets the focus.
    pub offer_copied_links: bool,
}

/// What to do in a circumstance that may end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GatePolicy {
    /// Wait for its end.
    Wait,
    /// Go on all the same.
    Go,
}

/// Which notifications there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NotificationLevel {
    /// One while it runs, and how it ended.
    All,
    /// How it ended.
    Ended,
    /// None.
    None,
}

/// Which of those that wait is next, where nobody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueOrder {
    /// First come, first served.
    FirstCome,
    /// A stack: what was added last.
    NewestFirst,
}

impl QueueOrder {
    /// Where a new one stands.
    pub(crate) fn place(self) -> QueuePlace {
        match self {
            Self::FirstCome => QueuePlace::Bottom,
            Self::NewestFirst => QueuePlace::Top,
        }
    }
}

/// What somebody wants otherwise for one run of the engine; nothing of it is saved.
#[derive(Clone, Default, PartialEq)]
pub struct SettingOverrides {
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

impl fmt::Debug for SettingOverrides {
    /// The proxy may have a password in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overrides").field("parallel", &self.parallel).finish_non_exhaustive()
    }
}

impl Settings {
    /// Those of a file that has every setting, each of the right kind and in its range.
    fn from_document(document: toml_edit::DocumentMut) -> Result<Self, String> {
        let settings: Self = toml_edit::de::from_document(document).map_err(|error| error.to_string())?;
        settings.check()
    }

    /// These, but for what `overrides` names. `Invalid` names what is out of range.
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

    /// What no kind and no range says.
    fn check(self) -> Result<Self, String> {
        // What the environment adds is read when the network is.
        ProxyRules::new(&self.proxy, &self.no_proxy, self.proxy_loopback, |_| None)?;
        let is_page = |url: &url::Url| matches!(url.scheme(), "http" | "https");
        if !self.referrer.is_empty() && !url::Url::parse(&self.referrer).as_ref().is_ok_and(is_page) {
            return Err("referrer is not the address of a web page. Write it as https://host/page.".to_owned());
        }
        if !self.folder.as_os_str().is_empty() && !self.folder.is_absolute() {
            return Err(format!(
                "folder is \"{}\", and must be a whole path, such as /home/me/Downloads.",
                self.folder.display()
            ));
        }
        if self.user_agent.chars().any(char::is_control) {
            return Err("user-agent contains a control character. Remove it.".to_owned());
        }
        Ok(self)
    }

    /// How far a transfer may go that came to be asked for like this.
    pub(crate) fn reach_of(&self, source: RequestSource) -> AddressPolicy {
        let is_trusted = self.local_for_programs || source.is_person() || source == RequestSource::Clipboard;
        if is_trusted { AddressPolicy::Anywhere } else { AddressPolicy::Public }
    }

    pub(crate) fn retry_base(&self) -> Duration {
        Duration::from_secs_f64(self.retry_after_seconds)
    }

    /// How transfers behave under these settings.
    pub(crate) fn transfers(&self) -> ashore_transfer::TransferConfig {
        ashore_transfer::TransferConfig {
            connections: open_file_limit::connections(open_file_limit::allowed(), self.connections) as usize,
            stall_timeout: Duration::from_secs_f64(self.stall_seconds),
            checkpoint_interval: Duration::from_secs_f64(self.checkpoint_seconds),
            ..ashore_transfer::TransferConfig::default()
        }
    }

    /// Where files go when nobody says: the setting, the desktop's download folder, or `~/Downloads`.
    pub(crate) fn download_folder(&self) -> PathBuf {
        if !self.folder.as_os_str().is_empty() {
            return self.folder.clone();
        }
        dirs::download_dir().or_else(|| dirs::home_dir().map(|home| home.join("Downloads"))).unwrap_or_else(|| PathBuf::from("."))
    }

    /// The same for files of this kind.
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

    /// Why it is not followed.
    fn refused(text: &str) -> String {
        match SettingsFile::read(text) {
            Ok(file) => file.troubles.into_iter().map(|trouble| trouble.text).collect(),
            Err(why) => why,
        }
    }

    #[test]
    fn the_reference_file_is_valid_and_is_the_default() {
        let settings = settings("");
        assert_eq!((settings.parallel, settings.parallel_per_host, settings.attempts), (4, 2, 8));
        assert_eq!((settings.connections, settings.transfers().connections), (8, 8));
    }

    #[test]
    fn as_shipped_a_stall_lasts_ten_seconds_and_next_to_nothing_thirty() {
        let transfers = settings("").transfers();
        let (stall, slow) = (Duration::from_secs(10), Duration::from_secs(30));
        assert_eq!((transfers.stall_timeout, transfers.slow_window), (stall, slow));
        let own = ashore_transfer::TransferConfig::default();
        assert_eq!((own.stall_timeout, own.slow_window), (stall, slow), "and nowhere is it another");
    }

    #[test]
    fn a_difference_is_taken_and_the_rest_stays() {
        let settings = settings("parallel = 16\n");
        assert_eq!((settings.parallel, settings.parallel_per_host), (16, 2));
    }

    #[test]
    fn what_is_wanted_for_one_run_has_the_last_word() {
        let settings = settings("parallel = 16\nconnections = 2\n");
        assert_eq!(settings.clone().with(SettingOverrides::default()).unwrap(), settings);
        let overrides = SettingOverrides { parallel: Some(32), connections: Some(1), ..SettingOverrides::default() };
        let settings = settings.with(overrides).unwrap();
        assert_eq!((settings.parallel, settings.parallel_per_host, settings.connections), (32, 32, 1));
        let overrides = SettingOverrides { connections: Some(65), ..SettingOverrides::default() };
        assert!(matches!(settings.with(overrides), Err(EngineError::Invalid(text)) if text.contains("connections is 65")));
    }

    #[test]
    fn a_typo_or_a_value_out_of_range_is_named() {
        assert!(refused("paralel = 16\n").contains("paralel"));
        assert!(refused("parallel = 0\n").contains("parallel is 0"));
        assert!(refused("connections = 65\n").contains("connections is 65"));
        assert!(refused("proxy = \"http://u:canary@p:x\"\n").starts_with("proxy is not"));
        assert!(refused("referrer = \"somewhere\"\n").starts_with("referrer is not"));
        assert!(refused("keychain = \"pocket\"\n").contains("pocket"));
        assert!(refused("order = \"random\"\n").contains("random"));
        assert!(refused("total-timeout-seconds = -1\n").contains("total-timeout-seconds"));
        assert!(refused("hours = [\"daily 00:00-24:00 off\"]\n").contains("allows nothing"));
        assert!(refused("hours = [\"mon 8-18 off\"]\n").contains("mon 8-18 off"));
        assert!(refused("slow-speed = \"1023\"\n").contains("slow-speed is 1023"));
        assert!(refused("slow-speed = \"11G\"\n").contains("from 1K to 10G"));
        assert!(refused("free-space-floor = \"much\"\n").contains("much"));
        assert!(refused("forget-finished-after = \"0d\"\n").contains("at least a second"));
        assert!(refused("forget-finished-after = \"1000y\"\n").contains("is no time"));
        assert!(refused("battery-below = 101\n").contains("battery-below is 101"));
        assert!(refused("metered = \"never\"\n").contains("never"));
        assert!(refused("notifications = \"loud\"\n").contains("loud"));
        assert!(refused("quiet-hours = \"at night\"\n").contains("Write it as \"22:00-07:00\""));
        assert!(refused("stall-seconds = nan\n").contains("stall-seconds"));
    }
}
