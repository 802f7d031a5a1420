//! Ids of the extension. Only this extension may start the host. [pure]

use std::sync::LazyLock;

use serde::Deserialize;

/// Ids of the extension in each family of browsers.
#[derive(Debug, Default, Deserialize)]
pub struct ExtensionIds {
    /// Id in the Chromium family. Derived from the `key` in the manifest of the extension.
    pub chromium: String,
    /// Id in the Firefox family.
    pub gecko: String,
}

static IDS: LazyLock<ExtensionIds> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../extension/ids.json")).unwrap_or_default());

/// Returns the ids of the extension that belongs to this version.
pub fn ids() -> &'static ExtensionIds {
    &IDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_extension_ids_have_valid_format() {
        let ExtensionIds { chromium, gecko } = ids();
        assert!(chromium.len() == 32 && chromium.bytes().all(|letter| (b'a'..=b'p').contains(&letter)), "{chromium}");
        assert!(gecko.contains('@') && gecko.len() > 2, "{gecko}");
    }
}
