//! Returns the first sentence of a message for a menu, because a menu has little space. [pure]

use ashore_engine::GateReport;

/// Returns the first sentence about a closed gate, without the full stop. A closed gate holds back downloads.
pub fn brief(gate: &GateReport) -> String {
    first(&gate.message().localized()).to_owned()
}

/// Returns the first sentence of `text`, without the full stop.
pub fn first(text: &str) -> &str {
    let end = text.char_indices().find(|(at, character)| match character {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' | '؟' | '।' => text[at + character.len_utf8()..].chars().next().is_none_or(char::is_whitespace),
        _ => false,
    });
    end.map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentence_ends_at_the_full_stop_of_its_script() {
        assert_eq!(first("It is at a.example. Wait."), "It is at a.example");
        assert_eq!(first("これは文です。次も。"), "これは文です");
        assert_eq!(first("यह वाक्य है। दूसरा।"), "यह वाक्य है");
        assert_eq!(first("No end"), "No end");
    }
}
