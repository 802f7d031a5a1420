//! Shortens text for use in a sentence. [pure]

/// Returns the beginning of `text`, short enough for a readable error message.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= 120 {
        return text.to_owned();
    }
    text.chars().take(119).chain(['\u{2026}']).collect()
}
