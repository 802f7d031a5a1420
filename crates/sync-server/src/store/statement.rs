//! Defines SQL statements as named constants. Also builds the statements that have a variable number of rows.

use sqlx::AssertSqlSafe;

/// Defines statements as constants, and lists them for the tests of their query plans.
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $text:expr;)*) => {
        $($(#[$meta])* pub(super) const $name: &str = $text;)*
        #[cfg(test)]
        #[allow(dead_code, clippy::allow_attributes, reason = "some files have only statements of the administrator")]
        pub(super) const STATEMENTS: &[(&str, &str)] = &[$((stringify!($name), $name)),*];
    };
}
pub(super) use statements;

/// Builds a statement from `head`, `rows` groups of placeholders, and `tail`.
///
/// Placeholders of the kind [`Column::Own`] are numbered consecutively from `first`.
pub(super) fn with_rows(head: &str, first: usize, columns: &[Column], rows: usize, tail: &str) -> AssertSqlSafe<String> {
    let mut text = String::with_capacity(head.len() + tail.len() + rows * columns.len() * 6);
    text.push_str(head);
    let mut next = first;
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                text.push_str(", ");
            }
            match column {
                Column::Shared(number) => text.push_str(&format!("${number}")),
                Column::Own => {
                    text.push_str(&format!("${next}"));
                    next += 1;
                }
            }
        }
        text.push(')');
    }
    text.push_str(tail);
    // The text consists of constants and numbers only.
    AssertSqlSafe(text)
}

/// Placeholder in a group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// Placeholder that all groups share.
    Shared(usize),
    /// Separate placeholder in each group.
    Own,
}
