//! Browsers that can start the host, and the folders in which each of them looks for manifests. [pure]

use std::{
    env,
    path::{Path, PathBuf},
};

/// Family of browsers, which determines the format of the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrowserFamily {
    /// Chromium, and browsers that are built on it.
    Chromium,
    /// Firefox, and browsers that are built on it.
    Gecko,
}

/// Folder below which a browser keeps its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FolderBase {
    /// Folder of settings, usually `~/.config`.
    Config,
    /// Home folder.
    Home,
}

/// Browser and the folders of its manifests.
#[derive(Clone, Copy, Debug)]
pub struct BrowserPlace {
    /// Name for commands, such as `chrome`.
    pub name: &'static str,
    /// Name for people, such as `Google Chrome`.
    pub title: &'static str,
    /// Format of the manifest.
    pub family: BrowserFamily,
    base: FolderBase,
    folder: &'static str,
    /// Other folders, below the folder of settings, where the browser may keep its profiles.
    profiles: &'static [&'static str],
    manifests: &'static str,
    /// Names of the browser's programs.
    programs: &'static [&'static str],
    /// Folders of the system in which a package may install a manifest.
    system: &'static [&'static str],
}

/// Folders of a user. Tests use temporary folders.
#[derive(Clone, Debug)]
pub struct UserFolders {
    /// Home folder.
    pub home: PathBuf,
    /// Folder of settings.
    pub config: PathBuf,
    /// Folder of data.
    pub data: PathBuf,
    /// Folders of the programs that the user can start by name.
    pub programs: Vec<PathBuf>,
    /// Folder that contains the folders of the system: `/`.
    pub root: PathBuf,
}

/// Name of the host, in the manifests and in the extension.
pub(crate) const HOST: &str = "com.ashore.browser";
const OF_CHROMIUM: &str = "NativeMessagingHosts";
const OF_GECKO: &str = "native-messaging-hosts";

const fn chromium(
    name: &'static str,
    title: &'static str,
    folder: &'static str,
    programs: &'static [&'static str],
    system: &'static [&'static str],
) -> BrowserPlace {
    let (family, base, manifests) = (BrowserFamily::Chromium, FolderBase::Config, OF_CHROMIUM);
    BrowserPlace { name, title, family, base, folder, profiles: &[], manifests, programs, system }
}

const fn gecko(
    name: &'static str,
    title: &'static str,
    folder: &'static str,
    profiles: &'static [&'static str],
    programs: &'static [&'static str],
    system: &'static [&'static str],
) -> BrowserPlace {
    let (family, base, manifests) = (BrowserFamily::Gecko, FolderBase::Home, OF_GECKO);
    BrowserPlace { name, title, family, base, folder, profiles, manifests, programs, system }
}

/// All supported browsers.
pub const BROWSERS: &[BrowserPlace] = &[
    chromium("chromium", "Chromium", "chromium", &["chromium", "chromium-browser"], &["etc/chromium/native-messaging-hosts"]),
    chromium(
        "chrome",
        "Google Chrome",
        "google-chrome",
        &["google-chrome", "google-chrome-stable"],
        &["etc/opt/chrome/native-messaging-hosts"],
    ),
    chromium(
        "edge",
        "Microsoft Edge",
        "microsoft-edge",
        &["microsoft-edge", "microsoft-edge-stable"],
        &["etc/opt/edge/native-messaging-hosts"],
    ),
    chromium(
        "brave",
        "Brave",
        "BraveSoftware/Brave-Browser",
        &["brave-browser", "brave-browser-stable", "brave"],
        &["etc/brave/native-messaging-hosts"],
    ),
    chromium("vivaldi", "Vivaldi", "vivaldi", &["vivaldi", "vivaldi-stable"], &[]),
    gecko(
        "firefox",
        "Firefox",
        ".mozilla",
        // Firefox 147 and later create new profiles in these folders. Firefox 153 reads manifests only from the two
        // older places.
        &["mozilla/firefox", "mozilla/firefox-esr"],
        &["firefox", "firefox-esr"],
        &["usr/lib/mozilla/native-messaging-hosts", "usr/lib64/mozilla/native-messaging-hosts"],
    ),
    gecko("librewolf", "LibreWolf", ".librewolf", &["librewolf"], &["librewolf"], &[]),
];

