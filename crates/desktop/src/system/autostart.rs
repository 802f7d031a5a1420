//! Autostart: maintains a desktop file in the autostart folder of the desktop.
//!
//! The setting determines whether the file exists. If the user removes or disables the file with the tools of the
//! desktop, the setting is reset.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use crate::system::{
    install_paths,
    single_instance::{self, IDENTIFIER},
    ui_state::UiState,
};

/// Path and content of the autostart file, or the reason why it cannot exist.
#[derive(Debug)]
pub struct AutostartEntry(Result<DesktopEntry, String>);

#[derive(Debug)]
struct DesktopEntry {
    path: PathBuf,
    text: String,
}

/// Action on the autostart file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Leave the file as it is.
    Leave,
    /// Write the file.
    Write,
    /// Remove the file.
    Remove,
    /// Reset the setting, because the user removed or disabled the file.
    GiveUp,
}

/// State of the autostart file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AutostartFile {
    Missing,
    /// The file exists, but is disabled.
    SwitchedOff,
    /// The file has other content, or cannot be read.
    Outdated,
    Right,
}

impl AutostartEntry {
    /// Returns the autostart file of `data_dir`. Each data folder has its own file.
    pub fn for_data_dir(data_dir: &Path) -> Self {
        let usual = ashore_rpc::data_dir().is_some_and(|usual| usual.canonicalize().is_ok_and(|usual| usual == data_dir));
        let name = if usual { IDENTIFIER.to_owned() } else { single_instance::name(IDENTIFIER, data_dir) };
        let entry = dirs::config_dir().ok_or_else(|| "there is no home folder".to_owned()).and_then(|folder| {
            let program = program().map_err(|error| error.to_string())?;
            let data_dir = (!usual).then_some(data_dir);
            let text = text(&program, data_dir).ok_or("its path cannot be written there")?;
            Ok(DesktopEntry { path: folder.join("autostart").join(format!("{name}.desktop")), text })
        });
        Self(entry)
    }

    /// Applies the setting to the autostart file.
    ///
    /// Returns false if the user removed or disabled the file. The caller then resets the setting.
    pub fn apply(&self, remembered: &UiState, is_wanted: bool) -> bool {
        let entry = match &self.0 {
            Ok(entry) => entry,
            Err(why) => {
                if is_wanted {
                    tracing::warn!(why, "autostart entry cannot be created; Ashore will not start at login");
                }
                return true;
            }
        };
        let done = match step(is_wanted, remembered.starts_at_login(), found(entry)) {
            Step::Leave => Ok(()),
            Step::Write => write(entry),
            Step::Remove => remove(entry),
            Step::GiveUp => {
                remembered.set_starts_at_login(false);
                return false;
            }
        };
        match done {
            Ok(()) => remembered.set_starts_at_login(is_wanted),
            Err(error) => tracing::warn!(%error, "autostart entry could not be changed"),
        }
        true
    }
}

/// Decides the action on the autostart file. `was_made` is true if this program has written the file before. [pure]
fn step(is_wanted: bool, was_made: bool, found: AutostartFile) -> Step {
    match (is_wanted, was_made, found) {
        (true, true, AutostartFile::Missing | AutostartFile::SwitchedOff) => Step::GiveUp,
        (true, _, AutostartFile::Right) => Step::Leave,
        (true, _, _) => Step::Write,
        (false, true, AutostartFile::Missing) => Step::Leave,
        (false, true, _) => Step::Remove,
        // Leave the file, because Ashore did not write it.
        (false, false, _) => Step::Leave,
    }
}

fn found(entry: &DesktopEntry) -> AutostartFile {
    match fs::read_to_string(&entry.path) {
        Ok(text) if is_switched_off(&text) => AutostartFile::SwitchedOff,
        Ok(text) if text == entry.text => AutostartFile::Right,
        Err(error) if error.kind() == io::ErrorKind::NotFound => AutostartFile::Missing,
        Ok(_) | Err(_) => AutostartFile::Outdated,
    }
}

/// Whether one of the known keys disables the file. [pure]
fn is_switched_off(text: &str) -> bool {
    text.lines()
        .filter_map(|line| line.split_once('='))
        .any(|(key, value)| matches!((key.trim(), value.trim()), ("Hidden", "true") | ("X-GNOME-Autostart-enabled", "false")))
}

#[expect(clippy::disallowed_methods, reason = "both files belong to Ashore, and the new file replaces the old file")]
fn write(entry: &DesktopEntry) -> io::Result<()> {
    entry.path.parent().map_or(Ok(()), fs::create_dir_all)?;
    // Replace the file atomically.
    let new = entry.path.with_extension("new");
    fs::write(&new, &entry.text)?;
    fs::rename(&new, &entry.path)
}

