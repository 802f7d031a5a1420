//! Writes and removes the manifests of the host in the folders of a user. Called by the command line and the app.
//!
//! - A manifest is written only where the browser's own folder exists. It is written atomically, and every user can
//!   read it.
//! - A file that another program wrote is never changed.
//! - A program whose path changes, as in an AppImage, is copied to the data folder first. The copy starts the app that
//!   is beside it. Therefore a link beside the copy leads to the AppImage.

use std::{
    env,
    ffi::OsStr,
    fs,
    io::{self, Write as _},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use ashore_messages::{UserMessage, message};
use tempfile::NamedTempFile;

use crate::{
    extension_ids::ids,
    manifest::{self, FoundFile, ManifestStep},
    manifest_paths::{BrowserPlace, UserFolders},
    wake,
};

/// File name of the host.
const PROGRAM: &str = "ashore-browser";
/// Folder of the copied program, below the data folder of the user.
const COPIES: &str = "ashore/bin";
const FILE_MODE: u32 = 0o644;
const PROGRAM_MODE: u32 = 0o755;
/// Maximum size of a manifest in bytes. A larger file is not a manifest of Ashore.
const LONGEST: u64 = 64 << 10;

/// Program that a manifest names.
#[derive(Clone, Debug)]
pub struct HostProgram {
    path: PathBuf,
    /// AppImage that contains the program. If there is one, the path is valid only as long as this process runs.
    app_image: Option<PathBuf>,
}

/// State of the connection between a browser and Ashore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestState {
    /// Either the user does not have this browser, or the user has never started it and no package connects it.
    NoBrowser,
    /// The browser has no manifest.
    NotConnected,
    /// The manifest at this path starts this program.
    Connected {
        /// Path of the manifest.
        manifest: PathBuf,
        /// Program.
        program: PathBuf,
    },
    /// A file of another program is at the path of the manifest.
    Foreign {
        /// Path of the file.
        manifest: PathBuf,
    },
}

/// Result of connecting or disconnecting a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallOutcome {
    /// The manifest was written or removed.
    Changed,
    /// The manifest already had the requested state.
    Unchanged,
    /// The user has no manifest any more, but the manifest of a package at this path still connects the browser.
    OfPackage(PathBuf),
}

impl HostProgram {
    /// Returns the host program that is in the same folder as this program.
    pub fn beside_this_program() -> io::Result<Self> {
        let path = env::current_exe()?.with_file_name(PROGRAM);
        let is_inside = is_in_app_image(&path, env::var_os("APPDIR").as_deref());
        let app_image = env::var_os("APPIMAGE").map(PathBuf::from).filter(|image| is_inside && image.is_absolute());
        Ok(Self { path, app_image })
    }

    /// Returns the program path for the manifests. If the program is temporary, copies it first, unless an equal copy
    /// exists.
    fn stay(&self, folders: &UserFolders) -> io::Result<PathBuf> {
        let Some(app_image) = &self.app_image else { return Ok(self.path.clone()) };
        let (folder, bytes) = (folders.data.join(COPIES), fs::read(&self.path)?);
        let copy = folder.join(PROGRAM);
        if fs::read(&copy).ok().as_ref() != Some(&bytes) {
            fs::create_dir_all(&folder)?;
            // Replace the file instead of writing to it, because a browser may run the old copy.
            written(&folder, &bytes, PROGRAM_MODE)?.persist(&copy)?;
        }
        let link = folder.join(wake::APP);
        if fs::read_link(&link).ok().as_ref() != Some(app_image) {
            // Replace the link in one step, because the copy may look for the link at any moment.
            let made = tempfile::Builder::new().make_in(&folder, |path| symlink(app_image, path))?;
            made.persist(&link).map_err(|error| error.error)?;
        }
        Ok(copy)
    }
}

/// Whether `program` is in the mounted AppImage `mount`, and therefore temporary. [pure]
///
/// The variable `APPDIR` alone proves nothing: a terminal in an AppImage passes its variables to every program that it
/// starts.
fn is_in_app_image(program: &Path, mount: Option<&OsStr>) -> bool {
    mount.is_some_and(|mount| !mount.is_empty() && program.starts_with(mount))
}