impl BrowserPlace {
    /// Returns the browser with this command name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BROWSERS.iter().find(|browser| browser.name == name)
    }

    /// Returns whether the user has a folder of this browser, or has its program installed.
    pub fn is_present(&self, folders: &UserFolders) -> bool {
        let is_program = |folder: &PathBuf| self.programs.iter().any(|program| folder.join(program).is_file());
        self.was_started(folders) || folders.programs.iter().any(is_program)
    }

    /// Returns whether the user has a folder of this browser. The folder exists if the user has started the browser.
    pub fn was_started(&self, folders: &UserFolders) -> bool {
        self.data(folders).is_dir() || self.has_other_profile(folders)
    }

    /// Returns whether the browser keeps a profile outside the folder with the manifests.
    pub fn has_other_profile(&self, folders: &UserFolders) -> bool {
        self.profiles.iter().any(|folder| folders.config.join(folder).is_dir())
    }

    /// Returns the folder below which this browser looks for manifests of the user.
    ///
    /// This is usually the folder with the data of the browser.
    pub fn data(&self, folders: &UserFolders) -> PathBuf {
        let base = match self.base {
            FolderBase::Config => &folders.config,
            FolderBase::Home => &folders.home,
        };
        base.join(self.folder)
    }

    /// Returns the path of the user's manifest.
    pub fn manifest(&self, folders: &UserFolders) -> PathBuf {
        self.data(folders).join(self.manifests).join(file_name())
    }

    /// Returns the paths at which a package may install a manifest.
    pub fn of_system(&self, folders: &UserFolders) -> Vec<PathBuf> {
        self.system.iter().map(|folder| folders.root.join(folder).join(file_name())).collect()
    }
}

fn file_name() -> String {
    format!("{HOST}.json")
}

impl UserFolders {
    /// Returns the folders of the user of this process; `None` if the home folder is unknown.
    pub fn of_this_user() -> Option<Self> {
        Self::from_variables(|name| env::var_os(name).map(PathBuf::from))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<Self> {
        let absolute = |name| variable(name).filter(|path| path.is_absolute());
        let home = absolute("HOME")?;
        let config = absolute("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let data = absolute("XDG_DATA_HOME").unwrap_or_else(|| home.join(".local/share"));
        let programs = env::split_paths(&variable("PATH").unwrap_or_default()).filter(|path| path.is_absolute()).collect();
        Some(Self { home, config, data, programs, root: Path::new("/").to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_path_is_in_the_folder_that_each_browser_searches() {
        let folders = UserFolders::from_variables(|name| (name == "HOME").then(|| "/h".into())).unwrap();
        let places: Vec<_> = BROWSERS.iter().map(|one| (one.name, one.manifest(&folders), one.of_system(&folders))).collect();
        let place = |name, user: &str, system: &[&str]| {
            let path = |folder: &str| Path::new(folder).join("com.ashore.browser.json");
            (name, path(user), system.iter().map(|folder| path(folder)).collect::<Vec<_>>())
        };
        let hosts = "NativeMessagingHosts";
        let expected = [
            place("chromium", &format!("/h/.config/chromium/{hosts}"), &["/etc/chromium/native-messaging-hosts"]),
            place("chrome", &format!("/h/.config/google-chrome/{hosts}"), &["/etc/opt/chrome/native-messaging-hosts"]),
            place("edge", &format!("/h/.config/microsoft-edge/{hosts}"), &["/etc/opt/edge/native-messaging-hosts"]),
            place("brave", &format!("/h/.config/BraveSoftware/Brave-Browser/{hosts}"), &["/etc/brave/native-messaging-hosts"]),
            place("vivaldi", &format!("/h/.config/vivaldi/{hosts}"), &[]),
            place(
                "firefox",
                "/h/.mozilla/native-messaging-hosts",
                &["/usr/lib/mozilla/native-messaging-hosts", "/usr/lib64/mozilla/native-messaging-hosts"],
            ),
            place("librewolf", "/h/.librewolf/native-messaging-hosts", &[]),
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn absolute_xdg_variables_move_folders_of_settings_and_data() {
        let set = |name: &str| match name {
            "HOME" => Some("/h".into()),
            "XDG_CONFIG_HOME" => Some("/c".into()),
            "XDG_DATA_HOME" => Some("relative".into()),
            "PATH" => Some("/usr/bin:relative::/snap/bin".into()),
            _ => None,
        };
        let folders = UserFolders::from_variables(set).unwrap();
        assert_eq!((folders.config, folders.data), ("/c".into(), "/h/.local/share".into()));
        assert_eq!(folders.programs, [Path::new("/usr/bin"), Path::new("/snap/bin")]);
        assert!(UserFolders::from_variables(|_| None).is_none());
    }
}
