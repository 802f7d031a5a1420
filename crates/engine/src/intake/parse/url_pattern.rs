//! Expands URL patterns: `[001:120]` stands for numbers, `[a:f]` for letters, `{one,two}` for words. [pure]
//!
//! Any other brackets are part of the address, such as those of an IPv6 host.

use ashore_messages::{UserMessage, message};

use crate::intake::parse::error::too_many;

/// Part of a pattern.
enum PatternPart {
    Text(String),
    /// Alternatives for this part of the pattern, in order.
    Any(Vec<String>),
}

/// Returns the addresses of the pattern `text`, in order. The last part of the pattern varies fastest.
///
/// Fails if there are more than `most` addresses.
pub(super) fn links(text: &str, most: usize) -> Result<Vec<String>, UserMessage> {
    let parts = parts(text, most)?;
    let count = parts.iter().try_fold(1_usize, |count, part| match part {
        PatternPart::Text(_) => Some(count),
        PatternPart::Any(choices) => count.checked_mul(choices.len()),
    });
    if count.is_none_or(|count| count > most) {
        return Err(too_many());
    }
    let mut links = vec![String::new()];
    for part in &parts {
        links = match part {
            PatternPart::Text(text) => links.into_iter().map(|link| link + text).collect(),
            PatternPart::Any(choices) => {
                links.iter().flat_map(|link| choices.iter().map(move |choice| format!("{link}{choice}"))).collect()
            }
        };
    }
    Ok(links)
}

fn parts(text: &str, most: usize) -> Result<Vec<PatternPart>, UserMessage> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['[', '{']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let close = if from.starts_with('[') { ']' } else { '}' };
        // Search only up to the next bracket of any kind. A text with many unclosed brackets is then scanned only once.
        let next = from[1..].find(['[', '{', close]).map(|at| at + 1).filter(|at| from[*at..].starts_with(close));
        let inside = next.and_then(|end| from.get(1..end).zip(from.get(end + 1..)));
        let choices = match inside {
            Some((inside, after)) => choices(inside, close == ']', most)?.map(|choices| (choices, after)),
            None => None,
        };
        match choices {
            Some((choices, after)) => {
                parts.push(PatternPart::Text(std::mem::take(&mut plain)));
                parts.push(PatternPart::Any(choices));
                rest = after;
            }
            None => {
                plain.push_str(&from[..1]);
                rest = &from[1..];
            }
        }
    }
    plain.push_str(rest);
    parts.push(PatternPart::Text(plain));
    Ok(parts)
}

/// Returns the alternatives in a pair of brackets; `None` if the brackets are not a pattern.
fn choices(inside: &str, is_range: bool, most: usize) -> Result<Option<Vec<String>>, UserMessage> {
    if !is_range {
        let choices: Vec<String> = inside.split(',').map(str::to_owned).collect();
        return Ok((choices.len() > 1).then_some(choices));
    }
    // curl and wget write ranges with a hyphen.
    let Some((from, to)) = inside.split_once(':').or_else(|| inside.split_once('-')) else { return Ok(None) };
    let letter = |text: &str| {
        Some(text.as_bytes()).filter(|bytes| bytes.len() == 1 && bytes[0].is_ascii_alphabetic()).map(|bytes| bytes[0])
    };
    if let (Some(from), Some(to)) = (letter(from), letter(to)) {
        return match from.is_ascii_lowercase() == to.is_ascii_lowercase() && from <= to {
            true => Ok(Some((from..=to).map(|letter| char::from(letter).to_string()).collect())),
            false => Err(backwards(inside)),
        };
    }
    let is_number = |text: &str| !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(from) || !is_number(to) {
        return Ok(None);
    }
    // Keep leading zeros, as in 001 to 120.
    let width = if from.starts_with('0') { from.len() } else { 0 };
    let (Ok(from), Ok(to)) = (from.parse::<u64>(), to.parse::<u64>()) else { return Ok(None) };
    if from > to {
        return Err(backwards(inside));
    }
    if to - from >= most as u64 {
        return Err(too_many());
    }
    Ok(Some((from..=to).map(|number| format!("{number:0width$}")).collect()))
}

fn backwards(inside: &str) -> UserMessage {
    message!("pattern", inside = inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        links(text, 1000).unwrap()
    }

    #[test]
    fn url_pattern_expands_numbers_and_letters_and_words() {
        assert_eq!(
            all("http://a/p-[08:11].jpg"),
            ["http://a/p-08.jpg", "http://a/p-09.jpg", "http://a/p-10.jpg", "http://a/p-11.jpg"]
        );
        assert_eq!(all("http://a/[9-11]"), ["http://a/9", "http://a/10", "http://a/11"]);
        assert_eq!(
            all("http://a/[a:c]{x,}"),
            ["http://a/ax", "http://a/a", "http://a/bx", "http://a/b", "http://a/cx", "http://a/c"]
        );
        assert_eq!(all("http://a/[7:7]"), ["http://a/7"]);
    }

    #[test]
    fn url_brackets_without_pattern_stay_unchanged() {
        for text in [
            "http://[::1]/x",
            "http://[fe80::1]:80/",
            "http://a/[x]",
            "http://a/{x}",
            "http://a/[1:",
            "http://a/[:]",
            "http://a/[a:3]",
            "http://a/x]y[",
        ] {
            assert_eq!(all(text), [text]);
        }
    }

    #[test]
    fn url_pattern_inside_other_brackets_is_expanded() {
        assert_eq!(all("http://a/[x{1,2}]"), ["http://a/[x1]", "http://a/[x2]"]);
        assert_eq!(all("http://a/[[1:2]"), ["http://a/[1", "http://a/[2"]);
    }

    #[test]
    fn unclosed_url_brackets_are_parsed_in_linear_time() {
        for text in ["[".repeat(1 << 20), "{[".repeat(1 << 20), format!("{}]", "[".repeat(1 << 20))] {
            assert_eq!(all(&text), [text]);
        }
    }

    #[test]
    fn descending_or_oversized_url_range_is_refused() {
        let code = |text: &str| links(text, 1000).unwrap_err().code;
        assert_eq!(code("http://a/[3:1]"), "pattern");
        assert_eq!(code("http://a/[c:a]"), "pattern");
        assert_eq!(code("http://a/[a:C]"), "pattern");
        assert_eq!(code("http://a/[1:1001]"), "too-many");
        assert_eq!(code("http://a/[0:999999999999999999]"), "too-many");
        assert_eq!(code("http://a/[1:100][1:100]"), "too-many");
        assert_eq!(links("http://a/[1:500]{a,b}", 1000).unwrap().len(), 1000);
    }
}