/// Returns the state of a browser.
pub fn state(browser: &BrowserPlace, folders: &UserFolders) -> ManifestState {
    let of_user = browser.manifest(folders);
    // A package installs manifests for all browsers into system folders, even for browsers that the user does not have.
    // Therefore these manifests count only if the browser is present.
    let of_system = if browser.is_present(folders) { browser.of_system(folders) } else { Vec::new() };
    for manifest in [of_user].into_iter().chain(of_system) {
        match found(&manifest) {
            FoundFile::Missing => {}
            FoundFile::Other => return ManifestState::Foreign { manifest },
            FoundFile::Text(text) => {
                return match manifest::program(browser.family, &text, ids()) {
                    Some(program) => ManifestState::Connected { manifest, program: program.into() },
                    None => ManifestState::Foreign { manifest },
                };
            }
        }
    }
    // A browser that was never started cannot be connected yet.
    match browser.was_started(folders) {
        true => ManifestState::NotConnected,
        false => ManifestState::NoBrowser,
    }
}

/// Writes the manifest that makes `browser` start `program`.
///
/// Fails in these cases: the user has no folder of this browser and no package connects it; the program is missing;
/// another program has a file at the path; or the manifest cannot be written.
pub fn connect(browser: &BrowserPlace, folders: &UserFolders, program: &HostProgram) -> Result<InstallOutcome, UserMessage> {
    if !browser.was_started(folders) {
        return match state(browser, folders) {
            ManifestState::Connected { .. } => Ok(InstallOutcome::Unchanged),
            ManifestState::Foreign { manifest } => Err(message!("browser-manifest.foreign", path = &manifest)),
            _ => Err(message!("browser-manifest.no-browser", browser = browser.title, path = &browser.data(folders))),
        };
    }
    if !program.path.is_file() {
        return Err(message!("browser-manifest.program", path = &program.path));
    }
    let path = browser.manifest(folders);
    let unwritten = |error: &io::Error| message!("disk.unwritten", path = &path, why = error);
    let program = program.stay(folders).map_err(|error| unwritten(&error))?;
    let text = manifest::text(browser.family, &program, ids());
    let text = text.ok_or_else(|| message!("browser-manifest.path", path = &program))?;
    let step = manifest::plan(browser.family, &found(&path), Some(&text), ids());
    let folder = path.parent().unwrap_or(&folders.home);
    let write = |replaces: bool| {
        fs::create_dir_all(folder)?;
        let file = written(folder, text.as_bytes(), FILE_MODE)?;
        if replaces { file.persist(&path) } else { file.persist_noclobber(&path) }.map(drop).map_err(io::Error::from)
    };
    carry_out(step, &path, write).map_err(|error| unwritten(&error))?
}

/// Removes the manifest that [`connect`] wrote. A missing manifest is no failure. The manifest of a package stays.
///
/// Fails if the file belongs to another program, or removing fails.
pub fn disconnect(browser: &BrowserPlace, folders: &UserFolders) -> Result<InstallOutcome, UserMessage> {
    let path = browser.manifest(folders);
    let step = manifest::plan(browser.family, &found(&path), None, ids());
    let remove = |_| {
        fs::remove_file(&path)?;
        if browser.has_other_profile(folders) {
            // This browser keeps its profile elsewhere, so these folders were created for the manifest. A folder that
            // is not empty stays.
            let made = path.ancestors().skip(1).take_while(|folder| *folder != folders.home);
            let _ = made.take(2).try_for_each(fs::remove_dir);
        }
        Ok(())
    };
    let done = carry_out(step, &path, remove);
    let outcome = done.map_err(|error| message!("disk.undeleted", path = &path, why = &error))??;
    Ok(match state(browser, folders) {
        ManifestState::Connected { manifest, .. } => InstallOutcome::OfPackage(manifest),
        _ => outcome,
    })
}

