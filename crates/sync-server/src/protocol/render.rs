//! Renders the bodies of responses. [pure]
//!
//! Times are JSON numbers with exactly two decimals. JSON libraries do not keep this format, so the text is built here.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{Timestamp, headers::ListFormat};

/// Stored object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BsoRow {
    /// Id within its collection.
    pub id: String,
    /// Importance of the object, which can determine the order of a listing.
    pub sortindex: Option<i64>,
    /// Time of the last change in milliseconds.
    pub modified: i64,
    /// Payload; `None` if only ids were requested.
    pub payload: Option<String>,
}

/// List that grows row by row, so that a long list is held in memory only once.
#[derive(Debug)]
pub struct ListRenderer {
    format: ListFormat,
    text: String,
    rows: usize,
}

impl ListRenderer {
    /// Creates an empty list.
    pub fn new(format: ListFormat) -> Self {
        let text = match format {
            ListFormat::Json => "[".to_owned(),
            ListFormat::Newlines => String::new(),
        };
        Self { format, text, rows: 0 }
    }

    /// Adds an object, or only its id if it has no payload.
    pub fn push(&mut self, row: &BsoRow) {
        if self.format == ListFormat::Json && self.rows > 0 {
            self.text.push(',');
        }
        match row.payload {
            Some(_) => write_row(&mut self.text, row),
            None => self.text.push_str(&quoted(&row.id)),
        }
        if self.format == ListFormat::Newlines {
            self.text.push('\n');
        }
        self.rows += 1;
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Removes and returns the text of the rows so far, for a body that is sent in parts.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Returns the rest of the body.
    pub fn finish(mut self) -> String {
        if self.format == ListFormat::Json {
            self.text.push(']');
        }
        self.text
    }
}

/// Renders an object as JSON.
pub fn object(row: &BsoRow) -> String {
    let mut text = String::new();
    write_row(&mut text, row);
    text
}

/// Renders `{name: modified}`.
pub fn times(times: &BTreeMap<String, i64>) -> String {
    map(times.iter().map(|(name, time)| (name, Timestamp(*time).to_string())))
}

/// Renders `{name: count}`.
pub fn counts(counts: &BTreeMap<String, i64>) -> String {
    map(counts.iter().map(|(name, count)| (name, count.to_string())))
}

/// Renders `{name: KB}`.
pub fn usage(bytes: &BTreeMap<String, i64>) -> String {
    map(bytes.iter().map(|(name, bytes)| (name, kilobytes(*bytes))))
}

/// Renders `[used, limit or null]` in KB.
pub fn quota(used: i64, limit: Option<i64>) -> String {
    format!("[{},{}]", kilobytes(used), limit.map_or_else(|| "null".to_owned(), kilobytes))
}

/// Renders `{modified}`.
pub fn modified(time: Timestamp) -> String {
    format!("{{\"modified\":{time}}}")
}

/// Renders `{modified or batch, success, failed}`.
pub fn written(head: &str, success: &[String], failed: &BTreeMap<String, &'static str>) -> String {
    let success: Vec<String> = success.iter().map(|id| quoted(id)).collect();
    let failed = map(failed.iter().map(|(id, why)| (id, quoted(why))));
    format!("{{{head},\"success\":[{}],\"failed\":{failed}}}", success.join(","))
}

/// Renders a JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Converts bytes to KB without rounding.
///
/// A division by 1,024 yields a finite number of decimals.
fn kilobytes(bytes: i64) -> String {
    serde_json::Value::from(bytes as f64 / 1024.0).to_string()
}

fn map<'a>(pairs: impl Iterator<Item = (&'a String, String)>) -> String {
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", pairs.join(","))
}

fn write_row(text: &mut String, row: &BsoRow) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{{\"id\":{},\"modified\":{}", quoted(&row.id), Timestamp(row.modified));
    if let Some(index) = row.sortindex {
        let _ = write!(text, ",\"sortindex\":{index}");
    }
    let _ = write!(text, ",\"payload\":{}}}", quoted(row.payload.as_deref().unwrap_or_default()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendered_objects_have_times_with_two_decimals_and_no_lifetime() {
        let row = BsoRow { id: "a\"".into(), sortindex: Some(-3), modified: 12_300, payload: Some("x\n".into()) };
        assert_eq!(object(&row), r#"{"id":"a\"","modified":12.30,"sortindex":-3,"payload":"x\n"}"#);
        let mut list = ListRenderer::new(ListFormat::Newlines);
        list.push(&row);
        list.push(&BsoRow { payload: None, ..row.clone() });
        assert_eq!(list.finish().lines().count(), 2);
        assert_eq!(ListRenderer::new(ListFormat::Json).finish(), "[]");
        assert_eq!(ListRenderer::new(ListFormat::Newlines).finish(), "");
    }

    #[test]
    fn bytes_are_converted_to_kilobytes_without_rounding() {
        assert_eq!(quota(500, None), "[0.48828125,null]");
        assert_eq!(quota(1024, Some(2 << 30)), "[1.0,2097152.0]");
    }
}
