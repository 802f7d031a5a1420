//! Composes the text of a manifest, and decides how to change the file at its path. [pure]

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::{
    caller,
    extension_ids::ExtensionIds,
    manifest_paths::{BrowserFamily, HOST},
};

/// Manifest of the host. The fields depend on the family of browsers.
#[derive(Serialize)]
struct HostManifest<'a> {
    name: &'static str,
    description: &'static str,
    path: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_origins: Option<[String; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_extensions: Option<[String; 1]>,
}

/// Returns the text of the manifest that starts `program`. `None` if the path is not absolute, or not UTF-8.
pub(crate) fn text(family: BrowserFamily, program: &Path, ids: &ExtensionIds) -> Option<String> {
    let path = program.to_str().filter(|_| program.is_absolute())?;
    let (allowed_origins, allowed_extensions) = match family {
        BrowserFamily::Chromium => (Some([caller::origin(ids)]), None),
        BrowserFamily::Gecko => (None, Some([ids.gecko.clone()])),
    };
    let description = "Hands downloads of the browser over to Ashore";
    let manifest = HostManifest { name: HOST, description, path, kind: "stdio", allowed_origins, allowed_extensions };
    let text = serde_json::to_string_pretty(&manifest).ok()?;
    Some(format!("{text}\n"))
}

/// Returns the program that a manifest of Ashore starts. `None` if the text is not such a manifest.
///
/// A manifest of Ashore allows only the extension of Ashore. Any other file belongs to another program or was edited by
/// the user, and must not be changed.
pub(crate) fn program(family: BrowserFamily, text: &str, ids: &ExtensionIds) -> Option<String> {
    let manifest: Value = serde_json::from_str(text).ok()?;
    let (field, own) = match family {
        BrowserFamily::Chromium => ("allowed_origins", caller::origin(ids)),
        BrowserFamily::Gecko => ("allowed_extensions", ids.gecko.clone()),
    };
    let is_ours = manifest["name"] == HOST && manifest["type"] == "stdio" && manifest[field] == Value::from(vec![own]);
    manifest["path"].as_str().filter(|_| is_ours).map(str::to_owned)
}

/// File at the path of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundFile {
    /// No file.
    Missing,
    /// Regular file with this text.
    Text(String),
    /// Link, folder, or unreadable file.
    Other,
}

/// Action on the file at the path of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ManifestStep {
    /// Leave the file as it is.
    Leave,
    /// Create the file. Fail if another program creates it first.
    Create,
    /// Replace the file, which is an earlier manifest of Ashore.
    Replace,
    /// Remove the file.
    Remove,
    /// Leave the file, and report that it belongs to another program.
    Refuse,
}

/// Decides how to install the manifest `wanted`. If `wanted` is `None`, decides how to remove the manifest.
pub(crate) fn plan(family: BrowserFamily, found: &FoundFile, wanted: Option<&str>, ids: &ExtensionIds) -> ManifestStep {
    let is_ours = |text: &str| program(family, text, ids).is_some();
    match (found, wanted) {
        (FoundFile::Missing, Some(_)) => ManifestStep::Create,
        (FoundFile::Missing, None) => ManifestStep::Leave,
        (FoundFile::Text(text), Some(wanted)) if text == wanted => ManifestStep::Leave,
        (FoundFile::Text(text), Some(_)) if is_ours(text) => ManifestStep::Replace,
        (FoundFile::Text(text), None) if is_ours(text) => ManifestStep::Remove,
        (FoundFile::Text(_) | FoundFile::Other, _) => ManifestStep::Refuse,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::extension_ids;

    const FAMILIES: [BrowserFamily; 2] = [BrowserFamily::Chromium, BrowserFamily::Gecko];

    fn ids() -> ExtensionIds {
        ExtensionIds { chromium: "a".repeat(32), gecko: "browser@ashore.example".to_owned() }
    }

    fn made(family: BrowserFamily, program: &str) -> String {
        text(family, Path::new(program), &ids()).unwrap()
    }

    #[test]
    fn manifest_has_form_of_its_browser() {
        let read = |family| serde_json::from_str::<Value>(&made(family, "/usr/bin/ashore-browser")).unwrap();
        let description = "Hands downloads of the browser over to Ashore";
        let chromium = json!({
            "name": "com.ashore.browser", "description": description, "path": "/usr/bin/ashore-browser", "type": "stdio",
            "allowed_origins": [format!("chrome-extension://{}/", "a".repeat(32))]
        });
        let gecko = json!({
            "name": "com.ashore.browser", "description": description, "path": "/usr/bin/ashore-browser", "type": "stdio",
            "allowed_extensions": ["browser@ashore.example"]
        });
        assert_eq!(FAMILIES.map(read), [chromium, gecko]);
        assert_eq!(text(BrowserFamily::Gecko, Path::new("bin/ashore-browser"), &ids()), None);
    }

    #[test]
    fn manifests_of_packages_are_current() {
        let packaged = [include_str!("../manifests/chromium.json"), include_str!("../manifests/gecko.json")];
        let made = |family| text(family, Path::new("/usr/bin/ashore-browser"), extension_ids::ids()).unwrap();
        assert_eq!(FAMILIES.map(made), packaged);
    }

    #[test]
    fn only_manifest_of_ashore_is_replaced_or_removed() {
        for family in FAMILIES {
            let (own, older) = (made(family, "/new"), made(family, "/old"));
            let edited = older.replace("browser@ashore", "other@ashore").replace("chrome-extension://a", "chrome-extension://b");
            let foreign = [edited, older.replace(HOST, "com.other"), "{}".to_owned(), String::new(), "not JSON".to_owned()];
            let step = |found, wanted| plan(family, &found, wanted, &ids());
            assert_eq!(step(FoundFile::Missing, Some(&own)), ManifestStep::Create);
            assert_eq!(step(FoundFile::Missing, None), ManifestStep::Leave);
            assert_eq!(step(FoundFile::Text(own.clone()), Some(&own)), ManifestStep::Leave);
            assert_eq!(step(FoundFile::Text(older.clone()), Some(&own)), ManifestStep::Replace);
            assert_eq!(step(FoundFile::Text(older), None), ManifestStep::Remove);
            for text in foreign {
                for wanted in [Some(own.as_str()), None] {
                    assert_eq!(step(FoundFile::Text(text.clone()), wanted), ManifestStep::Refuse, "{text}");
                }
            }
            assert_eq!(
                (step(FoundFile::Other, Some(&own)), step(FoundFile::Other, None)),
                (ManifestStep::Refuse, ManifestStep::Refuse)
            );
        }
    }

    proptest! {
        #[test]
        fn program_path_can_be_read_back_from_written_manifest(path in "/[^\0]{0,60}") {
            for family in FAMILIES {
                prop_assert_eq!(program(family, &made(family, &path), &ids()), Some(path.clone()));
            }
        }
    }
}
