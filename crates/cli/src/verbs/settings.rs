//! `ashore settings`: shows and explains the settings, and changes one.

use std::path::{Path, absolute};

use ashore_engine::{DEFAULTS, Setting, SettingKey, SettingValue, SettingsReport, UserMessage, path_text};
use ashore_messages::message;
use ashore_rpc::{MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, clean};
use serde_json::{Value, json};

use crate::{
    arguments::ConfigArguments,
    output::{
        problem::{CliProblem, ExitStatus},
        words::words,
    },
    verbs::short,
};

/// Changes one setting, shows one setting, or shows all settings.
pub async fn settings(data_dir: &Path, wanted: &ConfigArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    short::with(data_dir, "ashore settings", async |connection| {
        let report: SettingsReport = connection.call(MethodCall::Settings).await?;
        say_slips(&report, out);
        let Some(name) = &wanted.name else {
            report.settings.iter().try_for_each(|setting| line(setting, out))?;
            return Ok(ExitStatus::Done);
        };
        let Some(setting) = report.settings.iter().find(|setting| crate::verbs::settings::name(setting.key) == *name) else {
            return Err(CliProblem::Usage(unknown(name)));
        };
        match (wanted.value.as_slice(), wanted.default) {
            ([], false) => explain(setting, out)?,
            (_, true) => set(connection, setting, None, out).await?,
            ([value], false) => set(connection, setting, Some(SettingValue::Text(from_here(setting.key, value)?)), out).await?,
            (lines, false) => set(connection, setting, Some(SettingValue::Lines(lines.to_vec())), out).await?,
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Returns the message about a setting that does not exist, with the most similar name.
fn unknown(name: &str) -> UserMessage {
    match SettingKey::meant(name) {
        Some(meant) => message!("settings.unknown-meant", name = name, meant = self::name(meant)),
        None => message!("settings.unknown", name = name),
    }
}

/// Reports the errors in the settings file.
pub fn say_slips(report: &SettingsReport, out: TerminalOutput) {
    for trouble in &report.troubles {
        out.print_line(words!("settings-not-followed", text = trouble.message.clone()));
    }
}

async fn set(
    connection: &PeerStream,
    setting: &Setting,
    value: Option<SettingValue>,
    out: TerminalOutput,
) -> Result<(), CliProblem> {
    connection.call::<()>(MethodCall::Set { key: setting.key, value }).await?;
    let report: SettingsReport = connection.call(MethodCall::Settings).await?;
    report.settings.iter().filter(|now| now.key == setting.key).try_for_each(|now| line(now, out))
}

/// Makes the download folder absolute, because the engine may have another working directory.
///
/// Folders of file kinds stay relative to the download folder.
fn from_here(key: SettingKey, value: &str) -> Result<String, CliProblem> {
    if key != SettingKey::Folder || value.is_empty() {
        return Ok(value.to_owned());
    }
    let whole = absolute(path_text::from_text(value)).ok().map(|path| path_text::to_text(&path).into_owned());
    whole.ok_or_else(|| CliProblem::Usage(message!("settings.path", value = value)))
}

fn line(setting: &Setting, out: TerminalOutput) -> Result<(), CliProblem> {
    if out.json {
        let Setting { key, value, default, .. } = setting;
        out.object(&json!({ "key": key, "value": value, "default": default }))?;
        return Ok(());
    }
    let own = if setting.value == setting.default { String::new() } else { format!("   # {}", words!("cli-not-default")) };
    out.text(format_args!("{} = {}{own}", name(setting.key), written(&setting.value)), 4)?;
    Ok(())
}

fn explain(setting: &Setting, out: TerminalOutput) -> Result<(), CliProblem> {
    if !out.json {
        for sentence in about(&name(setting.key)) {
            out.text(sentence, 2)?;
        }
    }
    line(setting, out)
}

/// Returns the comment on the setting `name` in the default settings file.
fn about(name: &str) -> Vec<&'static str> {
    let lines: Vec<&str> = DEFAULTS.lines().collect();
    let is_it = |line: &&str| line.split_once(" = ").is_some_and(|(key, _)| key == name);
    let until = lines.iter().position(is_it).unwrap_or_default();
    let from = lines[..until].iter().rposition(|line| !line.starts_with('#')).map_or(0, |before| before + 1);
    lines[from..until].to_vec()
}

fn name(key: SettingKey) -> String {
    match serde_json::to_value(key) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// Formats a value as the settings file does.
fn written(value: &SettingValue) -> String {
    match value {
        SettingValue::Flag(flag) => flag.to_string(),
        SettingValue::Number(number) => number.to_string(),
        SettingValue::Text(text) => quoted(text),
        SettingValue::Lines(lines) => format!("[{}]", lines.iter().map(|line| quoted(line)).collect::<Vec<_>>().join(", ")),
        SettingValue::Week(week) => week.days.join(" "),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", clean(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_setting_is_answered_with_most_similar_one() {
        assert!(unknown("paralel").text.contains("Did you mean parallel?"), "{}", unknown("paralel"));
        assert!(unknown("free_space_floor").text.contains("Did you mean free-space-floor?"));
        assert!(!unknown("colour").text.contains("Did you mean"), "{}", unknown("colour"));
    }

    #[test]
    fn setting_is_explained_by_comment_above_it() {
        assert_eq!(about("parallel"), ["# How many files are fetched at once, 1 to 64."]);
        let hours = about("hours");
        assert!(hours.len() > 3 && hours.iter().all(|line| line.starts_with('#')), "{hours:?}");
        assert!(about("nonsense").is_empty());
    }

    #[test]
    fn setting_value_is_shown_as_in_settings_file() {
        let shown = [
            (SettingValue::Flag(true), "true"),
            (SettingValue::Number(4.0), "4"),
            (SettingValue::Number(0.5), "0.5"),
            (SettingValue::Text("512K".to_owned()), "\"512K\""),
            (
                SettingValue::Lines(vec!["mon 08:00-09:00 off".to_owned(); 2]),
                "[\"mon 08:00-09:00 off\", \"mon 08:00-09:00 off\"]",
            ),
        ];
        for (value, text) in shown {
            assert_eq!(written(&value), text);
        }
    }
}
