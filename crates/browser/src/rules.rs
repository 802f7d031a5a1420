//! Rules that decide which downloads the extension hands over. They are part of the settings of Ashore. [pure]
//!
//! The window, the command line and the extension show the same rules. Ashore stores them, and the extension keeps a copy.

use ashore_engine::{ByteSize, SettingKey, SettingValue, SettingsReport};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Rules of the extension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) struct BrowserRules {
    /// Clicks that hand a download over to Ashore.
    pub mode: HandOverMode,
    /// Minimum size in bytes. A download that is known to be smaller stays with the browser.
    #[ts(type = "number")]
    pub least_size: u64,
    /// Sites whose downloads stay with the browser; a site includes its subdomains.
    pub sites: Vec<String>,
    /// File name endings without the dot. Downloads with these endings stay with the browser.
    pub endings: Vec<String>,
    /// Whether a click with Alt leaves the download to the browser.
    pub has_bypass_key: bool,
}

/// Clicks that hand a download over to Ashore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export, export_to = "../../../../extension/src/generated/")]
pub(crate) enum HandOverMode {
    /// Each click on a file.
    Automatic,
    /// Only entries of the browser's menus.
    Menu,
}

/// Rules that a person changed in the extension. A rule that is null or missing is unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(default)]
#[ts(export, optional_fields, export_to = "../../../../extension/src/generated/")]
pub(crate) struct RuleChange {
    /// Clicks that hand a download over to Ashore.
    pub mode: Option<HandOverMode>,
    /// Bytes.
    #[ts(type = "number")]
    pub least_size: Option<u64>,
    /// All sites whose downloads stay with the browser.
    pub sites: Option<Vec<String>>,
    /// All file name endings whose downloads stay with the browser.
    pub endings: Option<Vec<String>>,
    /// Whether a click with Alt leaves the download to the browser.
    pub has_bypass_key: Option<bool>,
}

impl BrowserRules {
    /// Reads the rules from the settings. Returns `None` if a rule is missing, which means that the engine is older.
    pub(crate) fn from_settings(report: &SettingsReport) -> Option<Self> {
        let value = |key| report.settings.iter().find(|setting| setting.key == key).map(|setting| &setting.value);
        let text = |key| match value(key)? {
            SettingValue::Text(text) => Some(text.as_str()),
            _ => None,
        };
        let names = |key| Some(text(key)?.split_whitespace().map(str::to_owned).collect());
        Some(Self {
            mode: if text(SettingKey::BrowserHandOver)? == "menu" { HandOverMode::Menu } else { HandOverMode::Automatic },
            least_size: text(SettingKey::BrowserLeastSize)?.parse::<ByteSize>().ok()?.0,
            sites: names(SettingKey::BrowserSites)?,
            endings: names(SettingKey::BrowserEndings)?,
            has_bypass_key: *value(SettingKey::BrowserBypassKey)? == SettingValue::Flag(true),
        })
    }
}

impl RuleChange {
    /// Returns the settings that this change sets.
    pub(crate) fn settings(&self) -> Vec<(SettingKey, SettingValue)> {
        let mode = |mode: HandOverMode| match mode {
            HandOverMode::Automatic => "automatic".to_owned(),
            HandOverMode::Menu => "menu".to_owned(),
        };
        let texts = [
            (SettingKey::BrowserHandOver, self.mode.map(mode)),
            (SettingKey::BrowserLeastSize, self.least_size.map(|size| ByteSize(size).to_string())),
            (SettingKey::BrowserSites, self.sites.as_ref().map(|sites| sites.join(" "))),
            (SettingKey::BrowserEndings, self.endings.as_ref().map(|endings| endings.join(" "))),
        ];
        let texts = texts.into_iter().filter_map(|(key, text)| Some((key, SettingValue::Text(text?))));
        let key = self.has_bypass_key.map(|is_on| (SettingKey::BrowserBypassKey, SettingValue::Flag(is_on)));
        texts.chain(key).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(settings: &serde_json::Value) -> SettingsReport {
        let kind = json!({ "type": "text" });
        let setting = |(key, value): (&String, &serde_json::Value)| json!({ "key": key, "group": "browsers", "kind": kind, "value": value, "default": value, "week": null });
        let settings: Vec<_> = settings.as_object().unwrap().iter().map(setting).collect();
        serde_json::from_value(json!({ "settings": settings, "troubles": [], "file": "/a/ashore.toml" })).unwrap()
    }

    fn settings() -> serde_json::Value {
        json!({
            "browser-hand-over": "menu", "browser-least-size": "3M", "browser-sites": " a.example  b.example ",
            "browser-endings": "html php", "browser-bypass-key": false, "parallel": 4,
        })
    }

    #[test]
    fn report_yields_browser_rules_unless_one_of_their_settings_is_missing() {
        let rules = BrowserRules {
            mode: HandOverMode::Menu,
            least_size: 3 << 20,
            sites: vec!["a.example".to_owned(), "b.example".to_owned()],
            endings: vec!["html".to_owned(), "php".to_owned()],
            has_bypass_key: false,
        };
        assert_eq!(BrowserRules::from_settings(&report(&settings())), Some(rules));
        for missing in ["browser-hand-over", "browser-least-size", "browser-sites", "browser-endings", "browser-bypass-key"] {
            let mut older = settings();
            older.as_object_mut().unwrap().remove(missing);
            assert_eq!(BrowserRules::from_settings(&report(&older)), None, "{missing}");
        }
    }

    #[test]
    fn only_changed_browser_rules_are_written_and_can_be_read_back() {
        assert_eq!(RuleChange::default().settings(), []);
        let change: RuleChange = serde_json::from_value(json!({ "least_size": 1536, "sites": ["c.example"] })).unwrap();
        let changed = change.settings();
        let text = |text: &str| SettingValue::Text(text.to_owned());
        let expected = [(SettingKey::BrowserLeastSize, text("1536")), (SettingKey::BrowserSites, text("c.example"))];
        assert_eq!(changed, expected);
        let all = json!({
            "mode": "automatic", "least_size": 0, "sites": [], "endings": ["js"], "has_bypass_key": true, "later": 1
        });
        let change: RuleChange = serde_json::from_value(all.clone()).unwrap();
        let stored = change.settings().into_iter().map(|(key, value)| (serde_json::to_value(key).unwrap(), value));
        let stored: serde_json::Map<_, _> =
            stored.map(|(key, value)| (key.as_str().unwrap().to_owned(), serde_json::to_value(value).unwrap())).collect();
        let rules = BrowserRules::from_settings(&report(&stored.into())).unwrap();
        let mut expected = all;
        expected.as_object_mut().unwrap().remove("later");
        assert_eq!(serde_json::to_value(rules).unwrap(), expected);
    }
}
