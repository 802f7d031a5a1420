//! Reads and changes the settings file, and reports entries that are not valid. Comments and unknown entries are
//! preserved.

use std::path::{Path, PathBuf};

use ashore_messages::{UserMessage, message};
use toml_edit::{Array, DocumentMut, Item, TomlError, Value, value};

use crate::{
    EngineError,
    gates::WeeklyHours,
    model::{Setting, SettingKey, SettingKind, SettingTrouble, SettingValue},
    platform::atomic_file,
    settings::{
        DEFAULTS, Settings,
        schema::{self, SettingDefinition},
    },
};

/// Name of the file in the data folder.
const NAME: &str = "ashore.toml";

/// Parsed settings file.
#[derive(Clone, Debug)]
pub(crate) struct SettingsFile {
    own: DocumentMut,
    /// Defaults overlaid with every valid value of the file.
    usable: DocumentMut,
    pub settings: Settings,
    pub troubles: Vec<SettingTrouble>,
}

/// Path of the settings file.
pub(crate) fn path(data_dir: &Path) -> PathBuf {
    data_dir.join(NAME)
}

impl SettingsFile {
    /// Loads the settings file of `data_dir`; a missing file counts as empty.
    ///
    /// Fails with `Io`. Fails with `Invalid` if the file is not TOML, or if a guard setting
    /// ([`SettingDefinition::is_guard`]) has an invalid value.
    pub fn load(data_dir: &Path) -> Result<Self, EngineError> {
        let path = path(data_dir);
        let text = match atomic_file::read(&path, atomic_file::SymlinkPolicy::Followed) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => {
                return Err(EngineError::io(message!("disk.settings", path = &path, why = &source), source));
            }
        };
        Self::read(&text).map_err(|why| EngineError::Invalid(message!("invalid.settings", path = &path, why = why)))
    }

    /// Parses the text of a settings file.
    pub fn read(text: &str) -> Result<Self, UserMessage> {
        Self::from_document(parse(text)?)
    }

    /// Asserts that a changed settings file is read back with the same values.
    ///
    /// The change resets one setting to its default; `text` may be any text.
    #[cfg(debug_assertions)]
    pub fn assert_is_sound(text: &str) {
        let Ok(file) = Self::read(text) else { return };
        // The text selects the setting to change: trying all settings would take far too long.
        let Ok(changed) = file.with(SettingKey::ALL[text.len() % SettingKey::ALL.len()], None) else { return };
        let again = Self::read(&changed.own.to_string()).map(|again| again.list());
        assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, UserMessage>(changed.list())));
    }

    fn from_document(own: DocumentMut) -> Result<Self, UserMessage> {
        let mut usable = parse(DEFAULTS)?;
        let mut troubles = Vec::new();
        for (name, item) in own.iter() {
            let known = SettingKey::by_name(name);
            match known.map_or_else(|| Err(unknown(name)), |key| check(&key.definition(), item)) {
                Ok(()) => {
                    usable.insert(name, item.clone());
                }
                Err(why) if known.or_else(|| SettingKey::meant(name)).is_some_and(|key| key.definition().is_guard) => {
                    return Err(why);
                }
                Err(message) => troubles.push(SettingTrouble { name: name.to_owned(), message }),
            }
        }
        let settings = Settings::from_document(usable.clone())?;
        Ok(Self { own, usable, settings, troubles })
    }

    /// Returns a copy of the file with `key` set to `value`; `None` restores the default.
    pub fn with(&self, key: SettingKey, value: Option<&SettingValue>) -> Result<Self, UserMessage> {
        let definition = key.definition();
        let default = defaults().get(definition.name).cloned().unwrap_or_default();
        let mut own = self.own.clone();
        match value.map(|value| item(&definition, value)).transpose()? {
            Some(item) if value_of_item(&item) != value_of_item(&default) => {
                check(&definition, &item)?;
                set_item(&mut own, definition.name, item);
            }
            // Remove a value that equals the default, unless the user wrote a comment on it.
            _ if has_comment(&own, definition.name) => set_item(&mut own, definition.name, default),
            _ => drop(own.remove(definition.name)),
        }
        Self::from_document(own)
    }

    /// Writes the file to `data_dir`.
    pub fn save(&self, data_dir: &Path) -> Result<(), EngineError> {
        let path = path(data_dir);
        // The user may keep the file elsewhere, behind a symbolic link.
        let path = path.canonicalize().unwrap_or(path);
        atomic_file::replace(&path, self.own.to_string().as_bytes())
            .map_err(|source| EngineError::io(message!("disk.settings-unsaved", path = &path, why = &source), source))
    }

    /// All settings with their values.
    pub fn list(&self) -> Vec<Setting> {
        let defaults = defaults();
        let of = |document: &DocumentMut, name: &str| value_of_item(document.get(name).unwrap_or(&Item::None));
        let all = SettingKey::ALL.iter().map(|key| key.definition());
        all.map(|SettingDefinition { key, name, group, kind, .. }| Setting {
            key,
            group,
            value: of(&self.usable, name),
            default: of(&defaults, name),
            week: (kind == SettingKind::Week).then(|| self.settings.hours.week()),
            kind,
        })
        .collect()
    }
}

