//! Formats numbers for each language: digit groups and decimal separator. [pure]

use fluent_bundle::{FluentValue, types::FluentNumber};

type Formatter<Memoizer> = fn(&FluentValue<'_>, &Memoizer) -> Option<String>;

/// Returns a function that formats whole numbers for the language `tag`.
///
/// The function captures nothing, because Fluent bundles accept only such functions.
pub(crate) fn formatter<Memoizer>(tag: &str) -> Formatter<Memoizer> {
    match tag {
        "de" | "pt-BR" => |value, _| whole(value).map(|digits| grouped(&digits, ".", 3)),
        "es" => |value, _| whole(value).map(|digits| if digits.len() > 4 { grouped(&digits, ".", 3) } else { digits }),
        "fr" => |value, _| whole(value).map(|digits| grouped(&digits, "\u{202F}", 3)),
        "ru" => |value, _| whole(value).map(|digits| grouped(&digits, "\u{A0}", 3)),
        "hi" => |value, _| whole(value).map(|digits| grouped(&digits, ",", 2)),
        _ => |value, _| whole(value).map(|digits| grouped(&digits, ",", 3)),
    }
}

/// Formats `number` with `digits` digits after the decimal separator.
pub(crate) fn decimal(tag: &str, number: f64, digits: usize) -> String {
    let plain = format!("{number:.digits$}");
    match tag {
        "de" | "es" | "fr" | "pt-BR" | "ru" => plain.replace('.', ","),
        _ => plain,
    }
}

fn whole(value: &FluentValue<'_>) -> Option<String> {
    match value {
        FluentValue::Number(FluentNumber { value, .. }) if value.fract() == 0.0 && *value >= 0.0 => Some(format!("{value:.0}")),
        _ => None,
    }
}

/// Separates the last three digits from the others, and divides the others into groups of `size` digits.
fn grouped(digits: &str, sign: &str, size: usize) -> String {
    let Some(first) = digits.len().checked_sub(3).filter(|first| *first > 0) else { return digits.to_owned() };
    let (head, tail) = digits.split_at(first);
    let head: Vec<&str> = head.as_bytes().rchunks(size).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    format!("{}{sign}{tail}", head.join(sign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn digits_are_grouped_by_rules_of_each_language() {
        let shown = ["7", "999", "1000", "1234567"].map(|digits| grouped(digits, ",", 3));
        assert_eq!(shown, ["7", "999", "1,000", "1,234,567"]);
        assert_eq!(
            ["1000", "1234567", "123456789"].map(|digits| grouped(digits, ",", 2)),
            ["1,000", "12,34,567", "12,34,56,789"]
        );
        let waiting = |tag| Catalogue::new(tag).text("totals-waiting", &[("count", 12_345.into())]);
        assert_eq!(
            (waiting("en"), waiting("de"), waiting("ru")),
            ("12,345 queued".to_owned(), "12.345 warten".to_owned(), "в очереди: 12\u{A0}345".to_owned())
        );
        assert_eq!(Catalogue::new("es").text("totals-waiting", &[("count", 1234.into())]), "1234 en cola");
    }
}
