//! Checks that the extension of Ashore started the host. [pure]
//!
//! Browsers check the manifest before they start the host. This second check catches a manifest that was edited.

use std::ffi::OsString;

use crate::{extension_ids::ExtensionIds, manifest_paths::BrowserFamily};

/// Returns the family of the browser that started the host; `None` if another extension or another program started it.
///
/// `arguments` does not include the name of the program. Chromium passes the origin of the extension as the first
/// argument. Firefox passes the path of the manifest, and then the id.
pub(crate) fn family(arguments: &[OsString], ids: &ExtensionIds) -> Option<BrowserFamily> {
    let [first, rest @ ..] = arguments else { return None };
    if !ids.chromium.is_empty() && first.to_str() == Some(&origin(ids)) {
        return Some(BrowserFamily::Chromium);
    }
    let id = rest.first()?;
    (!ids.gecko.is_empty() && first.to_string_lossy().starts_with('/') && id.to_str() == Some(&ids.gecko))
        .then_some(BrowserFamily::Gecko)
}

/// Returns the origin of the extension in the Chromium family.
pub(crate) fn origin(ids: &ExtensionIds) -> String {
    format!("chrome-extension://{}/", ids.chromium)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_host_accepts_only_its_own_extension() {
        let ids = ExtensionIds { chromium: "a".repeat(32), gecko: "browser@ashore.example".to_owned() };
        let own = format!("chrome-extension://{}/", "a".repeat(32));
        let path = "/home/ann/.mozilla/native-messaging-hosts/com.ashore.browser.json";
        let cases: &[(&[&str], Option<BrowserFamily>)] = &[
            (&[&own], Some(BrowserFamily::Chromium)),
            (&[&own, "--parent-window=0"], Some(BrowserFamily::Chromium)),
            (&[path, "browser@ashore.example"], Some(BrowserFamily::Gecko)),
            (&[], None),
            (&[&own[..own.len() - 1]], None),
            (&["chrome-extension://bbbb/"], None),
            (&["--verbose", &own], None),
            (&[path], None),
            (&[path, "other@ashore.example"], None),
            (&["relative.json", "browser@ashore.example"], None),
            (&["browser@ashore.example"], None),
        ];
        for (arguments, expected) in cases {
            let arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
            assert_eq!(family(&arguments, &ids), *expected, "{arguments:?}");
        }
    }

    #[test]
    fn native_host_without_extension_ids_accepts_no_extension() {
        let arguments = |words: &[&str]| words.iter().map(Into::into).collect::<Vec<OsString>>();
        assert_eq!(family(&arguments(&["/a.json", ""]), &ExtensionIds::default()), None);
        assert_eq!(family(&arguments(&["chrome-extension:///"]), &ExtensionIds::default()), None);
    }
}
