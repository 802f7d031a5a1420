//! Bodies of responses. Times are raw numbers with two decimals, which no JSON library keeps. [pure]

use std::{collections::BTreeMap, fmt::Write as _};

use super::{Timestamp, headers::ListFormat};

/// A stored object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BsoRow {
    /// Id inside its collection.
    pub id: String,
    /// Importance.
    pub sortindex: Option<i64>,
    /// Milliseconds.
    pub modified: i64,
    /// Payload; none where only ids were requested.
    pub payload: Option<String>,
}

/// A list that grows row by row, so that a long one is in memory once.
#[derive(Debug)]
pub struct ListRenderer {
    format: ListFormat,
    text: String,
    rows: usize,
}

impl ListRenderer {
    /// An empty list.
    pub fn new(format: ListFormat) -> Self {
        let text = match format {
            ListFormat::Json => "[".to_owned(),
            ListFormat::Newlines => String::new(),
        };
        Self { format, text, rows: 0 }
    }

    /// Adds an object, or its id where it has no payload.
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

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Takes the text of the rows so far, for a body that is sent in parts.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The rest of the body.
    pub fn finish(mut self) -> String {
        if self.format == ListFormat::Json {
            self.text.push(']');
        }
        self.text
    }
}

/// An object as JSON.
pub fn object(row: &BsoRow) -> String {
    let mut text = String::new();
    write_row(&mut text, row);
    text
}

/// `{name: modified}`
pub fn times(times: &BTreeMap<String, i64>) -> String {
    map(times.iter().map(|(name, time)| (name, Timestamp(*time).to_string())))
}

/// `{name: count}`
pub fn counts(counts: &BTreeMap<String, i64>) -> String {
    map(counts.iter().map(|(name, count)| (name, count.to_string())))
}

/// `{name: KB}`
pub fn usage(bytes: &BTreeMap<String, i64>) -> String {
    map(bytes.iter().map(|(name, bytes)| (name, kilobytes(*bytes))))
}

/// `[used, limit or null]` in KB.
pub fn quota(used: i64, limit: Option<i64>) -> String {
    format!("[{},{}]", kilobytes(used), limit.map_or_else(|| "null".to_owned(), kilobytes))
}

/// `{modified}`
pub fn modified(time: Timestamp) -> String {
    format!("{{\"modified\":{time}}}")
}

/// `{modified or batch, success, failed}`
pub fn written(head: &str, success: &[String], failed: &BTreeMap<String, &'static str>) -> String {
    let success: Vec<String> = success.iter().map(|id| quoted(id)).collect();
    let failed = map(failed.iter().map(|(id, why)| (id, quoted(why))));
    format!("{{{head},\"success\":[{}],\"failed\":{failed}}}", success.join(","))
}

/// A JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Bytes / 1024, exactly: a power of two leaves few decimals.
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
    fn objects_have_two_decimals_and_no_lifetime() {
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
    fn kilobytes_are_exact() {
        assert_eq!(quota(500, None), "[0.48828125,null]");
        assert_eq!(quota(1024, Some(2 << 30)), "[1.0,2097152.0]");
    }
}
