//! Describes sync conflicts in words. Called by `ashore sync conflicts`. [pure]
//!
//! - The sentences are the same as in the window.
//! - A report has machine-readable values: the id of a machine, or a setting as JSON.

use ashore_messages::MessageArgument;
use ashore_sync::service::{ConflictReport, DeviceReport};
use serde_json::Value;

use crate::output::words::words;

/// Returns the line about a conflict. `devices` are the machines that share the list.
pub fn line(conflict: &ConflictReport, devices: &[DeviceReport]) -> String {
    let number = MessageArgument::display(conflict.number);
    let (title, sentence) = (conflict.title.as_str(), sentence(conflict, devices));
    words!("cli-sync-conflict", number = number, title = title, sentence = sentence.as_str())
}

fn sentence(conflict: &ConflictReport, devices: &[DeviceReport]) -> String {
    let machine = conflict.device_name.as_str();
    let is_own = |name: &str| devices.iter().any(|device| device.is_own && device.name == name);
    match conflict.field.as_str() {
        // The removal lost the conflict, so the download stays.
        "removed" if conflict.losing == "removed" && conflict.winning != "removed" => words!("conflicts.kept"),
        "removed" => match conflict.removed_by.as_deref() {
            Some(remover) if is_own(machine) && !is_own(remover) => words!("conflicts.removed-yours", remover = remover),
            Some(remover) if !is_own(machine) && is_own(remover) => words!("conflicts.removed-here", machine = machine),
            Some(remover) if machine != remover => words!("conflicts.removed-by", machine = machine, remover = remover),
            _ => words!("conflicts.removed", machine = machine),
        },
        "request" => words!("conflicts.request", machine = machine),
        field => {
            let in_words = |value: &str| value_in_words(field, value, devices);
            let (losing, winning) = (in_words(&conflict.losing), in_words(&conflict.winning));
            let (losing, winning) = (losing.as_str(), winning.as_str());
            match is_own(machine) {
                true => words!("conflicts.yours", losing = losing, winning = winning),
                false => words!("conflicts.theirs", losing = losing, machine = machine, winning = winning),
            }
        }
    }
}

fn value_in_words(field: &str, value: &str, devices: &[DeviceReport]) -> String {
    match (field, value) {
        ("requested", "run") => words!("conflict-value.run"),
        ("requested", "paused") => words!("conflict-value.paused"),
        ("requested", "removed") => words!("conflict-value.removed"),
        ("home", id) => devices.iter().find(|device| device.device == id).map_or(id, |device| &device.name).to_owned(),
        ("choice", "default") => words!("conflict-value.default"),
        ("choice", choice) => {
            let chosen: Option<Value> = serde_json::from_str(choice).ok();
            chosen.as_ref().and_then(|chosen| chosen.get("value")).map_or_else(|| choice.to_owned(), setting_in_words)
        }
        (_, value) => value.to_owned(),
    }
}

/// Returns the value of a setting in the form that `ashore settings` prints.
fn setting_in_words(value: &Value) -> String {
    match value {
        Value::Bool(true) => words!("conflict-value.on"),
        Value::Bool(false) => words!("conflict-value.off"),
        Value::String(text) => text.clone(),
        // Whole numbers are stored with a fraction, such as `3.0`, but printed without it.
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        Value::Array(items) => items.iter().map(setting_in_words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(id: &str, name: &str, is_own: bool) -> DeviceReport {
        DeviceReport { device: id.to_owned(), name: name.to_owned(), last_seen_ms: None, is_own, is_trusted: false }
    }

    fn shown(change: (&str, &str, &str), device_name: &str) -> String {
        shown_with_removal(change, device_name, None)
    }

    fn shown_with_removal((field, losing, winning): (&str, &str, &str), device_name: &str, removed_by: Option<&str>) -> String {
        let conflict = ConflictReport {
            number: 7,
            title: "film.dat".to_owned(),
            field: field.to_owned(),
            losing: losing.to_owned(),
            winning: winning.to_owned(),
            device_name: device_name.to_owned(),
            removed_by: removed_by.map(str::to_owned),
            found_ms: 0,
        };
        let line = line(&conflict, &[device("a1", "Laptop", true), device("b2", "Desktop", false)]);
        line.strip_prefix("7  film.dat: ").unwrap_or_else(|| panic!("{line}")).to_owned()
    }

    #[test]
    fn each_conflict_is_described_without_ids_or_json() {
        for (change, machine, expected) in [
            (("title", "Thesis", "Draft"), "Desktop", "“Thesis” of Desktop was overridden by “Draft”."),
            (("title", "Thesis", "Draft"), "Laptop", "Your change “Thesis” was overridden by “Draft”."),
            (("requested", "run", "paused"), "Desktop", "“resume” of Desktop was overridden by “pause”."),
            (("home", "b2", "a1"), "Desktop", "“Desktop” of Desktop was overridden by “Laptop”."),
            (("choice", r#"{"value":3.0}"#, "default"), "Desktop", "“3” of Desktop was overridden by “the default”."),
            (("choice", r#"{"value":true}"#, r#"{"value":false}"#), "Desktop", "“on” of Desktop was overridden by “off”."),
            (("choice", r#"{"value":["a","b"]}"#, r#"{"value":"c"}"#), "Desktop", "“a, b” of Desktop was overridden by “c”."),
            (("request", "[]", "[]"), "Desktop", "The links of Desktop were overridden by other links."),
            (
                ("removed", "Thesis", "removed"),
                "Desktop",
                "Desktop changed this download while another machine removed it. The removal applies.",
            ),
            (
                ("removed", "removed", "Thesis"),
                "Desktop",
                "The shared list no longer had this download, but this machine still had it. The download stays in both places.",
            ),
        ] {
            assert_eq!(shown(change, machine), expected, "{change:?}");
        }
    }
    #[test]
    fn conflict_text_names_machines_that_changed_and_removed_the_download() {
        for (changer, remover, expected) in [
            ("Laptop", "Desktop", "This machine changed this download while Desktop removed it. The removal applies."),
            ("Desktop", "Laptop", "Desktop changed this download while this machine removed it. The removal applies."),
            ("Desktop", "Phone", "Desktop changed this download while Phone removed it. The removal applies."),
            ("Desktop", "Desktop", "Desktop changed this download while another machine removed it. The removal applies."),
            ("Laptop", "Laptop", "Laptop changed this download while another machine removed it. The removal applies."),
        ] {
            let shown = shown_with_removal(("removed", "Thesis", "removed"), changer, Some(remover));
            assert_eq!(shown, expected, "{changer} {remover}");
        }
    }
}
