//! Parses digests in JSON from release services and from PowerShell's `ConvertTo-Json`. [pure]

use serde_json::Value;

use crate::integrity::checksum_file::{
    ListedChecksum,
    algorithm_label::{AlgorithmLabel, from_word, is_neutral, label},
    relative,
};

/// Keys whose value is the name of the file.
const NAMES: &[&str] = &["file", "filename", "file_name", "name", "path", "url", "asset", "artifact"];
/// Keys whose value is the algorithm.
const ALGORITHMS: &[&str] = &["algorithm", "alg", "algo", "hashalgorithm", "type"];

/// Returns the digests in `text`, or `None` if `text` is not JSON.
///
/// If every line is a JSON document, parses all lines.
pub(super) fn read(text: &str) -> Option<Vec<ListedChecksum>> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let mut found = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        walk(&value.ok()?, None, None, &mut found);
    }
    Some(found)
}

/// Collects the digests in `value`.
///
/// `name` and `outer` are the file name and the algorithm from enclosing keys. The recursion has a bounded depth,
/// because the JSON parser limits the nesting.
fn walk(value: &Value, name: Option<&str>, outer: Option<AlgorithmLabel>, found: &mut Vec<ListedChecksum>) {
    match value {
        Value::Array(values) => {
            for value in values {
                walk(value, name, outer, found);
            }
        }
        Value::Object(members) => {
            let find = |keys: &[&str]| {
                let mut strings = members.iter().filter_map(|(key, value)| Some((key, value.as_str()?)));
                strings.find_map(|(key, text)| keys.contains(&key.to_ascii_lowercase().as_str()).then_some(text))
            };
            let own = find(NAMES).filter(|text| from_word(None, text).is_none()).or(name);
            let outer = find(ALGORITHMS).and_then(label).or(outer);
            for (key, value) in members {
                let of_key = label(key);
                let says_what = of_key.is_some() || is_neutral(key);
                match value {
                    Value::String(text) => {
                        let Some(digest) = from_word(of_key.or(outer), text) else { continue };
                        let name = if says_what || own.is_some() { own } else { Some(key.as_str()) };
                        found.push(ListedChecksum { name: name.and_then(relative), digest });
                    }
                    Value::Object(_) | Value::Array(_) => {
                        let name = if says_what || own.is_some() { own } else { Some(key.as_str()) };
                        walk(value, name, of_key.or(outer), found);
                    }
                    _ => {}
                }
            }
        }
        Value::String(text) => {
            found.extend(from_word(outer, text).map(|digest| ListedChecksum { name: name.and_then(relative), digest }))
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_common_forms_gives_names_and_digests() {
        let hex = "ab".repeat(32);
        for text in [
            format!(r#"{{"file": "a.zip", "sha256": "{hex}"}}"#),
            format!(r#"{{"a.zip": "{hex}"}}"#),
            format!(r#"{{"a.zip": {{"sha256": "{hex}", "size": 3}}}}"#),
            format!(r#"{{"sha256": {{"./a.zip": "{hex}"}}}}"#),
            format!(r#"{{"files": [{{"name": "a.zip", "digest": "sha256:{hex}"}}]}}"#),
            format!(r#"[{{"Algorithm": "SHA256", "Hash": "{hex}", "Path": "a.zip"}}]"#),
            format!("{{\"name\": \"a.zip\", \"checksum\": \"{hex}\"}}\n"),
        ] {
            let found = read(&text).unwrap();
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(
                (found[0].name.as_deref(), found[0].digest.to_string()),
                (Some("a.zip"), format!("sha-256={hex}")),
                "{text}"
            );
        }
        let several =
            read(&format!(r#"{{"name": "a.zip", "sha256": "{hex}", "sha3-256": "{hex}", "md5": "{}"}}"#, "cd".repeat(16)));
        assert_eq!(several.unwrap().len(), 2, "a foreign algorithm states nothing");
        assert_eq!(read(&format!(r#"{{"Algorithm": "BLAKE2s", "Hash": "{hex}"}}"#)).unwrap(), []);
    }

    #[test]
    fn json_without_valid_digests_yields_nothing() {
        for text in ["{}", "[]", r#"{"error": "not found"}"#, r#"{"sha256": "abc"}"#, r#"{"a": [1, null, true]}"#] {
            assert_eq!(read(text).unwrap(), [], "{text}");
        }
        for text in ["", "{", "{\"a\": ", "[[[", "text"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"[".repeat(100_000)), None, "the parser bounds the depth");
    }
}