fn remove(entry: &DesktopEntry) -> io::Result<()> {
    match fs::remove_file(&entry.path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the path of the program to start. For an AppImage, this is the AppImage file itself.
fn program() -> io::Result<PathBuf> {
    let bundle = env::var_os("APPIMAGE").map(PathBuf::from).filter(|path| path.is_absolute());
    bundle.map_or_else(|| install_paths::named(install_paths::OWN), Ok)
}

/// Returns the content of the file; `None` if a path is not valid text. [pure]
fn text(program: &Path, data_dir: Option<&Path>) -> Option<String> {
    let mut command = format!("{} --hidden", quoted(program.to_str()?)?);
    if let Some(data_dir) = data_dir {
        command.push_str(&format!(" --data-dir {}", quoted(data_dir.to_str()?)?));
    }
    Some(format!(
        "[Desktop Entry]\nType=Application\nName=Ashore\nComment=Goes on with downloads, in the tray\nExec={command}\n\
         Icon=ashore-window\nTerminal=false\nStartupNotify=false\nX-GNOME-Autostart-enabled=true\n"
    ))
}

/// Quotes an argument of `Exec` according to the Desktop Entry Specification. [pure]
///
/// Returns `None` if the argument has control characters. Escapes the characters that the shell interprets and doubles
/// percent signs. Then escapes all backslashes once more, because the value is a string.
fn quoted(argument: &str) -> Option<String> {
    if argument.chars().any(char::is_control) {
        return None;
    }
    let mut quoted = String::from("\"");
    for character in argument.chars() {
        match character {
            '"' | '`' | '$' => quoted.extend(["\\\\", &character.to_string()]),
            '\\' => quoted.push_str("\\\\\\\\"),
            '%' => quoted.push_str("%%"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    Some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(folder: &Path) -> DesktopEntry {
        let text = text(Path::new("/usr/bin/ashore-desktop"), None).unwrap();
        DesktopEntry { path: folder.join("autostart/org.ashore.Ashore.desktop"), text }
    }

    #[test]
    fn setting_creates_and_removes_autostart_file() {
        let folder = tempfile::tempdir().unwrap();
        let entry = entry(folder.path());
        assert_eq!(step(true, false, found(&entry)), Step::Write);
        write(&entry).unwrap();
        let written = fs::read_to_string(&entry.path).unwrap();
        assert!(written.contains("\nExec=\"/usr/bin/ashore-desktop\" --hidden\n"), "{written}");
        assert_eq!(step(true, true, found(&entry)), Step::Leave);
        assert_eq!(step(false, true, found(&entry)), Step::Remove);
        remove(&entry).unwrap();
        assert!(!entry.path.exists());
        assert_eq!(step(false, true, found(&entry)), Step::Leave);
        remove(&entry).unwrap();
    }

    #[test]
    fn disabled_or_removed_autostart_file_resets_setting() {
        let folder = tempfile::tempdir().unwrap();
        let entry = entry(folder.path());
        write(&entry).unwrap();
        for off in ["Hidden=true", "X-GNOME-Autostart-enabled = false"] {
            fs::write(&entry.path, entry.text.replace("X-GNOME-Autostart-enabled=true", off)).unwrap();
            assert_eq!(step(true, true, found(&entry)), Step::GiveUp, "{off}");
            assert_eq!(step(true, false, found(&entry)), Step::Write, "the latest wish of the user applies: {off}");
        }
        fs::remove_file(&entry.path).unwrap();
        assert_eq!(step(true, true, found(&entry)), Step::GiveUp);
    }

    #[test]
    fn autostart_file_of_moved_program_is_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let entry = entry(folder.path());
        write(&DesktopEntry { text: text(Path::new("/opt/old"), None).unwrap(), path: entry.path.clone() }).unwrap();
        assert_eq!(step(true, true, found(&entry)), Step::Write);
    }

    #[test]
    fn autostart_file_of_another_program_is_not_changed() {
        for found in [AutostartFile::Missing, AutostartFile::SwitchedOff, AutostartFile::Outdated, AutostartFile::Right] {
            assert_eq!(step(false, false, found), Step::Leave);
        }
    }

    #[test]
    fn exec_path_is_quoted_as_specification_requires() {
        assert_eq!(quoted("/a b/c").unwrap(), "\"/a b/c\"");
        assert_eq!(quoted(r#"/$a"`\%"#).unwrap(), r#""/\\$a\\"\\`\\\\%%""#);
        assert_eq!(quoted("/a\nb"), None);
        let written = text(Path::new("/bin/a"), Some(Path::new("/my list"))).unwrap();
        assert!(written.contains("Exec=\"/bin/a\" --hidden --data-dir \"/my list\"\n"), "{written}");
    }
}