fn defaults() -> DocumentMut {
    // A test checks that parsing the defaults succeeds.
    DEFAULTS.parse().unwrap_or_default()
}

fn parse(text: &str) -> Result<DocumentMut, UserMessage> {
    text.parse().map_err(|error: TomlError| message!("invalid.toml", why = error.to_string().trim_end()))
}

fn unknown(name: &str) -> UserMessage {
    match SettingKey::meant(name) {
        Some(key) => message!("invalid.unknown", name = name, meant = key.definition().name),
        None => message!("invalid.foreign", name = name),
    }
}

/// Checks `item`, while all other settings have their defaults.
fn check(definition: &SettingDefinition, item: &Item) -> Result<(), UserMessage> {
    definition.check(item)?;
    let mut alone = defaults();
    alone.insert(definition.name, item.clone());
    Settings::from_document(alone).map(drop)
}

/// Sets `name` to `item`. An existing entry keeps the comments around it.
fn set_item(own: &mut DocumentMut, name: &str, mut item: Item) {
    let Some(old) = own.get_mut(name) else {
        own.insert(name, item);
        return;
    };
    if let (Some(old), Some(new)) = (old.as_value(), item.as_value_mut()) {
        *new.decor_mut() = old.decor().clone();
    }
    *old = item;
}

fn has_comment(own: &DocumentMut, name: &str) -> bool {
    let above = own.key(name).and_then(|key| key.leaf_decor().prefix()?.as_str());
    above.is_some_and(|text| text.contains('#'))
}

/// Value of an item in the file.
fn value_of_item(item: &Item) -> SettingValue {
    let flag = || item.as_bool().map(SettingValue::Flag);
    let number = || schema::number(item).map(SettingValue::Number);
    let lines = || schema::lines(item).map(SettingValue::Lines);
    let text = || SettingValue::Text(item.as_str().unwrap_or_default().to_owned());
    flag().or_else(number).or_else(lines).unwrap_or_else(text)
}

/// Item of the file for the value `given`.
fn item(definition: &SettingDefinition, given: &SettingValue) -> Result<Item, UserMessage> {
    let name = definition.name;
    let is_whole = matches!(&definition.kind, SettingKind::Number { is_whole: true, .. });
    Ok(match (&definition.kind, given) {
        (SettingKind::Flag, SettingValue::Flag(flag)) => value(*flag),
        (SettingKind::Flag, SettingValue::Text(text)) => {
            value(text.parse::<bool>().map_err(|_| message!("invalid.either", name = name))?)
        }
        (SettingKind::Number { .. }, SettingValue::Number(number)) => of_number(*number, is_whole),
        (SettingKind::Number { .. }, SettingValue::Text(text)) => {
            of_number(text.trim().parse().map_err(|_| message!("invalid.none", name = name, value = text))?, is_whole)
        }
        (SettingKind::Week, SettingValue::Week(week)) => of_lines(WeeklyHours::lines(week)?),
        (SettingKind::Week, SettingValue::Lines(lines)) => of_lines(lines.clone()),
        (SettingKind::Week, SettingValue::Text(line)) => {
            of_lines(Some(line).filter(|line| !line.is_empty()).cloned().into_iter().collect())
        }
        (SettingKind::Flag | SettingKind::Number { .. } | SettingKind::Week, _) => {
            return Err(message!("invalid.kind", name = name));
        }
        (_, SettingValue::Text(text)) => value(text.as_str()),
        _ => return Err(message!("invalid.only-text", name = name)),
    })
}

fn of_number(number: f64, is_whole: bool) -> Item {
    // A fraction is refused by the check that follows.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the conversion is exact: the value has no fraction and is far from the limits"
    )]
    match is_whole && number.fract() == 0.0 && number.abs() < 1e15 {
        true => value(number as i64),
        false => value(number),
    }
}