/// Executes `step`. If the step changes the file, calls `change` with true for a replacement, and with false otherwise.
fn carry_out(
    step: ManifestStep,
    path: &Path,
    change: impl FnOnce(bool) -> io::Result<()>,
) -> io::Result<Result<InstallOutcome, UserMessage>> {
    Ok(match step {
        ManifestStep::Leave => Ok(InstallOutcome::Unchanged),
        ManifestStep::Refuse => Err(message!("browser-manifest.foreign", path = path)),
        ManifestStep::Create | ManifestStep::Replace | ManifestStep::Remove => {
            change(step == ManifestStep::Replace)?;
            Ok(InstallOutcome::Changed)
        }
    })
}

fn found(path: &Path) -> FoundFile {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => FoundFile::Missing,
        Ok(file) if file.is_file() && file.len() <= LONGEST => fs::read_to_string(path).map_or(FoundFile::Other, FoundFile::Text),
        Ok(_) | Err(_) => FoundFile::Other,
    }
}

/// Returns a complete and durable temporary file in `folder`.
fn written(folder: &Path, bytes: &[u8], mode: u32) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::manifest_paths::BROWSERS;

    struct Home {
        place: TempDir,
        folders: UserFolders,
        program: HostProgram,
    }

    impl Home {
        fn new() -> Self {
            let place = tempfile::tempdir().unwrap();
            let home = place.path().join("home");
            let folders = UserFolders {
                config: home.join(".config"),
                data: home.join(".local/share"),
                programs: vec![place.path().join("bin")],
                root: place.path().join("root"),
                home,
            };
            let path = place.path().join(PROGRAM);
            fs::write(&path, "version 1").unwrap();
            Self { place, folders, program: HostProgram { path, app_image: None } }
        }

        fn with_all_browsers() -> Self {
            let home = Self::new();
            BROWSERS.iter().for_each(|browser| fs::create_dir_all(browser.data(&home.folders)).unwrap());
            home
        }

        /// Writes the manifests that a package installs for all users. Returns their paths.
        fn with_manifest_of_package(&self, browser: &BrowserPlace) -> Vec<PathBuf> {
            let paths = browser.of_system(&self.folders);
            for path in &paths {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let text = manifest::text(browser.family, Path::new("/usr/bin/ashore-browser"), ids()).unwrap();
                fs::write(path, text).unwrap();
            }
            paths
        }

        fn connect(&self, browser: &BrowserPlace) -> Result<InstallOutcome, UserMessage> {
            connect(browser, &self.folders, &self.program)
        }

        /// Returns the number of files below the home folder.
        fn files(&self) -> usize {
            fn count(folder: &Path) -> usize {
                let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
                entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
            }
            count(&self.folders.home)
        }
    }

    #[test]
    fn program_counts_as_temporary_only_if_it_is_inside_mounted_app_image() {
        let mount = Some(OsStr::new("/tmp/.mount_AshoreXY"));
        assert!(is_in_app_image(Path::new("/tmp/.mount_AshoreXY/usr/bin/ashore-browser"), mount));
        for other in [mount, Some(OsStr::new("")), None] {
            assert!(!is_in_app_image(Path::new("/usr/bin/ashore-browser"), other), "{other:?}");
        }
    }

    #[test]
    fn every_browser_can_be_connected_and_disconnecting_leaves_no_file() {
        let home = Home::with_all_browsers();
        for browser in BROWSERS {
            assert_eq!(state(browser, &home.folders), ManifestState::NotConnected, "{}", browser.name);
            assert_eq!(home.connect(browser), Ok(InstallOutcome::Changed), "{}", browser.name);
            let manifest = browser.manifest(&home.folders);
            let connected = ManifestState::Connected { manifest: manifest.clone(), program: home.program.path.clone() };
            assert_eq!(state(browser, &home.folders), connected);
            assert_eq!(fs::metadata(&manifest).unwrap().permissions().mode() & 0o777, 0o644, "{}", browser.name);
            assert_eq!(home.connect(browser), Ok(InstallOutcome::Unchanged), "{}", browser.name);
        }
        assert_eq!(home.files(), BROWSERS.len());
        for browser in BROWSERS {
            assert_eq!(disconnect(browser, &home.folders), Ok(InstallOutcome::Changed), "{}", browser.name);
            assert_eq!(disconnect(browser, &home.folders), Ok(InstallOutcome::Unchanged), "{}", browser.name);
        }
        assert_eq!(home.files(), 0);
    }

    #[test]
    fn manifest_is_written_to_home_folder_even_if_profile_is_in_config_folder() {
        for (name, profile, manifests) in [
            ("firefox", "mozilla/firefox", ".mozilla/native-messaging-hosts"),
            ("firefox", "mozilla/firefox-esr", ".mozilla/native-messaging-hosts"),
            ("librewolf", "librewolf", ".librewolf/native-messaging-hosts"),
        ] {
            let (home, browser) = (Home::new(), BrowserPlace::named(name).unwrap());
            fs::create_dir_all(home.folders.config.join(profile)).unwrap();
            assert_eq!(state(browser, &home.folders), ManifestState::NotConnected, "{profile}");
            assert_eq!(home.connect(browser), Ok(InstallOutcome::Changed), "{profile}");
            let manifest = home.folders.home.join(manifests).join("com.ashore.browser.json");
            assert!(manifest.is_file(), "{profile}");
            assert_eq!(disconnect(browser, &home.folders), Ok(InstallOutcome::Changed), "{profile}");
            let made = home.folders.home.join(manifests.split('/').next().unwrap());
            assert!(!made.exists(), "the folder exists only for the manifest");
        }
    }

    #[test]
    fn nothing_is_written_for_browser_without_folder() {
        let home = Home::new();
        for browser in BROWSERS {
            assert_eq!(state(browser, &home.folders), ManifestState::NoBrowser, "{}", browser.name);
            assert_eq!(home.connect(browser).unwrap_err().id(), "message-browser-manifest.no-browser", "{}", browser.name);
        }
        assert!(!home.folders.home.exists());
    }

    #[test]
    fn missing_browser_is_not_connected_although_package_provides_manifest() {
        let home = Home::new();
        let browsers = ["chromium", "firefox", "edge"].map(|name| BrowserPlace::named(name).unwrap());
        for browser in BROWSERS {
            home.with_manifest_of_package(browser);
        }
        let [started, unused, missing] = browsers;
        fs::create_dir_all(started.data(&home.folders)).unwrap();
        fs::create_dir_all(&home.folders.programs[0]).unwrap();
        fs::write(home.folders.programs[0].join("firefox-esr"), "").unwrap();
        for browser in BROWSERS {
            let is_connected = matches!(state(browser, &home.folders), ManifestState::Connected { .. });
            assert_eq!(is_connected, [started.name, unused.name].contains(&browser.name), "{}", browser.name);
        }
        assert_eq!(home.connect(unused), Ok(InstallOutcome::Unchanged), "no folder is created for the manifest");
        assert_eq!(home.connect(missing).unwrap_err().id(), "message-browser-manifest.no-browser");
        assert_eq!(disconnect(missing, &home.folders), Ok(InstallOutcome::Unchanged));
        assert_eq!(home.files(), 0);
    }

    #[test]
    fn installed_browser_that_was_never_started_counts_as_missing() {
        let (home, browser) = (Home::new(), &BROWSERS[0]);
        fs::create_dir_all(&home.folders.programs[0]).unwrap();
        fs::write(home.folders.programs[0].join("chromium"), "").unwrap();
        assert_eq!(state(browser, &home.folders), ManifestState::NoBrowser);
        assert_eq!(home.connect(browser).unwrap_err().id(), "message-browser-manifest.no-browser");
    }

    #[test]
    fn manifest_of_another_program_is_shown_but_never_changed() {
        let home = Home::with_all_browsers();
        for browser in BROWSERS {
            let path = browser.manifest(&home.folders);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, r#"{"name": "com.ashore.browser", "path": "/opt/other"}"#).unwrap();
            let before = fs::read(&path).unwrap();
            assert_eq!(state(browser, &home.folders), ManifestState::Foreign { manifest: path.clone() });
            for refused in [home.connect(browser), disconnect(browser, &home.folders)] {
                let why = refused.unwrap_err();
                assert_eq!(why.id(), "message-browser-manifest.foreign");
                assert!(why.text.contains(path.to_str().unwrap()), "{why}");
            }
            assert_eq!(fs::read(&path).unwrap(), before, "{}", browser.name);
        }
    }

    #[test]
    fn system_manifest_of_another_program_is_named_if_browser_was_never_started() {
        let (home, browser) = (Home::new(), &BROWSERS[0]);
        fs::create_dir_all(&home.folders.programs[0]).unwrap();
        fs::write(home.folders.programs[0].join("chromium"), "").unwrap();
        let path = browser.of_system(&home.folders).remove(0);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, r#"{"name": "com.ashore.browser", "path": "/opt/other"}"#).unwrap();
        let why = home.connect(browser).unwrap_err();
        assert!(why.id() == "message-browser-manifest.foreign" && why.text.contains(path.to_str().unwrap()), "{why}");
    }

    #[test]
    fn symlink_at_path_of_manifest_is_not_followed() {
        let home = Home::with_all_browsers();
        let (path, other) = (BROWSERS[0].manifest(&home.folders), home.place.path().join("other"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(&other, &path).unwrap();
        assert_eq!(home.connect(&BROWSERS[0]).unwrap_err().id(), "message-browser-manifest.foreign");
        assert_eq!(disconnect(&BROWSERS[0], &home.folders).unwrap_err().id(), "message-browser-manifest.foreign");
        assert!(!other.exists() && path.is_symlink());
    }

    #[test]
    fn manifest_of_earlier_program_is_replaced() {
        let mut home = Home::with_all_browsers();
        home.connect(&BROWSERS[0]).unwrap();
        let moved = home.place.path().join("moved");
        fs::copy(&home.program.path, &moved).unwrap();
        fs::remove_file(&home.program.path).unwrap();
        assert_eq!(home.connect(&BROWSERS[0]).unwrap_err().id(), "message-browser-manifest.program");
        home.program.path = moved.clone();
        assert_eq!(home.connect(&BROWSERS[0]), Ok(InstallOutcome::Changed));
        assert!(matches!(state(&BROWSERS[0], &home.folders), ManifestState::Connected { program, .. } if program == moved));
    }

    #[test]
    fn host_program_in_app_image_is_copied_and_its_copy_is_updated() {
        let mut home = Home::with_all_browsers();
        let copy = home.folders.data.join("ashore/bin/ashore-browser");
        for (version, outcome) in [("version 1", InstallOutcome::Changed), ("version 2", InstallOutcome::Unchanged)] {
            fs::write(&home.program.path, version).unwrap();
            let app_image = home.place.path().join(format!("{version}.AppImage"));
            fs::write(&app_image, "app").unwrap();
            home.program.app_image = Some(app_image.clone());
            assert_eq!(home.connect(&BROWSERS[0]), Ok(outcome));
            assert_eq!(fs::read_to_string(&copy).unwrap(), version);
            // The copy looks for the app beside itself.
            assert_eq!(fs::canonicalize(copy.with_file_name(wake::APP)).unwrap(), fs::canonicalize(app_image).unwrap());
            assert_eq!(fs::read_dir(copy.parent().unwrap()).unwrap().count(), 2, "nothing else is left");
        }
        assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o755);
        assert!(matches!(state(&BROWSERS[0], &home.folders), ManifestState::Connected { program, .. } if program == copy));
    }

    #[test]
    fn disconnecting_leaves_browser_connected_if_a_package_installed_the_manifest() {
        let home = Home::with_all_browsers();
        for browser in BROWSERS {
            for path in home.with_manifest_of_package(browser) {
                let connected = ManifestState::Connected { manifest: path.clone(), program: "/usr/bin/ashore-browser".into() };
                assert_eq!(state(browser, &home.folders), connected);
                assert_eq!(disconnect(browser, &home.folders), Ok(InstallOutcome::OfPackage(path.clone())));
                home.connect(browser).unwrap();
                assert_eq!(disconnect(browser, &home.folders), Ok(InstallOutcome::OfPackage(path.clone())));
                assert_eq!(state(browser, &home.folders), connected);
                fs::remove_file(&path).unwrap();
                fs::create_dir_all(browser.data(&home.folders)).unwrap();
            }
        }
    }
}
