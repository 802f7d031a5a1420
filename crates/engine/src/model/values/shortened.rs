//! Text cut to a length that a sentence can hold. [pure]

/// So much of a text that an error sentence stays readable.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= 120 {
        return text.to_owned();
    }
    text.chars().take(119).chain(['\u{2026}']).collect()
}
