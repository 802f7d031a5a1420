//! Checks the files about Ashore that desktops and software centres read.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(top().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn bundle() -> Value {
    serde_json::from_str(&read("tauri.conf.json")).unwrap()
}

/// Runs a program, which must be successful and print nothing but the line `expected`.
fn assert_accepts(program: &str, arguments: &[&str], path: &Path, expected: &str) {
    let mut command = Command::new(program);
    let output = command.args(arguments).arg(path).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}. Run `scripts/setup test`."));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && printed.trim() == expected, "{printed}");
}

#[test]
fn desktop_entry_is_valid() {
    let config = bundle();
    let texts = [
        ("{{name}}", &config["productName"]),
        ("{{comment}}", &config["bundle"]["shortDescription"]),
        ("{{icon}}", &config["mainBinaryName"]),
    ];
    // The bundler replaces the same placeholders.
    let entry = texts
        .iter()
        .fold(read("src-tauri/ashore.desktop"), |entry, (placeholder, text)| entry.replace(placeholder, text.as_str().unwrap()));
    assert!(!entry.contains("{{"), "{entry}");
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Ashore.desktop");
    fs::write(&path, entry).unwrap();
    assert_accepts("desktop-file-validate", &[], &path, "");
}

#[test]
fn description_for_software_centres_is_valid_and_names_packaged_entry_and_version() {
    let path = "src-tauri/org.ashore.ashore.metainfo.xml";
    assert_accepts(
        "appstreamcli",
        &["validate", "--pedantic", "--no-net", "--no-color"],
        &top().join(path),
        "✔ Validation was successful.",
    );
    let (config, text) = (bundle(), read(path));
    let entry = format!("{}.desktop", config["productName"].as_str().unwrap());
    assert!(text.contains(&format!(">{entry}</launchable>")), "{text}");
    let release = text.split_once("<release version=\"").and_then(|(_, rest)| rest.split_once('"'));
    assert_eq!(release.map(|(version, _)| version), Some(env!("CARGO_PKG_VERSION")));
    for package in ["deb", "rpm"] {
        assert_eq!(
            config["bundle"]["linux"][package]["files"]["/usr/share/metainfo/org.ashore.ashore.metainfo.xml"], path,
            "{package}"
        );
    }
}