fn of_lines(lines: Vec<String>) -> Item {
    value(Value::Array(lines.into_iter().collect::<Array>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Option<SettingValue> {
        Some(SettingValue::Text(value.to_owned()))
    }

    fn troubles(of: &str) -> Vec<String> {
        SettingsFile::read(of).unwrap().troubles.into_iter().map(|trouble| trouble.message.text).collect()
    }

    #[test]
    fn invalid_settings_are_reported_and_other_settings_apply() {
        let file =
            SettingsFile::read("paralel = 16\nattempts = 3\norder = \"random\"\ntheme = \"dark\"\nstall-seconds = 0\n").unwrap();
        assert_eq!((file.settings.parallel, file.settings.attempts), (4, 3));
        assert_eq!(
            file.troubles.iter().map(|trouble| trouble.message.text.as_str()).collect::<Vec<_>>(),
            [
                "paralel is not a setting. Did you mean parallel?",
                "order is \"random\", and must be one of first-come, newest-first.",
                "theme is not a setting. Remove the line, or find the right name with `ashore settings`.",
                "stall-seconds is 0, and must be from 1 to 3600.",
            ]
        );
        assert_eq!(troubles("parallel = 2.5\n"), ["parallel is 2.5, and must be a whole number from 1 to 64."]);
        assert_eq!(troubles("cookies = \"yes\"\n"), ["cookies is \"yes\", and must be true or false."]);
        assert_eq!(troubles("folder = 7\n"), ["folder is 7, and must be text in quotes."]);
    }

    #[test]
    fn settings_file_is_rejected_if_a_protective_setting_is_invalid() {
        for guard in [
            "proxi = \"socks5h://127.0.0.1:1\"",
            "proxy = 7",
            "no_proxy = \"a\"",
            "hours = [\"mon off\"]",
            "keychain = \"pocket\"",
        ] {
            assert!(SettingsFile::read(guard).is_err(), "{guard}");
        }
        assert!(SettingsFile::read("parallel = \n").is_err(), "a file that is not TOML has no settings");
    }

    #[test]
    fn changed_setting_keeps_comments_in_file_and_omits_default_value() {
        let before = "# mine\nparallel = 8 # eight\n\n# later\ntheme = \"dark\"\n";
        let file = SettingsFile::read(before).unwrap();
        let changed = file.with(SettingKey::Parallel, text("16").as_ref()).unwrap();
        assert_eq!(changed.own.to_string(), before.replace("= 8", "= 16"));
        assert_eq!(changed.settings.parallel, 16);
        let file = SettingsFile::read("# mine\n\nparallel = 8\nattempts = 9\n").unwrap();
        assert_eq!(file.with(SettingKey::Parallel, None).unwrap().own.to_string(), "# mine\n\nparallel = 4\nattempts = 9\n");
        assert_eq!(file.with(SettingKey::Attempts, None).unwrap().own.to_string(), "# mine\n\nparallel = 8\n");
        let file = SettingsFile::read(before).unwrap();
        let added = file.with(SettingKey::Cookies, Some(&SettingValue::Flag(true))).unwrap();
        assert_eq!(added.own.to_string(), format!("{before}cookies = true\n"));
        let file = SettingsFile::read("parallel = 8").unwrap();
        for value in [None, text("4"), Some(SettingValue::Number(4.0))] {
            let back = file.with(SettingKey::Parallel, value.as_ref()).unwrap();
            assert_eq!((back.settings.parallel, back.own.contains_key("parallel")), (4, false));
        }
    }

    #[test]
    fn symlinked_settings_file_is_rewritten_at_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("dotfiles.toml");
        std::fs::write(&real, "parallel = 8\n").unwrap();
        std::os::unix::fs::symlink(&real, path(folder.path())).unwrap();
        SettingsFile::load(folder.path())
            .unwrap()
            .with(SettingKey::Parallel, text("9").as_ref())
            .unwrap()
            .save(folder.path())
            .unwrap();
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "parallel = 9\n");
        assert!(path(folder.path()).is_symlink());
    }

    #[test]
    fn invalid_change_of_setting_is_refused_with_explanation() {
        let refused = |key, value: SettingValue| SettingsFile::read("").unwrap().with(key, Some(&value)).unwrap_err().text;
        assert_eq!(refused(SettingKey::Parallel, SettingValue::Number(65.0)), "parallel is 65, and must be from 1 to 64.");
        assert_eq!(
            refused(SettingKey::Parallel, SettingValue::Number(1.5)),
            "parallel is 1.5, and must be a whole number from 1 to 64."
        );
        assert!(refused(SettingKey::Parallel, SettingValue::Flag(true)).starts_with("parallel does not accept"));
        assert_eq!(
            refused(SettingKey::StallSeconds, SettingValue::Number(f64::NAN)),
            "stall-seconds is NaN, and must be from 1 to 3600."
        );
        assert_eq!(refused(SettingKey::Folder, SettingValue::Flag(true)), "folder must be text.");
        assert!(refused(SettingKey::Proxy, SettingValue::Text("ftp://x".to_owned())).starts_with("proxy is not"));
        let week = crate::model::WeekSetting { days: std::array::from_fn(|_| "o".repeat(48)), is_exact: true };
        assert!(refused(SettingKey::Hours, SettingValue::Week(week)).contains("is \"off\" at all times"));
    }
}
